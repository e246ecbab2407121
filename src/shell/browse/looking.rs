//! The look of the screen as settings and the terminal's ground say; and what it can show of pictures, once there is one.

use super::Browser;
use crate::app::Msg;
use crate::picture::{self, Answer, Protocol};
use crate::shell::colour::variable;
use crate::shell::ear::Question;
use crate::shell::ground::{self, Ground};
use crate::shell::keyboard::Hand;
use crate::shell::redraw::Cause;
use std::io;
use std::time::{Duration, Instant};

/// How long a terminal has for its answer before it is given back, counted from the question: what comes later would be typed at
/// the reader's shell.
const PATIENCE: Duration = Duration::from_millis(300);

/// What the terminal was asked in this run, each once.
#[derive(Debug, Default)]
pub(super) struct Questions {
    /// Its ground.
    ground: bool,
    /// What it can show of pictures, or what else says that.
    pub(super) pictures: bool,
    /// What it can, as far as it has said.
    can: Protocol,
}

impl Browser {
    /// Takes the theme that the settings name now; asks for the ground where that decides it and nobody has asked. Before the first
    /// picture is drawn it is asked what it can.
    pub(super) async fn look(&mut self) -> io::Result<()> {
        let (changed, errors) = self.looks.follow(&self.app.desk.settings);
        if changed {
            self.screen.forget();
        }
        if let Some(error) = errors.first() {
            self.tell(Msg::Complaint(error.to_string())).await?;
        }
        let may = ground::can_be_asked(&variable("TERM").unwrap_or_default()) && !self.app.desk.settings.speech;
        if self.looks.by_ground && !self.questions.ground && may {
            self.questions.ground = true;
            self.ask(Question::Ground)?;
        }
        if self.app.sight().has_pictures() && !self.questions.pictures {
            self.questions.pictures = true;
            if may {
                self.ask(Question::Name)?;
            }
            let told = self.graphics();
            self.tell(told).await?;
        }
        Ok(())
    }

    fn ask(&mut self, question: Question) -> io::Result<()> {
        self.asked = Some(Instant::now());
        self.keyboard.awaited.begin(question);
        self.screen.ask(match question {
            Question::Ground => ground::QUESTION,
            Question::Name => picture::NAME,
            Question::Level => picture::LEVEL,
        })
    }

    /// What the terminal can show of pictures, and how large its letters are.
    pub(super) fn graphics(&self) -> Msg {
        Msg::Graphics(self.questions.can, self.screen.cell())
    }

    /// The terminal has answered.
    pub(super) fn hear(&mut self, question: Question, words: &str) -> io::Result<Option<Msg>> {
        let protocol = match question {
            Question::Ground => {
                self.stand_on(Ground::of_answer(words));
                return Ok(None);
            }
            Question::Name => match picture::by_name(words) {
                Answer::Can(protocol) => protocol,
                Answer::Ask => return self.ask(Question::Level).map(|()| None),
            },
            Question::Level => picture::by_level(words),
        };
        self.questions.can = protocol;
        Ok(Some(self.graphics()))
    }

    fn stand_on(&mut self, ground: Option<Ground>) {
        let Some(ground) = ground else { return };
        self.looks.stand_on(ground);
        self.store.keep_ground(&variable("TERM").unwrap_or_default(), ground);
        self.throttle.ask(Cause::Reader);
    }

    /// Waits a moment for an answer that is still to come, before the terminal is another's. What is typed meanwhile is read
    /// afterwards.
    pub(super) async fn hear_out(&mut self) {
        let mut typed = Vec::new();
        while let Some(asked) = self.asked.filter(|_| self.keyboard.awaited.any() && !self.terminated) {
            let left = PATIENCE.saturating_sub(asked.elapsed());
            match tokio::time::timeout(left, self.keyboard.next()).await {
                Ok(Hand::Answers(question, words)) => match self.hear(question, &words) {
                    Ok(told) => typed.extend(told.map(Hand::Says)),
                    // A terminal that has gone says so again.
                    Err(_) => self.keyboard.awaited.end_all(),
                },
                // It has none to give.
                Err(_) => self.keyboard.awaited.end_all(),
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
