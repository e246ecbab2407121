//! Plans in words: as the JSON of `wayfarer url request`, and as lines for the reader.

use super::{Act, Ask, Plan, plan, show};
use crate::url::{Url, UrlError, equal};
use serde_json::{Value, json};
use std::borrow::Cow;

/// What following a URL would send, as one JSON object.
///
/// # Errors
/// The object `{"refused": why}` when the URL is malformed for its scheme or unsafe.
pub fn request_json(url: &Url) -> Result<Value, Value> {
    plan_json(url, plan(url))
}

/// What a plan for `url` would send, as one JSON object.
///
/// # Errors
/// As [`request_json`], where there is no plan.
pub fn plan_json(url: &Url, plan: Result<Plan, UrlError>) -> Result<Value, Value> {
    let plan = plan.map_err(|error| json!({ "refused": unsigned(&error.to_string()) }))?;
    let mut out = act_json(url, plan.act);
    if let Some(confirm) = plan.confirm {
        out["confirm"] = confirm.into();
    }
    Ok(out)
}

/// The key of the object says "refused" already.
fn unsigned(sentence: &str) -> &str {
    sentence.strip_prefix("refused: ").unwrap_or(sentence)
}

fn act_json(url: &Url, act: Act) -> Value {
    match act {
        Act::Octets { host, port, tls, bytes } => {
            json!({ "host": host, "port": port, "tls": tls, "bytes": show::wire(&bytes) })
        }
        Act::Commands { host, port, commands } => json!({
            "host": host.as_deref().unwrap_or("<configured>"),
            "port": port,
            "commands": commands.iter().map(|command| command_text(command)).collect::<Vec<_>>(),
        }),
        Act::Http { host, port, request } => json!({ "host": host, "port": port, "request": request }),
        Act::Open(url) => json!({ "open": url.as_str() }),
        Act::Ask(ask) => json!({ "ask": ask_word(ask) }),
        Act::Ssh { arguments, path } => json!({ "ssh": arguments, "path": show::field(&path) }),
        Act::File(_) | Act::Internal | Act::Handler(_) => json!({ "handler": url.scheme().to_ascii_lowercase() }),
    }
}

fn ask_word(ask: Ask) -> &'static str {
    match ask {
        Ask::Search => "search",
        Ask::PhoneBook => "phonebook",
        Ask::File => "file",
    }
}

/// A command with every octet that is not printable ASCII as `<XX>`.
pub fn command_text(command: &str) -> String {
    let mut out = String::with_capacity(command.len());
    for c in command.chars() {
        match c {
            ' '..='~' => out.push(c),
            _ => out.push_str(&format!("<{:02X}>", u32::from(c))),
        }
    }
    out
}

/// The commands that give a password, of FTP and of news servers.
const SECRETS: &[&str] = &["PASS ", "AUTHINFO PASS "];

/// A planned command with its password hidden, if it gives one.
pub fn without_password(command: &str) -> Cow<'_, str> {
    let verb = SECRETS.iter().find(|verb| command.starts_with(**verb));
    match verb.map(|verb| (verb, &command[verb.len()..])) {
        // Nobody has said it yet.
        None | Some((_, "" | "<ask>" | "<email>")) => command.into(),
        Some((verb, _)) => format!("{verb}***").into(),
    }
}

/// What a plan would send, in lines for the screen: passwords and answers of forms hidden, nothing unprintable.
pub fn would_send(plan: &Plan) -> Vec<String> {
    match &plan.act {
        Act::Octets { host, port, tls, bytes } => {
            let over = if *tls { " over TLS" } else { "" };
            vec![[octets_line(bytes).as_str(), " to ", &asked(host), ":", &port.to_string(), over].concat()]
        }
        Act::Commands { host, port, commands } => {
            let host = host.as_deref().map_or("your news server".into(), |host| format!("{}:{port}", asked(host)));
            let commands = commands.iter().map(|command| command_text(&without_password(command)));
            std::iter::once(format!("to {host}")).chain(commands).collect()
        }
        Act::Http { host, port, request } => {
            let mut line = show::octets(request.as_bytes());
            [" to ", &asked(host), ":", &port.to_string()].into_iter().for_each(|part| line.push_str(part));
            vec![line]
        }
        Act::Open(url) => vec![format!("nothing here; it opens {}", show::octets(url.redacted().as_bytes()))],
        Act::Ask(Ask::Search) => vec!["nothing before you have given words to search for".into()],
        Act::Ask(Ask::File) => vec!["nothing before you have named a file".into()],
        Act::Ask(Ask::PhoneBook) => vec!["nothing before you have given a query".into()],
        Act::File(path) => vec![format!("nothing; it reads {}", show::octets(path))],
        Act::Ssh { arguments, path } => {
            vec![format!("it runs ssh {}", arguments.join(" ")), format!("and asks for {}", show::octets(path))]
        }
        Act::Internal => vec!["nothing; it is built in".into()],
        Act::Handler(_) => vec!["nothing from here; a program or a gateway opens it, if one is configured".into()],
    }
}

/// A host as it is looked up: a name beyond ASCII as Punycode (D27).
fn asked(host: &str) -> Cow<'_, str> {
    match host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-')) {
        true => host.into(),
        false if host.is_ascii() && !host.contains('%') => show::component(host).into(),
        false => show::component(&equal::host(host)).into(),
    }
}

/// A gopher request; of a filled form, where an answer may be a password, only the size of the answers.
fn octets_line(bytes: &[u8]) -> String {
    let line_end = bytes.iter().position(|b| *b == b'\r').unwrap_or(bytes.len());
    match bytes.len().saturating_sub(line_end + 2) {
        0 => ["\"", &show::wire(bytes), "\""].concat(),
        rest => format!("\"{}\" and {rest} octets of answers", show::wire(&bytes[..line_end + 2])),
    }
}
