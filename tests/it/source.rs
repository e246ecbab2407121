//! Rust sources as the guards of the house read them: words, marks and texts with their lines. Comments are gone, so that prose may
//! name what code may not.

use std::fs;
use std::iter::Peekable;
use std::path::Path;
use std::str::Chars;

/// A token, as far as a guard wants to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A name, a keyword or a number.
    Word(String),
    /// A character of punctuation.
    Mark(char),
    /// What stands between the quotes of a text, escapes left as written.
    Text(String),
}

impl Token {
    /// Whether this is that word.
    pub fn is_word(&self, word: &str) -> bool {
        matches!(self, Token::Word(own) if own == word)
    }

    /// The word, if it is one.
    pub fn word(&self) -> Option<&str> {
        match self {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// The tokens of a source, each with its line.
pub fn tokens(source: &str) -> Vec<(usize, Token)> {
    let mut reader = Reader { rest: source.chars().peekable(), line: 1, tokens: Vec::new() };
    while reader.step() {}
    reader.tokens
}

/// All Rust files below a folder: path from the root with slashes, and text; sorted.
pub fn files(root: &Path, folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut waiting = vec![root.join(folder)];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|e| e == "rs") {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
    found.sort();
    found
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    line: usize,
    tokens: Vec<(usize, Token)>,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let next = self.rest.next();
        self.line += usize::from(next == Some('\n'));
        next
    }

    /// Reads one token, comment or blank; false at the end.
    fn step(&mut self) -> bool {
        let line = self.line;
        let Some(c) = self.next() else { return false };
        let token = match c {
            '/' if self.rest.peek() == Some(&'/') => return self.until_line_ends(),
            '/' if self.rest.peek() == Some(&'*') => return self.comment(),
            '"' => Token::Text(self.text()),
            '\'' => return self.quoted(),
            c if c.is_alphanumeric() || c == '_' => match self.word(c) {
                Some(token) => token,
                None => return true,
            },
            c if c.is_whitespace() => return true,
            c => Token::Mark(c),
        };
        self.tokens.push((line, token));
        true
    }

    fn until_line_ends(&mut self) -> bool {
        while self.next().is_some_and(|c| c != '\n') {}
        true
    }

    /// `/* … */`, which nest.
    fn comment(&mut self) -> bool {
        let (mut depth, mut before) = (0, '/');
        while let Some(c) = self.next() {
            match (before, c) {
                ('/', '*') => depth += 1,
                ('*', '/') => depth -= 1,
                _ => {
                    before = c;
                    continue;
                }
            }
            before = ' ';
            if depth == 0 {
                break;
            }
        }
        true
    }

    /// The inside of `"…"`, after the first quote.
    fn text(&mut self) -> String {
        let mut text = String::new();
        while let Some(c) = self.next() {
            match c {
                '"' => break,
                '\\' => {
                    text.push(c);
                    text.extend(self.next());
                }
                c => text.push(c),
            }
        }
        text
    }

    /// A character (`'x'`, `'\n'`), which is no token here, or a lifetime (`'a`), which is none either.
    fn quoted(&mut self) -> bool {
        match self.next() {
            Some('\\') => {
                self.next();
                while self.next().is_some_and(|c| c != '\'') {}
            }
            Some(_) if self.rest.peek() == Some(&'\'') => drop(self.next()),
            _ => {
                while self.rest.peek().is_some_and(|c| c.is_alphanumeric() || *c == '_') {
                    self.next();
                }
            }
        }
        true
    }

    /// A word, or the text that it introduces (`b"…"`, `r#"…"#`); `None` for the mark of a raw name.
    fn word(&mut self, first: char) -> Option<Token> {
        let mut word = String::from(first);
        while let Some(c) = self.rest.next_if(|c| c.is_alphanumeric() || *c == '_') {
            word.push(c);
        }
        match (word.as_str(), self.rest.peek()) {
            ("b" | "c", Some('"')) => {
                self.next();
                Some(Token::Text(self.text()))
            }
            ("b", Some('\'')) => {
                self.next();
                self.quoted();
                None
            }
            ("r" | "br" | "cr", Some('"' | '#')) => {
                let hashes = std::iter::from_fn(|| self.rest.next_if_eq(&'#')).count();
                self.rest.next_if_eq(&'"').map(|_| Token::Text(self.raw(hashes)))
            }
            _ => Some(Token::Word(word)),
        }
    }

    /// The inside of `r#"…"#`.
    fn raw(&mut self, hashes: usize) -> String {
        let end = format!("\"{}", "#".repeat(hashes));
        let mut text = String::new();
        while let Some(c) = self.next() {
            text.push(c);
            if text.ends_with(&end) {
                text.truncate(text.len() - end.len());
                break;
            }
        }
        text
    }
}

#[test]
fn tokens_are_read_as_the_compiler_reads_them() {
    let source = "/* a /* b */ c */ fn f<'a>(x: &'a u8) -> char { '\"' } // url\nlet s = (r#\"a\"b\"#, b'\\'', \"c\\\"d\", r#type);";
    let words = |t: &Token| match t {
        Token::Word(word) => word.clone(),
        Token::Mark(mark) => mark.to_string(),
        Token::Text(text) => format!("<{text}>"),
    };
    let read: Vec<String> = tokens(source).iter().map(|(_, token)| words(token)).collect();
    assert_eq!(read.join(" "), "fn f < > ( x : & u8 ) - > char { } let s = ( <a\"b> , , <c\\\"d> , type ) ;");
    assert_eq!(tokens(source).last().map(|(line, _)| *line), Some(2));
}
