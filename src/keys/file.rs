//! Key files: a table per mode, `"keys" = "command line"`, over a preset; `counts`, `fields`, `meta-by-esc`; `[commands]`, of the reader's own.

use super::keymap::hides;
use super::own::{self, MOST_STEPS, OwnCommand};
use super::{Code, Key, Keymap, Mode};
use crate::table::{self, ConfigError, Row, Value};
use std::collections::BTreeMap;

/// The presets by name; each is a key file, embedded.
pub const PRESETS: &[&str] = &["default", "vi", "lynx", "emacs", "slrn"];

impl Keymap {
    /// The keys of a preset; `None` when there is none of that name. `commands` are the names a command line may begin with.
    pub fn preset(name: &str, commands: &[&str], errors: &mut Vec<ConfigError>) -> Option<Keymap> {
        let file = format!("keys/{name}.toml");
        let rows = table::embedded(&file)?;
        Some(Reader { file: &file, commands, map: Keymap::default(), bound: None, errors }.layered(&rows))
    }

    /// Reads a key file. It lies over the preset that its own line `preset = "…"` names, else over `preset`. A row with a
    /// mistake is reported and left out; the others count.
    pub fn read(file: &str, text: &str, preset: &str, commands: &[&str], errors: &mut Vec<ConfigError>) -> Keymap {
        let map = Keymap::preset(preset, commands, errors).unwrap_or_default();
        let known = errors.len();
        let rows = table::rows(file, text, errors);
        let map = Reader { file, commands, map, bound: Some(BTreeMap::new()), errors }.layered(&rows);
        table::in_order(errors, known);
        map
    }
}

/// Where rows stand that name a command.
const COMMANDS: &str = "commands";

/// Rows that are no keys, and say how keys are taken.
const SWITCHES: &[&str] = &["counts", "fields", "meta-by-esc"];

fn is_switch(row: &Row) -> bool {
    matches!(row.path.as_slice(), [name] if SWITCHES.contains(&&**name))
}

fn is_command(row: &Row) -> bool {
    matches!(row.path.as_slice(), [table, _] if table == COMMANDS)
}

struct Reader<'a> {
    file: &'a str,
    commands: &'a [&'a str],
    map: Keymap,
    /// What this very file binds, and on which line: within one file, sequences that hide each other are a mistake. So one that
    /// would be hidden, or hides, stands beside it in their order. `None` for a built-in file: a test finds its mistakes.
    bound: Option<BTreeMap<(Mode, Vec<Key>), usize>>,
    errors: &'a mut Vec<ConfigError>,
}

impl Reader<'_> {
    fn layered(mut self, rows: &[Row]) -> Keymap {
        for row in rows.iter().filter(|row| row.path == ["preset"]) {
            self.preset(row);
        }
        for row in rows {
            if let Err(message) = self.switch(row) {
                self.fault(row.line, message);
            }
        }
        self.commands(rows);
        let over = !self.map.bindings().is_empty();
        let is_key = |row: &&Row| row.path != ["preset"] && !is_switch(row) && !is_command(row);
        for row in rows.iter().filter(is_key) {
            if let Err(message) = self.row(row, over) {
                self.fault(row.line, message);
            }
        }
        self.map
    }

    fn fault(&mut self, line: usize, message: String) {
        self.errors.push(ConfigError { file: self.file.into(), line, message });
    }

    fn preset(&mut self, row: &Row) {
        let preset = match &row.value {
            Value::Text(name) => Keymap::preset(name, self.commands, self.errors),
            _ => None,
        };
        match preset {
            Some(map) => self.map = map,
            None => {
                self.fault(row.line, format!("no such preset; there are {}", PRESETS.join(", ")));
            }
        }
    }

    fn switch(&mut self, row: &Row) -> Result<(), String> {
        if !is_switch(row) {
            return Ok(());
        }
        let Value::Switch(on) = row.value else { return Err("true or false is wanted".into()) };
        match row.path.last().map(AsRef::as_ref) {
            Some("fields") => self.map.fields = on,
            Some("meta-by-esc") => self.map.meta_by_esc = on,
            _ => self.counts(on),
        }
        Ok(())
    }

    /// `counts`: with it digits choose no links any more; without it they do as by default.
    fn counts(&mut self, counts: bool) {
        if self.map.counts == counts {
            return;
        }
        self.map.counts = counts;
        let digits = ('1'..='9').map(|digit| vec![Key::plain(Code::Char(digit))]);
        let default = if counts { None } else { Keymap::preset("default", self.commands, self.errors) };
        for keys in digits {
            let line = default
                .as_ref()
                .and_then(|map| map.bindings().iter().find(|(mode, known, _)| *mode == Mode::Page && *known == keys));
            match line {
                Some((_, _, line)) => self.map.bind(Mode::Page, keys, line.clone()),
                None => self.map.unbind(Mode::Page, &keys),
            }
        }
    }

    /// `[commands]`, all of them before any key: each may name the others, wherever they stand.
    fn commands(&mut self, rows: &[Row]) {
        let mut fresh: Vec<(OwnCommand, usize)> = Vec::new();
        for row in rows.iter().filter(|row| is_command(row)) {
            let done = match fresh.len() {
                own::MOST_COMMANDS => Err(format!("{} commands are the most", own::MOST_COMMANDS)),
                _ => self.command(row),
            };
            match done {
                Ok(Some(own)) => fresh.push((own, row.line)),
                Ok(None) => {}
                Err(message) => self.fault(row.line, message),
            }
        }
        self.map.own.retain(|known| !fresh.iter().any(|(own, _)| own.name == known.name));
        // One that goes may be what others name.
        while let Some((at, message)) = self.faulty(&fresh) {
            let (_, line) = fresh.remove(at);
            self.fault(line, message);
        }
        self.map.own.extend(fresh.into_iter().map(|(own, _)| own));
    }

    fn command(&mut self, row: &Row) -> Result<Option<OwnCommand>, String> {
        let name = row.path.last().cloned().unwrap_or_default();
        own::fits(&name, self.commands)?;
        let Value::Text(text) = &row.value else {
            return Err("a command line in quotes is wanted, or several with \"; \" between them".into());
        };
        let steps = own::steps(text);
        if steps.is_empty() {
            self.map.own.retain(|own| own.name != name);
            return Ok(None);
        }
        if steps.len() > MOST_STEPS {
            return Err(format!("\"{name}\" comes to {} steps; {MOST_STEPS} is the most", steps.len()));
        }
        Ok(Some(OwnCommand { name: name.into_owned(), steps }))
    }

    /// The first of the new commands with which something is wrong, and what.
    fn faulty(&self, fresh: &[(OwnCommand, usize)]) -> Option<(usize, String)> {
        let known = self.map.own.iter().chain(fresh.iter().map(|(own, _)| own));
        let all: BTreeMap<&str, &[String]> = known.map(|own| (own.name.as_str(), own.steps.as_slice())).collect();
        let fault = |(own, _): &(OwnCommand, usize)| own::fault(own, &all, self.commands);
        fresh.iter().enumerate().find_map(|(at, row)| Some((at, fault(row)?)))
    }

    /// A key; `over` says whether there may be others in its way.
    fn row(&mut self, row: &Row, over: bool) -> Result<(), String> {
        let [table, keys] = row.path.as_slice() else {
            return Err(format!(
                "\"{}\" is in no table: keys stand below [page], [news], [groups], [own], [settings], [new], [overlay] or [prompt], your commands below [commands]",
                row.path.join(".")
            ));
        };
        let Some(mode) = Mode::ALL.into_iter().find(|mode| mode.name() == table) else {
            return Err(format!(
                "there is no table [{table}]: keys stand below [page], [news], [groups], [own], [settings], [new], [overlay] or [prompt], your commands below [commands]"
            ));
        };
        let keys = Key::sequence(keys).map_err(|name| format!("\"{name}\" is no key{}", key_hint(&name)))?;
        if keys.is_empty() {
            return Err("no key is named".into());
        }
        let Value::Text(command) = &row.value else {
            return Err("a command line in quotes is wanted, or \"\" for no meaning".into());
        };
        let Some(name) = command.split_ascii_whitespace().next() else {
            self.map.unbind(mode, &keys);
            return Ok(());
        };
        self.check(name, mode, &keys, row.line)?;
        match over {
            true => self.map.bind(mode, keys, command.trim().into()),
            // Within one file none is in another's.
            false => self.map.add(mode, keys, command.trim().into()),
        }
        Ok(())
    }

    /// Whether what the reader wrote makes sense: there is such a command, and no other row of the file is in the way.
    fn check(&mut self, name: &str, mode: Mode, keys: &[Key], line: usize) -> Result<(), String> {
        let Some(bound) = &mut self.bound else { return Ok(()) };
        if !self.commands.contains(&name) && self.map.own_named(name).is_none() {
            let own = self.map.own().iter().map(|own| own.name.as_str());
            let near = table::suggestion(name, self.commands.iter().copied().chain(own));
            return Err(format!("\"{name}\" is no command{near}"));
        }
        let place = (mode, keys.to_vec());
        let beside = [bound.range(..=&place).next_back(), bound.range(&place..).next()];
        let hidden = beside.into_iter().flatten().find(|((m, k), _)| *m == mode && hides(k, keys));
        if let Some(((_, other), line)) = hidden {
            return Err(format!("hides, or is hidden by, \"{}\" of line {line}", shown(other)));
        }
        bound.insert(place, line);
        Ok(())
    }
}

/// A sequence as key files write it.
pub fn shown(keys: &[Key]) -> String {
    keys.iter().map(Key::to_string).collect::<Vec<_>>().join(" ")
}

fn key_hint(name: &str) -> String {
    match name.rsplit_once("S-") {
        Some((before, letter)) if letter.chars().count() == 1 => {
            format!("; write \"{before}{}\" for the shifted letter", letter.to_uppercase())
        }
        _ => "; names are like C-a, M-Left, S-Tab, F5, Space, PgDn, x".into(),
    }
}
