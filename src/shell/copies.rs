//! What the store of pages is given of a page that comes, and of a picture that is shown in one: whole ones only.

use super::pages::{is_answer_to_address, is_own};
use super::subscriptions::entry::Led;
use crate::app::{KEEP, Known, Msg, may_be_picture};
use crate::doc::Document;
use crate::format::Whole;
use crate::picture::is_picture;
use crate::proto::{Again, Dispatch, End, FetchEvent, Head, KeptCopy, Moved, Request};
use crate::store::{Seen, Store, may_be_kept};
use crate::url::Url;
use jiff::Timestamp;
use std::sync::Arc;
use tokio::sync::mpsc;

/// How a page is kept, when it comes.
#[derive(Debug, Clone)]
pub(super) struct Keeping {
    pages: Store,
    request: Box<Request>,
    /// What is new may lead there.
    subscribed: Option<Arc<Led>>,
    head: Option<Box<Head>>,
    sent: Vec<String>,
}

impl Keeping {
    /// `subscribed`: there is a list of what may have something new.
    pub(super) fn new(pages: &Store, request: &Request, subscribed: Option<Arc<Led>>) -> Keeping {
        Keeping { pages: pages.clone(), request: Box::new(request.clone()), subscribed, head: None, sent: Vec::new() }
    }

    /// This was sent for it.
    pub(super) fn was_sent(&mut self, sent: &[Dispatch]) {
        self.sent = sent.iter().flat_map(|to| to.lines.iter().cloned()).collect();
    }

    /// The same once its head is there; `None` where it is not to be kept.
    pub(super) fn of(self, head: &Head) -> Option<Keeping> {
        let kept = self.pages.is_there() && may_be_kept(&self.request, head);
        kept.then(|| Keeping { head: Some(Box::new(head.clone())), ..self })
    }

    /// The same under the address that led to it; `None` where that is the same.
    pub(super) fn renamed(&self, url: Url) -> Option<Keeping> {
        (self.request.url != url).then(|| Keeping { request: Box::new(Request::new(url)), ..self.clone() })
    }

    /// Adds to the head of an answer that is none (`404 Not Found`, `503 Service Unavailable`) when the copy came that is kept of what
    /// was asked for.
    pub(super) async fn offer(&self, head: &mut Head) {
        let lacks = head.status.as_ref().is_some_and(|status| status.starts_with(['4', '5']));
        if lacks && is_answer_to_address(&self.request) && self.request.kept != KeptCopy::Only {
            head.offered = self.pages.when(&self.request.url).await;
        }
    }

    /// It was opened, or leads elsewhere: what is new and leads there is read, and so is that for which it stands.
    pub(super) fn was_opened(&self, messages: &mpsc::Sender<Msg>) {
        let Some(led) = self.subscribed.as_ref().filter(|_| self.may_be_new()) else { return };
        let stood_for = led.shown(&self.request.url);
        for url in std::iter::once(self.request.url.clone()).chain(stood_for) {
            let messages = messages.clone();
            self.pages.was_read(url, move |unread| {
                let known = Known::New { unread, fresh: 0 };
                // When the browser has gone there is nobody to tell.
                let _ = messages.blocking_send(Msg::Known { known, remark: None });
            });
        }
    }

    fn may_be_new(&self) -> bool {
        !self.request.private && !is_own(&self.request.url)
    }

    /// It leads elsewhere; whether it counts as opened by that. Where a copy of another page stands for it, nothing of it was shown yet.
    pub(super) fn leads_on(&self, moved: &Moved) -> bool {
        if moved.again != Again::Kept {
            return true;
        }
        let led = self.subscribed.as_ref().filter(|_| self.may_be_new());
        led.zip(Url::parse(&*moved.to).ok()).is_some_and(|(led, to)| led.leads(self.request.url.clone(), to))
    }

    /// It has come, and is whole unless it says otherwise: this is to be kept of it.
    pub(super) fn seen(&self, page: &Whole) -> Option<Seen> {
        let (Some(octets), None) = (&page.source, &page.cut) else { return None };
        self.seen_as(Arc::clone(octets), Arc::clone(&page.page.document))
    }

    /// A picture has come that is shown in the text of a page: this is to be kept of it, nothing where it is none.
    fn pictured(&self, octets: Vec<u8>) -> Option<Seen> {
        is_picture(&octets).then(|| self.seen_as(octets.into(), Arc::default()))?
    }

    fn seen_as(&self, octets: Arc<[u8]>, document: Arc<Document>) -> Option<Seen> {
        Some(Seen {
            url: self.request.url.clone(),
            head: (**self.head.as_ref()?).clone(),
            octets,
            document,
            sent: self.sent.clone(),
            redirected: self.request.redirected.clone(),
            time: Timestamp::now(),
            unread: false,
        })
    }

    /// Keeps it; what of it is new since the last time is told.
    pub(super) fn keep(&self, seen: Seen, messages: Option<mpsc::Sender<Msg>>) {
        let (url, octets) = (seen.url.clone(), seen.octets.len() as u64);
        self.pages.keep(seen, move |blocks| {
            let known = Known::Fresh { url, octets, blocks };
            if let Some(messages) = messages {
                // When the browser has gone there is nobody to tell.
                let _ = messages.blocking_send(Msg::Known { known, remark: None });
            }
        });
    }
}

/// What comes in pieces to be shown in the text of a page, as far as it is kept.
pub(super) struct Pieces {
    keeping: Keeping,
    octets: Vec<u8>,
}

impl Pieces {
    /// `None` where nothing of it is kept.
    pub(super) fn new(keeping: Option<Keeping>, head: &Head) -> Option<Pieces> {
        let fits = head.length.is_none_or(|length| length <= KEEP as u64) && may_be_picture(&head.media);
        let keeping = keeping.filter(|_| fits)?.of(head)?;
        Some(Pieces { keeping, octets: Vec::new() })
    }

    /// Takes what comes, and keeps it when it is whole; `None` when nothing more of it is wanted.
    pub(super) fn take(mut self, event: &FetchEvent) -> Option<Pieces> {
        match event {
            FetchEvent::Body(octets) if self.octets.len() + octets.len() <= KEEP => {
                self.octets.extend_from_slice(octets);
                Some(self)
            }
            FetchEvent::End(End { cut: None }) => {
                if let Some(seen) = self.keeping.pictured(self.octets) {
                    self.keeping.keep(seen, None);
                }
                None
            }
            FetchEvent::Body(_) | FetchEvent::End(_) | FetchEvent::Failed(_) => None,
            _ => Some(self),
        }
    }
}
