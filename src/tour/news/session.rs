//! What a visitor of the news server is answered, without the wire (RFC 3977).

use super::article::{Article, is_id};
use super::store::{Group, Store};
use super::wildmat;
use jiff::Timestamp;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// When the groups were made, for NEWGROUPS and LIST ACTIVE.TIMES: 2026-03-01, 00:00 UTC.
const MADE: i64 = 1_772_323_200;
const CAPABILITIES: &str = "VERSION 2\nREADER\nPOST\nOVER MSGID\nHDR\nLIST ACTIVE ACTIVE.TIMES COUNTS HEADERS MOTD NEWSGROUPS \
                            OVERVIEW.FMT SUBSCRIPTIONS\nIMPLEMENTATION Wayfarer's tour\n";
const FORMAT: &str = "Subject:\nFrom:\nDate:\nMessage-ID:\nReferences:\n:bytes\n:lines\nXref:full\n";
const COMMANDS: &str = "ARTICLE BODY CAPABILITIES DATE GROUP HDR HEAD HELP LAST LIST LISTGROUP MODE NEWGROUPS\nNEXT OVER POST \
                        QUIT STAT XHDR XOVER\n";

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Say this line.
    Say(String),
    /// Say this line and the block of lines.
    Block(String, Vec<u8>),
    /// Say this line and hear an article.
    Hear(String),
    /// Say this line and close.
    Leave(String),
}

fn say(words: &str) -> Act {
    Act::Say(words.into())
}

/// A visitor.
#[derive(Debug)]
pub(super) struct Session {
    store: Arc<Mutex<Store>>,
    group: Option<String>,
    number: Option<u64>,
}

/// An article, and its number in the group that is chosen; 0 where it is asked for by its id.
type Found = (u64, Arc<Article>);

impl Session {
    /// A visitor who has chosen nothing yet.
    pub fn new(store: Arc<Mutex<Store>>) -> Session {
        Session { store, group: None, number: None }
    }

    /// Whoever broke while holding it has left it whole: every change is one step.
    pub fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a command line.
    pub fn take(&mut self, line: &str, now: Timestamp) -> Act {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let (verb, words) = words.split_first().map_or(("", &[][..]), |(verb, words)| (*verb, words));
        match (verb.to_ascii_uppercase().as_str(), words) {
            ("CAPABILITIES", _) => block("101 This is what there is", CAPABILITIES),
            ("MODE", [mode]) if mode.eq_ignore_ascii_case("READER") => say("200 Readers are welcome, writers too"),
            ("HELP", []) => block("100 These are known", COMMANDS),
            ("DATE", []) => Act::Say(format!("111 {}", now.strftime("%Y%m%d%H%M%S"))),
            ("QUIT", []) => Act::Leave("205 Good-bye".into()),
            ("POST", []) => Act::Hear("340 Go on; wayfarer.test is the group to try".into()),
            ("GROUP", [name]) => self.choose(name),
            ("LISTGROUP", words @ ([] | [_] | [_, _])) => self.numbers(words),
            ("LIST", words) => self.list(words),
            ("NEWGROUPS", [date, time, ..]) => self.made_since(date, time),
            ("NEXT", []) => self.step(true),
            ("LAST", []) => self.step(false),
            ("ARTICLE", which @ ([] | [_])) => self.article(which, 220, |article| Some(article.whole())),
            ("HEAD", which @ ([] | [_])) => self.article(which, 221, |article| Some(article.head())),
            ("BODY", which @ ([] | [_])) => self.article(which, 222, |article| Some(article.body())),
            ("STAT", which @ ([] | [_])) => self.article(which, 223, |_| None),
            ("OVER" | "XOVER", which @ ([] | [_])) => self.many(which, 224, Article::overview),
            ("HDR", [name, which @ ..]) if which.len() < 2 => self.header(name, which, 225),
            ("XHDR", [name, which @ ..]) if which.len() < 2 => self.header(name, which, 221),
            (verb, _) if COMMANDS.split_ascii_whitespace().any(|known| known == verb) => {
                say("501 That command is known, but not with these words")
            }
            _ => say("500 This small server does not know that command; HELP lists those it knows"),
        }
    }

    fn choose(&mut self, name: &str) -> Act {
        let said = self.store().group(name).map(|group| (said_of(group), group.span().0));
        let Some((said, low)) = said else {
            return say("411 There is no such group; wayfarer.tour and wayfarer.test are here");
        };
        self.group = Some(name.to_owned());
        self.number =
            Some(low).filter(|low| self.store().group(name).is_some_and(|group| group.article(*low).is_some()));
        Act::Say(said)
    }

    fn numbers(&mut self, words: &[&str]) -> Act {
        let name = words.first().map(|name| (*name).to_owned()).or_else(|| self.group.clone());
        let Some(name) = name else { return say("412 Choose a group first") };
        let Some(range) = words.get(1).map_or(Some(0..=u64::MAX), |range| numbers(range)) else {
            return say("501 That is no range of numbers");
        };
        let said = match self.choose(&name) {
            Act::Say(said) if said.starts_with("211") => said,
            refusal => return refusal,
        };
        let store = self.store();
        let numbers = store.group(&name).into_iter().flat_map(|group| group.within(range.clone()));
        block(&said, &numbers.map(|(number, _)| format!("{number}\n")).collect::<String>())
    }

    fn list(&self, words: &[&str]) -> Act {
        let kind = words.first().map_or("ACTIVE".into(), |kind| kind.to_ascii_uppercase());
        let pattern = words.get(1).copied().unwrap_or("*");
        let store = self.store();
        let each = |line: &dyn Fn(&Group) -> String| -> String {
            store.groups().iter().filter(|group| wildmat::fits(pattern, group.name)).map(line).collect()
        };
        let text = match kind.as_str() {
            "ACTIVE" => {
                each(&|group| format!("{} {} {} {}\n", group.name, group.span().1, group.span().0, group.status))
            }
            "COUNTS" => {
                let line = |group: &Group| {
                    let (low, high) = group.span();
                    format!("{} {high} {low} {} {}\n", group.name, group.count(), group.status)
                };
                each(&line)
            }
            "ACTIVE.TIMES" => each(&|group| format!("{} {MADE} guide@tour.wayfarer.example\n", group.name)),
            "NEWSGROUPS" => each(&|group| format!("{}\t{}\n", group.name, group.description)),
            "SUBSCRIPTIONS" => each(&|group| format!("{}\n", group.name)),
            "OVERVIEW.FMT" => FORMAT.into(),
            "HEADERS" => ":\n".into(),
            "MOTD" => store.motd.clone(),
            _ => return say("503 There is no such list"),
        };
        block("215 Here it is", &text)
    }

    fn made_since(&self, date: &str, time: &str) -> Act {
        let Some(since) = moment(date, time) else { return say("501 A time is yyyymmdd hhmmss GMT") };
        let store = self.store();
        let groups = store.groups().iter().filter(|_| MADE >= since);
        let lines: String = groups
            .map(|group| format!("{} {} {} {}\n", group.name, group.span().1, group.span().0, group.status))
            .collect();
        block("231 Since then", &lines)
    }

    fn step(&mut self, forward: bool) -> Act {
        let Some(name) = &self.group else { return say("412 Choose a group first") };
        let Some(number) = self.number else { return say("420 The group is empty") };
        let found = self.store().group(name).and_then(|group| {
            let found = match forward {
                true => group.within(number.saturating_add(1)..=u64::MAX).next(),
                false => group.within(0..=number.saturating_sub(1)).next_back(),
            };
            found.map(|(number, article)| (number, article.id.clone()))
        });
        match found {
            Some((number, id)) => {
                self.number = Some(number);
                Act::Say(format!("223 {number} {id}"))
            }
            None if forward => say("421 That was the last one"),
            None => say("422 That was the first one"),
        }
    }

    /// One article, by number, by id, or the one in hand.
    fn find(&mut self, which: &[&str]) -> Result<Found, Act> {
        if let [id] = which
            && is_id(id)
        {
            let found = self.store().article(id);
            return found.map(|article| (0, article)).ok_or_else(|| say("430 There is no article of that id"));
        }
        let Some(name) = &self.group else { return Err(say("412 Choose a group first")) };
        let number = match which {
            [digits] => digits.parse().map_err(|_| say("501 An article has a number or an <id>"))?,
            _ => self.number.ok_or_else(|| say("420 No article is in hand"))?,
        };
        let found = self.store().group(name).and_then(|group| group.article(number));
        let article = found.ok_or_else(|| say("423 There is no article of that number"))?;
        self.number = Some(number);
        Ok((number, article))
    }

    fn article(&mut self, which: &[&str], code: u16, part: impl Fn(&Article) -> Option<&[u8]>) -> Act {
        match self.find(which) {
            Ok((number, article)) => {
                let said = format!("{code} {number} {}", article.id);
                match part(&article) {
                    Some(part) => Act::Block(said, part.to_vec()),
                    None => Act::Say(said),
                }
            }
            Err(refusal) => refusal,
        }
    }

    /// A line for each article of a range, or for one.
    fn many(&mut self, which: &[&str], code: u16, line: impl Fn(&Article) -> String) -> Act {
        let said = format!("{code} Here they are");
        let range = which.first().filter(|word| !is_id(word));
        let Some(range) = range else {
            return match self.find(which) {
                Ok((number, article)) => block(&said, &format!("{number}{}\n", line(&article))),
                Err(refusal) => refusal,
            };
        };
        let Some(range) = numbers(range) else { return say("501 That is no range of numbers") };
        let Some(name) = &self.group else { return say("412 Choose a group first") };
        let store = self.store();
        let articles = store.group(name).into_iter().flat_map(|group| group.within(range.clone()));
        let lines: String = articles.map(|(number, article)| format!("{number}{}\n", line(article))).collect();
        if lines.is_empty() { say("423 There are no articles of these numbers") } else { block(&said, &lines) }
    }

    fn header(&mut self, name: &str, which: &[&str], code: u16) -> Act {
        self.many(which, code, |article| {
            let text = match name.to_ascii_lowercase().as_str() {
                ":bytes" => article.whole().len().to_string(),
                ":lines" => article.lines().to_string(),
                _ => article.field(name).unwrap_or_default(),
            };
            format!(" {text}")
        })
    }
}

fn block(said: &str, lines: &str) -> Act {
    Act::Block(said.into(), lines.replace('\n', "\r\n").into_bytes())
}

fn said_of(group: &Group) -> String {
    let (low, high) = group.span();
    format!("211 {} {low} {high} {}", group.count(), group.name)
}

/// `n`, `n-`, `n-m`.
fn numbers(text: &str) -> Option<RangeInclusive<u64>> {
    let Some((first, last)) = text.split_once('-') else {
        let number = text.parse().ok()?;
        return Some(number..=number);
    };
    let last = if last.is_empty() { u64::MAX } else { last.parse().ok()? };
    Some(first.parse().ok()?..=last)
}

/// Seconds since 1970 of `yyyymmdd hhmmss`, or with two digits for the year (RFC 3977, 7.3.2).
fn moment(date: &str, time: &str) -> Option<i64> {
    let date = if date.len() == 6 { format!("20{date}") } else { date.to_owned() };
    let at = jiff::civil::DateTime::strptime("%Y%m%d%H%M%S", format!("{date}{time}")).ok()?;
    Some(jiff::tz::TimeZone::UTC.to_timestamp(at).ok()?.as_second())
}
