//! Items in, answers out: arguments or lines of standard input, each with its answer, in order.

use super::answer::{Answer, broken, overlong, visible};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::thread;

/// What is read and written at a time, in octets.
const BLOCK: usize = 256 << 10;
/// Lines of fewer octets are answered where they are: others would only be waited for.
const SHARED: usize = 16 << 10;
/// The most that share the lines.
const HANDS: usize = 8;
/// The longest line that is read, in octets; as long as a URL may be.
const LONGEST: usize = 64 << 20;

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
    /// Answers are objects, so that what is wrong with a line is one too.
    json: bool,
    failed: bool,
}

impl<I: Read, O: Write, E: Write> Talk<I, O, E> {
    pub(super) fn new(stdin: I, stdout: O, stderr: E, json: bool) -> Talk<I, O, E> {
        let (stdin, stdout) = (BufReader::with_capacity(BLOCK, stdin), BufWriter::with_capacity(BLOCK, stdout));
        Talk { stdin, stdout, stderr, json, failed: false }
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
        writeln!(self.stderr, "{}", visible(sentence))?;
        Ok(status)
    }

    /// Answers every item: the arguments, or the lines of standard input for `-` or none.
    pub(super) fn each(
        &mut self,
        items: Vec<String>,
        failures: Failures,
        answer: impl Fn(&str) -> Answer + Sync,
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

    fn each_line(&mut self, answer: impl Fn(&str) -> Answer + Sync) -> io::Result<u8> {
        let hands = thread::available_parallelism().map_or(1, usize::from).min(HANDS);
        loop {
            // Whoever asks through a pipe may wait for this answer before the next question: nothing is held back where reading
            // may have to wait. What is there already is answered in blocks.
            let there = self.stdin.buffer();
            if let Some(end) = memchr::memrchr(b'\n', there) {
                let lines = there[..=end].to_vec();
                self.stdin.consume(lines.len());
                for (text, failed) in shared(&lines, hands, self.json, &answer) {
                    self.stdout.write_all(&text)?;
                    self.failed |= failed;
                }
                continue;
            }
            self.stdout.flush()?;
            let mut line = Vec::new();
            let most = u64::try_from(LONGEST + 2).unwrap_or(u64::MAX);
            if self.stdin.by_ref().take(most).read_until(b'\n', &mut line)? == 0 {
                return self.status();
            }
            if line.len() > LONGEST + 1 && !line.ends_with(b"\n") {
                // The rest of it is no other line.
                self.stdin.skip_until(b'\n')?;
            }
            let (text, failed) = answered(&line, self.json, &answer);
            self.stdout.write_all(&text)?;
            self.failed |= failed;
        }
    }

    /// Answers two URLs, or pairs of them from standard input.
    pub(super) fn pair(
        &mut self,
        command: &str,
        urls: Vec<String>,
        answer: impl Fn(&str, &str) -> Answer + Sync,
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

/// Answers whole lines, each lot of them by another hand; the lots stay in order.
fn shared(lines: &[u8], hands: usize, json: bool, answer: &(impl Fn(&str) -> Answer + Sync)) -> Vec<(Vec<u8>, bool)> {
    if hands < 2 || lines.len() < SHARED {
        return vec![answered(lines, json, answer)];
    }
    let mut lots = Vec::with_capacity(hands);
    let mut rest = lines;
    for left in (1..=hands).rev() {
        let cut = rest.len() / left;
        let end = memchr::memchr(b'\n', &rest[cut..]).map_or(rest.len(), |at| cut + at + 1);
        let (lot, others) = rest.split_at(end);
        lots.push(lot);
        rest = others;
    }
    thread::scope(|scope| {
        let others: Vec<_> = lots[1..].iter().map(|lot| scope.spawn(|| answered(lot, json, answer))).collect();
        let first = answered(lots[0], json, answer);
        // A hand that is lost has said why on its way, and its lines are answered here.
        let later = others.into_iter().zip(&lots[1..]);
        let later = later.map(|(hand, lot)| hand.join().unwrap_or_else(|_| answered(lot, json, answer)));
        std::iter::once(first).chain(later).collect()
    })
}

/// The answers to lines, one line each, and whether one of them is a failure.
fn answered(lines: &[u8], json: bool, answer: &impl Fn(&str) -> Answer) -> (Vec<u8>, bool) {
    let mut out = Vec::with_capacity(4 * lines.len());
    let mut failed = false;
    for line in lines.split_inclusive(|b| *b == b'\n') {
        let item = line.strip_suffix(b"\n").unwrap_or(line);
        let item = item.strip_suffix(b"\r").unwrap_or(item);
        let answer = match std::str::from_utf8(item) {
            _ if item.len() > LONGEST => overlong(LONGEST, json),
            Ok(item) => answer(item),
            Err(error) => broken(item, &error, json),
        };
        failed |= answer.failed;
        for (i, part) in answer.lines.iter().enumerate() {
            if i > 0 {
                out.extend_from_slice(" · ".as_bytes());
            }
            out.extend_from_slice(part.as_bytes());
        }
        out.push(b'\n');
    }
    (out, failed)
}
