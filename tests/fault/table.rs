//! What was seen, as a table.

use crate::reader::Seen;
use crate::space::{Case, Kind};
use std::fmt::Write;

/// Rows in the order of the cases.
pub fn table(rows: &[(Case, Seen)]) -> String {
    let mut out = String::from("\nspace           what fault          end    kept  page s  key ms  said\n");
    for (case, seen) in rows {
        let kind = match case.kind {
            Kind::List => "list",
            Kind::Text => "text",
            Kind::File => "file",
        };
        let ending = format!("{:?}", seen.ending).to_lowercase();
        let kept = if seen.kept { "yes" } else { "-" };
        let (time, key) = (seen.time.as_secs_f32(), seen.key.as_millis());
        let _ = writeln!(
            out,
            "{:15} {kind} {:14} {ending:6} {kept:4} {time:7.2} {key:7}  {}",
            case.space.name(),
            case.fault.name(),
            seen.sentence
        );
    }
    let mut waits: Vec<u128> = rows.iter().map(|(_, seen)| seen.key.as_millis()).collect();
    waits.sort_unstable();
    if let (Some(median), Some(longest)) = (waits.get(waits.len() / 2), waits.last()) {
        let _ = writeln!(out, "of {} waits of keys half took {median} ms, the longest {longest} ms", waits.len());
    }
    out
}
