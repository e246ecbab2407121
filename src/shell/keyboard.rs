//! Terminal events → messages.

use super::ear::{Awaited, Ear, Heard, Question};
use super::watchdog::Watched;
use crate::app::{Gesture, Msg};
use crate::keys::{Code, Key};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::{SpecialCodeIndex, tcgetattr};
use signal_hook::consts::SIGWINCH;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, IsTerminal, PipeReader, PipeWriter, Read};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::sync::mpsc;

/// What the reader's hands do.
#[derive(Debug, PartialEq)]
pub(super) enum Hand {
    /// A message.
    Says(Msg),
    /// The terminal answers what it was asked.
    Answers(Question, String),
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

/// What the terminal says, read by a thread of its own, so that it is heard whatever else is done.
pub(super) struct Keyboard {
    reader: Option<Reader>,
    watched: Watched,
    /// What the terminal was asked.
    pub(super) awaited: Awaited,
    /// Without a bound, so that no key is lost when the reader stops; nobody types that fast.
    sender: mpsc::UnboundedSender<Hand>,
    inbox: mpsc::UnboundedReceiver<Hand>,
    /// What was taken out of the inbox before its turn.
    early: VecDeque<Hand>,
}

struct Reader {
    thread: JoinHandle<()>,
    /// Dropped, it ends the thread.
    _hold: PipeWriter,
}

impl Keyboard {
    /// Nobody reads yet. A key that waits too long is for whoever watches.
    pub(super) fn new(watched: Watched) -> Keyboard {
        let (sender, inbox) = mpsc::unbounded_channel();
        Keyboard { reader: None, watched, awaited: Awaited::default(), sender, inbox, early: VecDeque::new() }
    }

    /// The next message; reads the terminal from now on.
    pub(super) async fn next(&mut self) -> Hand {
        if self.reader.is_none() {
            match Reader::begin(self.sender.clone(), self.watched.clone(), self.awaited.clone()) {
                Ok(reader) => self.reader = Some(reader),
                // Without a terminal there is nothing to do.
                Err(_) => return Hand::Says(Msg::Terminate),
            }
        }
        if let Some(hand) = self.early.pop_front() {
            return hand;
        }
        // It always comes: a terminal that has gone says so last, and one sender is here.
        self.inbox.recv().await.unwrap_or(Hand::Says(Msg::Terminate))
    }

    /// Puts back what was taken before its turn, in the order in which it came.
    pub(super) fn put_back(&mut self, hands: Vec<Hand>) {
        self.early.extend(hands);
    }

    /// Leaves the terminal to others: whoever has it next gets every key from now on.
    pub(super) fn rest(&mut self) {
        if let Some(Reader { thread, _hold }) = self.reader.take() {
            drop(_hold);
            // It ends with what it has begun to read; how says nothing.
            let _ = thread.join();
        }
    }
}

impl Reader {
    fn begin(hands: mpsc::UnboundedSender<Hand>, watched: Watched, awaited: Awaited) -> io::Result<Reader> {
        let terminal = terminal()?;
        let erase = Erase::of(&terminal);
        let (end, hold) = io::pipe()?;
        let (resized, resizes) = UnixStream::pair()?;
        resized.set_nonblocking(true)?;
        let size = signal_hook::low_level::pipe::register(SIGWINCH, resizes)?;
        let thread = thread::Builder::new().name("keyboard".into()).spawn(move || {
            // The terminal has gone (a closed pty), or cannot be read any more.
            let mut ear = Ear::new(awaited);
            if read(&terminal, erase, &end, &resized, &hands, &watched, &mut ear).is_err() {
                // When the browser has gone there is nobody to tell.
                let _ = hands.send(Hand::Says(Msg::Terminate));
            }
            signal_hook::low_level::unregister(size);
        })?;
        Ok(Reader { thread, _hold: hold })
    }
}

/// Reads until `end` ends; fails when the terminal has gone. No signal tells of that where a shell, `sudo` or `nohup` keeps it to
/// itself, and the reader of events takes it for a terminal that has nothing to say.
fn read(
    terminal: &File,
    erase: Erase,
    end: &PipeReader,
    mut resized: &UnixStream,
    hands: &mpsc::UnboundedSender<Hand>,
    watched: &Watched,
    ear: &mut Ear,
) -> io::Result<()> {
    /// The reader of events may hold what came with an event that it gave, and may not look for it when this thread is put aside
    /// for so long: it is asked so many times more.
    const ASKED: Duration = Duration::from_millis(10);
    const TIMES: u32 = 5;
    const NOW: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };
    /// The rest of a torn answer of the terminal's comes within this, or not at all.
    const PATIENCE: Timespec = Timespec { tv_sec: 1, tv_nsec: 0 };
    let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
    let typed = |events: Vec<Event>| {
        for hand in events.into_iter().filter_map(|event| message(event, erase)) {
            if let Hand::Says(Msg::Key(key)) = &hand {
                watched.hear(key);
            }
            hands.send(hand).map_err(|_| gone())?;
        }
        Ok::<(), io::Error>(())
    };
    // It may hold keys that were typed ahead before the terminal was lent.
    let mut left = TIMES;
    loop {
        let mut wanted = [
            PollFd::new(terminal, PollFlags::IN),
            PollFd::new(end, PollFlags::IN),
            PollFd::new(resized, PollFlags::IN),
        ];
        let patience = if left > 0 { Some(&NOW) } else { Some(&PATIENCE).filter(|_| ear.holds()) };
        match poll(&mut wanted, patience) {
            Err(Errno::INTR) => continue,
            Ok(0) if left == 0 => typed(ear.give_up())?,
            polled => drop(polled?),
        };
        let [keys, ended, size] = wanted.map(|fd| fd.revents());
        if !ended.is_empty() {
            typed(ear.give_up())?;
            return Ok(());
        }
        if size.contains(PollFlags::IN) {
            while resized.read(&mut [0; 64]).is_ok_and(|read| read > 0) {}
            let (columns, rows) = crossterm::terminal::size()?;
            hands.send(Hand::Says(Msg::Resize(columns, rows))).map_err(|_| gone())?;
        }
        if keys.contains(PollFlags::IN) && left == 0 {
            left = TIMES;
        }
        if left > 0 && event::poll(ASKED)? {
            left = TIMES;
            match ear.take(event::read()?) {
                Heard::Nothing => {}
                Heard::Answer(question, words) => {
                    hands.send(Hand::Answers(question, words)).map_err(|_| gone())?;
                }
                Heard::Typed(events) => typed(events)?,
            }
        } else {
            left = left.saturating_sub(1);
            if left == 0 {
                typed(ear.rest())?;
            }
        }
        if left == 0 && keys.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
            return Err(gone());
        }
    }
}

/// What the key that erases a character sends, as the terminal was told (`stty erase`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Erase {
    /// DEL, as nearly everywhere; C-h is a key of its own.
    Delete,
    /// BS, the same as C-h.
    Backspace,
}

impl Erase {
    fn of(terminal: &File) -> Erase {
        const BACKSPACE: u8 = 0x08;
        let said = tcgetattr(terminal).map(|modes| modes.special_codes[SpecialCodeIndex::VERASE]);
        if said == Ok(BACKSPACE) { Erase::Backspace } else { Erase::Delete }
    }
}

/// The terminal that keys come from.
pub(super) fn terminal() -> io::Result<File> {
    let standard = io::stdin();
    match standard.is_terminal() {
        true => Ok(File::from(standard.as_fd().try_clone_to_owned()?)),
        false => File::open("/dev/tty"),
    }
}

/// The message of an event; events that mean nothing here give none.
fn message(event: Event, erase: Erase) -> Option<Hand> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(Hand::Says(Msg::Key(key_of(key, erase)?))),
        Event::Paste(text) => Some(Hand::Says(Msg::Paste(text))),
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

fn key_of(event: KeyEvent, erase: Erase) -> Option<Key> {
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
    let meta = held(KeyModifiers::ALT) || held(KeyModifiers::META);
    if code == Code::Char('h') && held(KeyModifiers::CONTROL) && erase == Erase::Backspace {
        return Some(Key { meta, ..Key::plain(Code::Backspace) });
    }
    // Some keys with Control send what Control and a digit do, and are told as that.
    let code = match code {
        Code::Char('4') if held(KeyModifiers::CONTROL) => Code::Char('\\'),
        Code::Char('5') if held(KeyModifiers::CONTROL) => Code::Char(']'),
        Code::Char('6') if held(KeyModifiers::CONTROL) => Code::Char('^'),
        Code::Char('7') if held(KeyModifiers::CONTROL) => Code::Char('_'),
        code => code,
    };
    let shift = held(KeyModifiers::SHIFT) || event.code == KeyCode::BackTab;
    Some(Key { code, control: held(KeyModifiers::CONTROL), meta, shift: shift && !matches!(code, Code::Char(_)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_with_control_is_not_taken_for_a_digit() {
        let named =
            |c, modifiers| key_of(KeyEvent::new(KeyCode::Char(c), modifiers), Erase::Delete).map(|key| key.to_string());
        // What terminals send for C-_ and C-/ is the octet 1F, which crossterm tells as C-7.
        for (told, name) in [('7', "C-_"), ('6', "C-^"), ('5', "C-]"), ('4', "C-\\"), ('3', "C-3"), ('a', "C-a")] {
            assert_eq!(named(told, KeyModifiers::CONTROL).as_deref(), Some(name));
        }
        assert_eq!(named('7', KeyModifiers::NONE).as_deref(), Some("7"));
        assert_eq!(named('7', KeyModifiers::ALT).as_deref(), Some("M-7"));
        assert_eq!(named('h', KeyModifiers::CONTROL).as_deref(), Some("C-h"));
    }

    #[test]
    fn where_the_terminal_erases_by_bs_that_is_what_the_key_does() {
        let named = |modifiers| {
            key_of(KeyEvent::new(KeyCode::Char('h'), modifiers), Erase::Backspace).map(|key| key.to_string())
        };
        assert_eq!(named(KeyModifiers::CONTROL).as_deref(), Some("Backspace"));
        assert_eq!(named(KeyModifiers::NONE).as_deref(), Some("h"));
    }
}
