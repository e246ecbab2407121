//! Proxies (GATE-02, GATE-04): which one a URL that is not of the web goes through, which hosts are asked directly, and what
//! the environment names for the web.
//!
//! How the web's own are asked is the HTTP library's business. What else is asked for over TLS never goes through one of the
//! others, which would be told everything in clear text.

use crate::url::scheme::{self, Family, Plan};
use crate::url::{Url, UrlError};
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

/// The schemes that may go through a proxy.
pub(super) const SCHEMES: &[&str] =
    &["ftp", "gopher", "news", "nntp", "wais", "finger", "whois", "dict", "prospero", "whois++"];

/// What the web's own proxies may speak.
const OF_THE_WEB: &[&str] = &["http", "https", "socks4", "socks4a", "socks5", "socks5h"];

/// HTTP proxies by scheme.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Proxies {
    /// `None` where the reader wants none, whatever the environment says.
    by_scheme: BTreeMap<String, Option<Url>>,
    /// Schemes of which the environment named the proxy.
    surrounded: BTreeSet<String>,
    /// What the environment names for `http`, `https` and `all` of the web.
    web: BTreeMap<&'static str, String>,
    /// Hosts that are asked directly, as `no_proxy` lists them.
    except: String,
    /// Schemes of which nobody knows which proxy the reader wants.
    lost: BTreeSet<String>,
    /// The same of the web.
    lost_web: bool,
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

    /// Takes the rows of others over; says whether these had other ones. What the environment named is no row.
    pub fn take_over(&mut self, from: &Proxies) -> bool {
        let own = |proxies: &Proxies| -> BTreeMap<String, Option<Url>> {
            let mut rows = proxies.by_scheme.clone();
            rows.retain(|scheme, _| !proxies.surrounded.contains(scheme));
            rows
        };
        let (before, after) = (own(self), own(from));
        let other = before != after;
        self.by_scheme.retain(|scheme, _| self.surrounded.contains(scheme));
        self.by_scheme.extend(after);
        other
    }

    /// The row that names the proxy of a scheme cannot be read: nothing of that scheme is asked for, for it would go another way
    /// than the reader wants.
    pub fn lose(&mut self, scheme: &str) {
        self.lost.insert(scheme.into());
    }

    /// The same of the web's schemes.
    pub fn lose_web(&mut self) {
        self.lost_web = true;
    }

    /// Whether a URL may be asked for, by a proxy or without one.
    ///
    /// # Errors
    /// Nobody knows by which.
    pub fn known(&self, url: &Url) -> Result<(), UrlError> {
        if self.lost.is_empty() && !self.lost_web {
            return Ok(());
        }
        let web = self.lost_web && scheme::family(url) == Family::Web;
        match (web || self.lost.contains(&url.scheme().to_ascii_lowercase())) && !self.spares(url) {
            true => Err(UrlError::Refused(format!(
                "the setting or the variable that names the proxy of {}: cannot be read, and without it the request would go another way; mend it, \
                 then begin again",
                url.scheme()
            ))),
            false => Ok(()),
        }
    }

    /// Takes what the environment says of schemes that the settings leave open: `gopher_proxy`, `ftp_proxy` and their kin,
    /// the web's `http_proxy`, `https_proxy` and `all_proxy`, and `no_proxy`, in small or in capital letters. What makes no
    /// sense comes back as sentences, and nothing of its scheme is asked for but from hosts of `no_proxy`.
    pub fn surround(&mut self, variable: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let either = |name: &str| {
            let set =
                |name: String| variable(&name).filter(|value| !value.trim().is_empty()).map(|value| (name, value));
            set(name.to_owned()).or_else(|| set(name.to_ascii_uppercase()))
        };
        let mut mistakes = Vec::new();
        for scheme in SCHEMES.iter().filter(|scheme| !self.by_scheme.contains_key(**scheme)).collect::<Vec<_>>() {
            let Some((name, value)) = either(&format!("{scheme}_proxy")) else { continue };
            match self.set(scheme, &whole(&value)) {
                Ok(()) => drop(self.surrounded.insert((*scheme).into())),
                Err(wrong) => {
                    self.lost.insert((*scheme).into());
                    mistakes.push(format!("{name}: {wrong}"));
                }
            }
        }
        let mut lost = Vec::new();
        // A web server hands what a visitor says in a field `Proxy` to the programs that it starts as HTTP_PROXY.
        let is_a_visitors = variable("REQUEST_METHOD").is_some();
        for scheme in ["http", "https", "all"].into_iter().filter(|_| !is_a_visitors) {
            let Some((name, value)) = either(&format!("{scheme}_proxy")) else { continue };
            let url = Url::parse(whole(&value));
            let usable =
                |url: &Url| OF_THE_WEB.iter().any(|known| url.is(known)) && !url.host().unwrap_or_default().is_empty();
            match url.ok().filter(usable) {
                Some(url) => drop(self.web.insert(scheme, url.as_str().to_owned())),
                None => {
                    lost.push(scheme);
                    mistakes.push(format!("{name}: the URL of a proxy is wanted ({})", OF_THE_WEB.join(", ")));
                }
            }
        }
        // What the reader wants to go by a proxy does not go without one.
        for scheme in ["http", "https"] {
            let of_all = lost.contains(&"all") && !self.web.contains_key(scheme);
            if lost.contains(&scheme) || of_all {
                self.lost.insert(scheme.into());
            }
        }
        self.except = either("no_proxy").map(|(_, value)| value).unwrap_or_default();
        mistakes
    }

    /// Adds a `host:port` to what is asked directly.
    pub fn spare(&mut self, place: &str) {
        self.except = format!("{} {place}", self.except);
    }

    /// The URL that the environment names for `http` or `https`.
    pub fn of_web(&self, scheme: &str) -> Option<&str> {
        self.web.get(scheme).or_else(|| self.web.get("all")).map(String::as_str)
    }

    /// The hosts that are asked directly, with commas between them.
    pub fn excepted(&self) -> String {
        self.exceptions().filter(|except| !except.is_empty()).collect::<Vec<_>>().join(",")
    }

    fn exceptions(&self) -> impl Iterator<Item = &str> {
        self.except.split([',', ' ']).map(str::trim)
    }

    /// The proxy that a URL goes through.
    pub fn of(&self, url: &Url) -> Option<&Url> {
        if self.by_scheme.is_empty() {
            return None;
        }
        let proxy = self.by_scheme.get(&url.scheme().to_ascii_lowercase())?.as_ref()?;
        (!self.spares(url)).then_some(proxy)
    }

    /// Whether a URL's host is asked directly.
    pub fn spares(&self, url: &Url) -> bool {
        let host = url.host().unwrap_or_default().to_ascii_lowercase();
        self.exceptions().any(|except| excepts(except, &host, url.port()))
    }

    /// What following a URL would do, through its proxy if it has one.
    ///
    /// # Errors
    /// As [`scheme::plan`], [`scheme::through`] and [`Proxies::known`].
    pub fn plan(&self, url: &Url) -> Result<Plan, UrlError> {
        self.known(url)?;
        self.of(url).map_or_else(|| scheme::plan(url), |proxy| scheme::through(url, proxy))
    }
}

/// A proxy's URL; "proxy.example.org:3128" is one as well, as other programs take it too.
fn whole(value: &str) -> String {
    if value.contains("://") { value.trim().to_owned() } else { format!("http://{}", value.trim()) }
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
