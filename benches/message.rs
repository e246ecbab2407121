//! How fast messages become pages: what MIME wraps around 10 MB of text, and what it hides in many parts.

use divan::Bencher;
use divan::counter::BytesCount;
use wayfarer::doc::{Builder, Document};
use wayfarer::format::message::words;
use wayfarer::format::{Input, media, parser};
use wayfarer::url::Url;

fn main() {
    divan::main();
}

const SIZE: usize = 10_000_000;
/// As much as a socket gives at once.
const CHUNK: usize = 16 * 1024;

fn parse(octets: &[u8]) -> Option<Document> {
    let url = Url::parse("news:1@news.example.org").ok()?;
    let mut parser = parser(&Input {
        media: media::MESSAGE.into(),
        charset: None,
        url,
        groups: Default::default(),
        notices: Vec::new(),
    })?;
    let mut out = Builder::new();
    octets.chunks(CHUNK).for_each(|chunk| parser.feed(chunk, &mut out));
    parser.finish(&mut out);
    Some(out.finish())
}

const HEAD: &str = "From: =?utf-8?Q?J=C3=BCrgen?= <j@example.org>\r\nSubject: =?utf-8?B?R3LDvMOfZQ==?= and greetings\r\n\
    Date: Fri, 15 Nov 2024 10:12:00 +0100\r\nMessage-ID: <1@news.example.org>\r\nMIME-Version: 1.0\r\n";

/// A message whose body is these lines over and over.
fn message(fields: &str, lines: &str) -> Vec<u8> {
    format!("{HEAD}{fields}\r\n{}", lines.repeat(SIZE / lines.len())).into_bytes()
}

/// How a body is made fit for its way: the name of it, the fields that say so, lines.
const BODIES: [(&str, &str, &str); 5] = [
    ("as it is", "Content-Type: text/plain\r\n", "> It was the best of times, it was the worst of times.\r\n"),
    (
        "quoted-printable",
        "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n",
        "Gr=C3=BC=C3=9Fe aus dem Bau, deren Zeile so lang ist, dass sie weich gebro=\r\nchen wurde.\r\n",
    ),
    (
        "base64",
        "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n",
        "TWFueSBoYW5kcyBtYWtlIGxpZ2h0IHdvcmssIGFuZCB0b28gbWFueSBjb29rcyBzcG9pbCAK\r\n",
    ),
    (
        "flowed",
        "Content-Type: text/plain; format=flowed\r\n",
        "> It was the best of times, it was the worst of \r\n> times, it was the age of wisdom.\r\n",
    ),
    (
        "uuencode",
        "",
        "begin 644 a.bin\r\nM5&AI<R!I<R!A('1E<W0@;V8@=75E;F-O9&EN9RX@5&AI<R!I<R!A('1E<W0N\r\n`\r\nend\r\n",
    ),
];

#[divan::bench(args = BODIES.map(|(name, ..)| name))]
fn body(bencher: Bencher<'_, '_>, name: &str) {
    let Some((_, fields, lines)) = BODIES.iter().find(|(known, ..)| *known == name) else { return };
    let message = message(fields, lines);
    bencher.counter(BytesCount::of_slice(&message)).bench(|| parse(&message));
}

/// Parts side by side, each with a head of its own; the reader sees some and is offered the others.
#[divan::bench(args = [10, 1_000])]
fn parts(bencher: Bencher<'_, '_>, count: usize) {
    let part = |n: usize| {
        let kind = ["text/plain", "text/html", "image/png"][n % 3];
        let head =
            format!("--=_x\r\nContent-Type: {kind}; name=\"part {n}\"\r\nContent-Disposition: attachment\r\n\r\n");
        head + &"A line of some length, as mails have them.\r\n".repeat(SIZE / count / 44)
    };
    let parts: String = (0..count).map(part).collect();
    let message =
        format!("{HEAD}Content-Type: multipart/mixed; boundary=\"=_x\"\r\n\r\n{parts}--=_x--\r\n").into_bytes();
    bencher.counter(BytesCount::of_slice(&message)).bench(|| parse(&message));
}

/// Words of a header, as each row of a group's page has two of.
#[divan::bench(args = [
    "What became of the thread",
    "=?utf-8?B?R3LDvMOfZSBhdXMgZGVtIEJhdQ==?= =?utf-8?B?R3LDvMOfZQ==?=",
    "=?iso-8859-1?Q?Gr=FC=DFe_aus_dem_Bau?= (was: burrows)",
])]
fn encoded_words(bencher: Bencher<'_, '_>, field: &str) {
    bencher.counter(BytesCount::of_str(field)).bench(|| words(divan::black_box(field)));
}
