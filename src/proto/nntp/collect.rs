//! Articles for later: each that is not kept yet is fetched over one connection, a few asked for ahead, and how far that is goes
//! out as lines `DONE OF KEPT THERE MISSING`.

use super::Visit;
use super::command::ARTICLE;
use super::kept::Articles;
use super::page::{Ended, Page};
use crate::format::media;
use crate::proto::{Context, End, FetchError, Kind};
use std::collections::VecDeque;

/// Articles that are asked for while one is read.
const AHEAD: usize = 4;
/// After so many it is said how far it is.
const OFTEN: usize = 8;

/// How far it is.
#[derive(Debug, Default, Clone, Copy)]
struct Sum {
    done: usize,
    of: usize,
    kept: usize,
    there: usize,
    missing: usize,
}

impl Sum {
    fn line(&self) -> String {
        let Sum { done, of, kept, there, missing } = self;
        format!("{done} {of} {kept} {there} {missing}\n")
    }
}

/// Where the articles of a server are kept.
///
/// # Errors
/// Nowhere.
pub(super) fn place(context: &Context, server: &str) -> Result<Articles, FetchError> {
    context.kept.articles(server).ok_or_else(|| {
        FetchError::new(Kind::Unsupported, "No articles are kept on disk here.")
            .hint("A private tab and --safe keep none; else the setting news.keep_articles says how much.")
    })
}

impl Visit<'_> {
    /// Keeps articles by their ids.
    pub(super) async fn collect(mut self, ids: &[Vec<u8>]) -> Result<End, FetchError> {
        let articles = place(self.context, &self.session.key.name())?;
        let (own, all) = (articles.clone(), ids.to_vec());
        let looked = tokio::task::spawn_blocking(move || all.into_iter().filter(|id| !own.has(id)).collect());
        let wanted: Vec<Vec<u8>> = looked.await.map_err(|error| FetchError::new(Kind::Broken, error.to_string()))?;
        let there = ids.len() - wanted.len();
        let mut sum = Sum { done: there, of: ids.len(), there, ..Sum::default() };
        let head = self.head(media::PLAIN, None);
        let Some(mut page) = Page::begin(self, media::PLAIN, head).await? else { return Ok(End::default()) };
        page.pass(sum.line().as_bytes()).await?;
        let (mut asked, mut next) = (VecDeque::new(), wanted.iter());
        loop {
            while asked.len() < AHEAD
                && let Some(id) = next.next()
            {
                if let Err(error) = page.session.send(&ARTICLE, &[b"<", id.as_slice(), b">"].concat()).await {
                    return Ok(End { cut: Some(error.detail) });
                }
                asked.push_back(id);
            }
            let Some(id) = asked.pop_front() else { break };
            match page.one(id, &articles).await {
                Ok(true) => sum.kept += 1,
                Ok(false) => sum.missing += 1,
                Err(error) => {
                    page.pass(sum.line().as_bytes()).await?;
                    return Ok(End { cut: Some(error.detail) });
                }
            }
            sum.done += 1;
            if sum.done.is_multiple_of(OFTEN) && page.pass(sum.line().as_bytes()).await? != Ended::Whole {
                break;
            }
        }
        page.pass(sum.line().as_bytes()).await?;
        Ok(End::default())
    }
}

impl Page<'_> {
    /// Hears an article that was asked for, and keeps it; false where the server does not have it, or has too much of it.
    async fn one(&mut self, id: &[u8], articles: &Articles) -> Result<bool, FetchError> {
        let reply = match self.session.hear(&ARTICLE).await? {
            Ok(reply) => reply,
            Err(reply) if matches!(reply.code, 420 | 423 | 430) => return Ok(false),
            Err(reply) => return Err(self.session.refused(&ARTICLE, &reply, "")),
        };
        let given = reply.rest.split(u8::is_ascii_whitespace).nth(1).filter(|given| given.starts_with(b"<"));
        let right = given.is_none_or(|given| given == [b"<", id, b">"].concat());
        let (mut octets, mut piece, mut fits) = (Vec::new(), Vec::new(), right);
        loop {
            let more = self.session.block(&mut piece).await;
            fits = fits && articles.fits(octets.len() + piece.len());
            if fits {
                octets.append(&mut piece);
            }
            piece.clear();
            match more {
                Ok(true) => {}
                Ok(false) => break,
                Err(lost) => return Err(self.session.lost(&ARTICLE, &lost)),
            }
        }
        if fits {
            articles.keep(id, &octets);
        }
        Ok(fits)
    }
}
