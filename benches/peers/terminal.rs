//! A program in a pseudo-terminal of 80×24, timed from outside.

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

const COLUMNS: u16 = 80;
const ROWS: u16 = 24;

/// Whoever takes longer has no figure.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a program must have used no processor time to be taken for done.
const QUIET: Duration = Duration::from_millis(600);

/// From one key to the next.
const CALM: Duration = Duration::from_millis(20);

/// Where the reader's own environment would lead programs elsewhere.
pub const STATE: &[&str] = &["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "WWW_HOME"];

/// Octets as they came, and when.
type Piece = (Instant, Vec<u8>);

/// A running program.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    pieces: Receiver<Piece>,
    parser: vt100::Parser,
    started: Instant,
}

impl Terminal {
    /// Starts a program.
    pub fn start(program: &Path, words: &[String], home: &Path) -> Terminal {
        let size = PtySize { rows: ROWS, cols: COLUMNS, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(program);
        command.args(words);
        for (name, value) in [("TERM", "xterm-256color"), ("LANG", "C.UTF-8")] {
            command.env(name, value);
        }
        STATE.iter().for_each(|name| command.env_remove(name));
        command.env("HOME", home);
        command.cwd(home);
        let (sender, pieces) = channel();
        let reader = pair.master.try_clone_reader().expect("the terminal's output");
        let writer = pair.master.take_writer().expect("the terminal's input");
        thread::spawn(move || read(reader, &sender));
        let started = Instant::now();
        let child = pair.slave.spawn_command(command).expect("the program starts");
        let parser = vt100::Parser::new(cells(ROWS), cells(COLUMNS), 0);
        Terminal { child, _master: pair.master, writer, pieces, parser, started }
    }

    /// Until a text stands on the screen, from the start of the program.
    pub fn until(&mut self, text: &str) -> Option<Duration> {
        let started = self.started;
        self.wait(started, |screen| screen.contains(text))
    }

    /// The same, and the moment itself.
    pub fn until_both(&mut self, text: &str) -> Option<(Duration, Instant)> {
        self.until(text).map(|time| (time, self.started + time))
    }

    /// From a key until a text stands on the screen.
    pub fn key_until(&mut self, key: &str, text: &str) -> Option<Duration> {
        self.calm();
        let pressed = self.press(key)?;
        self.wait(pressed, |screen| screen.contains(text))
    }

    /// From a key until the first line of the screen is another one.
    pub fn key(&mut self, key: &str) -> Option<Duration> {
        self.calm();
        let first = |screen: &str| screen.lines().next().unwrap_or_default().to_owned();
        let before = first(&self.parser.screen().contents());
        let pressed = self.press(key)?;
        self.wait(pressed, |screen| first(screen) != before)
    }

    /// Waits until the program has ended by itself.
    pub fn ended(&mut self) -> Option<()> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.pieces.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok((_, octets)) => self.take(&octets),
                // The output ends with the program.
                Err(RecvTimeoutError::Disconnected) => return self.child.wait().ok().map(drop),
                Err(RecvTimeoutError::Timeout) => return None,
            }
        }
    }

    /// The most memory the program ever had, in MB, once it has nothing left to do.
    pub fn peak_memory(&mut self) -> Option<f64> {
        let process = format!("/proc/{}", self.child.process_id()?);
        let (mut used, mut since) = (String::new(), Instant::now());
        let deadline = Instant::now() + PATIENCE;
        while since.elapsed() < QUIET && Instant::now() < deadline {
            if let Ok((_, octets)) = self.pieces.recv_timeout(Duration::from_millis(50)) {
                self.take(&octets);
            }
            // Fields 14 and 15: time spent in the program and in the system for it.
            let stat = std::fs::read_to_string(format!("{process}/stat")).ok()?;
            let now: String = stat.split_ascii_whitespace().skip(13).take(2).collect();
            if now != used {
                (used, since) = (now, Instant::now());
            }
        }
        let status = std::fs::read_to_string(format!("{process}/status")).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
        let kilobytes: f64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
        Some(kilobytes * 1024.0 / 1e6)
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str) -> Option<Instant> {
        let pressed = Instant::now();
        self.writer.write_all(key.as_bytes()).and_then(|()| self.writer.flush()).ok()?;
        Some(pressed)
    }

    /// Lets the frame that is being drawn pass, as nobody types faster.
    fn calm(&mut self) {
        let calm = Instant::now() + CALM;
        while let Ok((_, octets)) = self.pieces.recv_timeout(calm.saturating_duration_since(Instant::now())) {
            self.take(&octets);
        }
    }

    fn wait(&mut self, from: Instant, done: impl Fn(&str) -> bool) -> Option<Duration> {
        loop {
            match self.pieces.recv_timeout(PATIENCE.saturating_sub(from.elapsed())) {
                Ok((at, octets)) => {
                    self.take(&octets);
                    if done(&self.parser.screen().contents()) {
                        return Some(at.saturating_duration_since(from));
                    }
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    /// Shows octets, and answers what programs ask a terminal so that none of them waits for it.
    fn take(&mut self, octets: &[u8]) {
        const ANSWERS: &[(&[u8], &[u8])] = &[(b"\x1b[6n", b"\x1b[1;1R"), (b"\x1b[c", b"\x1b[?1;2c")];
        for (question, answer) in ANSWERS {
            if octets.windows(question.len()).any(|window| window == *question) {
                // A program that has gone needs no answer.
                let _ = self.writer.write_all(answer);
            }
        }
        self.parser.process(octets);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(mut reader: Box<dyn Read + Send>, pieces: &Sender<Piece>) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(count @ 1..) = reader.read(&mut buffer) {
        if pieces.send((Instant::now(), buffer[..count].to_vec())).is_err() {
            return;
        }
    }
}

fn cells(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).unwrap_or(NonZeroU16::MIN)
}
