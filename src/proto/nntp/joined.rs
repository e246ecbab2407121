//! A file that was cut into several articles, as one: they are asked for over one connection, a few ahead, and what they hold goes out
//! part by part, each once it was looked over ([`Joiner`]). A part is in memory at a time, and none is kept on disk. Where one is not
//! there the server is asked which of the others are, so that all that are missing are named at once.

use super::command::STAT;
use super::conversation::{Heard, ask, hear};
use super::page::{Ended, Page};
use super::server::Key;
use super::session::Session;
use super::{Answer, Task, Visit, first_of};
use crate::format::message::joined::{Joiner, named};
use crate::proto::{Context, End, Exchange, FetchError, Head, Kind, Request};
use std::sync::Arc;

/// Articles that are asked for while one is read.
const AHEAD: usize = 2;
/// Parts that are asked after behind one that is missing.
const SOUGHT: usize = 100;

/// Fetches the parts of a file from the first server that has the first of them.
pub(super) async fn fetch(
    ids: &Arc<[Vec<u8>]>,
    keys: &[Key],
    request: &Request,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<End, FetchError> {
    let task = |_| -> Task<'_, End> {
        let ids = Arc::clone(ids);
        Box::new(move |visit| -> Answer<'_, End> {
            let ids = Arc::clone(&ids);
            Box::pin(async move { visit.joined(&ids).await })
        })
    };
    first_of(keys, request, exchange, context, |error| error.kind == Kind::NotFound, task).await
}

impl Visit<'_> {
    async fn joined(mut self, ids: &[Vec<u8>]) -> Result<End, FetchError> {
        let mut joiner = Joiner::new(ids.len() as u64).map_err(malformed)?;
        let (first, rest) = ids.split_first().ok_or_else(|| malformed("A file has a part at least.".into()))?;
        ask(self.session, first).await?;
        let octets = next(self.session, first, (1, ids.len()), &mut joiner).await?;
        let Some(facts) = joiner.facts() else { return Err(malformed("There is no file in it.".into())) };
        let head = Head { filename: Some(facts.name), length: facts.size, ..self.head(&facts.media, None) };
        let Some(mut page) = Page::begin(self, &facts.media, head).await? else { return Ok(End::default()) };
        let mut ended = page.pass(&octets).await?;
        let (mut wanted, mut asked) = (rest.iter(), 0);
        for (id, number) in rest.iter().zip(2..) {
            if let Ended::Cut(why) = ended {
                return Ok(End { cut: Some(why) });
            }
            while asked < number + AHEAD - 1
                && let Some(id) = wanted.next()
            {
                if let Err(error) = ask(page.session, id).await {
                    return Ok(End { cut: Some(error.detail) });
                }
                asked += 1;
            }
            ended = match next(page.session, id, (number, ids.len()), &mut joiner).await {
                Ok(octets) => page.pass(&octets).await?,
                Err(error) if error.kind == Kind::NotFound => {
                    let lacking = lacking(page.session, ids, number, asked + 1).await;
                    Ended::Cut(absent(&lacking, ids.len()).unwrap_or(error.detail))
                }
                Err(error) => Ended::Cut(error.detail),
            };
        }
        Ok(End {
            cut: match ended {
                Ended::Cut(why) => Some(why),
                Ended::Whole => joiner.finish().err(),
            },
        })
    }
}

/// The numbers of the parts that are not there, from the first of them on. The articles of those up to `asked` are on their way.
async fn lacking(session: &mut Session, ids: &[Vec<u8>], first: usize, asked: usize) -> Vec<usize> {
    let mut lacking = vec![first];
    for (id, number) in ids.iter().zip(1..).skip(first).take(SOUGHT) {
        let there = match number <= asked {
            true => hear(session, id, None).await.map(|heard| !matches!(heard, Heard::Missing)),
            false => session.ask(&STAT, &[b"<", id.as_slice(), b">"].concat()).await.map(|reply| reply.is_ok()),
        };
        match there {
            Ok(true) => {}
            Ok(false) => lacking.push(number),
            Err(_) => break,
        }
    }
    lacking
}

/// Which parts are missing, in a sentence.
fn absent(parts: &[usize], of: usize) -> Option<String> {
    let words = named(parts)?;
    let is = if parts.len() == 1 { "is" } else { "are" };
    Some(format!("P{} of {of} {is} not on this server.", words.strip_prefix('p')?))
}

/// The octets of the next part, for which was asked.
async fn next(
    session: &mut Session,
    id: &[u8],
    (number, of): (usize, usize),
    joiner: &mut Joiner,
) -> Result<Vec<u8>, FetchError> {
    match hear(session, id, None).await? {
        Heard::Article(octets) => joiner.part(&octets).map_err(malformed),
        Heard::Missing => Err(FetchError::new(Kind::NotFound, format!("Part {number} of {of} is not on this server."))),
        Heard::TooLong => {
            Err(FetchError::new(Kind::TooLarge, format!("Part {number} of {of} is longer than parts are.")))
        }
    }
}

fn malformed(why: String) -> FetchError {
    FetchError::new(Kind::Malformed, why)
}
