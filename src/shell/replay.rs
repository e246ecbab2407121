//! `wayfarer replay`: a recording, shown again: screen by screen in a terminal, else the last screen as text.

use super::cli::{FAILED, SHOWN, complain, print};
use super::colour::{Looks, variable};
use super::ground::Ground;
use super::keyboard::{Hand, Keyboard};
use super::record::{MOST, Replay, Tape, screen, too_long};
use super::setup::Setup;
use super::terminal::{Screen, speaks_utf8};
use super::watchdog::Watched;
use crate::app::Msg;
use crate::keys::{Code, Key};
use crate::theme::Theme;
use std::collections::VecDeque;
use std::io::{self, BufReader, IsTerminal};
use std::path::Path;

/// Shows a recording, or checks it; gives the exit status.
pub(super) fn run(file: &Path, setup: Setup, step: bool, check: bool) -> u8 {
    let utf8 = speaks_utf8();
    let folder = setup.loaded.folder.as_deref();
    let mut looks = Looks::new(folder, false, utf8, Ground::of_environment(variable).unwrap_or_default());
    looks.follow(&setup.loaded.settings);
    let theme = looks.theme;
    let tape = match read(file) {
        Ok(tape) => tape,
        Err(wrong) => return complain(&format!("{}: {wrong}", file.display())),
    };
    let mut replay = Replay::new(tape, setup.loaded.settings, setup.loaded.keymap);
    if !replay.has_same_settings() {
        complain("the settings or keys are others than those that it was recorded with");
    }
    if check {
        return match replay.check() {
            Ok(()) => SHOWN,
            Err(difference) => {
                if !replay.has_octets() {
                    complain("it was recorded without --record-octets: what pages led to cannot be the same");
                }
                print(format!("{difference}\n").as_bytes());
                FAILED
            }
        };
    }
    if !io::stdout().is_terminal() {
        replay.go(usize::MAX);
        return match screen(replay.app(), &theme) {
            Ok(text) => print(text.as_bytes()),
            Err(error) => complain(&error.to_string()),
        };
    }
    match walk(replay, &theme, utf8, step) {
        Ok(()) => SHOWN,
        Err(error) => complain(&format!("the terminal failed: {error}")),
    }
}

fn read(file: &Path) -> Result<Tape, String> {
    let file = std::fs::File::open(file).map_err(|error| error.to_string())?;
    if file.metadata().is_ok_and(|known| known.len() > MOST) {
        return Err(too_long());
    }
    Tape::read(BufReader::new(file))
}

/// Screen by screen, as the reader wants.
fn walk(mut replay: Replay, theme: &Theme, utf8: bool, step: bool) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ended = runtime.block_on(async {
        let watched = Watched::new();
        let mut terminal = Screen::take(!utf8, replay.app().desk.settings.speech, &watched)?;
        let mut hands = Hands { keyboard: Keyboard::new(watched), early: VecDeque::new() };
        // On the way to it there is the beginning to be seen.
        let mut next = Some(if step { 1 } else { usize::MAX });
        loop {
            let (at, count) = replay.place();
            terminal.draw_under(replay.app(), theme, &format!(" {at} of {count}: {} ", replay.told()))?;
            if let Some(to) = next.take() {
                match hands.go(replay, to).await? {
                    Some(there) => replay = there,
                    None => return Ok(()),
                }
                continue;
            }
            match hands.next().await {
                hand if ends(&hand) => return Ok(()),
                Hand::Says(Msg::Key(key)) => next = place(key, at),
                Hand::Says(Msg::Resize(..)) => terminal.forget(),
                Hand::Says(_) | Hand::Points { .. } | Hand::Answers(..) => {}
            }
        }
    });
    runtime.shutdown_background();
    ended
}

/// Where a key leads to.
fn place(key: Key, at: usize) -> Option<usize> {
    Some(match key.code {
        Code::Char(' ' | 'n' | 'j') | Code::Right | Code::Down | Code::Enter => at.saturating_add(1),
        Code::Char('p' | 'k') | Code::Left | Code::Up | Code::Backspace => at.saturating_sub(1),
        Code::PageDown => at.saturating_add(10),
        Code::PageUp => at.saturating_sub(10),
        Code::Home => 0,
        Code::End => usize::MAX,
        _ => return None,
    })
}

/// Whether the reader has had enough.
fn ends(hand: &Hand) -> bool {
    match hand {
        Hand::Says(Msg::Key(Key { code: Code::Char('q') | Code::Esc, .. })) => true,
        Hand::Says(Msg::Key(Key { code: Code::Char('c'), control: true, .. })) => true,
        Hand::Says(Msg::Terminate) => true,
        Hand::Says(_) | Hand::Points { .. } | Hand::Answers(..) => false,
    }
}

/// What the reader does, also while the recording is being told.
struct Hands {
    keyboard: Keyboard,
    /// What was done before it could be served.
    early: VecDeque<Hand>,
}

impl Hands {
    async fn next(&mut self) -> Hand {
        match self.early.pop_front() {
            Some(hand) => hand,
            None => self.keyboard.next().await,
        }
    }

    /// Goes to a place, on a thread of its own: one message may take long. `None` when the reader has had enough before.
    async fn go(&mut self, mut replay: Replay, to: usize) -> io::Result<Option<Replay>> {
        if self.early.iter().any(ends) {
            return Ok(None);
        }
        let mut way = tokio::task::spawn_blocking(move || {
            replay.go(to);
            replay
        });
        loop {
            tokio::select! {
                there = &mut way => return there.map(Some).map_err(io::Error::other),
                hand = self.keyboard.next() => match ends(&hand) {
                    true => return Ok(None),
                    false => self.early.push_back(hand),
                },
            }
        }
    }
}
