//! What was typed to look for, taken apart: words, and of what host, kind and time the pages and items shall be.

use crate::url::scheme;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rusqlite::types::Value;

/// Words that are looked for, and letters of each.
const WORDS: usize = 20;
const LETTERS: usize = 100;
/// Letters of ASCII that a word has before longer ones that begin with it count, too: fewer begin a good part of all words.
const BEGINS: usize = 4;
/// Seconds of a day.
const DAY: i64 = 86_400;

/// Words as they were typed, taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Terms {
    /// Each, and whether what begins with it counts.
    pub(super) words: Vec<(String, bool)>,
    host: Option<String>,
    /// The port at that host; any where none is said.
    port: Option<u16>,
    /// Schemes of that kind.
    kind: Option<Vec<&'static str>>,
    /// The first second that counts.
    since: Option<i64>,
    /// The first one that counts no more.
    before: Option<i64>,
    /// What was to be one of these, and is none.
    pub(super) unclear: Vec<String>,
}

impl Terms {
    pub(super) fn of(typed: &str, now: i64) -> Terms {
        let mut terms = Terms::default();
        // What is between quotation marks stays together.
        for (at, piece) in typed.split('"').enumerate() {
            let whole = at % 2 == 1;
            let words: Vec<&str> = if whole { vec![piece] } else { piece.split_whitespace().collect() };
            for word in words {
                match word {
                    word if !whole && terms.narrow(word, now) => {}
                    word if word.chars().any(char::is_alphanumeric) && terms.words.len() < WORDS => {
                        let letters = word.chars().filter(|c| *c != '\0').take(LETTERS);
                        terms.words.push((letters.collect(), !whole && may_begin(word)));
                    }
                    _ => {}
                }
            }
        }
        terms
    }

    /// Takes what says of which pages; whether it is that, and no word.
    fn narrow(&mut self, word: &str, now: i64) -> bool {
        let Some((what, said)) = word.split_once(':').filter(|(_, said)| !said.is_empty()) else { return false };
        let narrows = self.narrow_by(what, said, now);
        if !narrows && matches!(what, "kind" | "since" | "before") && self.unclear.len() < WORDS {
            self.unclear.push(word.chars().take(LETTERS).collect());
        }
        narrows
    }

    fn narrow_by(&mut self, what: &str, said: &str, now: i64) -> bool {
        match what {
            "host" => {
                let (host, port) = with_port(said);
                (self.host, self.port) = (Some(host.to_lowercase()), port);
            }
            "kind" => match scheme::of_kind(said) {
                kind if kind.is_empty() => return false,
                kind => self.kind = Some(kind),
            },
            "since" | "before" => match (when(said, now), what) {
                (None, _) => return false,
                (time, "since") => self.since = time,
                (time, _) => self.before = time,
            },
            _ => return false,
        }
        true
    }

    /// Whether there is nothing to look for.
    pub(super) fn says_nothing(&self) -> bool {
        self.words.is_empty() && self.only(false).0.is_empty()
    }

    /// The words alone.
    pub(super) fn bare(&self) -> Vec<&str> {
        self.words.iter().map(|(word, _)| word.as_str()).collect()
    }

    /// Words that are too short for longer ones that begin with them to count.
    pub(super) fn short(&self) -> Vec<String> {
        self.words.iter().map(|(word, _)| word).filter(|word| !may_begin(word)).cloned().collect()
    }

    /// The first second that counts no more.
    pub(super) fn before(&self) -> Option<i64> {
        self.before
    }

    /// What is said of the kind, and nothing else.
    pub(super) fn of_kind(&self) -> Terms {
        Terms { kind: self.kind.clone(), ..Terms::default() }
    }

    /// Of which pages or items, as a condition and what is given for its question marks; empty is of all. Those of a kind are found by
    /// the index of places, unless they are too many for that.
    pub(super) fn only(&self, too_many_of_kind: bool) -> (String, Vec<Value>) {
        let (mut all, mut given) = (Vec::new(), Vec::new());
        let mut take = |value: Value| {
            given.push(value);
            format!("?{}", given.len())
        };
        all.extend(self.host.clone().map(|host| format!("host = {}", take(host.into()))));
        if let (Some(host), Some(port)) = (&self.host, self.port) {
            // A place has its port where it is not the one of its scheme.
            let (from, own) = ("instr(place, '://') + 3", format!("{host}:{port}"));
            let (letters, own) = (own.chars().count(), take(own.into()));
            let written = format!(
                "substr(place, {from}, {letters}) = {own} AND substr(place, {from} + {letters}, 1) NOT BETWEEN '0' AND '9'"
            );
            let usual = scheme::all().filter(|scheme| scheme::default_port(scheme) == Some(port)).map(|scheme| {
                let begins = format!("{scheme}://{host}");
                let (letters, begins) = (begins.chars().count(), take(begins.into()));
                format!("substr(place, 1, {letters}) = {begins} AND substr(place, {letters} + 1, 1) <> ':'")
            });
            all.push(format!("({})", [written].into_iter().chain(usual).collect::<Vec<_>>().join(" OR ")));
        }
        if let Some(kind) = &self.kind {
            // A plus keeps the library from taking the index.
            let place = if too_many_of_kind { "+place" } else { "place" };
            // A place begins with its scheme; after the colon comes the semicolon.
            let of = |scheme: &&str| {
                let (from, to) = (take(format!("{scheme}:").into()), take(format!("{scheme};").into()));
                format!("({place} >= {from} AND {place} < {to})")
            };
            all.push(format!("({})", kind.iter().map(of).collect::<Vec<_>>().join(" OR ")));
        }
        all.extend(self.since.map(|time| format!("time >= {}", take(time.into()))));
        all.extend(self.before.map(|time| format!("time < {}", take(time.into()))));
        (all.join(" AND "), given)
    }
}

/// Whether longer words that begin with it count, too.
fn may_begin(word: &str) -> bool {
    word.len() >= BEGINS || !word.is_ascii()
}

/// A host, and the port behind it, where one is said.
fn with_port(said: &str) -> (&str, Option<u16>) {
    let port =
        said.rsplit_once(':').filter(|(host, _)| !host.is_empty() && (!host.contains(':') || host.ends_with(']')));
    let port = port.and_then(|(host, port)| Some((host, port.parse().ok()?)));
    port.map_or((said, None), |(host, port)| (host, Some(port)))
}

/// When a day, a month or a year begins (in UTC), `2026-11-20`, `2026-11` or `2026`, or so many days ago, `7d`.
fn when(said: &str, now: i64) -> Option<i64> {
    if let Some(days) = said.strip_suffix('d') {
        return now.checked_sub(days.parse::<i64>().ok()?.checked_mul(DAY)?);
    }
    let day = format!("{said}{}", "-01".repeat(2_usize.saturating_sub(said.matches('-').count())));
    let day: Date = day.parse().ok()?;
    Some(TimeZone::UTC.to_timestamp(day.at(0, 0, 0, 0)).ok()?.as_second())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_told_from_its_port() {
        assert_eq!(Terms::of("x host:Example.ORG", 0).host.as_deref(), Some("example.org"));
        for (typed, host, port) in [
            ("host:h", "h", None),
            ("host:H:7070", "h", Some(7070)),
            ("host:[::1]:70", "[::1]", Some(70)),
            ("host:[::1]", "[::1]", None),
            ("host:h:70000", "h:70000", None),
            ("host::70", ":70", None),
        ] {
            let terms = Terms::of(typed, 0);
            assert_eq!((terms.host.as_deref(), terms.port), (Some(host), port), "{typed}");
        }
        assert_eq!(Terms::of(&"w ".repeat(500), 0).words.len(), WORDS);
    }

    #[test]
    fn what_is_no_time_and_no_kind_is_a_word() {
        for typed in ["since:", "since:x", "since:2026-13", "before:-", "since:xd", "kind:", "kind:none", "other:x"] {
            let terms = Terms::of(typed, 0);
            let filter = !typed.ends_with(':') && typed != "other:x";
            assert_eq!(terms.unclear, if filter { vec![typed] } else { Vec::new() });
            assert_eq!((terms.bare(), terms.since, terms.before, &terms.kind), (vec![typed], None, None, &None));
        }
        let day = Terms::of("since:1970-01-02 before:1971 kind:Gopher", 0);
        assert_eq!((day.since, day.before, day.words.len()), (Some(DAY), Some(365 * DAY), 0));
        assert_eq!(day.kind, Some(vec!["gopher", "gophers"]));
        assert_eq!(Terms::of("since:1970-02", 0).since, Some(31 * DAY));
        assert_eq!(Terms::of("since:7d", 8 * DAY).since, Some(DAY));
        assert_eq!(Terms::of("since:9999999999999999999d", 0).words.len(), 1);
        assert_eq!(Terms::of("\"kind:gopher\"", 0).kind, None);
    }
}
