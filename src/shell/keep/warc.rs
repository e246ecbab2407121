//! What was fetched as records of the web (WARC 1.1): for each request what was sent, what came, and what led there.
//!
//! The head of an answer is as the server said it, but for the codings of the body, which were undone: they are told under the names
//! that other programs use for that. Cookies stay out.

use super::Kept;
use crate::archive::{Record, write_record};
use crate::shell::cli::VERSION;
use crate::sums::{self, Kind};
use crate::url::Url;
use crate::url::scheme::{self, Family};
use jiff::Timestamp;
use std::io;

/// What a record is of.
const CONFORMS: &str = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/";
/// Fields that are true of the body as it came, and not as it is kept.
const CODED: &[&str] = &["content-encoding", "transfer-encoding", "content-length"];
const FIELDS: &str = "application/warc-fields";

/// A file of records on its way.
struct File {
    out: Vec<u8>,
    packed: bool,
    count: u32,
    run: String,
}

pub(super) fn file(kept: &[Kept], packed: bool) -> io::Result<Vec<u8>> {
    let now = Timestamp::now();
    let run = format!("{} {}", now.as_nanosecond(), std::process::id());
    let mut file = File { out: Vec::new(), packed, count: 0, run };
    let says = format!("software: Wayfarer {VERSION}\r\nformat: WARC File Format 1.1\r\nconformsTo: {CONFORMS}\r\n");
    file.add("warcinfo", None, now, FIELDS, Vec::new(), says.as_bytes())?;
    for kept in kept {
        file.answer(kept)?;
    }
    Ok(file.out)
}

impl File {
    fn answer(&mut self, kept: &Kept) -> io::Result<()> {
        let head = &kept.got.head;
        for hop in &kept.hops {
            let to = hop.to.replace(char::is_control, " ");
            let block = format!("HTTP/1.1 {}\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n", hop.status);
            self.add("response", Some(&hop.from), kept.date, RESPONSE, payload(b""), block.as_bytes())?;
        }
        // What answers in the place of what was asked for is told under the address that leads to it, unless a hop says more.
        let target = if kept.hops.is_empty() { kept.asked.without_fragment() } else { head.url.without_fragment() };
        let octets = &kept.got.octets;
        let web = scheme::family(&head.url) == Family::Web;
        let id = match web {
            true => {
                let block = [said(&head.lines, &kept.media(), octets.len()).as_bytes(), octets].concat();
                self.add("response", Some(&target), kept.date, RESPONSE, payload(octets), &block)?
            }
            false => self.add("resource", Some(&target), kept.date, &kept.media(), payload(octets), octets)?,
        };
        let concurrent = || vec![("WARC-Concurrent-To", format!("<{id}>"))];
        if let Some(sent) = kept.got.sent.last().filter(|sent| web && sent.more == 0 && !sent.lines.is_empty()) {
            let block = format!("{}\r\n\r\n", sent.lines.join("\r\n"));
            let media = "application/http; msgtype=request";
            self.add("request", Some(&target), kept.date, media, concurrent(), block.as_bytes())?;
        }
        let led = kept.led.as_ref().map(|led| format!("via: {}\r\n", led.without_secrets())).unwrap_or_default();
        let cut = kept.got.cut.as_ref().map(|cut| format!("truncated: {cut}\r\n")).unwrap_or_default();
        let says = format!("{led}{cut}asked: {}\r\n", kept.asked.without_secrets());
        self.add("metadata", Some(&target), kept.date, FIELDS, concurrent(), says.as_bytes()).map(drop)
    }

    /// Adds a record; says its name.
    fn add(
        &mut self,
        kind: &str,
        target: Option<&Url>,
        date: Timestamp,
        media: &str,
        mut fields: Vec<(&'static str, String)>,
        block: &[u8],
    ) -> io::Result<String> {
        self.count += 1;
        let id = name(&format!("{} {}", self.run, self.count));
        fields.push(("WARC-Block-Digest", digest(block)));
        let target = target.map(|target| target.without_secrets());
        let date = date.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        let record = Record { kind, id: &id, target: target.as_deref(), date: &date, media, fields, block };
        write_record(&record, self.packed, &mut self.out)?;
        Ok(id)
    }
}

const RESPONSE: &str = "application/http; msgtype=response";

fn payload(octets: &[u8]) -> Vec<(&'static str, String)> {
    vec![("WARC-Payload-Digest", digest(octets))]
}

/// The head of an answer, for a body of this length.
fn said(lines: &[String], media: &str, length: usize) -> String {
    let first = lines.first().filter(|line| line.starts_with("HTTP/") && line.contains(' ')).cloned();
    // HTTP/2 has no such line; that of HTTP/1.1 says the same.
    let first = first.map(|line| line.replacen("HTTP/2 ", "HTTP/1.1 ", 1));
    let mut out = format!("{}\r\n", first.unwrap_or_else(|| format!("HTTP/1.1 200 OK\r\nContent-Type: {media}")));
    for line in lines.iter().skip(1) {
        let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
        match name.as_str() {
            "set-cookie" | "set-cookie2" => continue,
            coded if CODED.contains(&coded) => out.push_str("X-Archive-Orig-"),
            _ => {}
        }
        out.extend(line.chars().map(|c| if c.is_control() { ' ' } else { c }));
        out.push_str("\r\n");
    }
    out.push_str(&format!("Content-Length: {length}\r\n\r\n"));
    out
}

/// A digest as records have it: SHA-256 in base 32 (RFC 4648, 6).
fn digest(octets: &[u8]) -> String {
    const LETTERS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let hex = sums::of(Kind::Sha256, octets);
    let bits: String = hex.chars().filter_map(|digit| Some(format!("{:04b}", digit.to_digit(16)?))).collect();
    let letter = |five: &[u8]| {
        let text = format!("{:0<5}", String::from_utf8_lossy(five));
        let at = usize::from_str_radix(&text, 2).unwrap_or_default();
        char::from(LETTERS[at % 32])
    };
    let mut out: String = bits.as_bytes().chunks(5).map(letter).collect();
    out.extend(std::iter::repeat_n('=', (8 - out.len() % 8) % 8));
    format!("sha256:{out}")
}

/// A name that nothing else has (RFC 9562, version 8).
fn name(of: &str) -> String {
    let hex = sums::of(Kind::Sha256, of.as_bytes());
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    format!("urn:uuid:{}-{}-8{}-a{}-{}", part(0, 8), part(8, 12), part(13, 16), part(17, 20), part(20, 32))
}
