//! One request: what the server says, and as much of the body as is wanted. Every request ends: by size, by time.

use super::page::Page;
use crate::app::redirect;
use crate::format::human;
use crate::proto::{Dispatch, Exchange, FetchError, FetchEvent, Head, Kind, Moved, Request, Verdict};
use crate::shell::fetch::World;
use crate::url::Url;
use crate::url::scheme::{self, Act, Family};
use std::sync::Arc;
use std::time::Duration;

/// Octets of an answer of gopher that may be errors alone.
const COMPLAINT: usize = 4096;
/// What became of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::shell) enum Fate {
    Ok,
    Gone,
    Moved,
    NoFragment,
    Refused,
    Error,
    Unchecked,
}

impl Fate {
    /// The word for it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Fate::Ok => "ok",
            Fate::Gone => "gone",
            Fate::Moved => "moved",
            Fate::NoFragment => "no-fragment",
            Fate::Refused => "refused",
            Fate::Error => "error",
            Fate::Unchecked => "unchecked",
        }
    }

    pub(super) fn is_broken(self) -> bool {
        matches!(self, Fate::Gone | Fate::NoFragment | Fate::Refused | Fate::Error)
    }

    pub(super) fn is_there(self) -> bool {
        matches!(self, Fate::Ok | Fate::Moved)
    }
}

/// What a visit came to.
#[derive(Debug, Clone)]
pub(in crate::shell) struct Visited {
    pub(super) fate: Fate,
    /// Why, or where it is now.
    pub(in crate::shell) detail: String,
    pub(super) page: Option<Arc<Page>>,
    /// The place in the page that a redirect names; it goes before the reference's own (RFC 9110, 10.2.2).
    pub(super) landing: Option<String>,
    /// Its page was read, if it is one.
    pub(super) read: bool,
    /// It was not asked for since robots are not wanted there; somebody else may ask.
    pub(super) barred: bool,
}

impl Visited {
    pub(super) fn new(fate: Fate, detail: impl Into<String>) -> Visited {
        Visited { fate, detail: detail.into(), page: None, landing: None, read: false, barred: false }
    }

    /// What a failure makes of a link.
    pub(super) fn failed(error: FetchError) -> Visited {
        let fate = match error.kind {
            Kind::NotFound => Fate::Gone,
            Kind::Unsafe => Fate::Refused,
            Kind::NeedsWords | Kind::NeedsSecret | Kind::NeedsCertificate => Fate::Unchecked,
            Kind::Unsupported | Kind::NoFile | Kind::Stopped => Fate::Unchecked,
            Kind::NeedsLogin | Kind::NeedsAccount => Fate::Unchecked,
            _ => Fate::Error,
        };
        Visited::new(fate, error.detail)
    }

    /// What a status that is no success makes of it.
    pub(super) fn said(status: String) -> Visited {
        let gone = ["404", "410"].iter().any(|code| status.starts_with(code));
        Visited::new(if gone { Fate::Gone } else { Fate::Error }, status)
    }
}

/// What following a link does, before anything is sent: `None` where it may be fetched.
pub(in crate::shell) fn judge(
    url: &Url,
    from: Option<&Url>,
    plan: Result<scheme::Plan, crate::url::UrlError>,
) -> Option<Visited> {
    if scheme::family(url) == Family::Nowhere {
        return Some(Visited::new(Fate::Unchecked, scheme::explain(url.scheme())));
    }
    let plan = match plan {
        Ok(plan) => plan,
        Err(error) => return Some(Visited::new(Fate::Refused, error.to_string())),
    };
    match plan.act {
        _ if from.is_some_and(|from| scheme::is_here(url) && !scheme::is_here(from)) => {
            Some(Visited::new(Fate::Refused, "a page of the network leads to a file of this machine"))
        }
        _ if plan.confirm.is_some() => Some(Visited::new(Fate::Unchecked, plan.confirm.unwrap_or_default())),
        Act::Handler(_) => Some(Visited::new(Fate::Unchecked, scheme::explain(url.scheme()))),
        Act::Ssh { .. } => Some(Visited::new(Fate::Unchecked, "ssh would have to log in")),
        Act::Ask(_) => Some(Visited::new(Fate::Unchecked, "it asks for words first")),
        Act::Open(other) => Some(Visited::new(Fate::Unchecked, format!("it opens {}", other.redacted()))),
        _ => None,
    }
}

/// What one request came to.
pub(super) enum Step {
    /// It is there.
    Here(Box<Got>),
    /// It is elsewhere.
    Elsewhere(Box<Moved>),
    /// The server has a status for it that is no success.
    Said(String),
    /// Nothing usable came.
    Failed(FetchError),
}

/// What came.
#[derive(Clone)]
pub(in crate::shell) struct Got {
    pub(in crate::shell) head: Head,
    pub(in crate::shell) octets: Vec<u8>,
    /// Why it is not whole, or what is odd about it.
    pub(in crate::shell) cut: Option<String>,
    /// What left this machine for it.
    pub(in crate::shell) sent: Vec<Dispatch>,
}

/// Sends a request. Of the body so many octets are wanted; without any, that it begins is enough. What has not ended after the
/// `longest` time is cut.
pub(super) async fn fetch(world: &Arc<World>, request: Request, most: usize, longest: Duration) -> Step {
    let (exchange, mut events, verdict) = Exchange::new(4);
    let shared = Arc::clone(world);
    let gopher = scheme::family(&request.url) == Family::Gopher;
    // There its words alone tell whether an answer is one.
    let (wanted, most) = if gopher { (most, most.max(COMPLAINT)) } else { (most, most) };
    let task = tokio::spawn(async move { crate::shell::fetch::run(request, exchange, &shared).await });
    let mut verdict = Some(verdict);
    let mut head: Option<Head> = None;
    let (mut octets, mut dispatched) = (Vec::new(), Vec::new());
    let until = tokio::time::Instant::now() + longest;
    let cut = loop {
        let event = match tokio::time::timeout_at(until, events.recv()).await {
            Ok(Some(event)) => event,
            Ok(None) if head.is_none() => return Step::Failed(FetchError::new(Kind::Broken, "nothing came")),
            Ok(None) => break Some("the connection ended".to_owned()),
            Err(_) if head.is_none() => {
                let detail = format!("no answer came in {} seconds", longest.as_secs());
                return Step::Failed(FetchError::new(Kind::TimedOut, detail));
            }
            Err(_) => break Some(format!("cut after {} seconds: it does not end", longest.as_secs())),
        };
        match event {
            FetchEvent::Stage(_) | FetchEvent::Unchanged => {}
            FetchEvent::Sent(sent) => dispatched = sent,
            FetchEvent::Moved(moved) => return Step::Elsewhere(moved),
            FetchEvent::Head(now) => {
                let status = now.status.clone();
                head = Some(*now);
                if let Some(status) = status {
                    task.abort();
                    return Step::Said(status);
                }
                if let Some(verdict) = verdict.take() {
                    // A fetch that has just failed says so next.
                    let _ = verdict.send(Verdict::Accept);
                }
            }
            FetchEvent::Body(more) => {
                if most == 0 {
                    break None;
                }
                octets.extend_from_slice(&more);
                if octets.len() > most {
                    octets.truncate(most);
                    break (wanted > 0).then(|| format!("cut at {}", human(most as u64)));
                }
            }
            FetchEvent::End(end) => break end.cut,
            FetchEvent::Failed(error) => return Step::Failed(error),
        }
    };
    task.abort();
    match head {
        Some(_) if gopher && octets.is_empty() => {
            let detail = "the server closed the connection without sending anything";
            Step::Failed(FetchError::new(Kind::Said, detail))
        }
        Some(_) if gopher && let Some(words) = complaint(&octets) => {
            Step::Failed(FetchError::new(Kind::Said, format!("The server says: {words}")))
        }
        Some(head) => Step::Here(Box::new(Got { head, octets, cut, sent: dispatched })),
        None => Step::Failed(FetchError::new(Kind::Broken, cut.unwrap_or_else(|| "nothing came".into()))),
    }
}

/// What a gopher server says in place of a menu or a text: nothing but errors (type 3) and what explains them. Some send them
/// without the fields of a menu.
fn complaint(octets: &[u8]) -> Option<String> {
    if octets.len() >= COMPLAINT {
        return None;
    }
    let text = String::from_utf8_lossy(octets);
    let mut lines = text.lines().filter(|line| !line.is_empty() && *line != ".");
    let first = lines.next()?.strip_prefix('3')?;
    let words = first.split('\t').next()?.trim();
    let fields = first.contains('\t');
    // A text may be a number.
    let speaks = fields || words.contains(char::is_alphabetic) && words.contains(' ');
    let alone = lines.all(|line| fields && line.contains('\t') && line.starts_with(['3', 'i']));
    (speaks && alone).then(|| words.to_owned())
}

/// Where a redirect leads, with the place in it that its server names.
pub(super) fn onward(moved: &Moved) -> Result<Url, Visited> {
    let to = redirect::target(moved, None).map_err(|error| Visited::new(Fate::Error, error.detail))?;
    match redirect::is_ordinary(&moved.from, &to) {
        true => Ok(to),
        false => {
            let why = format!("{}: it leads out of the web, to {}", moved.status, to.redacted());
            Err(Visited::new(Fate::Refused, why))
        }
    }
}
