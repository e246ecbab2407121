//! Items in, answers out: arguments or lines of standard input, each with its answer, in order.

use super::answer::Answer;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

/// What is read and written at a time, in octets.
const BLOCK: usize = 64 << 10;

/// Where errors of single items go when they came as arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Failures {
    /// They are answers like any other.
    ToStdout,
    /// One line on standard error.
    ToStderr,
}

/// A conversation on three streams.
pub(super) struct Talk<I: Read, O: Write, E> {
    pub(super) stdin: BufReader<I>,
    pub(super) stdout: BufWriter<O>,
    stderr: E,
    failed: bool,
}

impl<I: Read, O: Write, E: Write> Talk<I, O, E> {
    pub(super) fn new(stdin: I, stdout: O, stderr: E) -> Talk<I, O, E> {
        let (stdin, stdout) = (BufReader::with_capacity(BLOCK, stdin), BufWriter::with_capacity(BLOCK, stdout));
        Talk { stdin, stdout, stderr, failed: false }
    }

    /// The exit status, once all has been written.
    pub(super) fn status(&mut self) -> io::Result<u8> {
        self.stdout.flush()?;
        Ok(u8::from(self.failed))
    }

    /// Writes a text that is the whole answer.
    pub(super) fn print(&mut self, text: &str) -> io::Result<u8> {
        self.stdout.write_all(text.as_bytes())?;
        self.status()
    }

    /// Writes a line to standard error; the command ends with that status.
    pub(super) fn complain(&mut self, sentence: &str, status: u8) -> io::Result<u8> {
        writeln!(self.stderr, "{sentence}")?;
        Ok(status)
    }

    /// Answers every item: the arguments, or the lines of standard input for `-` or none.
    pub(super) fn each(
        &mut self,
        items: Vec<String>,
        failures: Failures,
        answer: impl Fn(&str) -> Answer,
    ) -> io::Result<u8> {
        if items.is_empty() || items == ["-"] {
            return self.each_line(answer);
        }
        for (i, item) in items.iter().enumerate() {
            let answer = answer(item);
            self.failed |= answer.failed;
            if answer.failed && failures == Failures::ToStderr {
                writeln!(self.stderr, "{}", answer.lines.join(" · "))?;
                continue;
            }
            if i > 0 && answer.lines.len() > 1 {
                writeln!(self.stdout)?;
            }
            for line in &answer.lines {
                writeln!(self.stdout, "{line}")?;
            }
        }
        self.status()
    }

    fn each_line(&mut self, answer: impl Fn(&str) -> Answer) -> io::Result<u8> {
        let mut line = Vec::new();
        loop {
            // Whoever asks through a pipe may wait for this answer before the next question: nothing is held back where reading
            // may have to wait. What is there already is answered in blocks.
            if !self.stdin.buffer().contains(&b'\n') {
                self.stdout.flush()?;
            }
            if self.stdin.read_until(b'\n', &mut line)? == 0 {
                return self.status();
            }
            let item = line.strip_suffix(b"\n").unwrap_or(&line);
            let item = item.strip_suffix(b"\r").unwrap_or(item);
            let answer = match std::str::from_utf8(item) {
                Ok(item) => answer(item),
                Err(_) => Answer::failure(&"the line is not UTF-8"),
            };
            self.failed |= answer.failed;
            for (i, part) in answer.lines.iter().enumerate() {
                if i > 0 {
                    self.stdout.write_all(" · ".as_bytes())?;
                }
                self.stdout.write_all(part.as_bytes())?;
            }
            self.stdout.write_all(b"\n")?;
            line.clear();
        }
    }

    /// Answers two URLs, or pairs of them from standard input.
    pub(super) fn pair(
        &mut self,
        command: &str,
        urls: Vec<String>,
        answer: impl Fn(&str, &str) -> Answer,
    ) -> io::Result<u8> {
        match urls.as_slice() {
            [a, b] => {
                let answer = answer(a, b);
                self.failed = answer.failed;
                let lines = answer.lines.join("\n");
                if lines.starts_with("error: ") {
                    writeln!(self.stderr, "{lines}")?;
                } else {
                    writeln!(self.stdout, "{lines}")?;
                }
                self.status()
            }
            [one] if one != "-" => self.complain(&format!("error: {command} needs two URLs"), 2),
            _ => self.each_line(|line| match line.split_once('\t').or_else(|| line.trim().split_once(' ')) {
                Some((a, b)) => answer(a.trim(), b.trim()),
                None => Answer::failure(&"a line must hold two URLs with a tab or a space between them"),
            }),
        }
    }
}
