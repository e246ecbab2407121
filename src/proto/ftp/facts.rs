//! What servers tell of a file beforehand: SIZE and MDTM (RFC 3659, 3 and 4).

use crate::proto::{Listed, Resume, validator};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// Octets of a time that are kept; `19990929003355.237` is one.
const TIME: usize = 32;

/// What a time stands behind in a validator.
const TIME_IS: &str = "modify=";

/// Length and time of a file.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// The length in octets.
    pub length: Option<u64>,
    /// The last change, as the server writes it.
    pub time: Option<String>,
}

impl Facts {
    /// What a listing said, in the words that the server has for it.
    pub fn listed(listed: Listed) -> Facts {
        let time = |at| TimeZone::UTC.to_datetime(at).strftime("%Y%m%d%H%M%S").to_string();
        Facts { length: Some(listed.length), time: listed.modified.map(time) }
    }

    /// A time from the answer to MDTM.
    pub fn at(&mut self, words: Option<&str>) {
        let time = words.and_then(|words| words.split(' ').next());
        self.time = time.filter(|time| (14..=TIME).contains(&time.len())).map(str::to_owned);
    }

    /// Words that are the same as long as the file is.
    pub fn validator(&self) -> Option<String> {
        let length = self.length.map(|length| format!("size={length}"));
        let time = self.time.as_ref().map(|time| format!("{TIME_IS}{time}"));
        let facts: Vec<String> = length.into_iter().chain(time).collect();
        (!facts.is_empty()).then(|| facts.join(";"))
    }

    /// Whether the time is among what a copy is known by.
    pub fn date(copy: &str) -> bool {
        copy.contains(TIME_IS)
    }

    /// Whether they are those of a copy, by its validator. A length alone says too little, as files are changed without getting longer.
    pub fn are_of(&self, copy: &str) -> bool {
        self.length.is_some() && self.time.is_some() && self.validator().is_some_and(|validator| validator == copy)
    }

    /// The last change.
    pub fn modified(&self) -> Option<Timestamp> {
        timestamp(self.time.as_deref()?)
    }

    /// Where to go on with a file of which the beginning is there: zero where it is another file now, or may be, since its time is known
    /// only of one of the two. Where it is known now, a listing that is as it was may say whose it is.
    pub fn start(&self, resume: Option<&Resume>) -> u64 {
        let is_dated = |resume: &&Resume| match (self.time.is_some(), Facts::date(&resume.validator)) {
            (true, false) => resume.as_listed,
            (now, noted) => now == noted,
        };
        let agrees = |resume: &&Resume| self.validator().is_some_and(|now| validator::agree(&now, &resume.validator));
        let same = |resume: &&Resume| is_dated(resume) && agrees(resume);
        let within = |resume: &&Resume| self.length.is_none_or(|length| resume.from <= length);
        resume.filter(same).filter(within).map_or(0, |resume| resume.from)
    }
}

/// `YYYYMMDDHHMMSS[.sss]`, in UTC. Servers that were not ready for the year 2000 write `19100` for it.
fn timestamp(time: &str) -> Option<Timestamp> {
    let (whole, fraction) = time.split_once('.').unwrap_or((time, ""));
    if !whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit()) {
        return None;
    }
    let (year, rest) = match whole.len() {
        14 => (whole[..4].parse::<i16>().ok()?, &whole[4..]),
        15 if whole.starts_with("19") => (1900 + whole[2..5].parse::<i16>().ok()?, &whole[5..]),
        _ => return None,
    };
    let two = |at: usize| rest[at..at + 2].parse::<i8>().ok();
    let nanoseconds = format!("{fraction:0<9}")[..9].parse().ok()?;
    // A leap second is the last one before it (RFC 3659 allows 60).
    let second = two(8)?.min(59);
    let time = DateTime::new(year, two(0)?, two(2)?, two(4)?, two(6)?, second, nanoseconds).ok()?;
    // No file is older than the clocks that file times are counted on: whoever says so has none.
    TimeZone::UTC.to_timestamp(time).ok().filter(|time| *time >= Timestamp::UNIX_EPOCH)
}
