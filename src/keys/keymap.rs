//! The key map: key sequences and their command lines, per mode.

use super::{Code, Key, OwnCommand};

/// Where a key is pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// On a page.
    Page,
    /// On a page of news: what is not bound here means what it means on any page.
    News,
    /// On a list of newsgroups, over what holds on all pages of news.
    Groups,
    /// On a page of the reader's own (history, bookmarks): what is not bound here means what it means on any page.
    Own,
    /// On the page of settings, over what holds on all of the reader's own.
    Settings,
    /// On the page of what is new in what the reader is subscribed to: what is not bound here means what it means on any page.
    New,
    /// On a picture: what is not bound here means what it means on any page.
    Picture,
    /// In a list, text, question or form laid over the page.
    Overlay,
    /// In the prompt line; keys without a binding edit the text.
    Prompt,
}

impl Mode {
    /// Every mode, in the order of the help page.
    pub const ALL: [Mode; 9] = [
        Mode::Page,
        Mode::News,
        Mode::Groups,
        Mode::Own,
        Mode::Settings,
        Mode::New,
        Mode::Picture,
        Mode::Overlay,
        Mode::Prompt,
    ];

    /// Its table's name in a key file.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Page => "page",
            Mode::News => "news",
            Mode::Groups => "groups",
            Mode::Own => "own",
            Mode::Settings => "settings",
            Mode::New => "new",
            Mode::Picture => "picture",
            Mode::Overlay => "overlay",
            Mode::Prompt => "prompt",
        }
    }

    /// The modes over which it lies: what is not bound in it means what it means there.
    pub fn below(self) -> &'static [Mode] {
        match self {
            Mode::News | Mode::Own | Mode::New | Mode::Picture => &[Mode::Page],
            Mode::Groups => &[Mode::News, Mode::Page],
            Mode::Settings => &[Mode::Own, Mode::Page],
            Mode::Page | Mode::Overlay | Mode::Prompt => &[],
        }
    }
}

/// What a key sequence means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// Run this command line.
    Command(String),
    /// The beginning of longer sequences: their next keys and command lines. A key that only leads on to further keys has
    /// an empty command line.
    Prefix(Vec<(Key, String)>),
    /// Nothing.
    Unbound,
}

/// Key sequences and their command lines, per mode.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keymap {
    bindings: Vec<(Mode, Vec<Key>, String)>,
    /// Whether digits before a key say how often, or which line.
    pub counts: bool,
    /// Whether Esc and then a key are that key with Meta, on pages.
    pub meta_by_esc: bool,
    /// Whether typing fills in the field of a page that has the focus.
    pub fields: bool,
    /// Commands of the reader's own.
    pub(super) own: Vec<OwnCommand>,
}

impl Keymap {
    /// What a sequence means in a mode.
    pub fn lookup(&self, mode: Mode, keys: &[Key]) -> Lookup {
        if keys.is_empty() { Lookup::Unbound } else { self.lookup_next(mode, keys) }
    }

    /// The same, and of no keys all that may come.
    fn lookup_next(&self, mode: Mode, keys: &[Key]) -> Lookup {
        let mut next: Vec<(Key, String)> = Vec::new();
        for (m, sequence, command) in &self.bindings {
            if *m != mode || !sequence.starts_with(keys) {
                continue;
            }
            let Some(key) = sequence.get(keys.len()) else {
                return Lookup::Command(command.clone());
            };
            match sequence.len() - keys.len() {
                1 => next.push((*key, command.clone())),
                _ if next.iter().any(|(known, _)| known == key) => {}
                _ => next.push((*key, String::new())),
            }
        }
        if next.is_empty() { Lookup::Unbound } else { Lookup::Prefix(next) }
    }

    /// What a sequence means where one mode lies on top of others: the first that knows the sequence counts. A key that leads
    /// on in one of them hides what it means alone in those below. Esc at the end may begin a key with Meta ([`Keymap::meta_by_esc`]).
    pub fn lookup_in(&self, modes: &[Mode], keys: &[Key]) -> Lookup {
        let before = keys.split_last().filter(|(last, _)| self.is_meta(modes, **last)).map(|(_, before)| before);
        let mut all: Vec<(Key, String)> = Vec::new();
        for mode in modes {
            let found = match before {
                Some(before) => self.with_meta(*mode, before),
                None => self.lookup(*mode, keys),
            };
            match found {
                Lookup::Command(command) if all.is_empty() => return Lookup::Command(command),
                Lookup::Prefix(next) => {
                    let fresh = next.into_iter().filter(|(key, _)| !all.iter().any(|(known, _)| known == key));
                    let fresh: Vec<_> = fresh.collect();
                    all.extend(fresh);
                }
                Lookup::Command(_) | Lookup::Unbound => {}
            }
        }
        if all.is_empty() { Lookup::Unbound } else { Lookup::Prefix(all) }
    }

    /// Whether a key begins one with Meta where these modes hold.
    pub fn is_meta(&self, modes: &[Mode], key: Key) -> bool {
        self.meta_by_esc && key == Key::plain(Code::Esc) && modes.last() == Some(&Mode::Page)
    }

    /// The keys with Meta that may come next, without it.
    fn with_meta(&self, mode: Mode, before: &[Key]) -> Lookup {
        let Lookup::Prefix(next) = self.lookup_next(mode, before) else { return Lookup::Unbound };
        let plain = |(key, command): (Key, String)| key.meta.then_some((Key { meta: false, ..key }, command));
        let next: Vec<_> = next.into_iter().filter_map(plain).collect();
        if next.is_empty() { Lookup::Unbound } else { Lookup::Prefix(next) }
    }

    /// Commands of the reader's own and of the preset, in the order of the files.
    pub fn own(&self) -> &[OwnCommand] {
        &self.own
    }

    /// That of a name.
    pub fn own_named(&self, name: &str) -> Option<&OwnCommand> {
        self.own.iter().find(|own| own.name == name)
    }

    /// Every binding: mode, sequence, command line; in the order of the files.
    pub fn bindings(&self) -> &[(Mode, Vec<Key>, String)] {
        &self.bindings
    }

    /// Binds a sequence. Earlier bindings that it replaces go: the same sequence, its beginnings (they would end it too
    /// early) and sequences that it begins (they could not be reached any more).
    pub fn bind(&mut self, mode: Mode, keys: Vec<Key>, command: String) {
        self.bindings.retain(|(m, k, _)| *m != mode || !hides(k, &keys));
        self.bindings.push((mode, keys, command));
    }

    /// Binds a sequence that is in no other's way, and none in its.
    pub(super) fn add(&mut self, mode: Mode, keys: Vec<Key>, command: String) {
        self.bindings.push((mode, keys, command));
    }

    /// Takes away what a sequence, and every sequence that begins with it, means.
    pub fn unbind(&mut self, mode: Mode, keys: &[Key]) {
        self.bindings.retain(|(m, k, _)| *m != mode || !k.starts_with(keys));
    }

    /// The sequences that run exactly this command line in a mode, for help and hints.
    pub fn keys_for(&self, mode: Mode, command: &str) -> Vec<&[Key]> {
        self.bindings.iter().filter(|(m, _, c)| *m == mode && c == command).map(|(_, k, _)| k.as_slice()).collect()
    }
}

/// Whether one of two sequences is the other, or begins it: only one of them can be typed.
#[inline]
pub(super) fn hides(one: &[Key], other: &[Key]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}
