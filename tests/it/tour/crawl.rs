//! Every link of every page of the tour leads somewhere, and nowhere out of this machine.

use super::wire::{fetch, on_tour};
use crate::proto::client::Outcome;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use wayfarer::doc::{Builder, Document, LinkId};
use wayfarer::format::{self, Input};
use wayfarer::proto::Kind;
use wayfarer::tour::Doors;
use wayfarer::url::scheme::{Act, Ask, gopher::Gopher, plan};
use wayfarer::url::{BaseStack, Resolved, Url};

/// What is said to lead nowhere, to show what that looks like.
const NOWHERE: &[(&str, Kind)] = &[
    ("{ftp}/attic/", Kind::NotFound),
    ("/shelf/astray", Kind::NotFound),
    ("{news}/expired-long-ago@", Kind::NotFound),
    ("ftp://ada@{ftp}", Kind::NeedsLogin),
];
/// The pages of the program itself that the tour leads to.
const OWN: &[&str] = &[
    "about:tour",
    "about:home",
    "about:help",
    "about:urls",
    "about:schemes",
    "about:later",
    "about:store",
    "about:search",
    "about:new",
];

/// What has been seen.
#[derive(Default)]
struct Crawl {
    left: Vec<Url>,
    seen: BTreeSet<String>,
    /// Texts as they came, by address.
    bodies: BTreeMap<String, Vec<u8>>,
    /// The same as they are read.
    texts: BTreeMap<String, String>,
    /// Schemes whose links need another program.
    handed_over: BTreeSet<String>,
    /// What is not as it should be.
    wrong: Vec<String>,
}

fn document(outcome: &Outcome) -> Option<Document> {
    let head = outcome.head.as_ref()?;
    let (media, charset, url) = (head.media.clone(), head.charset.clone(), head.url.clone());
    let mut parser = format::parser(&Input {
        media,
        charset: charset.map(Into::into),
        url,
        groups: Default::default(),
        notices: head.notices.clone(),
    })?;
    let mut builder = Builder::new();
    parser.feed(&outcome.body, &mut builder);
    parser.finish(&mut builder);
    Some(builder.document().clone())
}

impl Crawl {
    /// Takes a link to be followed; `from` is where it stands.
    fn link(&mut self, url: Url, from: &str, doors: &Doors) {
        let text = url.without_fragment().to_string();
        if url.is("about") {
            assert!(OWN.contains(&text.as_str()), "{from} leads to {text}");
        } else if url.is("mailto") {
            let domain = text.rsplit('@').next().unwrap();
            assert!(domain.ends_with(".example") || domain.ends_with("example.org"), "{from} leads to {text}");
        } else if url.is("news") && url.host().is_none() {
            // Asked of the server that the page came from.
            let here = format!("news://127.0.0.1:{}/{}", doors.news, url.path());
            self.link(Url::parse(here).unwrap(), from, doors);
        } else if url.is("wais") {
            assert!(url.host().is_some_and(|host| host.ends_with(".example.org")), "{from} leads to {text}");
        } else if url.is("mid") || url.is("cid") {
            // Parts of messages: `news.rs`.
        } else {
            assert_eq!(url.host(), Some("127.0.0.1"), "{from} leads to {text}");
            assert!(doors.ports().contains(&url.port().unwrap()), "{from} leads to {text}");
            if self.seen.insert(text) {
                self.left.push(url.without_fragment());
            }
        }
    }

    async fn visit(&mut self, url: Url, doors: &Doors) {
        let url = match plan(&url).unwrap_or_else(|error| panic!("{url}: {error}")).act {
            Act::Ask(Ask::Search) => Url::parse(format!("{url}%09base")).unwrap(),
            _ if url.is("gemini") && matches!(url.path(), "/ask" | "/whisper") && url.query().is_none() => {
                let asked = fetch(url.as_str()).await.failure().kind;
                assert!(matches!(asked, Kind::NeedsWords | Kind::NeedsSecret), "{url}: {asked:?}");
                Url::parse(format!("{url}?a%20key")).unwrap()
            }
            Act::Ask(Ask::PhoneBook) => Url::parse(format!("{url}%09gopher")).unwrap(),
            Act::Open(other) => return self.link(other, url.as_str(), doors),
            Act::Handler(_) => {
                self.handed_over.insert(url.scheme().to_owned());
                return;
            }
            _ => url,
        };
        let text = url.to_string();
        // Takes some seconds, as it says.
        if text.contains("slow%20ruler") {
            return;
        }
        let outcome = fetch(&text).await;
        if let Some(moved) = &outcome.moved {
            let to = BaseStack::retrieved(moved.from.clone(), None).resolve(&moved.to).unwrap();
            return self.link(to.url_in(&moved.from), &text, doors);
        }
        if let Some((_, kind)) = NOWHERE.iter().find(|(part, _)| text.contains(&doors.fill(part))) {
            return assert_eq!(outcome.failure().kind, *kind, "{text}");
        }
        let Some(head) = &outcome.head else { return self.wrong.push(format!("{text}: {}", outcome.words())) };
        let flaws =
            [outcome.cut().map(Into::into), head.status.clone(), outcome.body.is_empty().then(|| "empty".into())];
        self.wrong.extend(flaws.into_iter().flatten().map(|flaw: String| format!("{text}: {flaw}")));
        if let Some(document) = document(&outcome) {
            self.links(&document, &head.url, doors);
            let said = [&head.notices[..], &[document.text().to_owned()]].concat().join("\n");
            self.texts.insert(text.clone(), said);
        }
        self.bodies.insert(text, outcome.body);
    }

    /// Takes all links of a page.
    fn links(&mut self, document: &Document, url: &Url, doors: &Doors) {
        // Lists say how long they are, and the odd names are odd on purpose.
        let fine = |note: &str| note.starts_with(|c: char| c.is_ascii_digit()) || url.path().contains("odd%20names");
        let notes = document.notes.iter().filter(|note| !fine(note));
        self.wrong.extend(notes.map(|note| format!("{url}: {note}")));
        let mut bases = BaseStack::retrieved(url.without_fragment(), None);
        document.entity.clone().into_iter().for_each(|base| bases.set_entity(base));
        document.base.iter().for_each(|base| bases.set_document_base(base).unwrap());
        let mirrors = document.mirrors.iter().map(|(_, mirror)| Url::parse(mirror.as_str()).unwrap());
        mirrors.for_each(|mirror| self.link(mirror, url.as_str(), doors));
        for link in (0..document.link_count()).map(LinkId) {
            let reference = document.reference(link).unwrap();
            match bases.resolve(reference) {
                Err(error) => self.wrong.push(format!("{url}: {reference}: {error}")),
                Ok(Resolved::SameDocument { fragment }) => {
                    let name = fragment.unwrap_or_default();
                    assert!(name.is_empty() || document.anchor(&name).is_some(), "{url} has no #{name}");
                }
                // A part of the message that it stands in: `news.rs`.
                Ok(Resolved::Url(to)) if to.path().starts_with("/travels/") => {}
                Ok(Resolved::Url(to)) => {
                    if document.attributed.contains(&link) {
                        let gopher = Gopher::of(&to).unwrap().asking(b"!");
                        self.link(gopher.url("127.0.0.1", doors.gopher, false).unwrap(), url.as_str(), doors);
                    }
                    self.link(to, url.as_str(), doors);
                }
            }
        }
    }
}

/// Every file of a folder of assets.
fn assets(folder: &str) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/tour").join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push((path.display().to_string(), fs::read(&path).unwrap())),
            }
        }
    }
    found
}

#[test]
fn every_link_leads_somewhere_and_every_stop_and_file_is_reached() {
    on_tour(async |doors| {
        let mut crawl = Crawl::default();
        crawl.link(Url::parse(format!("gopher://127.0.0.1:{}/", doors.gopher)).unwrap(), "about:tour", &doors);
        while let Some(url) = crawl.left.pop() {
            crawl.visit(url, &doors).await;
        }
        assert!(crawl.wrong.is_empty(), "{}", crawl.wrong.join("\n"));
        for (scheme, least) in [("gopher", 30), ("ftp", 30), ("news", 10), ("http", 10), ("gemini", 6)] {
            let count = crawl.bodies.keys().filter(|url| url.starts_with(&format!("{scheme}:"))).count();
            assert!(count >= least, "{count} pages of {scheme}: {:?}", crawl.bodies.keys());
        }
        assert!(crawl.handed_over.iter().eq(["telnet", "tn3270"]), "{:?}", crawl.handed_over);
        for stop in 1..=23 {
            let words = format!("Stop {stop} of 23");
            let here: Vec<&String> = crawl.texts.values().filter(|text| text.contains(&words)).collect();
            assert!(!here.is_empty(), "stop {stop} was not reached");
            assert!(here.iter().any(|text| text.contains("Key")), "stop {stop} tells of no key");
        }
        // The longest line of each file is found in something that came.
        for (file, octets) in [assets("gopher"), assets("web"), assets("gemini")].concat() {
            let Ok(text) = String::from_utf8(octets.clone()) else {
                assert!(crawl.bodies.values().any(|body| *body == octets), "{file} was not reached");
                continue;
            };
            if file.ends_with("answer.html") || file.ends_with("missing.html") || file.ends_with("people.txt") {
                continue;
            }
            let lines = text.lines().map(|line| line.split('\t').next().unwrap().trim());
            let longest = doors.fill(lines.max_by_key(|line| line.len()).unwrap());
            let came = |body: &Vec<u8>| String::from_utf8_lossy(body).contains(&longest);
            assert!(crawl.bodies.values().any(came), "{file} was not reached: {longest}");
        }
    });
}
