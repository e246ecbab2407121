//! `wayfarer replay`: a recording, shown again: screen by screen in a terminal, else the last screen as text.

use super::cli::{FAILED, SHOWN, Setup, complain, print};
use super::colour;
use super::keyboard::{Hand, Keyboard};
use super::record::{Replay, Tape, screen};
use super::terminal::{Screen, speaks_utf8};
use crate::app::Msg;
use crate::keys::{Code, Key};
use crate::theme::Theme;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

/// Octets of a recording.
const MOST: u64 = 1 << 30;

/// Shows a recording, or checks it; gives the exit status.
pub(super) fn run(file: &Path, setup: Setup, step: bool, check: bool) -> u8 {
    let utf8 = speaks_utf8();
    let theme = colour::theme(&setup.loaded, false, utf8);
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
    match walk(&mut replay, &theme, utf8, step) {
        Ok(()) => SHOWN,
        Err(error) => complain(&format!("the terminal failed: {error}")),
    }
}

fn read(file: &Path) -> Result<Tape, String> {
    let mut text = String::new();
    let file = std::fs::File::open(file).map_err(|error| error.to_string())?;
    file.take(MOST).read_to_string(&mut text).map_err(|error| error.to_string())?;
    Tape::read(&text)
}

/// Screen by screen, as the reader wants.
fn walk(replay: &mut Replay, theme: &Theme, utf8: bool, step: bool) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ended = runtime.block_on(async {
        let mut terminal = Screen::take(!utf8)?;
        let mut keyboard = Keyboard::new();
        replay.go(if step { 1 } else { usize::MAX });
        loop {
            let (at, count) = replay.place();
            terminal.draw_under(replay.app(), theme, &format!(" {at} of {count}: {} ", replay.told()))?;
            let key = match keyboard.next().await {
                Hand::Says(Msg::Key(key)) => key,
                Hand::Says(Msg::Terminate) => return Ok(()),
                Hand::Says(Msg::Resize(..)) => {
                    terminal.forget();
                    continue;
                }
                Hand::Says(_) | Hand::Points { .. } => continue,
            };
            match key {
                Key { code: Code::Char('q') | Code::Esc, .. } | Key { code: Code::Char('c'), control: true, .. } => {
                    return Ok(());
                }
                Key { code: Code::Char(' ' | 'n' | 'j') | Code::Right | Code::Down | Code::Enter, .. } => {
                    replay.go(at + 1)
                }
                Key { code: Code::Char('p' | 'k') | Code::Left | Code::Up | Code::Backspace, .. } => {
                    replay.go(at.saturating_sub(1));
                }
                Key { code: Code::PageDown, .. } => replay.go(at + 10),
                Key { code: Code::PageUp, .. } => replay.go(at.saturating_sub(10)),
                Key { code: Code::Home, .. } => replay.go(0),
                Key { code: Code::End, .. } => replay.go(usize::MAX),
                _ => {}
            }
        }
    });
    runtime.shutdown_background();
    ended
}
