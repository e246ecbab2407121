//! A question that is asked while a data connection is being opened: the time of a file whose length was listed (MDTM, RFC 3659, 3)
//! costs no round trip of its own, and no command goes out before the one before it has its answer.
//!
//! The library opens data connections with its hand on the control connection; what is asked meanwhile goes past it, and no octet
//! beyond the answer is taken. Where the connection fails after that, or the server does not know any more who we are or which port was meant, it may
//! have stumbled over it ([`super::times`]): the time is asked for before the file, or not at all. Refuses: TLS, which the library alone speaks, and more than one
//! question at a time.

use super::data::Data;
use super::facts::Facts;
use super::log::Written;
use super::reply::{self, Reply, line};
use super::session::{REST, Session, broken};
use super::telnet;
use super::times::Asking;
use crate::proto::{FetchError, Kind};
use std::io::{self, ErrorKind};
use std::net::TcpStream;
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use suppaftp::FtpError;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

/// Octets of an answer at most.
const LONGEST: usize = 64 * 1024;
/// What MDTM is answered of a name that is none of a file.
pub(super) const NO_SUCH_FILE: u16 = 550;
/// What came is no reply.
const NO_REPLY: ErrorKind = ErrorKind::InvalidInput;

/// A question, and what became of it.
#[derive(Debug, Default)]
enum State {
    #[default]
    Nothing,
    Held(TcpStream, Duration, String),
    Told(io::Result<Vec<u8>>),
}

impl State {
    fn take_held(&mut self) -> Option<(TcpStream, Duration, String)> {
        let held = std::mem::take(self);
        if let State::Held(control, patience, line) = held {
            return Some((control, patience, line));
        }
        *self = held;
        None
    }

    fn take_told(&mut self) -> Option<io::Result<Vec<u8>>> {
        let told = std::mem::take(self);
        if let State::Told(told) = told {
            return Some(told);
        }
        *self = told;
        None
    }
}

/// It, on its way past the library. Clones share.
#[derive(Debug, Clone, Default)]
pub(super) struct Aside {
    state: Arc<Mutex<State>>,
    written: Written,
}

impl Aside {
    /// Writes down there what it sends.
    pub(super) fn new(written: Written) -> Aside {
        Aside { written, ..Aside::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Holds a line until a data connection is opened; its answer is waited for so long.
    pub(super) fn hold(&self, control: &impl AsFd, patience: Duration, line: String) -> io::Result<()> {
        let control = TcpStream::from(control.as_fd().try_clone_to_owned()?);
        *self.state() = State::Held(control, patience, line);
        Ok(())
    }

    /// Asks what is held, if anything is; whether that went well.
    pub(super) async fn ask(&self) -> io::Result<()> {
        let held = self.state().take_held();
        let Some((control, patience, line)) = held else { return Ok(()) };
        self.written.note(&line);
        let told = timeout(patience, answer(control, &line)).await;
        let told = told.unwrap_or_else(|_| Err(ErrorKind::TimedOut.into()));
        let outcome = told.as_ref().map(drop).map_err(|error| error.kind().into());
        *self.state() = State::Told(told);
        outcome
    }

    /// What was answered, once.
    pub(super) fn told(&self) -> Option<io::Result<Vec<u8>>> {
        self.state().take_told()
    }

    /// What was not asked is not held any more; whether there was such a thing.
    pub(super) fn forget(&self) -> bool {
        matches!(std::mem::take(&mut *self.state()), State::Held(..))
    }
}

impl Session {
    /// Whether the time of a file can be asked for while its data connection is being opened.
    pub(super) fn asks_aside(&self, name: &[u8]) -> bool {
        let is_one_line = !name.iter().any(|octet| matches!(octet, b'\r' | b'\n' | 0));
        self.offers.mdtm
            && self.times.asking == Asking::Aside
            && self.times.told.is_none()
            && self.security.is_none()
            && is_one_line
            && !name.contains(&telnet::OCTET)
    }

    /// RETR, and MDTM while its data connection is being opened: what [`Session::data`] gives, and the time.
    ///
    /// # Errors
    /// See [`Session::data`].
    pub(super) async fn data_and_time(&mut self, name: &[u8]) -> Result<(Result<Data, Reply>, Facts), FetchError> {
        let control = self.stream.get_ref().await;
        // Where nothing can be asked aside, the time is not known.
        let held = self.aside.hold(&*control, self.limits.silence, line("MDTM", name));
        drop(control);
        let retrieve = line("RETR", name);
        let outcome = self.data(&retrieve, 0).await;
        let asked = held.is_ok() && !self.aside.forget();
        self.times.asked = asked.then_some(Asking::Aside);
        let time = self.aside_reply.take();
        self.times.answered = time.is_some();
        let mut facts = Facts::default();
        facts.at(time.as_ref().and_then(Reply::value));
        self.times.told.clone_from(&facts.time);
        // What may be answered between two files, but not here.
        let refuses = time.as_ref().is_some_and(|time| time.is_refusal() && time.code != NO_SUCH_FILE);
        self.times.stumbled = asked && refuses;
        // A port that was given up, or is not listened at any more, since something else was asked (425, 503).
        let forgets = |reply: &Reply| matches!(reply.code, 425 | 503);
        match outcome? {
            Err(reply) if asked && forgets(&reply) && !self.is_dead() => {
                let again = self.data(&retrieve, 0).await?;
                self.times.stumbled |= !again.as_ref().is_err_and(forgets);
                Ok((again, facts))
            }
            // What is no answer to RETR.
            Err(reply) if asked && (forgets(&reply) || !reply.is_refusal()) => {
                self.is_lost();
                let said = format!("{} answers RETR with {}", self.endpoint(), reply.words());
                Err(FetchError::new(Kind::Malformed, said))
            }
            outcome => Ok((outcome, facts)),
        }
    }

    /// Hears the answer, where there is one.
    ///
    /// # Errors
    /// It did not come, or ends the session.
    pub(super) fn hear_aside(&mut self) -> Result<(), FetchError> {
        const MDTM: &str = "MDTM";
        let Some(told) = self.aside.told() else { return Ok(()) };
        let heard = match told {
            Ok(octets) => self.hear_octets(&octets),
            Err(error) if error.kind() == ErrorKind::TimedOut => Err(self.silent(MDTM, self.limits.silence)),
            Err(error) if error.kind() == NO_REPLY => Err(broken(self.endpoint(), MDTM, &FtpError::BadResponse)),
            Err(error) => Err(broken(self.endpoint(), MDTM, &FtpError::ConnectionError(error))),
        };
        self.aside_reply = Some(heard?);
        Ok(())
    }
}

/// Sends a line, and reads its answer (RFC 959, 4.2), nothing of what comes after it.
async fn answer(control: TcpStream, line: &str) -> io::Result<Vec<u8>> {
    let mut control = tokio::net::TcpStream::from_std(control)?;
    let octets: Vec<u8> = line.chars().filter_map(|c| u8::try_from(c).ok()).collect();
    control.write_all(&[&octets[..], b"\r\n"].concat()).await?;
    let (mut answer, mut begin) = (Vec::new(), 0);
    loop {
        let mut ahead = [0; 1024];
        // Lines inside may begin with other codes, and some servers end with another one than they began with.
        let may_have_ended = begin > 0 && begin == answer.len() && ends_otherwise(&answer);
        let seen = match may_have_ended {
            true => match timeout(REST, control.peek(&mut ahead)).await {
                Ok(seen) => seen?,
                Err(_) => return Ok(answer),
            },
            false => control.peek(&mut ahead).await?,
        };
        let end = memchr::memchr(b'\n', &ahead[..seen]);
        let taken = control.read_exact(&mut ahead[..end.map_or(seen, |at| at + 1)]).await?;
        answer.extend_from_slice(&ahead[..taken]);
        match answer[begin..] {
            _ if taken == 0 => return Err(ErrorKind::UnexpectedEof.into()),
            _ if answer.len() > LONGEST => return Err(ErrorKind::InvalidData.into()),
            _ if end.is_none() => {}
            // It says that it is busy; its answer comes after that.
            [b'1', b'0'..=b'9', b'0'..=b'9', b' ' | b'\r' | b'\n', ..] if begin == 0 => answer.clear(),
            [b'1'..=b'5', b'0'..=b'9', b'0'..=b'9', b' ' | b'\r' | b'\n', ..] if !reply::is_torn(&answer) => {
                return Ok(answer);
            }
            [b'1'..=b'5', b'0'..=b'9', b'0'..=b'9', b'-', ..] => begin = answer.len(),
            _ if begin > 0 => begin = answer.len(),
            _ => return Err(NO_REPLY.into()),
        }
    }
}

/// Whether the last line is as a last one is, but for its code.
fn ends_otherwise(answer: &[u8]) -> bool {
    let line = answer.strip_suffix(b"\n").unwrap_or(answer);
    let last = memchr::memrchr(b'\n', line).map_or(line, |at| &line[at + 1..]);
    matches!(last, [b'1'..=b'5', b'0'..=b'9', b'0'..=b'9', b' ' | b'\r', ..])
}
