//! News and mail: messages, their headers and parts, lists of groups, overviews, threads, drafts, what has been read.

use super::page::{self, Shape};
use super::{Row, row, text};
use std::hint::black_box;
use wayfarer::format::mbox::{self, Overviews, Single};
use wayfarer::format::media;
use wayfarer::format::message::{self, PartName, words};
use wayfarer::news::{
    Article, ArticleSet, Draft, Mailbox, Manner, Newsrc, Overview, Subscription, Threads, new_mail, subject,
};
use wayfarer::stop::Stop;
use wayfarer::url::Url;

const SIZE: usize = 8 * 1024;
/// Of lines whose first 64 KiB are read in another way than what follows: all three inputs have many times as much.
const MANY_LINES: usize = 512 * 1024;

const MESSAGE: &[Shape] = &[
    ("fields", SIZE, "From: a@b\r\n", "X-{}: y\r\n", ""),
    ("fields that are shown", SIZE, "", "From: a@b\r\n", ""),
    ("a long field", SIZE, "From: a@b\r\nSubject: ", "words ", ""),
    ("a folded field", SIZE, "From: a@b\r\nSubject: ", "words\r\n ", ""),
    ("a name of a field", SIZE, "From: a@b\r\n", "X", ""),
    ("encoded words", SIZE, "From: a@b\r\nSubject: ", "=?utf-8?Q?J=C3=BC?= ", ""),
    ("encoded words folded", SIZE, "From: a@b\r\nSubject: ", "=?utf-8?B?R3I=?=\r\n ", ""),
    ("encoded words that open", SIZE, "From: a@b\r\nSubject: ", "=?utf-8?Q?a ", ""),
    ("one encoded word", SIZE, "From: a@b\r\nSubject: =?utf-8?Q?", "=C3=BC", "?="),
    ("question marks", SIZE, "From: a@b\r\nSubject: ", "=?", ""),
    ("octets beyond ASCII", SIZE, "From: a@b\r\nSubject: ", "\u{e9}", ""),
    ("Re:", SIZE, "From: a@b\r\nSubject: ", "Re: ", ""),
    ("people", SIZE, "From: ", "Me <me@h{}>, ", ""),
    ("comments in people", SIZE, "From: ", "(", ")"),
    ("comments that open", SIZE, "From: ", "a@b (", ""),
    ("quotes that open", SIZE, "From: ", "\"a", ""),
    ("brackets that open", SIZE, "From: ", "<a", ""),
    ("a group of people", SIZE, "From: a:", "b@c;", ""),
    ("backslashes", SIZE, "From: \"", "\\", ""),
    ("groups", SIZE, "From: a@b\r\nNewsgroups: ", "a.b{},", ""),
    ("references", SIZE, "From: a@b\r\nMessage-ID: <x@y>\r\nReferences: ", "<a{}@b> ", ""),
    ("references that open", SIZE, "From: a@b\r\nReferences: ", "<", ""),
    ("references in the text", SIZE, "From: a@b\r\nReferences: <a1@b> <a2@b>\r\n\r\n", "<a{}@b> ", ""),
    ("cross-references", SIZE, "From: a@b\r\nXref: h ", "a.b:{} ", ""),
    ("a path", SIZE, "From: a@b\r\nPath: ", "a!", ""),
    ("dates", SIZE, "From: a@b\r\nDate: ", "Fri, 15 Nov 2024 ", ""),
    ("text", SIZE, "From: a@b\r\n\r\n", "some words\r\n", ""),
    ("one line", SIZE, "From: a@b\r\n\r\n", "some words ", ""),
    ("quotes", SIZE, "From: a@b\r\n\r\n", "> words\r\n", ""),
    ("quotes in quotes", SIZE, "From: a@b\r\n\r\n", "> ", ""),
    ("quotes that deepen", SIZE, "From: a@b\r\n\r\n", "> > > > > > > > > >> >> >>> words\r\n", ""),
    ("signatures", SIZE, "From: a@b\r\n\r\n", "-- \r\nx\r\n", ""),
    ("flowed", SIZE, "From: a@b\r\nContent-Type: text/plain; format=flowed\r\n\r\n", "some words \r\n", ""),
    ("flowed quotes", SIZE, "From: a@b\r\nContent-Type: text/plain; format=flowed\r\n\r\n", "> some words \r\n", ""),
    (
        "flowed, deeper and deeper",
        SIZE,
        "From: a@b\r\nContent-Type: text/plain; format=flowed\r\n\r\n",
        ">>>>> words \r\n>> words \r\n",
        "",
    ),
    ("flowed marks", SIZE, "From: a@b\r\nContent-Type: text/plain; format=flowed\r\n\r\n", ">", ""),
    (
        "quoted-printable",
        SIZE,
        "From: a@b\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n",
        "=C3=BC words=\r\n",
        "",
    ),
    ("quoted-printable blanks", SIZE, "From: a@b\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n", "=20 \t", ""),
    ("quoted-printable equals", SIZE, "From: a@b\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n", "=", ""),
    ("base64", SIZE, "From: a@b\r\nContent-Transfer-Encoding: base64\r\n\r\n", "TWFueSBoYW5kcyBtYWtl\r\n", ""),
    ("base64 in one line", SIZE, "From: a@b\r\nContent-Transfer-Encoding: base64\r\n\r\n", "TWFu", ""),
    ("base64 of nothing", SIZE, "From: a@b\r\nContent-Transfer-Encoding: base64\r\n\r\n", "=", ""),
    (
        "uuencode",
        SIZE,
        "From: a@b\r\n\r\nbegin 644 a.bin\r\n",
        "M5&AI<R!I<R!A('1E<W0@;V8@=75E;F-O9&EN9RX@5&AI<R!I<R!A('1E<W0N\r\n",
        "",
    ),
    ("uuencoded files", SIZE, "From: a@b\r\n\r\n", "begin 644 a{}.bin\r\n#86)C\r\n`\r\nend\r\n", ""),
    ("files that begin", SIZE, "From: a@b\r\n\r\n", "begin 644 a{}.bin\r\n", ""),
    ("a long name of a file", SIZE, "From: a@b\r\n\r\nbegin 644 ", "name ", ""),
    ("yEnc", SIZE, "From: a@b\r\n\r\n=ybegin line=128 size=9999999 name=a\r\n", "abcdefghijklmnopqrstuvwxyz\r\n", ""),
    ("yEnc files", SIZE, "From: a@b\r\n\r\n", "=ybegin line=128 size=3 name=a{}\r\nabc\r\n=yend size=3\r\n", ""),
    ("yEnc that begins", SIZE, "From: a@b\r\n\r\n", "=ybegin line=128 size=3 name=a{}\r\n", ""),
    ("parts", SIZE, "From: a@b\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n", "--x\r\n\r\nwords\r\n", ""),
    (
        "parts that are linked",
        SIZE,
        "From: a@b\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n",
        "--x\r\nContent-Type: image/png; name=a{}\r\n\r\nwords\r\n",
        "",
    ),
    (
        "parts with ids",
        SIZE,
        "From: a@b\r\nContent-Type: multipart/related; boundary=x\r\n\r\n",
        "--x\r\nContent-Type: text/html\r\nContent-ID: <a{}@b>\r\nContent-Location: x{}\r\n\r\n<img src=cid:a{}@b>\r\n",
        "",
    ),
    (
        "parts of one id",
        SIZE,
        "From: a@b\r\nContent-Type: multipart/related; boundary=x\r\n\r\n",
        "--x\r\nContent-Type: text/html\r\nContent-ID: <a@b>\r\n\r\n<img src=cid:a@b>\r\n",
        "",
    ),
    (
        "alternatives",
        SIZE,
        "From: a@b\r\nContent-Type: multipart/alternative; boundary=x\r\n\r\n",
        "--x\r\nContent-Type: text/html\r\n\r\n<p>words\r\n",
        "",
    ),
    (
        "parts of HTML",
        SIZE,
        "From: a@b\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n",
        "--x\r\nContent-Type: text/html\r\n\r\n<p>words\r\n",
        "",
    ),
    (
        "messages",
        SIZE,
        "From: a@b\r\nContent-Type: multipart/digest; boundary=x\r\n\r\n",
        "--x\r\n\r\nFrom: c@d\r\nMessage-ID: <a{}@b>\r\n\r\nwords\r\n",
        "",
    ),
    ("messages in messages", SIZE, "", "From: a@b\r\nContent-Type: message/rfc822\r\n\r\n", ""),
    ("parts in parts", SIZE, "", "From: a@b\r\nContent-Type: multipart/mixed; boundary=x{}\r\n\r\n--x{}\r\n", ""),
    ("parts in parts of one boundary", SIZE, "", "Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n", ""),
    ("parts in parts that end", SIZE, "", "Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n", "--x--\r\n"),
    ("ends of parts", SIZE, "From: a@b\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n", "--x--\r\n", ""),
    (
        "almost boundaries",
        SIZE,
        "From: a@b\r\nContent-Type: multipart/mixed; boundary=xxxxxxxxxxxxxxxxxxxx\r\n\r\n",
        "--xxxxxxxxxxxxxxxxxxx\r\n",
        "",
    ),
    ("hyphens", SIZE, "From: a@b\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n", "-", ""),
    ("a long boundary", SIZE, "From: a@b\r\nContent-Type: multipart/mixed; boundary=", "x", ""),
    ("parameters", SIZE, "From: a@b\r\nContent-Type: text/plain", "; a{}=b", ""),
    ("parameters that go on", SIZE, "From: a@b\r\nContent-Disposition: attachment", "; filename*{}*=a%20", ""),
    ("parameters in quotes that open", SIZE, "From: a@b\r\nContent-Type: text/plain", "; a=\"b", ""),
    ("semicolons", SIZE, "From: a@b\r\nContent-Type: text/plain", ";", ""),
    ("languages", SIZE, "From: a@b\r\nContent-Language: ", "de, ", ""),
    (
        "an external body",
        SIZE,
        "From: a@b\r\nContent-Type: message/external-body; access-type=anon-ftp; site=h; name=x",
        "y",
        "",
    ),
    ("enriched", SIZE, "From: a@b\r\nContent-Type: text/enriched\r\n\r\n", "<bold>", "</bold>"),
    ("enriched marks", SIZE, "From: a@b\r\nContent-Type: text/enriched\r\n\r\n", "<", ""),
    ("rich text", SIZE, "From: a@b\r\nContent-Type: text/richtext\r\n\r\n", "<bold>x<nl>", ""),
    ("UTF-7", SIZE, "From: a@b\r\nContent-Type: text/plain; charset=utf-7\r\n\r\n", "+2D0-", ""),
    ("HTML", SIZE, "From: a@b\r\nContent-Type: text/html\r\n\r\n", "<p>words <b>and</b> words", ""),
    ("HTML tables", SIZE, "From: a@b\r\nContent-Type: text/html\r\n\r\n<table>", "<tr><td>words<td>words", ""),
    ("HTML tables in tables", SIZE, "From: a@b\r\nContent-Type: text/html\r\n\r\n", "<table><tr><td>words", ""),
    ("HTML lists in lists", SIZE, "From: a@b\r\nContent-Type: text/html\r\n\r\n", "<ul><li>words", ""),
    ("HTML quotes in quotes", SIZE, "From: a@b\r\nContent-Type: text/html\r\n\r\n", "<blockquote>words", ""),
    ("HTML in one line", SIZE, "From: a@b\r\nContent-Type: text/html\r\n\r\n<p>", "words ", ""),
    ("HTML in one word", SIZE, "From: a@b\r\nContent-Type: text/html\r\n\r\n<p>", "w", ""),
    ("HTML links", SIZE, "From: a@b\r\nContent-Type: text/html\r\n\r\n", "<a href=x{}>words</a>", ""),
    ("empty lines", SIZE, "From: a@b\r\n\r\n", "\r\n", ""),
    ("empty lines before", SIZE, "", "\r\n", ""),
];

const GROUP: &[Shape] = &[
    (
        "articles",
        SIZE,
        "a.group\t1\t300\t300\t\r\n",
        "{}\tSubject {}\tMe <me@h>\tFri, 15 Nov 2024 12:00:00 +0100\t<a{}@b>\t\t2345\t42\tXref: h a.group:{}\r\n",
        "",
    ),
    (
        "articles of one subject",
        SIZE,
        "a.group\t1\t300\t300\t\r\n",
        "{}\tSubject\tMe <me@h>\tFri, 15 Nov 2024 12:00:00 +0100\t<a{}@b>\t\t2345\t42\r\n",
        "",
    ),
    (
        "answers of one subject",
        SIZE,
        "a.group\t1\t300\t300\t\r\n",
        "{}\tRe: Subject\tMe <me@h>\tFri, 15 Nov 2024 12:00:00 +0100\t<a{}@b>\t\t2345\t42\r\n",
        "",
    ),
    (
        "answers to one",
        SIZE,
        "a.group\t1\t300\t300\t\r\n",
        "{}\tSubject\tMe <me@h>\tFri, 15 Nov 2024 12:00:00 +0100\t<a{}@b>\t<z@b>\t2345\t42\r\n",
        "",
    ),
    (
        "articles of one id",
        SIZE,
        "a.group\t1\t300\t300\t\r\n",
        "{}\tSubject\tMe <me@h>\t\t<a@b>\t<a@b>\t2345\t42\r\n",
        "",
    ),
    (
        "articles of one number",
        SIZE,
        "a.group\t1\t300\t300\t\r\n",
        "7\tSubject\tMe <me@h>\t\t<a{}@b>\t\t2345\t42\r\n",
        "",
    ),
    ("articles without ids", SIZE, "a.group\t1\t300\t300\t\r\n", "{}\tSubject\tMe <me@h>\t\t\t\t2345\t42\r\n", ""),
    ("a long subject", SIZE, "a.group\t1\t300\t300\t\r\n1\t", "words ", ""),
    ("a long subject of Re:", SIZE, "a.group\t1\t300\t300\t\r\n1\t", "Re: ", ""),
    ("an encoded subject", SIZE, "a.group\t1\t300\t300\t\r\n1\t", "=?utf-8?Q?J=C3=BC?= ", ""),
    ("a long author", SIZE, "a.group\t1\t300\t300\t\r\n1\tSubject\t", "(words) ", ""),
    ("an author of comments", SIZE, "a.group\t1\t300\t300\t\r\n1\tSubject\t", "(", ")"),
    ("long references", SIZE, "a.group\t1\t300\t300\t\r\n1\tSubject\tMe\t\t<a@b>\t", "<r{}@b> ", ""),
    ("a long id", SIZE, "a.group\t1\t300\t300\t\r\n1\tSubject\tMe\t\t<", "a", ""),
    ("many fields", SIZE, "a.group\t1\t300\t300\t\r\n1", "\tx", ""),
    ("lines that are none", SIZE, "a.group\t1\t300\t300\t\r\n", "words\r\n", ""),
    ("a long name of the group", SIZE, "", "a.", ""),
];

const GROUPS: &[Shape] = &[
    ("groups", SIZE, "", "a.group{}\t100\t1\ty\tSome words of it\r\n", ""),
    ("groups of one name", SIZE, "", "a.group\t100\t1\ty\r\n", ""),
    ("a long name", SIZE, "", "a.", ""),
    ("a long description", MANY_LINES, "a.group\t100\t1\ty\t", "words ", ""),
    ("lines that are none", SIZE, "", "words\r\n", ""),
    ("empty lines", SIZE, "", "\r\n", ""),
];

/// Mailboxes in one file.
const MAILBOX: &[Shape] = &[
    (
        "messages",
        SIZE,
        "",
        "From a@b Thu Jan  2 10:00:00 2025\nFrom: a@b\nSubject: x\nMessage-ID: <{}@b>\n\nwords\n\n",
        "",
    ),
    ("a header without end", SIZE, "From a@b Thu Jan  2 10:00:00 2025\nSubject: x\n", " words\n", ""),
    ("one line without end", SIZE, "From a@b Thu Jan  2 10:00:00 2025\nSubject: x\n\n", "words ", ""),
    ("empty lines", SIZE, "From a@b Thu Jan  2 10:00:00 2025\nSubject: x\n\n", "\n", ""),
    ("quoted beginnings", SIZE, "From a@b Thu Jan  2 10:00:00 2025\nSubject: x\n\n", ">>>From x\n", ""),
    ("marks", SIZE, "From a@b Thu Jan  2 10:00:00 2025\nSubject: x\n\n", ">", ""),
];

/// All that a mailbox undergoes: listed, its first message read, and written again.
fn mailbox(octets: Vec<u8>) -> super::Work {
    Box::new(move || {
        let (mut overviews, mut lines) = (Overviews::new(), Vec::new());
        let (mut single, mut message, mut again) = (Single::default(), Vec::new(), Vec::new());
        let place = |at: u64| format!("file:///box?message={at}");
        for chunk in octets.chunks(16 * 1024) {
            overviews.feed(chunk, &place, &mut lines);
            single.feed(chunk, &mut message);
        }
        overviews.finish(&place, &mut lines);
        single.finish(&mut message);
        mbox::write(&octets, "-", "Thu Jan  2 10:00:00 2025", &mut again);
        black_box((lines, message, again));
    })
}

/// What an answer to a message takes, and its parts.
fn answered(octets: Vec<u8>) -> super::Work {
    Box::new(move || {
        let url = Url::parse("news:1@h").expect("a URL");
        let manner = Manner { from: "Me <me@h>", attribution: "{name} {date}:", flowed: true, ..Manner::default() };
        if let Some(original) = message::original(&octets, None, &url) {
            for draft in [original.followup(&manner), original.mail(&manner)] {
                let draft = Draft::read(&draft);
                black_box((draft.mistakes(), draft.remarks(), draft.doubt(), draft.article("agent", true)));
            }
        }
        let id = message::message_id(&octets);
        for name in ["part-2", "part-1.1.1", "part-1.file-3", "a5@b"] {
            black_box(message::part(&octets, &PartName::parse(name.as_bytes()), &url));
        }
        black_box((message::inner(&octets, b"a5@b", &url), id));
    })
}

/// Threads of overview lines.
fn threads(text: String) -> super::Work {
    Box::new(move || {
        let mut threads = Threads::default();
        for overview in text.lines().filter_map(|line| Overview::of(line.as_bytes())) {
            threads.add(&Article {
                number: overview.number,
                message_id: overview.message_id,
                references: overview.references,
                subject: std::str::from_utf8(overview.subject).unwrap_or_default(),
                date: None,
            });
        }
        black_box(threads.forest(&Stop::new()));
    })
}

/// A chain of answers, each of which names the one before it.
fn chain(octets: usize, forward: bool) -> String {
    let line = |n: usize| format!("{n}\tRe: x\tme\t\t<a{n}@b>\t<a{}@b>\t1\t1\n", n + 1 - 2 * usize::from(forward));
    let mut text = String::new();
    for n in 1.. {
        text += &line(n);
        if text.len() >= octets {
            break;
        }
    }
    text
}

/// All of them.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    rows.extend(page::rows("message", media::MESSAGE, MESSAGE));
    rows.extend(page::rows("group", media::NEWSGROUP, GROUP));
    rows.extend(page::rows("groups", media::NEWSGROUPS, GROUPS));
    for &(name, octets, before, piece, after) in MESSAGE {
        rows.push(row(format!("answer: {name}"), octets, move |octets| {
            answered(text(octets, before, piece, after).into_bytes())
        }));
    }
    for &(name, octets, before, piece, after) in MAILBOX {
        rows.push(row(format!("mailbox: {name}"), octets, move |octets| {
            mailbox(text(octets, before, piece, after).into_bytes())
        }));
    }
    for &(name, octets, before, piece, after) in GROUP {
        rows.push(row(format!("threads: {name}"), octets, move |octets| threads(text(octets, before, piece, after))));
    }
    for forward in [true, false] {
        rows.push(row(format!("threads: a chain, forward {forward}"), SIZE, move |octets| {
            threads(chain(octets, forward))
        }));
        rows.push(row(format!("group: a chain, forward {forward}"), SIZE, move |octets| {
            page::read(media::NEWSGROUP, format!("a.group\t1\t300\t300\t\r\n{}", chain(octets, forward)).into_bytes())
        }));
    }
    for (name, piece) in [
        ("plain", "words "),
        ("encoded", "=?utf-8?Q?J=C3=BC?= "),
        ("open", "=?"),
        ("Re:", "Re: "),
        ("(was:", "(was: "),
        ("brackets", "[x] "),
    ] {
        rows.push(row(format!("words: {name}"), SIZE, move |octets| {
            let text = text(octets, "", piece, "");
            Box::new(move || {
                let words = words(&text);
                black_box(subject(&words));
                black_box(message::rot13(&words));
            })
        }));
    }
    for (name, before, piece) in [
        ("groups", "", "a.b{}: 1-10\n"),
        ("groups of one name", "", "a.b: 1-10\n"),
        ("ranges", "a.b: ", "{},"),
        ("ranges apart", "a.b: ", "{}1-{}2,"),
        ("ranges that overlap", "a.b: ", "1-{},"),
        ("lines that are none", "", "words\n"),
        ("one line", "", "x"),
        ("empty lines", "", "\n"),
    ] {
        rows.push(row(format!("newsrc: {name}"), SIZE, move |octets| {
            let text = text(octets, before, piece, "");
            Box::new(move || {
                let (mut newsrc, flaws) = Newsrc::parse(text.as_bytes());
                let base = newsrc.clone();
                newsrc.change(b"a.b", |read| read.insert(5));
                newsrc.subscribe(b"x.y", Subscription::Subscribed);
                black_box((Newsrc::merge(&newsrc, &base, &base).write(), flaws));
            })
        }));
    }
    rows.push(row("newsrc: articles read one by one", SIZE, |octets| {
        Box::new(move || {
            let mut set = ArticleSet::new();
            (0..octets as u64 / 8).for_each(|n| set.insert(2 * n));
            set.remove(4);
            set.insert_range(1, octets as u64);
            black_box(set);
        })
    }));
    for (name, piece) in [
        ("fields", "X{}: y\n"),
        ("folded", " words\n"),
        ("lines", "\nwords"),
        ("groups", "Newsgroups: a.b,\n"),
        ("one line", "words "),
    ] {
        rows.push(row(format!("draft: {name}"), SIZE, move |octets| {
            let text = text(octets, "From: me@h\nSubject: x", piece, "");
            Box::new(move || {
                let draft = Draft::read(&text);
                black_box((draft.mistakes(), draft.article("agent", true), draft.article("agent", false)));
            })
        }));
    }
    rows.push(row("draft: to many", SIZE, |octets| {
        let mailbox = |n: usize| Mailbox { address: format!("me{n}@h"), ..Mailbox::default() };
        let to: Vec<Mailbox> = (0..octets / 10).map(mailbox).collect();
        Box::new(move || drop(black_box(new_mail(&to, &[], &Manner::default()))))
    }));
    rows
}
