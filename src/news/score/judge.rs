//! The rules of one group, made ready to be asked about many articles.
//!
//! All expressions about one header are looked for in one pass over it, so that a hundred rules cost little more than one.

use super::Scores;
use super::rule::{Amount, Field, Need, Sense, Test};
use jiff::Zoned;
use jiff::civil::Date;
use regex::{RegexSet, RegexSetBuilder};

/// Expressions that are looked for together.
const TOGETHER: usize = 64;
/// How much memory those may take when they are made ready, in octets; each by itself may take 2^18.
const SIZE: usize = 1 << 25;
/// Seconds of a day.
const DAY: i64 = 86_400;

/// What an overview tells of an article, decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Facts<'a> {
    /// Its subject.
    pub subject: &'a str,
    /// Who wrote it.
    pub from: &'a str,
    /// When, as it is written.
    pub date: &'a str,
    /// Its id in `< >`.
    pub message_id: &'a str,
    /// The articles that it answers, each in `< >`.
    pub references: &'a str,
    /// Where else it stands.
    pub xref: &'a str,
    /// Its size in octets; 0 if unknown.
    pub bytes: u64,
    /// The lines of its body; 0 if unknown.
    pub lines: u64,
    /// When it was written, in seconds since 1970.
    pub written: Option<i64>,
}

impl<'a> Facts<'a> {
    fn text(&self, field: Field) -> &'a str {
        match field {
            Field::Subject => self.subject,
            Field::From => self.from,
            Field::Date => self.date,
            Field::MessageId => self.message_id,
            Field::References => self.references,
            Field::Xref => self.xref,
            Field::Newsgroup => "",
        }
    }
}

/// When articles are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The reader's day.
    pub today: Date,
    /// Seconds since 1970.
    pub second: i64,
}

impl Moment {
    /// The moment that a clock shows.
    pub fn of(now: &Zoned) -> Moment {
        Moment { today: now.date(), second: now.timestamp().as_second() }
    }
}

/// A score, and the rules that gave it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Why {
    /// The score.
    pub score: i32,
    /// The rules, by their numbers in [`Scores::rules`].
    pub rules: Vec<usize>,
}

/// A test that is made ready.
#[derive(Debug, Clone)]
enum Check {
    /// Known for the whole group.
    Known(bool),
    /// An expression, by its number.
    Text(Sense, usize),
    Least(Sense, Amount, i64),
    Group(Sense, Need, Vec<Check>),
}

/// A rule that is made ready.
#[derive(Debug, Clone)]
struct Ready {
    /// Its number.
    rule: usize,
    score: i32,
    settles: bool,
    need: Need,
    checks: Vec<Check>,
}

/// Expressions about one header.
#[derive(Debug, Clone)]
struct Sought {
    field: Field,
    /// The numbers of the expressions of each set.
    sets: Vec<(RegexSet, Vec<usize>)>,
}

/// The rules of a group.
#[derive(Debug, Clone)]
pub struct Judge {
    rules: Vec<Ready>,
    sought: Vec<Sought>,
    /// How many expressions there are.
    expressions: usize,
    now: Moment,
}

/// What is gathered before it is made ready.
#[derive(Default)]
struct Gathered {
    /// Each expression, its number being its place.
    all: Vec<(Field, String)>,
}

impl Scores {
    /// The rules that count in a group now, made ready.
    pub fn judge(&self, group: &[u8], now: Moment) -> Judge {
        let mut gathered = Gathered::default();
        let name = String::from_utf8_lossy(group);
        let mut rules = Vec::new();
        for (number, rule) in self.rules().iter().enumerate() {
            if rule.is_expired(now.today) || !rule.section.holds(group) {
                continue;
            }
            let checks = rule.tests.iter().map(|test| gathered.check(test, &name)).collect();
            let (score, settles, need) = (rule.score, rule.settles, rule.need);
            rules.push(Ready { rule: number, score, settles, need, checks });
        }
        let mut sought: Vec<Sought> = Vec::new();
        for field in [Field::Subject, Field::From, Field::Date, Field::MessageId, Field::References, Field::Xref] {
            let own = gathered.all.iter().enumerate().filter(|(_, (of, _))| *of == field);
            let own: Vec<(usize, &str)> = own.map(|(number, (_, pattern))| (number, pattern.as_str())).collect();
            let sets: Vec<(RegexSet, Vec<usize>)> = own.chunks(TOGETHER).flat_map(sets).collect();
            if !sets.is_empty() {
                sought.push(Sought { field, sets });
            }
        }
        Judge { rules, sought, expressions: gathered.all.len(), now }
    }
}

/// Expressions made ready together, or, where that takes too much, some of them.
fn sets(some: &[(usize, &str)]) -> Vec<(RegexSet, Vec<usize>)> {
    let patterns = some.iter().map(|(_, pattern)| *pattern);
    match builder(patterns).size_limit(SIZE).dfa_size_limit(SIZE).build() {
        Ok(set) => vec![(set, some.iter().map(|(number, _)| *number).collect())],
        Err(_) if some.len() > 1 => {
            let (one, other) = some.split_at(some.len() / 2);
            [sets(one), sets(other)].concat()
        }
        // Each was tried when it was read.
        Err(_) => Vec::new(),
    }
}

/// As slrn understands them: without regard to capitals.
fn builder<P: AsRef<str>>(patterns: impl IntoIterator<Item = P>) -> RegexSetBuilder {
    let mut builder = RegexSetBuilder::new(patterns);
    builder.case_insensitive(true).dot_matches_new_line(true);
    builder
}

impl Gathered {
    fn check(&mut self, test: &Test, group: &str) -> Check {
        match test {
            Test::Text(sense, Field::Newsgroup, pattern) => {
                let set = builder([pattern]).build();
                Check::Known(sense.of(set.is_ok_and(|set| set.is_match(group))))
            }
            Test::Text(sense, field, pattern) => {
                let known = self.all.iter().position(|(of, known)| of == field && known == pattern);
                let number = known.unwrap_or_else(|| {
                    self.all.push((*field, pattern.clone()));
                    self.all.len() - 1
                });
                Check::Text(*sense, number)
            }
            Test::Least(sense, amount, least) => Check::Least(*sense, *amount, *least),
            Test::Body(sense, wanted) => Check::Known(sense.of(*wanted)),
            Test::Group(sense, need, tests) => {
                Check::Group(*sense, *need, tests.iter().map(|test| self.check(test, group)).collect())
            }
        }
    }
}

impl Judge {
    /// Whether no rule is about the group.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// An article's score, and what gave it.
    pub fn why(&self, facts: &Facts<'_>) -> Why {
        let mut found = vec![false; self.expressions];
        for Sought { field, sets } in &self.sought {
            let text = facts.text(*field);
            for (set, numbers) in sets {
                for at in &set.matches(text) {
                    found[numbers[at]] = true;
                }
            }
        }
        let mut why = Why::default();
        for rule in &self.rules {
            if self.hold(rule.need, &rule.checks, facts, &found) {
                why.rules.push(rule.rule);
                if rule.settles {
                    why.score = rule.score;
                    break;
                }
                why.score = why.score.saturating_add(rule.score);
            }
        }
        why
    }

    fn hold(&self, need: Need, checks: &[Check], facts: &Facts<'_>, found: &[bool]) -> bool {
        let mut holding = checks.iter().map(|check| match check {
            Check::Known(holds) => *holds,
            Check::Text(sense, number) => sense.of(found[*number]),
            Check::Least(sense, amount, least) => sense.of(self.is_least(*amount, *least, facts)),
            Check::Group(sense, need, checks) => sense.of(self.hold(*need, checks, facts, found)),
        });
        match need {
            Need::All => holding.all(|holds| holds),
            Need::Any => holding.any(|holds| holds),
        }
    }

    fn is_least(&self, amount: Amount, least: i64, facts: &Facts<'_>) -> bool {
        let enough = |has: u64| i64::try_from(has).unwrap_or(i64::MAX) >= least;
        match amount {
            Amount::Lines => enough(facts.lines),
            Amount::Bytes => enough(facts.bytes),
            // What has no date is old.
            Amount::Age => {
                let since = self.now.second.saturating_sub(least.saturating_mul(DAY));
                facts.written.is_some_and(|written| written >= since)
            }
        }
    }
}
