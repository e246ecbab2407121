//! `wayfarer url …`: the URL model on the command line and in pipes. No terminal, no network, nothing sent: `check`, and `bases` of
//! pages, which fetch, are `shell::check`'s.
//!
//! Items come as arguments, or one a line on standard input; then each is answered by one line, in order, errors too.
//! Refuses: deciding anything about URLs. Every answer is `url`'s; this only reads, prints and counts failures.

mod answer;
mod change;
mod command;
mod explain;
mod found;
mod json;
mod linked;
mod parse;
mod request;
mod talk;

pub use command::{RuleSet, UrlCommand};
pub(super) use linked::{LinkRow, link_row};

use crate::config::Settings;
use crate::url::{CommonBase, Url, scheme::file::File as FileUrl};
use crate::visits::Pages;
use answer::refusal;
use std::io::{self, ErrorKind, Read, Write};
use talk::{Failures, Talk};

/// What the answers depend on besides the question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surroundings {
    /// What the reader has set: the news server, proxies, gateways, shortcuts.
    pub settings: Settings,
    /// The reader's home folder.
    pub home: Option<String>,
    /// The folder that relative file names begin in, as a URL that ends with a slash.
    pub folder: Option<Url>,
    /// The pages that the reader visited, where they are asked for.
    pub history: Pages,
}

impl Surroundings {
    /// Settings, `HOME` and the current folder of this process.
    pub fn of_process(settings: Settings) -> Surroundings {
        let home = std::env::var("HOME").ok().filter(|value| !value.is_empty());
        let folder = std::env::current_dir().ok().and_then(|folder| {
            let inside = folder.join("");
            FileUrl::url(inside.as_os_str().as_encoded_bytes()).ok()
        });
        Surroundings { settings, home, folder, history: Pages::default() }
    }
}

/// Answers one command. The result is the exit status: 0, 1 when something was not understood or two URLs differ,
/// 2 for wrong usage.
///
/// # Errors
/// Reading or writing failed. A reader of the output that went away is no error.
pub fn run(
    surroundings: &Surroundings,
    command: UrlCommand,
    stdin: impl Read,
    stdout: impl Write,
    stderr: impl Write,
) -> io::Result<u8> {
    let mut talk = Talk::new(stdin, stdout, stderr, command.is_json());
    match answer(&mut talk, surroundings, command) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(0),
        other => other,
    }
}

/// What a JSON answer looks like, for each command.
const SCHEMA: &str = include_str!("../../../assets/url-schema.json");

fn answer<I: Read, O: Write, E: Write>(
    talk: &mut Talk<I, O, E>,
    surroundings: &Surroundings,
    command: UrlCommand,
) -> io::Result<u8> {
    use Failures::{ToStderr, ToStdout};
    let failures = |json: bool| if json { ToStdout } else { ToStderr };
    match command {
        UrlCommand::Parse { json: true, urls, .. } => talk.each(urls, ToStdout, parse::json_answer),
        UrlCommand::Parse { json: false, urls, show_secrets } => {
            talk.each(urls, ToStderr, |url| parse::lines_answer(url, show_secrets))
        }
        UrlCommand::Resolve { base, rules, references } => {
            let base = answer::Base::of(&base, rules);
            talk.each(references, ToStdout, |reference| base.resolve(reference))
        }
        UrlCommand::Bases { json, embedded, entity, retrieved, default, references } => {
            let stack = answer::bases([embedded, entity, retrieved, default]);
            talk.each(references, ToStdout, |reference| answer::bases_line(&stack, reference, json))
        }
        UrlCommand::Find { json, places, file } => found::search(talk, found::Manner { json, places }, file.as_deref()),
        UrlCommand::Complete { json, typed, history } => {
            talk.each(typed, failures(json), |typed| answer::complete_line(surroundings, typed, json, history))
        }
        UrlCommand::Explain { json, base, show_secrets, items } => {
            let base =
                match base.map(|base| Url::parse(base.as_str()).map_err(|error| refusal(&base, &error))).transpose() {
                    Ok(base) => base.map(CommonBase::from),
                    Err(refused) => return talk.complain(&refused.lines.join(" "), 1),
                };
            talk.each(items, failures(json), |item| match json {
                true => explain::json_answer(&surroundings.settings, base.as_ref(), item),
                false => explain::lines_answer(&surroundings.settings, base.as_ref(), item, show_secrets),
            })
        }
        UrlCommand::Equal { urls } => talk.pair("equal", urls, answer::equal_line),
        UrlCommand::Diff { urls } => talk.pair("diff", urls, change::diff),
        UrlCommand::Normalise { urls } => talk.each(urls, ToStdout, change::normalise),
        UrlCommand::Relativize { base, urls } => match Url::parse(base.as_str()) {
            Ok(base) => talk.each(urls, ToStdout, |url| change::relative(&base, url)),
            Err(error) => talk.complain(&refusal(&base, &error).lines.join(" "), 1),
        },
        UrlCommand::Get { decoded, parts, urls } => match parse::Wanted::read(&parts) {
            Ok(wanted) => talk.each(urls, ToStdout, |url| parse::get_answer(&wanted, decoded, url)),
            Err(wrong) => talk.complain(&format!("error: {wrong}"), 2),
        },
        UrlCommand::Set { mut words, .. } => {
            let url = words.pop().unwrap_or_default();
            match words.iter().map(|word| change::read(word)).collect::<Result<Vec<_>, _>>() {
                Ok(changes) => talk.each(vec![url], ToStdout, |url| change::set(&changes, url)),
                Err(wrong) => talk.complain(&format!("error: {wrong}"), 2),
            }
        }
        // who asks servers runs it
        UrlCommand::Check { .. } => talk.complain("error: check is not answered without a network", 2),
        UrlCommand::Schema => talk.print(SCHEMA),
        UrlCommand::Request { json, urls, show_secrets } => {
            talk.each(urls, failures(json), |url| request::answer(surroundings, url, json, show_secrets))
        }
    }
}
