//! Messages as JSON, and back; [`super::answer`] has what servers answer.

use super::super::{downloads, marks, session};
use super::answer::read_event;
use super::secrets::stars;
use super::words::{At, Ink, PROMPTS, Wrong, latin, name, redacted};
use crate::app::{
    Choices, Compared, Gesture, Gone, JobId, Known, LastTabs, ListSignature, Mouse, Msg, NotWritten, Remembered, Spot,
    There, Transfer, Verified,
};
use crate::bookmarks::Bookmarks;
use crate::config::{ConfigError, Fixed, SettingsFile};
use crate::doc::{LinkId, Marks, Wrap};
use crate::keys::{Code, Key};
use crate::news::Newsrc;
use crate::news::score::{ScoreText, Scores};
use crate::picture::Protocol;
use crate::proto::{End, FetchError, FetchEvent};
use crate::sums::Sum;
use crate::url::{redact, redact_typed};
use crate::visits::Visits;
use serde_json::{Map, Value, json};
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

const PROTOCOLS: &[(Protocol, &str)] = &[
    (Protocol::Blocks, "blocks"),
    (Protocol::Kitty, "kitty"),
    (Protocol::Sixel, "sixel"),
    (Protocol::Iterm2, "iterm2"),
];

const GESTURES: &[(Gesture, &str)] = &[
    (Gesture::Press, "press"),
    (Gesture::Middle, "middle"),
    (Gesture::Drag, "drag"),
    (Gesture::WheelUp, "wheel-up"),
    (Gesture::WheelDown, "wheel-down"),
];

/// Spots that are no more than their name.
const SPOTS: &[(Spot, &str)] = &[
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

fn read_settings(said: At<'_>) -> Result<SettingsFile, Wrong> {
    let fixed =
        |said: At<'_>| Ok(Fixed { name: said.nth(0).text()?, value: said.nth(1).text()?, by: said.nth(2).text()? });
    Ok(SettingsFile {
        name: said.at("name").text()?,
        text: said.at("text").text()?,
        fixed: said.at("fixed").list(fixed)?,
        keys: said.maybe("keys", |keys| Ok((keys.nth(0).text()?, keys.nth(1).text()?)))?,
        themes: said.at("themes").list(At::text)?,
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

/// What the browser was told.
#[derive(Debug, Clone)]
pub(super) enum Told {
    /// A message as it was.
    Message(Msg),
    /// A page that is being read: it is read again, from as many of its octets.
    Page {
        id: JobId,
        elapsed: Duration,
        received: u64,
        /// Those that come after the ones of the earlier lines.
        more: Vec<u8>,
        /// How it has ended.
        end: Option<Result<End, FetchError>>,
        /// What was shown is what there would be without more.
        tentative: bool,
    },
    /// Work was done: it is done again.
    Worked(JobId),
}

/// What a line tells.
pub(super) fn told(line: &Value, spare: &Cell<usize>) -> Result<Told, Wrong> {
    let said = At { value: line, of: "line", spare }.first().ok_or("this is no message")?;
    let end = match said.of {
        "worked" => return Ok(Told::Worked(JobId(said.number()?))),
        "grown" | "so-far" => None,
        "whole" => match read_event(said)? {
            FetchEvent::End(end) => Some(Ok(end)),
            FetchEvent::Failed(error) => Some(Err(error)),
            _ => return Err(said.wrong("whole page")),
        },
        _ => return read(said).map(Told::Message),
    };
    let (id, elapsed) = (JobId(said.at("id").number()?), Duration::from_nanos(said.at("ns").number()?));
    let (received, more) = (said.at("received").number()?, said.at("more").octets()?);
    Ok(Told::Page { id, elapsed, received, more, end, tentative: said.of == "so-far" })
}

/// The message of a line.
fn read(said: At<'_>) -> Result<Msg, Wrong> {
    let id = || said.at("id").number().map(JobId);
    let elapsed = || said.at("ns").number().map(Duration::from_nanos);
    let failed = || said.maybe("failed", At::text).map(|failed| failed.map_or(Ok(()), Err));
    Ok(match said.of {
        "choices" => Msg::Choices(Box::new(read_choices(said)?)),
        "remembered" => Msg::Remembered(Box::new(read_remembered(said)?)),
        "open" => Msg::Open {
            places: said.at("places").list(At::url)?,
            media: said.maybe("media", At::text)?,
            charset: said.maybe("charset", At::text)?,
        },
        "handed" => Msg::Handed(said.list(At::url)?),
        "resume" => Msg::Resume { home: said.url()? },
        "go" => Msg::Go(said.url()?),
        "command" => Msg::Command(said.text()?),
        "clock" => Msg::Clock(said.text()?.parse().map_err(|_| said.wrong("time"))?),
        "tour" => Msg::Tour(said.list(At::small)?),
        "key" => Msg::Key(read_key(said)?),
        "mouse" => Msg::Mouse(said.nth(0).one(GESTURES)?, read_spot(said.nth(1))?),
        "paste" => Msg::Paste(said.text()?),
        "graphics" => {
            let cell = said.nth(1).list(At::small).ok().and_then(|cell| Some((*cell.first()?, *cell.get(1)?)));
            Msg::Graphics(said.nth(0).one(PROTOCOLS)?, cell)
        }
        "resize" => match said.list(At::small)?[..] {
            [columns, rows] => Msg::Resize(columns, rows),
            _ => return Err(said.wrong("size")),
        },
        "fetch" => Msg::Fetch { id: id()?, elapsed: elapsed()?, event: read_event(said)? },
        "transfer" => Msg::Transfer { id: id()?, elapsed: elapsed()?, transfer: read_transfer(said)? },
        "ran" => Msg::Ran { id: id()?, result: failed()? },
        "wrote" => {
            let result = match (said.maybe("path", At::text)?, said.maybe("exists", At::text)?) {
                (Some(path), _) => Ok(path),
                (None, Some(path)) => Err(NotWritten::Exists(path)),
                (None, None) => Err(NotWritten::Failed(said.at("failed").text()?)),
            };
            Msg::Wrote { id: id()?, result }
        }
        "prepared" => {
            let (same, changed) = (said.at("same").list(At::small)?, said.at("changed").list(At::small)?);
            let (others, remarks) = (said.at("others").list(At::text)?, said.at("remarks").list(At::text)?);
            let elsewhere = said.maybe("elsewhere", |said| said.list(At::small))?.unwrap_or_default();
            Msg::Prepared { id: id()?, there: There { same, changed, elsewhere, others, remarks } }
        }
        "dated" => Msg::Dated { id: id()?, remarks: said.at("remarks").list(At::text)? },
        "summed" => {
            let sums =
                |said: At<'_>| Ok(said.list(At::text)?.iter().filter_map(|one| Sum::of(one.as_bytes())).collect());
            Msg::Summed { id: id()?, result: said.result("digits", sums)? }
        }
        "summed-tree" => {
            let read = |said: At<'_>| {
                let agrees = said.maybe("agrees", |agrees| Ok(agrees.flag()))?;
                let verified = Verified { agrees, said: said.at("said").text()? };
                let file = |one: At<'_>| Ok((one.at("name").text()?, one.at("content").octets()?));
                let signature = |one: At<'_>| {
                    let ((name, content), list) = (file(one)?, one.maybe("list", file)?);
                    let right = one.maybe("right", |right| right.list(At::small))?.unwrap_or_default();
                    Ok(ListSignature { name, content, list, right })
                };
                let signatures = said.maybe("signatures", |all| all.list(signature))?.unwrap_or_default();
                let right = said.maybe("right", At::small)?.unwrap_or_default();
                Ok(Compared { verified, right, signatures })
            };
            Msg::SummedTree { id: id()?, result: said.result("verified", read)? }
        }
        "removed" => Msg::Removed { id: id()?, result: failed()? },
        "read" => Msg::Read { id: id()?, content: said.result("content", At::octets)? },
        "settings" => {
            let file = Box::new(read_settings(said.at("file"))?);
            Msg::Settings { id: id()?, file, remark: said.maybe("remark", At::text)? }
        }
        "cookies" => Msg::Cookies { host: said.at("host").text()?, names: said.at("names").list(At::text)? },
        "said" => Msg::Said(said.text()?),
        "complaint" => Msg::Complaint(said.text()?),
        "known" => Msg::Known { known: read_known(said)?, remark: said.maybe("remark", At::text)? },
        "rest" => Msg::Rest,
        "terminate" => Msg::Terminate,
        other => return Err(format!("there is no message {other}")),
    })
}

fn read_key(said: At<'_>) -> Result<Key, Wrong> {
    let name = said.text()?;
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        // Also one that has no name.
        (Some(c), None) => Ok(Key::plain(Code::Char(c))),
        _ => Key::named(&name).ok_or_else(|| format!("there is no key {name}")),
    }
}

fn read_spot(said: At<'_>) -> Result<Spot, Wrong> {
    let Some(part) = said.first() else { return said.one(SPOTS) };
    Ok(match part.of {
        "link" => Spot::Link(LinkId(part.small()?)),
        "scrollbar" => Spot::Scrollbar(part.small()?),
        "above" => Spot::Above(part.small()?),
        "tab" => Spot::Tab(part.small()?),
        "row" => Spot::Row(part.small()?),
        "part" => match part.list(At::small)?[..] {
            [field, part] => Spot::Part(field, part),
            _ => return Err(part.wrong("part")),
        },
        "answer" => Spot::Answer(part.text()?.chars().next().ok_or_else(|| part.wrong("letter"))?),
        other => return Err(format!("there is no spot {other}")),
    })
}

fn read_transfer(said: At<'_>) -> Result<Transfer, Wrong> {
    let (of, value) = said.value.as_object().and_then(|said| said.iter().nth(2)).ok_or("this is no transfer")?;
    let what = At { value, of, ..said };
    let part = |n: usize| what.nth(n);
    let remark = || match &value[1] {
        Value::Null => Ok(None),
        _ => part(1).text().map(Some),
    };
    Ok(match of.as_str() {
        "partial" => Transfer::Partial,
        "begun" => Transfer::Begun(part(0).number()?, remark()?),
        "progress" => Transfer::Progress(what.number()?),
        "done" => Transfer::Done(part(0).text()?, remark()?),
        "present" => Transfer::Present(what.text()?),
        "exists" => Transfer::Exists(what.text()?),
        "stale" => Transfer::Stale(what.text()?),
        "cut" => Transfer::Cut(what.text()?),
        "failed" => Transfer::Failed(what.text()?),
        "full" => Transfer::Full(what.text()?),
        other => return Err(format!("there is no transfer {other}")),
    })
}

fn read_known(said: At<'_>) -> Result<Known, Wrong> {
    let what = said.first().ok_or("this is nothing known")?;
    let part = |n: usize| what.nth(n);
    let visits = || {
        Visits::read(what.text()?.into_bytes()).map(|(visits, _)| Box::new(visits)).map_err(|_| what.wrong("history"))
    };
    Ok(match what.of {
        "newsrc" => {
            let (newsrc, _) = Newsrc::parse(&part(1).octets()?);
            Known::Newsrc { server: part(0).text()?, newsrc: Arc::new(newsrc) }
        }
        "visits" => Known::Visits(visits()?),
        "others" => Known::Others(visits()?),
        "words" => Known::Words(read_words(what)?),
        "bookmarks" => {
            let bookmarks = Bookmarks::read(&what.text()?).map_err(|_| what.wrong("file of bookmarks"))?;
            Known::Bookmarks(Box::new(bookmarks))
        }
        "scores" => Known::Scores(Arc::new(Scores::read(what.list(read_scores)?))),
        "settings" => Known::Settings(Box::new(read_settings(what)?)),
        "new" => Known::New { unread: part(0).number()?, fresh: part(1).number()? },
        "forgotten" => {
            let many = |at: usize| part(at).number().map(|many| usize::try_from(many).unwrap_or(usize::MAX));
            Known::Forgotten(Gone { copies: many(0)?, later: many(1)?, fresh: many(2)? })
        }
        "fresh" => Known::Fresh {
            url: part(0).url()?,
            octets: part(1).number()?,
            blocks: part(2).list(|block| Ok(u32::try_from(block.number()?).unwrap_or(u32::MAX)))?,
        },
        other => return Err(format!("{other} is not known")),
    })
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

fn read_scores(said: At<'_>) -> Result<ScoreText, Wrong> {
    let include = |said: At<'_>| {
        let number = |number: u64| usize::try_from(number).map_err(|_| said.wrong("number"));
        Ok(match said.maybe("file", At::number)? {
            Some(file) => Ok(number(file)?),
            None => Err(said.at("failed").text()?),
        })
    };
    let (name, text, includes) = (said.nth(0).text()?, said.nth(1).text()?, said.nth(2).list(include)?);
    Ok(ScoreText { name, text, includes })
}

fn read_words(said: At<'_>) -> Result<std::collections::BTreeMap<crate::app::PromptKind, Vec<String>>, Wrong> {
    let prompt = |name: &str| {
        let known = PROMPTS.iter().find(|(_, known)| *known == name);
        known.map(|(prompt, _)| *prompt).ok_or_else(|| format!("there is no prompt {name}"))
    };
    said.pairs(prompt, |words| words.list(At::text))
}

fn read_choices(said: At<'_>) -> Result<Choices, Wrong> {
    let on = |name: &str| said.at(name).flag();
    Ok(Choices {
        wrap: if on("wrap") { Wrap::On } else { Wrap::Off },
        marks: if on("glyphs") { Marks::Glyphs } else { Marks::Words },
        mouse: if on("mouse") { Mouse::On } else { Mouse::Off },
        base: said.maybe("base", At::url)?,
        home_folder: said.maybe("home-folder", At::text)?,
        folds_case: on("folds-case"),
        scratch: said.at("scratch").text()?,
        drafts: said.at("drafts").text()?,
        editor: said.at("editor").list(At::text)?,
        signature: said.at("signature").text()?,
        seed: said.maybe("seed", At::text)?.unwrap_or_default(),
        unfinished: said.maybe("unfinished", At::small)?.unwrap_or_default(),
        takes_mail: on("takes-mail"),
        missing: said.maybe("missing", |said| said.list(At::text))?.unwrap_or_default(),
        safe: on("safe"),
        offline: on("offline"),
        keeps_session: on("keeps-session"),
        keeps_last: on("keeps-last"),
        shares_history: on("shares-history"),
    })
}

fn read_marks(said: At<'_>) -> Result<marks::Marks, Wrong> {
    let row = |said: At<'_>| Ok((said.nth(0).text()?, said.nth(1).text()?, said.nth(2).number()?.cast_signed()));
    let rows: Vec<(String, String, i64)> = said.maybe("marks", |said| said.list(row))?.unwrap_or_default();
    let mut marks = marks::Marks::new();
    rows.iter().try_for_each(|(name, value, time)| marks::take(&mut marks, name, value, Some(*time)))?;
    Ok(marks)
}

fn read_remembered(said: At<'_>) -> Result<Remembered, Wrong> {
    let same = |name: &str| Ok(name.to_owned());
    let mistake = |said: At<'_>| {
        Ok(ConfigError { file: said.nth(0).text()?, line: said.nth(1).small()?, message: said.nth(2).text()? })
    };
    let download = |said: At<'_>| downloads::read(said.value).ok_or_else(|| said.wrong("download"));
    let tabs: Vec<String> = said.at("session").list(At::text)?;
    let last = |said: At<'_>| {
        let tabs: Vec<String> = said.at("tabs").list(At::text)?;
        let session = session::read(tabs.join("\n").as_bytes());
        Ok(LastTabs { session, ended: said.maybe("ended", At::time)? })
    };
    Ok(Remembered {
        words: read_words(said.at("words"))?,
        charsets: said.at("charsets").pairs(same, At::text)?,
        orders: said.at("orders").pairs(same, At::text)?,
        listings: said.maybe("listings", |said| said.pairs(same, At::text))?.unwrap_or_default(),
        shows: said.maybe("shows", |said| said.pairs(same, At::text))?.unwrap_or_default(),
        reader: said.at("reader").list(At::text)?.into_iter().collect(),
        unmeasured: said.at("unmeasured").list(At::text)?.into_iter().collect(),
        hidden: said.maybe("hidden", |said| said.list(At::text))?.unwrap_or_default().into_iter().collect(),
        owners: said.maybe("owners", |said| said.list(At::text))?.unwrap_or_default().into_iter().collect(),
        listed: said.at("listed").pairs(same, At::time)?,
        marks: read_marks(said)?,
        downloads: said.at("downloads").list(download)?,
        session: session::read(tabs.join("\n").as_bytes()),
        last: said.maybe("last", |said| said.list(last))?.unwrap_or_default(),
        visits_coming: said.at("visits-coming").flag(),
        greets: said.at("greets").flag(),
        remarks: said.at("remarks").list(At::text)?,
        damage: said.at("damage").list(mistake)?,
        mistakes: said.at("mistakes").list(mistake)?,
    })
}
