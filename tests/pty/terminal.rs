//! The real program in a pseudo-terminal: type keys, wait for what the screen shows. It waits for conditions, never for time.

use portable_pty::{ChildKiller, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a condition may take before the test fails; generous, for slow machines.
const DEADLINE: Duration = Duration::from_secs(30);

/// The program under test, as it is built with the tests.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_wayfarer");

/// The program under test, or the one that `WAYFARER_PROGRAM` names: what is tuned for speed is what the reader has.
pub fn program() -> String {
    std::env::var("WAYFARER_PROGRAM").unwrap_or_else(|_| PROGRAM.into())
}

/// The environment of programs under test; nothing of this process's own comes to them.
const ENVIRONMENT: [(&str, &str); 3] = [("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("PATH", "/usr/bin:/bin")];

/// The program without a terminal, in the same environment.
pub fn piped(home: &Path) -> std::process::Command {
    let mut command = std::process::Command::new(PROGRAM);
    command.env_clear().envs(ENVIRONMENT).env("HOME", home).current_dir(home);
    command
}

struct Shown {
    parser: vt100::Parser,
    raw: Vec<u8>,
    /// Nothing more is read.
    closed: bool,
    /// Nothing more is wanted.
    closing: bool,
    /// Nothing is read.
    deaf: bool,
}

/// A running program and its screen.
pub struct Terminal {
    id: u32,
    killer: Box<dyn ChildKiller + Send + Sync>,
    ended: Receiver<u32>,
    status: Option<u32>,
    master: Option<Box<dyn MasterPty + Send>>,
    writer: Option<Box<dyn Write + Send>>,
    shown: Arc<(Mutex<Shown>, Condvar)>,
    home: TempDir,
}

/// Letters of 8 by 16 pixels.
fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 8 * columns, pixel_height: 16 * rows }
}

pub fn cells(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).unwrap()
}

/// The colour in which a text stands on a screen.
pub fn colour_of(screen: &vt100::Screen, text: &str) -> vt100::Color {
    let (rows, columns) = screen.size();
    let (rows, columns) = (rows.get(), columns.get());
    let row = |row: u16| screen.contents_between(row, 0, row, columns);
    let row = (0..rows).find(|at| row(*at).contains(text)).expect("the text on the screen");
    let mut line = String::new();
    for cell in (0..columns).filter_map(|column| screen.cell(row, column)) {
        line.push_str(cell.contents());
        if line.ends_with(text) {
            return cell.fgcolor();
        }
    }
    panic!("{text:?} is not on the screen");
}

impl Terminal {
    /// Starts `wayfarer` with arguments on a screen of 80×24, with a home folder in which nothing is kept yet.
    pub fn start(arguments: &[&str]) -> Terminal {
        Terminal::start_with(arguments, 80, 24, &[])
    }

    /// Starts it on a screen of another size and with more environment.
    pub fn start_with(arguments: &[&str], columns: u16, rows: u16, environment: &[(&str, &str)]) -> Terminal {
        Terminal::start_program(&program(), arguments, columns, rows, environment)
    }

    /// Starts another program, such as a shell from which `wayfarer` is started.
    pub fn start_program(
        program: &str,
        arguments: &[&str],
        columns: u16,
        rows: u16,
        environment: &[(&str, &str)],
    ) -> Terminal {
        let home = tempfile::tempdir().unwrap();
        // Somebody who was here before: nothing takes rows from the page. With --safe nobody is greeted.
        if !arguments.contains(&"--safe") {
            std::fs::create_dir_all(home.path().join(".local/state/wayfarer")).unwrap();
        }
        let pair = native_pty_system().openpty(size(columns, rows)).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env_clear();
        command.cwd(home.path());
        for (name, value) in ENVIRONMENT {
            command.env(name, value);
        }
        command.env("HOME", home.path());
        environment.iter().for_each(|(name, value)| command.env(name, value));
        let mut child = pair.slave.spawn_command(command).unwrap();
        let (id, killer) = (child.process_id().unwrap(), child.clone_killer());
        let (sender, ended) = channel();
        std::thread::spawn(move || sender.send(child.wait().unwrap().exit_code()));
        drop(pair.slave);
        let reader = pair.master.try_clone_reader().unwrap();
        let parser = vt100::Parser::new(cells(rows), cells(columns), 0);
        let shown = Arc::new((
            Mutex::new(Shown { parser, raw: Vec::new(), closed: false, closing: false, deaf: false }),
            Condvar::new(),
        ));
        let writer = pair.master.take_writer().unwrap();
        std::thread::spawn({
            let shown = Arc::clone(&shown);
            move || watch(reader, &shown)
        });
        Terminal { id, killer, ended, status: None, master: Some(pair.master), writer: Some(writer), shown, home }
    }

    /// The program's home folder.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Types text as it is, but not at what came by itself so lately that nobody can have read it.
    pub fn keys(&mut self, keys: &str) -> &mut Terminal {
        self.frame_that("what came to be read", |screen| !screen.contents().contains("just came"));
        self.burst(keys)
    }

    /// Types text as it is, whatever is on the screen.
    pub fn burst(&mut self, keys: &str) -> &mut Terminal {
        let writer = self.writer.as_mut().unwrap();
        writer.write_all(keys.as_bytes()).unwrap();
        writer.flush().unwrap();
        self
    }

    /// The screen as text.
    pub fn screen(&self) -> String {
        self.shown.0.lock().unwrap().parser.screen().contents()
    }

    /// The colour in which a text stands on the screen.
    pub fn colour_of(&self, text: &str) -> vt100::Color {
        colour_of(self.shown.0.lock().unwrap().parser.screen(), text)
    }

    /// Every octet that the program has written so far.
    pub fn raw(&self) -> Vec<u8> {
        self.shown.0.lock().unwrap().raw.clone()
    }

    /// Whether the alternate screen is on and the cursor hidden, as left by the program.
    pub fn modes(&self) -> (bool, bool) {
        let shown = self.shown.0.lock().unwrap();
        (shown.parser.screen().alternate_screen(), shown.parser.screen().hide_cursor())
    }

    /// Whether pasted text is still marked as such.
    pub fn brackets_paste(&self) -> bool {
        self.shown.0.lock().unwrap().parser.screen().bracketed_paste()
    }

    /// Whether the terminal passes keys on one by one and unechoed.
    pub fn is_raw(&self) -> bool {
        const CANONICAL_AND_ECHO: u32 = 0o12;
        let modes = self.master.as_ref().unwrap().get_termios().unwrap();
        modes.local_flags.bits() & CANONICAL_AND_ECHO == 0
    }

    /// The number of the program's process.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Waits until the screen shows a text.
    pub fn see(&mut self, text: &str) -> &mut Terminal {
        self.see_that(&format!("{text:?}"), |screen| screen.contains(text))
    }

    /// Waits until the screen shows a text no more; half a frame may lack what the whole has.
    pub fn see_no(&mut self, text: &str) -> &mut Terminal {
        self.frame_that(&format!("no {text:?}"), |screen| !screen.contents().contains(text))
    }

    /// Waits until the screen fulfils a condition.
    pub fn see_that(&mut self, what: &str, mut holds: impl FnMut(&str) -> bool) -> &mut Terminal {
        self.wait(what, |_, screen| holds(&screen.contents()))
    }

    /// Waits until the screen, with its colours, fulfils a condition.
    pub fn cells_that(&mut self, what: &str, mut holds: impl FnMut(&vt100::Screen) -> bool) -> &mut Terminal {
        self.wait(what, |_, screen| holds(screen))
    }

    /// Waits until a screen that is drawn to its end fulfils a condition.
    pub fn frame_that(&mut self, what: &str, mut holds: impl FnMut(&vt100::Screen) -> bool) -> &mut Terminal {
        let last = |raw: &[u8], mark: &[u8]| raw.windows(mark.len()).rposition(|here| here == mark);
        // Synchronised updates, as the program marks them.
        self.wait(what, |raw, screen| last(raw, b"\x1b[?2026l") >= last(raw, b"\x1b[?2026h") && holds(screen))
    }

    /// Waits until a link that begins with a text has the focus: the terminal's cursor stands there, or on the mark before it.
    pub fn focused(&mut self, text: &str) -> &mut Terminal {
        self.frame_that(&format!("the focus on {text:?}"), |screen| {
            let ((row, column), (_, columns)) = (screen.cursor_position(), screen.size());
            let here = screen.contents_between(row, column, row, columns.get());
            here.trim_start_matches('▸').starts_with(text)
        })
    }

    /// Waits until the page has come: the status bar has the time that it took.
    pub fn loaded(&mut self) -> &mut Terminal {
        self.see_that("a whole page", |screen| screen.contains(" ms ") || screen.contains(" s "))
    }

    /// Waits until what the program has written fulfils a condition.
    pub fn raw_that(&mut self, what: &str, mut holds: impl FnMut(&[u8]) -> bool) -> &mut Terminal {
        self.wait(what, |raw, _| holds(raw))
    }

    fn wait(&mut self, what: &str, mut holds: impl FnMut(&[u8], &vt100::Screen) -> bool) -> &mut Terminal {
        let (lock, changed) = &*self.shown;
        let started = Instant::now();
        let mut shown = lock.lock().unwrap();
        loop {
            if holds(&shown.raw, shown.parser.screen()) {
                break;
            }
            let left = DEADLINE.saturating_sub(started.elapsed());
            if left.is_zero() || shown.closed {
                let screen = shown.parser.screen().contents();
                drop(shown);
                panic!("waited for {what} in vain; the screen:\n{screen}");
            }
            shown = changed.wait_timeout(shown, left).unwrap().0;
        }
        drop(shown);
        self
    }

    /// Makes the screen another size.
    pub fn resize(&mut self, columns: u16, rows: u16) -> &mut Terminal {
        let mut shown = self.shown.0.lock().unwrap();
        shown.parser.screen_mut().set_size(cells(rows), cells(columns));
        self.master.as_ref().unwrap().resize(size(columns, rows)).unwrap();
        drop(shown);
        self
    }

    /// Sends a signal.
    pub fn signal(&mut self, signal: Signal) -> &mut Terminal {
        kill_process(Pid::from_raw(self.id.cast_signed()).unwrap(), signal).unwrap();
        self
    }

    /// Reads nothing of what the program writes any more, or all of it again.
    pub fn deaf(&mut self, deaf: bool) -> &mut Terminal {
        self.shown.0.lock().unwrap().deaf = deaf;
        self.shown.1.notify_all();
        self
    }

    /// Closes the pseudo-terminal under the program.
    pub fn close(&mut self) -> &mut Terminal {
        self.shown.0.lock().unwrap().closing = true;
        // The reading thread lets go as soon as it is given something; the program knows nothing of it.
        const NO_CONTROL: i32 = 0o400;
        let name = self.master.as_ref().unwrap().tty_name().unwrap();
        let mut other = std::fs::OpenOptions::new().write(true).custom_flags(NO_CONTROL).open(name).unwrap();
        other.write_all(b"\x07").unwrap();
        drop(other);
        self.drained();
        self.writer = None;
        self.master = None;
        self
    }

    /// Waits for the program's end; its exit status.
    pub fn end(&mut self) -> u32 {
        let status = self.ended.recv_timeout(DEADLINE);
        self.status = status.ok();
        self.status.unwrap_or_else(|| panic!("the program does not end; the screen:\n{}", self.screen()))
    }

    /// Waits until everything that the program wrote has been read (after its end).
    pub fn drained(&mut self) -> &mut Terminal {
        let (lock, changed) = &*self.shown;
        let shown = lock.lock().unwrap();
        let (shown, waited) = changed.wait_timeout_while(shown, DEADLINE, |shown| !shown.closed).unwrap();
        drop(shown);
        assert!(!waited.timed_out(), "somebody still holds the terminal");
        self
    }
}

/// A test that fails half-way leaves no program behind.
impl Drop for Terminal {
    fn drop(&mut self) {
        if self.status.is_none() {
            let _ = self.killer.kill();
            let _ = self.ended.recv_timeout(DEADLINE);
        }
    }
}

fn watch(mut reader: Box<dyn Read + Send>, shown: &(Mutex<Shown>, Condvar)) {
    let mut octets = [0; 1 << 16];
    loop {
        drop(shown.1.wait_while(shown.0.lock().unwrap(), |shown| shown.deaf).unwrap());
        let read = reader.read(&mut octets).unwrap_or(0);
        let mut state = shown.0.lock().unwrap();
        state.closed = read == 0 || state.closing;
        state.parser.process(&octets[..read]);
        state.raw.extend_from_slice(&octets[..read]);
        let closed = state.closed;
        if closed {
            drop(std::mem::replace(&mut reader, Box::new(std::io::empty())));
        }
        drop(state);
        shown.1.notify_all();
        if closed {
            return;
        }
    }
}
