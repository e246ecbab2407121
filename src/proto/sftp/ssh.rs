//! The reader's own `ssh`: who starts it, what it says when it fails, and runs of it that are kept for the next visit.
//!
//! Threads that talk to servers may start no programs; whoever may takes a [`Call`] and answers with the ends of its pipes.
//! Host keys, agents, jumps and `~/.ssh/config` are ssh's affair, and it asks nothing here (`BatchMode`).

use super::session::Session;
use crate::proto::{FetchError, Kind};
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

/// What every run is told: to ask nobody anything, to pass nothing on, to run nothing here.
const ALWAYS: [&str; 13] = [
    "-o",
    "BatchMode=yes",
    "-o",
    "PermitLocalCommand=no",
    "-o",
    "ClearAllForwardings=yes",
    "-a",
    "-x",
    "-T",
    "-o",
    "RemoteCommand=none",
    "-o",
    "LogLevel=ERROR",
];
/// How long a run is kept without a visit, and how many.
const IDLE: Duration = Duration::from_secs(60);
const KEPT: usize = 4;
/// Octets of ssh's complaints that are looked at, and how long they are waited for.
const COMPLAINT: usize = 4096;
const MOMENT: Duration = Duration::from_secs(2);

/// A run that is wanted.
#[derive(Debug)]
pub struct Call {
    /// What follows the program's name.
    pub arguments: Vec<String>,
    /// Where its pipes go.
    pub answer: oneshot::Sender<io::Result<Pipes>>,
}

/// The ends of a running program's pipes. The program is ended when they are dropped.
pub struct Pipes {
    /// Its standard input.
    pub input: Box<dyn AsyncWrite + Send + Unpin>,
    /// Its standard output.
    pub output: Box<dyn AsyncRead + Send + Unpin>,
    /// Its standard error.
    pub complaint: Box<dyn AsyncRead + Send + Unpin>,
    /// Ends it when it is dropped.
    pub run: Box<dyn Send>,
}

impl fmt::Debug for Pipes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pipes")
    }
}

/// The way to `ssh`. Clones share what is kept.
#[derive(Debug, Clone, Default)]
pub struct Ssh {
    starter: Option<mpsc::UnboundedSender<Call>>,
    kept: Arc<Mutex<Vec<Idle>>>,
}

struct Idle {
    arguments: Vec<String>,
    session: Session,
    since: Instant,
}

/// Nothing of what was said there.
impl fmt::Debug for Idle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ssh {}", self.arguments.join(" "))
    }
}

impl Ssh {
    /// By somebody who starts it; the default is nobody.
    pub fn new(starter: mpsc::UnboundedSender<Call>) -> Ssh {
        Ssh { starter: Some(starter), kept: Arc::default() }
    }

    /// By the same, with nothing kept of what the other knows.
    pub fn apart(&self) -> Ssh {
        Ssh { starter: self.starter.clone(), kept: Arc::default() }
    }

    /// A run of before, for the same user at the same server.
    pub(super) fn kept(&self, arguments: &[String]) -> Option<Session> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|idle| idle.since.elapsed() < IDLE);
        let at = kept.iter().rposition(|idle| idle.arguments == arguments)?;
        Some(kept.remove(at).session)
    }

    /// Keeps a run for the next visit.
    pub(super) fn keep(&self, arguments: Vec<String>, session: Session) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push(Idle { arguments, session, since: Instant::now() });
        drop(kept);
        let all = Arc::downgrade(&self.kept);
        tokio::spawn(async move {
            sleep(IDLE).await;
            if let Some(all) = all.upgrade() {
                all.lock().unwrap_or_else(PoisonError::into_inner).retain(|idle| idle.since.elapsed() < IDLE);
            }
        });
    }

    /// Starts a run.
    pub(super) async fn start(&self, arguments: &[String], connect: Duration) -> Result<Pipes, FetchError> {
        let Some(starter) = &self.starter else {
            return Err(FetchError::new(Kind::Unsafe, "ssh was not started: --safe forbids programs."));
        };
        let seconds = format!("ConnectTimeout={}", connect.as_secs().max(1));
        let always = ALWAYS.into_iter().chain(["-o", &seconds]).map(str::to_owned);
        let (answer, started) = oneshot::channel();
        let call = Call { arguments: always.chain(arguments.iter().cloned()).collect(), answer };
        // Whoever starts programs has gone only when the browser has.
        let gone = || io::Error::other("nobody starts programs any more");
        let sent = starter.send(call).map_err(|_| gone());
        let started = match sent {
            Ok(()) => started.await.unwrap_or_else(|_| Err(gone())),
            Err(error) => Err(error),
        };
        started.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => FetchError::new(Kind::Unsupported, "There is no ssh on this machine.")
                .hint("sftp: addresses are read by OpenSSH's client; the setting sftp.ssh names another program."),
            _ => FetchError::new(
                Kind::Unsupported,
                format!("ssh cannot be started ({}).", crate::proto::net::words(&error)),
            ),
        })
    }
}

/// What ssh says on its standard error, read as it comes: a pipe that is full would hold it up.
pub(super) struct Complaint {
    said: Arc<Mutex<Vec<u8>>>,
    reading: JoinHandle<()>,
}

impl Complaint {
    pub(super) fn of(mut complaint: Box<dyn AsyncRead + Send + Unpin>) -> Complaint {
        let said: Arc<Mutex<Vec<u8>>> = Arc::default();
        let all = Arc::clone(&said);
        let reading = tokio::spawn(async move {
            let mut piece = [0; 1024];
            while let Ok(read @ 1..) = complaint.read(&mut piece).await {
                let mut said = all.lock().unwrap_or_else(PoisonError::into_inner);
                let room = COMPLAINT.saturating_sub(said.len());
                said.extend_from_slice(&piece[..read.min(room)]);
            }
        });
        Complaint { said, reading }
    }

    /// Why ssh has ended before anything came, by its own words.
    pub(super) async fn failure(self, host: &str) -> FetchError {
        // What does not come in time is not shown.
        let _ = timeout(MOMENT, self.reading).await;
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner).clone();
        told(&String::from_utf8_lossy(&said), host)
    }
}

/// OpenSSH's words, in ours.
fn told(said: &str, host: &str) -> FetchError {
    let words: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = words.last().copied().unwrap_or_default();
    let has = |part: &str| said.contains(part);
    let once = format!("Log in to {host} by ssh in a shell once: what ssh asks there, it cannot ask here.");
    match () {
        () if has("REMOTE HOST IDENTIFICATION HAS CHANGED") => {
            let detail = format!("{host} is not the machine that ssh knows by this name: its key has changed.");
            FetchError::new(Kind::Secure, detail).hint(
                "Whether that is right, only its owner can say; ssh itself tells which line of known_hosts it is.",
            )
        }
        () if has("Host key verification failed") => {
            FetchError::new(Kind::Secure, format!("ssh does not know the key of {host} yet.")).hint(once)
        }
        () if has("Permission denied") => {
            let detail = format!("{host} lets nobody in by the keys that ssh has ({last}).");
            FetchError::new(Kind::Denied, detail)
                .hint("ssh logs in by keys and its agent here (ssh-add), and asks for no password.")
        }
        () if has("Could not resolve hostname") => {
            FetchError::new(Kind::NoSuchHost, format!("No host is named {host}."))
        }
        () if has("Connection refused") => {
            FetchError::new(Kind::Refused, format!("{host} refused the connection of ssh."))
        }
        () if has("timed out") => FetchError::new(Kind::TimedOut, format!("{host} did not answer ssh in time.")),
        () if has("subsystem request failed") => {
            FetchError::new(Kind::Unsupported, format!("{host} lets ssh in, but has no SFTP."))
        }
        () if last.is_empty() => {
            FetchError::new(Kind::Broken, format!("ssh to {host} ended before anything came.")).hint(once)
        }
        () => FetchError::new(Kind::Broken, format!("ssh to {host} failed: {last}")).hint(once),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ssh_complains_of_is_told_in_our_words() {
        for (said, kind) in [
            ("ssh: Could not resolve hostname h: Name or service not known\r\n", Kind::NoSuchHost),
            ("ssh: connect to host h port 22: Connection refused\n", Kind::Refused),
            ("ssh: connect to host h port 22: Connection timed out\n", Kind::TimedOut),
            ("No ED25519 host key is known for h.\nHost key verification failed.\n", Kind::Secure),
            ("@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.\n", Kind::Secure),
            ("u@h: Permission denied (publickey,password).\n", Kind::Denied),
            ("subsystem request failed on channel 0\n", Kind::Unsupported),
            ("something else\n", Kind::Broken),
            ("", Kind::Broken),
        ] {
            let error = told(said, "h");
            assert_eq!(error.kind, kind, "{said}");
            assert!(error.detail.ends_with(['.', 'e']), "{}", error.detail);
        }
    }
}
