//! Messages put together at random from what breaks readers: multiparts in multiparts that nobody closes, Base64 that is
//! none, ids that answer each other, lines without end, pieces of uuencoded and yEnc files, octets beyond ASCII anywhere.

use super::{Dice, dice};
use wayfarer::doc::{Builder, Document, LinkId};
use wayfarer::format::message::{self, PartName, Signed};
use wayfarer::format::{Input, media, parser};
use wayfarer::news::{Draft, Manner};
use wayfarer::url::Url;

const CASES: u32 = 1_500;
/// Deeper than any message is looked into.
const DEEPEST: usize = 120;
const LONGEST: usize = 256 * 1024;

const IDS: &[&str] =
    &["<a@x>", "<b@x>", "<%/?#@x>", "<a@x> <b@x> <a@x>", "<", "<>", "<\u{e9}@x>", "a@x", "<a\r\n b@x>"];
const NAMES: &[&str] = &[
    "From",
    "To",
    "Subject",
    "Date",
    "Newsgroups",
    "Followup-To",
    "References",
    "In-Reply-To",
    "Message-ID",
    "Supersedes",
    "Content-Base",
    "Content-Location",
    "Content-ID",
    "Content-Disposition",
    "X-Face",
    "Path",
    "",
    " ",
    "Sub ject",
];
const VALUES: &[&[u8]] = &[
    b"=?utf-8?B?/////w==?=",
    b"=?utf-7?Q?+2D0?= =?utf-7?Q?+3gA-?=",
    b"=?x?Q?=1B[2J?=",
    b"=?utf-8?Q?",
    b"\"a\\",
    b"(((((",
    b"a.b,c.d,poster",
    b"\xE9\xFF\x9B2J",
    b"\x1b]0;t\x07",
    b"http://h/ <x>",
    b"cid:a@x",
    b"Thu, 99 Foo 9999 25:61:61 +9999",
    b"attachment; filename*0=\"../\"; filename*1=\"x\"",
    b"attachment; filename*=utf-7''%2B2D0-",
    b"\xE2\x80\xAE",
    b"\r\n\t folded",
];
const ENCODINGS: &[&str] =
    &["base64", "quoted-printable", "x-uuencode", "x-yencode", "8bit", "x-none", "BASE64 (x)", ""];
const LEAVES: &[&str] = &[
    "text/plain",
    "text/plain; charset=utf-7",
    "text/plain; charset=x-none; format=flowed; delsp=yes",
    "text/html; charset=utf-7",
    "text/enriched",
    "multipart/signed; protocol=\"application/pgp-signature\"; boundary=x",
    "application/pgp-signature",
    "text/richtext",
    "application/octet-stream",
    "message/partial; number=1; total=3",
    "image/gif",
    "message/external-body; access-type=anon-ftp; site=h; name=x",
    "text/plain; charset*=''%1B",
    "text",
    ";;;",
    "message/delivery-status",
];
const BODIES: &[&[u8]] = &[
    b"begin 644 x.txt\r\n-2&5L;&\\@5V]R;&0A\"@``\r\n",
    b"`\r\nend\r\n",
    b"begin 999 \r\n",
    b"M\xFF\r\n",
    b"=ybegin part=1 total=2 line=128 size=9 name=a\r\n",
    b"=ypart begin=1 end=9\r\n",
    b"=yend size=1 pcrc32=zz\r\n",
    b"=}=J=\r\n",
    b"AAAA====AA=A\r\n",
    b"=E=3D=\r\n",
    b"> > > quoted <a@x>\r\n",
    b">> <URL:http://h/a\r\n>> b>\r\n",
    b"-- \r\n",
    b"-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\n",
    b"-----BEGIN PGP SIGNATURE-----\r\n",
    b"-----END PGP SIGNATURE-----\r\n",
    b"+AAo- +2D0-\r\n",
    b"\xE9\x9B2J\x1b[2J\xE2\x80\xAE\r\n",
    b"<a href=cid:a@x><base href=http://h/>\r\n",
    b"\x0c\x08_\x08x\r",
    b".\r\n..\r\n",
    b"\0\r\n",
    b"\r\n",
];

fn field(dice: &mut Dice, out: &mut Vec<u8>) {
    let name = NAMES[dice.roll(NAMES.len())];
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(if dice.roll(12) == 0 { b"\xFF" } else { b": " });
    match dice.roll(3) {
        0 => out.extend_from_slice(IDS[dice.roll(IDS.len())].as_bytes()),
        _ => out.extend_from_slice(VALUES[dice.roll(VALUES.len())]),
    }
    out.extend_from_slice(if dice.roll(8) == 0 { b"\n" } else { b"\r\n" });
}

/// A header without its empty line.
fn header(dice: &mut Dice, media: &str, out: &mut Vec<u8>) {
    for _ in 0..dice.roll(6) {
        field(dice, out);
    }
    if dice.roll(10) > 0 {
        out.extend_from_slice(format!("Content-Type: {media}\r\n").as_bytes());
    }
    if dice.roll(3) == 0 {
        let encoding = ENCODINGS[dice.roll(ENCODINGS.len())];
        out.extend_from_slice(format!("Content-Transfer-Encoding: {encoding}\r\n").as_bytes());
    }
}

fn body(dice: &mut Dice, out: &mut Vec<u8>) {
    for _ in 0..dice.roll(8) {
        let line = BODIES[dice.roll(BODIES.len())];
        let times = if dice.roll(20) == 0 { 500 } else { 1 };
        (0..times).for_each(|_| out.extend_from_slice(line));
    }
}

/// A part with its head; what is in it is nested as deep as the dice say.
fn entity(dice: &mut Dice, depth: usize, out: &mut Vec<u8>) {
    let deeper = depth > 0 && out.len() < LONGEST;
    match dice.roll(if deeper { 6 } else { 2 }) {
        0 | 1 => {
            let kind = LEAVES[dice.roll(LEAVES.len())];
            header(dice, kind, out);
            out.extend_from_slice(if dice.roll(15) == 0 { b"" } else { b"\r\n" });
            body(dice, out);
        }
        2 | 3 => {
            let kind = ["message/rfc822", "message/news", "message/x-rot13"][dice.roll(3)];
            header(dice, kind, out);
            out.extend_from_slice(b"\r\n");
            entity(dice, depth - 1, out);
        }
        _ => {
            let kind = ["mixed", "alternative", "related; start=\"<a@x>\"", "digest", "signed", "x"][dice.roll(6)];
            // the same boundary again and again is one of the oddities
            let boundary = ["b".into(), "--".into(), format!("d{depth}"), "b--".into()][dice.roll(4)].clone();
            header(dice, &format!("multipart/{kind}; boundary=\"{boundary}\""), out);
            out.extend_from_slice(b"\r\n");
            body(dice, out);
            // many parts where it is shallow, a long way down where it is not
            for _ in 0..1 + dice.roll(if depth > 4 { 2 } else { 4 }) {
                out.extend_from_slice(format!("\r\n--{boundary}\r\n").as_bytes());
                entity(dice, depth - 1, out);
            }
            if dice.roll(4) > 0 {
                out.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
            }
        }
    }
}

fn message(dice: &mut Dice, case: u64) -> Vec<u8> {
    let mut out = Vec::new();
    if case % 500 == 7 {
        // the longest header line that is read, and one octet over it
        let name = NAMES[dice.roll(NAMES.len())];
        out.extend_from_slice(format!("{name}: ").as_bytes());
        let value = [&b"a"[..], b"<a@x> ", b"=?utf-8?Q?", b"(", b"\xE9"][dice.roll(5)];
        (0..(1 << 20) / value.len() + dice.roll(3)).for_each(|_| out.extend_from_slice(value));
        out.extend_from_slice(b"\r\n");
    }
    let depth = if case.is_multiple_of(50) { DEEPEST } else { 1 + dice.roll(5) };
    entity(dice, depth, &mut out);
    for _ in 0..dice.roll(4) {
        let at = dice.roll(out.len() + 1);
        match dice.roll(3) {
            0 => out.truncate(at),
            1 => drop(out.drain(at..(at + dice.roll(50)).min(out.len()))),
            _ => drop(out.splice(at..at, VALUES[dice.roll(VALUES.len())].iter().copied())),
        }
    }
    out
}

fn read(octets: &[u8], size: usize) -> Document {
    let url = Url::parse("news:1@x").expect("a URL");
    let input =
        Input { media: media::MESSAGE.into(), charset: None, url, groups: Default::default(), notices: Vec::new() };
    let (mut parser, mut out) = (parser(&input).expect("messages are read"), Builder::new());
    octets.chunks(size.max(1)).for_each(|piece| parser.feed(piece, &mut out));
    parser.finish(&mut out);
    out.finish()
}

/// Says which message was at work when an invariant broke.
struct Witness<'a>(u64, &'a [u8]);

impl Drop for Witness<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let shown = &self.1[..self.1.len().min(4000)];
            eprintln!("case {}: {}", self.0, shown.escape_ascii());
        }
    }
}

#[test]
fn messages_hold_whatever_comes() {
    let (mut dice, cases) = dice(CASES);
    let url = Url::parse("news:1@x").expect("a URL");
    let (mut parts, mut answers) = (0, 0);
    for case in 0..cases {
        let octets = message(&mut dice, case);
        let _witness = Witness(case, &octets);
        let document = read(&octets, octets.len());
        shown_sanely(&document, octets.len());
        assert_eq!(read(&octets, 1 + dice.roll(octets.len() / 3 + 1)), document, "cut into pieces");
        parts += taken(&octets, &document, &url, &mut dice);
        answers += u64::from(answered(&octets, &url));
    }
    assert!(parts > cases / 2 && answers > cases / 20, "{parts} parts, {answers} answers: the messages say something");
}

/// Nothing on the page moves a terminal, and there is no more of it than the message can account for.
fn shown_sanely(document: &Document, octets: usize) {
    let raw = |c: char| c != '\t' && (c.is_control() || ('\u{202A}'..='\u{202E}').contains(&c));
    let texts = document.notes.iter().chain(&document.title).map(String::as_str).chain([document.text()]);
    for text in texts {
        assert!(!text.contains(raw), "{:?}", text.find(raw));
    }
    assert!(document.text().len() <= 16 * octets + 4096, "{} of {octets}", document.text().len());
}

/// Every link to a part that came whole can be followed; where it leads stays within bounds.
fn taken(octets: &[u8], document: &Document, url: &Url, dice: &mut Dice) -> u64 {
    let id = message::message_id(octets);
    let links = (0..document.link_count()).filter_map(|link| Url::parse(document.reference(LinkId(link))?).ok());
    let mut taken = 0;
    for link in links.filter(|link| link.is("mid") || link.is("cid")).take(20) {
        let Some(name) = PartName::of_url(&link, id.as_deref()) else { continue };
        let Some(part) = message::part(octets, &name, url) else { continue };
        assert!(part.octets.len() <= octets.len() * 2 + 64, "{link}: {}", part.octets.len());
        message::resolve(octets, &name, &link, url);
        taken += 1;
    }
    // What is signed is one text from its first line to its last.
    if let Ok(Signed::Within(text)) = message::signed(octets) {
        let begins = text.starts_with(b"-----BEGIN PGP SIGNED MESSAGE-----");
        assert!(begins && text.ends_with(b"-----END PGP SIGNATURE-----\r\n"));
    }
    message::inner(octets, [&b"a@x"[..], b"b@x", b""][dice.roll(3)], url);
    taken
}

/// An answer to it is a whole draft, and what the message says becomes no field of it.
fn answered(octets: &[u8], url: &Url) -> bool {
    let manner =
        Manner { from: "Me <me@h>", attribution: "{name} {address} {date} {subject} {id}:", ..Manner::default() };
    let Some(original) = message::original(octets, None, url) else { return false };
    for draft in [original.followup(&manner), original.mail(&manner)] {
        let known = ["From", "Newsgroups", "To", "Subject", "In-Reply-To", "References"];
        let read = Draft::read(&draft);
        assert!(read.broken.is_empty(), "{:?}", read.broken);
        assert!(read.fields.iter().all(|(name, _)| known.contains(&name.as_str())), "{:?}", read.fields);
        assert!(!draft.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "{draft:?}");
        assert!(draft.len() <= 2 * (1 << 20) + 1024, "{}", draft.len());
    }
    true
}
