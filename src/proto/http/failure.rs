//! The library's errors as sentences: what happened, not which layer noticed it.

use super::client::HEADERS;
use crate::proto::tls::Tls;
use crate::proto::{FetchError, Kind, RefusedCertificate, net};
use crate::url::Url;
use reqwest::Error;
use std::error::Error as _;
use std::io;
use std::time::Duration;

/// Why a body gave nothing more.
pub(super) enum Why {
    /// Nothing came for this long.
    Silence(Duration),
    /// It broke, in words.
    Broken(String),
    /// What came is not in the coding that it is said to be in, in words.
    Coding(String),
}

/// Who was asked: the server that a URL names, perhaps through a proxy.
pub(super) struct Asked<'a> {
    host: &'a str,
    /// Who is dialled.
    dialled: String,
    /// Who answers: not the server where a proxy speaks for it.
    answers: String,
}

impl Asked<'_> {
    pub fn new(url: &Url, proxy: Option<Url>) -> Asked<'_> {
        let host = url.host().unwrap_or_default();
        let named = proxy.as_ref().map(|proxy| {
            let port = proxy.port_text().map(|port| format!(" port {port}")).unwrap_or_default();
            format!("the proxy {}{port}", proxy.host().unwrap_or_default())
        });
        let speaks = proxy.is_some_and(|proxy| proxy.scheme().starts_with("http")) && url.is("http");
        let dialled = named.unwrap_or_else(|| host.into());
        Asked { host, answers: if speaks { dialled.clone() } else { host.into() }, dialled }
    }

    /// Why no answer came.
    pub fn failure(&self, error: &Error, tls: &Tls) -> FetchError {
        let Asked { host, dialled, answers } = self;
        let words = words(error);
        if let Some(rustls) = cause::<rustls::Error>(error) {
            return insecure(host, rustls, tls);
        }
        let io = cause::<io::Error>(error);
        let lower = words.to_ascii_lowercase();
        // What TLS takes for no name has no address either.
        if ["dns error", "failed to lookup", "invalid dns name"].iter().any(|unknown| lower.contains(unknown)) {
            return match dialled == host {
                true => FetchError::new(Kind::NoSuchHost, format!("There is no host \"{host}\"."))
                    .hint("Look at its spelling; or the network or its name server does not answer."),
                false => {
                    FetchError::new(Kind::NoSuchHost, begun(&format!("{dialled} is not known: no host has its name.")))
                        .hint("Look at http.proxy in the settings and at http_proxy in the environment.")
                }
            };
        }
        let (kind, detail) = match io.map(io::Error::kind) {
            Some(io::ErrorKind::ConnectionRefused) => {
                (Kind::Refused, format!("{dialled} refused the connection: nobody listens there."))
            }
            _ if error.is_timeout() => (Kind::TimedOut, format!("{dialled} did not answer in time.")),
            _ if error.is_builder() || error.is_request() && error.url().is_none() => {
                (Kind::Malformed, format!("Such an address cannot be asked for ({words})."))
            }
            // The library keeps to itself why.
            _ if words.starts_with("SOCKS") && words.ends_with("underlying connection") => {
                (Kind::Refused, format!("{dialled} does not answer."))
            }
            _ if words.starts_with("SOCKS") => {
                (Kind::Broken, format!("{dialled} made no connection to {host} ({words})."))
            }
            _ if error.is_connect() => (Kind::Broken, format!("No connection to {dialled} came about ({words}).")),
            _ if lower.contains("too large") => (Kind::Malformed, too_long(answers)),
            _ if lower.contains("invalid") || lower.contains("parse") => {
                (Kind::Malformed, format!("{answers} answered, but not in HTTP ({words})."))
            }
            _ => (Kind::Broken, format!("{answers} closed the connection before it answered ({words}).")),
        };
        FetchError::new(kind, begun(&detail))
    }

    /// No answer within the time allowed.
    pub fn silence(&self, time: Duration) -> FetchError {
        let detail = format!("{} sent no answer within {}.", self.answers, net::seconds(time));
        FetchError::new(Kind::TimedOut, begun(&detail))
    }
}

/// That a head is longer than what is read of one.
pub(super) fn too_long(who: &str) -> String {
    format!("{who} answered with a head that is too long: more than {HEADERS} fields, or some 400 KiB.")
}

/// The beginning of a sentence; a host's name stays as it is.
fn begun(words: &str) -> String {
    words.strip_prefix("the proxy ").map_or_else(|| words.into(), |rest| format!("The proxy {rest}"))
}

/// Whether a connection ended in place of an answer.
pub(super) fn is_closed(error: &Error) -> bool {
    let kinds = [io::ErrorKind::BrokenPipe, io::ErrorKind::ConnectionReset, io::ErrorKind::ConnectionAborted];
    let cut = cause::<io::Error>(error).is_some_and(|io| kinds.contains(&io.kind()));
    !error.is_connect() && !error.is_timeout() && (cut || words(error).contains("closed before message completed"))
}

pub(super) fn insecure(host: &str, error: &rustls::Error, tls: &Tls) -> FetchError {
    let detail = match error {
        rustls::Error::InvalidCertificate(why) => {
            let detail = format!("REFUSED: {host} does not prove that it is {host} ({}).", refusal(why));
            return FetchError {
                certificate: tls.refused(host).map(|certificate| Box::new(RefusedCertificate { certificate, pin: None, first: None })),
                ..FetchError::new(Kind::Secure, detail).hint(
                    "If the server is your own, add its authority to the system's, or name a file with it in SSL_CERT_FILE; \
                     or type \":trust\" to trust this one certificate until Wayfarer ends.",
                )
            };
        }
        rustls::Error::InvalidMessage(_) => format!("{host} does not speak TLS there, so nothing was sent to it."),
        other => format!("{host} and Wayfarer could not agree on TLS ({other})."),
    };
    FetchError::new(Kind::Secure, detail)
}

/// What is wrong with a certificate, in words.
fn refusal(why: &rustls::CertificateError) -> String {
    use rustls::CertificateError as Wrong;
    let words = match why {
        Wrong::BadEncoding => "its certificate cannot be read",
        Wrong::Expired | Wrong::ExpiredContext { .. } => "its certificate has expired",
        Wrong::NotValidYet | Wrong::NotValidYetContext { .. } => "its certificate is not valid yet",
        Wrong::Revoked => "its certificate has been revoked",
        Wrong::UnknownIssuer => "nobody who is known vouches for its certificate",
        Wrong::BadSignature => "the signature of its certificate is wrong",
        Wrong::NotValidForName | Wrong::NotValidForNameContext { .. } => "its certificate is for another name",
        Wrong::InvalidPurpose | Wrong::InvalidPurposeContext { .. } => "its certificate is not for a server",
        // The library has no name for it.
        Wrong::Other(other) if format!("{other:?}").contains("CaUsedAsEndEntity") => {
            "its certificate is that of an authority, which may vouch for servers but is none"
        }
        Wrong::Other(_) => "its certificate breaks a rule of certificates",
        other => return other.to_string(),
    };
    words.into()
}

/// The remark on a body that may not be whole.
pub(super) fn short(why: Why, came: u64, length: Option<u64>) -> String {
    let of = length.map(|length| format!("{came} of {length} octets came: ")).unwrap_or_default();
    match why {
        Why::Silence(time) => format!("{of}nothing came for {} s", time.as_secs()),
        Why::Broken(words) => format!("{of}the connection broke ({words})"),
        Why::Coding(words) => format!("{of}the body is not in its content-encoding ({words})"),
    }
}

/// The innermost cause says what happened.
pub(super) fn words(error: &Error) -> String {
    let mut inner: &dyn std::error::Error = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    match inner.downcast_ref::<io::Error>() {
        Some(io) => net::words(io),
        None => net::words(&io::Error::other(inner.to_string())),
    }
}

/// A cause of that type, also one that an I/O error wraps.
fn cause<T: std::error::Error + 'static>(error: &Error) -> Option<&T> {
    let mut next: Option<&(dyn std::error::Error + 'static)> = error.source();
    while let Some(inner) = next {
        if let Some(found) = inner.downcast_ref::<T>() {
            return Some(found);
        }
        let wrapped = inner.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = match wrapped {
            Some(wrapped) => Some(wrapped),
            None => inner.source(),
        };
    }
    None
}
