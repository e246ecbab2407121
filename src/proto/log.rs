//! What was said on a connection, for the head's lines and for errors. Whoever writes a command into it takes its password out;
//! where a server repeats it, the exchange does.

use super::ledger::Ledger;
use crate::url::scheme::command_text;

/// Octets of a conversation that are kept; a server may say more.
const KEPT: usize = 64 * 1024;
/// Commands that are told of in an error.
const COMMANDS: usize = 20;

/// A conversation: commands begin with `> `, everything else is the server's.
#[derive(Debug, Default)]
pub(super) struct Log {
    lines: Vec<String>,
    kept: usize,
    commands: Vec<String>,
    /// Where it is written down what is sent.
    ledger: Ledger,
}

impl Log {
    /// A conversation whose commands are written down there.
    pub fn of(ledger: &Ledger) -> Log {
        Log { ledger: ledger.clone(), ..Log::default() }
    }

    /// Writes down a command as octets, each a character; without its password.
    pub fn sent(&self, line: &str) {
        self.ledger.wrote(command_text(line));
    }

    /// The connection is secure from now on.
    pub fn secured(&self) {
        self.ledger.secured();
    }

    /// A line of our own, or a reply's.
    pub fn note(&mut self, line: String) {
        if self.kept + line.len() <= KEPT {
            self.kept += line.len();
            self.lines.push(line);
        }
    }

    /// A command that errors leave out: what every visit begins with.
    pub fn routine(&mut self, shown: &str) {
        self.note(format!("> {shown}"));
    }

    /// A command.
    pub fn command(&mut self, shown: String) {
        self.routine(&shown);
        if self.commands.len() < COMMANDS {
            self.commands.push(shown);
        }
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
