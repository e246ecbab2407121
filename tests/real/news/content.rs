//! The articles of the test groups: hand-made oddities, then threads.

use std::fmt::Write;
use std::ops::Range;

/// The groups; nobody but those who log in reads the last.
pub const GROUPS: [&str; 4] = ["wf.test", "wf.links", "wf.mime", "wf.private"];

/// What the groups are for, one in an odd charset.
pub const DESCRIPTIONS: &str = "wf.test\tTests of reading news.\nwf.links\tArticles with links of every scheme.\n\
    wf.mime\tArticles in every MIME dress. café\nwf.private\tNeeds a password.\n";

/// Articles in all.
pub const ARTICLES: usize = 2_000;

const PEOPLE: [&str; 6] = [
    "Ada Burrow <ada@example.invalid>",
    "bob@example.invalid (Bob Tunnel)",
    "\"Carol, the Ferry\" <carol@example.invalid>",
    "=?ISO-8859-1?Q?Ren=E9_Caf=E9?= <rene@example.invalid>",
    "=?UTF-8?B?5bGx55Sw?= <yamada@example.invalid>",
    "eve@example.invalid",
];

/// Hand-made articles: group, subject, further header lines, body; octets as they are.
const ODD: &[(&str, &[u8], &str, &[u8])] = &[
    (
        "wf.links",
        b"Links of every scheme",
        "",
        b"<URL:ftp://127.0.0.1/pub/names/with%20space.txt> <URL:gopher://127.0.0.1/1/types>\n\
          <URL:news:wf.test> <news:wf.3@news.example.invalid> news:wf.mime <URL:nntp:wf.test/3>\n\
          <URL:telnet://wayfarer@127.0.0.1/> <URL:mailto:ada@example.invalid> <URL:file:/etc/hostname>\n\
          <URL:http://127.0.0.1/a/very/long/path/that/is/\nbroken/over/two/lines.html>\n\
          A message id in the text: <wf.3@news.example.invalid> and www.example.invalid.\n",
    ),
    (
        "wf.links",
        b"Relative references, with a base",
        "Content-Base: http://127.0.0.1/news/\nContent-Location: page.html\n\
         MIME-Version: 1.0\nContent-Type: text/html; charset=us-ascii\n",
        b"<p><a href=\"other.html\">other</a> <a href=\"news:wf.test\">group</a>\n",
    ),
    ("wf.links", b"Links in the header", "X-URL: http://127.0.0.1/\nArchive-name: wayfarer/faq/part1\n", b"see above\n"),
    (
        "wf.mime",
        b"multipart/related with Content-Location",
        "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=\"=_rel\"; type=\"text/html\"\n\
         Content-Base: http://www.example.invalid/doc/\n",
        b"--=_rel\nContent-Type: text/html; charset=iso-8859-1\nContent-Location: index.html\n\
          Content-Transfer-Encoding: quoted-printable\n\n<p>Caf=E9 <a href=3D\"next.html\">next</a></p>\n--=_rel\n\
          Content-Type: text/html\nContent-Location: http://www.example.invalid/doc/next.html\n\n\
          <p>The next part. <a href=\"index.html\">back</a>\n--=_rel--\n",
    ),
    (
        "wf.mime",
        b"multipart/mixed with attachments",
        "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=mix\n",
        b"preamble\n--mix\n\nNo header at all.\n--mix\nContent-Type: application/octet-stream\n\
          Content-Disposition: attachment; filename*0=\"very-lo\"; filename*1=\"ng.bin\"\n\
          Content-Transfer-Encoding: base64\n\nAAECAwQFBgc=\n--mix\nContent-Type: message/rfc822\n\n\
          Subject: inner\nFrom: a@b.invalid\n\nInner body\n--mix--\nepilogue\n",
    ),
    (
        "wf.mime",
        b"boundary never closed",
        "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=open\n",
        b"--open\nContent-Type: text/plain\n\nThis part never ends.\n",
    ),
    ("wf.mime", b"multipart without boundary", "MIME-Version: 1.0\nContent-Type: multipart/mixed\n", b"No boundary here.\n"),
    (
        "wf.mime",
        b"format=flowed",
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8; format=flowed\n",
        b"A line that goes \non.\n\n> quoted and flowed \n> to the next line\n>> deeper\n From space-stuffed\n-- \nsignature\n",
    ),
    (
        "wf.mime",
        b"quoted-printable latin-1",
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n",
        b"Caf=E9 cr=E8me, =E0 bient=F4t.\n",
    ),
    (
        "wf.mime",
        b"eight-bit latin-1",
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n",
        b"Caf\xe9 cr\xe8me, \xbd price\n",
    ),
    ("wf.mime", b"eight-bit with no charset", "", b"Caf\xe9 with no MIME header\n"),
    (
        "wf.mime",
        b"shift_jis",
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=shift_jis\nContent-Transfer-Encoding: 8bit\n",
        b"\x93\xfa\x96\x7b\x8c\xea\n",
    ),
    (
        "wf.mime",
        b"unknown charset and encoding",
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=x-klingon\nContent-Transfer-Encoding: x-rot13\n",
        b"uryyb\n",
    ),
    ("wf.mime", b"uuencoded file", "", b"A file follows.\nbegin 644 hi.txt\n-2&5L;&\\@5V]R;&0A\"@``\n`\nend\nafter\n"),
    ("wf.mime", b"=?iso-8859-1?Q?Caf=E9_=E0_la_cr=E8me?=", "", b"Q encoded subject\n"),
    ("wf.mime", b"=?bad?X?zz?= and =?utf-8?Q?broken", "", b"broken encoded words\n"),
    ("wf.mime", b"Raw UTF-8 caf\xc3\xa9 in the subject", "", b"raw\n"),
    ("wf.test", b"Dot stuffing", "", b".\n..\n.one dot\n...three\nend\n.\n"),
    ("wf.test", b"Escape sequences \x1b[31mred", "", b"evil \x1b[2J\x1b]0;title\x07 text\n"),
    ("wf.test", b"Empty body", "", b"\n"),
    ("wf.test,wf.links", b"Crossposted", "Followup-To: wf.test\n", b"in two groups\n"),
    ("wf.test", b"Followup to poster", "Followup-To: poster\nReply-To: other@example.invalid\n", b"answer by mail\n"),
    ("wf.test", b"Quoting", "", b"Ada wrote:\n> one\n>> two\n>>> three\nAB> initials\n\nMy answer.\n-- \nsig line 1\n"),
    ("wf.test", b"ROT13", "", b"Fcbvyre: uryyb\n\x0cafter form feed\n"),
    ("wf.test", b"Re: parent never arrived", "References: <gone.1@nowhere.invalid> <gone.2@nowhere.invalid>\n", b"lost\n"),
    ("wf.test", b"Odd message-id, see next", "References: <a%b/c#d?e@x.invalid>\n", b"odd\n"),
    ("wf.private", b"Between us", "", b"Nobody else reads this.\n"),
];

/// The message-id of an article by its number from 1.
pub fn id(number: usize) -> String {
    format!("<wf.{number}@news.example.invalid>")
}

/// All articles, as one server hands them to another; the last of `wf.links` has the ways that a journey wants.
pub fn batch(ways: &str) -> Vec<u8> {
    batch_of(ways, ARTICLES)
}

/// The same, so many in all.
pub fn batch_of(ways: &str, count: usize) -> Vec<u8> {
    let mut batch = Vec::new();
    for (at, (groups, subject, more, body)) in ODD.iter().enumerate() {
        push(&mut batch, &article(at + 1, groups, subject, more, body));
    }
    batch.extend(threads(&GROUPS[..3], ODD.len() + 1..count));
    push(&mut batch, &article(count, "wf.links", b"Where to go from here", "", ways.as_bytes()));
    batch
}

/// Articles that belong to threads, in turn in each of the groups.
pub fn threads(groups: &[&str], numbers: Range<usize>) -> Vec<u8> {
    let mut batch = Vec::new();
    for number in numbers {
        let body = format!("This is article {number}.\n\nSee article {}.\n-- \nThe poster\n", id(number / 2 + 1));
        let (subject, references) = place_in_thread(number);
        let group = groups[number % groups.len()];
        push(&mut batch, &article(number, group, subject.as_bytes(), &references, body.as_bytes()));
    }
    batch
}

fn push(batch: &mut Vec<u8>, article: &[u8]) {
    batch.extend_from_slice(format!("#! rnews {}\n", article.len()).as_bytes());
    batch.extend_from_slice(article);
}

/// Eight articles of a group are a thread: a beginning, answers to it, answers to those.
fn place_in_thread(number: usize) -> (String, String) {
    let at = number / 3 % 8;
    let first = number - at * 3;
    let subject = format!("Thread {first}");
    // A thread that would begin among the hand-made articles has lost its beginning.
    if at == 0 {
        return (subject, String::new());
    }
    let mut references = format!("References: {}", id(first));
    if at > 3 {
        write!(references, " {}", id(first + 3 * (at / 2))).unwrap();
    }
    (format!("Re: {subject}"), references + "\n")
}

fn article(number: usize, groups: &str, subject: &[u8], more: &str, body: &[u8]) -> Vec<u8> {
    // One every ten minutes from the first of January 2025.
    let minutes = i64::try_from(number).unwrap() * 10;
    let date = jiff::civil::date(2025, 1, 1).at(0, 0, 0, 0) + jiff::Span::new().minutes(minutes);
    let mut article = format!(
        "Path: wf.example.invalid!not-for-mail\nFrom: {}\nNewsgroups: {groups}\n\
         Date: {} +0000\nMessage-ID: {}\nSubject: ",
        PEOPLE[number % PEOPLE.len()],
        date.strftime("%-d %b %Y %H:%M:%S"),
        id(number),
    )
    .into_bytes();
    for piece in [subject, b"\n", more.as_bytes(), b"\n", body] {
        article.extend_from_slice(piece);
    }
    article
}
