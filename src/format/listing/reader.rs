//! A listing, line by line.
//!
//! Which form it has is decided once: by the second line that fits one of the forms, or at the end. Until then lines are
//! held, and on for a while if the order of the numbers in its dates is still in doubt. From then on each line is read in
//! that form; one that does not fit is tried in the others (servers append what their own programs wrote), is a name when
//! it is a single word, and else is text.

use super::cutter::Cutter;
use super::date::Dates;
use super::dialect::{DIALECTS, Dialect, is_noise};
use super::words::{Words, is_blank};
use super::{Entry, Line, plain, vms};
use jiff::civil::DateTime;

/// The most lines that are held before the form is decided.
const MOST_HELD: usize = 64;

/// Reads what a server answered to LIST or NLST.
pub struct Listing {
    cutter: Cutter,
    reader: Reader,
}

struct Reader {
    dates: Dates,
    stage: Stage,
    /// A line that the next one may continue.
    head: Option<Vec<u8>>,
}

enum Stage {
    /// The form is not decided.
    Judging(Judgement),
    /// It is one of the table, or none of them.
    Decided(Option<&'static Dialect>),
    /// Every line is a name.
    Names,
}

/// What is known of a listing before it is decided.
struct Judgement {
    held: Vec<Vec<u8>>,
    /// How many lines fit each form.
    fits: [usize; DIALECTS.len()],
    /// The form that two lines fit; only its dates are in doubt.
    likely: Option<&'static Dialect>,
}

impl Listing {
    /// An answer to LIST. `now`, UTC, is what years are inferred from where a listing leaves them out.
    pub fn new(now: DateTime) -> Listing {
        let judgement = Judgement { held: Vec::new(), fits: [0; DIALECTS.len()], likely: None };
        Listing::at(Stage::Judging(judgement), now)
    }

    /// An answer to NLST: names.
    pub fn names() -> Listing {
        Listing::at(Stage::Names, DateTime::MIN)
    }

    fn at(stage: Stage, now: DateTime) -> Listing {
        Listing { cutter: Cutter::default(), reader: Reader { dates: Dates::new(now), stage, head: None } }
    }

    /// Takes the next octets, and gives what they settle.
    pub fn feed(&mut self, octets: &[u8], each: &mut dyn FnMut(Line<'_>)) {
        let Listing { cutter, reader } = self;
        cutter.feed(octets, &mut |line| reader.line(line, each));
    }

    /// The next line keeps one waiting: gives what was held, in the form that fits it so far.
    pub fn settle(&mut self, each: &mut dyn FnMut(Line<'_>)) {
        if matches!(&self.reader.stage, Stage::Judging(judgement) if !judgement.held.is_empty()) {
            self.reader.decide(each);
        }
    }

    /// Takes the end, and gives the rest.
    pub fn finish(&mut self, each: &mut dyn FnMut(Line<'_>)) {
        let Listing { cutter, reader } = self;
        cutter.finish(&mut |line| reader.line(line, each));
        if let Some(head) = reader.head.take() {
            reader.take(&head, each);
        }
        reader.decide(each);
    }

    /// What form the listing has, once that is decided and in the table.
    pub fn dialect(&self) -> Option<&'static str> {
        match &self.reader.stage {
            Stage::Decided(dialect) => dialect.map(|dialect| dialect.name),
            Stage::Judging(_) | Stage::Names => None,
        }
    }
}

impl Reader {
    /// Takes a line that may continue the one before, or be continued.
    fn line(&mut self, line: &[u8], each: &mut dyn FnMut(Line<'_>)) {
        if let Some(head) = self.head.take() {
            let whole = [&head, b" ".as_slice(), line].concat();
            if self.is_wrapped(line, &whole) {
                return self.take(&whole, each);
            }
            self.take(&head, each);
        }
        if self.may_go_on(line) {
            self.head = Some(line.to_vec());
        } else {
            self.take(line, each);
        }
    }

    /// Only a name alone is ever followed by a line of its facts.
    fn may_go_on(&self, line: &[u8]) -> bool {
        let wraps = match &self.stage {
            Stage::Judging(_) => true,
            Stage::Decided(dialect) => dialect.is_some_and(|dialect| dialect.wraps),
            Stage::Names => false,
        };
        wraps && line.first().is_some_and(|b| !is_blank(*b)) && Words::new(line).count() == 1
    }

    fn is_wrapped(&self, second: &[u8], whole: &[u8]) -> bool {
        let reads = |dialect: &Dialect| {
            // Facts of an aligned form are aligned in the second line too.
            let fits = !dialect.weak || second.first().is_some_and(|b| is_blank(*b));
            dialect.wraps && fits && (dialect.read)(&self.dates, whole).is_some()
        };
        match &self.stage {
            Stage::Judging(_) => DIALECTS.iter().any(reads),
            Stage::Decided(dialect) => dialect.is_some_and(reads),
            Stage::Names => false,
        }
    }

    /// Takes a whole line.
    fn take(&mut self, line: &[u8], each: &mut dyn FnMut(Line<'_>)) {
        match &mut self.stage {
            Stage::Decided(_) | Stage::Names => self.give(line, each),
            Stage::Judging(_) if is_noise(line) => {}
            Stage::Judging(judgement) => {
                if judgement.is_enough(line, &mut self.dates) {
                    self.decide(each);
                }
            }
        }
    }

    /// Decides the form by what is known, and gives the lines that waited for it.
    fn decide(&mut self, each: &mut dyn FnMut(Line<'_>)) {
        let Stage::Judging(judgement) = &mut self.stage else { return };
        let (dialect, held) = (judgement.best(&mut self.dates), std::mem::take(&mut judgement.held));
        self.dates = self.dates.settled();
        self.stage = Stage::Decided(dialect);
        held.iter().for_each(|line| self.give(line, each));
    }

    fn give(&self, line: &[u8], each: &mut dyn FnMut(Line<'_>)) {
        let entry = match self.stage {
            Stage::Names => plain::name(line),
            Stage::Decided(dialect) => self.entry(dialect, line),
            Stage::Judging(_) => None,
        };
        // What is but the end of a line, torn off by blanks or a slash, names nothing.
        match entry.filter(|entry| entry.name.iter().any(|b| *b != b'\r')) {
            Some(entry) => each(Line::Entry(entry)),
            None if is_noise(line) => {}
            None => each(Line::Text(line)),
        }
    }

    fn entry<'a>(&self, dialect: Option<&'static Dialect>, line: &'a [u8]) -> Option<Entry<'a>> {
        if let Some(entry) = dialect.and_then(|dialect| (dialect.read)(&self.dates, line)) {
            return Some(entry).filter(|_| !dialect.is_some_and(|dialect| dialect.weak && is_noise(line)));
        }
        let others = DIALECTS.iter().filter(|other| !other.weak);
        // What has no version there is a heading, or the rest of an entry that was torn.
        if dialect.is_some_and(|dialect| dialect.versions) {
            let mut words = Words::new(line);
            return words.next().filter(|_| words.next().is_none()).and_then(vms::alone);
        }
        others.into_iter().find_map(|other| (other.read)(&self.dates, line)).or_else(|| plain::one_word(line))
    }
}

impl Judgement {
    /// Takes a line; whether enough is known now.
    fn is_enough(&mut self, line: &[u8], dates: &mut Dates) -> bool {
        self.held.push(line.to_vec());
        match self.likely {
            Some(dialect) => {
                (dialect.read)(dates, line);
            }
            None => {
                let fresh = dates.afresh(false);
                for (fits, dialect) in self.fits.iter_mut().zip(DIALECTS) {
                    *fits += usize::from((dialect.read)(&fresh, line).is_some());
                }
                let twice = self.fits.iter().zip(DIALECTS).find(|(fits, dialect)| **fits >= 2 && !dialect.weak);
                if let Some((_, dialect)) = twice {
                    self.learn(dialect, dates);
                }
            }
        }
        self.held.len() >= MOST_HELD || self.likely.is_some() && !dates.in_doubt()
    }

    /// Finds the order of dates from all lines so far, read in one form.
    fn learn(&mut self, dialect: &'static Dialect, dates: &mut Dates) {
        self.likely = Some(dialect);
        *dates = dates.afresh(true);
        for line in &self.held {
            (dialect.read)(dates, line);
        }
    }

    /// The form that fits, if any does: a sure one rather than a weak one, which most lines must fit.
    fn best(&mut self, dates: &mut Dates) -> Option<&'static Dialect> {
        if self.likely.is_none() {
            let half = self.held.len().div_ceil(2);
            let enough = |dialect: &Dialect| if dialect.weak { half.max(1) } else { 1 };
            let (_, dialect) = self.fits.iter().zip(DIALECTS).find(|(fits, dialect)| **fits >= enough(dialect))?;
            self.learn(dialect, dates);
        }
        self.likely
    }
}
