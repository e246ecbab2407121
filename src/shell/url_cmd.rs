//! `wayfarer url …`: the URL model on the command line and in pipes. No terminal, no network, nothing sent.
//!
//! Items come as arguments, or one a line on standard input; then each is answered by one line, in order, errors too.
//! Refuses: deciding anything about URLs. Every answer is `url`'s; this only reads, prints and counts failures.

use crate::url::complete::{Completed, complete};
use crate::url::equal::equivalent;
use crate::url::find::{Found, find};
use crate::url::{BaseStack, Layer, Resolved, Rules, Url, UrlError, escape, resolve, scheme};
use serde_json::{Map, Value, json};
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
    /// The reader's home folder.
    pub home: Option<String>,
    /// The folder that relative file names begin in, as a URL that ends with a slash.
    pub folder: Option<Url>,
}

impl Surroundings {
    /// `NNTPSERVER`, `HOME` and the current folder of this process.
    pub fn of_process() -> Surroundings {
        let variable = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
        let folder = std::env::current_dir().ok().and_then(|folder| {
            let path = escape::encode(folder.as_os_str().as_encoded_bytes(), b"/!$&'()*+,;=:@");
            Url::parse(format!("file://{}/", path.trim_end_matches('/'))).ok()
        });
        Surroundings { news_server: variable("NNTPSERVER"), home: variable("HOME"), folder }
    }
}

/// An answer to an item: what to print, and whether it counts as a failure.
struct Answer {
    lines: Vec<String>,
    failed: bool,
}

impl Answer {
    fn line(text: impl Into<String>) -> Answer {
        Answer { lines: vec![text.into()], failed: false }
    }

    fn json(value: &Value, failed: bool) -> Answer {
        Answer { lines: vec![json_line(value)], failed }
    }

    /// A failure whose sentence is itself the answer, on standard output.
    fn failure(error: &dyn std::fmt::Display) -> Answer {
        Answer { lines: vec![format!("error: {}", visible(&error.to_string()))], failed: true }
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
            UrlCommand::Parse { json: true, urls } => self.each(urls, Failures::ToStdout, parse_json),
            UrlCommand::Parse { json: false, urls } => self.each(urls, Failures::ToStderr, parse_lines),
            UrlCommand::Resolve { base, rules, references } => {
                self.each(references, Failures::ToStdout, |reference| resolve_line(&base, rules, reference))
            }
            UrlCommand::Bases { json, embedded, entity, retrieved, default, references } => {
                let stack = bases([embedded, entity, retrieved, default]);
                self.each(references, Failures::ToStdout, |reference| bases_line(&stack, reference, json))
            }
            UrlCommand::Find { json, file } => self.find(json, file.as_deref()),
            UrlCommand::Complete { json, typed } => {
                let failures = if json { Failures::ToStdout } else { Failures::ToStderr };
                self.each(typed, failures, |typed| complete_line(surroundings, typed, json))
            }
            UrlCommand::Equal { urls } => self.equal(urls),
            UrlCommand::Request { json, urls } => {
                let failures = if json { Failures::ToStdout } else { Failures::ToStderr };
                self.each(urls, failures, |url| request_lines(surroundings, url, json))
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
                let answer = equal_line(a, b);
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
                    Some((a, b)) => equal_line(a.trim(), b.trim()),
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

/// Characters that a terminal obeys instead of showing: controls, bidi controls, invisible ones.
fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}')
}

/// One line of JSON; hidden characters, which stand in strings only, are written as JSON's own escapes.
fn json_line(value: &Value) -> String {
    let line = value.to_string();
    if !line.contains(hidden) {
        return line;
    }
    let escaped = |c: char| if hidden(c) { format!("\\u{:04x}", u32::from(c)) } else { c.into() };
    line.chars().map(escaped).collect()
}

/// A text for lines of plain output: hidden characters become visible escapes.
fn visible(text: &str) -> String {
    if !text.contains(hidden) {
        return text.into();
    }
    text.chars().fold(String::with_capacity(text.len() + 8), |mut out, c| {
        match c {
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() && c.is_ascii() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c if hidden(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
        out
    })
}

/// Components by name, in the order of the JSON object, raw as written; `None` is undefined.
type Components = [(&'static str, Option<String>); 9];

/// The components of a URL or of a reference.
fn components(text: &str) -> Result<(Url, Components), UrlError> {
    // a reference without scheme has the same components as a URL with one; only the scheme is then undefined
    let has_scheme = crate::url::split(text).scheme.is_some();
    let url = Url::parse(if has_scheme { text.into() } else { format!("relative:{text}") })?;
    let own = |part: Option<&str>| part.map(String::from);
    let rows = [
        ("scheme", has_scheme.then(|| url.scheme().into())),
        ("authority", own(url.authority())),
        ("user", own(url.user())),
        ("password", own(url.password())),
        ("host", own(url.host())),
        ("port", own(url.port_text())),
        ("path", own(Some(url.path()))),
        ("query", own(url.query())),
        ("fragment", own(url.fragment())),
    ];
    Ok((url, rows))
}

fn parse_json(text: &str) -> Answer {
    match parsed(text) {
        Ok(value) => Answer::json(&value, false),
        Err(error) => Answer::json(&json!({ "url": text, "error": error.to_string() }), true),
    }
}

fn parsed(text: &str) -> Result<Value, UrlError> {
    let (url, rows) = components(text)?;
    let relative = rows[0].1.is_none();
    let fields = if relative { json!({}) } else { scheme::fields(&url)? };
    let mut object = Map::new();
    object.insert("url".into(), text.into());
    for (name, component) in rows {
        object.insert(name.into(), component.map_or(Value::Null, Value::String));
    }
    object.insert("effective_port".into(), url.port().map_or(Value::Null, Value::from));
    object.insert("fields".into(), fields);
    Ok(Value::Object(object))
}

/// For people: one component or field a line, aligned; undefined ones left out, decoded ones beside the raw.
fn parse_lines(text: &str) -> Answer {
    let result = components(text).and_then(|(url, rows)| {
        let fields = if rows[0].1.is_none() { json!({}) } else { scheme::fields(&url)? };
        let mut lines = vec![aligned("url", text)];
        for (name, component) in rows {
            let Some(raw) = component else { continue };
            let decoded = escape::display(&raw);
            let mut line = aligned(name, &raw);
            if decoded != raw {
                line.push_str(&format!("  ({})", visible(&decoded)));
            }
            if name == "port" && url.port_text().is_some_and(str::is_empty) {
                line.push_str("  (empty)");
            }
            lines.push(line);
        }
        lines.extend(url.port().map(|port| aligned("effective port", &port.to_string())));
        for (name, value) in fields.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()) {
            lines.push(aligned(&format!(". {name}"), &plain(value)));
        }
        Ok(lines)
    });
    match result {
        Ok(lines) => Answer { lines, failed: false },
        Err(error) => Answer::failure(&error),
    }
}

fn aligned(name: &str, value: &str) -> String {
    format!("{name:<14} {}", visible(value)).trim_end().into()
}

/// A JSON value without quotes where it is plain text.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

fn resolve_line(base: &str, rules: RuleSet, reference: &str) -> Answer {
    let rules = match rules {
        RuleSet::Rfc3986 => Rules::Rfc3986,
        RuleSet::Rfc2396 => Rules::Rfc2396,
    };
    let resolved = match Url::parse(base) {
        Ok(base) => resolve(&base, reference, rules),
        // no base is needed for what is absolute already
        Err(error) => Url::parse(reference).map(Resolved::Url).map_err(|_| error),
    };
    match resolved {
        Ok(Resolved::Url(url)) => Answer::line(visible(url.as_str())),
        Ok(Resolved::SameDocument { fragment }) => {
            let fragment = fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default();
            Answer::line(visible(&format!("(current document){fragment}")))
        }
        Err(error) => Answer::failure(&error),
    }
}

/// The four layers, each resolved against those outside it (D40). What a document or its envelope says of its base is
/// remote text: one that cannot be used is passed over, as a browser does.
fn bases(given: [Option<String>; 4]) -> Result<BaseStack, UrlError> {
    let mut stack = BaseStack::default();
    for (layer, base) in Layer::ALL.into_iter().zip(given).rev() {
        let Some(base) = base else { continue };
        match (stack.resolve(&base), layer) {
            (Ok(Resolved::Url(url)), _) => stack.set(layer, Some(url)),
            (_, Layer::Document | Layer::Entity) => {}
            (Err(error), _) => return Err(error),
            (Ok(Resolved::SameDocument { .. }), _) => return Err(UrlError::NoScheme(base)),
        }
    }
    Ok(stack)
}

fn bases_line(stack: &Result<BaseStack, UrlError>, reference: &str, json: bool) -> Answer {
    let answer = stack.as_ref().map_err(Clone::clone).and_then(|stack| {
        let resolved = stack.resolve(reference)?;
        Ok((stack.effective().map(|(layer, base)| (layer.name(), base.as_str())), resolved))
    });
    let layer = |base: Option<(&'static str, &str)>| match base {
        Some((layer, base)) => (json!(layer), json!(base)),
        None => (Value::Null, Value::Null),
    };
    match (answer, json) {
        (Ok((base, Resolved::Url(url))), true) => {
            let (layer, base) = layer(base);
            Answer::json(&json!({ "layer": layer, "base": base, "url": url.as_str() }), false)
        }
        (Ok((base, Resolved::SameDocument { fragment })), true) => {
            let (layer, base) = layer(base);
            Answer::json(&json!({ "same_document": true, "fragment": fragment, "layer": layer, "base": base }), false)
        }
        (Ok((base, Resolved::Url(url))), false) => {
            let why = base.map_or_else(|| "no base".into(), |(layer, base)| format!("{layer} {base}"));
            Answer::line(visible(&format!("{url}  ({why})")))
        }
        (Ok((_, Resolved::SameDocument { fragment })), false) => {
            let fragment = fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default();
            Answer::line(visible(&format!("(current document){fragment}")))
        }
        (Err(error), true) => Answer::json(&json!({ "error": error.to_string() }), true),
        (Err(error), false) => Answer::failure(&error),
    }
}

fn complete_line(surroundings: &Surroundings, typed: &str, json: bool) -> Answer {
    let home = surroundings.home.as_deref();
    let completed = match complete(typed, None, home) {
        // "./x": the folder the command was started in is the only base there can be
        Err(UrlError::NoBase(_)) if typed.starts_with('.') => complete(typed, surroundings.folder.as_ref(), home),
        other => other,
    };
    match completed {
        Ok(Completed { url, alternatives, note }) if json => {
            let alternatives: Vec<&str> = alternatives.iter().map(Url::as_str).collect();
            Answer::json(&json!({ "url": url.as_str(), "alternatives": alternatives, "note": note }), false)
        }
        Ok(completed) => Answer::line(visible(completed.url.as_str())),
        Err(error) if json => Answer::json(&json!({ "typed": typed, "error": error.to_string() }), true),
        Err(error) => Answer::failure(&error),
    }
}

fn equal_line(a: &str, b: &str) -> Answer {
    match Url::parse(a).and_then(|a| Ok(equivalent(&a, &Url::parse(b)?))) {
        Ok(equal) => Answer { lines: vec![if equal { "yes" } else { "no" }.into()], failed: !equal },
        Err(error) => Answer::failure(&error),
    }
}

fn request_lines(surroundings: &Surroundings, text: &str, json: bool) -> Answer {
    let answer = match Url::parse(text) {
        Ok(url) => scheme::request_json(&url).map(|value| with_news_server(value, surroundings)),
        Err(error) => Err(json!({ "error": error.to_string() })),
    };
    match answer {
        Ok(value) if json => Answer::json(&value, false),
        Err(value) if json => Answer::json(&value, true),
        Ok(value) => Answer { lines: request_for_people(&value), failed: false },
        Err(value) => match (value["refused"].as_str(), value["error"].as_str()) {
            (Some(why), _) => Answer::failure(&format!("refused: {}", why.trim_start_matches("refused: "))),
            (None, why) => Answer::failure(&why.unwrap_or("no request")),
        },
    }
}

/// Puts the configured news server where the URL leaves the server to the reader (NEWS-05).
fn with_news_server(mut value: Value, surroundings: &Surroundings) -> Value {
    let Some(server) = &surroundings.news_server else { return value };
    if value["host"] != "<configured>" {
        return value;
    }
    let after_bracket = server.rfind(']').map_or(0, |i| i + 1);
    let (host, port) = match server[after_bracket..].rsplit_once(':') {
        Some((host, port)) => (&server[..after_bracket + host.len()], port.parse::<u16>().ok()),
        None => (server.as_str(), None),
    };
    value["host"] = host.into();
    if let Some(port) = port {
        value["port"] = port.into();
    }
    value
}

/// One line for where, then one for each thing that would be sent or done.
fn request_for_people(value: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, value) in value.as_object().into_iter().flatten() {
        match (name.as_str(), value) {
            (_, Value::Null) | ("tls", Value::Bool(false)) => {}
            ("tls", _) => lines.push("over TLS".into()),
            ("commands", Value::Array(commands)) => {
                lines.extend(commands.iter().map(|command| visible(&plain(command))))
            }
            (name, value) => lines.push(aligned(name, &plain(value))),
        }
    }
    lines
}
