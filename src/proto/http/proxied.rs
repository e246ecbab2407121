//! URLs of other schemes through an HTTP proxy (GATE-02): the whole URL stands on the request line, which the HTTP library
//! would not write. One connection for each request; what the answer means is decided as for any other.

use super::Visit;
use crate::proto::{FetchError, Kind, net};
use crate::url::Url;
use crate::url::scheme::{http::Http, whole};
use hyper::Uri;
use hyper::header::{AUTHORIZATION, HOST, HeaderValue, PROXY_AUTHORIZATION, USER_AGENT};
use reqwest::{Body, Response};
use std::error::Error;

impl Visit<'_> {
    /// The head of what the proxy answers.
    pub(super) async fn proxied(&mut self, proxy: &Url) -> Result<Response, FetchError> {
        let (asked, known) = (self.ask().await?, self.known_to(proxy).await?);
        let malformed = |error: &dyn Error| {
            FetchError::new(Kind::Malformed, format!("Such an address cannot be asked for through a proxy ({error})."))
        };
        let built = asked.build().map_err(|error| malformed(&error))?;
        let mut request = hyper::Request::<Body>::try_from(built).map_err(|error| malformed(&error))?;
        *request.uri_mut() = whole(&self.url).parse::<Uri>().map_err(|error| malformed(&error))?;
        let headers = request.headers_mut();
        headers.insert(USER_AGENT, HeaderValue::from_static(super::client::USER_AGENT));
        // It names the server that is meant; a URL without one leaves it empty (RFC 9112, 3.2).
        let port = self.url.port_text().filter(|port| !port.is_empty()).map(|port| format!(":{port}"));
        let host = format!("{}{}", self.url.host().unwrap_or_default(), port.unwrap_or_default());
        headers.insert(HOST, HeaderValue::from_str(&host).map_err(|error| malformed(&error))?);
        if let Some(known) = known {
            headers.insert(PROXY_AUTHORIZATION, known);
        }
        let endpoint = self.endpoint.clone();
        let dialled = net::dial(&endpoint, self.exchange, self.context).await?;
        self.exchange.ledger.because("the proxy");
        let told = self.request.told.as_ref().unwrap_or(&self.url);
        self.exchange.ledger.wrote(format!("{} {} HTTP/1.1", request.method(), whole(told)));
        self.note_headers(&host, request.headers());
        self.converse(dialled.tcp, request, &format!("The proxy {endpoint}")).await
    }

    /// Who the reader is to the proxy, when its own URL says so.
    async fn known_to(&self, proxy: &Url) -> Result<Option<HeaderValue>, FetchError> {
        let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
        let http = Http::of(proxy)?;
        let Some(user) = http.user.as_deref().map(text) else { return Ok(None) };
        let client = self.context.http.client(self.context).await?;
        let password = http.password.as_deref().map(text);
        let built = client.get(super::bare(proxy, &http)).basic_auth(user, password).build();
        Ok(built.ok().and_then(|mut built| built.headers_mut().remove(AUTHORIZATION)))
    }
}
