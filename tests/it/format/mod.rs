//! Bytes → documents.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod article;
mod ask;
mod bounds;
mod charset;
mod colours;
mod conversation;
mod directory;
mod dump;
mod error;
mod feed;
mod gathered;
mod golden;
mod guess;
mod html;
mod html_charset;
mod joined;
mod kept;
mod listing;
mod mbox;
mod menu;
mod message;
mod message_quotable;
mod message_words;
mod mhtml;
mod mutants;
mod newsgroup;
mod packed;
mod pages;
mod plain;
mod reader;
mod roundtrip;
mod soup;
mod strays;
mod tables;
mod unclosed;
mod undeclared;
mod whole_urls;
mod xhtml;

use wayfarer::doc::{Builder, Document};
use wayfarer::format::{Input, parser};
use wayfarer::url::Url;

/// An input of a media type from a URL, charset to be guessed.
pub fn input(media: &str, url: &str) -> Input {
    Input {
        media: media.into(),
        charset: None,
        url: Url::parse(url).unwrap(),
        groups: Default::default(),
        notices: Vec::new(),
    }
}

/// Parses octets that come in pieces of a size.
fn parse_in(input: &Input, octets: &[u8], size: usize) -> Document {
    let mut out = Builder::new();
    let mut parser = parser(input).expect("the type is shown");
    for piece in octets.chunks(size.max(1)) {
        parser.feed(piece, &mut out);
    }
    parser.finish(&mut out);
    out.finish()
}

/// Parses octets whole, byte by byte and in 7-byte pieces; the document is the same.
fn parse(input: &Input, octets: &[u8]) -> Document {
    let whole = parse_in(input, octets, octets.len());
    for size in [1, 7] {
        assert_eq!(dump::dump(&whole), dump::dump(&parse_in(input, octets, size)), "in pieces of {size}");
    }
    whole
}
