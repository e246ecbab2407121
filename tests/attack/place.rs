//! Where servers and files put what is shown: each place of each protocol, as an answer around a payload.
//!
//! An address names place and payload by a tag such as `07v45` (place 7, vector 45) or `07c2` (place 7, the third
//! bundle of vectors); the server makes its answer of it. Behind each vector stands a mark of letters and digits: where
//! the mark is shown, the place was reached and the vector ate nothing.

use crate::host::{Host, Said, html, page};
use crate::vector::{Vector, vectors};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A place of a protocol of answers: what an address there looks like, `{}` for the tag, and the answer around a
/// payload.
pub struct Place {
    pub name: &'static str,
    /// Behind `scheme://host:port/`.
    pub path: &'static str,
    /// Control octets of ASCII cannot stand there; payloads come without them.
    pub field: bool,
    answer: fn(&[u8]) -> Vec<u8>,
}

/// Octets in pieces, with a payload between them.
fn around(before: &str, payload: &[u8], after: &str) -> Vec<u8> {
    [before.as_bytes(), payload, after.as_bytes()].concat()
}

/// A place where lines end a payload.
const fn line(name: &'static str, path: &'static str, answer: fn(&[u8]) -> Vec<u8>) -> Place {
    Place { name, path, field: false, answer }
}

/// A place in the head of HTTP.
const fn field(name: &'static str, path: &'static str, answer: fn(&[u8]) -> Vec<u8>) -> Place {
    Place { name, path, field: true, answer }
}

const END: &str = "\tx\t127.0.0.1\t70\r\n.\r\n";

pub const GOPHER: &[Place] = &[
    line("menu name", "1/{}", |p| around("0", p, END)),
    line("info line", "1/{}", |p| around("i", p, "\t\terror\t1\r\n.\r\n")),
    line("selector", "1/{}", |p| around("0name\t", p, "\t127.0.0.1\t70\r\n.\r\n")),
    line("host", "1/{}", |p| around("0name\tx\t", p, "\t70\r\n.\r\n")),
    line("port", "1/{}", |p| around("0name\tx\t127.0.0.1\t", p, "\r\n.\r\n")),
    line("fields beyond the port", "1/{}", |p| around("0name\tx\t127.0.0.1\t70\t", p, "\r\n.\r\n")),
    line("unknown type", "1/{}", |p| around("Zname ", p, END)),
    line("error item", "1/{}", |p| around("3", p, END)),
    line("address item", "1/{}", |p| around("hname\tURL:http://h/", p, "\t127.0.0.1\t70\r\n.\r\n")),
    line("search item", "1/{}", |p| around("7", p, END)),
    line("no menu at all", "1/{}", |p| around("", p, "\r\nmore\r\n")),
    line("text", "0/{}", |p| around("text ", p, "\r\n")),
    line("text without end", "0/{}", |p| around("", p, "")),
    line("gopher+ error", "0/{}%09%09+", |p| around("--1\r\n1 ", p, "\r\n.\r\n")),
    line("gopher+ INFO", "1/{}%09%09!", |p| around("+-1\r\n+INFO: 0", p, "\tx\t127.0.0.1\t70\t+\r\n.\r\n")),
    line("gopher+ ADMIN", "1/{}%09%09!", |p| {
        around("+-1\r\n+INFO: 0x\tx\th\t70\t+\r\n+ADMIN:\r\n Admin: ", p, "\r\n.\r\n")
    }),
    line("gopher+ ABSTRACT", "1/{}%09%09!", |p| {
        around("+-1\r\n+INFO: 0x\tx\th\t70\t+\r\n+ABSTRACT:\r\n ", p, "\r\n.\r\n")
    }),
    line("gopher+ VIEWS", "1/{}%09%09!", |p| {
        around("+-1\r\n+INFO: 0x\tx\th\t70\t+\r\n+VIEWS:\r\n ", p, ": <1k>\r\n.\r\n")
    }),
    line("gopher+ ASK", "1/{}%09%09!", |p| {
        around("+-1\r\n+INFO: 0x\tx\th\t70\t?\r\n+ASK:\r\n Ask: ", p, "\tdefault\r\n.\r\n")
    }),
    line("gopher+ block name", "1/{}%09%09!", |p| around("+-1\r\n+INFO: 0x\tx\th\t70\t+\r\n+", p, ":\r\n x\r\n.\r\n")),
    line("html over gopher", "h/{}", |p| around("<title>t</title><p>", p, "</p>")),
];

pub const NEWS: &[Place] = &[
    line("group name", "*{}*", |p| around("215 list\r\nt.", p, " 9 3 y\r\n.\r\n")),
    line("group description", "*t{}*", |p| around("215 list\r\nt.x\t", p, "\r\n.\r\n")),
    line("subject in overview", "t{}", |p| {
        around("224 here\r\n1\t", p, "\tme@h\tThu, 2 Jan 2025 10:00:00 GMT\t<1@h>\t\t1\t3\r\n.\r\n")
    }),
    line("author in overview", "t{}", |p| {
        around("224 here\r\n1\tOne\t", p, "\tThu, 2 Jan 2025 10:00:00 GMT\t<1@h>\t\t1\t3\r\n.\r\n")
    }),
    line("date in overview", "t{}", |p| around("224 here\r\n1\tOne\tme@h\t", p, "\t<1@h>\t\t1\t3\r\n.\r\n")),
    line("message-id in overview", "t{}", |p| {
        around("224 here\r\n1\tOne\tme@h\tThu, 2 Jan 2025 10:00:00 GMT\t<", p, "@h>\t\t1\t3\r\n.\r\n")
    }),
    line("reply to GROUP", "t{}", |p| around("411 ", p, "\r\n")),
    line("reply to ARTICLE", "{}@h", |p| around("430 ", p, "\r\n")),
    line("From", "{}@h", |p| article(&around("From: ", p, " <a@b>"), b"text")),
    line("Subject", "{}@h", |p| article(&around("Subject: ", p, ""), b"text")),
    line("encoded word", "{}@h", |p| article(&around("Subject: =?utf-8?Q?", &quoted(p), "?="), b"text")),
    line("encoded word of Latin-1", "{}@h", |p| {
        article(&around("Subject: =?iso-8859-1?Q?", &quoted(p), "?="), b"text")
    }),
    line("Organization", "{}@h", |p| article(&around("Subject: x\r\nOrganization: ", p, ""), b"text")),
    line("unknown header", "{}@h", |p| article(&around("Subject: x\r\nX-Attack: ", p, ""), b"text")),
    line("header name", "{}@h", |p| article(&around("Subject: x\r\n", p, ": value"), b"text")),
    line("Newsgroups", "{}@h", |p| article(&around("Subject: x\r\nNewsgroups: a.", p, ""), b"text")),
    line("References", "{}@h", |p| article(&around("Subject: x\r\nReferences: <", p, "@h>"), b"text")),
    line("body", "{}@h", |p| article(b"Subject: x", p)),
    line("quoted body", "{}@h", |p| article(b"Subject: x", &around("> ", p, ""))),
    line("quoted-printable", "{}@h", |p| {
        article(
            b"Subject: x\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable",
            &quoted(p),
        )
    }),
    line("quoted-printable of Latin-1", "{}@h", |p| {
        article(b"Subject: x\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable", &quoted(p))
    }),
    line("name of a part", "{}@h", |p| part(&around("Content-Type: image/png; name=\"", p, "\""))),
    line("file name of a part", "{}@h", |p| part(&around("Content-Disposition: attachment; filename=\"", p, "\""))),
    line("file name by percent", "{}@h", |p| {
        part(&around("Content-Disposition: attachment; filename*=utf-8''", &percent(p), ""))
    }),
    line("description of a part", "{}@h", |p| part(&around("Content-Type: image/png\r\nContent-Description: ", p, ""))),
    line("media type", "{}@h", |p| article(&around("Subject: x\r\nContent-Type: text/", p, ""), b"text")),
    line("charset", "{}@h", |p| {
        article(&around("Subject: x\r\nContent-Type: text/plain; charset=\"", p, "\""), b"text \xff")
    }),
    line("uuencoded name", "{}@h", |p| article(b"Subject: x", &around("begin 644 ", p, "\r\n#0V%T\r\n`\r\nend"))),
    line("yEnc name", "{}@h", |p| {
        article(b"Subject: x", &around("=ybegin line=128 size=3 name=", p, "\r\nabc\r\n=yend size=3"))
    }),
    line("HTML part", "{}@h", |p| article(b"Subject: x\r\nContent-Type: text/html", &around("<p>", p, "</p>"))),
];

fn article(head: &[u8], body: &[u8]) -> Vec<u8> {
    [b"220 1 article\r\nMessage-ID: <1@h>\r\n", head, b"\r\n\r\n", body, b"\r\n.\r\n"].concat()
}

fn part(head: &[u8]) -> Vec<u8> {
    let body = [b"--b\r\n\r\ntext\r\n--b\r\n", head, b"\r\n\r\nx\r\n--b--"].concat();
    article(b"Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b", &body)
}

/// As quoted-printable writes octets; good for encoded words as well.
fn quoted(octets: &[u8]) -> Vec<u8> {
    octets.iter().flat_map(|octet| coded(*octet, "=")).collect()
}

/// As URLs write octets.
fn percent(octets: &[u8]) -> Vec<u8> {
    octets.iter().flat_map(|octet| coded(*octet, "%")).collect()
}

fn coded(octet: u8, sign: &str) -> Vec<u8> {
    if octet.is_ascii_alphanumeric() { vec![octet] } else { format!("{sign}{octet:02X}").into_bytes() }
}

/// As numbers of HTML: octets of UTF-8 as characters, others as themselves.
fn entities(octets: &[u8]) -> Vec<u8> {
    let text: Vec<char> = match std::str::from_utf8(octets) {
        Ok(text) => text.chars().collect(),
        Err(_) => octets.iter().map(|&octet| octet as char).collect(),
    };
    let number = |c: char| if c.is_ascii_alphanumeric() { c.to_string() } else { format!("&#{};", u32::from(c)) };
    text.into_iter().flat_map(|c| number(c).into_bytes()).collect()
}

fn answer(status: &[u8], fields: &[u8]) -> Vec<u8> {
    [
        b"HTTP/1.1 ",
        status,
        b"\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n",
        fields,
        b"\r\ntext",
    ]
    .concat()
}

pub const WEB: &[Place] = &[
    field("status", "{}", |p| answer(&around("404 ", p, ""), b"")),
    field("Location", "{}", |p| answer(b"302 Found", &around("Location: ftp://h/", p, "\r\n"))),
    field("Location to nowhere", "{}", |p| answer(b"302 Found", &around("Location: ", p, "\r\n"))),
    field("Content-Type", "{}", |p| page(around("Content-Type: x/", p, "\r\n"), "text")),
    field("charset", "{}", |p| page(around("Content-Type: text/plain; charset=", p, "\r\n"), "text")),
    field("Content-Disposition", "{}", |p| {
        page(around("Content-Type: x/y\r\nContent-Disposition: attachment; filename=\"", p, "\"\r\n"), "x")
    }),
    line("Content-Disposition by percent", "{}", |p| {
        page(
            around("Content-Type: x/y\r\nContent-Disposition: attachment; filename*=utf-8''", &percent(p), "\r\n"),
            "x",
        )
    }),
    field("cookie", "{}", |p| {
        page(around("Content-Type: text/plain\r\nSet-Cookie: ", p, "=1; Max-Age=99999\r\n"), "text")
    }),
    field("realm", "{}", |p| answer(b"401 No", &around("WWW-Authenticate: Basic realm=\"", p, "\"\r\n"))),
    field("unknown field", "{}", |p| page(around("Content-Type: text/plain\r\nX-Attack: ", p, "\r\n"), "text")),
    field("Refresh", "{}", |p| {
        page(around("Content-Type: text/plain\r\nRefresh: 0; url=http://h/", p, "\r\n"), "text")
    }),
    field("Link", "{}", |p| page(around("Content-Type: text/plain\r\nLink: </", p, ">; rel=next\r\n"), "text")),
    line("plain text", "{}", |p| page("Content-Type: text/plain\r\n", p)),
    line("text in Latin-1", "{}", |p| page("Content-Type: text/plain; charset=iso-8859-1\r\n", p)),
    line("text in CP437", "{}", |p| page("Content-Type: text/plain; charset=cp437\r\n", p)),
    line("text in UTF-7", "{}", |p| page("Content-Type: text/plain; charset=utf-7\r\n", p)),
    line("text in ISO-2022-JP", "{}", |p| page("Content-Type: text/plain; charset=iso-2022-jp\r\n", p)),
    line("title", "{}", |p| html(around("<title>", p, "</title><p>page</p>"))),
    line("title by entities", "{}", |p| html(around("<title>", &entities(p), "</title><p>page</p>"))),
    line("paragraph", "{}", |p| html(around("<p>", p, "</p>"))),
    line("entities", "{}", |p| html(around("<p>", &entities(p), "</p>"))),
    line("preformatted", "{}", |p| html(around("<pre>", p, "</pre>"))),
    line("table cell", "{}", |p| html(around("<table><tr><td>", p, "<td>x</table>"))),
    line("alt", "{}", |p| html(around("<img src=x alt=\"", p, "\">"))),
    line("href", "{}", |p| html(around("<a href=\"", p, "\">link</a>"))),
    line("href by entities", "{}", |p| html(around("<a href=\"http://h/", &entities(p), "\">link</a>"))),
    line("field name", "{}", |p| html(around("<form><input name=\"", p, "\" value=v></form>"))),
    line("field value", "{}", |p| html(around("<form><input name=n value=\"", p, "\"></form>"))),
    line("placeholder", "{}", |p| html(around("<form><input placeholder=\"", p, "\"></form>"))),
    line("textarea", "{}", |p| html(around("<form><textarea>", p, "</textarea></form>"))),
    line("option", "{}", |p| html(around("<form><select><option>", p, "</option></select></form>"))),
    line("button", "{}", |p| html(around("<form><button>", p, "</button></form>"))),
    line("base", "{}", |p| html(around("<base href=\"http://h/", p, "/\"><a href=x>link</a>"))),
    line("frame", "{}", |p| html(around("<iframe title=t src=\"http://h/", p, "\"></iframe>"))),
    line("meta refresh", "{}", |p| {
        html(around("<meta http-equiv=refresh content=\"0; url=http://h/", p, "\"><p>page"))
    }),
    line("link to related", "{}", |p| html(around("<link rel=next title=\"", p, "\" href=x><p>page"))),
    line("formula", "{}", |p| html(around("<math><mi>", p, "</mi></math>"))),
    line("markdown", "{}", |p| page("Content-Type: text/markdown\r\n", around("# ", p, "\n"))),
    line("markdown link", "{}", |p| page("Content-Type: text/markdown\r\n", around("[", p, "](x)\n"))),
    line("gemtext", "{}", |p| page("Content-Type: text/gemini\r\n", around("=> x ", p, "\n"))),
    line("feed title", "{}", |p| {
        page(
            "Content-Type: application/rss+xml\r\n",
            around(
                "<rss version=\"2.0\"><channel><title>t</title><item><title>",
                &entities(p),
                "</title></item></channel></rss>",
            ),
        )
    }),
    line("raw feed title", "{}", |p| {
        page(
            "Content-Type: application/rss+xml\r\n",
            around("<rss version=\"2.0\"><channel><title>t</title><item><title>", p, "</title></item></channel></rss>"),
        )
    }),
    line("JSON feed", "{}", |p| {
        page(
            "Content-Type: application/feed+json\r\n",
            around(
                "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"t\",\"items\":[{\"id\":\"1\",\"title\":\"",
                p,
                "\"}]}",
            ),
        )
    }),
    line("folder listing", "{}", |p| page("Content-Type: application/json\r\n", around("[\"", p, "\"]"))),
    line("calendar and other text", "{}", |p| page("Content-Type: text/calendar\r\n", around("SUMMARY:", p, "\r\n"))),
];

/// What an FTP server puts around a payload: the answer to some command of a session.
pub struct Listed {
    pub name: &'static str,
    pub path: &'static str,
    said: fn(&str, &[u8]) -> Option<Said>,
}

const fn listed(name: &'static str, path: &'static str, said: fn(&str, &[u8]) -> Option<Said>) -> Listed {
    Listed { name, path, said }
}

/// A reply to a verb.
fn reply(verb: &str, wanted: &str, octets: Vec<u8>) -> Option<Said> {
    (verb == wanted).then_some(Said::Reply(octets))
}

/// A directory by LIST.
fn list(verb: &str, octets: Vec<u8>) -> Option<Said> {
    (verb == "LIST").then_some(Said::Data(octets))
}

/// A directory by MLSD, of a server that has it.
fn mlsd(verb: &str, octets: Vec<u8>) -> Option<Said> {
    match verb {
        "FEAT" => Some(Said::Reply(b"211-Features\r\n MLST type*;size*;modify*;\r\n211 End\r\n".to_vec())),
        "MLSD" => Some(Said::Data(octets)),
        _ => None,
    }
}

pub const FTP: &[Listed] = &[
    listed("welcome after login", "", |v, p| reply(v, "PASS", around("230-", p, "\r\n230 in\r\n"))),
    listed("refused login", "", |v, p| reply(v, "PASS", around("530 ", p, "\r\n"))),
    listed("reply to CWD", "d/", |v, p| reply(v, "CWD", around("250-", p, "\r\n250 there\r\n"))),
    listed("refused CWD", "d/", |v, p| reply(v, "CWD", around("550 ", p, "\r\n"))),
    listed("refused file", "d/f", |v, p| reply(v, "RETR", around("550 ", p, "\r\n"))),
    listed("reply to SYST", "", |v, p| reply(v, "SYST", around("215 ", p, "\r\n"))),
    listed("reply to PWD", "", |v, p| reply(v, "PWD", around("257 \"/", p, "\"\r\n"))),
    listed("feature", "", |v, p| reply(v, "FEAT", around("211-Features\r\n ", p, "\r\n211 End\r\n"))),
    listed("file text", "f.txt;type=a", |v, p| (v == "RETR").then(|| Said::Data(around("text ", p, "\r\n")))),
    listed("name", "", |v, p| list(v, around("-rw-r--r--   1 ftp  ftp   14 Nov 21 03:01 ", p, "\r\n"))),
    listed("directory name", "", |v, p| list(v, around("drwxr-xr-x   1 ftp  ftp   14 Nov 21 03:01 ", p, "\r\n"))),
    listed("owner", "", |v, p| list(v, around("-rw-r--r--   1 ", p, "  ftp   14 Nov 21 03:01 index.txt\r\n"))),
    listed("date", "", |v, p| list(v, around("-rw-r--r--   1 ftp  ftp   14 ", p, " 21 03:01 index.txt\r\n"))),
    listed("target of a link", "", |v, p| {
        list(v, around("lrwxrwxrwx   1 ftp  ftp   14 Nov 21 03:01 name -> ", p, "\r\n"))
    }),
    listed("no listing at all", "", |v, p| list(v, around("", p, "\r\n"))),
    listed("name of DOS", "", |v, p| list(v, around("11-21-95  03:01AM                14 ", p, "\r\n"))),
    listed("name of VMS", "", |v, p| {
        list(v, around("Directory X:[Y]\r\n\r\n", p, ".TXT;1   2/3  21-NOV-1995 03:01:00 [A,B] (RWED,RE,,)\r\n"))
    }),
    listed("name of EPLF", "", |v, p| list(v, around("+i8388621.29609,m824255902,/,\t", p, "\r\n"))),
    listed("name by MLSD", "", |v, p| mlsd(v, around("type=file;size=14; ", p, "\r\n"))),
    listed("fact of MLSD", "", |v, p| mlsd(v, around("type=", p, ";size=14; name\r\n"))),
];

/// The tag in what was asked for: the place, and the payload's key.
fn tag(asked: &str) -> Option<(usize, String)> {
    let octets = asked.as_bytes();
    let at = octets.windows(4).position(|w| {
        w[0].is_ascii_digit() && w[1].is_ascii_digit() && b"vc".contains(&w[2]) && w[3].is_ascii_digit()
    })?;
    let number: String = asked[at + 3..].chars().take_while(char::is_ascii_digit).collect();
    Some((asked[at..at + 2].parse().ok()?, format!("{}{number}", &asked[at + 2..at + 3])))
}

/// Letters and digits that stand behind a vector.
pub fn mark(place: usize, vector: usize) -> String {
    format!("q{place:02}v{vector}z")
}

/// Vectors of one bundle.
pub const BUNDLE: usize = 12;

/// The payload of a key at a place.
pub fn payload(place: usize, key: &str, field: bool) -> Vec<u8> {
    let all = vectors();
    let number: usize = key[1..].parse().unwrap();
    let chosen = match key.as_bytes()[0] {
        b'v' => number..number + 1,
        _ => number * BUNDLE..((number + 1) * BUNDLE).min(all.len()),
    };
    let one = |at: usize| {
        let vector: &Vector = &all[at];
        let octets = if field { vector.in_field() } else { vector.octets.clone() };
        [octets, mark(place, at).into_bytes()].concat()
    };
    let vectors = chosen.map(one).collect::<Vec<_>>().join(&b"-"[..]);
    // A bundle is announced, so that it is known when it is there.
    if key.starts_with('c') { [format!("{place:02}{key}-").into_bytes(), vectors].concat() } else { vectors }
}

fn made(places: &'static [Place], asked: &str) -> Option<Vec<u8>> {
    let (number, key) = tag(asked)?;
    let place = places.get(number)?;
    Some((place.answer)(&payload(number, &key, place.field)))
}

pub const FINGER: &[Place] =
    &[line("answer", "{}", |p| around("Login: ", p, "\r\n")), line("answer without end", "{}", |p| around("", p, ""))];

pub const WHOIS: &[Place] = &[
    line("record", "{}", |p| around("domain: ", p, "\r\n")),
    line("name of a field", "{}", |p| around("", p, ": x\r\n")),
    line("other server", "{}", |p| around("refer: ", p, "\r\n")),
    line("other server by its URL", "{}", |p| around("ReferralServer: rwhois://", p, "\r\n")),
];

pub const DICT: &[Place] = &[
    line("definition", "d:{}", |p| around("150 1\r\n151 \"a\" b \"c\"\r\nsee ", p, "\r\n.\r\n250 ok\r\n")),
    line("word in braces", "d:{}", |p| around("150 1\r\n151 \"a\" b \"c\"\r\n{", p, "}\r\n.\r\n250 ok\r\n")),
    line("source", "d:{}", |p| around("150 1\r\n151 \"a\" b \"", p, "\"\r\nx\r\n.\r\n250 ok\r\n")),
    line("word", "m:{}", |p| around("152 1\r\nb \"", p, "\"\r\n.\r\n250 ok\r\n")),
    line("database", "m:{}", |p| around("152 1\r\n\"", p, "\" \"a\"\r\n.\r\n250 ok\r\n")),
    line("failure", "m:{}", |p| around("550 ", p, "\r\n")),
];

/// A finger server with all its places.
pub fn finger() -> Host {
    Host::gopher(|line| made(FINGER, line).unwrap_or_default())
}

/// A WHOIS server with all its places.
pub fn whois() -> Host {
    Host::gopher(|line| made(WHOIS, line).unwrap_or_default())
}

/// A dictionary server with all its places.
pub fn dict() -> Host {
    Host::start(|visit| {
        visit.say(b"220 dict\r\n");
        while let Some(line) = visit.line() {
            let Some(answer) = made(DICT, &line) else { break };
            visit.say(answer);
        }
    })
}

/// A gopher server with all its places.
pub fn gopher() -> Host {
    Host::gopher(|line| made(GOPHER, line).unwrap_or_else(|| b"3nothing\t\terror\t1\r\n.\r\n".to_vec()))
}

/// A web server with all its places.
pub fn web() -> Host {
    Host::web(|target, _| made(WEB, target).unwrap_or_else(|| html("nothing")))
}

/// An FTP server with all its places: the user is the tag.
pub fn ftp() -> Host {
    Host::ftp(|verb, _, user| {
        let (number, key) = tag(user)?;
        (FTP.get(number)?.said)(verb, &payload(number, &key, false))
    })
}

/// A news server with all its places.
pub fn news() -> Host {
    Host::news(|line, group| {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let asked = if verb == "OVER" { group } else { rest };
        let name = NEWS.get(tag(asked)?.0)?.name;
        let lists = rest.starts_with("NEWSGROUPS");
        let wanted = match verb {
            "LIST" if name == "group description" && !lists => {
                let (number, key) = tag(asked)?;
                return Some(format!("215 list\r\nt{number:02}{key} 9 3 y\r\n.\r\n").into_bytes());
            }
            "LIST" => lists == (name == "group description"),
            "GROUP" => name == "reply to GROUP",
            _ => true,
        };
        let answer = made(NEWS, asked).filter(|_| wanted)?;
        // Groups are asked for by a pattern, which their names must match.
        let (number, key) = tag(asked)?;
        let own = format!("\r\nt{number:02}{key}");
        Some(if lists { replace(&answer, b"\r\nt.x", own.as_bytes()) } else { answer })
    })
}

fn replace(octets: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let at = octets.windows(from.len()).position(|here| here == from).unwrap();
    [&octets[..at], to, &octets[at + from.len()..]].concat()
}

/// A news server that greets with a vector and goes, with another one for each visit.
pub fn greeting() -> Host {
    let visits = AtomicUsize::new(0);
    Host::news(move |line, _| {
        let key = format!("v{}", visits.load(Ordering::SeqCst) % vectors().len());
        line.is_empty().then(|| {
            visits.fetch_add(1, Ordering::SeqCst);
            around("400 ", &payload(99, &key, false), "\r\n")
        })
    })
}
