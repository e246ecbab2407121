//! The terminal in other hands: a program that the reader wants beside the page, and the shell that we were started from.

use super::Browser;
use crate::app::{Effect, JobId, Msg};
use futures_util::FutureExt;
use rustix::process::{Pid, Signal, kill_current_process_group, kill_process};
use std::io;
use tokio::process::Command;

impl Browser {
    /// Lends the terminal to a program until it ends. A signal that ends us ends it, too: it has our terminal.
    pub(super) async fn start_program(&mut self, id: JobId, arguments: Vec<String>) -> io::Result<Vec<Effect>> {
        let Some((program, rest)) = arguments.split_first().filter(|_| !self.safe) else {
            let result = Err("No program was started: --safe forbids it.".into());
            return Ok(self.update(Msg::Ran { id, result }));
        };
        self.keyboard.rest();
        self.screen.lend()?;
        let status = match Command::new(program).args(rest).spawn() {
            Ok(mut child) => tokio::select! {
                status = child.wait() => status,
                () = self.ends.told() => {
                    // It is let to save what it has; whether it could be told is all the same to it.
                    let _ = child.id().and_then(|id| Pid::from_raw(id.cast_signed())).map(|id| kill_process(id, Signal::TERM));
                    self.terminated = true;
                    return Ok(self.update(Msg::Terminate));
                }
            },
            Err(error) => Err(error),
        };
        self.screen.retake()?;
        // C-c was meant for the program; what came by now is seen after a turn of the runtime.
        tokio::task::yield_now().await;
        while self.interrupt.recv().now_or_never().is_some() {}
        let result = match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("{program} ended with {status}.")),
            Err(error) => Err(format!("{program} could not be started: {error}.")),
        };
        let (columns, rows) = self.screen.size()?;
        let mut effects = self.update(Msg::Resize(columns, rows));
        effects.extend(self.update(Msg::Ran { id, result }));
        Ok(effects)
    }

    pub(super) async fn suspend(&mut self) -> io::Result<()> {
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
