//! A group's page: what it holds, then its overview, from the newest articles to the oldest.

use super::Visit;
use super::command::{Command, GROUP, HDR, HEAD, LIST_FORMAT, LISTGROUP, OVER, XHDR, XOVER};
use super::keeper::Keeper;
use super::overview::{self, Overview};
use super::page::{Ended, Page};
use super::reply::{Reply, text};
use super::session::Heard;
use super::slices::{Slice, Slices};
use crate::format::media;
use crate::proto::{End, FetchError, Head, Kind};
use crate::url::scheme::news::Range;
use std::collections::{BTreeMap, VecDeque};

/// Slices that are asked for while one is read.
const AHEAD: usize = 2;
/// Octets of lines that wait for the overview's format.
const HELD: usize = 4 << 20;
/// Articles that are looked at one by one where a server has no overviews.
const SINGLE: usize = 200;
/// Of those, how many at once.
const TOGETHER: usize = 20;
/// Numbers that are asked for as such in a group that has far more numbers than articles.
const NUMBERS: u64 = 20_000;
/// Octets of such an answer: the count that it is asked by is an estimate.
const NUMBERS_OCTETS: usize = 2 << 20;
/// A group of fewer numbers is not worth a question of its own.
const FEW: u64 = 1_000;
/// Headers that make up for an overview, in its order.
const FIELDS: [&str; 5] = ["Subject", "From", "Date", "Message-ID", "References"];

const WITHOUT_SIZES: &str =
    "This server gives no overviews. The list is made of the articles' headers, and their sizes are not known.";
const ONE_BY_ONE: &str = "This server gives no overviews. The newest articles were looked at one by one, and older ones are not \
                          listed.";

/// What GROUP says.
pub(super) struct Facts {
    pub count: Option<u64>,
    pub low: u64,
    pub high: u64,
}

impl Facts {
    /// Empty groups have a high number below the low one, or 0 everywhere (RFC 3977, 6.1.1.2).
    pub fn of(reply: &Reply) -> Option<Facts> {
        Some(Facts { count: reply.number(0), low: reply.number(1)?, high: reply.number(2)? })
    }

    /// Whether most of its numbers have no article any more.
    fn is_sparse(&self) -> bool {
        let span = self.high.saturating_sub(self.low);
        span >= FEW && self.count.is_some_and(|count| (1..=NUMBERS).contains(&count) && count < span / 2)
    }

    /// The numbers that a request wants of it.
    pub fn clip(&self, range: Option<Range>) -> (u64, u64) {
        match range {
            Some(Range { first, last }) => (self.low.max(first), self.high.min(last.unwrap_or(u64::MAX))),
            None => (self.low, self.high),
        }
    }
}

/// How a server tells of articles.
#[derive(Clone, Copy)]
enum Way {
    /// Many at once.
    Overview(&'static Command),
    /// Some of their headers, each of many at once.
    Fields(&'static Command),
    /// Their headers, one by one.
    Headers,
}

impl Visit<'_> {
    /// A group, or some numbers of it.
    pub(super) async fn group(mut self, group: &[u8], range: Option<Range>) -> Result<End, FetchError> {
        let heard = self.session.ask(&GROUP, group).await?;
        let reply = self.session.good(&GROUP, heard, &format!("\"{}\"", text(group)))?;
        let Some(facts) = Facts::of(&reply) else {
            let detail = format!("{} does not say which articles it has: {}", self.session.key.endpoint, reply.words());
            return Err(FetchError::new(Kind::Malformed, detail));
        };
        self.session.group = Some(group.to_vec());
        let limit = if range.is_none() { self.context.news.most() } else { u64::MAX };
        let (low, high) = facts.clip(range);
        if let Some(shown) = self.shown.take() {
            return self.completed(group, &facts, &shown, limit).await;
        }
        let mut own = self.own(group, &facts).await?;
        if let Some(kept) = own.known.take() {
            let new = high.saturating_sub(kept.top());
            // What is asked for is known but for its end, and that is not more than is shown at all.
            let serves = match range {
                None => new < limit,
                Some(_) => kept.covers((low, high)),
            };
            if serves {
                return self.known(group, &facts, own, kept, range, limit).await;
            }
        }
        let known = if facts.is_sparse() { self.numbers(group).await? } else { None };
        let older = known.as_ref().map(|numbers| older(numbers, (low, high), limit)).unwrap_or_default();
        let mut slices = match &known {
            Some(numbers) => Slices::among(numbers, low, high, limit),
            None => Slices::new(low, high, limit),
        };
        // Asked before the head is said, so that a demand for a login comes in time.
        let first = match slices.next() {
            Some(slice) => Some((slice, self.first(slice).await?)),
            None => None,
        };
        let title = Some(text(group));
        let remark = first.as_ref().and_then(|(_, (way, _))| way.remark());
        own.notices.extend(remark.map(str::to_owned));
        let head = Head { notices: own.notices, ..self.head(media::NEWSGROUP, title) };
        let posting = self.posting();
        let Some(mut page) = Page::begin(self, media::NEWSGROUP, head).await? else { return Ok(End::default()) };
        let count = facts.count.map(|count| count.to_string()).unwrap_or_default();
        let numbers = format!("\t{}\t{}\t{count}\t{posting}{older}\n", facts.low, facts.high);
        page.pass(&[group, numbers.as_bytes()].concat()).await?;
        let keeper = Keeper::new(own.group.clone(), (high < facts.high).then(|| high.saturating_add(1)));
        let mut listing = Listing { page, slices, overview: Overview::default(), nonsense: 0, keeper };
        let ended = match first {
            Some((slice, (Way::Overview(command), heard))) => listing.run(command, slice, heard).await,
            Some((slice, (Way::Fields(command), heard))) => listing.fields(command, slice, heard).await,
            Some((_, (Way::Headers, _))) => listing.headers(newest(known, low, high)).await,
            None => Ok(Ended::Whole),
        }?;
        if ended == Ended::Whole && listing.slices.is_through() {
            listing.keeper.floor(low);
        }
        if let Some(group) = own.group {
            group.heard(facts.low);
        }
        Ok(End { cut: listing.remark(ended) })
    }

    /// Asks for the first slice in the way that the server knows.
    async fn first(&mut self, (first, last): Slice) -> Result<(Way, Heard), FetchError> {
        let range = format!("{first}-{last}");
        let mut heard = self.session.ask(&OVER, range.as_bytes()).await?;
        let mut command = &OVER;
        if is_unknown(&heard) {
            command = &XOVER;
            heard = self.session.ask(&XOVER, range.as_bytes()).await?;
        }
        let Err(refusal) = &heard else { return Ok((Way::Overview(command), heard)) };
        if !is_unknown(&heard) {
            return match is_empty(refusal) {
                true => Ok((Way::Overview(command), heard)),
                false => Err(self.session.refused(command, refusal, "")),
            };
        }
        let words = format!("{} {range}", FIELDS[0]);
        for command in [&HDR, &XHDR] {
            let fields = self.session.ask(command, words.as_bytes()).await?;
            if fields.as_ref().is_ok() || fields.as_ref().is_err_and(is_empty) {
                return Ok((Way::Fields(command), fields));
            }
        }
        // Who may see no overviews and no single header may see no article.
        if refusal.code == 502 { Err(self.session.refused(command, refusal, "")) } else { Ok((Way::Headers, heard)) }
    }

    /// The numbers that have an article, in order; `None` where the server does not tell.
    async fn numbers(&mut self, group: &[u8]) -> Result<Option<Vec<u64>>, FetchError> {
        if self.session.ask(&LISTGROUP, group).await?.is_err() {
            return Ok(None);
        }
        let lines = self.session.lines_within(&LISTGROUP, NUMBERS_OCTETS).await?;
        let number = |line: &Vec<u8>| std::str::from_utf8(line.trim_ascii()).ok()?.parse::<u64>().ok();
        let mut numbers: Vec<u64> = lines.iter().filter_map(number).filter(|number| *number > 0).collect();
        numbers.sort_unstable();
        numbers.dedup();
        Ok(Some(numbers))
    }
}

impl Way {
    /// What the reader misses.
    fn remark(self) -> Option<&'static str> {
        match self {
            Way::Overview(_) => None,
            Way::Fields(_) => Some(WITHOUT_SIZES),
            Way::Headers => Some(ONE_BY_ONE),
        }
    }
}

/// Where the articles stand that come before those that are asked for, as many again; `-` for none.
fn older(numbers: &[u64], (low, high): Slice, limit: u64) -> String {
    let (before, wanted) =
        (numbers.partition_point(|number| *number < low), numbers.partition_point(|number| *number <= high));
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let asked = wanted.saturating_sub(before).min(limit);
    let older = &numbers[..wanted - asked];
    let older = &older[older.len().saturating_sub(asked.max(1))..];
    match (older.first(), older.last()) {
        (Some(first), Some(last)) => format!("\t{first}-{last}"),
        _ => "\t-".into(),
    }
}

/// The newest numbers, as far as it is known which there are.
fn newest(numbers: Option<Vec<u64>>, low: u64, high: u64) -> Vec<u64> {
    match numbers {
        Some(mut numbers) => {
            numbers.retain(|number| (low..=high).contains(number));
            numbers.split_off(numbers.len().saturating_sub(SINGLE))
        }
        None => (high.saturating_sub(SINGLE as u64 - 1).max(low).max(1)..=high).collect(),
    }
}

/// Servers answer 502 as well to what they do not offer.
pub(super) fn is_unknown(heard: &Heard) -> bool {
    heard.as_ref().is_err_and(|reply| matches!(reply.code, 500..=503))
}

/// No articles in a slice is no failure.
pub(super) fn is_empty(reply: &Reply) -> bool {
    matches!(reply.code, 420 | 423)
}

/// A group's lines on their way.
pub(super) struct Listing<'a> {
    pub page: Page<'a>,
    pub slices: Slices,
    pub overview: Overview,
    /// Lines without a number.
    pub nonsense: u64,
    /// What is kept of them.
    pub keeper: Keeper,
}

impl Listing<'_> {
    pub async fn run(&mut self, command: &Command, slice: Slice, heard: Heard) -> Result<Ended, FetchError> {
        let ended = match heard {
            Ok(_) => self.first(slice).await?,
            Err(_) => self.empty(slice).await?,
        };
        if ended != Ended::Whole {
            return Ok(ended);
        }
        if self.slices.is_long()
            && let Err(error) = self.page.session.compress().await
        {
            return Ok(Ended::Cut(error.detail));
        }
        let mut asked = VecDeque::new();
        loop {
            while asked.len() < AHEAD
                && let Some(slice) = self.slices.next()
            {
                let range = format!("{}-{}", slice.0, slice.1);
                if let Err(error) = self.page.session.send(command, range.as_bytes()).await {
                    return Ok(Ended::Cut(error.detail));
                }
                asked.push_back(slice);
            }
            let Some(slice) = asked.pop_front() else { return Ok(Ended::Whole) };
            self.keeper.rest().await;
            let ended = match self.page.session.hear(command).await {
                Ok(Ok(_)) => self.slice(slice).await?,
                Ok(Err(reply)) if is_empty(&reply) => self.empty(slice).await?,
                Ok(Err(reply)) => Ended::Cut(self.page.session.refused(command, &reply, "").detail),
                Err(error) => Ended::Cut(error.detail),
            };
            if ended != Ended::Whole {
                return Ok(ended);
            }
        }
    }

    async fn slice(&mut self, slice: Slice) -> Result<Ended, FetchError> {
        let (mut count, mut nonsense) = (0, 0);
        let (overview, keeper) = (&self.overview, &mut self.keeper);
        keeper.begin(slice);
        let shape = &mut |line: &[u8], out: &mut Vec<u8>| {
            let before = out.len();
            match overview.shape(line, out) {
                true => {
                    count += 1;
                    keeper.line(&out[before..]);
                }
                false => {
                    nonsense += 1;
                    keeper.doubt();
                }
            }
        };
        let ended = self.page.overviews(shape).await?;
        self.kept(slice, &ended);
        self.nonsense += nonsense;
        self.slices.came(slice, count);
        if ended == Ended::Whole { self.page.pass(b"\n").await } else { Ok(ended) }
    }

    /// What is kept of a slice whose answer has ended.
    fn kept(&mut self, slice: Slice, ended: &Ended) {
        match ended {
            Ended::Whole => self.keeper.end(slice),
            Ended::Cut(_) => self.keeper.cut(),
        }
    }

    async fn empty(&mut self, slice: Slice) -> Result<Ended, FetchError> {
        self.keeper.begin(slice);
        self.keeper.end(slice);
        self.slices.came(slice, 0);
        self.page.pass(b"\n").await
    }

    /// The first slice, which shows whether the server's lines are in the usual order. If not, they wait for the format.
    async fn first(&mut self, slice: Slice) -> Result<Ended, FetchError> {
        let (mut count, mut nonsense) = (0, 0);
        let mut odd = None;
        let mut held = Vec::new();
        let mut octets = 0;
        let usual = Overview::default();
        let keeper = &mut self.keeper;
        keeper.begin(slice);
        let shape = &mut |line: &[u8], out: &mut Vec<u8>| {
            if *odd.get_or_insert_with(|| Overview::is_odd(line)) && octets + line.len() <= HELD {
                octets += line.len();
                held.push(line.to_vec());
                return;
            }
            let before = out.len();
            match usual.shape(line, out) {
                true => {
                    count += 1;
                    keeper.line(&out[before..]);
                }
                false => {
                    nonsense += 1;
                    keeper.doubt();
                }
            }
        };
        let mut ended = self.page.overviews(shape).await?;
        if ended == Ended::Whole && odd == Some(true) {
            ended = self.learn_format().await;
        }
        let mut out = Vec::new();
        for line in held {
            let before = out.len();
            match self.overview.shape(&line, &mut out) {
                true => {
                    count += 1;
                    self.keeper.line(&out[before..]);
                }
                false => {
                    nonsense += 1;
                    self.keeper.doubt();
                }
            }
        }
        self.kept(slice, &ended);
        self.nonsense += nonsense;
        self.slices.came(slice, count);
        if ended == Ended::Whole {
            out.push(b'\n');
        }
        let passed = self.page.pass(&out).await?;
        Ok(if ended == Ended::Whole { passed } else { ended })
    }

    async fn learn_format(&mut self) -> Ended {
        let session = &mut *self.page.session;
        let format = match session.ask(&LIST_FORMAT, b"").await {
            Ok(Ok(_)) => session.lines(&LIST_FORMAT).await,
            Ok(Err(_)) => return Ended::Whole,
            Err(error) => Err(error),
        };
        match format {
            Ok(format) => {
                self.overview = Overview::of(&format);
                Ended::Whole
            }
            Err(error) => Ended::Cut(error.detail),
        }
    }

    /// Overviews made of single headers, each asked for a whole slice.
    async fn fields(&mut self, command: &Command, slice: Slice, subjects: Heard) -> Result<Ended, FetchError> {
        let (mut slice, mut subjects) = (slice, Some(subjects));
        loop {
            for name in &FIELDS[usize::from(subjects.is_some())..] {
                let words = format!("{name} {}-{}", slice.0, slice.1);
                if let Err(error) = self.page.session.send(command, words.as_bytes()).await {
                    return Ok(Ended::Cut(error.detail));
                }
            }
            let mut rows: BTreeMap<u64, [Vec<u8>; FIELDS.len()]> = BTreeMap::new();
            for at in 0..FIELDS.len() {
                let heard = match subjects.take() {
                    Some(heard) => heard,
                    None => match self.page.session.hear(command).await {
                        Ok(heard) => heard,
                        Err(error) => return Ok(Ended::Cut(error.detail)),
                    },
                };
                let ended = match heard {
                    Ok(_) => self.page.lines(&mut |line, _| overview::field(line, slice, at, &mut rows)).await?,
                    Err(reply) if is_empty(&reply) => Ended::Whole,
                    Err(reply) => Ended::Cut(self.page.session.refused(command, &reply, "").detail),
                };
                if ended != Ended::Whole {
                    return Ok(ended);
                }
            }
            self.slices.came(slice, rows.len() as u64);
            let mut out = Vec::new();
            for (number, fields) in &rows {
                self.overview.shape(&overview::of_fields(*number, fields), &mut out);
            }
            out.push(b'\n');
            let ended = self.page.pass(&out).await?;
            slice = match self.slices.next() {
                Some(slice) if ended == Ended::Whole => slice,
                _ => return Ok(ended),
            };
        }
    }

    /// The newest articles by their headers, some at once: what takes a thousand questions is not asked.
    async fn headers(&mut self, numbers: Vec<u64>) -> Result<Ended, FetchError> {
        for together in numbers.rchunks(TOGETHER) {
            let mut out = Vec::new();
            if let Err(error) = self.together(together, &mut out).await {
                return Ok(Ended::Cut(error.detail));
            }
            out.push(b'\n');
            let ended = self.page.pass(&out).await?;
            if ended != Ended::Whole {
                return Ok(ended);
            }
        }
        Ok(Ended::Whole)
    }

    async fn together(&mut self, numbers: &[u64], out: &mut Vec<u8>) -> Result<(), FetchError> {
        let session = &mut *self.page.session;
        for number in numbers {
            session.send(&HEAD, number.to_string().as_bytes()).await?;
        }
        for number in numbers {
            match session.hear(&HEAD).await? {
                Ok(_) => {
                    let headers = session.lines(&HEAD).await?;
                    self.overview.shape(&overview::of_headers(*number, &headers), out);
                }
                Err(reply) if is_empty(&reply) => {}
                Err(reply) => return Err(session.refused(&HEAD, &reply, "")),
            }
        }
        Ok(())
    }

    /// What the reader should know of the end.
    pub fn remark(&self, ended: Ended) -> Option<String> {
        match ended {
            Ended::Cut(remark) => Some(remark),
            Ended::Whole => super::page::left_out(self.page.dropped + self.nonsense),
        }
    }
}
