//! Through an HTTP proxy: the whole URL of any scheme goes on the request line (GATE-02).

use super::{Act, Plan, plan, server};
use crate::url::{Url, UrlError, escape};

/// What following `url` sends to a proxy instead of to the URL's own server. The scheme's own rules hold all the same
/// (SEC-01 … 03). A URL that needs an answer first, or leads to another one, is planned as without a proxy.
///
/// # Errors
/// As [`plan`]; and a password in the URL, which would go to the proxy in clear text (SEC-04).
pub fn through(url: &Url, proxy: &Url) -> Result<Plan, UrlError> {
    let direct = plan(url)?;
    if matches!(direct.act, Act::Ask(_) | Act::Open(_)) {
        return Ok(direct);
    }
    let server = server::server(proxy)?;
    if url.password().is_some() {
        return Err(UrlError::Refused(format!(
            "its password would go in clear text to the proxy {}; open it without the password, or name the host in no_proxy",
            server.host
        )));
    }
    let request = format!("GET {} HTTP/1.1", whole(url));
    Ok(Plan { act: Act::Http { host: server.host, port: server.port, request }, confirm: direct.confirm })
}

/// The URL as it stands on the request line.
pub fn whole(url: &Url) -> String {
    escape::make_safe(url.without_fragment().as_str())
}
