//! How what is said on a control connection stands in the log. Never a password.

use super::reply::{Reply, text};
use crate::proto::log::Log;
use std::sync::{Arc, Mutex, PoisonError};

/// Commands that errors leave out: what every visit begins with, and the way to data.
const UNTOLD: &[&str] = &["AUTH TLS", "PBSZ 0", "PROT P", "FEAT", "OPTS UTF8 ON", "PWD", "EPSV", "PASV"];

/// Commands that have been written and do not stand in the log yet. The library writes some by itself, and leaves out what
/// comes after one that is refused: only where lines are made octets is it known which they are.
#[derive(Debug, Clone, Default)]
pub(super) struct Written(Arc<Mutex<Vec<String>>>);

impl Written {
    /// A line on its way out, as raw characters.
    pub(super) fn note(&self, line: &str) {
        let line = line.strip_suffix("\r\n").unwrap_or(line).to_owned();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    /// Puts them into the log.
    pub(super) fn tell(&self, log: &mut Log) {
        let lines = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        lines.iter().for_each(|line| command(log, line));
    }
}

/// A command, as raw characters.
fn command(log: &mut Log, line: &str) {
    let octets: Vec<u8> = line.chars().filter_map(|c| u8::try_from(c).ok()).collect();
    match ["PASS ***", "ACCT ***"].into_iter().find(|veiled| line.starts_with(veiled.trim_end_matches('*'))) {
        Some(veiled) => {
            log.sent(veiled);
            log.command(veiled.into());
        }
        None => {
            // The library doubles it, since the control connection is a telnet one (RFC 959, 2.3).
            log.sent(&line.replace('\u{FF}', "\u{FF}\u{FF}"));
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
