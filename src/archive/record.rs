//! Records of the web, written (WARC 1.1, ISO 28500:2017, 5 and 6).

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};

/// A record to be written.
#[derive(Debug, Clone, Default)]
pub struct Record<'a> {
    /// What it is: `response`, `request`, `metadata`, `resource`, `warcinfo`.
    pub kind: &'a str,
    /// Its name, a URI that nothing else has.
    pub id: &'a str,
    /// What it is of.
    pub target: Option<&'a str>,
    /// When, as ISO 8601 has it.
    pub date: &'a str,
    /// The media type of its block.
    pub media: &'a str,
    /// Further fields.
    pub fields: Vec<(&'a str, String)>,
    /// What is in it.
    pub block: &'a [u8],
}

/// Writes a record, packed by gzip for itself or not.
///
/// # Errors
/// That of what it is written to.
pub fn write(record: &Record, packed: bool, out: &mut Vec<u8>) -> io::Result<()> {
    let Record { kind, id, target, date, media, fields, block } = record;
    let mut head = format!("WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <{id}>\r\nWARC-Date: {date}\r\n");
    let target = target.iter().map(|target| ("WARC-Target-URI", (*target).to_owned()));
    for (name, value) in target.chain(fields.iter().cloned()) {
        // No line of the head ends within a value.
        let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("Content-Type: {media}\r\nContent-Length: {}\r\n\r\n", block.len()));
    let pieces = [head.as_bytes(), block, b"\r\n\r\n"];
    if !packed {
        out.extend(pieces.concat());
        return Ok(());
    }
    let mut gzip = GzEncoder::new(out, Compression::default());
    pieces.iter().try_for_each(|piece| gzip.write_all(piece))?;
    gzip.finish().map(drop)
}
