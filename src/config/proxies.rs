//! Proxies for what is not of the web (GATE-02, GATE-04): which one a URL goes through, and which hosts are asked directly.
//!
//! Those of the web are the HTTP library's business. What is asked for over TLS never goes through one of these, which
//! would be told everything in clear text.

use crate::url::scheme::{self, Plan};
use crate::url::{Url, UrlError};
use std::collections::BTreeMap;
use std::net::IpAddr;

/// The schemes that may go through a proxy.
pub(super) const SCHEMES: &[&str] = &["ftp", "gopher", "news", "nntp", "wais", "finger", "prospero", "whois++"];

/// HTTP proxies by scheme.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Proxies {
    /// `None` where the reader wants none, whatever the environment says.
    by_scheme: BTreeMap<String, Option<Url>>,
    /// Hosts that are asked directly, as `no_proxy` lists them.
    except: String,
}

impl Proxies {
    /// Names the proxy of a scheme: a URL, or "none".
    ///
    /// # Errors
    /// A scheme that cannot go through one, or a URL that is none of an HTTP server.
    pub fn set(&mut self, scheme: &str, proxy: &str) -> Result<(), String> {
        if !SCHEMES.contains(&scheme) {
            return Err(format!("a scheme is wanted of {}", SCHEMES.join(", ")));
        }
        let named = match proxy {
            "none" => None,
            proxy => match Url::parse(proxy) {
                Ok(url) if url.is("http") && url.host().is_some_and(|host| !host.is_empty()) => Some(url),
                _ => return Err("\"none\" or the http: URL of a proxy is wanted".into()),
            },
        };
        self.by_scheme.insert(scheme.into(), named);
        Ok(())
    }

    /// Takes what the environment says of schemes that the settings leave open: `gopher_proxy`, `ftp_proxy` and their kin,
    /// and `no_proxy`, in small or in capital letters. What makes no sense comes back as sentences.
    pub fn surround(&mut self, variable: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let either = |name: &str| {
            let set =
                |name: String| variable(&name).filter(|value| !value.trim().is_empty()).map(|value| (name, value));
            set(name.to_owned()).or_else(|| set(name.to_ascii_uppercase()))
        };
        let mut mistakes = Vec::new();
        for scheme in SCHEMES.iter().filter(|scheme| !self.by_scheme.contains_key(**scheme)).collect::<Vec<_>>() {
            let Some((name, value)) = either(&format!("{scheme}_proxy")) else { continue };
            // "proxy.example.org:3128", as other programs take it too.
            let url = if value.contains("://") { value.trim().to_owned() } else { format!("http://{}", value.trim()) };
            if let Err(wrong) = self.set(scheme, &url) {
                mistakes.push(format!("{name}: {wrong}"));
            }
        }
        self.except = either("no_proxy").map(|(_, value)| value).unwrap_or_default();
        mistakes
    }

    /// Adds a `host:port` to what is asked directly.
    pub fn spare(&mut self, place: &str) {
        self.except = format!("{} {place}", self.except);
    }

    /// The proxy that a URL goes through.
    pub fn of(&self, url: &Url) -> Option<&Url> {
        let proxy = self.by_scheme.get(&url.scheme().to_ascii_lowercase())?.as_ref()?;
        let host = url.host().unwrap_or_default().to_ascii_lowercase();
        let direct = self.except.split([',', ' ']).map(str::trim).any(|except| excepts(except, &host, url.port()));
        (!direct).then_some(proxy)
    }

    /// What following a URL would do, through its proxy if it has one.
    ///
    /// # Errors
    /// As [`scheme::plan`] and [`scheme::through`].
    pub fn plan(&self, url: &Url) -> Result<Plan, UrlError> {
        self.of(url).map_or_else(|| scheme::plan(url), |proxy| scheme::through(url, proxy))
    }
}

/// Whether an entry of `no_proxy` names a host: itself, a domain above it, a network, or `*`; with a port only that.
fn excepts(entry: &str, host: &str, port: Option<u16>) -> bool {
    let entry = entry.to_ascii_lowercase();
    // What follows a colon is a port, but not within an address of IPv6.
    let (name, only) = match entry.rsplit_once(':') {
        Some((name, digits)) if !name.contains(':') || name.ends_with(']') => (name, digits.parse::<u16>().ok()),
        _ => (entry.as_str(), None),
    };
    let name = name.trim_start_matches("*.").trim_start_matches('.');
    if name.is_empty() || host.is_empty() && name != "*" || only.is_some() && only != port {
        return false;
    }
    let below = || host.strip_suffix(name).is_some_and(|before| before.ends_with('.'));
    name == "*" || host == name || below() || in_network(name, host)
}

/// Whether an address lies in a network written as `10.0.0.0/8`, or is that address in other words.
fn in_network(network: &str, host: &str) -> bool {
    let address = |text: &str| text.trim_matches(['[', ']']).parse::<IpAddr>().ok();
    let (network, length) = match network.split_once('/') {
        Some((network, length)) => (network, length.parse::<u32>().ok()),
        None => (network, None),
    };
    let same = |a: u128, b: u128, bits: u32| {
        let kept = length.unwrap_or(bits).min(bits);
        kept == 0 || a >> (bits - kept) == b >> (bits - kept)
    };
    match (address(network), address(host)) {
        (Some(IpAddr::V4(a)), Some(IpAddr::V4(b))) => same(a.to_bits().into(), b.to_bits().into(), 32),
        (Some(IpAddr::V6(a)), Some(IpAddr::V6(b))) => same(a.to_bits(), b.to_bits(), 128),
        _ => false,
    }
}
