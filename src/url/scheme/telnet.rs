//! `telnet:`, `rlogin:`, `tn3270:` (RFC 1738, 3.8; RFC 4248): sessions in another program, started after consent.
//!
//! User and password are advice for the reader: shown (the password never), not sent (D43).

use super::{Act, Family, Paths, Plan, Ways, server, wire};
use crate::url::{Url, UrlError};
use serde_json::json;

/// The fields of a session's URL, fit for an argument vector.
#[derive(Clone, PartialEq, Eq)]
pub struct Telnet {
    /// The name to log in with, by the URL's advice.
    pub user: Option<Vec<u8>>,
    /// Whether the URL holds a password as well.
    pub has_password: bool,
    /// As in the URL.
    pub host: String,
    /// The port to connect to.
    pub port: u16,
}

impl Telnet {
    /// Reads the fields of a session's URL.
    ///
    /// # Errors
    /// No host; CR, LF, NUL in user or password; host or user beginning with `-` (TEL-04, TEL-05); a refused port.
    pub fn of(url: &Url) -> Result<Telnet, UrlError> {
        let user = wire::decode_opt("user name", url.user())?;
        wire::check_argument("user name", user.as_deref().unwrap_or_default())?;
        let password = wire::decode_opt("password", url.password())?;
        let server = server::server(url)?;
        Ok(Telnet { user, has_password: password.is_some(), host: server.host, port: server.port })
    }
}

impl std::fmt::Debug for Telnet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Telnet {{ {:?} {}:{} }}", self.user, self.host, self.port)
    }
}

pub(super) const WAYS: Ways = Ways {
    family: Family::Session,
    paths: Paths::Segments,
    parts: |_| Ok(Vec::new()),
    fields: |url| {
        wire::decode_opt("user name", url.user())?;
        wire::decode_opt("password", url.password())?;
        Ok(json!({ "advisory": true }))
    },
    plan: |url| {
        Telnet::of(url)?;
        Ok(Plan { act: Act::Handler(super::name(url.scheme())), confirm: server::server(url)?.confirm })
    },
    up: |_| None,
    root: |_| None,
};
