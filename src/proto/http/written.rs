//! What the HTTP library is told to send, written down in the words in which it sends it.

use super::{Visit, bare, client};
use crate::proto::net::Endpoint;
use crate::url::Url;
use crate::url::scheme::{self, Family, http::Http};
use reqwest::cookie::CookieStore;
use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Request, Response, Version};
use url::Position;

/// The target that the library makes of a URL.
pub(super) fn target(url: &url::Url) -> &str {
    &url[Position::BeforePath..Position::AfterQuery]
}

/// The host that the library makes of a URL's.
pub(in crate::proto) fn host(url: &Url) -> Option<String> {
    let library = url::Url::parse(&bare(url, &Http::of(url).ok()?)).ok()?;
    library.host_str().map(Into::into)
}

impl Visit<'_> {
    /// A request that the library is about to send.
    pub(super) fn note(&self, asked: &Request) {
        let (ledger, url) = (&self.exchange.ledger, asked.url());
        let host = url.host_str().unwrap_or_default();
        let port = url.port_or_known_default().unwrap_or_default();
        let proxy = self.context.http.proxy_of(&self.url);
        let place = |proxy: &Url| Endpoint {
            host: proxy.host().unwrap_or_default().into(),
            port: proxy.port().unwrap_or_default(),
        };
        ledger.goes_to(&proxy.as_ref().map_or(Endpoint { host: host.into(), port }, place), None);
        if let Some(proxy) = &proxy {
            ledger.because(format!("the proxy ({}:)", proxy.scheme()));
        }
        let known = proxy.as_ref().is_some_and(|proxy| proxy.user().is_some());
        let speaks = proxy.is_some_and(|proxy| scheme::family(&proxy) == Family::Web);
        let authorized = || ledger.wrote("proxy-authorization: ***".into());
        if speaks && url.scheme() == "https" {
            ledger.wrote(format!("CONNECT {host}:{port} HTTP/1.1"));
            known.then(authorized);
        }
        let site = if speaks && url.scheme() == "http" { &url[..Position::BeforePath] } else { "" };
        let told = self.request.told.as_ref().and_then(|told| url::Url::parse(&bare(told, &Http::of(told).ok()?)).ok());
        ledger.wrote(format!("{} {site}{} HTTP/1.1", asked.method(), target(told.as_ref().unwrap_or(url))));
        let site = url.port().map_or(host.into(), |port| format!("{host}:{port}"));
        self.note_headers(&site, asked.headers(), Some(url));
        if speaks && known && url.scheme() == "http" {
            authorized();
        }
        if let Some(content) = &self.request.body {
            ledger.wrote(format!("content-length: {}", content.octets.len()));
        }
    }

    /// The fields of a request: who is asked, what is ours to say, and that cookies go with it.
    pub(super) fn note_headers(&self, host: &str, headers: &HeaderMap, url: Option<&url::Url>) {
        let ledger = &self.exchange.ledger;
        ledger.wrote(format!("host: {host}"));
        if !headers.contains_key(header::USER_AGENT) {
            ledger.wrote(format!("user-agent: {}", client::USER_AGENT));
        }
        let cookies = !headers.contains_key(header::COOKIE)
            && url.is_some_and(|url| self.context.http.cookies.cookies(url).is_some());
        let cookie = (HeaderName::from_static("cookie"), HeaderValue::from_static("***"));
        let own = headers.iter().filter(|(name, _)| *name != header::HOST);
        for (name, value) in own.chain(cookies.then_some((&cookie.0, &cookie.1))) {
            let secret = [header::AUTHORIZATION, header::PROXY_AUTHORIZATION, header::COOKIE].contains(name);
            let shown = if secret { "***".into() } else { super::head::text(value.as_bytes()) };
            ledger.wrote(format!("{name}: {shown}"));
        }
    }

    /// What its answer tells of the request.
    pub(super) fn note_answer(&self, answer: &Response) {
        let ledger = &self.exchange.ledger;
        answer.remote_addr().into_iter().for_each(|address| ledger.reached(address.to_string()));
        if self.url.is("https") {
            ledger.secured();
        }
        if answer.version() == Version::HTTP_2 {
            ledger.corrected(|line| *line = line.replace(" HTTP/1.1", " HTTP/2"));
        }
    }
}
