//! One address asked for: what the server says, and what of the page is wanted. Every fetch ends: by size, by time, by hops.

use crate::app::redirect;
use crate::doc::{Builder, Document};
use crate::format::{self, Input};
use crate::proto::{Exchange, FetchEvent, Head, Kind, Request, Verdict};
use crate::shell::fetch::World;
use crate::url::scheme::{self, Act, Family};
use crate::url::{BaseStack, Url};
use std::sync::Arc;
use std::time::Duration;

/// Octets of a page that are read.
const MOST_OCTETS: usize = 4 << 20;
/// A page that has not ended by then is cut.
const LONGEST: Duration = Duration::from_secs(30);

/// What became of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
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
}

/// What a visit came to.
#[derive(Debug, Clone)]
pub(super) struct Visited {
    pub(super) fate: Fate,
    /// Why, or where it is now.
    pub(super) detail: String,
    pub(super) page: Option<Arc<Page>>,
}

impl Visited {
    pub(super) fn new(fate: Fate, detail: impl Into<String>) -> Visited {
        Visited { fate, detail: detail.into(), page: None }
    }
}

/// A page that was read.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) url: Url,
    pub(super) media: String,
    pub(super) document: Document,
    pub(super) bases: BaseStack,
    pub(super) octets: Vec<u8>,
}

/// What following a link does, before anything is sent: `None` where it may be fetched.
pub(super) fn judge(
    url: &Url,
    from: Option<&Url>,
    plan: Result<scheme::Plan, crate::url::UrlError>,
) -> Option<Visited> {
    let local = |url: &Url| scheme::family(url) == Family::File;
    let plan = match plan {
        Ok(plan) => plan,
        Err(error) => return Some(Visited::new(Fate::Refused, error.to_string())),
    };
    match plan.act {
        _ if from.is_some_and(|from| local(url) && !local(from)) => {
            Some(Visited::new(Fate::Refused, "a page of the network leads to a file of this machine"))
        }
        _ if plan.confirm.is_some() => Some(Visited::new(Fate::Unchecked, plan.confirm.unwrap_or_default())),
        Act::Handler(_) => Some(Visited::new(Fate::Unchecked, scheme::explain(url.scheme()))),
        Act::Ask(_) => Some(Visited::new(Fate::Unchecked, "it asks for words first")),
        Act::Open(other) => Some(Visited::new(Fate::Unchecked, format!("it opens {}", other.redacted()))),
        _ => None,
    }
}

/// Asks for a URL. With `whole` its document is read; else its beginning is enough.
pub(super) async fn visit(world: &Arc<World>, url: &Url, whole: bool, base: Option<&Url>) -> Visited {
    let mut target = url.without_fragment();
    let mut moved = None;
    for _ in 0..=redirect::MOST {
        let asked = fetch(world, &target, whole, base);
        let step = match tokio::time::timeout(LONGEST + Duration::from_secs(5), asked).await {
            Ok(step) => step,
            Err(_) => return Visited::new(Fate::Error, "it did not answer in time"),
        };
        match step {
            Step::Here(visited) => {
                return match (moved, visited.fate) {
                    (Some(detail), Fate::Ok) => Visited { fate: Fate::Moved, detail, ..visited },
                    _ => visited,
                };
            }
            Step::Elsewhere(to, status) => {
                if !redirect::is_ordinary(&target, &to) {
                    return Visited::new(
                        Fate::Refused,
                        format!("{status}: it leads out of the web, to {}", to.redacted()),
                    );
                }
                if let Some(judged) = judge(&to, Some(&target), scheme::plan(&to)) {
                    return judged;
                }
                moved = Some(format!("{status}: {}", to.redacted()));
                target = to;
            }
        }
    }
    Visited::new(Fate::Error, "it leads from one address to the next without end")
}

enum Step {
    Here(Visited),
    Elsewhere(Url, String),
}

async fn fetch(world: &Arc<World>, url: &Url, whole: bool, base: Option<&Url>) -> Step {
    let (exchange, mut events, verdict) = Exchange::new(4);
    let (request, shared) = (Request::new(url.clone()), Arc::clone(world));
    let task = tokio::spawn(async move { crate::shell::fetch::run(request, exchange, &shared).await });
    let mut verdict = Some(verdict);
    let mut head: Option<Head> = None;
    let mut octets = Vec::new();
    let until = tokio::time::Instant::now() + LONGEST;
    let cut = loop {
        let event = match tokio::time::timeout_at(until, events.recv()).await {
            Ok(Some(event)) => event,
            Ok(None) => break Some("the connection ended".to_owned()),
            Err(_) => break Some(format!("cut after {} seconds: it does not end", LONGEST.as_secs())),
        };
        match event {
            FetchEvent::Stage(_) | FetchEvent::Sent(_) | FetchEvent::Unchanged => {}
            FetchEvent::Moved(moved) => {
                return match redirect::target(&moved, None) {
                    Ok(to) => Step::Elsewhere(to, moved.status),
                    Err(error) => Step::Here(Visited::new(Fate::Error, error.detail)),
                };
            }
            FetchEvent::Head(now) => {
                let status = now.status.clone();
                head = Some(*now);
                if let Some(status) = status {
                    task.abort();
                    let gone = ["404", "410"].iter().any(|code| status.starts_with(code));
                    return Step::Here(Visited::new(if gone { Fate::Gone } else { Fate::Error }, status));
                }
                if let Some(verdict) = verdict.take() {
                    // A fetch that has just failed says so next.
                    let _ = verdict.send(Verdict::Accept);
                }
            }
            FetchEvent::Body(more) => {
                octets.extend_from_slice(&more);
                if !whole {
                    break None;
                }
                if octets.len() > MOST_OCTETS {
                    break Some(format!("cut at {} octets: it does not end", MOST_OCTETS));
                }
            }
            FetchEvent::End(end) => break end.cut,
            FetchEvent::Failed(error) => {
                let fate = match error.kind {
                    Kind::NotFound => Fate::Gone,
                    Kind::Unsafe => Fate::Refused,
                    Kind::Unsupported | Kind::NeedsLogin => Fate::Unchecked,
                    _ => Fate::Error,
                };
                return Step::Here(Visited::new(fate, error.detail));
            }
        }
    };
    task.abort();
    let Some(head) = head else {
        return Step::Here(Visited::new(Fate::Error, cut.unwrap_or_else(|| "nothing came".into())));
    };
    let page = if whole { read(head, octets, base) } else { None };
    Step::Here(Visited { page, ..Visited::new(Fate::Ok, cut.unwrap_or_default()) })
}

/// The document that octets are, if they are one.
fn read(head: Head, octets: Vec<u8>, base: Option<&Url>) -> Option<Arc<Page>> {
    let (url, charset) = (head.url.clone(), head.charset.clone().map(Into::into));
    let media = head.media.clone();
    let input = Input { media: head.media, charset, url: head.url, notices: head.notices };
    let mut parser = format::parser(&input)?;
    let mut builder = Builder::new();
    parser.feed(&octets, &mut builder);
    parser.finish(&mut builder);
    let document = builder.finish();
    let mut bases = BaseStack::retrieved(url.clone(), base.cloned());
    if let Some(base) = document.entity.clone() {
        bases.set_entity(base);
    }
    if let Some(base) = document.base.as_deref() {
        // A base that is none leaves the others in force.
        let _ = bases.set_document_base(base);
    }
    Some(Arc::new(Page { url, media, document, bases, octets }))
}
