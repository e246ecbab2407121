//! Times and sizes as people write them: `20 s`, `1.5 min`, `64 MiB`, `10 kB`.

use crate::table::Value;
use std::time::Duration;

/// Units of time, in milliseconds.
const TIMES: &[(&str, f64)] = &[("ms", 1.0), ("s", 1e3), ("sec", 1e3), ("m", 60e3), ("min", 60e3), ("h", 3600e3)];

/// Units of size, in octets.
const SIZES: &[(&str, f64)] = &[
    ("", 1.0),
    ("b", 1.0),
    ("kb", 1e3),
    ("kib", 1024.0),
    ("mb", 1e6),
    ("mib", 1024.0 * 1024.0),
    ("gb", 1e9),
    ("gib", 1024.0 * 1024.0 * 1024.0),
];

/// A time: a text with a unit, or a number of seconds. Never nothing: a limit of no time would fail every fetch.
///
/// # Errors
/// A sentence for the reader.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the range that is taken")]
pub fn duration(value: &Value) -> Result<Duration, String> {
    const WANTED: &str = "a time is wanted, as \"20 s\", \"500 ms\" or \"2 min\"";
    let milliseconds = match value {
        Value::Number(seconds) => *seconds as f64 * 1e3,
        Value::Text(text) => quantity(text, TIMES).ok_or(WANTED)?,
        _ => return Err(WANTED.into()),
    };
    match milliseconds {
        1.0..=86_400_000.0 => Ok(Duration::from_millis(milliseconds as u64)),
        _ => Err("a time from 1 ms to 24 h is wanted".into()),
    }
}

/// A size in octets: a text with a unit, or a number.
///
/// # Errors
/// A sentence for the reader.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the range that is taken")]
pub fn size(value: &Value) -> Result<u64, String> {
    const WANTED: &str = "a size is wanted, as \"64 MiB\" or \"10 kB\"";
    let octets = match value {
        Value::Number(octets) => *octets as f64,
        Value::Text(text) => quantity(text, SIZES).ok_or(WANTED)?,
        _ => return Err(WANTED.into()),
    };
    match octets {
        0.0..=1e15 => Ok(octets as u64),
        _ => Err("a size from 0 to 1000 TB is wanted".into()),
    }
}

/// A size as it would be written.
pub fn of_size(octets: u64) -> String {
    let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    let whole = units.into_iter().find(|(_, unit)| octets >= *unit && octets.is_multiple_of(*unit));
    whole.map_or_else(|| octets.to_string(), |(name, unit)| format!("{} {name}", octets / unit))
}

/// A time as it would be written.
pub fn of_time(time: Duration) -> String {
    match time.as_millis() {
        ms if ms.is_multiple_of(1000) => format!("{} s", ms / 1000),
        ms => format!("{ms} ms"),
    }
}

fn quantity(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    let unit = text[end..].trim().to_ascii_lowercase();
    units.iter().find(|(name, _)| *name == unit).map(|(_, factor)| number * factor)
}
