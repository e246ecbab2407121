//! A world without a network: servers of all schemes, a disk, programs. What it says is made of the URL and the number of who
//! asked: each answer carries that number (`qq12qq`), so that it can be told where it has come to.

use super::random::Random;
use std::collections::BTreeMap;
use std::sync::Arc;
use wayfarer::app::JobId;
use wayfarer::format::media;
use wayfarer::proto::{
    Again, Certificate, Dispatch, End, FetchError, FetchEvent, Head, Kind, Moved, PinnedCertificate,
    RefusedCertificate, Request, Security, Stage, Trust,
};
use wayfarer::url::Url;

/// The hosts. What a name begins with decides how it behaves.
pub const PLACES: &[&str] = &[
    "gopher://h.example/",
    "gopher://h.example/1/more",
    "gopher://h.example/0/text",
    "gopher://h.example/7/find",
    "gopher://h.example/9/a.bin",
    "gopher://h.example/0/ask%09%09%3F",
    "gopher://h.example/1/%09%09%2B",
    "gophers://h.example/",
    "ftp://f.example/pub/",
    "ftp://f.example/pub/a.txt",
    "ftp://f.example/pub/a.tar",
    "ftp://login.example/private/",
    "http://w.example/",
    "http://w.example/page",
    "http://w.example/form",
    "http://w.example/moved",
    "http://w.example/lost",
    "http://login.example/secret",
    "https://cert.example/",
    "http://cookies.example/",
    "http://w.example/feed.xml",
    "http://w.example/pic.png",
    "http://w.example/a.zip",
    "http://w.example/long",
    "gopher://h.example/0/large",
    "gopher://h.example/1/large",
    "gemini://h.example/",
    "gemini://ask.example/words",
    "gemini://ask.example/secret",
    "gemini://ask.example/who",
    "spartan://h.example/say?",
    "titan://h.example/notes",
    "news:g.one",
    "news:*",
    "nntp://n.example/g.one",
    "nntp://n.example/g.one/3",
    "nntp://n.example/",
    "nntp://login.example/g.two",
    "news:3.g.one@h.example",
    "mailto:ann@h.example?subject=Hello",
    "telnet://t.example/",
    "file:///home/me/",
    "file:///home/me/notes.txt",
    "about:home",
    "about:history",
    "about:bookmarks",
    "about:downloads",
    "about:tour",
    "data:text/plain,words",
];

/// The mark that an answer carries.
pub fn mark(id: JobId) -> String {
    format!("qq{}qq", id.0)
}

/// The same octets with the mark of another one, where there is one.
pub fn renumbered(octets: &[u8], id: JobId, other: Option<JobId>) -> Vec<u8> {
    match other {
        Some(other) => String::from_utf8_lossy(octets).replace(&mark(id), &mark(other)).into_bytes(),
        None => octets.to_vec(),
    }
}

/// The numbers of all marks in a text.
pub fn marks(text: &str) -> Vec<u64> {
    let pieces: Vec<&str> = text.split("qq").collect();
    let inner = pieces.iter().skip(1).take(pieces.len().saturating_sub(2));
    inner.filter_map(|piece| piece.parse().ok()).collect()
}

/// What a server will say, in order; after a head it waits.
pub fn answer(id: JobId, request: &Request, random: &mut Random, logged_in: bool) -> Vec<FetchEvent> {
    let url = &request.url;
    let mut says = Vec::new();
    if random.once_in(3) {
        says.push(FetchEvent::Stage(*random.pick(&[
            Stage::Resolving,
            Stage::Connecting,
            Stage::Asking,
            Stage::Waiting,
            Stage::Queued,
        ])));
    }
    let fails = |kind, words: &str| FetchEvent::Failed(FetchError::new(kind, format!("{words} {}", mark(id))));
    let host = url.host().unwrap_or_default();
    let path = url.path();
    let sent = |line: &str| {
        let dispatch = Dispatch { host: host.into(), port: url.port().unwrap_or(1), ..Dispatch::default() };
        FetchEvent::Sent(vec![Dispatch { lines: vec![format!("{line} {}", mark(id))], ..dispatch }])
    };
    if random.once_in(2) {
        says.push(sent("ask"));
    }
    if random.once_in(14) {
        says.push(fails(*random.pick(&[Kind::TimedOut, Kind::NotFound, Kind::Broken, Kind::Refused]), "It failed."));
        return says;
    }
    if host.starts_with("login") && !logged_in {
        says.push(fails(Kind::NeedsLogin, "login.example asks for a password."));
        return says;
    }
    if host.starts_with("ask") && url.query().is_none() {
        let (kind, words) = match path {
            "/secret" => (Kind::NeedsSecret, "ask.example asks: PIN?"),
            "/who" => (Kind::NeedsCertificate, "ask.example wants to know you."),
            _ => (Kind::NeedsWords, "ask.example asks: What for?"),
        };
        says.push(fails(kind, words));
        return says;
    }
    if host.starts_with("cert") {
        let mut error = FetchError::new(Kind::Secure, "The certificate is not trusted.");
        let pinned = random.once_in(2);
        let pin = pinned.then(|| PinnedCertificate {
            server: "cert.example:70".into(),
            certificate: Certificate::unseen("cd".repeat(32)),
            since: "2026-01-01".into(),
        });
        error.certificate =
            Some(Box::new(RefusedCertificate { certificate: Certificate::unseen("ab".repeat(32)), pin, first: None }));
        says.push(FetchEvent::Failed(error));
        return says;
    }
    if path.ends_with("/moved") || path.ends_with("/post") && random.once_in(4) {
        let to = random.pick(&["/page", "gopher://h.example/", "http://w.example/form", "/moved"]);
        let again = if random.once_in(2) { Again::Get } else { Again::Same };
        let status = "302 Found".into();
        says.push(FetchEvent::Moved(Box::new(Moved {
            from: url.clone(),
            to: (*to).into(),
            status,
            again,
            unkept: false,
        })));
        return says;
    }
    if request.unless.is_some() && random.once_in(2) {
        says.push(FetchEvent::Unchanged);
        return says;
    }
    let (kind, body) = content(id, request, random);
    let mut head = Head::new(url.without_fragment(), kind);
    if let Some(held) = &request.held {
        head.within = Some(Arc::clone(&held.within));
    }
    if kind == media::HTML || url.is("ftp") {
        head.validator = Some("v1".into());
        head.length = random.once_in(2).then_some(body.len() as u64);
    }
    if kind == media::NEWSGROUPS {
        head.clock = "2026-11-20T15:00:00Z".parse().ok();
    }
    if url.is("https") {
        head.security = Some(Security { trust: Trust::Authority, certificate: Certificate::unseen("cd".repeat(32)) });
    }
    says.push(FetchEvent::Head(Box::new(head)));
    let mut rest = &body[..];
    while !rest.is_empty() {
        let (piece, more) = rest.split_at((1 + random.below(rest.len().max(40))).min(rest.len()));
        says.push(FetchEvent::Body(piece.to_vec()));
        rest = more;
    }
    if random.once_in(8) {
        says.push(sent("ask for more"));
    }
    says.push(match random.below(12) {
        0 => fails(Kind::Broken, "It broke off."),
        1 => FetchEvent::End(End { cut: Some("the server closed the connection early".into()) }),
        _ => FetchEvent::End(End::default()),
    });
    says
}

/// A history of more pages than are looked through at once.
pub fn visits() -> String {
    (0..2100).map(|n| format!("{}\thttp://w.example/{n}\tPage {n}\n", 1_790_000_000 + n)).collect()
}

/// How long a file of this name is, in its directory's listing and when it comes.
fn length(name: &str) -> usize {
    100 + name.len()
}

/// The media type and the octets of what is at a URL.
fn content(id: JobId, request: &Request, random: &mut Random) -> (&'static str, Vec<u8>) {
    let url = &request.url;
    let (text, path, mark) = (url.as_str(), url.path(), mark(id));
    let plain =
        |words: &str| (media::PLAIN, format!("{words} {mark}\nSee <http://w.example/page> for more.\n").into_bytes());
    if let Some(held) = &request.held {
        return (if held.media == media::HTML { media::HTML } else { media::PLAIN }, held.octets.clone());
    }
    match url.scheme().to_ascii_lowercase().as_str() {
        "gemini" => {
            let links = "=> gemini://ask.example/words\n=> gemini://ask.example/secret\n=> /again\n";
            (media::GEMTEXT, format!("# Page {mark}\n{links}").into_bytes())
        }
        "gopher" | "gophers" => {
            let host = url.host().unwrap_or("h.example");
            if text.contains("%09!") || text.ends_with('!') {
                let ask = " Ask: Name?\tnobody\r\n AskP: Password?\r\n AskL: Lines?\r\n Choose: One?\ta\tb\r\n Select: Yes?:1\r\n";
                return (media::ATTRIBUTES, format!("+INFO: 0An item\t/x\t{host}\t70\t?\r\n+ASK:\r\n{ask}").into_bytes());
            }
            match path.get(1..2) {
                Some("0") if path.ends_with("large") && random.once_in(2) => {
                    (media::PLAIN, format!("{mark}\n{}", "words and words\n".repeat(19_000)).into_bytes())
                }
                Some("0") => plain("A text."),
                Some("9" | "5") => ("application/octet-stream", format!("PK {mark}").into_bytes()),
                _ => {
                    let rows = [
                        ("1", "More", "/more"),
                        ("0", "A text", "/text"),
                        ("7", "Find", "/find"),
                        ("9", "Binary", "/a.bin"),
                        ("h", "The web", "URL:http://w.example/"),
                        ("8", "Telnet", "joe"),
                    ];
                    let mut menu: String = rows.iter().map(|(t, name, at)| format!("{t}{name}\t{at}\t{host}\t70\r\n")).collect();
                    if path.ends_with("large") && random.once_in(2) {
                        menu.push_str(&format!("0Text\t/text\t{host}\t70\r\n").repeat(4_100));
                    }
                    menu.push_str(&format!("0Ask\t/ask\t{host}\t70\t?\r\ni{mark}\t\t\t\r\n.\r\n"));
                    (media::MENU, menu.into_bytes())
                }
            }
        }
        "ftp" | "ftps" | "file" if path.ends_with('/') => {
            // The form that the protocols bring all listings to; what is no entry is a text.
            let mut rows = format!("type=x.text; {mark}\r\n");
            for name in ["README", "a.txt", "a.tar"] {
                let size = length(name);
                rows.push_str(&format!("type=file;size={size};modify=20250102100000; {name}\r\n"));
            }
            if path.len() < 12 {
                rows.push_str("type=dir;modify=20250102100000; sub\r\n");
            }
            (media::DIRECTORY, rows.into_bytes())
        }
        "ftp" | "ftps" | "file" => {
            let (kind, mut octets) = match path.ends_with(".tar") {
                true => ("application/x-tar", format!("tar {mark}").into_bytes()),
                false => plain("A file."),
            };
            octets.resize(length(path.rsplit('/').next().unwrap_or_default()), b'.');
            (kind, octets)
        }
        "news" | "nntp" | "snews" | "nntps" => {
            let name = path.trim_start_matches('/');
            if name.contains('@') || name.split('/').nth(1).is_some_and(|n| !n.is_empty()) {
                let parts = "--b\r\nContent-Type: text/plain\r\n\r\nFirst.\r\n--b\r\nContent-Type: text/html\r\nContent-ID: <p@h>\r\n\r\n<p>Second\r\n--b\r\nContent-Type: image/png; name=a.png\r\nContent-Disposition: attachment; filename=a.png\r\n\r\nPNG\r\n--b--\r\n";
                let head = "From: Ann <ann@h.example>\r\nNewsgroups: g.one\r\nSubject: Words\r\nMessage-ID: <3.g.one@h.example>\r\nDate: Thu, 02 Jan 2025 10:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n";
                (media::MESSAGE, format!("{head}X-Mark: {mark}\r\n\r\n{parts}").into_bytes())
            } else if name.is_empty() || name == "*" {
                (media::NEWSGROUPS, b"g.one\t9 1 y\r\ng.two\t5 1 y\r\n".to_vec())
            } else {
                let row = |n: u32| format!("{n}\tSubject {n}\tAnn {mark} <a@h>\tThu, 02 Jan 2025 10:00:0{n} +0000\t<{n}.g.one@h.example>\t{}\t900\t9\r\n", if n > 1 { format!("<{}.g.one@h.example>", n - 1) } else { String::new() });
                (media::NEWSGROUP, (1..6).map(row).collect::<String>().into_bytes())
            }
        }
        "http" | "https" if path.ends_with("form") => (media::HTML, format!(
            "<title>Form</title><p>{mark}<form action=/post method=post><input name=q value=old><input type=password name=p>\
             <textarea name=t>lines</textarea><select name=s><option>a<option>b</select><input type=checkbox name=c>\
             <input type=file name=f><input type=submit value=Send></form><form action=/get><input type=password name=k><input type=submit></form>"
        ).into_bytes()),
        "http" | "https" if path.ends_with(".zip") => ("application/zip", format!("PK {mark}").into_bytes()),
        "http" | "https" if path.ends_with(".png") => ("image/png", crate::picture::png(30, 20)),
        "http" | "https" if path.ends_with(".xml") => ("application/rss+xml", format!(
            "<rss version=\"2.0\"><channel><title>F</title><item><title>One</title><link>http://w.example/page</link><description>{mark}</description></item></channel></rss>").into_bytes()),
        "http" | "https" => {
            let more = if path.ends_with("long") { "<p>words and words".repeat(40 + random.below(40)) } else { String::new() };
            (media::HTML, format!(
                "<title>Page</title><h1>One</h1><p>{mark}<a href=page>page</a> <a href=form>form</a> <a href=moved>moved</a> <a href=a.zip>zip</a>\
                 <a href=\"gopher://h.example/\">gopher</a> <a href=\"mailto:ann@h.example\">Ann</a> <a href=\"#end\">end</a>{more}<h2 id=end>Two</h2><table><tr><td>a<td>b</table>"
            ).into_bytes())
        }
        _ => (media::OWN, format!("# A page\n\n{mark}\n=> http://w.example/ The web\n").into_bytes()),
    }
}

/// Files by their paths.
#[derive(Debug, Default, Clone)]
pub struct Disk(pub BTreeMap<String, Vec<u8>>);

impl Disk {
    /// The content of a file, or the names in a folder.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        if let Some(content) = self.0.get(path) {
            return Ok(content.clone());
        }
        let folder = format!("{}/", path.trim_end_matches('/'));
        let names: Vec<&str> = self.0.keys().filter_map(|file| file.strip_prefix(&folder)).collect();
        match names.is_empty() {
            true => Err(format!("{path}: no such file")),
            false => Ok(names.join("\n").into_bytes()),
        }
    }

    /// What an editor makes of a file.
    pub fn edit(&mut self, path: &str, words: &str) {
        let content = self.0.entry(path.into()).or_default();
        content.extend_from_slice(words.as_bytes());
    }
}

/// A URL of the world.
pub fn place(random: &mut Random) -> Url {
    Url::parse(*random.pick(PLACES)).unwrap()
}
