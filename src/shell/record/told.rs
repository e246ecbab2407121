//! Lines of a recording, and what they tell the browser again: what [`super::message`] and [`super::answer`] wrote.

use super::super::{downloads, marks, session};
use super::answer::read_event;
use super::message::{GESTURES, PROTOCOLS, SPOTS};
use super::words::{At, PROMPTS, Wrong};
use crate::app::{
    Choices, Compared, Gone, JobId, Known, LastTabs, ListSignature, Mouse, Msg, NotWritten, Remembered, Spot, There,
    Transfer, Verified,
};
use crate::bookmarks::Bookmarks;
use crate::config::{ConfigError, Fixed, SettingsFile};
use crate::doc::{LinkId, Marks, Wrap};
use crate::keys::{Code, Key};
use crate::news::Newsrc;
use crate::news::score::{ScoreText, Scores};
use crate::proto::{End, FetchError, FetchEvent};
use crate::sums::Sum;
use crate::visits::Visits;
use serde_json::Value;
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

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
pub(super) fn of_line(line: &Value, spare: &Cell<usize>) -> Result<Told, Wrong> {
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
        "undated" => Transfer::Undated,
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
