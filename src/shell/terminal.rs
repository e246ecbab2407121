//! The terminal: taken over, given back; given back also after a panic.

use super::device::Device;
use super::watchdog::Watched;
use crate::app::{Mouse, Pane, Spot};
use crate::doc::{beginning, sanitise};
use crate::theme::Theme;
use crate::view::Spots;
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::style::Print;
use crossterm::terminal::{
    self, BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, SetTitle,
};
use crossterm::{Command, clipboard::CopyToClipboard, cursor, execute, queue};
use ratatui::Terminal;
use ratatui::style::Modifier;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, BufWriter, Stdout, Write};
use std::mem::ManuallyDrop;
use std::os::fd::AsFd;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Presses, the wheel, and moves with a button held, in the form that counts columns beyond 223. crossterm's own sequence asks
/// for every move of the pointer besides, each of which would wake the program.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
/// The end of it.
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";

/// Keeps the window's title on the terminal's own stack, and takes it from there.
const SAVE_TITLE: &str = "\x1b[22;0t";
/// See [`SAVE_TITLE`].
const RESTORE_TITLE: &str = "\x1b[23;0t";

/// No time at all.
const NOW: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

/// Whether the terminal is ours, for those who give it back from elsewhere: a panic can strike anywhere, and a signal.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Held while a piece of a frame goes out, so that what is written past it from elsewhere comes after it.
static WRITING: Mutex<()> = Mutex::new(());

/// How often, and at what distance, somebody who gives the terminal back asks whether the piece of a frame is out.
const PATIENCE: (u32, Duration) = (20, Duration::from_millis(5));

/// The terminal while it is ours; dropping it gives it back.
pub(super) struct Screen {
    /// Never dropped itself: it would complain of a terminal that has gone, to that terminal, and panic.
    terminal: ManuallyDrop<Terminal<Device<BufWriter<Out>>>>,
    watched: Watched,
    /// The locale cannot show more than ASCII.
    ascii: bool,
    /// What is on the screen is not known any more.
    stale: bool,
    /// Who has the mouse.
    mouse: Mouse,
    /// The title of the terminal's window, as we set it last.
    title: String,
    /// What stands where.
    spots: Spots,
    /// Which pictures the terminal has painted, and where.
    painted: Vec<(u32, Pane, (u16, u16))>,
}

impl Screen {
    /// Takes the terminal over; what is drawn goes out cell by cell, or by rows.
    pub(super) fn take(ascii: bool, by_rows: bool, watched: &Watched) -> io::Result<Screen> {
        give_back_on_panic();
        let out = Out { terminal: io::stdout(), watched: watched.clone() };
        let backend = Device::new(BufWriter::with_capacity(1 << 16, out), by_rows);
        let taken = enter().and_then(|()| Terminal::new(backend));
        match taken {
            Ok(terminal) => Ok(Screen {
                terminal: ManuallyDrop::new(terminal),
                watched: watched.clone(),
                ascii,
                stale: false,
                mouse: Mouse::Off,
                title: String::new(),
                spots: Spots::default(),
                painted: Vec::new(),
            }),
            // The failure that is told is the first one.
            Err(error) => leave().and(Err(error)),
        }
    }

    /// Draws the browser as it stands.
    pub(super) fn draw(&mut self, app: &crate::app::App, theme: &Theme) -> io::Result<()> {
        self.draw_under(app, theme, "")
    }

    /// The same with some words over its first row.
    pub(super) fn draw_under(&mut self, app: &crate::app::App, theme: &Theme, words: &str) -> io::Result<()> {
        let ascii = self.ascii;
        self.follow(app)?;
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        let painted = crate::view::painted(app, self.terminal.get_frame().area());
        // What a terminal has painted past the cells goes when it is cleared, and not before.
        self.stale |= std::mem::replace(&mut self.painted, painted.clone()) != painted;
        if std::mem::take(&mut self.stale) {
            // `Terminal::clear` asks the terminal where its cursor is and waits for the answer; this does not.
            let size = self.terminal.size()?;
            self.terminal.resize(size.into())?;
        }
        let spots = &mut self.spots;
        self.terminal.draw(|frame| {
            *spots = crate::view::draw(frame, app, theme);
            let width = usize::from(frame.area().width);
            if width > 0 && frame.area().height > 0 && !words.is_empty() {
                frame.buffer_mut().set_stringn(0, 0, sanitise(words), width, Modifier::REVERSED);
            }
            if ascii {
                fold_to_ascii(frame.buffer_mut());
            }
        })?;
        if let Some(at) = self.spots.focus() {
            queue!(self.terminal.backend_mut(), cursor::MoveTo(at.x, at.y))?;
        }
        queue!(self.terminal.backend_mut(), EndSynchronizedUpdate)?;
        Write::flush(self.terminal.backend_mut())
    }

    /// Takes the mouse or leaves it, and names the window after the page.
    fn follow(&mut self, app: &crate::app::App) -> io::Result<()> {
        if self.mouse != app.choices().mouse {
            self.mouse = app.choices().mouse;
            self.catch_mouse()?;
        }
        let new = if app.tab.handed { "New: " } else { "" };
        let named_after = app.entry();
        let title = named_after.map(|entry| self.window_title(&entry.title())).unwrap_or_default();
        let title = format!("{new}{title}");
        if self.title != title {
            queue!(self.terminal.backend_mut(), SetTitle(format!("{title} - Wayfarer")))?;
            self.title = title;
        }
        Ok(())
    }

    /// As much of a title as a window has room for, in characters that it can show.
    fn window_title(&self, title: &str) -> String {
        const LETTERS: usize = 200;
        let shown = |c: char| if self.ascii && !c.is_ascii() { '?' } else { c };
        // Where a line may break is nothing to a window, and there a name with it only looks like another one.
        let seen = |c: &char| *c != '\u{200b}';
        sanitise(title).chars().filter(seen).take(LETTERS).map(shown).collect()
    }

    fn catch_mouse(&mut self) -> io::Result<()> {
        let sequence = if self.mouse == Mouse::On { MOUSE_ON } else { MOUSE_OFF };
        queue!(self.terminal.backend_mut(), Print(sequence))
    }

    /// What stands at a cell of the screen, as it was drawn last.
    pub(super) fn spot(&self, column: u16, row: u16) -> Option<Spot> {
        self.spots.at(column, row)
    }

    /// Asks the terminal something; the answer comes among the keys.
    pub(super) fn ask(&mut self, question: &str) -> io::Result<()> {
        execute!(self.terminal.backend_mut(), Print(question))
    }

    /// How many pixels a letter has across and down, where the system knows.
    pub(super) fn cell(&self) -> Option<(u16, u16)> {
        let window = terminal::window_size().ok()?;
        let size = (window.width.checked_div(window.columns)?, window.height.checked_div(window.rows)?);
        (size.0 > 0 && size.1 > 0).then_some(size)
    }

    /// Forgets what is on the screen, so that the next draw writes everything.
    pub(super) fn forget(&mut self) {
        self.stale = true;
    }

    /// Columns and rows.
    pub(super) fn size(&self) -> io::Result<(u16, u16)> {
        terminal::size()
    }

    /// Puts text on the clipboard by OSC 52.
    pub(super) fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(self.terminal.backend_mut(), CopyToClipboard::to_clipboard_from(text))
    }

    /// Gives the terminal away for a while.
    pub(super) fn lend(&mut self) -> io::Result<()> {
        // How long it is lent is for the reader to say.
        self.watched.rest();
        leave()
    }

    /// Takes it again.
    pub(super) fn retake(&mut self) -> io::Result<()> {
        self.watched.retake();
        self.watched.work();
        enter()?;
        self.catch_mouse()?;
        self.forget();
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // The terminal may be gone already (a closed pty); there is nobody to tell.
        let _ = leave();
    }
}

/// The terminal to write to, without the standard library's buffer, which would go out at the end of the process. One that takes
/// nothing keeps us waiting, which is no fault of a page.
struct Out {
    terminal: Stdout,
    watched: Watched,
}

impl Write for Out {
    /// After the terminal has been given back nothing goes out: the rest of a frame would hide the cursor again.
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.watched.write();
        let writing = WRITING.lock();
        let taken = TAKEN.load(Ordering::SeqCst);
        let written = if taken { rustix::io::write(&self.terminal, octets) } else { Ok(octets.len()) };
        drop(writing);
        self.watched.work();
        Ok(written?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn enter() -> io::Result<()> {
    terminal::enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    execute!(io::stdout(), Print(SAVE_TITLE), EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)
}

/// Once only: leaving twice puts the cursor back over what was written in between, such as a panic's message.
fn leave() -> io::Result<()> {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return Ok(());
    }
    await_last_piece();
    let mut out = io::stdout();
    let shown = out.write_all(farewell().as_bytes()).and_then(|()| out.flush());
    terminal::disable_raw_mode().and(shown)
}

/// Of a frame nothing goes out any more but the piece that is on its way; a terminal that takes none of it is not waited for.
fn await_last_piece() {
    let (times, distance) = PATIENCE;
    for _ in 0..times {
        if WRITING.try_lock().is_ok() {
            return;
        }
        std::thread::sleep(distance);
    }
}

/// What gives the reader's own screen back.
fn farewell() -> String {
    let mut text = String::new();
    // Writing to a text does not fail. A frame may be half written, and the terminal would wait for the rest.
    let _ = EndSynchronizedUpdate.write_ansi(&mut text);
    text.push_str(MOUSE_OFF);
    let _ = DisableBracketedPaste.write_ansi(&mut text);
    let _ = LeaveAlternateScreen.write_ansi(&mut text);
    text.push_str(RESTORE_TITLE);
    let _ = cursor::Show.write_ansi(&mut text);
    text
}

/// Gives the terminal back while another thread may be writing to it for ever: what it does not take at once it does not get.
pub(super) fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        await_last_piece();
        write_past(io::stdout(), &farewell());
        // There is nobody left to tell.
        let _ = terminal::disable_raw_mode();
    }
}

/// Writes a sentence over the last row while another thread has the screen; false when the terminal takes nothing now.
pub(super) fn overwrite(sentence: &str) -> bool {
    let Ok((columns, rows)) = terminal::size() else { return false };
    let words = beginning(sentence, usize::from(columns));
    // The cursor and the colours are where they were afterwards.
    write_past(io::stdout(), &format!("\x1b7\x1b[{rows};1H\x1b[0;7m\x1b[2K{words}\x1b8"))
}

/// Tells what went wrong, where that takes it at once.
pub(super) fn complain_past(sentence: &str) {
    write_past(io::stderr(), &format!("wayfarer: {sentence}\n"));
}

/// Writes beside the standard library, whose lock a thread holds that writes without end.
fn write_past(out: impl AsFd, text: &str) -> bool {
    let mut wanted = [PollFd::new(&out, PollFlags::OUT)];
    let takes = poll(&mut wanted, Some(&NOW)).is_ok() && wanted[0].revents().contains(PollFlags::OUT);
    takes && rustix::io::write(&out, text.as_bytes()).is_ok()
}

fn give_back_on_panic() {
    let earlier = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !crate::stop::is_guarded() {
            let _ = leave();
            earlier(info);
        }
    }));
}

/// On a terminal that is not UTF-8, every cell becomes ASCII: better a `?` than a broken line.
fn fold_to_ascii(buffer: &mut ratatui::buffer::Buffer) {
    for cell in &mut buffer.content {
        if !cell.symbol().is_ascii() {
            cell.set_symbol("?");
        }
    }
}

/// Whether the locale says UTF-8.
pub(super) fn speaks_utf8() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(|name| std::env::var(name).ok());
    let first = locale.into_iter().find(|value| !value.is_empty()).unwrap_or_default().to_ascii_lowercase();
    first.contains("utf-8") || first.contains("utf8")
}

#[cfg(test)]
mod tests {
    use super::*;
    use portable_pty::{CommandBuilder, PtySize, native_pty_system};
    use std::io::Read;

    /// Set in the process that is to panic.
    const PANICS: &str = "WAYFARER_TEST_PANICS";

    #[test]
    fn a_panic_gives_the_terminal_back() {
        if std::env::var_os(PANICS).is_some() {
            let mut screen = Screen::take(false, false, &Watched::new()).unwrap();
            execute!(screen.terminal.backend_mut(), BeginSynchronizedUpdate).unwrap();
            panic!("on purpose");
        }
        let pair = native_pty_system().openpty(PtySize::default()).unwrap();
        let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
        command.args(["--exact", "shell::terminal::tests::a_panic_gives_the_terminal_back", "--nocapture"]);
        command.env_clear();
        command.env(PANICS, "1");
        command.cwd("/");
        let mut child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut written = Vec::new();
        // The end of a pseudo-terminal is an error to its reader.
        let _ = pair.master.try_clone_reader().unwrap().read_to_end(&mut written);
        assert!(!child.wait().unwrap().success());
        let written = String::from_utf8_lossy(&written);
        let at = |text: &str| written.find(text).unwrap_or_else(|| panic!("{text:?} is not in {written:?}"));
        assert!(at("\x1b[?1049h") < at("\x1b[?1049l"), "{written:?}");
        assert!(at("\x1b[?1049l") < at("on purpose"), "the message stands on the reader's own screen: {written:?}");
        assert_eq!(written.matches("\x1b[?1049l").count(), 1, "{written:?}");
        assert!(at("\x1b[?2026h") < at("\x1b[?2026l"), "{written:?}");
        assert!(at("\x1b[?25l") < at("\x1b[?25h"), "{written:?}");
        let modes = pair.master.get_termios().unwrap().local_flags.bits();
        assert_eq!(modes & 0o12, 0o12, "lines and echo are on again");
    }
}
