//! A conversation with an SFTP server over the pipes of `ssh`: requests with numbers, answers in whatever order they come.

use super::packet::{self, Answer, Attributes, MOST, Name, Verb};
use super::ssh::{Complaint, Pipes};
use crate::proto::net::seconds;
use crate::proto::{FetchError, Kind};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

/// Status codes of the draft, section 7.
const END: u32 = 1;
const NO_SUCH_FILE: u32 = 2;
const PERMISSION_DENIED: u32 = 3;
const UNSUPPORTED: u32 = 8;

/// A conversation that has begun.
pub(super) struct Session {
    input: Box<dyn AsyncWrite + Send + Unpin>,
    output: Box<dyn AsyncRead + Send + Unpin>,
    /// Ends the program when it is dropped.
    _run: Box<dyn Send>,
    host: String,
    silence: Duration,
    next: u32,
    /// Requests without an answer yet, and answers that came before somebody wanted them.
    waiting: BTreeMap<u32, Option<Answer>>,
    /// Something went wrong on the wire: it is of no use any more.
    dead: bool,
}

impl Session {
    /// Greets the server; its first answer is waited for so long.
    pub async fn begin(pipes: Pipes, host: &str, first: Duration, silence: Duration) -> Result<Session, FetchError> {
        let Pipes { input, output, complaint, run } = pipes;
        let complaint = Complaint::of(complaint);
        let mut session = Session {
            input,
            output,
            _run: run,
            host: host.into(),
            silence: first,
            next: 0,
            waiting: BTreeMap::new(),
            dead: false,
        };
        // A program that has ended already says why on its other pipe.
        let _ = session.input.write_all(&packet::hello()).await;
        let _ = session.input.flush().await;
        let version = match session.packet().await {
            Ok(packet) => packet::version(&packet),
            Err(Lost::Silent) => return Err(session.lost(Lost::Silent)),
            Err(Lost::Huge(start)) => return Err(chatter(&start, host)),
            Err(Lost::Gone) => return Err(complaint.failure(host).await),
        };
        session.silence = silence;
        match version {
            Some(packet::VERSION..) => Ok(session),
            Some(old) => {
                let detail = format!("{host} speaks version {old} of SFTP, and nothing here does.");
                Err(FetchError::new(Kind::Unsupported, detail))
            }
            None => Err(chatter(b"", host)),
        }
    }

    /// Whether it can be used for another visit.
    pub fn is_sound(&self) -> bool {
        !self.dead && self.waiting.is_empty()
    }

    /// It is left in the middle of something: nobody else may have it.
    pub fn leave(&mut self) {
        self.dead = true;
    }

    /// Whether it has failed as a whole, not in one answer.
    pub fn is_dead(&self) -> bool {
        self.dead
    }

    /// Sends a request; its number is for the answer.
    pub async fn ask(&mut self, verb: Verb, what: &[u8]) -> Result<u32, FetchError> {
        let number = self.number();
        self.send(packet::about(verb, number, what)).await?;
        Ok(number)
    }

    /// Asks for octets of an open file.
    pub async fn ask_for(&mut self, handle: &[u8], offset: u64, length: u32) -> Result<u32, FetchError> {
        let number = self.number();
        self.send(packet::read(number, handle, offset, length)).await?;
        Ok(number)
    }

    fn number(&mut self) -> u32 {
        self.next = self.next.wrapping_add(1);
        self.waiting.insert(self.next, None);
        self.next
    }

    async fn send(&mut self, octets: Vec<u8>) -> Result<(), FetchError> {
        let write = async {
            self.input.write_all(&octets).await?;
            self.input.flush().await
        };
        match timeout(self.silence, write).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(self.lost(Lost::Gone)),
            Err(_) => Err(self.lost(Lost::Silent)),
        }
    }

    /// The answer to a request.
    pub async fn answer(&mut self, number: u32) -> Result<Answer, FetchError> {
        loop {
            if let Some(answer) = self.waiting.get_mut(&number).and_then(Option::take) {
                self.waiting.remove(&number);
                return Ok(answer);
            }
            let packet = match self.packet().await {
                Ok(packet) => packet,
                Err(lost) => return Err(self.lost(lost)),
            };
            let place = packet::answer(&packet).map(|(number, answer)| (self.waiting.get_mut(&number), answer));
            match place {
                Some((Some(place @ None), answer)) => *place = Some(answer),
                _ => {
                    self.dead = true;
                    let detail = format!("An answer of {} makes no sense as SFTP.", self.host);
                    return Err(FetchError::new(Kind::Malformed, detail));
                }
            }
        }
    }

    /// A request whose answer tells nothing that anybody waits for.
    pub async fn close(&mut self, handle: &[u8]) -> Result<(), FetchError> {
        let number = self.ask(Verb::Close, handle).await?;
        self.answer(number).await.map(drop)
    }

    async fn packet(&mut self) -> Result<Vec<u8>, Lost> {
        let output = &mut self.output;
        let read = async {
            let mut length = [0; 4];
            output.read_exact(&mut length).await.map_err(|_| Lost::Gone)?;
            let octets = usize::try_from(u32::from_be_bytes(length)).unwrap_or(usize::MAX);
            if !(1..=MOST).contains(&octets) {
                return Err(Lost::Huge(length));
            }
            Ok(octets)
        };
        let octets = timeout(self.silence, read).await.unwrap_or(Err(Lost::Silent))?;
        let mut packet = Vec::new();
        while packet.len() < octets {
            let mut piece = vec![0; (octets - packet.len()).min(32 * 1024)];
            match timeout(self.silence, output.read(&mut piece)).await {
                Ok(Ok(read)) if read > 0 => packet.extend_from_slice(&piece[..read]),
                Ok(_) => return Err(Lost::Gone),
                Err(_) => return Err(Lost::Silent),
            }
        }
        Ok(packet)
    }

    fn lost(&mut self, lost: Lost) -> FetchError {
        self.dead = true;
        let host = &self.host;
        match lost {
            Lost::Silent => {
                let detail = format!("Nothing came from {host} by ssh for {}.", seconds(self.silence));
                FetchError::new(Kind::TimedOut, detail)
            }
            Lost::Gone => FetchError::new(Kind::Broken, format!("ssh lost the connection to {host}.")),
            Lost::Huge(_) => {
                FetchError::new(Kind::Malformed, format!("{host} announces an answer larger than any of SFTP."))
            }
        }
    }
}

/// Why no packet came.
enum Lost {
    Silent,
    Gone,
    /// A length that no packet has: these octets stood in its place.
    Huge([u8; 4]),
}

/// Where the shell of the account prints words of its own, they come in place of the first packet.
fn chatter(start: &[u8], host: &str) -> FetchError {
    let shown = match String::from_utf8_lossy(start).trim() {
        "" => String::new(),
        words if words.chars().all(|c| !c.is_control()) => format!(" (it begins with \"{words}\")"),
        _ => String::new(),
    };
    FetchError::new(Kind::Malformed, format!("{host} answers with something that is no SFTP{shown}."))
        .hint("A shell there may print words of its own at each login: then they come first.")
}

/// What went wrong, where an answer is no success.
pub(super) fn refusal(answer: &Answer, path: &[u8]) -> FetchError {
    let name = String::from_utf8_lossy(path);
    match answer {
        Answer::Status { code: NO_SUCH_FILE, .. } => FetchError::new(Kind::NotFound, format!("There is no {name}.")),
        Answer::Status { code: PERMISSION_DENIED, .. } => {
            FetchError::new(Kind::Denied, format!("You may not read {name}."))
        }
        Answer::Status { code: UNSUPPORTED, .. } => {
            FetchError::new(Kind::Unsupported, "The server cannot do what is asked for.")
        }
        Answer::Status { words, .. } => {
            let words = String::from_utf8_lossy(words);
            FetchError::new(Kind::Said, format!("The server says of {name}: {}", words.trim()))
        }
        _ => FetchError::new(Kind::Malformed, "The server's answer is one to another question."),
    }
}

/// Whether an answer says that there is nothing more.
pub(super) fn is_end(answer: &Answer) -> bool {
    matches!(answer, Answer::Status { code: END, .. })
}

impl Session {
    /// What is known of a path, links followed.
    pub async fn attributes(&mut self, path: &[u8]) -> Result<Attributes, FetchError> {
        let number = self.ask(Verb::Stat, path).await?;
        match self.answer(number).await? {
            Answer::Attributes(attributes) => Ok(attributes),
            other => Err(refusal(&other, path)),
        }
    }

    /// The absolute form of a path.
    pub async fn real(&mut self, path: &[u8]) -> Result<Vec<u8>, FetchError> {
        let number = self.ask(Verb::RealPath, path).await?;
        match self.answer(number).await? {
            Answer::Names(names) => match <[Name; 1]>::try_from(names) {
                Ok([Name { name, .. }]) => Ok(name),
                Err(_) => Err(FetchError::new(Kind::Malformed, "The server gives no one name to that path.")),
            },
            other => Err(refusal(&other, path)),
        }
    }

    /// Opens a file or a directory for reading.
    pub async fn open(&mut self, verb: Verb, path: &[u8]) -> Result<Vec<u8>, FetchError> {
        let number = self.ask(verb, path).await?;
        match self.answer(number).await? {
            Answer::Handle(handle) => Ok(handle),
            other => Err(refusal(&other, path)),
        }
    }
}
