//! A group of which the overview is kept, shown before its server has answered: first the rows from the disk, then what the server
//! says of the group, and what is new.
//!
//! What stands on the screen cannot be taken back. Where the server has something else the fetch fails, and whoever owns the page asks
//! again, the server first ([`Head::ahead`]). A server that is not there costs nothing but what is new.

use super::group::{Facts, Listing};
use super::kept::{Group, Known, Opened};
use super::known::{Rest, Rows, from_kept, is_turned_down, is_unreachable};
use super::page::Page;
use super::reply::text;
use super::server::Key;
use super::{Visit, Wanted};
use crate::format::media;
use crate::proto::relay::{Relay, Room};
use crate::proto::{Context, End, Exchange, FetchError, Head, Kind, Request, Verdict};
use jiff::Timestamp;

/// What came of it.
pub(super) enum Ahead {
    /// Nothing was shown.
    Nothing,
    Shown(Shown),
    /// All that there is room for was shown, or nobody wants it any more.
    Ended(End),
}

/// What was shown.
pub(super) struct Shown {
    group: Group,
    known: Known,
    rest: Rest,
    octets: u64,
}

/// Shows what is kept of a group, where that is wished for and there is any.
pub(super) async fn shown(
    wanted: &Wanted,
    keys: &[Key],
    request: &Request,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<Ahead, FetchError> {
    let (Wanted::Group(name, None), Some(key)) = (wanted, keys.first()) else { return Ok(Ahead::Nothing) };
    let Some(group) = context.kept.group(&key.name(), name) else { return Ok(Ahead::Nothing) };
    if !request.ahead || request.body.is_some() {
        return Ok(Ahead::Nothing);
    }
    let Opened::Known(known) = group.open().await else { return Ok(Ahead::Nothing) };
    let (first, last) = (known.bottom().max(known.low), known.top());
    if first > last {
        return Ok(Ahead::Nothing);
    }
    let media = request.media.clone().unwrap_or_else(|| media::NEWSGROUP.into());
    let mut head = Head::new(request.url.without_fragment(), media);
    head.title = Some(text(name));
    head.ahead = Some(Timestamp::try_from(known.time).unwrap_or(Timestamp::UNIX_EPOCH));
    head.lines = vec![from_kept(&known)];
    head.unkept = key.login.is_some();
    let mut relay = Relay::new(exchange, media::NEWSGROUP, &context.limits);
    if relay.head(head).await? == Verdict::Refuse {
        return Ok(Ahead::Ended(End::default()));
    }
    relay.pass([name, format!("\t{first}\t{last}\t\t\n").as_bytes()].concat()).await?;
    let (mut rows, mut left) = (Rows::of(&known, (first, last)), context.news.most());
    while left > 0
        && let Some(octets) = rows.next(&mut left).await
    {
        let Some(octets) = octets else {
            let sentence = if let Opened::Damaged(sentence) = group.damaged() { sentence } else { String::new() };
            return Err(FetchError::new(Kind::Malformed, sentence));
        };
        if relay.pass(octets).await? == Room::Full {
            return Ok(Ahead::Ended(End { cut: Some(relay.cut()) }));
        }
    }
    let (rest, octets) = (Rest { top: last, reached: rows.reached, left }, relay.sent());
    Ok(Ahead::Shown(Shown { group, known, rest, octets }))
}

/// What was shown is all that there is, where the server cannot be had.
///
/// # Errors
/// The failure, where the server has something else or wants something first.
pub(super) fn alone(error: FetchError) -> Result<End, FetchError> {
    match is_unreachable(&error) || is_turned_down(&error) {
        true => Ok(End { cut: Some(format!("{} This is what was kept.", error.detail)) }),
        false => Err(error),
    }
}

impl Visit<'_> {
    /// Completes what was shown, now that the server has said what it has.
    pub(super) async fn completed(
        mut self,
        name: &[u8],
        facts: &Facts,
        shown: &Shown,
        limit: u64,
    ) -> Result<End, FetchError> {
        if !self.is_right(&shown.known, facts).await? {
            shown.group.throw_away();
            return Err(FetchError::new(Kind::Malformed, self.numbered_anew(name)));
        }
        let posting = self.posting();
        let mut head = self.head(media::NEWSGROUP, Some(text(name)));
        head.lines.push(from_kept(&shown.known));
        let page = Page::resume(self, media::NEWSGROUP, head, shown.octets).await?;
        let mut listing = Listing::of(page);
        let count = facts.count.map(|count| count.to_string()).unwrap_or_default();
        listing.page.pass(format!("=\t{}\t{}\t{count}\t{posting}\n", facts.low, facts.high).as_bytes()).await?;
        let group = Some(shown.group.clone());
        let ended = listing.rest(&group, facts.clip(None), shown.rest, None, limit).await?;
        shown.group.heard(facts.low);
        Ok(End { cut: listing.remark(ended) })
    }
}
