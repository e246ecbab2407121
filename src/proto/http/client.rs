//! The HTTP client that all fetches share: connections are kept by the library, TLS is our own configuration.

use super::cookies::Cookies;
use super::stages::{Resolver, Stages};
use super::strict::Strict;
use crate::config;
use crate::disk::Kept;
use crate::proto::net::Endpoint;
use crate::proto::{Context, FetchError, Kind};
use crate::url::Url;
use reqwest::redirect::Policy;
use reqwest::{Client, NoProxy, Proxy};
use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OnceCell;

/// How to be known to servers.
pub(super) const USER_AGENT: &str = concat!("Wayfarer/", env!("CARGO_PKG_VERSION"));
/// Header fields of one answer; the library takes some 400 KiB of them. It makes room for so many before each answer, interim
/// ones too, and looks up from those only after some 50 MB: with room for thousands that would be minutes.
pub(super) const HEADERS: usize = 512;

/// Connections, cookies and settings for the web. Clones share.
#[derive(Clone, Default)]
pub struct Web {
    /// What the reader chose.
    pub settings: config::Http,
    /// The jar.
    pub cookies: Arc<Cookies>,
    /// Hosts that want TLS.
    pub strict: Arc<Strict>,
    /// How servers want to be told who the reader is.
    pub(super) offers: Arc<super::login::Offers>,
    /// Made at the first use: it reads the system's roots.
    client: Arc<OnceCell<Client>>,
    /// The places that have answered: to them a connection may have been kept.
    answered: Arc<Mutex<HashSet<(String, u16)>>>,
}

impl fmt::Debug for Web {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Web").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Web {
    /// By the reader's settings; cookies that may be kept are kept in that file, and beside it which hosts want TLS.
    pub fn new(settings: config::Http, jar: Option<Kept>) -> Web {
        let beside = jar.as_ref().map(|jar| Kept { file: jar.file.with_file_name("hsts"), ..jar.clone() });
        let strict = Arc::new(Strict::new(beside));
        Web { strict, cookies: Arc::new(Cookies::new(settings.clone(), jar)), settings, ..Web::default() }
    }

    /// Notes that a place has answered.
    pub(super) fn note(&self, endpoint: Endpoint) {
        // A panic elsewhere leaves a plain set behind.
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        answered.insert((endpoint.host, endpoint.port));
    }

    /// Whether a place has answered before.
    pub(super) fn knows(&self, endpoint: &Endpoint) -> bool {
        let answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        answered.contains(&(endpoint.host.clone(), endpoint.port))
    }

    pub(super) async fn client(&self, context: &Context) -> Result<&Client, FetchError> {
        self.client.get_or_try_init(|| self.build(context)).await
    }

    async fn build(&self, context: &Context) -> Result<Client, FetchError> {
        let tls = context.tls.clone();
        // Reading the system's roots takes some 10 ms: not in the way of the keyboard.
        let config = tokio::task::spawn_blocking(move || tls.web()).await;
        let config = config.map_err(|error| not_set_up(&error))?.map_err(|error| not_set_up(&error))?;
        let builder = Client::builder()
            .tls_backend_preconfigured(config)
            .tls_info(true)
            .user_agent(USER_AGENT)
            .redirect(Policy::none())
            .referer(false)
            .connect_timeout(context.limits.connect)
            .dns_resolver(Resolver)
            .connector_layer(Stages)
            .http1_max_headers(HEADERS)
            .http1_ignore_invalid_headers_in_responses(true);
        // What the environment says comes with the settings: the library itself looks at nothing.
        let mut builder = builder.no_proxy();
        for proxy in self.proxies().map_err(|error| not_set_up(&error))? {
            builder = builder.proxy(proxy.no_proxy(NoProxy::from_string(&self.settings.proxies.excepted())));
        }
        builder.build().map_err(|error| not_set_up(&error))
    }

    /// The proxy through which a URL of the web is asked for.
    pub(super) fn proxy_of(&self, url: &Url) -> Option<Url> {
        let settings = &self.settings;
        let proxy = match settings.proxy.as_deref() {
            Some(named) => named,
            None => settings.proxies.of_web(&url.scheme().to_ascii_lowercase())?,
        };
        Url::parse(proxy).ok().filter(|_| !settings.proxies.spares(url))
    }

    /// The proxies of the web: the one that the settings name, else those of the environment.
    fn proxies(&self) -> reqwest::Result<Vec<Proxy>> {
        let settings = &self.settings;
        match settings.proxy.as_deref() {
            Some("") => Ok(Vec::new()),
            Some(proxy) => Proxy::all(proxy).map(|proxy| vec![proxy]),
            None => {
                let http = settings.proxies.of_web("http").map(Proxy::http);
                let https = settings.proxies.of_web("https").map(Proxy::https);
                http.into_iter().chain(https).collect()
            }
        }
    }
}

fn not_set_up(error: &dyn fmt::Display) -> FetchError {
    FetchError::new(Kind::Unsupported, format!("HTTP could not be set up ({error})."))
        .hint("Look at http.proxy in the settings and at http_proxy in the environment.")
}
