//! A group of which the overview is kept: its rows come from the disk, and only what is new is asked for; without the server it is
//! shown as it was.
//!
//! Numbers mean the same articles as long as a server goes on counting. Where it seems to have begun anew (its numbers go back)
//! and before anything new is put beside what is kept, up to three known numbers are asked for by STAT; if one means another
//! article now, or none of them is there, what is kept is thrown away. What expired is left out by the server's first number.

use super::Visit;
use super::command::{OVER, STAT, XOVER};
use super::group::{Facts, Listing, is_empty, is_unknown};
use super::keeper::Keeper;
use super::kept::{self, Articles, Group, Known, Opened, number};
use super::page::{Ended, Page};
use super::reply::text;
use super::server::Key;
use super::session::Posting;
use super::slices::{MOST, Slice, Slices};
use super::{Wanted, overview::Overview};
use crate::format::media;
use crate::proto::relay::{Relay, Room};
use crate::proto::{Context, End, Exchange, FetchError, Head, Kind, Request, Verdict};
use crate::url::scheme::news::Range;
use std::time::SystemTime;

/// What is kept of a group that was asked for.
pub(super) struct Own {
    /// Where it is kept; `None` where nothing is.
    pub group: Option<Group>,
    /// What is known of it and still right.
    pub known: Option<Known>,
    /// What the reader should know of that.
    pub notices: Vec<String>,
}

impl Visit<'_> {
    /// What is kept of the group that was just chosen.
    pub(super) async fn own(&mut self, group: &[u8], facts: &Facts) -> Result<Own, FetchError> {
        let kept = self.context.kept.group(&self.session.key.name(), group);
        let mut own = Own { group: kept, known: None, notices: Vec::new() };
        let Some(place) = &own.group else { return Ok(own) };
        match place.open().await {
            Opened::Nothing => {}
            Opened::Damaged(sentence) => own.notices.push(sentence),
            Opened::Known(known) if self.is_right(&known, facts).await? => own.known = Some(known),
            Opened::Known(_) => {
                place.throw_away();
                own.notices.push(self.numbered_anew(group));
            }
        }
        Ok(own)
    }

    /// What the reader is told where numbers mean something else now.
    pub(super) fn numbered_anew(&self, group: &[u8]) -> String {
        let endpoint = &self.session.key.endpoint;
        format!(
            "{endpoint} has numbered {} anew: what was kept of it was thrown away, and is fetched anew.",
            text(group)
        )
    }

    /// What a page says of posting.
    pub(super) fn posting(&self) -> &'static str {
        if self.session.posting == Posting::Refused { "n" } else { "" }
    }

    /// Whether numbers still mean what they did.
    pub(super) async fn is_right(&mut self, known: &Known, facts: &Facts) -> Result<bool, FetchError> {
        if facts.high < known.top() {
            return Ok(false);
        }
        if facts.high == known.top() && facts.low >= known.low {
            return Ok(true);
        }
        let mut samples = known.samples().await;
        samples.retain(|(number, _)| (facts.low..=facts.high).contains(number));
        for (number, _) in &samples {
            self.session.send(&STAT, number.to_string().as_bytes()).await?;
        }
        let (mut gone, mut other) = (0, false);
        for (_, id) in &samples {
            match self.session.hear(&STAT).await? {
                Ok(reply) => {
                    let now = reply.rest.split(u8::is_ascii_whitespace).nth(1).unwrap_or_default();
                    other |= now.starts_with(b"<") && now != id;
                }
                Err(reply) if is_empty(&reply) => gone += 1,
                // It does not say; nothing speaks against it.
                Err(_) => {}
            }
        }
        Ok(!other && (gone == 0 || gone < samples.len()))
    }

    /// The page of a group of which something is known.
    pub(super) async fn known(
        mut self,
        name: &[u8],
        facts: &Facts,
        own: Own,
        known: Known,
        range: Option<Range>,
        limit: u64,
    ) -> Result<End, FetchError> {
        let (low, high) = facts.clip(range);
        let title = Some(text(name));
        let mut head = Head { notices: own.notices, ..self.head(media::NEWSGROUP, title) };
        head.lines.push(from_kept(&known));
        let posting = self.posting();
        let Some(page) = Page::begin(self, media::NEWSGROUP, head).await? else { return Ok(End::default()) };
        let mut listing = Listing::of(page);
        let count = facts.count.map(|count| count.to_string()).unwrap_or_default();
        let numbers = format!("\t{}\t{}\t{count}\t{posting}\n", facts.low, facts.high);
        listing.page.pass(&[name, numbers.as_bytes()].concat()).await?;
        let new = high.saturating_sub(known.top().max(low.saturating_sub(1)));
        let mut left = limit.saturating_sub(new);
        let from = if range.is_none() { known.bottom().max(low) } else { low };
        let mut rows = Rows::of(&known, (from, known.top().min(high)));
        let (mut ended, mut damaged) = (Ended::Whole, None);
        while ended == Ended::Whole && left > 0 {
            match rows.next(&mut left).await {
                Some(Some(octets)) => ended = listing.page.pass(&octets).await?,
                Some(None) => {
                    damaged = own.group.as_ref().map(Group::damaged);
                    break;
                }
                None => break,
            }
        }
        if ended == Ended::Whole {
            let rest = Rest { top: known.top(), reached: rows.reached, left };
            ended = listing.rest(&own.group, (low, high), rest, range, limit).await?;
        }
        if let Some(group) = own.group.filter(|_| damaged.is_none()) {
            group.heard(facts.low);
        }
        let remark = listing.remark(ended);
        Ok(End { cut: if let Some(Opened::Damaged(sentence)) = damaged { Some(sentence) } else { remark } })
    }
}

/// What a head says of where its rows are from.
pub(super) fn from_kept(known: &Known) -> String {
    format!("the articles up to {} are from what is kept, {}", known.top(), kept::ago(known.time))
}

/// What is kept of a group, as far as it was shown.
#[derive(Clone, Copy)]
pub(super) struct Rest {
    /// The last number that is kept.
    pub top: u64,
    /// The first number from which on all was shown.
    pub reached: u64,
    /// Articles that may still be shown.
    pub left: u64,
}

impl<'a> Listing<'a> {
    /// The lines of a page, none of which were asked for.
    pub fn of(page: Page<'a>) -> Listing<'a> {
        let (slices, keeper) = (Slices::new(1, 0, 0), Keeper::new(None, None));
        Listing { page, slices, overview: Overview::default(), nonsense: 0, keeper }
    }

    /// What is not kept of the numbers that are wanted: what is new, then what is older than what is kept.
    pub async fn rest(
        &mut self,
        group: &Option<Group>,
        (low, high): Slice,
        rest: Rest,
        range: Option<Range>,
        limit: u64,
    ) -> Result<Ended, FetchError> {
        let first = rest.top.saturating_add(1).max(low);
        if first <= high {
            self.keeper = Keeper::new(group.clone(), None);
            let ended = self.new_ones((first, high), range.is_none(), limit).await?;
            if ended != Ended::Whole {
                return Ok(ended);
            }
        }
        if range.is_some() || rest.left == 0 || rest.reached <= low {
            return Ok(Ended::Whole);
        }
        self.keeper = Keeper::new(group.clone(), Some(rest.reached));
        self.further(Slices::new(low, rest.reached - 1, rest.left), None).await
    }

    /// What came since the last time, in one answer where it is not too much for one.
    async fn new_ones(&mut self, (first, last): Slice, open: bool, limit: u64) -> Result<Ended, FetchError> {
        match last - first < MOST.min(limit) {
            true => {
                let range = open.then(|| format!("{first}-"));
                self.further(Slices::whole((first, last)), range).await
            }
            false => self.further(Slices::new(first, last, limit), None).await,
        }
    }

    /// Goes on with other numbers; the words of the first question, where they are not those of its slice.
    async fn further(&mut self, slices: Slices, words: Option<String>) -> Result<Ended, FetchError> {
        self.slices = slices;
        let Some(slice) = self.slices.next() else { return Ok(Ended::Whole) };
        let words = words.unwrap_or_else(|| format!("{}-{}", slice.0, slice.1));
        for command in [&OVER, &XOVER] {
            let heard = match self.page.session.ask(command, words.as_bytes()).await {
                Ok(heard) => heard,
                Err(error) => return Ok(Ended::Cut(error.detail)),
            };
            match &heard {
                Err(_) if is_unknown(&heard) => {}
                Err(reply) if !is_empty(reply) => {
                    return Ok(Ended::Cut(self.page.session.refused(command, reply, "").detail));
                }
                _ => return self.run(command, slice, heard).await,
            }
        }
        Ok(Ended::Cut(format!("{} gives no overview any more.", self.page.session.key.endpoint)))
    }
}

/// The rows of some numbers, from the newest piece to the oldest.
pub(super) struct Rows<'a> {
    known: &'a Known,
    places: std::vec::IntoIter<usize>,
    range: Slice,
    /// The first number up to which all was given.
    pub reached: u64,
}

impl Rows<'_> {
    pub fn of(known: &Known, range: Slice) -> Rows<'_> {
        let places = if range.0 <= range.1 { known.places(range) } else { Vec::new() };
        Rows { known, places: places.into_iter(), range, reached: range.1.saturating_add(1).max(range.0) }
    }

    /// The next piece, as a slice's lines with their end, at most so many of the newest; `None` inside for a damaged one.
    pub async fn next(&mut self, left: &mut u64) -> Option<Option<Vec<u8>>> {
        let at = self.places.next()?;
        let Some(lines) = self.known.lines(at).await else { return Some(None) };
        let (first, last) = self.range;
        let wanted = |line: &&[u8]| number(line).is_some_and(|number| (first..=last).contains(&number));
        let lines: Vec<&[u8]> = lines.split_inclusive(|octet| *octet == b'\n').filter(wanted).collect();
        let skipped = lines.len().saturating_sub(usize::try_from(*left).unwrap_or(usize::MAX));
        *left -= (lines.len() - skipped) as u64;
        self.reached = self.known.first_of(at).max(first);
        let mut octets = lines[skipped..].concat();
        octets.push(b'\n');
        Some(Some(octets))
    }
}

/// What a page of what is kept says of itself.
pub(super) fn status(time: SystemTime, error: Option<&FetchError>) -> String {
    let why = match error {
        None => "",
        Some(error) if is_turned_down(error) => "; the server turned us down",
        Some(_) => "; the server does not answer",
    };
    format!("kept {}{why}", kept::ago(time))
}

/// Says in its head that a page is what was kept at that time. Where nobody was to be asked it is a copy as those of other spaces are.
fn note(head: &mut Head, time: SystemTime, error: Option<&FetchError>) {
    match error {
        Some(error) if is_unasked(error) => head.kept = time.try_into().ok(),
        _ => head.status = Some(status(time, error)),
    }
}

/// Whether a server was there and would not serve, as its greeting or what it said instead of an answer has it.
pub(super) fn is_turned_down(error: &FetchError) -> bool {
    matches!(error.kind, Kind::Said | Kind::Denied)
}

/// Whether nobody was to be asked.
fn is_unasked(error: &FetchError) -> bool {
    error.kind == Kind::Stopped
}

/// Whether a server was not there.
pub(super) fn is_unreachable(error: &FetchError) -> bool {
    matches!(error.kind, Kind::NoSuchHost | Kind::Refused | Kind::TimedOut | Kind::Broken)
}

/// An article that is kept, wherever it came from. Nobody is asked: what an id names does not change. Whoever reloads it wants to
/// hear it from the server.
pub(super) async fn article(
    id: &[u8],
    keys: &[Key],
    request: &Request,
    exchange: &mut Exchange,
    context: &Context,
) -> Option<Result<End, FetchError>> {
    if request.body.is_some() || request.unless.is_some() {
        return None;
    }
    for key in keys {
        if let Some((octets, time)) = find(context.kept.articles(&key.name()), id).await {
            return Some(shown(octets, time, None, request, exchange, context).await);
        }
    }
    None
}

async fn find(articles: Option<Articles>, id: &[u8]) -> Option<(Vec<u8>, SystemTime)> {
    articles?.find(id).await
}

async fn shown(
    octets: Vec<u8>,
    time: SystemTime,
    silent: Option<&FetchError>,
    request: &Request,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<End, FetchError> {
    let mut relay = Relay::new(exchange, media::MESSAGE, &context.limits);
    let media = request.media.clone().unwrap_or_else(|| media::MESSAGE.into());
    let mut head = Head::new(request.url.without_fragment(), media);
    note(&mut head, time, silent);
    // Asked for again it is asked for elsewhere.
    head.validator = Some("kept".into());
    head.lines = vec![match silent {
        Some(error) => error.detail.clone(),
        None => "from what is kept on this disk; no server was asked".into(),
    }];
    if relay.head(head).await? == Verdict::Refuse {
        return Ok(End::default());
    }
    let cut = (relay.pass(octets).await? == Room::Full).then(|| relay.cut());
    Ok(End { cut })
}

/// No server could be reached, or it would not serve: what is kept is shown, and why.
///
/// # Errors
/// Nothing is kept of it: the failure.
pub(super) async fn without_server(
    wanted: &Wanted,
    key: &Key,
    error: FetchError,
    request: &Request,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<End, FetchError> {
    if !(is_unreachable(&error) || is_turned_down(&error) || is_unasked(&error))
        || request.body.is_some()
        || exchange.has_head()
    {
        return Err(error);
    }
    let name = match wanted {
        Wanted::Group(name, _) | Wanted::Words(name, _) | Wanted::Number(name, _) => name,
        Wanted::Article(id) => {
            return match find(context.kept.articles(&key.name()), id).await {
                Some((octets, time)) => shown(octets, time, Some(&error), request, exchange, context).await,
                None => Err(error),
            };
        }
        Wanted::Groups(_) => return Err(error),
    };
    let Some(group) = context.kept.group(&key.name(), name) else { return Err(error) };
    let Opened::Known(known) = group.open().await else { return Err(error) };
    let range = match wanted {
        Wanted::Number(_, wanted) => {
            let line = known.line(*wanted).await.unwrap_or_default();
            let id = line.split(|octet| *octet == b'\t').nth(4).unwrap_or_default();
            let id = id.strip_prefix(b"<").and_then(|id| id.strip_suffix(b">")).unwrap_or_default();
            return match find(context.kept.articles(&key.name()), id).await {
                Some((octets, time)) => shown(octets, time, Some(&error), request, exchange, context).await,
                None => Err(error),
            };
        }
        Wanted::Group(_, range) => *range,
        _ => None,
    };
    let words = if matches!(wanted, Wanted::Words(..)) { "\t-\tkept" } else { "" };
    let facts = Facts { count: None, low: known.low.max(known.bottom()), high: known.top() };
    let (low, high) = match range {
        Some(Range { first, last }) => (first, last.unwrap_or(u64::MAX)),
        None => facts.clip(None),
    };
    let media = request.media.clone().unwrap_or_else(|| media::NEWSGROUP.into());
    let mut head = Head::new(request.url.without_fragment(), media);
    head.title = Some(text(name));
    note(&mut head, known.time, Some(&error));
    head.notices = vec![format!("{} This is what was kept of the group {}.", error.detail, kept::ago(known.time))];
    let mut relay = Relay::new(exchange, media::NEWSGROUP, &context.limits);
    if relay.head(head).await? == Verdict::Refuse {
        return Ok(End::default());
    }
    relay.pass([name, format!("\t{}\t{}\t\t{words}\n", facts.low, facts.high).as_bytes()].concat()).await?;
    let mut left = if range.is_none() && words.is_empty() { context.news.most() } else { u64::MAX };
    let mut rows = Rows::of(&known, (low, high));
    while left > 0 {
        match rows.next(&mut left).await {
            Some(Some(octets)) => {
                if relay.pass(octets).await? == Room::Full {
                    return Ok(End { cut: Some(relay.cut()) });
                }
            }
            Some(None) => {
                let Opened::Damaged(sentence) = group.damaged() else { break };
                return Ok(End { cut: Some(sentence) });
            }
            None => break,
        }
    }
    Ok(End::default())
}
