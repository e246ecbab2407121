//! Lists of groups: what the server says to everybody, the groups, which of them are new, what each is about.

use super::Visit;
use super::command::{Command, DATE, LIST_ACTIVE, LIST_COUNTS, LIST_MOTD, LIST_NEWSGROUPS, NEWGROUPS};
use super::page::{Ended, Page, left_out};
use super::reply::text;
use crate::config::fits_wildmat;
use crate::format::media;
use crate::proto::{End, FetchError, Head, Kind};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

impl Visit<'_> {
    /// All groups, or those that fit a wildmat: names and numbers first, descriptions after them.
    pub(super) async fn groups(mut self, pattern: Option<&[u8]>) -> Result<End, FetchError> {
        self.session.compress().await?;
        // Before the list, so that no group comes between the two unseen.
        let clock = match pattern {
            None if self.session.can("READER").await? => self.clock().await?,
            _ => None,
        };
        let notices = self.message_of_the_day().await?;
        let active = self.active(pattern).await?;
        let title = match pattern {
            Some(pattern) => text(pattern),
            None => format!("Newsgroups of {}", self.session.key.endpoint.host),
        };
        let since = self.request.since.filter(|_| clock.is_some());
        let head = Head { notices, clock, ..self.head(media::NEWSGROUPS, Some(title)) };
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
        if let Some(since) = since
            && let Ended::Cut(remark) = tell_new(&mut page, since).await?
        {
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

    /// Asks for the groups with their counts, where the server says that it has them and means it.
    async fn active(&mut self, pattern: Option<&[u8]>) -> Result<&'static Command, FetchError> {
        if self.session.offers("LIST", "COUNTS").await? {
            match self.list(&LIST_COUNTS, pattern).await {
                Err(error) if error.kind == Kind::Unsupported => self.session.offers_no_longer("LIST", "COUNTS"),
                listed => return listed,
            }
        }
        self.list(&LIST_ACTIVE, pattern).await
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

impl Visit<'_> {
    /// The server's own clock (DATE), where it has one: what is new since a visit is asked for by it, not by this machine's.
    async fn clock(&mut self) -> Result<Option<Timestamp>, FetchError> {
        let Ok(reply) = self.session.ask(&DATE, b"").await? else { return Ok(None) };
        let time = DateTime::strptime("%Y%m%d%H%M%S", reply.rest.get(..14).unwrap_or_default());
        Ok(time.and_then(|time| TimeZone::UTC.to_timestamp(time)).ok())
    }

    /// What the server says to everybody (RFC 6048, 2.5). Empty lines stand only between others, one at a time.
    async fn message_of_the_day(&mut self) -> Result<Vec<String>, FetchError> {
        if !self.session.offers("LIST", "MOTD").await? || self.session.ask(&LIST_MOTD, b"").await?.is_err() {
            return Ok(Vec::new());
        }
        let mut message: Vec<String> = Vec::new();
        for line in self.session.lines(&LIST_MOTD).await? {
            let line = text(line.trim_ascii_end());
            if !line.is_empty() || message.last().is_some_and(|last| !last.is_empty()) {
                message.push(line);
            }
        }
        message.pop_if(|line| line.is_empty());
        Ok(message)
    }
}

/// The groups that the server has had since a time of its own clock, in lines of their own (NEWGROUPS).
async fn tell_new(page: &mut Page<'_>, since: Timestamp) -> Result<Ended, FetchError> {
    let since = TimeZone::UTC.to_datetime(since).strftime("%Y%m%d %H%M%S GMT").to_string();
    match page.session.ask(&NEWGROUPS, since.as_bytes()).await {
        Ok(Ok(_)) => {}
        Ok(Err(_)) => return Ok(Ended::Whole),
        Err(error) => return Ok(Ended::Cut(error.detail)),
    }
    let name = &mut |line: &[u8], out: &mut Vec<u8>| {
        if let Some(group) = Group::of(&LIST_ACTIVE, line) {
            out.push(b'\t');
            field(group.name, out);
            out.push(b'\n');
        }
    };
    page.lines(name).await
}
