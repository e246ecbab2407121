//! What a WHOIS server says → `Document`: its text as it is, with links where it names the server that knows more.
//!
//! No specification says how that is written; [`REFERS`] has the ways of those in use. Refuses: asking that server.

use super::plain::{Piece, TextLines};
use super::{Input, Parser};
use crate::doc::{BlockKind, Builder, Marker, sanitise};
use crate::role::Role;
use crate::url::Url;

/// Names before the colon behind which another server stands: IANA's, the registries', ARIN's.
const REFERS: &[&str] = &["refer", "whois", "whois server", "registrar whois server", "referralserver"];

/// Reads a WHOIS answer.
pub struct Whois {
    lines: TextLines,
    piece: Piece,
    asked: Asked,
}

/// What was asked, for whoever is asked next.
struct Asked {
    host: String,
    /// As in the URL, from the slash on.
    words: String,
}

impl Whois {
    /// A parser for the answer to a URL.
    pub fn new(input: &Input) -> Whois {
        let query = input.url.query().map(|query| format!("?{query}")).unwrap_or_default();
        let words = format!("{}{query}", input.url.path());
        let host = input.url.host().unwrap_or_default().to_owned();
        Whois { lines: TextLines::of(input), piece: Piece::new(), asked: Asked { host, words } }
    }
}

impl Parser for Whois {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        let Whois { lines, piece, asked } = self;
        lines.feed(octets, &mut |line| asked.line(line, piece, out));
    }

    fn finish(&mut self, out: &mut Builder) {
        let Whois { lines, piece, asked } = self;
        lines.finish(&mut |line| asked.line(line, piece, out));
        piece.take(out);
        lines.tell(out.document_mut());
    }

    fn memory(&self) -> usize {
        self.lines.memory()
    }

    fn holds_back(&self) -> bool {
        true
    }
}

impl Asked {
    fn line(&self, line: &str, piece: &mut Piece, out: &mut Builder) {
        let Some((before, server, next)) = self.referral(line) else { return piece.line(line, out) };
        piece.take(out);
        out.marked(BlockKind::Line, Role::Text, Marker::None, 0);
        out.text(&sanitise(before));
        out.link(&sanitise(server), Role::Link, &next);
    }

    /// What stands before the name of another server, that name, and the URL by which it is asked the same.
    fn referral<'a>(&self, line: &'a str) -> Option<(&'a str, &'a str, String)> {
        let (name, value) = line.split_once(':')?;
        let server = value.trim();
        if !REFERS.iter().any(|refers| name.trim().eq_ignore_ascii_case(refers)) || server.is_empty() {
            return None;
        }
        // A server of RWhois answers to a line of words as well.
        let site = ["rwhois://", "whois://"].iter().find_map(|scheme| server.strip_prefix(scheme)).unwrap_or(server);
        let site = site.trim_end_matches('/');
        let plain = site.bytes().all(|b| b.is_ascii_alphanumeric() || b".-:".contains(&b)) && site.contains('.');
        let next = Url::parse(format!("whois://{site}{}", self.words)).ok().filter(|_| plain)?;
        if next.host().is_none_or(|host| host.is_empty() || host.eq_ignore_ascii_case(&self.host)) {
            return None;
        }
        let start = line.len() - value.trim_start().len();
        Some((&line[..start], server, next.as_str().to_owned()))
    }
}
