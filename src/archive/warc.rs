//! WARC (ISO 28500, versions 0.18 to 1.1): what was asked of the web and what it answered, record after record, each packed by gzip or
//! none of them.
//!
//! A record is a member called by its number; what it says of itself goes with it: where it was found, as what, and with which
//! status. Answers of HTTP are given out without their head, their transfer codings and content codings undone. A record that says
//! it is as an earlier one is that one. What is broken ends the list with a note.

use super::fault::grouped;
use super::onward::Counted;
use super::unpacking::{Exactly, FREE, MOST, RATIO, Unpacking, skip};
use super::{Fault, Kind, Member, Members, Modified, Place, Said, Source, Why, http};
use crate::stop::Stop;
use crate::unpack::Packing;
use flate2::bufread::GzDecoder;
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// How a record begins.
pub(super) const MAGIC: &[u8] = b"WARC/";
/// Octets of the head of a record, or of HTTP in it.
const HEAD: u64 = 64 * 1024;
/// Letters of the name in an address that a member is called by.
const NAME: usize = 60;
/// Octets that are passed over in one go.
const STRIDE: u64 = 16 << 20;
/// Empty lines between records.
const EMPTY: usize = 64;

/// Where what is in a record is, and what must be undone of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// Where it, or the gzip that it is in, begins.
    at: u64,
    packed: bool,
    /// Octets before it, of what is unpacked.
    skip: u64,
    length: u64,
    codings: http::Codings,
}

/// What a record says of itself.
#[derive(Default)]
struct Record {
    kind: String,
    target: Option<String>,
    date: Option<i64>,
    media: String,
    digest: Option<String>,
    length: u64,
}

/// What is read record by record: where it is, and how octets are passed over.
trait Stream: BufRead {
    fn at(&self) -> u64;
    fn pass(&mut self, count: u64) -> io::Result<()>;
}

impl Stream for Counted<BufReader<&mut dyn Source>> {
    fn at(&self) -> u64 {
        self.at
    }

    fn pass(&mut self, count: u64) -> io::Result<()> {
        let by = i64::try_from(count).map_err(|_| io::ErrorKind::UnexpectedEof)?;
        self.octets.seek_relative(by)?;
        self.at += count;
        Ok(())
    }
}

impl<R: BufRead> Stream for Counted<BufReader<GzDecoder<R>>> {
    fn at(&self) -> u64 {
        self.at
    }

    fn pass(&mut self, count: u64) -> io::Result<()> {
        skip(self, count).map_err(Into::into)
    }
}

/// What was read of the records so far.
struct Reading<'a> {
    out: &'a mut Members,
    stop: &'a Stop,
    number: u64,
    /// Answers by their digest: what later ones may be the same as.
    known: HashMap<String, usize>,
}

pub(super) fn read(source: &mut dyn Source, packed: bool, stop: &Stop, out: &mut Members) -> Result<(), Fault> {
    let length = source.seek(SeekFrom::End(0))?;
    source.rewind()?;
    let mut reading = Reading { out, stop, number: 0, known: HashMap::new() };
    let read = match packed {
        true => reading.packed(source, length),
        false => {
            let mut octets = Counted::new(BufReader::with_capacity(1 << 16, source));
            reading.records(&mut octets, i64::MAX.unsigned_abs(), |at| Piece { at, ..Piece::none() })
        }
    };
    match read {
        Err(fault) if fault.why == Why::Stopped || reading.number == 0 => Err(fault),
        Err(fault) => {
            let number = grouped(reading.number);
            reading.out.note(format!("What follows record {number} is not listed. {fault}"));
            Ok(())
        }
        Ok(at) => {
            if !packed && at > length {
                reading.out.note("Its end is missing.");
            }
            Ok(())
        }
    }
}

impl Piece {
    fn none() -> Piece {
        Piece { at: 0, packed: false, skip: 0, length: 0, codings: http::Codings::default() }
    }
}

impl Reading<'_> {
    /// Each record in a gzip of its own, as the standard has it; or several in one.
    fn packed(&mut self, source: &mut dyn Source, length: u64) -> Result<u64, Fault> {
        let mut file = Counted::new(BufReader::with_capacity(1 << 16, source));
        let mut left = length.saturating_mul(RATIO).clamp(FREE, MOST);
        while !file.fill_buf()?.is_empty() && !self.out.is_full() {
            let at = file.at;
            let mut octets = Counted::new(BufReader::new(GzDecoder::new(&mut file)));
            left -= self.records(&mut octets, left, |skip| Piece { at, packed: true, skip, ..Piece::none() })?;
        }
        Ok(file.at)
    }

    fn wanted(&self) -> Result<(), Fault> {
        if self.stop.is_given_up() { Err(Fault::new(Why::Stopped, "stopped")) } else { Ok(()) }
    }

    /// Reads records to the end of the octets, of which there may be so many at most; says how many there were.
    fn records(&mut self, octets: &mut impl Stream, most: u64, place: impl Fn(u64) -> Piece) -> Result<u64, Fault> {
        while !self.out.is_full() {
            self.wanted()?;
            let Some(mut record) = heading(octets)? else { break };
            self.number += 1;
            let end = octets.at().checked_add(record.length).filter(|end| *end <= most);
            let end = end.ok_or_else(|| Fault::new(Why::TooLarge, "It says that it is longer than it can be."))?;
            let mut said = Said { media: media(&record.media).0, charset: media(&record.media).1, ..Said::default() };
            let mut codings = http::Codings::default();
            let answers = matches!(record.kind.as_str(), "response" | "revisit");
            if answers && record.media.to_ascii_lowercase().starts_with("application/http") {
                let head = lines(octets, HEAD.min(record.length))?;
                let answer = http::Answer::read(&head);
                (said.media, said.charset) = media(&answer.media);
                (said.status, said.moved, codings) = (answer.status, answer.moved, answer.codings);
            }
            said.location = record.target.take().filter(|_| record.kind != "request" && record.kind != "metadata");
            said.answers = answers || matches!(record.kind.as_str(), "resource" | "conversion");
            said.from = format!("WARC-Target-URI of record {}", self.number);
            let left = end.saturating_sub(octets.at());
            let piece = Piece { length: left, codings, ..place(octets.at()) };
            self.take(&record, said, piece);
            while octets.at() < end {
                self.wanted()?;
                octets.pass(STRIDE.min(end - octets.at()))?;
            }
        }
        Ok(octets.at().min(most))
    }

    fn take(&mut self, record: &Record, said: Said, piece: Piece) {
        let name = name(&said, &record.kind);
        let path = format!("{}-{name}", self.number);
        let size = if piece.codings.is_none() { piece.length } else { u64::MAX };
        let modified = record.date.map(|seconds| Modified { seconds, local: false });
        let mut member = Member { size, modified, ..Member::new(Kind::File, Place::Record(piece)) };
        let mut said = said;
        if record.kind == "revisit" {
            // ISO 28500, 6.7: the answer is that of an earlier record of the same digest.
            let earlier = record.digest.as_ref().and_then(|digest| self.known.get(digest));
            match earlier.and_then(|at| self.out.all.get(*at)) {
                Some(earlier) => {
                    (member.place, member.size) = (earlier.place.clone(), earlier.size);
                    let before = earlier.said.as_deref();
                    (said.media, said.charset) =
                        before.map(|b| (b.media.clone(), b.charset.clone())).unwrap_or_default();
                }
                None => {
                    member.place =
                        Place::Nowhere("This record says that it is as an earlier one, which is not in this file.")
                }
            }
        }
        let keeps = record.kind == "response";
        member.said = Some(Box::new(said));
        if let (Some(at), Some(digest), true) = (self.out.take(path.as_bytes(), member), &record.digest, keeps) {
            self.known.entry(digest.clone()).or_insert(at);
        }
    }
}

/// Reads the head of the next record, if there is one.
fn heading(octets: &mut impl Stream) -> Result<Option<Record>, Fault> {
    let mut empty = 0;
    let head = loop {
        let head = lines(octets, HEAD)?;
        if head.is_empty() {
            return Ok(None);
        }
        if !head.trim_ascii().is_empty() {
            break head;
        }
        empty += 1;
        if empty > EMPTY {
            return Err(Fault::broken("Nothing but empty lines follows."));
        }
    };
    if !head.starts_with(MAGIC) {
        return Err(Fault::broken("What stands there is no record."));
    }
    let mut record = Record::default();
    let mut length = None;
    for (name, value) in http::fields(&head) {
        let text = || String::from_utf8_lossy(value).trim().to_owned();
        match name.to_ascii_lowercase().as_slice() {
            b"warc-type" => record.kind = text().to_ascii_lowercase(),
            b"warc-target-uri" => {
                record.target = Some(text().trim_matches(['<', '>']).to_owned()).filter(|uri| !uri.is_empty())
            }
            b"warc-date" => record.date = text().parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_second),
            b"warc-payload-digest" => record.digest = Some(text()),
            b"content-type" => record.media = text(),
            b"content-length" => length = text().parse().ok(),
            _ => {}
        }
    }
    record.length = length.ok_or_else(|| Fault::broken("It does not say how long it is."))?;
    Ok(Some(record))
}

/// Reads lines up to an empty one, which is the last; nothing at the end. One that is empty may be the first.
fn lines(octets: &mut impl BufRead, most: u64) -> Result<Vec<u8>, Fault> {
    let mut head = Vec::new();
    let mut octets = octets.take(most);
    loop {
        let before = head.len();
        octets.read_until(b'\n', &mut head)?;
        let line = &head[before..];
        if line.is_empty() || line.trim_ascii().is_empty() {
            return Ok(head);
        }
    }
}

/// A media type and a charset.
fn media(value: &str) -> (Option<String>, Option<String>) {
    let mut parts = value.split(';').map(str::trim);
    let media = parts.next().map(str::to_ascii_lowercase).filter(|media| media.contains('/'));
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"').to_owned())
    });
    (media, charset)
}

/// What a member is called behind its number: the last name in its address, in letters that are safe everywhere.
fn name(said: &Said, kind: &str) -> String {
    let safe = |octet: &char| octet.is_ascii_alphanumeric() || matches!(octet, '.' | '-' | '_');
    let path = said.location.as_deref().unwrap_or_default().split(['?', '#']).next().unwrap_or_default();
    let path = path.split_once("//").map_or("", |(_, rest)| rest);
    let last = path.split_once('/').map_or("", |(_, path)| path).trim_end_matches('/').rsplit('/').next();
    let last: String = last.unwrap_or_default().chars().filter(safe).take(NAME).collect();
    match (said.answers, last.trim_matches('.').is_empty()) {
        (true, true) => "index".into(),
        (true, false) => last,
        (false, _) => format!("{}.txt", kind.chars().filter(safe).take(NAME).collect::<String>()),
    }
}

/// What is in a record.
pub(super) fn open(piece: &Piece, mut source: Box<dyn Source>, stop: &Stop) -> Result<Box<dyn Read + Send>, Fault> {
    let octets: Box<dyn Read + Send> = match piece.packed {
        false => {
            source.seek(SeekFrom::Start(piece.at + piece.skip))?;
            Box::new(source)
        }
        true => {
            source.seek(SeekFrom::Start(piece.at))?;
            let mut octets = Unpacking::new(source, Packing::Gzip, stop.clone());
            skip(&mut octets, piece.skip)?;
            Box::new(octets)
        }
    };
    piece.codings.undo(Box::new(Exactly::new(octets, piece.length)), stop)
}
