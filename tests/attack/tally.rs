//! What came of all cases: counted by promise, protocol and class, printed as one table.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;

/// Failures that are printed of one row; the others are counted.
const SHOWN: usize = 5;

/// A row's name: the promise, the protocol that was spoken, what kind of attack it was.
pub type Row = (&'static str, &'static str, &'static str);

#[derive(Debug, Default)]
struct Count {
    refused: usize,
    harmless: usize,
    failed: Vec<String>,
}

/// The counts of all rows.
#[derive(Debug, Default)]
pub struct Tally(Mutex<BTreeMap<Row, Count>>);

impl Tally {
    /// A case was turned down with a sentence, and nothing happened.
    pub fn refused(&self, row: Row) {
        self.0.lock().unwrap().entry(row).or_default().refused += 1;
    }

    /// A case came through and did nothing that it should not.
    pub fn harmless(&self, row: Row) {
        self.0.lock().unwrap().entry(row).or_default().harmless += 1;
    }

    /// A case broke the promise.
    pub fn fail(&self, row: Row, why: impl Into<String>) {
        let why = why.into();
        if crate::stops_at_once() {
            println!("FAILED: {row:?}: {why}");
            std::process::exit(1);
        }
        self.0.lock().unwrap().entry(row).or_default().failed.push(why);
    }

    /// A case that was harmless if nothing speaks against it.
    pub fn judge(&self, row: Row, against: Option<String>) {
        match against {
            None => self.harmless(row),
            Some(why) => self.fail(row, why),
        }
    }

    /// A case that must be true.
    pub fn hold(&self, row: Row, holds: bool, why: impl FnOnce() -> String) {
        self.judge(row, (!holds).then(why));
    }

    /// How many cases failed.
    pub fn failed(&self) -> usize {
        self.0.lock().unwrap().values().map(|count| count.failed.len()).sum()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.0.lock().unwrap();
        let line = |f: &mut fmt::Formatter<'_>, names: Row, counts: [String; 4]| {
            let [cases, refused, harmless, failed] = counts;
            let (promise, protocol, class) = names;
            writeln!(f, "{promise:<10} {protocol:<8} {class:<34} {cases:>7} {refused:>8} {harmless:>9} {failed:>7}")
        };
        let figures = |count: [usize; 3]| [count.iter().sum(), count[0], count[1], count[2]].map(|n| n.to_string());
        writeln!(f)?;
        let heads = ["cases", "refused", "harmless", "failed"].map(String::from);
        line(f, ("promise", "protocol", "class"), heads)?;
        let mut sum = [0; 3];
        for (row, count) in rows.iter() {
            let counts = [count.refused, count.harmless, count.failed.len()];
            line(f, *row, figures(counts))?;
            sum = std::array::from_fn(|at| sum[at] + counts[at]);
        }
        line(f, ("all", "", ""), figures(sum))?;
        for ((promise, protocol, class), count) in rows.iter().filter(|(_, count)| !count.failed.is_empty()) {
            writeln!(f, "\nFAILED: {promise}, {protocol}, {class}")?;
            count.failed.iter().take(SHOWN).try_for_each(|why| writeln!(f, "  {why}"))?;
            if count.failed.len() > SHOWN {
                writeln!(f, "  and {} more", count.failed.len() - SHOWN)?;
            }
        }
        writeln!(f)
    }
}
