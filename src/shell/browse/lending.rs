//! The terminal in other hands: a program that the reader wants beside the page, and the shell that we were started from.

use super::super::place::on_the_disk;
use super::Browser;
use crate::app::{Effect, JobId, Msg, not_installed};
use crate::shell::keyboard::terminal;
use futures_util::FutureExt;
use rustix::process::{Pid, Signal, kill_current_process_group, kill_process};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use std::fs::File;
use std::io;
use std::time::Duration;
use tokio::process::Command;

/// How long a program has to end before we do, of the time that a signal leaves.
const FAREWELL: Duration = Duration::from_millis(300);

/// How the terminal takes keys and shows letters, as whoever started us had it.
struct Modes(Option<(File, Termios)>);

impl Modes {
    fn now() -> Modes {
        Modes(terminal().ok().and_then(|terminal| tcgetattr(&terminal).ok().map(|modes| (terminal, modes))))
    }

    fn set(&self) {
        if let Some((terminal, modes)) = &self.0 {
            // A terminal that has gone needs none.
            let _ = tcsetattr(terminal, OptionalActions::Now, modes);
        }
    }
}

impl Browser {
    /// Lends the terminal to a program until it ends. A signal that ends us ends it, too: it has our terminal.
    pub(super) async fn start_program(&mut self, id: JobId, arguments: Vec<String>) -> io::Result<Vec<Effect>> {
        let Some((program, rest)) = arguments.split_first().filter(|_| !self.safe) else {
            let result = Err("No program was started: --safe forbids it.".into());
            return Ok(self.update(Msg::Ran { id, result }));
        };
        self.hear_out().await;
        self.keyboard.rest();
        self.screen.lend()?;
        let modes = Modes::now();
        let status = match Command::new(program).args(rest.iter().map(|word| on_the_disk(word))).spawn() {
            Ok(mut child) => tokio::select! {
                status = child.wait() => status,
                () = self.ends.told() => {
                    // It is let to save what it has, and to leave the terminal as it found it.
                    let id = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
                    let told = id.is_some_and(|id| kill_process(id, Signal::TERM).is_ok());
                    let _ = tokio::time::timeout(if told { FAREWELL } else { Duration::ZERO }, child.wait()).await;
                    modes.set();
                    self.terminated = true;
                    return Ok(self.update(Msg::Terminate));
                }
            },
            Err(error) => Err(error),
        };
        // A program that was killed has not done so.
        modes.set();
        self.screen.retake()?;
        // C-c and C-\ were meant for the program; what came by now is seen after a turn of the runtime.
        tokio::task::yield_now().await;
        while self.interrupts.told().now_or_never().is_some() {}
        let result = match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("{program} ended with {status}.")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(not_installed(program)),
            Err(error) => Err(format!("{program} could not be started: {error}.")),
        };
        let (columns, rows) = self.screen.size()?;
        let mut effects = self.update(Msg::Resize(columns, rows));
        effects.extend(self.update(Msg::Ran { id, result }));
        Ok(effects)
    }

    pub(super) async fn suspend(&mut self) -> io::Result<()> {
        self.hear_out().await;
        self.keyboard.rest();
        self.screen.lend()?;
        // The whole job: a shell waits for all of it.
        let stopped = kill_current_process_group(Signal::TSTP);
        self.screen.retake()?;
        let (columns, rows) = self.screen.size()?;
        // A new size asks for nothing but a new frame.
        self.update(Msg::Resize(columns, rows));
        stopped.map_err(io::Error::from)
    }
}
