//! An archive on its way from a server: held as a whole, or left there where that can be.

use super::far::Far;
use super::last;
use super::octets::too_large;
use crate::doc::sanitise;
use crate::proto::{Context, End, Exchange, FetchError, FetchEvent, Kind, Moved, Request, Verdict};
use crate::url::{self, Url, scheme};
use jiff::Timestamp;
use tokio::sync::mpsc;

/// The octets of an archive that some server has, and what is to be known of them and of how they came.
pub(super) struct Fetched {
    pub octets: Vec<u8>,
    pub modified: Option<Timestamp>,
    pub remark: Option<String>,
}

/// What came of asking for an archive.
pub(super) enum Came {
    /// All of it.
    Whole(Fetched),
    /// Nothing but what it is: it can stay there.
    Stays(Far),
    /// It is elsewhere.
    Elsewhere,
}

/// Fetches an archive; `whole` where it may not stay there.
pub(super) async fn fetched(
    file: &Url,
    whole: bool,
    request: &Request,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<Came, FetchError> {
    let (login, led) = (request.login.clone(), request.led.clone());
    let (private, unwatched) = (request.private, request.unwatched);
    let asked = Request { login, led, private, unwatched, ..Request::new(file.clone()) };
    let (mut inner, mut events, verdict) = Exchange::new(2);
    let fetch = async {
        let outcome = crate::proto::fetch(&asked, &mut inner, context).await;
        inner.close(outcome).await;
    };
    let far = (!whole).then_some(file);
    let take = take(request, far, exchange, context.limits.memory, &mut events, verdict);
    tokio::pin!(fetch, take);
    tokio::select! {
        taken = &mut take => taken,
        () = &mut fetch => take.await,
    }
}

/// Takes what the fetch of an archive says.
async fn take(
    request: &Request,
    far: Option<&Url>,
    exchange: &mut Exchange,
    most: usize,
    events: &mut mpsc::Receiver<FetchEvent>,
    verdict: tokio::sync::oneshot::Sender<Verdict>,
) -> Result<Came, FetchError> {
    let too_large = || FetchError::new(Kind::TooLarge, too_large(most)).hint("Save it, and open it from there.");
    let (mut octets, mut modified, mut verdict) = (Vec::new(), None, Some(verdict));
    while let Some(event) = events.recv().await {
        match event {
            FetchEvent::Stage(stage) => exchange.stage(stage).await?,
            FetchEvent::Sent(sent) => exchange.sent_for(sent).await?,
            FetchEvent::Head(head) => {
                if let Some(status) = head.status {
                    let detail = format!("The server answers \"{}\" instead of the archive.", sanitise(&status));
                    return Err(FetchError::new(Kind::NotFound, detail));
                }
                let named = |file: &Url| head.filename.clone().unwrap_or_else(|| last(file));
                if let Some(far) = far.and_then(|file| Far::of(&head, file, &named(file))) {
                    return Ok(Came::Stays(far));
                }
                modified = head.modified;
                if head.length.is_some_and(|length| length > most as u64) {
                    return Err(too_large());
                }
                if let Some(verdict) = verdict.take() {
                    // A fetch that has just failed says so next.
                    let _ = verdict.send(Verdict::Accept);
                }
            }
            FetchEvent::Moved(moved) => {
                let to = url::redirect(&moved.from, &moved.to)?;
                let to = scheme::archive::moved(&request.url, &to)?.as_str().to_owned();
                let from = request.url.without_fragment();
                exchange.moved(Moved { from, to, ..*moved }).await?;
                return Ok(Came::Elsewhere);
            }
            FetchEvent::Unchanged => {}
            FetchEvent::Body(piece) => {
                if octets.len() + piece.len() > most {
                    return Err(too_large());
                }
                octets.extend(piece);
            }
            FetchEvent::End(End { cut: remark }) => return Ok(Came::Whole(Fetched { octets, modified, remark })),
            FetchEvent::Failed(error) => return Err(error),
        }
    }
    Err(FetchError::new(Kind::Broken, "The archive ended before its end."))
}
