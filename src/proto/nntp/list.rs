//! Lists of groups, and what else a server is asked about itself.

use super::command::{Command, DATE, LIST_ACTIVE, LIST_COUNTS, LIST_NEWSGROUPS, NEWGROUPS};
use super::page::{Ended, Page, left_out};
use super::reply::text;
use super::{Task, Visit, keys, visit};
use crate::config::fits_wildmat;
use crate::format::media;
use crate::proto::{Context, End, Exchange, FetchError, Kind, Request};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

impl Visit<'_> {
    /// All groups, or those that fit a wildmat: names and numbers first, descriptions after them.
    pub(super) async fn groups(mut self, pattern: Option<&[u8]>) -> Result<End, FetchError> {
        self.session.compress().await?;
        let active = if self.session.offers("LIST", "COUNTS").await? { &LIST_COUNTS } else { &LIST_ACTIVE };
        let active = self.list(active, pattern).await?;
        let title = match pattern {
            Some(pattern) => text(pattern),
            None => format!("Newsgroups of {}", self.session.key.place.host),
        };
        let head = self.head(media::NEWSGROUPS, Some(title));
        let Some(mut page) = Page::begin(self, media::NEWSGROUPS, head).await? else { return Ok(End::default()) };
        let mut nonsense = 0;
        let wanted = |name: &[u8]| pattern.is_none_or(|pattern| fits_wildmat(pattern, name));
        let group = &mut |line: &[u8], out: &mut Vec<u8>| match Group::of(active, line) {
            Some(group) if wanted(group.name) => group.put(out),
            Some(_) => {}
            None => nonsense += 1,
        };
        if let Ended::Cut(remark) = page.lines(group).await? {
            return Ok(End { cut: Some(remark) });
        }
        let described = describe(&mut page, pattern, &wanted).await?;
        let lines = nonsense + page.dropped;
        Ok(End {
            cut: match described {
                Ended::Cut(remark) => Some(remark),
                Ended::Whole => left_out(lines),
            },
        })
    }

    /// Asks for the groups of a pattern, or for all where the server cannot choose among them.
    async fn list(&mut self, active: &'static Command, pattern: Option<&[u8]>) -> Result<&'static Command, FetchError> {
        let mut heard = self.session.ask(active, pattern.unwrap_or_default()).await?;
        if pattern.is_some() && heard.as_ref().is_err_and(|reply| matches!(reply.code, 500 | 501 | 503)) {
            heard = self.session.ask(active, b"").await?;
        }
        self.session.good(active, heard, "").map(|_| active)
    }
}

/// Descriptions, in lines of their own. A server that has none has none.
async fn describe(
    page: &mut Page<'_>,
    pattern: Option<&[u8]>,
    wanted: &(dyn Fn(&[u8]) -> bool + Sync),
) -> Result<Ended, FetchError> {
    match page.session.ask(&LIST_NEWSGROUPS, pattern.unwrap_or_default()).await {
        Ok(Ok(_)) => {}
        Ok(Err(_)) => return Ok(Ended::Whole),
        Err(error) => return Ok(Ended::Cut(error.detail)),
    }
    let describe = &mut |line: &[u8], out: &mut Vec<u8>| {
        let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
        let (name, words) = (&line[..end], line[end..].trim_ascii());
        if !name.is_empty() && !words.is_empty() && wanted(name) {
            field(name, out);
            out.extend_from_slice(b"\t\t\t\t\t");
            field(words, out);
            out.push(b'\n');
        }
    };
    page.lines(describe).await
}

/// A group in a list: `name high low status` (RFC 3977, 7.6.3), with counts `name high low count status` (RFC 6048, 3).
struct Group<'a> {
    name: &'a [u8],
    low: &'a [u8],
    high: &'a [u8],
    count: &'a [u8],
    status: &'a [u8],
}

impl Group<'_> {
    fn of<'a>(command: &Command, line: &'a [u8]) -> Option<Group<'a>> {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let number = |word: Option<&'a [u8]>| word.filter(|word| word.iter().all(u8::is_ascii_digit)).map(unpadded);
        let name = words.next()?;
        let (high, low) = (number(words.next())?, number(words.next())?);
        let count = if command.verb == LIST_COUNTS.verb { number(words.next())? } else { b"" };
        Some(Group { name, low, high, count, status: words.next().unwrap_or_default() })
    }

    fn put(&self, out: &mut Vec<u8>) {
        for part in [self.name, self.low, self.high, self.count, self.status] {
            field(part, out);
            out.push(b'\t');
        }
        out.push(b'\n');
    }
}

/// INN writes its numbers with zeros before them.
fn unpadded(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    &digits[zeros.min(digits.len().saturating_sub(1))..]
}

/// A field without what would end it.
fn field(octets: &[u8], out: &mut Vec<u8>) {
    out.extend(octets.iter().map(|octet| if matches!(octet, b'\t' | b'\r' | 0) { b' ' } else { *octet }));
}

/// A server's clock (DATE). What is new since a visit is asked for by it, not by this machine's.
///
/// # Errors
/// As for any fetch, and a server that has no clock.
pub async fn date(request: &Request, exchange: &mut Exchange, context: &Context) -> Result<Timestamp, FetchError> {
    let task: Task<'_, Timestamp> = Box::new(|visit| Box::pin(visit.date()));
    on_first(request, exchange, context, task).await
}

/// The names of the groups that a server has had since a time of its own clock (NEWGROUPS).
///
/// # Errors
/// As for any fetch.
pub async fn new_groups(
    request: &Request,
    since: Timestamp,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<Vec<Vec<u8>>, FetchError> {
    let task: Task<'_, Vec<Vec<u8>>> = Box::new(move |visit| Box::pin(visit.new_groups(since)));
    on_first(request, exchange, context, task).await
}

async fn on_first<T>(
    request: &Request,
    exchange: &mut Exchange,
    context: &Context,
    task: Task<'_, T>,
) -> Result<T, FetchError> {
    let keys = keys(request, context)?;
    match keys.first() {
        Some(key) => visit(key, request, exchange, context, task).await,
        None => Err(FetchError::new(Kind::Unsupported, "There is no server to ask.")),
    }
}

impl Visit<'_> {
    async fn date(self) -> Result<Timestamp, FetchError> {
        let heard = self.session.ask(&DATE, b"").await?;
        let reply = self.session.good(&DATE, heard, "")?;
        let time = DateTime::strptime("%Y%m%d%H%M%S", reply.rest.get(..14).unwrap_or_default());
        time.and_then(|time| TimeZone::UTC.to_timestamp(time)).map_err(|_| {
            let place = &self.session.key.place;
            FetchError::new(Kind::Malformed, format!("{place} tells a time that is none: {}", reply.words()))
        })
    }

    async fn new_groups(self, since: Timestamp) -> Result<Vec<Vec<u8>>, FetchError> {
        let since = TimeZone::UTC.to_datetime(since).strftime("%Y%m%d %H%M%S GMT").to_string();
        let heard = self.session.ask(&NEWGROUPS, since.as_bytes()).await?;
        self.session.good(&NEWGROUPS, heard, "")?;
        let lines = self.session.lines(&NEWGROUPS).await?;
        Ok(lines.iter().filter_map(|line| Group::of(&LIST_ACTIVE, line)).map(|group| group.name.to_vec()).collect())
    }
}
