//! `wayfarer url …`: the URL model on the command line and in pipes. No terminal, no network, nothing sent.
//!
//! Items come as arguments, or one a line on standard input; then each is answered by one line, in order, errors too.
//! Refuses: deciding anything about URLs. Every answer is `url`'s; this only reads, prints and counts failures.

mod answer;

use crate::config::Proxies;
use crate::url::find::{Found, find};
use crate::url::{Url, scheme::file::File as FileUrl};
use answer::{Answer, json_line, visible};
use serde_json::json;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};

/// What `wayfarer url` can be asked.
#[derive(Debug, Clone, clap::Subcommand)]
pub enum UrlCommand {
    /// Show the components of URLs, raw and decoded, and the scheme's own fields.
    Parse {
        /// One JSON object a line.
        #[arg(long)]
        json: bool,
        /// URLs; `-` or none reads them from standard input, one a line.
        #[arg(value_name = "URL")]
        urls: Vec<String>,
    },
    /// Resolve references against a base URL.
    Resolve {
        /// The base URL.
        #[arg(long, value_name = "URL")]
        base: String,
        /// The rules to resolve by.
        #[arg(long, value_enum, default_value = "rfc3986")]
        rules: RuleSet,
        /// References; `-` or none reads them from standard input, one a line.
        #[arg(value_name = "REF")]
        references: Vec<String>,
    },
    /// Show which base URL answers for a reference, and what it makes of it.
    Bases {
        /// One JSON object a line.
        #[arg(long)]
        json: bool,
        /// The base embedded in the document; a relative one is resolved against the layers outside.
        #[arg(long, value_name = "URL")]
        embedded: Option<String>,
        /// The base of the encapsulating entity.
        #[arg(long, value_name = "URL")]
        entity: Option<String>,
        /// The URL the document was retrieved from, after redirects.
        #[arg(long, value_name = "URL")]
        retrieved: Option<String>,
        /// The application's default base.
        #[arg(long, value_name = "URL")]
        default: Option<String>,
        /// References; `-` or none reads them from standard input, one a line.
        #[arg(value_name = "REF")]
        references: Vec<String>,
    },
    /// Print the URLs found in plain text, one a line.
    Find {
        /// One JSON object a line, with what only looks like a URL, other readings and its range in bytes of UTF-8.
        #[arg(long)]
        json: bool,
        /// The text; `-` or none reads standard input.
        #[arg(value_name = "FILE")]
        file: Option<String>,
    },
    /// Print what the address prompt makes of typed text.
    Complete {
        /// One JSON object a line, with the other readings and what was added.
        #[arg(long)]
        json: bool,
        /// Typed texts; `-` or none reads them from standard input, one a line.
        #[arg(value_name = "TYPED")]
        typed: Vec<String>,
    },
    /// Print whether two URLs are equivalent: yes (exit status 0) or no (1).
    Equal {
        /// The two URLs; `-` or none reads pairs from standard input, one a line, with a tab or a space between.
        #[arg(value_name = "URL", num_args = 0..=2)]
        urls: Vec<String>,
    },
    /// Print what would be sent for a URL, without sending anything.
    Request {
        /// One JSON object a line.
        #[arg(long)]
        json: bool,
        /// URLs; `-` or none reads them from standard input, one a line.
        #[arg(value_name = "URL")]
        urls: Vec<String>,
    },
}

/// The names of the rule sets on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum RuleSet {
    /// RFC 3986, as browsers do it.
    Rfc3986,
    /// The drafts of 1997 that became RFC 2396.
    Rfc2396,
}

/// What the answers depend on besides the question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The configured news server, `host` or `host:port`.
    pub news_server: Option<String>,
    /// Proxies for schemes other than the web's own.
    pub proxies: Proxies,
    /// The reader's home folder.
    pub home: Option<String>,
    /// The folder that relative file names begin in, as a URL that ends with a slash.
    pub folder: Option<Url>,
}

impl Surroundings {
    /// `NNTPSERVER`, `gopher_proxy` and its kin, `HOME` and the current folder of this process.
    pub fn of_process() -> Surroundings {
        let variable = |name: &str| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
        let folder = std::env::current_dir().ok().and_then(|folder| {
            let inside = folder.join("");
            FileUrl::url(inside.as_os_str().as_encoded_bytes()).ok()
        });
        let mut proxies = Proxies::default();
        // What makes no sense is complained of where something would be sent.
        let _ = proxies.surround(variable);
        Surroundings { news_server: variable("NNTPSERVER"), proxies, home: variable("HOME"), folder }
    }
}

/// Answers one command. The result is the exit status: 0, 1 when something was not understood or two URLs differ,
/// 2 for wrong usage.
///
/// # Errors
/// Reading or writing failed. A reader of the output that went away is no error.
pub fn run(command: UrlCommand, stdin: impl BufRead, stdout: impl Write, stderr: impl Write) -> io::Result<u8> {
    run_in(&Surroundings::of_process(), command, stdin, stdout, stderr)
}

/// As [`run`], in surroundings given by the caller.
///
/// # Errors
/// As [`run`].
pub fn run_in(
    surroundings: &Surroundings,
    command: UrlCommand,
    stdin: impl BufRead,
    stdout: impl Write,
    stderr: impl Write,
) -> io::Result<u8> {
    let mut talk = Talk { stdin, stdout, stderr, failed: false };
    match talk.answer(surroundings, command) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(0),
        other => other,
    }
}

/// Where errors of single items go when they came as arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Failures {
    /// They are answers like any other.
    ToStdout,
    /// One line on standard error.
    ToStderr,
}

struct Talk<I, O, E> {
    stdin: I,
    stdout: O,
    stderr: E,
    failed: bool,
}

impl<I: BufRead, O: Write, E: Write> Talk<I, O, E> {
    fn answer(&mut self, surroundings: &Surroundings, command: UrlCommand) -> io::Result<u8> {
        match command {
            UrlCommand::Parse { json: true, urls } => self.each(urls, Failures::ToStdout, answer::parse_json),
            UrlCommand::Parse { json: false, urls } => self.each(urls, Failures::ToStderr, answer::parse_lines),
            UrlCommand::Resolve { base, rules, references } => {
                self.each(references, Failures::ToStdout, |reference| answer::resolve_line(&base, rules, reference))
            }
            UrlCommand::Bases { json, embedded, entity, retrieved, default, references } => {
                let stack = answer::bases([embedded, entity, retrieved, default]);
                self.each(references, Failures::ToStdout, |reference| answer::bases_line(&stack, reference, json))
            }
            UrlCommand::Find { json, file } => self.find(json, file.as_deref()),
            UrlCommand::Complete { json, typed } => {
                let failures = if json { Failures::ToStdout } else { Failures::ToStderr };
                self.each(typed, failures, |typed| answer::complete_line(surroundings, typed, json))
            }
            UrlCommand::Equal { urls } => self.equal(urls),
            UrlCommand::Request { json, urls } => {
                let failures = if json { Failures::ToStdout } else { Failures::ToStderr };
                self.each(urls, failures, |url| answer::request_lines(surroundings, url, json))
            }
        }
    }

    fn status(&self) -> u8 {
        u8::from(self.failed)
    }

    /// Answers every item: the arguments, or the lines of standard input for `-` or none.
    fn each(&mut self, items: Vec<String>, failures: Failures, answer: impl Fn(&str) -> Answer) -> io::Result<u8> {
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
            writeln!(self.stdout, "{}", answer.lines.join("\n"))?;
        }
        self.stdout.flush()?;
        Ok(self.status())
    }

    fn each_line(&mut self, answer: impl Fn(&str) -> Answer) -> io::Result<u8> {
        let mut line = Vec::new();
        while self.stdin.read_until(b'\n', &mut line)? > 0 {
            let item = line.strip_suffix(b"\n").unwrap_or(&line);
            let item = item.strip_suffix(b"\r").unwrap_or(item);
            let answer = match std::str::from_utf8(item) {
                Ok(item) => answer(item),
                Err(_) => Answer::failure(&"the line is not UTF-8"),
            };
            self.failed |= answer.failed;
            // flushed line by line: whoever asks through a pipe may wait for this answer before the next question
            writeln!(self.stdout, "{}", answer.lines.join(" · "))?;
            self.stdout.flush()?;
            line.clear();
        }
        Ok(self.status())
    }

    fn equal(&mut self, urls: Vec<String>) -> io::Result<u8> {
        match urls.as_slice() {
            [a, b] => {
                let answer = answer::equal_line(a, b);
                self.failed = answer.failed;
                let line = answer.lines.join(" ");
                if line.starts_with("error: ") {
                    writeln!(self.stderr, "{line}")?;
                } else {
                    writeln!(self.stdout, "{line}")?;
                }
                self.stdout.flush()?;
                Ok(self.status())
            }
            [one] if one != "-" => {
                writeln!(self.stderr, "error: equal needs two URLs")?;
                Ok(2)
            }
            _ => self.each_line(|line| {
                let pair = line.split_once('\t').or_else(|| line.trim().split_once(' '));
                match pair {
                    Some((a, b)) => answer::equal_line(a.trim(), b.trim()),
                    None => Answer::failure(&"a line must hold two URLs with a tab or a space between them"),
                }
            }),
        }
    }

    fn find(&mut self, json: bool, file: Option<&str>) -> io::Result<u8> {
        match file {
            None | Some("-") => find_in(&mut self.stdin, &mut self.stdout, json)?,
            Some(name) => match File::open(name) {
                Ok(file) => find_in(&mut BufReader::new(file), &mut self.stdout, json)?,
                Err(error) => {
                    writeln!(self.stderr, "error: {}: {error}", visible(name))?;
                    return Ok(1);
                }
            },
        }
        self.stdout.flush()?;
        Ok(0)
    }
}

/// A paragraph that has become this long is searched as it is; only a URL wrapped across its end is missed.
const LONG_PARAGRAPH: usize = 4 << 20;

/// Paragraph by paragraph, so that a text of any size takes little memory.
fn find_in(text: &mut dyn BufRead, stdout: &mut dyn Write, json: bool) -> io::Result<()> {
    let mut paragraph = Vec::new();
    let mut offset = 0;
    loop {
        let begins = paragraph.len();
        let more = text.read_until(b'\n', &mut paragraph)? > 0;
        let blank = paragraph[begins..].iter().all(u8::is_ascii_whitespace);
        if !more || blank || paragraph.len() > LONG_PARAGRAPH {
            for found in find(&String::from_utf8_lossy(&paragraph)) {
                print_found(stdout, &found, offset, json)?;
            }
            offset += paragraph.len();
            paragraph.clear();
        }
        if !more {
            return Ok(());
        }
    }
}

fn print_found(stdout: &mut dyn Write, found: &Found, offset: usize, json: bool) -> io::Result<()> {
    if json {
        let range = [found.range.start + offset, found.range.end + offset];
        let value = json!({
            "url": found.url, "sure": found.sure, "alternatives": found.alternatives, "range": range,
        });
        writeln!(stdout, "{}", json_line(&value))
    } else if found.sure {
        writeln!(stdout, "{}", visible(&found.url))
    } else {
        Ok(())
    }
}
