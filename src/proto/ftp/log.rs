//! How what is said on a control connection stands in the log. Never a password.

use super::reply::{Reply, text};
use super::telnet::IAC;
use crate::proto::log::Log;
use std::sync::{Arc, Mutex, PoisonError};

/// Commands that errors leave out: what every visit begins with, and the way to data.
const UNTOLD: &[&str] = &["AUTH TLS", "PBSZ 0", "PROT P", "FEAT", "OPTS UTF8 ON", "PWD", "EPSV", "PASV"];

/// Commands that have been written and do not stand in the log yet. The library writes some by itself, and leaves out what
/// comes after one that is refused: only where lines are made octets is it known which they are.
#[derive(Debug, Clone, Default)]
pub(super) struct Written(Arc<Mutex<Lines>>);

#[derive(Debug, Default)]
struct Lines {
    /// Each as it was on the wire.
    whole: Vec<String>,
    /// The beginning of the next one, where that has gone before the rest.
    begun: Option<String>,
}

impl Written {
    /// A line on its way out, as raw characters. The library doubles FF in it.
    pub(super) fn note(&self, line: &str) {
        let line = line.strip_suffix("\r\n").unwrap_or(line).replace(IAC, "\u{FF}\u{FF}");
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = lines.begun.take().unwrap_or_default();
        lines.whole.push(begun + &line);
    }

    /// The beginning of a line went out as it is.
    pub(super) fn begin(&self, beginning: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).begun = Some(beginning);
    }

    /// Puts them into the log.
    pub(super) fn tell(&self, log: &mut Log) {
        let lines = std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).whole);
        lines.iter().for_each(|line| command(log, line));
    }
}

/// A command as it was on the wire, as raw characters.
fn command(log: &mut Log, line: &str) {
    let octets: Vec<u8> = line.chars().filter_map(|c| u8::try_from(c).ok()).collect();
    match ["PASS ***", "ACCT ***"].into_iter().find(|veiled| line.starts_with(veiled.trim_end_matches('*'))) {
        Some(veiled) => {
            log.sent(veiled);
            log.command(veiled.into());
        }
        None => {
            log.sent(line);
            match UNTOLD.contains(&line) {
                true => log.routine(line),
                false => log.command(text(&octets)),
            }
        }
    }
}

/// A reply.
pub(super) fn reply(log: &mut Log, octets: &[u8]) -> Reply {
    let reply = Reply::of(octets);
    reply.lines.iter().for_each(|line| log.note(line.clone()));
    reply
}
