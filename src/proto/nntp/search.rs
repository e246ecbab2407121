//! Words that are sought in a group: the server is asked by XPAT (RFC 2980, 2.9) which articles may hold them and which hold encoded
//! words, in which it sees nothing, and for the overview of these; where it does not know that, the group's overview is looked through. Texts, and more than one group, are looked through in
//! what is kept on disk, and nobody is asked.
//!
//! Subjects and authors are decoded by whoever reads the page, so what goes out here is all that may be meant, and which of it is
//! meant is decided there. Only of texts it is decided here.

use super::Visit;
use super::block::Lines;
use super::command::{Command, GROUP, OVER, XOVER, XPAT};
use super::group::{Facts, Listing, is_empty, is_unknown};
use super::keeper::Keeper;
use super::kept::{Articles, Opened};
use super::known::{Rows, status};
use super::overview::Overview;
use super::page::{Ended, Page};
use super::reply::text;
use super::server::Key;
use super::session::{Heard, Posting};
use super::slices::{Slice, Slices};
use crate::format::{self, charset, media};
use crate::proto::relay::{Relay, Room};
use crate::proto::{Context, End, Exchange, FetchError, Head, Kind, Request, Verdict};
use crate::url::Url;
use crate::url::scheme::fits_wildmat;
use crate::url::scheme::sought::{ENCODED, Part, Sought};
use std::sync::Arc;

/// Numbers that are heard of one answer.
const HEARD: usize = 1_000_000;
/// Articles that are shown, the newest of what was found.
const SHOWN: usize = 20_000;
/// Ranges in which these are asked for.
const RANGES: usize = 200;
/// Lines of texts that are looked through between two looks at whether anybody still wants it.
const AT_ONCE: usize = 64;

impl Visit<'_> {
    /// Words in a group, as its server finds them.
    pub(super) async fn words(mut self, group: &[u8], sought: &Sought) -> Result<End, FetchError> {
        let (Some(header), Some(pattern)) = (sought.part.header(), sought.pattern()) else {
            return self.group(group, None).await;
        };
        let heard = self.session.ask(&GROUP, group).await?;
        let reply = self.session.good(&GROUP, heard, &format!("\"{}\"", text(group)))?;
        let Some(facts) = Facts::of(&reply).filter(|facts| facts.low <= facts.high && facts.high > 0) else {
            return self.group(group, None).await;
        };
        self.session.group = Some(group.to_vec());
        let all = (facts.low, facts.high);
        let Some(mut found) = self.matching(header, all, &pattern).await? else { return self.group(group, None).await };
        let encoded = self.matching(header, all, ENCODED).await?.unwrap_or_default();
        let (encoded, left_out) = found.newest(encoded);
        let mut slices = Slices::given(ranges(&found.numbers));
        let first = match slices.next() {
            Some(slice) => match self.overview(slice).await? {
                Some((command, heard)) => Some((command, slice, heard)),
                // It tells of articles in no way but the slow one.
                None => return self.group(group, None).await,
            },
            None => None,
        };
        let mut head = self.head(media::NEWSGROUP, Some(text(group)));
        head.notices.extend(left_out);
        let posting = if self.session.posting == Posting::Refused { "n" } else { "" };
        let Some(mut page) = Page::begin(self, media::NEWSGROUP, head).await? else { return Ok(End::default()) };
        let numbers = format!("\t{}\t{}\t\t{posting}\t-\tserver {encoded}\n", facts.low, facts.high);
        page.pass(&[group, numbers.as_bytes()].concat()).await?;
        let keeper = Keeper::new(None, None);
        let mut listing = Listing { page, slices, overview: Overview::default(), nonsense: found.nonsense, keeper };
        let ended = match first {
            Some((command, slice, heard)) => listing.run(command, slice, heard).await?,
            None => Ended::Whole,
        };
        Ok(End { cut: listing.remark(ended) })
    }

    /// Asks for the overview of some numbers in the way that the server knows.
    async fn overview(&mut self, (first, last): Slice) -> Result<Option<(&'static Command, Heard)>, FetchError> {
        for command in [&OVER, &XOVER] {
            let heard = self.session.ask(command, format!("{first}-{last}").as_bytes()).await?;
            match &heard {
                Err(_) if is_unknown(&heard) => {}
                Err(reply) if !is_empty(reply) => return Err(self.session.refused(command, reply, "")),
                _ => return Ok(Some((command, heard))),
            }
        }
        Ok(None)
    }

    /// Which articles have a header that fits a pattern; `None` where the server does not know how to look.
    async fn matching(&mut self, header: &str, (low, high): Slice, pattern: &str) -> Result<Option<Found>, FetchError> {
        let words = format!("{header} {low}-{high} {pattern}");
        let heard = self.session.ask(&XPAT, words.as_bytes()).await?;
        match &heard {
            Ok(_) => self.found((low, high)).await.map(Some),
            Err(_) if is_unknown(&heard) => Ok(None),
            Err(reply) if is_empty(reply) || reply.code == 430 => Ok(Some(Found::default())),
            Err(reply) => Err(self.session.refused(&XPAT, reply, "")),
        }
    }

    /// The numbers that begin the lines of an answer, as far as they were asked for.
    async fn found(&mut self, (low, high): Slice) -> Result<Found, FetchError> {
        let (mut octets, mut lines, mut read) = (Vec::new(), Lines::new(self.context.limits.line), 0);
        let mut found = Found::default();
        loop {
            let more = match self.session.block(&mut octets).await {
                Ok(more) => more,
                Err(lost) => return Err(self.session.lost(&XPAT, &lost)),
            };
            read += octets.len() as u64;
            lines.feed(&octets, &mut |line| match number(line).filter(|number| (low..=high).contains(number)) {
                Some(number) => found.numbers.push(number),
                None => found.nonsense += 1,
            });
            octets.clear();
            if found.numbers.len() > HEARD || read > self.context.limits.page {
                self.session.distrust();
                let detail = format!("{} finds more than can be shown.", self.session.key.endpoint);
                return Err(FetchError::new(Kind::TooLarge, detail).hint("More words find less."));
            }
            if !more {
                return Ok(found);
            }
        }
    }
}

/// What a server has found.
#[derive(Debug, Default)]
struct Found {
    numbers: Vec<u64>,
    /// Lines that are nothing that was asked for.
    nonsense: u64,
}

impl Found {
    /// Puts them in order, those behind them that are encoded, and keeps as many as are shown; says how many of these are encoded, and
    /// what that leaves out.
    fn newest(&mut self, mut encoded: Found) -> (usize, Vec<String>) {
        let left_out = |found: &mut Found, room: usize| {
            found.numbers.sort_unstable();
            found.numbers.dedup();
            let all = found.numbers.len();
            found.numbers.drain(..all.saturating_sub(room));
            (all > room).then_some(all)
        };
        let mut said = Vec::new();
        let over = left_out(self, SHOWN);
        said.extend(
            over.map(|all| format!("The server found {all} articles; these are among the newest {SHOWN} of them.")),
        );
        encoded.numbers.retain(|number| self.numbers.binary_search(number).is_err());
        let over = left_out(&mut encoded, SHOWN - self.numbers.len());
        let seen = encoded.numbers.len();
        said.extend(over.map(|all| format!("Of {all} that are encoded the newest {seen} were looked through.")));
        self.nonsense += encoded.nonsense;
        self.numbers.append(&mut encoded.numbers);
        self.numbers.sort_unstable();
        (seen, said)
    }
}

/// The number that a line begins with.
fn number(line: &[u8]) -> Option<u64> {
    let digits = line.split(u8::is_ascii_whitespace).next()?;
    let digits =
        std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|octet| octet.is_ascii_digit()))?;
    digits.parse().ok()
}

/// Few ranges in which numbers stand that are in order: what stands far from each other goes apart, as long as that makes not too many.
fn ranges(numbers: &[u64]) -> Vec<Slice> {
    let mut gap = 8;
    loop {
        let mut ranges: Vec<Slice> = Vec::new();
        for number in numbers {
            match ranges.last_mut() {
                Some((_, last)) if number - *last <= gap => *last = *number,
                _ => ranges.push((*number, *number)),
            }
        }
        if ranges.len() <= RANGES {
            return ranges;
        }
        gap *= 4;
    }
}

/// Words in what is kept of a group, or of all that fit a wildmat.
///
/// # Errors
/// Nothing is kept.
pub(super) async fn kept(
    group: &[u8],
    sought: Sought,
    key: &Key,
    request: &Request,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<End, FetchError> {
    let (server, several) = (key.name(), group.iter().any(|octet| b"*?".contains(octet)));
    let bodies = match sought.part {
        Part::Body => Some(super::collect::place(context, &server)?),
        Part::Subject | Part::Author => None,
    };
    let mut names = context.kept.groups(&server).await.ok_or_else(|| {
        FetchError::new(Kind::Unsupported, "No news is kept on disk here, and there is nothing else to look through.")
            .hint("A private tab and --safe keep none; else the setting news.keep says how much.")
    })?;
    names.retain(|name| if several { fits_wildmat(group, name) } else { name == group });
    if names.is_empty() {
        let detail = format!("Nothing of {} is kept on this disk, so there is nothing to look through.", text(group));
        let hint =
            "What was seen of a group is kept once it was open, and its articles once they were read or fetched.";
        return Err(FetchError::new(Kind::NotFound, detail).hint(hint));
    }
    let mut relay = Relay::new(exchange, media::NEWSGROUP, &context.limits);
    let media = request.media.clone().unwrap_or_else(|| media::NEWSGROUP.into());
    let mut head = Head::new(request.url.without_fragment(), media);
    (head.title, head.unkept) = (Some(text(group)), true);
    head.lines = vec!["from what is kept on this disk; no server was asked".into()];
    let search = Search { bodies, sought: Arc::new(sought), several, url: request.url.clone() };
    let mut opened = Vec::new();
    for name in &names {
        let Some(place) = context.kept.group(&server, name) else { continue };
        match place.open().await {
            Opened::Known(known) => opened.push((place, known)),
            Opened::Damaged(sentence) => head.notices.push(sentence),
            Opened::Nothing => {}
        }
    }
    head.status = opened.iter().map(|(_, known)| known.time).min().map(|time| status(time, None));
    if relay.head(head).await? == Verdict::Refuse {
        return Ok(End::default());
    }
    relay.pass([group, b"\t1\t0\t\t\t-\tkept\n"].concat()).await?;
    for (place, known) in opened {
        let (mut rows, mut left) = (Rows::of(&known, (known.low, known.top())), u64::MAX);
        while let Some(piece) = rows.next(&mut left).await {
            let Some(lines) = piece else {
                let Opened::Damaged(sentence) = place.damaged() else { break };
                return Ok(End { cut: Some(sentence) });
            };
            for out in search.pieces(&lines).await {
                if relay.pass(search.passed(out).await).await? == Room::Full {
                    return Ok(End { cut: Some(relay.cut()) });
                }
            }
        }
    }
    Ok(End::default())
}

/// What is sought in kept lines.
struct Search {
    /// Where the texts are, if these are looked through.
    bodies: Option<Articles>,
    sought: Arc<Sought>,
    /// In several groups, so that a number says nothing.
    several: bool,
    url: Url,
}

impl Search {
    /// Lines that are looked through at once; of those without a text only how many there are is of interest.
    async fn pieces(&self, lines: &[u8]) -> Vec<Vec<Vec<u8>>> {
        let all: Vec<Vec<u8>> =
            lines.split_inclusive(|octet| *octet == b'\n').filter(|line| line.len() > 1).map(<[u8]>::to_vec).collect();
        let Some(bodies) = self.bodies.clone() else { return vec![all] };
        let here = move || all.into_iter().filter(|line| bodies.has(id(line))).collect::<Vec<_>>();
        let here = tokio::task::spawn_blocking(here).await.unwrap_or_default();
        here.chunks(AT_ONCE).map(<[Vec<u8>]>::to_vec).collect()
    }

    /// Those that may be meant, and behind them how many others were looked at.
    async fn passed(&self, lines: Vec<Vec<u8>>) -> Vec<u8> {
        let (mut out, mut others) = (Vec::new(), 0);
        for line in lines {
            match self.is_meant(&line).await {
                Some(true) => {
                    let from =
                        if self.several { line.iter().position(|octet| *octet == b'\t').unwrap_or(0) } else { 0 };
                    out.extend_from_slice(&line[from..]);
                }
                Some(false) => others += 1,
                None => {}
            }
        }
        out.extend_from_slice(format!("=\t{others}\n\n").as_bytes());
        out
    }

    /// Whether a line may be meant; `None` for one whose text is not here.
    async fn is_meant(&self, line: &[u8]) -> Option<bool> {
        let Some(bodies) = &self.bodies else { return Some(self.sought.may_be_in(line)) };
        let (octets, _) = bodies.find(id(line)).await?;
        let (sought, url) = (Arc::clone(&self.sought), self.url.clone());
        tokio::task::spawn_blocking(move || is_in_text(&sought, &octets, url)).await.ok()
    }
}

/// The id of a line, without `< >`.
fn id(line: &[u8]) -> &[u8] {
    let id = line.split(|octet| *octet == b'\t').nth(4).unwrap_or_default();
    id.strip_prefix(b"<").and_then(|id| id.strip_suffix(b">")).unwrap_or_default()
}

/// Whether words stand in the text of an article, as it would be shown.
fn is_in_text(sought: &Sought, octets: &[u8], url: Url) -> bool {
    let (charset, groups) = (None, charset::Groups::default());
    let input = format::Input { media: media::MESSAGE.into(), charset, groups, url, notices: Vec::new() };
    let Some(document) = format::parse(&input, &without_headers(octets)) else { return false };
    let mut text = String::new();
    let first = document.content.map_or(0, |content| content.block as usize);
    for block in first..document.blocks().len() {
        text.push_str(document.block_text(u32::try_from(block).unwrap_or(u32::MAX)));
        text.push('\n');
    }
    sought.is_in(&text)
}

/// An article with only those headers that say how its text is to be read.
fn without_headers(octets: &[u8]) -> Vec<u8> {
    let (mut out, mut rest, mut wanted) = (b"Lines: 1\r\n".to_vec(), octets, false);
    while !rest.is_empty() {
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |lf| lf + 1);
        let (line, after) = rest.split_at(end);
        if line.trim_ascii().is_empty() {
            break;
        }
        if !line.starts_with(b" ") && !line.starts_with(b"\t") {
            let is = |name: &[u8]| line.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
            wanted = is(b"content-") || is(b"mime-version:");
        }
        if wanted {
            out.extend_from_slice(line);
        }
        rest = after;
    }
    out.extend_from_slice(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_asked_for_in_few_ranges() {
        assert_eq!(ranges(&[]), []);
        assert_eq!(ranges(&[1, 3, 11, 20, 40]), [(1, 11), (20, 20), (40, 40)]);
        let scattered: Vec<u64> = (0..20_000).map(|at| at * 1_000).collect();
        assert!(ranges(&scattered).len() <= RANGES);
        assert_eq!(ranges(&[1, u64::MAX]), [(1, 1), (u64::MAX, u64::MAX)]);
    }

    #[test]
    fn words_of_headers_are_none_of_the_text() {
        let url = || Url::parse("nntp:g/body=x").unwrap_or_else(|error| unreachable!("{error}"));
        let sought = |words: &str| Sought::new(Part::Body, words).unwrap_or_else(|error| unreachable!("{error}"));
        let article = b"Subject: Tunnels\r\nContent-Type: text/plain;\r\n charset=utf-8\r\n\
                        Content-Transfer-Encoding: quoted-printable\r\n\r\nThe K=C3=B6ln\r\nlamps, in=\r\ndeed.\r\n";
        for (words, wanted) in [("köln lamps", true), ("indeed", true), ("tunnels", false), ("utf", false)] {
            assert_eq!(is_in_text(&sought(words), article, url()), wanted, "{words}");
        }
        assert!(is_in_text(&sought("bare"), b"From: a@b\n\nbare\n", url()));
    }
}
