//! Terminal events → messages.

use crate::app::{Gesture, Msg};
use crate::keys::{Code, Key};
use crossterm::event::{
    Event, EventStream, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};
use futures_util::StreamExt;
use std::fs::File;
use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// What the reader's hands do.
#[derive(Debug, PartialEq)]
pub(super) enum Hand {
    /// A message.
    Says(Msg),
    /// The mouse did something at a cell of the screen.
    Points {
        /// What.
        gesture: Gesture,
        /// From 0.
        column: u16,
        /// From 0.
        row: u16,
    },
}

/// What the terminal says.
///
/// [`EventStream`] spins whenever it is polled, and it may wake whoever polled it earlier; so one task polls it, and only when
/// there is something to read.
pub(super) struct Keyboard {
    reader: Option<JoinHandle<()>>,
    /// Without a bound, so that no key is lost when the reader stops; nobody types that fast.
    sender: mpsc::UnboundedSender<Hand>,
    inbox: mpsc::UnboundedReceiver<Hand>,
}

impl Keyboard {
    /// Nobody reads yet.
    pub(super) fn new() -> Keyboard {
        let (sender, inbox) = mpsc::unbounded_channel();
        tokio::spawn(watch(sender.clone()));
        Keyboard { reader: None, sender, inbox }
    }

    /// The next message; reads the terminal from now on.
    pub(super) async fn next(&mut self) -> Hand {
        if self.reader.is_none() {
            self.reader = Some(tokio::spawn(read(self.sender.clone())));
        }
        // It always comes: a terminal that has gone says so last, and one sender is here.
        self.inbox.recv().await.unwrap_or(Hand::Says(Msg::Terminate))
    }

    /// Where what the hands do may come from besides.
    pub(super) fn sender(&self) -> mpsc::UnboundedSender<Hand> {
        self.sender.clone()
    }

    /// Leaves the terminal to others.
    pub(super) async fn rest(&mut self) {
        if let Some(reader) = self.reader.take() {
            reader.abort();
            // It was stopped; how it ended says nothing.
            let _ = reader.await;
        }
    }
}

async fn read(messages: mpsc::UnboundedSender<Hand>) {
    let mut events = EventStream::new();
    // When the browser has gone there is nobody to tell.
    while let Some(Ok(event)) = events.next().await {
        if let Some(message) = message(event)
            && messages.send(message).is_err()
        {
            return;
        }
    }
    // The terminal has gone: a closed pty.
    let _ = messages.send(Hand::Says(Msg::Terminate));
}

/// Says when the terminal has gone, which no signal tells of where a shell, `sudo` or `nohup` keeps it to itself, and the reader
/// of events takes for a terminal that has nothing to say.
#[allow(
    deprecated,
    reason = "its successor is unsafe; what it is for, a descriptor that others close, cannot happen to this file"
)]
async fn watch(messages: mpsc::UnboundedSender<Hand>) {
    // Where it cannot be watched there is the signal.
    let Ok(terminal) = terminal() else { return };
    let Ok(terminal) = AsyncFd::with_interest(terminal, Interest::READABLE) else { return };
    while let Ok(mut ready) = terminal.readable().await {
        if ready.ready().is_read_closed() {
            // When the browser has gone there is nobody to tell.
            let _ = messages.send(Hand::Says(Msg::Terminate));
            return;
        }
        ready.clear_ready();
    }
}

/// The terminal that keys come from.
fn terminal() -> io::Result<File> {
    let standard = io::stdin();
    match standard.is_terminal() {
        true => Ok(File::from(standard.as_fd().try_clone_to_owned()?)),
        false => File::open("/dev/tty"),
    }
}

/// The message of an event; events that mean nothing here give none.
pub(super) fn message(event: Event) -> Option<Hand> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(Hand::Says(Msg::Key(key_of(key)?))),
        Event::Paste(text) => Some(Hand::Says(Msg::Paste(text))),
        Event::Resize(columns, rows) => Some(Hand::Says(Msg::Resize(columns, rows))),
        Event::Mouse(event) => {
            Some(Hand::Points { gesture: gesture(event.kind)?, column: event.column, row: event.row })
        }
        _ => None,
    }
}

fn gesture(kind: MouseEventKind) -> Option<Gesture> {
    match kind {
        MouseEventKind::Down(MouseButton::Left) => Some(Gesture::Press),
        MouseEventKind::Down(MouseButton::Middle) => Some(Gesture::Middle),
        MouseEventKind::Drag(MouseButton::Left) => Some(Gesture::Drag),
        MouseEventKind::ScrollUp => Some(Gesture::WheelUp),
        MouseEventKind::ScrollDown => Some(Gesture::WheelDown),
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
