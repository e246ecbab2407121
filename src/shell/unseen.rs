//! Fetches that nobody watches: pages that were put by, sources that are looked at. Nothing is asked of the reader, so nothing is done
//! that would have to be.

use super::copies::Keeping;
use super::fetch::{self, World};
use crate::format::{Input, Intake, Reader, Whole, charset::Said, is_page};
use crate::proto::{End, Exchange, FetchError, FetchEvent, Head, Kind, Request, Verdict};
use crate::store::Seen;
use crate::url::Url;
use crate::url::scheme::{self, Family, is_of_network};
use std::pin::Pin;
use std::sync::Arc;
use tokio::time::timeout;

/// Redirects that are followed.
const HOPS: usize = 5;
/// How many times the limit of silence all of it may take: a server that sends a little at a time for hours holds up all that is to be
/// fetched after it.
const LONG: u32 = 5;

/// What came.
pub(super) enum Came {
    /// A page, and how a copy of it would be kept.
    Page(Box<Page>),
    /// It is elsewhere.
    Moved(Url),
    /// It is as it was.
    Unchanged,
    /// It did not come.
    Failed(FetchError),
}

/// A page that came.
pub(super) struct Page {
    /// What the answer said of itself.
    pub head: Head,
    /// It.
    pub page: Whole,
    /// How a copy of it may be kept; `None` where none may, or it is not whole.
    pub keeping: Option<Keeping>,
    /// It is all that there is.
    pub whole: bool,
}

impl Page {
    /// Keeps a copy, also under the address that was asked for, which may have led on; whether there is one to keep.
    pub(super) fn keep(&self, asked: &Url) -> bool {
        let Some(keeping) = &self.keeping else { return false };
        let other = keeping.renamed(asked.without_fragment());
        let mut is_kept = false;
        for keeping in [Some(keeping), other.as_ref()].into_iter().flatten() {
            if let Some(seen) = keeping.seen(&self.page) {
                keeping.keep(Seen { unread: true, ..seen }, None);
                is_kept = true;
            }
        }
        is_kept
    }
}

/// Fetches a page, and what it leads on to within its space; of a long one what comes first, if `most` octets say so.
pub(super) fn followed(request: Request, most: usize, reach: Reach, world: &Arc<World>) -> Coming<'_> {
    changed(request, None, most, reach, world)
}

/// The same, unless it is as it was: whoever gave the validator of that is told it, and nobody else.
pub(super) fn changed(
    request: Request,
    since: Option<Given>,
    most: usize,
    reach: Reach,
    world: &Arc<World>,
) -> Coming<'_> {
    let limit = world.context.limits.silence.saturating_mul(LONG);
    let come = async move {
        let mut request = request;
        for _ in 0..HOPS {
            let from = request.url.clone();
            request.unless = since.as_ref().and_then(|since| since.of(&from));
            match fetched(request.clone(), most, world).await {
                Came::Moved(to) if leads_on(&from, &to) && reach.has(&from, &to) => request.url = to,
                Came::Moved(to) => {
                    let detail = format!("It leads to {}, which is not followed by itself.", to.redacted());
                    return Came::Failed(FetchError::new(Kind::Unsafe, detail));
                }
                came => return came,
            }
        }
        Came::Failed(FetchError::new(Kind::Malformed, "It leads on without end."))
    };
    let late = move |_| {
        let detail = format!("It did not come whole within {} seconds, and is not waited for.", limit.as_secs());
        Came::Failed(FetchError::new(Kind::TimedOut, detail))
    };
    Box::pin(async move { timeout(limit, come).await.unwrap_or_else(late) })
}

/// What tells whether a page is as it was, and the address that gave it.
pub(super) struct Given {
    validator: String,
    by: String,
}

impl Given {
    /// What an answer gave.
    pub(super) fn new(head: &Head) -> Option<Given> {
        Some(Given { validator: head.validator.clone()?, by: by(&head.url) })
    }

    /// As it is kept; nothing where nobody knows who gave it.
    pub(super) fn read(kept: &str) -> Option<Given> {
        let (validator, by) = kept.rsplit_once('\t')?;
        Some(Given { validator: validator.into(), by: by.into() })
    }

    /// To be kept.
    pub(super) fn write(&self) -> String {
        format!("{}\t{}", self.validator, self.by)
    }

    /// What an address may be told.
    fn of(&self, url: &Url) -> Option<String> {
        (by(url) == self.by).then(|| self.validator.clone())
    }
}

fn by(url: &Url) -> String {
    url.without_fragment().without_secrets().replace('\t', " ")
}

/// How far redirects are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Within one space.
    Space,
    /// On one host, and to nothing with a question in its address.
    Host,
}

impl Reach {
    fn has(self, from: &Url, to: &Url) -> bool {
        self == Reach::Space || is_beside(from, to) && to.query().is_none()
    }
}

/// Whether an address is of the space and the host of another, by the same port or each by its own scheme's, and not out of TLS.
pub(super) fn is_beside(one: &Url, other: &Url) -> bool {
    let host = |url: &Url| url.host().filter(|host| !host.is_empty()).map(str::to_ascii_lowercase);
    let usual = |url: &Url| url.port() == scheme::default_port(url.scheme());
    scheme::family(one) == scheme::family(other)
        && host(one).is_some()
        && host(one) == host(other)
        && scheme::is_secure(other) >= scheme::is_secure(one)
        && (one.port() == other.port() || usual(one) && usual(other))
}

/// What comes, one day: a fetch may have others begin, so its kind has no end.
type Coming<'a> = Pin<Box<dyn Future<Output = Came> + Send + 'a>>;

/// Whether a redirect is followed where nobody can be asked: within one space, and never out of TLS.
fn leads_on(from: &Url, to: &Url) -> bool {
    let (space, there) = (scheme::family(from), scheme::family(to));
    space == there && matches!(space, Family::Web | Family::Gemini) && scheme::is_secure(to) >= scheme::is_secure(from)
}

/// Why it is not asked for at all.
pub(super) fn refusal(url: &Url) -> Option<String> {
    // Nobody is asked by ssh, or sent words, by themselves.
    let says = scheme::family(url) == Family::Spartan && url.query().is_some();
    match scheme::plan(url) {
        Err(error) => Some(error.to_string()),
        Ok(plan) if plan.confirm.is_some() || !is_of_network(url) || says => {
            Some("It would have to be asked about first.".into())
        }
        Ok(_) => None,
    }
}

/// Fetches one page.
async fn fetched(request: Request, most: usize, world: &Arc<World>) -> Came {
    let failed = |words: String| Came::Failed(FetchError::new(Kind::Unsafe, words));
    if let Some(words) = refusal(&request.url) {
        return failed(words);
    }
    let request = Request { url: request.url.without_fragment(), unwatched: true, ..request };
    let mut keeping = Keeping::new(&world.pages, &request, None);
    let (exchange, mut events, verdict) = Exchange::new(2);
    let memory = world.context.limits.memory;
    let run: Pin<Box<dyn Future<Output = ()> + Send + '_>> = Box::pin(fetch::run(request, exchange, world));
    let take = async move {
        let (mut verdict, mut octets, mut begun) = (Some(verdict), Vec::new(), None);
        let mut full = false;
        while let Some(event) = events.recv().await {
            match event {
                FetchEvent::Sent(sent) => keeping.was_sent(&sent),
                FetchEvent::Moved(moved) => {
                    return match crate::url::redirect(&moved.from, &moved.to) {
                        Ok(to) => Came::Moved(to),
                        Err(error) => failed(format!("It leads to no address: {error}.")),
                    };
                }
                FetchEvent::Head(head) => {
                    if !is_page(&head.media) {
                        return failed(format!("It is no page, but {}.", head.media));
                    }
                    begun = Some(head);
                    let Some(verdict) = verdict.take() else { break };
                    // A fetch that has just failed says so next.
                    let _ = verdict.send(Verdict::Accept);
                }
                FetchEvent::Body(more) => {
                    octets.extend(more);
                    full = octets.len() > most;
                    octets.truncate(most);
                }
                FetchEvent::End(End { cut }) => {
                    full |= cut.is_some();
                    let Some(head) = begun.take() else { break };
                    return read(head, octets, keeping, (most, memory), full).await;
                }
                FetchEvent::Failed(error) => return Came::Failed(error),
                FetchEvent::Unchanged => return Came::Unchanged,
                FetchEvent::Stage(_) => {}
            }
            if full {
                let Some(head) = begun.take() else { break };
                return read(head, octets, keeping, (most, memory), full).await;
            }
        }
        failed("Nothing came.".into())
    };
    tokio::pin!(take);
    tokio::select! {
        came = &mut take => came,
        () = run => take.await,
    }
}

/// Reads what came. It may take a while, and it is nobody's turn meanwhile.
async fn read(head: Box<Head>, octets: Vec<u8>, keeping: Keeping, most: (usize, usize), cut: bool) -> Came {
    let keeping = keeping.of(&head).filter(|_| !cut);
    match whole(&head, octets, most).await {
        Some(page) => Came::Page(Box::new(Page { head: *head, page, keeping, whole: !cut })),
        None => Came::Failed(FetchError::new(Kind::Unsupported, "It cannot be read.")),
    }
}

/// The page that octets are.
pub(super) async fn whole(head: &Head, octets: Vec<u8>, most: (usize, usize)) -> Option<Whole> {
    let intake = reading(head, most.0, most.1);
    let read = tokio::task::spawn_blocking(move || {
        let mut reader = Reader::new(intake)?;
        reader.take(&octets);
        Some(reader.finish())
    });
    read.await.ok().flatten()
}

fn reading(head: &Head, keep: usize, memory: usize) -> Intake {
    let input = Input {
        media: head.media.clone(),
        charset: head.charset.as_deref().map(Said::from),
        groups: Default::default(),
        url: head.url.clone(),
        notices: head.notices.clone(),
    };
    Intake { input, title: head.title.clone(), keep, memory }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_nobody_is_asked_no_redirect_leaves_its_space_or_tls() {
        let url = |text: &str| Url::parse(text).unwrap();
        for (from, to, follows) in [
            ("http://h/a", "https://o/b", true),
            ("https://h/a", "https://o/b", true),
            ("https://h/a", "http://h/a", false),
            ("http://h/a", "gopher://h/", false),
            ("http://h/a", "file:///etc/passwd", false),
            ("http://h/a", "about:new?drop=http://h/", false),
            ("gemini://h/a", "gemini://o/b", true),
            ("gemini://h/a", "http://h/", false),
        ] {
            assert_eq!(leads_on(&url(from), &url(to)), follows, "{from} {to}");
        }
        for (from, to, beside) in [
            ("http://h/a", "http://H/b", true),
            ("http://h/a", "https://h/b", true),
            ("https://h/a", "http://h/b", false),
            ("http://h/a", "http://h.o/b", false),
            ("http://h/a", "http://h:8080/b", false),
            ("http://h/a", "gopher://h/", false),
            ("news:a", "news:b", false),
        ] {
            assert_eq!(is_beside(&url(from), &url(to)), beside, "{from} {to}");
            assert_eq!(Reach::Host.has(&url(from), &url(to)), beside, "{from} {to}");
        }
        for refused in ["file:///etc/passwd", "about:new?check", "sftp://h/", "gopher://h:25/", "spartan://h/?words"] {
            assert!(refusal(&url(refused)).is_some(), "{refused}");
        }
    }
}
