//! Files that were cut into several articles: which articles those are, a group's page tells by subject and author.

use super::held::{self, Held};
use super::{Name, Sight};
use crate::app::state::Cx;
use crate::app::{Opening, Sent};
use crate::format::count;
use crate::format::message::joined::named;
use crate::news::{MOST_PARTS, Series};
use crate::url::Url;
use crate::url::scheme::news::article_at;

/// The opening of the file of which an article has a part, in the place of that of a part.
///
/// # Errors
/// Which articles the other parts are is not known, or they are not there, in a sentence.
pub(in crate::app) fn join(cx: &mut Cx<'_>, opening: Opening, id: &[u8]) -> Result<Opening, String> {
    let (url, ids) = found(cx, id)?;
    Ok(Opening { url, sent: Some(Sent::Parts(ids.into())), ..opening })
}

/// The articles that have the parts, in order, and the URL of the first.
fn found(cx: &mut Cx<'_>, id: &[u8]) -> Result<(Url, Vec<Vec<u8>>), String> {
    let held = held::with(cx, &Name::Id(id.to_vec()));
    let Some((held, here)) = held.and_then(|held| held.here.map(|here| (held, here))) else {
        return Err(
            "which articles the other parts are its group's page tells: open that first, then this article".into()
        );
    };
    let rows = Rows { sight: cx.sight(), held: &held };
    let (subject, author) = rows.row(here).unwrap_or_default();
    let Some(own) = Series::of(subject) else {
        return Err("the subject does not tell which part this is".into());
    };
    if own.total > MOST_PARTS {
        return Err(format!("a file in {} parts is not joined: {MOST_PARTS} are the most", own.total));
    }
    let mut parts: Vec<Option<usize>> = vec![None; usize::try_from(own.total).unwrap_or_default()];
    for at in 0..held.articles.len() {
        let Some((subject, by)) = rows.row(at) else { continue };
        let Some(series) = Series::of(subject).filter(|series| by == author && series.is_with(&own)) else { continue };
        let slot = usize::try_from(series.number - 1).ok().and_then(|slot| parts.get_mut(slot));
        // Sent twice, the one counts that the reader came from.
        if let Some(slot) = slot.filter(|slot| slot.is_none() || at == here) {
            *slot = Some(at);
        }
    }
    let missing: Vec<usize> =
        parts.iter().zip(1..).filter(|(part, _)| part.is_none()).map(|(_, number)| number).collect();
    if let Some(words) = named(&missing) {
        let is = if missing.len() == 1 { "is" } else { "are" };
        return Err(format!(
            "{words} of {} {is} not on this server, as far as its group's page goes",
            count(parts.len())
        ));
    }
    let ids = parts.iter().flatten().map(|at| rows.id(*at)).collect::<Option<Vec<_>>>();
    let ids = ids.ok_or("one of the parts has no message-id by which it could be asked for")?;
    let url = ids.first().and_then(|first| article_at(&held.url, first));
    url.map(|url| (url, ids)).ok_or_else(|| "the first part has no address".into())
}

/// What a group's page says of its articles.
struct Rows<'a> {
    sight: Sight<'a>,
    held: &'a Held,
}

impl<'a> Rows<'a> {
    /// Subject and author of an article.
    fn row(&self, at: usize) -> Option<(&'a str, &'a str)> {
        let given = self.sight.tab.history.get(self.held.at)?.page.as_deref()?.given();
        let link = self.held.articles.get(at)?.link;
        let row = given.block_text(held::block_of(link));
        Some((given.link_text(link), row.split('\t').nth(1).unwrap_or_default()))
    }

    fn id(&self, at: usize) -> Option<Vec<u8>> {
        let given = self.sight.tab.history.get(self.held.at)?.page.as_deref()?.given();
        match Name::of(&Url::parse(given.reference(self.held.articles.get(at)?.link)?).ok()?)? {
            Name::Id(id) => Some(id),
            Name::Number(..) | Name::Place(_) => None,
        }
    }
}
