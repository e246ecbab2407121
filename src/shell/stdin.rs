//! Standard input as a page (`-`): read once, in the background, and kept for reload and for going back.

use crate::format::guess;
use crate::proto::{End, Exchange, FetchError, Head, Kind, Request, Verdict};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, fstat};
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;

/// The URL under which it is opened.
pub(super) const URL: &str = "about:stdin";

/// Whether somebody gives the program something to read: a pipe or a file in which there is anything, but no terminal, and nothing
/// like /dev/null. Whoever `waits` for it does so until there is something, or its end; a screen cannot wait so long.
pub(super) fn comes_in(waits: bool) -> bool {
    const AT_ONCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    let standard = std::io::stdin();
    let Ok(known) = fstat(&standard) else { return false };
    match FileType::from_raw_mode(known.st_mode) {
        FileType::RegularFile => known.st_size > 0,
        FileType::Fifo | FileType::Socket => {
            let mut wanted = [PollFd::new(&standard, PollFlags::IN)];
            let polled = poll(&mut wanted, if waits { None } else { Some(&AT_ONCE) });
            let ended = wanted[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL);
            polled.is_ok() && (wanted[0].revents().contains(PollFlags::IN) || !ended)
        }
        _ => false,
    }
}

/// What has been read of it.
#[derive(Debug, Clone)]
pub(super) struct Stdin {
    octets: Arc<Mutex<Vec<u8>>>,
    /// How the reading goes, told after each piece.
    state: watch::Receiver<State>,
}

#[derive(Debug, Clone, PartialEq)]
enum State {
    Reading,
    Complete,
    Failed(String),
}

impl Stdin {
    /// Begins to read, on a thread of its own: nothing can interrupt a blocked read.
    pub(super) fn open() -> Stdin {
        let octets = Arc::new(Mutex::new(Vec::new()));
        let (told, state) = watch::channel(State::Reading);
        let kept = Arc::clone(&octets);
        std::thread::spawn(move || {
            let mut piece = vec![0; 1 << 16];
            loop {
                let next = match std::io::stdin().lock().read(&mut piece) {
                    Ok(0) => State::Complete,
                    Ok(read) => {
                        kept.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&piece[..read]);
                        State::Reading
                    }
                    Err(error) => State::Failed(error.to_string()),
                };
                let ended = next != State::Reading;
                if told.send(next).is_err() || ended {
                    return;
                }
            }
        });
        Stdin { octets, state }
    }

    /// Serves what was read and goes on with what comes.
    pub(super) async fn fetch(mut self, request: &Request, exchange: &mut Exchange) -> Result<End, FetchError> {
        let mut sent = 0;
        let mut begun = false;
        loop {
            let state = self.state.borrow_and_update().clone();
            let piece = self.octets.lock().unwrap_or_else(PoisonError::into_inner)[sent..].to_vec();
            if !begun && (!piece.is_empty() || state != State::Reading) {
                begun = true;
                if exchange.head(head(request, &piece)).await? == Verdict::Refuse {
                    return Ok(End::default());
                }
            }
            if !piece.is_empty() {
                sent += piece.len();
                exchange.body(piece).await?;
                continue;
            }
            match state {
                State::Complete => return Ok(End::default()),
                State::Failed(why) => {
                    return Err(FetchError::new(Kind::Broken, format!("Standard input cannot be read: {why}.")));
                }
                // The reading thread has gone without a word only when the program ends.
                State::Reading if self.state.changed().await.is_err() => return Ok(End::default()),
                State::Reading => {}
            }
        }
    }
}

fn head(request: &Request, start: &[u8]) -> Head {
    let media = request.media.clone().unwrap_or_else(|| guess::of_file("", start));
    Head { title: Some("standard input".into()), ..Head::new(request.url.clone(), media) }
}
