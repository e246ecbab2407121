//! The modules of the crate as its sources tell them: what each defines, what it takes in by `use`, which paths it walks; and where
//! a path ends, through re-exports.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{Token, tokens};

/// A path through modules, from the crate down.
pub type Path = Vec<String>;

/// A path as a file says it.
#[derive(Clone, Debug)]
pub struct Said {
    /// The line it begins on.
    pub line: usize,
    /// Its parts as written.
    pub path: Path,
    /// Whether it is one of a `use`.
    pub imports: bool,
    /// Whether it is a `use … ::*`.
    pub all: bool,
}

/// One module.
#[derive(Default)]
pub struct Module {
    /// The file it stands in.
    pub file: String,
    /// The paths it walks, those of `use` too.
    pub said: Vec<Said>,
    /// What it calls what it takes in: name → path as written.
    names: BTreeMap<String, Path>,
    /// The modules whose names it takes in all together.
    globs: Vec<Path>,
    /// What it defines.
    defined: BTreeSet<String>,
    /// Every word in it.
    words: BTreeSet<String>,
}

/// Where a path ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// At a module of this crate.
    Module(Path),
    /// At something that this module defines.
    Item(Path),
    /// Outside of the crate, or nowhere: the path with its aliases spelt out.
    Outside(Path),
}

/// All modules of a crate by their paths.
pub struct Crate(pub BTreeMap<Path, Module>);

impl Crate {
    /// Reads files, named as from the root of the crate (`src/app/mod.rs`).
    pub fn read<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Crate {
        let mut modules = BTreeMap::new();
        for (file, text) in files {
            let tokens = tokens(text);
            let mut reader = Reader { file, tokens: &tokens, at: 0, modules: &mut modules };
            reader.module(place(file));
        }
        Crate(modules)
    }

    /// Where what `module` says ends, through whatever re-exports are on the way.
    pub fn end(&self, module: &[String], said: &[String]) -> End {
        self.walk(module, said, &mut Vec::new())
    }

    /// What comes in by a `use … ::*` and is named in `module`: where each ends.
    pub fn through(&self, module: &[String], said: &[String]) -> Vec<End> {
        let End::Module(from) = self.end(module, said) else { return Vec::new() };
        let (Some(taken), Some(taker)) = (self.0.get(&from), self.0.get(module)) else { return Vec::new() };
        let named = taken.names.iter().filter(|(name, _)| taker.words.contains(*name));
        named.map(|(_, path)| self.end(&from, path)).collect()
    }

    fn walk(&self, module: &[String], said: &[String], seen: &mut Vec<(Path, Path)>) -> End {
        // Two modules that re-export each other's names must not send this round for ever.
        let step = (module.to_vec(), said.to_vec());
        if seen.contains(&step) {
            return End::Item(module.to_vec());
        }
        seen.push(step);
        let Some((first, rest)) = said.split_first() else { return End::Module(module.to_vec()) };
        let parent = || module.split_last().map_or(&[][..], |(_, parent)| parent);
        match first.as_str() {
            "crate" => return self.down(&[], rest, seen),
            "self" => return self.down(module, rest, seen),
            "super" if rest.first().is_some_and(|next| next == "super") => return self.walk(parent(), rest, seen),
            "super" => return self.down(parent(), rest, seen),
            _ => {}
        }
        match self.find(module, first, seen) {
            Some(End::Module(path)) => self.down(&path, rest, seen),
            Some(End::Outside(path)) => End::Outside(path.into_iter().chain(rest.iter().cloned()).collect()),
            Some(end) => end,
            None => End::Outside(said.to_vec()),
        }
    }

    /// Follows the rest of a path from a module on.
    fn down(&self, module: &[String], rest: &[String], seen: &mut Vec<(Path, Path)>) -> End {
        let Some((first, rest)) = rest.split_first() else { return End::Module(module.to_vec()) };
        match self.find(module, first, seen) {
            Some(End::Module(path)) => self.down(&path, rest, seen),
            Some(End::Outside(path)) => End::Outside(path.into_iter().chain(rest.iter().cloned()).collect()),
            Some(end) => end,
            // Made by a macro, or a mistake that the compiler tells better.
            None => End::Item(module.to_vec()),
        }
    }

    /// What a name is in a module.
    fn find(&self, module: &[String], name: &str, seen: &mut Vec<(Path, Path)>) -> Option<End> {
        let child: Path = module.iter().cloned().chain([name.to_owned()]).collect();
        if self.0.contains_key(&child) {
            return Some(End::Module(child));
        }
        let known = self.0.get(module)?;
        if let Some(path) = known.names.get(name) {
            // `use url::Url` names the module or crate `url`, not the name it is about to make.
            return Some(if path.len() == 1 && path[0] == name {
                End::Outside(path.clone())
            } else {
                self.walk(module, path, seen)
            });
        }
        if known.defined.contains(name) {
            return Some(End::Item(module.to_vec()));
        }
        known.globs.iter().find_map(|glob| match self.walk(module, glob, seen) {
            End::Module(from) if from != module => self.find(&from, name, seen),
            _ => None,
        })
    }
}

/// The module that a file is.
fn place(file: &str) -> Path {
    let path = file.trim_start_matches("src/").trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    path.split('/').filter(|part| *part != "lib").map(str::to_owned).collect()
}

struct Reader<'a> {
    file: &'a str,
    tokens: &'a [(usize, Token)],
    at: usize,
    modules: &'a mut BTreeMap<Path, Module>,
}

impl<'a> Reader<'a> {
    fn peek(&self, ahead: usize) -> Option<&'a Token> {
        self.tokens.get(self.at + ahead).map(|(_, token)| token)
    }

    fn marked(&self, ahead: usize, mark: char) -> bool {
        self.peek(ahead) == Some(&Token::Mark(mark))
    }

    /// Whether `::` follows.
    fn goes_on(&self, ahead: usize) -> bool {
        self.marked(ahead, ':') && self.marked(ahead + 1, ':')
    }

    fn line(&self) -> usize {
        self.tokens.get(self.at).map_or(0, |(line, _)| *line)
    }

    /// Reads a module up to its brace, or to the end of the file.
    fn module(&mut self, path: Path) {
        let mut module = Module { file: self.file.into(), ..Module::default() };
        let mut depth = 0;
        while let Some(token) = self.peek(0) {
            match token {
                Token::Mark('{') => depth += 1,
                Token::Mark('}') if depth == 0 => break,
                Token::Mark('}') => depth -= 1,
                Token::Mark('#') if self.is_of_tests() => {
                    self.skip_item();
                    continue;
                }
                Token::Word(word) => {
                    self.word(word, &path, &mut module);
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.modules.insert(path, module);
    }

    fn word(&mut self, word: &str, path: &Path, module: &mut Module) {
        let next = self.peek(1).and_then(Token::word);
        match (word, next) {
            ("use", _) => {
                self.at += 1;
                self.tree(&Vec::new(), module);
                return;
            }
            ("mod", Some(name)) if self.marked(2, '{') => {
                self.at += 3;
                self.module(path.iter().cloned().chain([name.to_owned()]).collect());
            }
            ("fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static", Some(name)) => {
                module.defined.insert(name.into());
            }
            _ if self.goes_on(1) && !self.follows_a_path() => {
                let line = self.line();
                let mut said = vec![word.to_owned()];
                while let (true, Some(Token::Word(part))) = (self.goes_on(1), self.peek(3)) {
                    said.push(part.clone());
                    module.words.insert(part.clone());
                    self.at += 3;
                }
                module.said.push(Said { line, path: said, imports: false, all: false });
            }
            _ => {}
        }
        module.words.insert(word.into());
        self.at += 1;
    }

    /// Whether `::` or `.` stands before: then no path begins here.
    fn follows_a_path(&self) -> bool {
        let before = |n: usize| self.at.checked_sub(n).and_then(|at| self.tokens.get(at)).map(|(_, token)| token);
        match (before(2), before(1)) {
            (Some(Token::Mark(':')), Some(Token::Mark(':'))) => true,
            (two, Some(Token::Mark('.'))) => two != Some(&Token::Mark('.')),
            _ => false,
        }
    }

    /// A tree of a `use`, up to its `;`, `,` or `}`.
    fn tree(&mut self, stem: &Path, module: &mut Module) {
        let (line, mut path) = (self.line(), stem.clone());
        while let Some(token) = self.peek(0) {
            match token {
                Token::Word(word) if word == "as" => {
                    let name = self.peek(1).and_then(Token::word).unwrap_or("_").to_owned();
                    self.at += 2;
                    module.names.insert(name, path.clone());
                    module.said.push(Said { line, path, imports: true, all: false });
                    return;
                }
                Token::Word(word) if word == "self" && !path.is_empty() => {}
                Token::Word(word) => path.push(word.clone()),
                Token::Mark('*') => {
                    self.at += 1;
                    module.globs.push(path.clone());
                    module.said.push(Said { line, path, imports: true, all: true });
                    return;
                }
                Token::Mark('{') => {
                    self.at += 1;
                    while self.peek(0).is_some() && !self.marked(0, '}') {
                        let before = self.at;
                        self.tree(&path, module);
                        self.at += usize::from(self.marked(0, ',') || self.at == before);
                    }
                    self.at += 1;
                    return;
                }
                Token::Mark(',' | '}' | ';') => break,
                _ => {}
            }
            self.at += 1;
        }
        if let Some(name) = path.last().cloned() {
            module.names.insert(name, path.clone());
            module.said.push(Said { line, path, imports: true, all: false });
        }
    }

    /// Whether `#[cfg(test)]` stands here: what tests import breaks no table.
    fn is_of_tests(&self) -> bool {
        let word = |ahead, word| self.peek(ahead).is_some_and(|token| token.is_word(word));
        self.marked(1, '[') && word(2, "cfg") && self.marked(3, '(') && word(4, "test") && self.marked(5, ')')
    }

    /// Passes over an item: to its `;`, or over its braces.
    fn skip_item(&mut self) {
        let mut depth = 0;
        while let Some(token) = self.peek(0) {
            self.at += 1;
            match token {
                Token::Mark('{') => depth += 1,
                Token::Mark('}') if depth == 1 => return,
                Token::Mark('}') => depth -= 1,
                Token::Mark(';') if depth == 0 => return,
                _ => {}
            }
        }
    }
}
