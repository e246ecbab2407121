//! Messages as JSON; [`super::answer`] has what servers answer, [`super::told`] reads them again.

use super::super::{downloads, marks, session};
use super::secrets::stars;
use super::words::{Ink, PROMPTS, latin, name, redacted};
use crate::app::{
    Choices, Compared, Gesture, Gone, JobId, Known, LastTabs, ListSignature, Mouse, Msg, NotWritten, Remembered, Spot,
    There, Transfer, Verified,
};
use crate::bookmarks::Bookmarks;
use crate::config::{ConfigError, Fixed, SettingsFile};
use crate::doc::{Marks, Wrap};
use crate::keys::Code;
use crate::news::score::{ScoreText, Scores};
use crate::picture::Protocol;
use crate::proto::FetchEvent;
use crate::sums::Sum;
use crate::url::{redact, redact_typed};
use serde_json::{Map, Value, json};
use std::time::Duration;

pub(super) const PROTOCOLS: &[(Protocol, &str)] = &[
    (Protocol::Blocks, "blocks"),
    (Protocol::Kitty, "kitty"),
    (Protocol::Sixel, "sixel"),
    (Protocol::Iterm2, "iterm2"),
];

pub(super) const GESTURES: &[(Gesture, &str)] = &[
    (Gesture::Press, "press"),
    (Gesture::Middle, "middle"),
    (Gesture::Drag, "drag"),
    (Gesture::WheelUp, "wheel-up"),
    (Gesture::WheelDown, "wheel-down"),
];

/// Spots that are no more than their name.
pub(super) const SPOTS: &[(Spot, &str)] = &[
    (Spot::Page, "page"),
    (Spot::Host, "host"),
    (Spot::Bar, "bar"),
    (Spot::Overlay, "overlay"),
    (Spot::Beside, "beside"),
];

impl Ink {
    /// The name of a message and what it says. `secret`: what is typed is a secret.
    pub(super) fn message(&mut self, message: &Msg, secret: bool) -> (&'static str, Value) {
        match message {
            Msg::Choices(choices) => ("choices", self.choices(choices)),
            Msg::Remembered(remembered) => ("remembered", self.remembered(remembered)),
            Msg::Open { places, media, charset } => {
                let places: Vec<String> = places.iter().map(|url| self.url(url)).collect();
                ("open", json!({ "places": places, "media": media, "charset": charset }))
            }
            Msg::Handed(places) => ("handed", places.iter().map(|url| self.url(url)).collect()),
            Msg::Resume { home } => ("resume", self.url(home).into()),
            Msg::Go(url) => ("go", self.url(url).into()),
            Msg::Command(line) => ("command", line.split(' ').map(redact_typed).collect::<Vec<_>>().join(" ").into()),
            Msg::Clock(now) => ("clock", now.to_string().into()),
            Msg::Tour(ports) => ("tour", json!(ports)),
            Msg::Key(key) => {
                let hidden = secret && matches!(key.code, Code::Char(_)) && !key.control && !key.meta;
                ("key", if hidden { "*".into() } else { key.to_string().into() })
            }
            Msg::Mouse(gesture, spot) => ("mouse", json!([name(GESTURES, *gesture), of_spot(*spot)])),
            Msg::Paste(text) => ("paste", if secret { stars(text).into() } else { redact_typed(text).into() }),
            Msg::Resize(columns, rows) => ("resize", json!([columns, rows])),
            Msg::Graphics(protocol, cell) => ("graphics", json!([name(PROTOCOLS, *protocol), cell])),
            Msg::Fetch { id, elapsed, event } => {
                let (what, said) = self.event(event);
                ("fetch", json!({ "id": id.0, "ns": nanoseconds(*elapsed), what: said }))
            }
            Msg::Transfer { id, elapsed, transfer } => {
                let (what, said) = match transfer {
                    Transfer::Partial => ("partial", true.into()),
                    Transfer::Begun(from, remark) => ("begun", json!([from, remark])),
                    Transfer::Undated => ("undated", true.into()),
                    Transfer::Progress(octets) => ("progress", json!(octets)),
                    Transfer::Done(path, remark) => ("done", json!([path, remark])),
                    Transfer::Present(path) => ("present", json!(path)),
                    Transfer::Exists(path) => ("exists", json!(path)),
                    Transfer::Stale(sentence) => ("stale", json!(sentence)),
                    Transfer::Cut(sentence) => ("cut", json!(sentence)),
                    Transfer::Failed(sentence) => ("failed", json!(sentence)),
                    Transfer::Full(sentence) => ("full", json!(sentence)),
                };
                ("transfer", json!({ "id": id.0, "ns": nanoseconds(*elapsed), what: said }))
            }
            Msg::Ran { id, result } => ("ran", json!({ "id": id.0, "failed": result.as_ref().err() })),
            Msg::Wrote { id, result } => {
                let (what, said) = match result {
                    Ok(path) => ("path", path),
                    Err(NotWritten::Exists(path)) => ("exists", path),
                    Err(NotWritten::Failed(sentence)) => ("failed", sentence),
                };
                ("wrote", json!({ "id": id.0, what: said }))
            }
            Msg::Prepared { id, there } => {
                let There { same, changed, elsewhere, others, remarks } = there;
                let said = json!({ "id": id.0, "same": same, "changed": changed, "elsewhere": elsewhere, "others": others,
                        "remarks": remarks });
                ("prepared", said)
            }
            Msg::Dated { id, remarks } => ("dated", json!({ "id": id.0, "remarks": remarks })),
            Msg::Summed { id, result } => {
                let digits = |sums: &Vec<Sum>| json!(sums.iter().map(|sum| &sum.digits).collect::<Vec<_>>());
                ("summed", of_result(*id, "digits", result.as_ref().map(digits)))
            }
            Msg::SummedTree { id, result } => {
                let list =
                    |(name, content): &(String, Vec<u8>)| json!({ "name": name, "content": self.octets(content) });
                let signature = |one: &ListSignature| {
                    let list = one.list.as_ref().map(list);
                    json!({ "name": one.name, "content": self.octets(&one.content), "list": list, "right": one.right })
                };
                let said =
                    result.as_ref().map(|Compared { verified: Verified { agrees, said }, right, signatures }| {
                        let signatures: Vec<Value> = signatures.iter().map(signature).collect();
                        json!({ "agrees": agrees, "said": said, "right": right, "signatures": signatures })
                    });
                ("summed-tree", of_result(*id, "verified", said))
            }
            Msg::Removed { id, result } => ("removed", json!({ "id": id.0, "failed": result.as_ref().err() })),
            Msg::Read { id, content } => {
                ("read", of_result(*id, "content", content.as_ref().map(|content| self.octets(content))))
            }
            Msg::Settings { id, file, remark } => {
                ("settings", json!({ "id": id.0, "file": of_settings(file), "remark": remark }))
            }
            Msg::Cookies { host, names } => ("cookies", json!({ "host": host, "names": names })),
            Msg::Said(sentence) => ("said", sentence.as_str().into()),
            Msg::Complaint(sentence) => ("complaint", sentence.as_str().into()),
            Msg::Known { known, remark } => {
                let (what, said) = match known {
                    Known::Newsrc { server, newsrc } => ("newsrc", json!([server, latin(&newsrc.write())])),
                    Known::Visits(visits) => ("visits", json!(visits.write())),
                    Known::Others(visits) => ("others", json!(visits.write())),
                    Known::Words(words) => ("words", of_words(words)),
                    Known::Bookmarks(bookmarks) => ("bookmarks", json!(of_bookmarks(bookmarks))),
                    Known::Scores(scores) => ("scores", of_scores(scores)),
                    Known::Settings(file) => ("settings", of_settings(file)),
                    Known::New { unread, fresh } => ("new", json!([unread, fresh])),
                    Known::Forgotten(Gone { copies, later, fresh }) => ("forgotten", json!([copies, later, fresh])),
                    Known::Fresh { url, octets, blocks } => ("fresh", json!([self.url(url), octets, blocks])),
                };
                ("known", json!({ what: said, "remark": remark }))
            }
            Msg::Grown { id, elapsed, page } => {
                let more = self.more(*id, &page.beginning, false);
                let said = json!({ "id": id.0, "ns": nanoseconds(*elapsed), "received": page.received, "more": more });
                (if page.tentative { "so-far" } else { "grown" }, said)
            }
            Msg::Whole { id, elapsed, page, end } => {
                let more = self.more(*id, page.source.as_deref().unwrap_or(&page.page.beginning), true);
                let (what, said) = match end {
                    Ok(end) => self.event(&FetchEvent::End(end.clone())),
                    Err(error) => self.event(&FetchEvent::Failed(error.clone())),
                };
                let (elapsed, received) = (nanoseconds(*elapsed), page.page.received);
                ("whole", json!({ "id": id.0, "ns": elapsed, "received": received, "more": more, what: said }))
            }
            Msg::Worked { id, .. } => ("worked", id.0.into()),
            Msg::Rest => ("rest", true.into()),
            Msg::Terminate => ("terminate", true.into()),
        }
    }

    /// What has come of a page and is not yet in the recording. Of a page that is too long to be kept it is the beginning. What may
    /// be the beginning of a secret waits for what comes next, unless that is the `end`.
    fn more(&mut self, id: JobId, octets: &[u8], end: bool) -> Value {
        let written = self.written.entry(id).or_default();
        let more = octets.get(*written..).unwrap_or_default();
        let more = &more[..more.len() - if end { 0 } else { self.secrets.begun(more) }];
        *written += more.len();
        self.octets(more)
    }

    fn choices(&self, choices: &Choices) -> Value {
        json!({
            "wrap": choices.wrap == Wrap::On,
            "glyphs": choices.marks == Marks::Glyphs,
            "mouse": choices.mouse == Mouse::On,
            "base": choices.base.as_ref().map(|url| self.url(url)),
            "home-folder": choices.home_folder,
            "folds-case": choices.folds_case,
            "scratch": choices.scratch,
            "drafts": choices.drafts,
            "editor": choices.editor,
            "signature": choices.signature,
            "seed": choices.seed,
            "unfinished": choices.unfinished,
            "takes-mail": choices.takes_mail,
            "missing": choices.missing,
            "safe": choices.safe,
            "offline": choices.offline,
            "keeps-session": choices.keeps_session,
            "keeps-last": choices.keeps_last,
            "shares-history": choices.shares_history,
        })
    }

    fn remembered(&self, remembered: &Remembered) -> Value {
        let mistakes = |mistakes: &[ConfigError]| -> Vec<Value> {
            mistakes.iter().map(|mistake| json!([mistake.file, mistake.line, mistake.message])).collect()
        };
        let listed: Map<String, Value> =
            remembered.listed.iter().map(|(server, time)| (server.clone(), time.to_string().into())).collect();
        json!({
            "words": of_words(&remembered.words),
            "charsets": remembered.charsets,
            "orders": remembered.orders,
            "shows": remembered.shows,
            "listings": remembered.listings,
            "reader": remembered.reader,
            "unmeasured": remembered.unmeasured,
            "hidden": remembered.hidden,
            "owners": remembered.owners,
            "listed": listed,
            "marks": marks::written(&remembered.marks),
            "downloads": remembered.downloads.iter().map(downloads::written).collect::<Vec<_>>(),
            "session": session::written(&remembered.session).lines().collect::<Vec<_>>(),
            "last": remembered.last.iter().map(of_last).collect::<Vec<_>>(),
            "visits-coming": remembered.visits_coming,
            "greets": remembered.greets,
            "remarks": remembered.remarks,
            "damage": mistakes(&remembered.damage),
            "mistakes": mistakes(&remembered.mistakes),
        })
    }
}

fn of_last(last: &LastTabs) -> Value {
    let lines = session::written(&last.session);
    json!({ "ended": last.ended.map(|time| time.to_string()), "tabs": lines.lines().collect::<Vec<_>>() })
}

/// What came under a number, by its name, or why it did not.
fn of_result(id: JobId, of: &str, result: Result<Value, &String>) -> Value {
    match result {
        Ok(came) => json!({ "id": id.0, of: came }),
        Err(sentence) => json!({ "id": id.0, "failed": sentence }),
    }
}

fn nanoseconds(elapsed: Duration) -> u64 {
    u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX)
}

fn of_words(words: &std::collections::BTreeMap<crate::app::PromptKind, Vec<String>>) -> Value {
    let hidden = |words: &[String]| words.iter().map(|words| redact(words)).collect::<Vec<_>>();
    let named = words.iter().map(|(prompt, words)| (name(PROMPTS, *prompt).to_owned(), json!(hidden(words))));
    Value::Object(named.collect())
}

/// As the file has them, but for passwords that the reader has written there.
fn of_bookmarks(bookmarks: &Bookmarks) -> String {
    let hides = |url: &str| redact(url) != url;
    if !bookmarks.iter().any(|bookmark| hides(&bookmark.url)) {
        return bookmarks.write();
    }
    let hidden =
        bookmarks.iter().cloned().map(|bookmark| crate::bookmarks::Bookmark { url: redact(&bookmark.url), ..bookmark });
    hidden.collect::<Bookmarks>().write()
}

fn of_settings(file: &SettingsFile) -> Value {
    let fixed = |fixed: &Fixed| json!([fixed.name, redacted(&fixed.value), fixed.by]);
    let lines: Vec<String> = file.text.lines().map(redacted).collect();
    json!({
        "name": file.name,
        "text": lines.join("\n"),
        "fixed": file.fixed.iter().map(fixed).collect::<Vec<_>>(),
        "keys": file.keys.as_ref().map(|(name, text)| json!([name, text])),
        "themes": file.themes,
    })
}

fn of_spot(spot: Spot) -> Value {
    match spot {
        Spot::Page | Spot::Host | Spot::Bar | Spot::Overlay | Spot::Beside => name(SPOTS, spot).into(),
        Spot::Link(link) => json!({ "link": link.0 }),
        Spot::Scrollbar(share) => json!({ "scrollbar": share }),
        Spot::Above(levels) => json!({ "above": levels }),
        Spot::Tab(at) => json!({ "tab": at }),
        Spot::Row(at) => json!({ "row": at }),
        Spot::Part(field, part) => json!({ "part": [field, part] }),
        Spot::Answer(letter) => json!({ "answer": letter.to_string() }),
    }
}

fn of_scores(scores: &Scores) -> Value {
    let file = |file: &ScoreText| {
        let includes = file.includes.iter().map(|file| match file {
            Ok(number) => json!({ "file": number }),
            Err(why) => json!({ "failed": why }),
        });
        json!([file.name, file.text, includes.collect::<Vec<_>>()])
    };
    scores.files().iter().map(file).collect()
}
