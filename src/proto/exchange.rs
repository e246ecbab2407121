//! What a fetch and its owner say to each other.

use super::error::veil;
use super::ledger::{Dispatch, Ledger};
use super::request::Within;
use super::{Certificate, FetchError};
use crate::format::media;
use crate::url::Url;
use crate::url::scheme::{self, Family};
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// How far a fetch has come before its head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Waiting until another fetch from the same host ends, since it takes no more connections.
    Queued,
    /// Looking up the host's address.
    Resolving,
    /// Opening the connection.
    Connecting,
    /// Making it secure.
    Securing,
    /// Asking, on a connection that is opened for it or that was kept.
    Asking,
    /// So many octets of a file are sent, of so many.
    Sending(u64, u64),
    /// The request is sent; nothing has come yet.
    Waiting,
}

/// How the connection was secured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Security {
    /// Whether a web or system root vouches for the certificate, or a pinned key does.
    pub trust: Trust,
    /// The certificate that the server has shown.
    pub certificate: Certificate,
}

/// Who vouches for a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// A certificate authority.
    Authority,
    /// The key seen on an earlier visit.
    Pinned,
    /// Nobody yet: first visit, the key is pinned now.
    FirstUse,
    /// The reader alone, until the program ends.
    Reader,
}

/// What a response says of itself before its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The URL that answered (a mirror's, or the request's own).
    pub url: Url,
    /// What the server says of the answer when it is not simply what was asked for: "404 Not Found".
    pub status: Option<String>,
    /// What a server says that answers with nothing to show, so that the page in view stays: "204 No Content".
    pub nothing: Option<String>,
    /// The media type, lower case, without parameters.
    pub media: String,
    /// The declared charset.
    pub charset: Option<String>,
    /// The length of the whole content in octets, when it is known beforehand.
    pub length: Option<u64>,
    /// Octets of the content that come before the body: what [`super::Request::resume`] said is there and is still valid, else zero.
    pub start: u64,
    /// Words that are the same as long as the content is (FTP's length and time, HTTP's entity tag); `None` where the server
    /// says nothing that could tell.
    pub validator: Option<String>,
    /// The last change, when the server tells it.
    pub modified: Option<jiff::Timestamp>,
    /// A file name for saving; one safe path component, or made so by whoever saves.
    pub filename: Option<String>,
    /// A title known outside the body (the link's text is not known here).
    pub title: Option<String>,
    /// The time by the server's clock, where it tells what is new since then ([`super::Request::since`]).
    pub clock: Option<jiff::Timestamp>,
    /// TLS facts.
    pub security: Option<Security>,
    /// What the server says to people besides the content (a welcome, a word on the directory), line by line.
    pub notices: Vec<String>,
    /// The response's own words, line by line, for `--head` and the anatomy.
    pub lines: Vec<String>,
    /// The message that it is a part of.
    pub within: Option<Arc<Within>>,
    /// No copy of it is to be kept: the server was told who the reader is (a login, a cookie, a certificate), or forbids it.
    pub unkept: bool,
    /// When it came, of a copy that was kept.
    pub kept: Option<jiff::Timestamp>,
    /// When the copy came that is kept of what was asked for, where the server answers that it has nothing of the kind
    /// ([`Head::status`]).
    pub offered: Option<jiff::Timestamp>,
    /// When the server was heard last, of what begins with what is kept, while the server is being asked. Once it has answered another
    /// head takes the place of this one. A body that is cut before goes without that; one that fails before is not what the server has
    /// now, and is to be asked for again.
    pub ahead: Option<jiff::Timestamp>,
}

impl Head {
    /// A head that says nothing but what the body is.
    pub fn new(url: Url, media: impl Into<String>) -> Head {
        Head {
            url,
            status: None,
            nothing: None,
            media: media.into(),
            charset: None,
            length: None,
            start: 0,
            validator: None,
            modified: None,
            filename: None,
            title: None,
            clock: None,
            security: None,
            notices: Vec::new(),
            lines: Vec::new(),
            within: None,
            unkept: false,
            kept: None,
            offered: None,
            ahead: None,
        }
    }
}

/// The owner's answer to a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Send the body.
    Accept,
    /// Do not; close.
    Refuse,
}

/// How a body ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct End {
    /// A remark for the reader when what came is usable but not whole ("the server closed the connection early").
    pub cut: Option<String>,
}

/// The words of this program on something of its own that was done, where there is nothing to be told of it.
pub const DONE: &str = "done";

/// Where a server says that something is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// The URL that answered; the base of `to`.
    pub from: Url,
    /// The reference to the other place, as the server wrote it.
    pub to: String,
    /// The server's words: "302 Found".
    pub status: String,
    /// What becomes of a request that sends something.
    pub again: Again,
    /// Who asked was known, or the server wants nothing of it kept.
    pub unkept: bool,
}

/// How a request is made again at the place it was sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Again {
    /// Asked for, without what was sent (303, and 301 and 302 as all browsers do it; RFC 9110, 15.4).
    Get,
    /// As it was (307, 308).
    Same,
    /// No server says it: a copy of the place is not kept, and one of the other is, which may stand for it.
    Kept,
}

/// What a fetch tells its owner.
#[derive(Debug, Clone, PartialEq)]
pub enum FetchEvent {
    /// It has come this far.
    Stage(Stage),
    /// All that left this machine for it up to now, passwords taken out.
    Sent(Vec<Dispatch>),
    /// The head; the fetch waits for a verdict, but for that of a head in the place of another ([`Head::ahead`]).
    Head(Box<Head>),
    /// Instead of a head: it is elsewhere. The fetch is over; whether to go there is the owner's decision.
    Moved(Box<Moved>),
    /// Instead of a head: the copy that [`super::Request::unless`] told of is still right. The fetch is over.
    Unchanged,
    /// Octets of the body; at most [`MOST_OCTETS`].
    Body(Vec<u8>),
    /// The body is complete, or ends here with a remark.
    End(End),
    /// It failed; octets that came before stay valid.
    Failed(FetchError),
}

impl FetchEvent {
    /// Hides words that nobody may see in what the server says for people. Where it leads to stays as it is, and so does the body.
    pub(crate) fn conceal(&mut self, secrets: &[String]) {
        match self {
            FetchEvent::Sent(sent) => sent.iter_mut().flat_map(|to| &mut to.came).for_each(|said| veil(said, secrets)),
            FetchEvent::Head(head) => {
                let Head { status, nothing, filename, notices, lines, .. } = &mut **head;
                let words = status.iter_mut().chain(nothing).chain(filename).chain(notices).chain(lines);
                words.for_each(|said| veil(said, secrets));
            }
            FetchEvent::Moved(moved) => veil(&mut moved.status, secrets),
            FetchEvent::End(end) => end.cut.iter_mut().for_each(|said| veil(said, secrets)),
            FetchEvent::Failed(error) => error.conceal(secrets),
            FetchEvent::Stage(_) | FetchEvent::Unchanged | FetchEvent::Body(_) => {}
        }
    }
}

/// The most octets in one [`FetchEvent::Body`]. They are read in one go, beside the keyboard: half a millisecond of most
/// pages, some 10 to 60 of those made to be slow (`cargo bench --bench format longest_step_of_html`).
pub const MOST_OCTETS: usize = 16 * 1024;

/// A fetch's side of the conversation. Sending waits while the owner is busy (back pressure) and fails when it has gone.
#[derive(Debug)]
pub struct Exchange {
    events: mpsc::Sender<FetchEvent>,
    verdict: Option<oneshot::Receiver<Verdict>>,
    /// Words that the owner is not told: some servers repeat what they were told.
    pub(super) secrets: Vec<String>,
    /// Where it is written down what is sent.
    pub(super) ledger: Ledger,
}

/// The owner has gone, so the fetch has nothing left to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gone;

/// A fetch whose owner has gone ends silently; nobody reads this.
impl From<Gone> for FetchError {
    fn from(_: Gone) -> FetchError {
        FetchError::new(super::Kind::Broken, "stopped")
    }
}

impl Exchange {
    /// A conversation: the fetch's side, the events for the owner, and where the owner puts the verdict.
    pub fn new(depth: usize) -> (Exchange, mpsc::Receiver<FetchEvent>, oneshot::Sender<Verdict>) {
        let (events, inbox) = mpsc::channel(depth);
        let (sender, verdict) = oneshot::channel();
        (Exchange { events, verdict: Some(verdict), secrets: Vec::new(), ledger: Ledger::default() }, inbox, sender)
    }

    async fn tell(&mut self, mut event: FetchEvent) -> Result<(), Gone> {
        event.conceal(&self.secrets);
        self.events.send(event).await.map_err(|_| Gone)
    }

    /// Says how far it has come.
    pub async fn stage(&mut self, stage: Stage) -> Result<(), Gone> {
        self.tell(FetchEvent::Stage(stage)).await
    }

    /// Says what has been sent, if that was not said before.
    async fn sent(&mut self) -> Result<(), Gone> {
        match self.ledger.news() {
            Some(sent) => self.tell(FetchEvent::Sent(sent)).await,
            None => Ok(()),
        }
    }

    /// Says what was sent by another fetch that this one has run.
    pub(super) async fn sent_for(&mut self, sent: Vec<Dispatch>) -> Result<(), Gone> {
        self.tell(FetchEvent::Sent(sent)).await
    }

    /// Says the head and waits for the verdict. Only the first head is answered. Nobody but the program writes its own pages.
    pub async fn head(&mut self, mut head: Head) -> Result<Verdict, Gone> {
        if head.media == media::OWN && scheme::family(&head.url) != Family::About {
            head.media = media::GEMTEXT.into();
        }
        self.sent().await?;
        self.tell(FetchEvent::Head(Box::new(head))).await?;
        match self.verdict.take() {
            Some(verdict) => verdict.await.map_err(|_| Gone),
            None => Err(Gone),
        }
    }

    /// Says the head in the place of the one that came ahead of the server's answer ([`Head::ahead`]).
    pub(super) async fn answered(&mut self, head: Head) -> Result<(), Gone> {
        self.sent().await?;
        self.tell(FetchEvent::Head(Box::new(head))).await
    }

    /// Whether a head was said: what fails from then on leaves what came before.
    pub(super) fn has_head(&self) -> bool {
        self.verdict.is_none()
    }

    /// Says that the content is elsewhere.
    pub async fn moved(&mut self, moved: Moved) -> Result<(), Gone> {
        self.sent().await?;
        self.tell(FetchEvent::Moved(Box::new(moved))).await
    }

    /// Says that the owner's copy is still right.
    pub async fn unchanged(&mut self) -> Result<(), Gone> {
        self.sent().await?;
        self.tell(FetchEvent::Unchanged).await
    }

    /// Sends octets of the body, at most [`MOST_OCTETS`] at a time.
    pub async fn body(&mut self, octets: Vec<u8>) -> Result<(), Gone> {
        if octets.len() <= MOST_OCTETS {
            return self.events.send(FetchEvent::Body(octets)).await.map_err(|_| Gone);
        }
        for piece in octets.chunks(MOST_OCTETS) {
            self.events.send(FetchEvent::Body(piece.to_vec())).await.map_err(|_| Gone)?;
        }
        Ok(())
    }

    /// Says the end; called once, by whoever runs the fetch, with its result.
    pub async fn close(mut self, result: Result<End, FetchError>) {
        let event = match result {
            Ok(end) => FetchEvent::End(end),
            Err(error) => FetchEvent::Failed(error),
        };
        // An owner that has gone needs no farewell.
        let _ = self.sent().await;
        let _ = self.tell(event).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_huge_body_comes_in_pieces_that_are_soon_read() {
        let octets: Vec<u8> = (0..=u8::MAX).cycle().take(10 * MOST_OCTETS + 1).collect();
        let (mut exchange, mut events, _verdict) = Exchange::new(16);
        assert_eq!(exchange.body(octets.clone()).await, Ok(()));
        drop(exchange);
        let mut came = Vec::new();
        while let Some(FetchEvent::Body(piece)) = events.recv().await {
            assert!(piece.len() <= MOST_OCTETS);
            came.extend(piece);
        }
        assert!(came == octets);
    }

    #[tokio::test]
    async fn a_body_ends_with_its_owner() {
        let (mut exchange, events, _verdict) = Exchange::new(1);
        drop(events);
        assert_eq!(exchange.body(vec![0; 10 * MOST_OCTETS]).await, Err(Gone));
    }
}
