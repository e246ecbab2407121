//! Effects as JSON. They are compared, never read.

use super::words::{Ink, PROMPTS, name, redacted};
use crate::app::{Beginning, Destination, Effect, Existing, Kept, SiteChoice};
use crate::bookmarks::{Bookmark, Change};
use crate::format::listing::Time;
use crate::proto::{KeptCopy, Request, Verdict};
use crate::url::Url;
use crate::visits::Forget;
use crate::work::Work;
use serde_json::{Map, Value, json};

/// Octets of what a program is given that are in the recording.
const GIVEN: usize = 4096;

impl Ink {
    /// Learns the secrets that something is asked for with.
    pub(super) fn learn(&mut self, effect: &Effect) {
        match effect {
            Effect::Fetch { request, .. } | Effect::Download { request, .. } | Effect::Pipe { request, .. } => {
                std::iter::once(&request.url).chain(&request.mirrors).for_each(|url| self.secrets.learn_of(url));
                let secrets = request.login.iter().flat_map(|login| login.account.iter().chain([&login.password]));
                secrets.for_each(|secret| self.secrets.learn(&String::from_utf8_lossy(secret)));
            }
            Effect::Run { arguments, .. } => {
                let urls = arguments.iter().filter_map(|word| Url::parse(word).ok());
                urls.for_each(|url| self.secrets.learn_of(&url));
            }
            _ => {}
        }
    }

    pub(super) fn effect(&self, effect: &Effect) -> Value {
        match effect {
            Effect::Fetch { id, request } => json!({ "fetch": id.0, "request": self.request(request) }),
            Effect::Verdict { id, verdict: Verdict::Accept } => json!({ "accept": id.0 }),
            Effect::Verdict { id, verdict: Verdict::Refuse } => json!({ "refuse": id.0 }),
            Effect::Save { id, into } => json!({ "save": id.0, "into": self.destination(into) }),
            Effect::Download { id, request, into } => {
                json!({ "download": id.0, "request": self.request(request), "into": self.destination(into) })
            }
            Effect::Cancel(id) => json!({ "cancel": id.0 }),
            Effect::Write { id, path, content, replace } => {
                json!({ "write": id.0, "path": path, "content": self.sent(content), "replace": replace })
            }
            Effect::Prepare { id, plan } => {
                json!({ "prepare": id.0, "within": plan.within, "folders": plan.folders, "links": plan.links,
                    "replaces": plan.replaces, "files": plan.files.len(), "others": plan.others })
            }
            Effect::Date { id, within, folders } => {
                let times: Vec<_> = folders.iter().map(|(path, time)| (path, time.written())).collect();
                json!({ "date": id.0, "within": within, "folders": times })
            }
            Effect::Remove { id, path } => json!({ "remove": id.0, "path": path }),
            Effect::Read { id, path } => json!({ "read": id.0, "path": path }),
            Effect::Sum { id, path, kinds } => {
                json!({ "sum": id.0, "path": path, "kinds": kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>() })
            }
            Effect::SumTree { id, path, .. } => json!({ "sum-tree": id.0, "path": path }),
            Effect::Copy(text) => json!({ "copy": self.copied(text) }),
            Effect::Run { id, arguments } => json!({ "run": id.0, "arguments": self.addresses(arguments) }),
            Effect::Pipe { id, request, program, input } => {
                let (request, program) = (self.request(request), self.addresses(program));
                // Of a long page there is only the beginning in the recording, and what is made of the rest is not the same again.
                let input = self.sent(&input[..input.len().min(GIVEN)]);
                json!({ "pipe": id.0, "request": request, "program": program, "input": input })
            }
            Effect::Parse { id, intake } => {
                json!({ "parse": id.0, "media": intake.input.media, "charset": intake.input.charset.as_ref().map(|said| &said.name) })
            }
            Effect::Enough(id) => json!({ "enough": id.0 }),
            Effect::Work { id, work } => json!({ "work": id.0, "on": kind_of(work) }),
            Effect::ReadSettings { id } => json!({ "read settings": id.0 }),
            Effect::Keep(kept) => json!({ "keep": self.kept(kept) }),
            Effect::SyncNewsrc { server, ours, base } => {
                let [ours, base] = [ours, base].map(|newsrc| super::words::digest(&newsrc.write()));
                json!({ "newsrc": server, "ours": ours, "base": base })
            }
            Effect::Trust { server, certificate, pinned, private } => {
                json!({ "trust": server, "certificate": certificate.fingerprint, "pinned": pinned, "private": private })
            }
            Effect::RuleCookies { host, rule } => json!({ "cookies": host, "rule": format!("{rule:?}") }),
            Effect::Redraw => json!("redraw"),
            Effect::Suspend => json!("suspend"),
            Effect::Quit => json!("quit"),
            Effect::QuitNow => json!("quit now"),
        }
    }

    /// What goes to the clipboard: often a page's own words.
    fn copied(&self, text: &str) -> Value {
        let text = self.address(text);
        if self.octets { text.into() } else { self.octets(text.as_bytes()) }
    }

    fn addresses(&self, words: &[String]) -> Vec<String> {
        words.iter().map(|word| self.address(word)).collect()
    }

    fn request(&self, request: &Request) -> Value {
        let mut out = Map::new();
        out.insert("url".into(), self.url(&request.url).into());
        let mut add = |name: &str, value: Option<Value>| out.extend(value.map(|value| (name.to_owned(), value)));
        add("media", request.media.clone().map(Value::from));
        let mirrors: Vec<String> = request.mirrors.iter().map(|url| self.url(url)).collect();
        add("mirrors", (!mirrors.is_empty()).then(|| mirrors.into()));
        add("login", request.login.as_ref().map(|_| "***".into()));
        add("resume", request.resume.as_ref().map(|resume| json!([resume.from, resume.validator, resume.as_listed])));
        add("unless", request.unless.clone().map(Value::from));
        add(
            "body",
            request.body.as_ref().map(|body| json!({ "media": kind(&body.media), "octets": self.sent(&body.octets) })),
        );
        add("since", request.since.map(|time| time.to_string().into()));
        add(
            "held",
            request.held.as_ref().map(|held| json!({ "media": held.media, "octets": self.octets(&held.octets) })),
        );
        add("articles", request.articles.as_ref().map(|ids| ids.len().into()));
        add("put", request.put.as_ref().map(|put| json!({ "path": put.path, "agreed": put.agreed.is_some() })));
        add("sum", request.sum.then(|| true.into()));
        add("hidden", request.hidden.then(|| true.into()));
        add("targets", request.targets.then(|| true.into()));
        add("private", request.private.then(|| true.into()));
        add("kept", (request.kept == KeptCopy::Only).then(|| true.into()));
        Value::Object(out)
    }

    fn destination(&self, into: &Destination) -> Value {
        let existing = match &into.existing {
            Existing::Ask => json!("ask"),
            Existing::Replace => json!("replace"),
            Existing::Compare => json!([into.listed.size, into.listed.modified.map(Time::written)]),
        };
        let origin = into.origin.as_ref().map(|url| self.url(url));
        let keeps = into.beginning == Beginning::Keep;
        json!({ "path": into.path, "within": into.within, "origin": origin, "existing": existing, "goes-on": keeps })
    }

    fn kept(&self, kept: &Kept) -> Value {
        match kept {
            Kept::Words { prompt, words } => json!({ "words": self.address(words), "prompt": name(PROMPTS, *prompt) }),
            Kept::Download(kept) => {
                let standing = format!("{:?}", kept.standing).to_ascii_lowercase();
                json!({ "download": kept.path, "url": self.address(&kept.url), "standing": standing, "received": kept.received,
                    "length": kept.length, "said": kept.said, "again": kept.again, "folder": kept.folder, "beside": kept.beside.len(), "verified": kept.verified.as_ref().map(|v| &v.said) })
            }
            Kept::Site { host, choice } => {
                let choice = match choice {
                    SiteChoice::Charset(name) => json!({ "charset": name }),
                    SiteChoice::Order(words) => json!({ "order": words }),
                    SiteChoice::Reader(on) => json!({ "reader": on }),
                    SiteChoice::Measure(on) => json!({ "measure": on }),
                    SiteChoice::Hidden(on) => json!({ "hidden": on }),
                    SiteChoice::Owners(on) => json!({ "owners": on }),
                    SiteChoice::Show(words) => json!({ "show": words }),
                    SiteChoice::Listing(words) => json!({ "listing": words }),
                    SiteChoice::Visit(time) => json!({ "visit": time.to_string() }),
                };
                json!({ "site": self.address(host), "choice": choice })
            }
            Kept::Visit { url, title, time, led } => {
                json!({ "visit": self.address(url), "title": short_stars(title), "time": time, "led": self.address(led) })
            }
            Kept::Mark { letter, mark } => {
                json!({ "mark": letter.to_string(), "at": mark.as_ref().map(|mark| self.address(&mark.url)) })
            }
            Kept::Others => json!("others"),
            Kept::Forget(what) => match what {
                Forget::Page(url) => json!({ "forget-page": self.url(url) }),
                Forget::Host(host) => json!({ "forget-host": host }),
                Forget::Since(time) => json!({ "forget-since": time }),
                Forget::All => json!("forget-all"),
            },
            Kept::Bookmarks(change) => self.change(change),
            Kept::Score(lines) => json!({ "score": self.octets(lines.as_bytes()) }),
            Kept::Unscore(lines) => json!({ "unscore": self.octets(lines.as_bytes()) }),
            Kept::Setting { name, value } => {
                let value = value.as_ref().map(|value| redacted(&value.to_string()));
                json!({ "setting": name, "value": value })
            }
            Kept::Session => json!("session"),
        }
    }

    fn change(&self, change: &Change) -> Value {
        let mark = |bookmark: &Bookmark| self.address(&bookmark.url);
        let before = |before: &Option<Bookmark>| before.as_ref().map(mark);
        match change {
            Change::Insert { bookmarks, before: at } => {
                json!({ "bookmarks": bookmarks.iter().map(mark).collect::<Vec<_>>(), "before": before(at) })
            }
            Change::Replace { old, new } => json!({ "bookmark": mark(new), "instead": mark(old) }),
            Change::Remove(bookmark) => json!({ "no-bookmark": mark(bookmark) }),
            Change::Restore { before: at, .. } => json!({ "bookmark": "again", "before": before(at) }),
            Change::Move { bookmark, before: at } => json!({ "move-bookmark": mark(bookmark), "before": before(at) }),
        }
    }
}

fn kind_of(work: &Work) -> &'static str {
    match work {
        Work::Arrange(_) => "order",
        Work::Find(_) => "match",
        Work::Count(_) => "matches",
        Work::FindLinks(_) => "links",
        Work::Offer(_) => "addresses",
        Work::List(_) => "visits",
        Work::Track(_) => "trail",
        Work::Narrow(_) => "rows",
        Work::Read(_) => "page",
        Work::Append(..) => "both",
        Work::Take(_) => "part",
        Work::Quote(_) => "quote",
        Work::Print(_) => "paper",
        Work::Draw(_) => "picture",
        Work::Decode(_) => "picture in a text",
    }
}

/// A media type without its parameters: a boundary tells nothing.
fn kind(media: &str) -> &str {
    media.split(';').next().unwrap_or_default()
}

/// A text in which stars for a secret are three, whether the browser has put them there or the recording.
fn short_stars(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '*' || !out.ends_with("***") {
            out.push(c);
        }
    }
    out
}
