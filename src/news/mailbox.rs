//! Mailboxes as header fields name them (RFC 5322, 3.4): `Name <address>`, `address (Name)`, groups, comments, quoted strings.
//!
//! A field is taken apart before anything in it is decoded; names are for the eye alone and never read as addresses. What is written
//! is written anew from its parts, so that it names whom it was read to name and nobody else. Refuses: to guess at an address in
//! what is none.

use std::fmt;
use std::ops::Range;

/// The longest address, in octets: both halves as long as servers take them, and the sign between (RFC 5321, 4.5.3.1).
const LONGEST: usize = 64 + 1 + 255;
/// The longest field that is taken apart, in octets.
const LONGEST_FIELD: usize = 64 * 1024;

/// Somebody to whom mail can go.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mailbox {
    /// What they are called, without quotes and escapes; empty where nothing says so. Encoded words (RFC 2047) are as they came.
    pub name: String,
    /// `local@domain`, without comments and white space; the local part alone where the field names no domain.
    pub address: String,
}

impl Mailbox {
    /// The mailboxes of a list, those of its groups among them. What is none is an error: the words as they stand.
    pub fn list(field: &str) -> Vec<Result<Mailbox, &str>> {
        if field.len() > LONGEST_FIELD {
            return vec![Err(field.trim())];
        }
        let tokens = tokens(field);
        let (mut found, mut first, mut angle, mut named) = (Vec::new(), 0, false, false);
        for (at, (token, _)) in tokens.iter().enumerate() {
            match token {
                Token::Mark('<') => angle = true,
                Token::Mark('>') => angle = false,
                Token::Mark('@') => named = true,
                // The name of a group is nobody (RFC 5322, 3.4); an address is no name of one.
                Token::Mark(':') if !angle && !named => first = at + 1,
                Token::Mark(',' | ';') if !angle => {
                    found.extend(entry(field, &tokens[first..at]));
                    (first, named) = (at + 1, false);
                }
                _ => {}
            }
        }
        found.extend(entry(field, &tokens[first..]));
        found
    }

    /// The author whom a `From` names: its first mailbox that has a domain.
    pub fn author(field: &str) -> Option<Mailbox> {
        Mailbox::list(field).into_iter().flatten().find(Mailbox::has_domain)
    }

    /// Whether mail programs of all times take the address (RFC 5322; beyond ASCII it is RFC 6532 that has it).
    pub fn is_sendable(&self) -> bool {
        self.address.is_ascii()
    }

    /// Whether it says on which host it is.
    pub fn has_domain(&self) -> bool {
        self.address.contains('@')
    }

    /// The host that it is on; empty where it says none.
    pub fn domain(&self) -> &str {
        self.address.rsplit_once('@').map_or("", |(_, domain)| domain)
    }
}

/// As it stands in a field: the name in quotes where it holds more than words and spaces (RFC 5322, 3.2.3).
impl fmt::Display for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name: String = self.name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        match name.trim() {
            "" => f.write_str(&self.address),
            name if name.chars().all(|c| is_atom(c) || c == ' ' || !c.is_ascii()) => {
                write!(f, "{name} <{}>", self.address)
            }
            name => write!(f, "\"{}\" <{}>", escaped(name), self.address),
        }
    }
}

/// A piece of a field.
#[derive(Debug, PartialEq, Eq)]
enum Token {
    /// White space.
    Space,
    /// One of those that part others: `<>,;:@.`.
    Mark(char),
    /// Whatever else, up to the next of these.
    Atom(String),
    /// What stands between quotation marks, without escapes.
    Quoted(String),
    /// What stands in parentheses, without escapes.
    Comment(String),
    /// A host by its number, brackets included.
    Literal(String),
    /// What begins and never ends.
    Open,
}

/// The pieces of a field, and where they stand in it.
fn tokens(field: &str) -> Vec<(Token, Range<usize>)> {
    let mut found: Vec<(Token, Range<usize>)> = Vec::new();
    let (mut at, mut host) = (0, false);
    while let Some(c) = field[at..].chars().next() {
        let rest = &field[at..];
        let (token, length) = match c {
            '"' => closed(rest, '"').map_or((Token::Open, rest.len()), |(text, n)| (Token::Quoted(text), n)),
            '(' => closed(rest, ')').map_or((Token::Open, rest.len()), |(text, n)| (Token::Comment(text), n)),
            '[' if host => match rest.find(']') {
                Some(end) => (Token::Literal(rest[..=end].into()), end + 1),
                None => (Token::Open, rest.len()),
            },
            '<' | '>' | ',' | ';' | ':' | '@' | '.' => (Token::Mark(c), 1),
            c if c.is_whitespace() => (Token::Space, rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len())),
            _ => {
                let parts = |c: char| c.is_whitespace() || "\"(<>,;:@.".contains(c);
                let end = rest.find(parts).unwrap_or(rest.len());
                (Token::Atom(rest[..end].into()), end)
            }
        };
        host = token == Token::Mark('@') || host && matches!(token, Token::Space | Token::Comment(_));
        found.push((token, at..at + length));
        at += length;
    }
    found
}

/// What stands between a mark and the one that closes it, without escapes, and how long that is with both. Comments stand in comments.
fn closed(text: &str, close: char) -> Option<(String, usize)> {
    let (mut inner, mut deep, mut escapes) = (String::new(), 0_usize, false);
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if std::mem::take(&mut escapes) => {}
            '\\' => {
                escapes = true;
                continue;
            }
            c if c == close && deep == 0 => return Some((inner, at + 1)),
            ')' if close == ')' => deep -= 1,
            '(' if close == ')' => deep += 1,
            _ => {}
        }
        inner.push(c);
    }
    None
}

/// What stands between two commas, unless that is nothing.
fn entry<'a>(field: &'a str, tokens: &[(Token, Range<usize>)]) -> Option<Result<Mailbox, &'a str>> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    let text = field[first.1.start..last.1.end].trim();
    (!text.is_empty()).then(|| mailbox(tokens).ok_or(text))
}

fn mailbox(tokens: &[(Token, Range<usize>)]) -> Option<Mailbox> {
    let tokens: Vec<&Token> = tokens.iter().map(|(token, _)| token).collect();
    let is = |token: &&Token, mark: char| **token == Token::Mark(mark);
    let comment = || words(tokens.iter().filter(|token| matches!(token, Token::Comment(_))).copied());
    let Some(open) = tokens.iter().position(|token| is(token, '<')) else {
        return Some(Mailbox { address: address(&tokens)?, name: comment() });
    };
    let close = open + tokens[open..].iter().position(|token| is(token, '>'))?;
    // Behind the address there is nothing but comments.
    if !tokens[close + 1..].iter().all(|token| matches!(token, Token::Space | Token::Comment(_))) {
        return None;
    }
    let mut within = &tokens[open + 1..close];
    // The way there, of another time, is no part of it (RFC 5322, 4.4).
    if within.iter().find(|token| !matches!(token, Token::Space | Token::Comment(_))).is_some_and(|t| is(t, '@')) {
        within = &within[within.iter().position(|token| is(token, ':'))? + 1..];
    }
    let before = tokens[..open].iter().filter(|token| !matches!(token, Token::Comment(_))).copied();
    if tokens[..open].contains(&&Token::Open) {
        return None;
    }
    let name = words(before);
    Some(Mailbox { address: address(within)?, name: if name.is_empty() { comment() } else { name } })
}

/// The words of a name, with one space where white space stands.
fn words<'a>(tokens: impl Iterator<Item = &'a Token>) -> String {
    let mut name = String::new();
    for token in tokens {
        match token {
            Token::Atom(text) | Token::Quoted(text) | Token::Literal(text) => name.push_str(text),
            Token::Comment(text) if name.is_empty() => name.push_str(text),
            Token::Comment(text) => name.push_str(&format!(" {text}")),
            Token::Mark(mark) => name.push(*mark),
            Token::Space if name.ends_with(' ') => {}
            Token::Space => name.push(' '),
            Token::Open => {}
        }
    }
    name.trim().to_owned()
}

/// `local@domain` (RFC 5322, 3.4.1), or a local part that needs no quotes; `None` for what is neither.
fn address(tokens: &[&Token]) -> Option<String> {
    let mut tokens = tokens.iter().filter(|token| !matches!(token, Token::Space | Token::Comment(_)));
    let (mut local, mut quotes) = (String::new(), false);
    loop {
        match tokens.next()? {
            Token::Atom(text) if text.chars().all(|c| is_atom(c) || c.is_alphanumeric()) => local.push_str(text),
            Token::Quoted(text) if !text.chars().any(is_odd) => {
                quotes |= text.is_empty() || !text.chars().all(|c| is_atom(c) || c.is_alphanumeric());
                local.push_str(text);
            }
            _ => return None,
        }
        match tokens.next() {
            Some(Token::Mark('.')) => local.push('.'),
            Some(Token::Mark('@')) => break,
            None if !quotes => return Some(local).filter(|local| local.len() <= LONGEST),
            _ => return None,
        }
    }
    let domain = domain(tokens)?;
    let local = if quotes { format!("\"{}\"", escaped(&local)) } else { local };
    Some(format!("{local}@{domain}")).filter(|address| address.len() <= LONGEST)
}

/// Labels of letters and digits with dots between, or a number in brackets; and nothing after that.
fn domain<'a>(mut tokens: impl Iterator<Item = &'a &'a Token>) -> Option<String> {
    let mut domain = String::new();
    loop {
        match tokens.next()? {
            Token::Literal(text) if domain.is_empty() => {
                let plain = |c: char| c.is_ascii_alphanumeric() || "[]:.-".contains(c);
                return Some(text.clone()).filter(|text| text.chars().all(plain) && tokens.next().is_none());
            }
            Token::Atom(label) if label.chars().all(|c| c.is_alphanumeric() || "-_".contains(c)) => {
                domain.push_str(label);
            }
            _ => return None,
        }
        match tokens.next() {
            Some(Token::Mark('.')) => domain.push('.'),
            None => return Some(domain),
            Some(_) => return None,
        }
    }
}

/// RFC 5322, 3.2.3: what words of a name and of an address are made of.
fn is_atom(c: char) -> bool {
    c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c)
}

/// What no quotes make fit for an address: whatever cannot be seen.
fn is_odd(c: char) -> bool {
    c.is_control() || c != ' ' && c.is_whitespace() || !c.is_ascii() && !c.is_alphanumeric()
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
