//! `Url` (absolute) and `Reference` (absolute or relative): text exactly as written, components as ranges.

use super::split::Ends;
use super::{Parts, UrlError};
use std::fmt;

/// An absolute URL, kept exactly as written.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Url {
    text: String,
    ends: Ends,
}

/// A URL reference as a document wrote it, absolute or relative (RFC 3986, 4.1).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Reference {
    text: String,
    ends: Ends,
}

impl Url {
    /// Takes a text as an absolute URL. White space and wrappers are not removed (see [`super::complete`]).
    ///
    /// # Errors
    /// No scheme or a bad one (GEN-02), a port that is no port (GEN-31), a host with a space or a control in it.
    pub fn parse(text: impl Into<String>) -> Result<Url, UrlError> {
        let text = text.into();
        let ends = Ends::of(&text);
        let Some(scheme) = ends.parts(&text).scheme else {
            return Err(UrlError::NoScheme(text));
        };
        let mut bytes = scheme.bytes();
        let letter = bytes.next().is_some_and(|b| b.is_ascii_alphabetic());
        if !letter || !bytes.all(|b| b.is_ascii_alphanumeric() || b"+.-".contains(&b)) {
            return Err(UrlError::BadScheme(scheme.into()));
        }
        let url = Url { text, ends };
        if let Some(port) = url.port_text().filter(|p| !p.is_empty())
            && !port.parse::<u16>().is_ok_and(|n| n > 0)
        {
            return Err(UrlError::BadPort(port.into()));
        }
        if let Some(host) = url.host()
            && host.bytes().any(|b| b <= b' ' || b == 0x7F)
        {
            return Err(UrlError::BadHost(host.into()));
        }
        Ok(url)
    }

    /// The text as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The five generic parts.
    pub fn parts(&self) -> Parts<'_> {
        self.ends.parts(&self.text)
    }

    /// The scheme as written; compare with [`Url::is`].
    pub fn scheme(&self) -> &str {
        &self.text[..self.ends.scheme as usize]
    }

    /// Whether the scheme is `name`, letters of either case (GEN-03).
    pub fn is(&self, name: &str) -> bool {
        self.scheme().eq_ignore_ascii_case(name)
    }

    /// What stands between `//` and the path.
    pub fn authority(&self) -> Option<&str> {
        self.parts().authority
    }

    /// The user name, still escaped; empty differs from undefined (GEN-10).
    pub fn user(&self) -> Option<&str> {
        let (info, _) = self.authority()?.rsplit_once('@')?;
        Some(info.split_once(':').map_or(info, |(user, _)| user))
    }

    /// The password, still escaped. Never show it.
    pub fn password(&self) -> Option<&str> {
        let (info, _) = self.authority()?.rsplit_once('@')?;
        info.split_once(':').map(|(_, password)| password)
    }

    /// The host as written, IPv6 in its brackets.
    pub fn host(&self) -> Option<&str> {
        self.host_and_port().map(|(host, _)| host)
    }

    /// The port as written: undefined, empty or digits.
    pub fn port_text(&self) -> Option<&str> {
        self.host_and_port().and_then(|(_, port)| port)
    }

    fn host_and_port(&self) -> Option<(&str, Option<&str>)> {
        let authority = self.authority()?;
        let server = authority.rsplit_once('@').map_or(authority, |(_, server)| server);
        let after_bracket = server.rfind(']').map_or(0, |i| i + 1);
        Some(match server[after_bracket..].find(':') {
            Some(colon) => (&server[..after_bracket + colon], Some(&server[after_bracket + colon + 1..])),
            None => (server, None),
        })
    }

    /// The port to connect to: as written, else the scheme's default (GEN-17).
    pub fn port(&self) -> Option<u16> {
        match self.port_text() {
            Some(port) if !port.is_empty() => port.parse().ok(),
            _ => super::scheme::default_port(self.scheme()),
        }
    }

    /// The path, slash included.
    pub fn path(&self) -> &str {
        self.parts().path
    }

    /// The query without its `?`.
    pub fn query(&self) -> Option<&str> {
        self.parts().query
    }

    /// The fragment without its `#`; never sent to a server.
    pub fn fragment(&self) -> Option<&str> {
        self.parts().fragment
    }

    /// The same URL without fragment: what is retrieved.
    pub fn without_fragment(&self) -> Url {
        Url { text: self.text[..self.ends.query as usize].into(), ends: self.ends }
    }

    /// The same URL with another fragment.
    pub fn with_fragment(&self, fragment: Option<&str>) -> Url {
        let mut url = self.without_fragment();
        if let Some(fragment) = fragment {
            url.text.push('#');
            url.text.push_str(fragment);
        }
        url
    }

    /// The text with any password replaced by `***`: the only form for screens, logs and stores (SEC-04).
    pub fn redacted(&self) -> String {
        match (self.password(), self.authority()) {
            (Some(password), Some(authority)) if !password.is_empty() => {
                let start = self.ends.scheme as usize + 3;
                let end = start + authority.len();
                let (info, server) = authority.rsplit_once('@').unwrap_or(("", authority));
                let user = info.split_once(':').map_or(info, |(user, _)| user);
                format!("{}{user}:***@{server}{}", &self.text[..start], &self.text[end..])
            }
            _ => self.text.clone(),
        }
    }
}

impl Reference {
    /// Any text is a reference; whether it resolves is known with a base only.
    pub fn new(text: impl Into<String>) -> Reference {
        let text = text.into();
        let ends = Ends::of(&text);
        Reference { text, ends }
    }

    /// The text as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The five generic parts.
    pub fn parts(&self) -> Parts<'_> {
        self.ends.parts(&self.text)
    }
}

impl std::str::FromStr for Url {
    type Err = UrlError;
    fn from_str(text: &str) -> Result<Url, UrlError> {
        Url::parse(text)
    }
}

/// The text as written, passwords included: for requests, never for the screen.
impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Url({})", self.redacted())
    }
}

impl fmt::Debug for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reference({})", self.text)
    }
}
