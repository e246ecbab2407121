//! Hosts among the pages: by which scheme one was visited last.

use super::Pages;
use crate::url::scheme::{default_port, is_for_hosts};
use crate::url::split;

/// The newest pages that are looked at, within a key.
const LOOKED_AT: usize = 1 << 16;

impl Pages {
    /// The scheme of the page of a host that was visited last, and of a port; without one it is the scheme's own. Of schemes that no
    /// host is taken for by its name alone nothing is said.
    pub fn scheme_at(&self, host: &str, port: Option<u16>) -> Option<String> {
        let newest = self.older(self.rows()).take(LOOKED_AT);
        newest
            .map(|(_, visit)| visit.url)
            .find_map(|url| scheme_at(url, host, port).filter(|scheme| is_for_hosts(scheme)))
            .map(str::to_ascii_lowercase)
    }
}

/// The scheme of a URL that is of this host and port.
fn scheme_at<'a>(url: &'a str, host: &str, port: Option<u16>) -> Option<&'a str> {
    let parts = split(url);
    let (scheme, authority) = parts.scheme.zip(parts.authority)?;
    let server = authority.rsplit_once('@').map_or(authority, |(_, server)| server);
    let rest =
        server.get(..host.len()).filter(|name| name.eq_ignore_ascii_case(host)).map(|_| &server[host.len()..])?;
    let own = match rest.strip_prefix(':') {
        Some("") => None,
        Some(number) => Some(number.parse().ok()?),
        None if rest.is_empty() => None,
        None => return None,
    };
    let standard = default_port(scheme);
    (own.or(standard) == port.or(standard)).then_some(scheme)
}
