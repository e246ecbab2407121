//! Terminal events → messages.

use crate::app::Msg;
use crate::keys::{Code, Key};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// The message of an event; events that mean nothing here give none.
pub(super) fn message(event: Event) -> Option<Msg> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(Msg::Key(key_of(key)?)),
        Event::Paste(text) => Some(Msg::Paste(text)),
        _ => None,
    }
}

fn key_of(event: KeyEvent) -> Option<Key> {
    let code = match event.code {
        KeyCode::Char(c) => Code::Char(c),
        KeyCode::Enter => Code::Enter,
        KeyCode::Esc => Code::Esc,
        KeyCode::Tab | KeyCode::BackTab => Code::Tab,
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        KeyCode::Insert => Code::Insert,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        KeyCode::F(n) => Code::F(n),
        _ => return None,
    };
    let held = |modifier| event.modifiers.contains(modifier);
    let shift = held(KeyModifiers::SHIFT) || event.code == KeyCode::BackTab;
    Some(Key {
        code,
        control: held(KeyModifiers::CONTROL),
        meta: held(KeyModifiers::ALT) || held(KeyModifiers::META),
        shift: shift && !matches!(code, Code::Char(_)),
    })
}
