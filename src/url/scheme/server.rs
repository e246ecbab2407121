//! The server that a URL names, judged: host, port, and whether that port may be used (SEC-01, D42).

use super::super::{Url, UrlError, escape};
use super::{default_port, wire};

/// Ports of other protocols, refused whatever the reader says (the WHATWG list of bad ports).
const BAD_PORTS: &[u16] = &[
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
    111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
    540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
    6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/// Where to connect, once host and port have been judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Server {
    /// As in the URL, IPv6 in its brackets.
    pub host: String,
    pub port: u16,
    /// The question to ask before using a reserved port that is not the scheme's own.
    pub confirm: Option<String>,
}

/// The server of a URL whose scheme has a port of its own.
pub(super) fn server(url: &Url) -> Result<Server, UrlError> {
    let own = default_port(url.scheme())
        .ok_or_else(|| UrlError::Malformed(format!("{}: has no port of its own", url.scheme())))?;
    server_at(url, own)
}

/// The server of a URL for a service whose own port is `own`.
pub(super) fn server_at(url: &Url, own: u16) -> Result<Server, UrlError> {
    let host = host(url)?;
    let port = explicit_port(url).unwrap_or(own);
    // AUTH TLS is spoken on the port of FTP itself (RFC 4217).
    let explicit = port == 21 && url.scheme().eq_ignore_ascii_case("ftps");
    if port != own && !explicit && BAD_PORTS.contains(&port) {
        return Err(UrlError::Refused(format!(
            "port {port} belongs to another protocol; {}: URLs may not be used to talk to it",
            url.scheme()
        )));
    }
    let confirm = (port != own && !explicit && port < 1024).then(|| {
        format!("Port {port} is reserved and not the usual port of {}: ({own}). Connect all the same?", url.scheme())
    });
    Ok(Server { host, port, confirm })
}

/// The port that the URL writes out, if it does.
pub(super) fn explicit_port(url: &Url) -> Option<u16> {
    url.port_text().and_then(|port| port.parse().ok())
}

/// The host of a URL that needs one.
pub(super) fn host(url: &Url) -> Result<String, UrlError> {
    let host = url.host().unwrap_or_default();
    if host.is_empty() {
        return Err(UrlError::NoHost(url.scheme().into()));
    }
    check_host(host)?;
    Ok(host.into())
}

/// Whether a text can stand between `//` and the port, and nothing there could be taken for anything but a host.
pub(super) fn check_host(host: &str) -> Result<(), UrlError> {
    if host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-')) && !host.starts_with('-') {
        return Ok(());
    }
    let decoded = escape::decode(host);
    wire::check_argument("host", &decoded)?;
    let inside = host.strip_prefix('[').and_then(|h| h.strip_suffix(']'));
    if inside.and_then(|inside| inside.split_once('%')).is_some_and(|(address, _)| is_v6(address)) {
        return Err(UrlError::Refused(format!(
            "the zone in {} is a name for one machine's own wires (RFC 6874); leave it out",
            super::show::component(host)
        )));
    }
    let odd = match inside {
        Some(address) => !is_v6(address),
        None => decoded.iter().any(|b| *b <= b' ' || *b == 0x7F || b"/?#@[]:\\".contains(b)),
    };
    if odd { Err(UrlError::BadHost(host.into())) } else { Ok(()) }
}

fn is_v6(address: &str) -> bool {
    address.parse::<std::net::Ipv6Addr>().is_ok()
}
