//! Readers of pieces: charsets, frames, listings, forms of Gopher+, overviews, words of headers, dates.

use super::octets::{Witness, broken, files, is_raw};
use super::{Dice, dice};
use std::collections::HashSet;
use wayfarer::date;
use wayfarer::doc::sanitise;
use wayfarer::format::listing::Converter;
use wayfarer::format::{ask, charset, guess, message};
use wayfarer::news::{Article, Overview, Threads, references, subject};
use wayfarer::proto::gopher::frame::{Flow, Frame, Framing};
use wayfarer::proto::netrc;
use wayfarer::stop::Stop;
use wayfarer::sums;
use wayfarer::url::Url;

const CASES: u32 = 1_500;

/// Everything that stands in the test data.
fn seeds() -> Vec<Vec<u8>> {
    [files("format", "", ".in"), files("", "", ".tsv")].concat()
}

/// Gives octets in pieces.
fn in_pieces(dice: &mut Dice, octets: &[u8], mut each: impl FnMut(&[u8])) {
    let (most, mut rest) = ([1, 7, 100][dice.roll(3)], octets);
    while !rest.is_empty() {
        let (piece, more) = rest.split_at(rest.len().min(1 + dice.roll(most)));
        each(piece);
        rest = more;
    }
}

#[test]
fn charsets_hold_whatever_comes() {
    let (seeds, (mut dice, cases)) = (seeds(), dice(CASES));
    let charsets = charset::charsets();
    for case in 0..cases {
        let octets = broken(&mut dice, &seeds, &[b"\x1b$B", b"\x1b(B", b"+AGE-", b"\x81", b"\xA4\xA2"]);
        let name = charsets[dice.roll(charsets.len())].name;
        let _witness = Witness(case, name, &octets);
        let declared = (dice.roll(5) > 0).then_some(name);
        let (mut whole, mut pieces) = (String::new(), String::new());
        let mut decoder = charset::Decoder::new(declared);
        decoder.feed(&octets, &mut whole);
        decoder.finish(&mut whole);
        let mut other = charset::Decoder::new(declared);
        in_pieces(&mut dice, &octets, |piece| other.feed(piece, &mut pieces));
        other.finish(&mut pieces);
        assert_eq!(pieces, whole, "cut into pieces");
        assert_eq!(other.notes(), decoder.notes());
        assert!(whole.len() <= 4 * octets.len() + 8, "{} of {}", whole.len(), octets.len());
        charset::known(name).expect("a charset of the menu").decode(&octets);
        let sane = sanitise(&whole);
        assert!(!sane.contains(is_raw), "{:?}", sane.find(is_raw));
        assert_eq!(sanitise(&sane), sane, "what is sane stays as it is");
    }
}

#[test]
fn frames_hold_whatever_comes() {
    let (seeds, (mut dice, cases)) = (seeds(), dice(CASES));
    for case in 0..cases {
        let octets = broken(&mut dice, &seeds, &[b".\r\n", b"\r\n.\r\n", b"..", b"\n.\n", b"\r\n..x"]);
        let framing = [Framing::UntilClose, Framing::Exactly(dice.roll(500) as u64), Framing::Dotted, Framing::Text]
            [dice.roll(4)];
        let _witness = Witness(case, "a frame", &octets);
        let (mut whole, mut pieces) = (Vec::new(), Vec::new());
        let mut frame = Frame::new(framing);
        frame.feed(&octets, &mut whole);
        let said = frame.finish(&mut whole);
        let (mut other, mut ended) = (Frame::new(framing), false);
        in_pieces(&mut dice, &octets, |piece| {
            if !ended {
                ended = other.feed(piece, &mut pieces) == Flow::Done;
            }
        });
        assert_eq!((other.finish(&mut pieces), &pieces), (said, &whole), "{framing:?}, cut into pieces");
        assert!(whole.len() <= octets.len());
    }
}

#[test]
fn listings_hold_whatever_comes() {
    let table = files("", "ftp-list", ".tsv").concat();
    let lines: Vec<Vec<u8>> = table.split(|octet| *octet == b'\n').map(|line| line.replaced()).collect();
    let (mut dice, cases) = dice(CASES);
    let now = jiff::civil::date(2026, 11, 20).at(12, 0, 0, 0);
    for case in 0..cases {
        let octets = broken(
            &mut dice,
            &lines,
            &[b"\r\n", b"total 5\r\n", b" -> ", b"<DIR>", b";1", b"Nov 31 25:61", b"\r\n    "],
        );
        let _witness = Witness(case, "a listing", &octets);
        let new = |names: bool| if names { Converter::names() } else { Converter::new(now) };
        let names = dice.roll(5) == 0;
        let (mut whole, mut pieces, mut other) = (Vec::new(), Vec::new(), new(names));
        let mut converter = new(names);
        converter.feed(&octets, &mut whole);
        converter.finish(&mut whole);
        in_pieces(&mut dice, &octets, |piece| other.feed(piece, &mut pieces));
        other.finish(&mut pieces);
        assert_eq!(pieces.escape_ascii().to_string(), whole.escape_ascii().to_string(), "cut into pieces");
        assert!(whole.len() <= 80 * (octets.len() + 10), "{} of {}", whole.len(), octets.len());
    }
}

/// The cells of a table's line as they would come.
trait Replaced {
    fn replaced(&self) -> Vec<u8>;
}

impl Replaced for [u8] {
    fn replaced(&self) -> Vec<u8> {
        let text = String::from_utf8_lossy(self).replace("\\n", "\r\n").replace("\\t", "\t");
        (text + "\r\n").into_bytes()
    }
}

#[test]
fn words_and_overviews_hold_whatever_comes() {
    let (seeds, (mut dice, cases)) = (seeds(), dice(CASES));
    for case in 0..cases {
        let octets = broken(
            &mut dice,
            &seeds,
            &[
                b"=?utf-8?Q?=1B?=",
                b"Re: ",
                b"AW[2]:",
                b"<a@b>",
                b"\t",
                b"+ASK:\r\n",
                b" Ask: x\ty\r\n",
                b"Fri, 31 Feb 2024 25:00:00 +9999",
            ],
        );
        let _witness = Witness(case, "words", &octets);
        let text = String::from_utf8_lossy(&octets).into_owned();
        let words = message::words(&text);
        assert!(!sanitise(&words).contains(is_raw), "{words:?}");
        assert!(words.len() <= 4 * text.len(), "{} of {}", words.len(), text.len());
        assert_eq!(message::rot13(&message::rot13(&text)), text);
        assert!(text.contains(subject(&text).base));
        if let Some(form) = ask::Form::of(&text) {
            assert!(form.fields.len() <= text.len());
        }
        if let Some(written) = date::read(&octets) {
            written.timestamp();
        }
        guess::of_file(&text, &octets);
        guess::is_binary(&octets);
        threads_come_out_the_same(&octets, &mut dice);
    }
}

/// Articles may come in any order.
fn threads_come_out_the_same(octets: &[u8], dice: &mut Dice) {
    let mut lines: Vec<&[u8]> = octets.split(|octet| *octet == b'\n').take(60).collect();
    let (mut ids, mut numbers) = (HashSet::new(), HashSet::new());
    // of two of one id or number the first that comes counts
    lines.retain(|line| {
        Overview::of(line).is_some_and(|line| ids.insert(line.message_id.to_vec()) && numbers.insert(line.number))
    });
    let count = |lines: &[&[u8]]| {
        let mut threads = Threads::default();
        for overview in lines.iter().filter_map(|line| Overview::of(line)) {
            assert!(references(overview.references).all(|id| !id.is_empty()));
            let subject = std::str::from_utf8(overview.subject).unwrap_or_default();
            let (number, message_id) = (overview.number, overview.message_id);
            threads.add(&Article { number, message_id, references: overview.references, subject, date: None });
        }
        let forest = threads.forest(&Stop::new()).expect("nobody stops it");
        (threads.len(), forest.roots().count())
    };
    let given = count(&lines);
    for at in (1..lines.len()).rev() {
        lines.swap(at, dice.roll(at + 1));
    }
    assert_eq!(count(&lines), given, "in another order");
}

#[test]
fn lists_of_sums_hold_whatever_comes() {
    let (md5, sha) = ("900150983cd24fb0d6963f7d28e17f72", "a9993e364706816aba3e25717850c26c9cd0d89d");
    let list = format!(
        "{md5}  a\n{sha} *b\n\\{md5}  a\\nb\nMD5 (a) = {md5}\nSHA1(b)= {sha}\na: {} {}\n{md5}\n",
        &md5[..8],
        &md5[8..]
    );
    let (mut dice, cases) = dice(CASES);
    let words: &[&[u8]] =
        &[md5.as_bytes(), sha.as_bytes(), b"  a", b" *", b"\n\\", b"./", b"../", b" (a) = ", b"a:\n ", b"\r\n"];
    for case in 0..cases {
        let octets = broken(&mut dice, &[list.clone().into_bytes()], words);
        let _witness = Witness(case, "a list of sums", &octets);
        for own in [true, false] {
            let said = sums::said_of(b"a", &octets, own);
            // what it says is one of those that stand there
            for sum in &said {
                let flat: Vec<u8> =
                    octets.iter().filter(|o| !o.is_ascii_whitespace()).map(u8::to_ascii_lowercase).collect();
                assert!(memchr::memmem::find(&flat, sum.digits.as_bytes()).is_some(), "{sum:?}");
            }
            assert_eq!(sums::said_of(b"a", &octets, own), said);
        }
        sums::beside(&octets, b"a");
    }
}

#[test]
fn files_of_logins_hold_whatever_comes() {
    let file = b"machine a login me password pw\nmacdef x\ncd\n\n# c\nmachine \"b\" port 2121 user \"a\\\"\" passwd p account d\ndefault login x\n";
    let words: &[&[u8]] =
        &[b"machine ", b"\"", b"\\", b"macdef ", b"\n\n", b"#", b"default ", b"port 21 ", b"password "];
    let (mut dice, cases) = dice(CASES);
    let urls = ["ftp://a/", "ftp://me@a:2121/", "https://b/", "ftp://[::1]/"].map(|url| Url::parse(url).unwrap());
    for case in 0..cases {
        let octets = broken(&mut dice, &[file.to_vec()], words);
        let _witness = Witness(case, "a file of logins", &octets);
        let netrc::Parsed { entries, open } = netrc::parse(&octets);
        assert!(entries.len() <= octets.len() / 7);
        assert!(open.is_none_or(|line| line <= 1 + octets.iter().filter(|octet| **octet == b'\n').count()));
        for url in &urls {
            let login = netrc::login_of(&entries, url);
            assert!(login.is_none() || entries.iter().any(|entry| entry.password.is_some() && entry.host.is_some()));
        }
    }
}
