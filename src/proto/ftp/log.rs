//! What was said on a control connection, for the head's lines and for errors. Never a password.

use super::reply::{Reply, text};

/// Octets of a conversation that are kept; a server may say more.
const KEPT: usize = 64 * 1024;

/// Commands that errors leave out: what every visit begins with, and the way to data.
const UNTOLD: &[&str] = &["AUTH TLS", "PBSZ 0", "PROT P", "FEAT", "OPTS UTF8 ON", "PWD", "EPSV", "PASV"];

/// A conversation: commands begin with `> `, everything else is the server's.
#[derive(Debug, Default)]
pub(super) struct Log {
    lines: Vec<String>,
    kept: usize,
    commands: Vec<String>,
}

impl Log {
    /// A line of our own.
    pub fn note(&mut self, line: String) {
        self.keep(line);
    }

    /// A command, as raw characters.
    pub fn command(&mut self, line: &str) {
        let octets: Vec<u8> = line.chars().filter_map(|c| u8::try_from(c).ok()).collect();
        let shown = if line.starts_with("PASS ") { "PASS ***".into() } else { text(&octets) };
        self.keep(format!("> {shown}"));
        if self.commands.len() < 100 && !UNTOLD.contains(&line) {
            self.commands.push(shown);
        }
    }

    /// A reply.
    pub fn reply(&mut self, octets: &[u8]) -> Reply {
        let reply = Reply::of(octets);
        reply.lines.iter().for_each(|line| self.keep(line.clone()));
        reply
    }

    fn keep(&mut self, line: String) {
        if self.kept + line.len() > KEPT {
            return;
        }
        self.kept += line.len();
        self.lines.push(line);
    }

    /// All of it, for a head.
    pub fn take_lines(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lines)
    }

    /// The commands in one line, for errors.
    pub fn commands(&self) -> String {
        self.commands.join(", ")
    }
}
