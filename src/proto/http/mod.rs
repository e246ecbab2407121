//! HTTP on the wire: RFC 9110 to 9113 by a library; what is asked for and what the answer means is decided here.
//!
//! One request for each fetch. Redirects are told, never followed: they may leave the protocol, and the reader's policy is the
//! owner's (HTTP-10). URLs of other schemes are fetched here too, where the reader names a proxy for them. Refuses: scripts' needs, clear text in place of TLS, credentials for any origin but the one they are for.

mod body;
mod by_hand;
mod client;
mod cookies;
mod crowd;
mod digest;
mod failure;
mod head;
mod login;
mod old;
mod proxied;
mod site;
mod stages;
mod strict;
mod written;

pub use client::Web;
pub use cookies::{Cookies, Site, Wanting};
pub(super) use head::media_type;
pub(super) use written::host;

use self::body::Body;
use super::net::Endpoint;
use super::relay::{Relay, Room};
use super::{
    Again, Certificate, Context, End, Exchange, FetchError, Fetching, Head, Kind, Moved, Request, Security, Trust,
    Verdict,
};
use crate::format::media;
use crate::url::Url;
use crate::url::scheme::{self, Act, http::Http};
use reqwest::cookie::CookieStore as _;
use reqwest::header::{self, HeaderMap, HeaderValue};
use reqwest::{Response, StatusCode, tls::TlsInfo};
use std::time::Duration;
use tokio::time::timeout;

/// Passed on at once; decompression may give more.
const LARGEST: usize = 256 * 1024;
/// How often a login is given for one answer: for the first time, and with a nonce that has not grown old.
const LOGINS: usize = 2;
/// Octets that tell what a body is when nobody says it.
const TELLING: usize = 1024;

/// Fetches an HTTP URL.
pub fn fetch<'a>(request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Fetching<'a> {
    Box::pin(run(request, exchange, context))
}

async fn run(request: &Request, exchange: &mut Exchange, context: &Context) -> Result<End, FetchError> {
    let url = request.url.without_fragment();
    let Act::Http { host, port, request: line } = scheme::plan(&url)?.act else {
        return Err(FetchError::new(Kind::Malformed, format!("{} names no HTTP server.", url.redacted())));
    };
    let line = if request.body.is_some() { line.replacen("GET ", "POST ", 1) } else { line };
    let tried = format!("{host} port {port}: {line}");
    let endpoint = Endpoint { host, port };
    let visit = Visit::of(url, endpoint, None, request, exchange, context);
    visit.run().await.map_err(|error| if error.tried.is_empty() { error.tried(tried) } else { error })
}

/// Fetches a URL of another scheme through the proxy that the settings name for it (GATE-02). The answer is that URL's
/// (GATE-05).
pub fn fetch_through<'a>(
    proxy: &'a Url,
    request: &'a Request,
    exchange: &'a mut Exchange,
    context: &'a Context,
) -> Fetching<'a> {
    Box::pin(async move {
        let url = request.url.without_fragment();
        let plan = scheme::through(&url, proxy)?;
        // What may be told of it: a form's answers may hold a password.
        let told = request.told.as_ref().map_or_else(|| url.clone(), Url::without_fragment);
        let tried = scheme::would_send(&scheme::through(&told, proxy)?).join(" ");
        let Act::Http { host, port, .. } = plan.act else {
            return Err(FetchError::new(Kind::Malformed, format!("{} asks for something first.", url.redacted())));
        };
        let endpoint = Endpoint { host, port };
        let visit = Visit::of(url, endpoint, Some(proxy), request, exchange, context);
        visit.run().await.map_err(|error| if error.tried.is_empty() { error.tried(tried) } else { error })
    })
}

struct Visit<'a> {
    url: Url,
    endpoint: Endpoint,
    /// The proxy that is asked in place of the URL's own server, whose place that is then.
    proxy: Option<&'a Url>,
    /// TLS facts of a connection that the library has not made.
    security: Option<Security>,
    /// What the last request said of the reader.
    given: Option<login::Given>,
    /// What the reader's file of logins says, once the server has asked.
    kept: Option<Result<Option<super::Login>, String>>,
    /// The server asks for the password itself, and did not before.
    asks_for_more: bool,
    /// The server is older than the rules.
    old: bool,
    /// The server was told who the reader is, by a login or a cookie.
    knows: bool,
    request: &'a Request,
    exchange: &'a mut Exchange,
    context: &'a Context,
}

impl<'a> Visit<'a> {
    /// A visit of which nothing is known yet.
    fn of(
        url: Url,
        endpoint: Endpoint,
        proxy: Option<&'a Url>,
        request: &'a Request,
        exchange: &'a mut Exchange,
        context: &'a Context,
    ) -> Visit<'a> {
        let (security, given, kept, asks_for_more, old, knows) = (None, None, None, false, false, false);
        Visit { url, endpoint, proxy, security, given, kept, asks_for_more, old, knows, request, exchange, context }
    }

    async fn run(mut self) -> Result<End, FetchError> {
        if let Some(secure) = self.context.http.strict.instead(&self.request.url, jiff::Timestamp::now()) {
            let status = "HSTS: this host has asked for TLS alone, so nothing was sent without".into();
            let (from, to) = (self.url, secure.as_str().to_owned());
            self.exchange.moved(Moved { from, to, status, again: Again::Same, unkept: false }).await?;
            return Ok(End::default());
        }
        let mut answer = self.reach().await?;
        self.exchange.ledger.came(head::status(&answer));
        for _ in 0..LOGINS {
            self.look_for_login(&answer).await;
            if !self.can_log_in(&answer) {
                break;
            }
            answer = self.reach().await?;
            self.exchange.ledger.came(head::status(&answer));
        }
        self.note_promise(&answer);
        match answer.status() {
            StatusCode::NOT_MODIFIED if self.request.unless.is_some() => {
                self.exchange.unchanged().await?;
                Ok(End::default())
            }
            // The partial file is whole already, or is none of this one.
            StatusCode::RANGE_NOT_SATISFIABLE if self.request.resume.is_some() => Err(self.no_such_range(&answer)),
            StatusCode::PARTIAL_CONTENT if self.no_rest(&answer).is_some() => {
                let detail = self.no_rest(&answer).unwrap_or_default();
                Err(FetchError::new(Kind::Said, detail).hint("Begin the download anew."))
            }
            StatusCode::UNAUTHORIZED => self.unauthorized(answer).await,
            status if status.is_redirection() => self.moved(answer).await,
            _ => self.show(answer).await,
        }
    }

    /// The head of the answer, by whatever way is asked.
    async fn reach(&mut self) -> Result<Response, FetchError> {
        match (self.proxy, self.own_words()?) {
            (Some(proxy), _) => self.proxied(proxy).await,
            (None, Some(target)) => {
                let (patience, silence) = (self.patience(), self.asked().silence(self.patience()));
                timeout(patience, self.by_hand(&target)).await.map_err(|_| silence)?
            }
            (None, None) => self.answer().await,
        }
    }

    /// The head of the answer. A server may close a kept connection in the very moment it is used again, so what was sent there
    /// is sent once more.
    async fn answer(&mut self) -> Result<Response, FetchError> {
        let patience = self.patience();
        let web = &self.context.http;
        let client = web.client(self.context).await?;
        // Nothing is sent twice that may have been taken the first time (SEC-05).
        let mut again = web.knows(&self.endpoint) && self.request.body.is_none();
        loop {
            let asked = self.ask().await?.build().map_err(|error| self.asked().failure(&error, &self.context.tls))?;
            self.note(&asked);
            let answer = timeout(patience, stages::said(self.exchange, client.execute(asked))).await;
            let Ok(answer) = answer else { return Err(self.asked().silence(patience)) };
            match answer? {
                Ok(answer) => {
                    web.note(self.endpoint.clone());
                    self.note_answer(&answer);
                    self.take_cookies(answer.headers(), answer.url());
                    return Ok(answer);
                }
                Err(error) if std::mem::take(&mut again) && failure::is_closed(&error) => {
                    self.exchange.ledger.came("the kept connection had been closed; sent once more");
                }
                Err(error) if self.may_be_old(&error) => return self.old().await,
                Err(error) => {
                    if error.is_connect() {
                        self.exchange.ledger.unsent();
                    }
                    return Err(self.asked().failure(&error, &self.context.tls));
                }
            }
        }
    }

    /// How long a head may take, connecting and all: what the reader allows for either, not both after one another.
    fn patience(&self) -> Duration {
        self.context.limits.connect.max(self.context.limits.silence)
    }

    /// Who is asked, for sentences.
    fn asked(&self) -> failure::Asked<'_> {
        failure::Asked::new(&self.url, self.context.http.proxy_of(&self.url))
    }

    /// The request with all that is sent.
    async fn ask(&mut self) -> Result<reqwest::RequestBuilder, FetchError> {
        let asked = self.proxy.unwrap_or(&self.url);
        let http = Http::of(asked)?;
        let client = self.context.http.client(self.context).await?;
        let bare = bare(asked, &http);
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_static(ACCEPT));
        if let Ok(languages) = HeaderValue::from_str(&self.context.http.settings.languages)
            && !languages.is_empty()
        {
            headers.insert(header::ACCEPT_LANGUAGE, languages);
        }
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(body::OFFERED));
        if let Some(resume) = &self.request.resume
            && let Ok(validator) = HeaderValue::from_str(&resume.validator)
        {
            // Of a compressed answer nobody knows which octets are meant.
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
            headers.insert(header::RANGE, HeaderValue::from_str(&self.range(resume.from)).unwrap_or(validator.clone()));
            headers.insert(header::IF_RANGE, validator);
        }
        if let Some(known) = self.request.unless.as_ref().and_then(|known| HeaderValue::from_str(known).ok()) {
            let tag = known.as_bytes().ends_with(b"\"");
            headers.insert(if tag { header::IF_NONE_MATCH } else { header::IF_MODIFIED_SINCE }, known);
        }
        if let Ok(place) = url::Url::parse(&bare) {
            let changes = self.request.body.is_some();
            let cookies = || self.context.http.cookies.given(&place, self.request.led.as_ref(), changes);
            let cookies = self.proxy.is_none().then(cookies).flatten();
            self.knows |= cookies.is_some();
            cookies.into_iter().for_each(|value| drop(headers.insert(header::COOKIE, value)));
            let login = self.login(&http, &place);
            self.knows |= login.is_some();
            login.into_iter().for_each(|value| drop(headers.insert(header::AUTHORIZATION, value)));
        }
        let asked = match &self.request.body {
            Some(content) => {
                if let Ok(media) = HeaderValue::from_str(&content.media) {
                    headers.insert(header::CONTENT_TYPE, media);
                }
                client.post(bare).body(content.octets.clone())
            }
            None => client.get(bare),
        };
        Ok(asked.headers(headers))
    }

    /// What an answer sets is taken where the reader watches.
    fn take_cookies(&self, headers: &HeaderMap, place: &url::Url) {
        if !self.request.unwatched {
            let set = headers.get_all(header::SET_COOKIE);
            self.context.http.cookies.set_cookies(&mut set.iter(), place);
        }
    }

    /// What a host says of TLS counts where an authority vouches for who says it.
    fn note_promise(&self, answer: &Response) {
        let Some(said) = answer.headers().get(header::STRICT_TRANSPORT_SECURITY) else { return };
        let secure = self.url.is("https") && self.proxy.is_none();
        if secure && self.security(answer).is_some_and(|security| security.trust == Trust::Authority) {
            let (host, keeps) = (self.url.host().unwrap_or_default(), !self.request.private);
            self.context.http.strict.learn(host, &head::text(said.as_bytes()), jiff::Timestamp::now(), keeps);
        }
    }

    /// The octets that are wanted, as RFC 9110 (14.1.2) writes them.
    fn range(&self, from: u64) -> String {
        let last = self.request.until.and_then(|until| until.checked_sub(1)).filter(|last| *last >= from);
        format!("bytes={from}-{}", last.map(|last| last.to_string()).unwrap_or_default())
    }

    /// Why a part that a server sends is not the one that it was asked for: it would be put in the wrong place (RFC 9110, 15.3.7).
    fn no_rest(&self, answer: &Response) -> Option<&'static str> {
        let resume = self.request.resume.as_ref()?;
        let headers = answer.headers();
        let media = head::media(headers).map(|(media, _)| media);
        match head::part(headers) {
            None => Some("The server sends a part of the file and does not say which."),
            Some((from, ..)) if from != resume.from => {
                Some("The server sends another part of the file than it was asked for.")
            }
            // Whether anything is missing nobody could tell then.
            Some((.., None)) if self.request.until.is_none() => {
                Some("The server sends a part of the file and does not say how long all of it is.")
            }
            Some(_) if body::is_packed(headers, media.as_deref()) => {
                Some("The server sends a part of the file in another coding than it was asked for.")
            }
            Some(_) => None,
        }
    }

    fn no_such_range(&self, answer: &Response) -> FetchError {
        let detail = format!("The server has nothing more after what came before: {}.", head::status(answer));
        FetchError::new(Kind::Said, detail).hint("Begin the download anew.")
    }

    async fn moved(self, answer: Response) -> Result<End, FetchError> {
        let target = answer.headers().get(header::LOCATION).map(|value| head::text(value.as_bytes()));
        let Some(to) = target.filter(|to| !to.is_empty() && answer.status() != StatusCode::MULTIPLE_CHOICES) else {
            return self.show(answer).await;
        };
        let again = match answer.status() {
            StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT => Again::Same,
            _ => Again::Get,
        };
        if self.tells_kept(&to) {
            let detail = "The server leads to an address that holds your password.";
            return Err(FetchError::new(Kind::Unsafe, detail).hint("It was not followed."));
        }
        let (status, unkept) = (head::status(&answer), self.knows || head::forbids_to_keep(answer.headers()));
        self.exchange.moved(Moved { from: self.url, to, status, again, unkept }).await?;
        Ok(End::default())
    }

    /// Streams whatever the server shows; an error's page as well.
    async fn show(self, answer: Response) -> Result<End, FetchError> {
        let silence = self.context.limits.silence;
        let mut first = Vec::new();
        let mut lost = None;
        let says = head::media(answer.headers());
        let media = says.as_ref().map(|(media, _)| media.as_str());
        let mut body = match Body::begin(answer, silence, media).await {
            Ok(body) => body,
            Err(why) => {
                let words = failure::short(why, 0, None);
                return Err(FetchError::new(Kind::Broken, format!("{} sent nothing: {words}.", self.endpoint)));
            }
        };
        // The beginning tells what a body is only where the server does not.
        while says.is_none() && first.len() < TELLING && lost.is_none() {
            match body.next().await {
                Ok(Some(octets)) => first.extend_from_slice(&octets),
                Ok(None) => lost = Some(None),
                Err(why) => lost = Some(Some(why)),
            }
        }
        let mut head = self.head(body.answer(), says, &first);
        head.lines.extend(body.remark.clone());
        let (start, length) = (head.start, head.length);
        let mut relay = Relay::new(self.exchange, &head.media, &self.context.limits);
        if relay.head(head).await? == Verdict::Refuse {
            return Ok(End::default());
        }
        let why = loop {
            for piece in first.chunks(LARGEST) {
                if relay.pass(piece.to_vec()).await? == Room::Full {
                    return Ok(End { cut: Some(relay.cut()) });
                }
            }
            if let Some(lost) = lost {
                break lost;
            }
            match body.next().await {
                Ok(Some(octets)) => first = octets,
                Ok(None) => break None,
                Err(why) => break Some(why),
            }
        };
        Ok(End { cut: why.map(|why| failure::short(why, start + relay.sent(), length)) })
    }

    fn head(&self, answer: &Response, says: Option<(String, Option<String>)>, first: &[u8]) -> Head {
        let headers = answer.headers();
        let filename = head::filename(headers);
        let (media, charset) = match says {
            Some((media, charset)) => (media, charset),
            None => {
                let path = self.url.path();
                let name = filename.as_deref().unwrap_or_else(|| path.rsplit('/').next().unwrap_or_default());
                let told = crate::format::guess::of_file(name, first);
                // What a server forbids to be taken for a page is text (MIME Sniffing, 7).
                let plain = told == media::HTML && head::is_not_to_be_told(headers);
                (if plain { media::PLAIN.into() } else { told }, None)
            }
        };
        let start = match (answer.status(), &self.request.resume) {
            (StatusCode::PARTIAL_CONTENT, Some(resume)) => resume.from,
            _ => 0,
        };
        let whole =
            head::part(headers).and_then(|(.., whole)| whole).filter(|_| start > 0 || self.request.until.is_some());
        let status = answer.status();
        let expected = status.is_success();
        let packed = headers.contains_key(header::CONTENT_ENCODING);
        let nothing = matches!(status, StatusCode::NO_CONTENT | StatusCode::RESET_CONTENT);
        Head {
            nothing: nothing.then(|| head::status(answer)),
            status: (!expected).then(|| head::status(answer)),
            charset,
            // Of a compressed body the length is not that of what is shown.
            length: whole.or_else(|| Some(start.saturating_add(answer.content_length()?))).filter(|_| !packed),
            start,
            validator: head::validator(headers).filter(|_| expected),
            modified: head::modified(headers),
            filename,
            security: self.security(answer),
            notices: head::notices(headers),
            lines: head::lines(answer),
            unkept: self.knows || head::forbids_to_keep(headers),
            ..Head::new(self.url.clone(), self.request.media.clone().unwrap_or(media))
        }
    }

    fn security(&self, answer: &Response) -> Option<Security> {
        if self.security.is_some() {
            return self.security.clone();
        }
        let certificate = Certificate::read(answer.extensions().get::<TlsInfo>()?.peer_certificate()?);
        let trust = self.context.tls.vouches(&self.endpoint.host, &certificate.fingerprint);
        Some(Security { trust, certificate })
    }
}

/// What browsers of text can do something with.
const ACCEPT: &str = "text/html,application/xhtml+xml,text/plain;q=0.9,text/*;q=0.8,*/*;q=0.5";

/// The URL as the library wants it: no user, no password, no fragment; the path as it is planned.
fn bare(url: &Url, http: &Http) -> String {
    let port = url.port_text().filter(|port| !port.is_empty()).map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{}{port}{}", url.scheme().to_ascii_lowercase(), url.host().unwrap_or_default(), http.target)
}
