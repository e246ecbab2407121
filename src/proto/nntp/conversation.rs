//! A thread as one page: what of it is kept comes from disk, the rest over one connection, a few asked for ahead, all in the order
//! of the thread. Where each article ends is said by a count of octets before it, so that no article can end itself and begin
//! another (NEWS-09).

use super::command::ARTICLE;
use super::kept::Articles;
use super::page::{Ended, Page};
use super::server::Key;
use super::session::Session;
use super::{Answer, Task, Visit, first_of};
use crate::format::media;
use crate::format::message::conversation::{Framed, framed};
use crate::proto::relay::{Relay, Room};
use crate::proto::{Context, End, Exchange, FetchError, Head, Kind, Request, Verdict};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

/// Articles that are asked for while one is read.
const AHEAD: usize = 4;
/// Octets of an article that is shown among others.
const LONGEST: usize = 4 << 20;

/// Fetches the articles of a thread.
pub(super) async fn fetch(
    ids: &Arc<[Vec<u8>]>,
    keys: &[Key],
    request: &Request,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<End, FetchError> {
    for key in keys {
        let articles = context.kept.articles(&key.name());
        if kept(articles.as_ref(), ids).await?.len() == ids.len() {
            return from_disk(ids, articles.as_ref(), None, request, exchange, context).await;
        }
    }
    let task = |others| -> Task<'_, End> {
        let ids = Arc::clone(ids);
        Box::new(move |visit| -> Answer<'_, End> {
            let ids = Arc::clone(&ids);
            Box::pin(async move { visit.conversation(&ids, others).await })
        })
    };
    let outcome = first_of(keys, request, exchange, context, |error| error.kind != Kind::NeedsLogin, task).await;
    let (Err(error), Some(last)) = (&outcome, keys.last()) else { return outcome };
    let articles = context.kept.articles(&last.name());
    if exchange.has_head() || error.kind == Kind::NeedsLogin || kept(articles.as_ref(), ids).await?.is_empty() {
        return outcome;
    }
    // Without any server, what is kept of it is shown.
    from_disk(ids, articles.as_ref(), Some(error), request, exchange, context).await
}

/// Those that are kept.
async fn kept(articles: Option<&Articles>, ids: &Arc<[Vec<u8>]>) -> Result<HashSet<Vec<u8>>, FetchError> {
    let Some(articles) = articles.cloned() else { return Ok(HashSet::new()) };
    let ids = Arc::clone(ids);
    let looked = tokio::task::spawn_blocking(move || ids.iter().filter(|id| articles.has(id)).cloned().collect());
    looked.await.map_err(|error| FetchError::new(Kind::Broken, error.to_string()))
}

fn first(ids: &[Vec<u8>]) -> Vec<u8> {
    format!("{}\n", ids.len()).into_bytes()
}

/// One that is kept, as it goes out.
async fn found(id: &[u8], articles: Option<&Articles>) -> Vec<u8> {
    let octets = match articles {
        Some(articles) => articles.find(id).await.map(|(octets, _)| octets),
        None => None,
    };
    framed(id, octets.as_deref().map_or(Framed::Missing, whole))
}

fn whole(octets: &[u8]) -> Framed<'_> {
    if octets.len() > LONGEST { Framed::TooLong } else { Framed::Article(octets) }
}

async fn from_disk(
    ids: &[Vec<u8>],
    articles: Option<&Articles>,
    silent: Option<&FetchError>,
    request: &Request,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<End, FetchError> {
    let mut relay = Relay::new(exchange, media::THREAD, &context.limits);
    let mut head = Head::new(request.url.without_fragment(), media::THREAD);
    head.lines = vec![match silent {
        Some(error) => error.detail.clone(),
        None => "from what is kept on this disk; no server was asked".into(),
    }];
    head.notices = silent.map(|error| format!("{} This is what was kept.", error.detail)).into_iter().collect();
    if relay.head(head).await? == Verdict::Refuse {
        return Ok(End::default());
    }
    relay.pass(first(ids)).await?;
    for id in ids {
        if relay.pass(found(id, articles).await).await? == Room::Full {
            return Ok(End { cut: Some(relay.cut()) });
        }
    }
    Ok(End::default())
}

/// An article that was asked for.
pub(super) enum Heard {
    Missing,
    TooLong,
    Article(Vec<u8>),
}

impl Visit<'_> {
    async fn conversation(mut self, ids: &Arc<[Vec<u8>]>, others: bool) -> Result<End, FetchError> {
        let articles = self.context.kept.articles(&self.session.key.name());
        let kept = kept(articles.as_ref(), ids).await?;
        let mut wanted = ids.iter().filter(|id| !kept.contains(*id));
        let mut ready = None;
        if let Some(id) = wanted.next() {
            ask(self.session, id).await?;
            let heard = hear(self.session, id, articles.as_ref()).await?;
            if matches!(heard, Heard::Missing) && kept.is_empty() && others {
                return Err(FetchError::new(Kind::NotFound, "The server does not have the first article."));
            }
            ready = Some(heard);
        }
        let head = self.head(media::THREAD, None);
        let Some(mut page) = Page::begin(self, media::THREAD, head).await? else { return Ok(End::default()) };
        page.pass(&first(ids)).await?;
        let mut asked = VecDeque::new();
        for id in ids.iter() {
            while asked.len() < AHEAD
                && let Some(next) = wanted.next()
            {
                if let Err(error) = ask(page.session, next).await {
                    return Ok(End { cut: Some(error.detail) });
                }
                asked.push_back(next);
            }
            let octets = if kept.contains(id) {
                found(id, articles.as_ref()).await
            } else {
                let heard = match ready.take() {
                    Some(heard) => Ok(heard),
                    None if asked.pop_front().is_some() => hear(page.session, id, articles.as_ref()).await,
                    None => Ok(Heard::Missing),
                };
                match heard {
                    Ok(Heard::Article(octets)) => framed(id, Framed::Article(&octets)),
                    Ok(Heard::TooLong) => framed(id, Framed::TooLong),
                    Ok(Heard::Missing) => framed(id, Framed::Missing),
                    Err(error) => return Ok(End { cut: Some(error.detail) }),
                }
            };
            if let Ended::Cut(why) = page.pass(&octets).await? {
                return Ok(End { cut: Some(why) });
            }
        }
        Ok(End::default())
    }
}

/// Asks for an article by its id.
pub(super) async fn ask(session: &mut Session, id: &[u8]) -> Result<(), FetchError> {
    session.send(&ARTICLE, &[b"<", id, b">"].concat()).await
}

/// Hears an article that was asked for, and keeps it where there is a place for it.
pub(super) async fn hear(session: &mut Session, id: &[u8], articles: Option<&Articles>) -> Result<Heard, FetchError> {
    let reply = match session.hear(&ARTICLE).await? {
        Ok(reply) => reply,
        Err(reply) if matches!(reply.code, 420 | 423 | 430) => return Ok(Heard::Missing),
        Err(reply) => return Err(session.refused(&ARTICLE, &reply, "")),
    };
    let given = reply.rest.split(u8::is_ascii_whitespace).nth(1).filter(|given| given.starts_with(b"<"));
    let right = given.is_none_or(|given| given == [b"<", id, b">"].concat());
    let (mut octets, mut piece, mut fits) = (Vec::new(), Vec::new(), true);
    loop {
        let more = session.block(&mut piece).await;
        fits = fits && octets.len() + piece.len() <= LONGEST;
        if fits {
            octets.append(&mut piece);
        }
        piece.clear();
        match more {
            Ok(true) => {}
            Ok(false) => break,
            Err(lost) => return Err(session.lost(&ARTICLE, &lost)),
        }
    }
    Ok(match (right, fits) {
        (false, _) => Heard::Missing,
        (_, false) => Heard::TooLong,
        _ => {
            if let Some(articles) = articles {
                articles.keep(id, &octets);
            }
            Heard::Article(octets)
        }
    })
}
