//! What a server says to people: lines of long replies, without their codes.

use super::reply::Reply;

/// Octets that are kept of one text.
const KEPT: usize = 16 * 1024;

/// Greeting and welcome of a connection, and what stands at the door of the directory it is in.
#[derive(Debug, Default)]
pub(super) struct Notices {
    welcome: Vec<String>,
    directory: Vec<String>,
}

impl Notices {
    /// A greeting, or a welcome after the login.
    pub fn greet(&mut self, reply: &Reply) {
        self.welcome.extend(message(reply));
    }

    /// A line of our own beside the welcome.
    pub fn remark(&mut self, line: &str) {
        self.welcome.push(line.to_owned());
    }

    /// The answer to CWD.
    pub fn enter(&mut self, reply: &Reply) {
        self.directory = message(reply);
    }

    /// All of it; the welcome only once.
    pub fn take(&mut self) -> Vec<String> {
        let mut notices = std::mem::take(&mut self.welcome);
        notices.append(&mut self.directory);
        notices
    }
}

/// The lines of a reply but the last, which says what was done in the server's program's words ("250 Directory successfully
/// changed."). Empty lines stand only between others, one at a time.
fn message(reply: &Reply) -> Vec<String> {
    let Some((_, lines)) = reply.lines.split_last() else { return Vec::new() };
    let mut message: Vec<String> = Vec::new();
    let mut kept = 0;
    for line in lines {
        let said = reply.said(line);
        let said = said.strip_prefix(' ').unwrap_or(said).trim_end();
        if said.is_empty() && message.last().is_none_or(String::is_empty) {
            continue;
        }
        kept += said.len();
        if kept > KEPT {
            message.push("…".into());
            break;
        }
        message.push(said.to_owned());
    }
    message.pop_if(|line| line.is_empty());
    message
}
