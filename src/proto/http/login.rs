//! Logins of the web: what servers have asked for, and what is said to whom. Nothing of it is sent before a server has asked in
//! this run, since only then is it known how: Digest (RFC 7616) where it is offered, Basic (RFC 7617) only where it is not.

use super::digest::{Asked, Challenge};
use super::{Visit, head, written};
use crate::proto::{End, FetchError, Kind};
use crate::url::Url;
use crate::url::scheme::http::Http;
use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Response, StatusCode};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Servers whose way is remembered.
const MOST: usize = 500;

/// How a server wants to be told who the reader is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Offer {
    /// By a password that is sent as it is.
    Basic {
        /// For what.
        realm: String,
        /// A proof was enough for the same server before, in this run.
        turned: bool,
    },
    /// By a proof of it.
    Digest(Box<Challenge>),
}

impl Offer {
    /// The best that an answer offers. Digest in a form that is not known here is not replaced by Basic.
    fn best(headers: &HeaderMap) -> Option<Offer> {
        let all = head::challenges(headers);
        let of = |scheme: &'static str| {
            all.iter().filter(move |(name, _)| name.eq_ignore_ascii_case(scheme)).map(|(_, said)| said)
        };
        let digest = of("digest").filter_map(|said| Challenge::of(said)).max_by_key(Challenge::worth);
        let unknown = of("digest").any(|said| said.iter().any(|(name, _)| name.eq_ignore_ascii_case("nonce")));
        let realm = |said: &Vec<(String, String)>| {
            let realm = said.iter().find(|(name, _)| name.eq_ignore_ascii_case("realm"));
            realm.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        let basic =
            || of("basic").next().filter(|_| !unknown).map(|said| Offer::Basic { realm: realm(said), turned: false });
        digest.map(|challenge| Offer::Digest(Box::new(challenge))).or_else(basic)
    }

    fn realm(&self) -> &str {
        match self {
            Offer::Basic { realm, .. } => realm,
            Offer::Digest(challenge) => &challenge.realm,
        }
    }
}

/// What servers offered, by scheme, host and port.
#[derive(Debug, Default)]
pub(super) struct Offers(Mutex<HashMap<String, Offer>>);

impl Offers {
    fn all(&self) -> MutexGuard<'_, HashMap<String, Offer>> {
        // A panic elsewhere leaves a plain map behind.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes an offer; whether it asks for the password itself where a proof was enough before.
    fn learn(&self, server: String, mut offer: Offer) -> bool {
        let mut all = self.all();
        let asks_for_more = match (&mut offer, all.get(&server)) {
            (Offer::Basic { turned, .. }, Some(Offer::Digest(_) | Offer::Basic { turned: true, .. })) => {
                *turned = true;
                true
            }
            _ => false,
        };
        if all.len() >= MOST && !all.contains_key(&server) {
            all.clear();
        }
        all.insert(server, offer);
        asks_for_more
    }
}

/// What was said of the reader in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Given {
    Basic,
    /// To a challenge that had so many answers before.
    Digest {
        before: u32,
    },
}

fn server(url: &Url) -> String {
    let port = url.port().unwrap_or_default();
    format!("{}://{}:{port}", url.scheme(), url.host().unwrap_or_default()).to_ascii_lowercase()
}

impl Visit<'_> {
    /// What a request to that place says of the reader, in the way in which its server has asked for it.
    pub(super) fn login(&mut self, http: &Http, place: &url::Url) -> Option<HeaderValue> {
        let (user, password) = self.credentials(http)?;
        let method = if self.request.body.is_some() { "POST" } else { "GET" };
        let target = self.own_words().ok().flatten().unwrap_or_else(|| written::target(place).to_owned());
        let mut offers = self.context.http.offers.all();
        let (value, given) = match offers.get_mut(&server(&self.url))? {
            Offer::Basic { .. } => (head::basic(&user, &password), Given::Basic),
            Offer::Digest(challenge) => {
                let before = challenge.answers();
                let asked = Asked { method, target: &target, user: &user, password: &password };
                (challenge.answer(asked), Given::Digest { before })
            }
        };
        drop(offers);
        let mut value = HeaderValue::from_bytes(&value).ok()?;
        value.set_sensitive(true);
        self.given = Some(given);
        Some(value)
    }

    /// The reader's answer first, then what the URL says.
    fn credentials(&self, http: &Http) -> Option<(Vec<u8>, Vec<u8>)> {
        let kept = || self.kept.as_ref().and_then(|kept| kept.as_ref().ok()?.as_ref());
        match self.request.login.as_ref().or_else(kept) {
            Some(login) => Some((login.user.clone(), login.password.clone())),
            // What a proxy's own URL says is for the proxy.
            None if self.proxy.is_some() => None,
            None => Some((http.user.clone()?, http.password.clone().unwrap_or_default())),
        }
    }

    /// Whether it would be a login that the reader keeps in their file: nobody has seen what the server says now.
    fn is_kept(&self) -> bool {
        self.request.login.is_none() && matches!(self.kept, Some(Ok(Some(_))))
    }

    /// Looks once whether the reader keeps a login for a server that asks over TLS. What they keep for it is not for a proxy.
    pub(super) async fn look_for_login(&mut self, answer: &Response) {
        let asks = answer.status() == StatusCode::UNAUTHORIZED && self.url.is("https") && self.proxy.is_none();
        if asks && self.kept.is_none() {
            let kept = self.context.netrc.login(self.request).await;
            let found = kept.as_ref().ok().and_then(Option::as_ref);
            let secret = found.map(|login| String::from_utf8_lossy(&login.password).into_owned());
            self.exchange.secrets.extend(secret);
            self.kept = Some(kept);
        }
    }

    /// Whether an address holds the password that the reader keeps in their file: nobody who opens it knows that it is one. A short
    /// one stands everywhere by chance.
    pub(super) fn tells_kept(&self, to: &str) -> bool {
        let Some(Ok(Some(login))) = &self.kept else { return false };
        let holds = |text: &[u8]| memchr::memmem::find(text, &login.password).is_some();
        login.password.len() > 3 && (holds(to.as_bytes()) || holds(&crate::url::escape::decode(to)))
    }

    /// Notes how a server wants to be answered. Whether it can be at once: the login is known and was not given, or was
    /// right but for a nonce that has grown old.
    pub(super) fn can_log_in(&mut self, answer: &Response) -> bool {
        let offer = (answer.status() == StatusCode::UNAUTHORIZED).then(|| Offer::best(answer.headers())).flatten();
        let given = self.given.take();
        let Some(offer) = offer else { return false };
        let again = match (&offer, given) {
            (_, None) | (Offer::Digest(_), Some(Given::Basic)) => true,
            (Offer::Digest(challenge), Some(Given::Digest { before })) => challenge.stale || before > 0,
            (Offer::Basic { .. }, Some(_)) => false,
        };
        self.asks_for_more |= self.context.http.offers.learn(server(&self.url), offer);
        if self.asks_for_more && self.is_kept() {
            return false;
        }
        let known = Http::of(&self.url).ok().and_then(|http| self.credentials(&http)).is_some();
        again && (known || self.request.login.is_some())
    }

    /// A login is wanted.
    pub(super) async fn unauthorized(self, answer: Response) -> Result<End, FetchError> {
        let Some(offer) = Offer::best(answer.headers()) else { return self.show(answer).await };
        let host = self.url.host().unwrap_or_default();
        let realm = offer.realm();
        let what = if realm.is_empty() { String::new() } else { format!(" for \"{realm}\"") };
        let withheld = self.asks_for_more && self.is_kept();
        let again = self.request.login.is_some() || self.url.user().is_some() || self.is_kept();
        let detail = match again {
            true if !withheld => format!("{host} does not accept that user and password{what}."),
            _ => format!("{host} asks for user and password{what}."),
        };
        let hint = match (&offer, self.proxy) {
            (Offer::Basic { .. }, _) if self.asks_for_more => {
                Some("A proof of the password was enough before (Digest); now it is to be sent as it is.".to_owned())
            }
            (Offer::Digest(_), _) => Some("The password itself is not sent, only a proof of it (Digest).".to_owned()),
            (_, Some(_)) => Some(format!("They would go to the proxy {} in clear text.", self.endpoint)),
            (_, None) => self.url.is("http").then(|| "They would be sent in clear text, readable on the way.".into()),
        };
        let error = FetchError::new(Kind::NeedsLogin, detail);
        let error = match hint {
            Some(hint) => error.hint(hint),
            None => error,
        };
        Err(match &self.kept {
            Some(_) if withheld => self.context.netrc.withheld(error),
            Some(kept) => self.context.netrc.remark(kept, error),
            None => error,
        })
    }
}
