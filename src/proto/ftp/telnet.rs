//! The octet FF in commands. A control connection is a telnet one (RFC 959, 2.3), where it is doubled (RFC 854); vsftpd and Pure-FTPd
//! know nothing of that and take two for two, ProFTPD wants it. In Windows-1251 it is a common letter.
//!
//! Refuses: to guess. Single is tried where double was refused, once, and what has served stays. Over TLS it is always doubled,
//! and so it is from the middle of a file on: the library writes those lines whole.

use super::log::Written;
use super::reply::Reply;
use std::io::{self, Write};
use std::net::TcpStream;
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, PoisonError};

/// The octet.
pub(super) const OCTET: u8 = 0xFF;
/// The octet, as a character.
pub(super) const IAC: char = '\u{FF}';

/// How it goes to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Doubling {
    /// Twice; whether the server wants that is not known.
    #[default]
    Untried,
    /// Twice.
    Twice,
    /// Once.
    Once,
}

/// Whether a command names something that has the octet. What is said of the reader is not said again.
pub(super) fn concerns(line: &str) -> bool {
    line.contains(IAC) && !["USER ", "PASS ", "ACCT "].iter().any(|verb| line.starts_with(verb))
}

/// Whether an answer may mean that no such name is there.
pub(super) fn is_unknown(reply: &Reply) -> bool {
    matches!(reply.code, 501 | 550 | 553)
}

/// A line up to its last octet of this kind, and the rest; `None` of what is not one line.
pub(super) fn cut(line: &str) -> Option<(&str, &str)> {
    let at = line.rfind(IAC).filter(|_| !line.contains(['\r', '\n', '\0']))?;
    Some(line.split_at(at + IAC.len_utf8()))
}

/// The beginning of a line that the library would double, on its way past the library, which sends the rest.
#[derive(Debug, Clone, Default)]
pub(super) struct Ahead {
    held: Arc<Mutex<Option<(TcpStream, String)>>>,
    written: Written,
}

impl Ahead {
    /// Writes down there what it sends.
    pub(super) fn new(written: Written) -> Ahead {
        Ahead { written, ..Ahead::default() }
    }

    /// Holds the beginning of a line for a connection until the rest is due.
    pub(super) fn hold(&self, control: &impl AsFd, beginning: &str) -> io::Result<()> {
        let control = TcpStream::from(control.as_fd().try_clone_to_owned()?);
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = Some((control, beginning.to_owned()));
        Ok(())
    }

    /// Takes back what is held.
    pub(super) fn forget(&self) -> Option<(TcpStream, String)> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Sends what is held.
    pub(super) fn send(&self) -> io::Result<()> {
        let Some((mut control, beginning)) = self.forget() else { return Ok(()) };
        let octets: Vec<u8> = beginning.chars().filter_map(|c| u8::try_from(c).ok()).collect();
        control.write_all(&octets)?;
        self.written.begin(beginning);
        Ok(())
    }
}
