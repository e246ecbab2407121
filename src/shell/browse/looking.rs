//! The look of the screen as settings and the terminal's ground say.

use super::Browser;
use crate::app::Msg;
use crate::shell::colour::variable;
use crate::shell::ground::{self, Ground};
use crate::shell::keyboard::Hand;
use crate::shell::redraw::Cause;
use std::io;
use std::time::{Duration, Instant};

/// How long a terminal has for its answer before it is given back, counted from the question: what comes later would be typed at
/// the reader's shell.
const PATIENCE: Duration = Duration::from_millis(300);

impl Browser {
    /// Takes the theme that the settings name now; asks for the ground where that decides it and nobody has asked.
    pub(super) async fn look(&mut self) -> io::Result<()> {
        let (changed, errors) = self.looks.follow(&self.app.desk.settings);
        if changed {
            self.screen.forget();
        }
        if let Some(error) = errors.first() {
            self.tell(Msg::Complaint(error.to_string())).await?;
        }
        let term = variable("TERM").unwrap_or_default();
        if self.looks.by_ground && self.asked.is_none() && ground::can_be_asked(&term) && !self.app.desk.settings.speech
        {
            self.asked = Some(Instant::now());
            self.keyboard.awaited.begin();
            self.screen.ask_ground()?;
        }
        Ok(())
    }

    /// The terminal has answered.
    pub(super) fn stand_on(&mut self, ground: Option<Ground>) {
        let Some(ground) = ground else { return };
        self.looks.stand_on(ground);
        self.store.keep_ground(&variable("TERM").unwrap_or_default(), ground);
        self.throttle.ask(Cause::Reader);
    }

    /// Waits a moment for an answer that is still to come, before the terminal is another's. What is typed meanwhile is read
    /// afterwards.
    pub(super) async fn hear_out(&mut self) {
        let Some(asked) = self.asked else { return };
        let mut typed = Vec::new();
        while self.keyboard.awaited.is_open() && !self.terminated {
            let left = PATIENCE.saturating_sub(asked.elapsed());
            match tokio::time::timeout(left, self.keyboard.next()).await {
                Ok(Hand::Ground(ground)) => self.stand_on(ground),
                // It has none to give.
                Err(_) => self.keyboard.awaited.end(),
                Ok(end @ Hand::Says(Msg::Terminate)) => {
                    typed.push(end);
                    break;
                }
                Ok(hand @ (Hand::Says(_) | Hand::Points { .. })) => typed.push(hand),
            }
        }
        self.keyboard.put_back(typed);
    }
}
