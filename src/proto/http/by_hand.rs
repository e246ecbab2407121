//! Requests whose path or query the HTTP library would send in other words than they are written in (HTTP-04): it takes URLs in
//! the form of browsers, which resolves dots and escapes more. They go over a connection of their own, in HTTP/1.1; what the
//! answer means is decided as for any other. Through a proxy of the web the library's words go out, and are written down so.

use super::old::Begun;
use super::{Visit, bare, body, failure, written};
use crate::proto::net::{self, Endpoint};
use crate::proto::{Certificate, FetchError, Kind, Security, Stage};
use crate::url::scheme::http::Http;
use hyper::Uri;
use hyper::client::conn::http1;
use hyper::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HOST, HeaderMap, HeaderValue, USER_AGENT};
use hyper_util::rt::TokioIo;
use reqwest::{Body, Response};
use rustls::pki_types::ServerName;
use std::error::Error;
use std::fmt::Display;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

impl Visit<'_> {
    /// The path and query as they are to be sent, where the library would not send them so.
    ///
    /// # Errors
    /// The URL breaks the rules of its scheme.
    pub(super) fn own_words(&self) -> Result<Option<String>, FetchError> {
        if self.proxy.is_some() || self.context.http.proxy_of(&self.url).is_some() {
            return Ok(None);
        }
        let http = Http::of(&self.url)?;
        let library = url::Url::parse(&bare(&self.url, &http));
        Ok(library.ok().filter(|library| written::target(library) != http.target).map(|_| http.target))
    }

    /// The head of the answer to a request in our own words.
    pub(super) async fn by_hand(&mut self, target: &str) -> Result<Response, FetchError> {
        let asked = self.ask().await?.build().map_err(|error| malformed(&error))?;
        let place = asked.url().clone();
        let (host, port) = (place.host_str().unwrap_or_default().to_owned(), place.port_or_known_default());
        let mut request = hyper::Request::<Body>::try_from(asked).map_err(|error| malformed(&error))?;
        *request.uri_mut() = target.parse::<Uri>().map_err(|error| malformed(&error))?;
        let site = place.port().map_or(host.clone(), |port| format!("{host}:{port}"));
        let site = HeaderValue::from_str(&site).map_err(|error| malformed(&error))?;
        let headers = request.headers_mut();
        headers.insert(HOST, site.clone());
        headers.insert(USER_AGENT, HeaderValue::from_static(super::client::USER_AGENT));
        // Brotli is the library's to undo; where a part is wanted, nothing may be packed at all.
        if self.request.resume.is_none() {
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(body::UNDONE));
        }
        let endpoint = Endpoint { host, port: port.unwrap_or_default() };
        let dialled = net::dial(&endpoint, self.exchange, self.context).await?;
        let told = self.request.told.as_ref().and_then(|told| Some(Http::of(told).ok()?.target));
        let line = format!("{} {} HTTP/1.1", request.method(), told.as_deref().unwrap_or(target));
        let answer = if place.scheme() == "https" {
            self.exchange.stage(Stage::Securing).await?;
            let stream = self.secured(dialled, &endpoint).await?;
            self.exchange.ledger.secured();
            self.write_down(line, &site, &request);
            self.converse(stream, request, &endpoint.host).await?
        } else {
            self.write_down(line, &site, &request);
            self.converse(dialled.tcp, request, &endpoint.host).await?
        };
        self.take_cookies(answer.headers(), &place);
        match packed(answer.headers()) {
            Some(how) => Err(FetchError::new(
                Kind::Malformed,
                format!(
                    "{} packed its text ({how}) though it was asked not to do so, and nobody unpacks that here.",
                    endpoint.host
                ),
            )),
            None => Ok(answer),
        }
    }

    fn write_down(&self, line: String, site: &HeaderValue, request: &hyper::Request<Body>) {
        self.exchange.ledger.wrote(line);
        self.note_headers(site.to_str().unwrap_or_default(), request.headers());
        if let Some(content) = &self.request.body {
            self.exchange.ledger.wrote(format!("content-length: {}", content.octets.len()));
        }
    }

    /// TLS as the web's, without HTTP/2.
    async fn secured(
        &mut self,
        dialled: net::Dialled,
        endpoint: &Endpoint,
    ) -> Result<tokio_rustls::client::TlsStream<tokio::net::TcpStream>, FetchError> {
        let trust = self.context.tls.clone();
        let prepared = tokio::task::spawn_blocking(move || trust.web()).await;
        let unset = |error: &dyn Display| FetchError::new(Kind::Secure, format!("TLS could not be set up ({error})."));
        let mut config = prepared.map_err(|error| unset(&error))?.map_err(|error| unset(&error))?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        let name = ServerName::try_from(dialled.name).map_err(|error| unset(&error))?;
        let limit = self.context.limits.connect;
        let connecting = TlsConnector::from(Arc::new(config)).connect(name, dialled.tcp);
        let stream = match timeout(limit, connecting).await {
            Err(_) => return Err(net::too_late(endpoint, limit)),
            Ok(Ok(stream)) => stream,
            Ok(Err(error)) => {
                let reason = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
                return Err(match reason {
                    Some(reason) => failure::insecure(&endpoint.host, reason, &self.context.tls),
                    None => FetchError::new(
                        Kind::Broken,
                        format!("No connection to {} came about ({}).", endpoint.host, net::words(&error)),
                    ),
                });
            }
        };
        let certificate = stream.get_ref().1.peer_certificates().and_then(<[_]>::first);
        self.security = certificate.map(|certificate| {
            let certificate = Certificate::read(certificate);
            Security { trust: self.context.tls.vouches(&endpoint.host, &certificate.fingerprint), certificate }
        });
        Ok(stream)
    }

    /// Sends a request over a connection that stands; the head of the answer. `who` is asked, for sentences.
    pub(super) async fn converse<S>(
        &mut self,
        stream: S,
        request: hyper::Request<Body>,
        who: &str,
    ) -> Result<Response, FetchError>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let silence = self.context.limits.silence;
        let failed = |error: hyper::Error| {
            // A connection that broke before the request was on it has given the request up, for the reason below.
            let system = std::iter::successors(error.source(), |&source| source.source())
                .find_map(|source| source.downcast_ref::<std::io::Error>());
            let words = system
                .map_or_else(|| error.source().map_or_else(|| error.to_string(), ToString::to_string), net::words);
            match words.contains("too large") {
                true => FetchError::new(Kind::Malformed, failure::too_long(who)),
                false => FetchError::new(Kind::Broken, format!("{who} gave no answer in HTTP ({words}).")),
            }
        };
        let stream = Begun::new(stream, self.old);
        let (mut sender, connection) = http1::Builder::new()
            .http09_responses(self.old)
            .max_headers(super::client::HEADERS)
            .ignore_invalid_headers_in_responses(true)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(failed)?;
        // It ends when the answer has been read or is no longer wanted.
        tokio::spawn(connection);
        self.exchange.stage(Stage::Waiting).await?;
        match timeout(silence, sender.send_request(request)).await {
            Ok(Ok(answer)) => Ok(Response::from(answer.map(Body::wrap))),
            Ok(Err(error)) => Err(failed(error)),
            Err(_) => {
                let detail = format!("{who} sent no answer within {}.", net::seconds(silence));
                Err(FetchError::new(Kind::TimedOut, detail))
            }
        }
    }
}

/// How a text is packed in a way that was not asked for (RFC 9110, 12.5.3) and that nobody undoes; what is no text is a file, and
/// kept as it comes.
fn packed(headers: &HeaderMap) -> Option<String> {
    let how = String::from_utf8_lossy(headers.get(CONTENT_ENCODING)?.as_bytes()).trim().to_ascii_lowercase();
    let text = super::head::media(headers).is_some_and(|(media, _)| media.starts_with("text/"));
    (text && !how.is_empty() && how != "identity" && body::packing(&how).is_none())
        .then(|| super::head::text(how.as_bytes()))
}

fn malformed(error: &dyn Error) -> FetchError {
    FetchError::new(Kind::Malformed, format!("Such an address cannot be asked for ({error})."))
}
