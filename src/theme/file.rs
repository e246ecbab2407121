//! Theme files: `"role" = "style"`, a palette, the ground, and the theme that one lies over.

use super::{Colour, Depth, Style, Theme};
use crate::role::Role;
use crate::table::{self, ConfigError, Row, Value};
use std::collections::BTreeMap;

/// A theme file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its name for error messages.
    pub file: String,
    /// What it says.
    pub text: String,
}

/// How many themes may lie over each other; more is surely a circle.
const DEEPEST: usize = 8;

impl Theme {
    /// The embedded themes by name.
    pub const BUILT_IN: &[&str] = &[
        "dark",
        "light",
        "solarized-dark",
        "solarized-light",
        "gruvbox-dark",
        "gruvbox-light",
        "dracula",
        "parchment",
        "16",
        "high-contrast",
        "monochrome",
    ];

    /// The theme of a name: what `find` knows, else an embedded one, else none. Rows with a mistake are reported and left
    /// out; the others count.
    pub fn named(
        name: &str,
        find: &mut dyn FnMut(&str) -> Option<Source>,
        errors: &mut Vec<ConfigError>,
    ) -> Option<Theme> {
        let known = errors.len();
        let mut sheet = Sheet::default();
        let theme = sheet.lay(name, None, find, errors).then(|| sheet.theme(errors));
        table::in_order(errors, known);
        theme
    }
}

/// The rows of a theme and of those below it. Styles stay words until all rows are known, so that a theme may change
/// nothing but the palette of the one it lies over.
#[derive(Default)]
struct Sheet {
    palette: BTreeMap<String, Colour>,
    styles: BTreeMap<String, Words>,
    ground: Option<Words>,
    depth: usize,
}

struct Words {
    file: String,
    line: usize,
    words: String,
}

impl Sheet {
    /// Lays the theme of a name over what there is; false when there is no such theme. `over` is the file of the reader's
    /// that asks for a theme of its own name: that means the embedded one.
    fn lay(
        &mut self,
        name: &str,
        over: Option<&str>,
        find: &mut dyn FnMut(&str) -> Option<Source>,
        errors: &mut Vec<ConfigError>,
    ) -> bool {
        let own = find(name).filter(|source| over != Some(source.file.as_str()));
        let of_reader = own.is_some();
        let (file, rows) = match own {
            Some(Source { file, text }) => {
                let rows = table::rows(&file, &text, errors);
                (file, rows)
            }
            None => {
                let file = format!("themes/{name}.toml");
                let Some(rows) = table::embedded(&file) else { return false };
                (file, rows)
            }
        };
        let mut fault = |line, message| errors.push(ConfigError { file: file.clone(), line, message });
        self.depth += 1;
        if let Some(row) = rows.iter().find(|row| row.path == ["inherit"]) {
            match &row.value {
                _ if self.depth > DEEPEST => fault(row.line, "these themes lie over each other in a circle".into()),
                Value::Text(below) => {
                    if !self.lay(below, Some(&file), find, errors) {
                        let message = format!("there is no theme \"{below}\"");
                        errors.push(ConfigError { file: file.clone(), line: row.line, message });
                    }
                }
                _ => fault(row.line, "the name of a theme in quotes is wanted".into()),
            }
        }
        for row in rows.iter().filter(|row| row.path != ["inherit"]) {
            if let Err(message) = self.row(&file, row, of_reader) {
                errors.push(ConfigError { file: file.clone(), line: row.line, message });
            }
        }
        true
    }

    /// Takes a row. The names of a built-in file are not looked up: a test knows that they are names.
    fn row(&mut self, file: &str, row: &Row, of_reader: bool) -> Result<(), String> {
        let words = match &row.value {
            Value::Text(words) => words.clone(),
            Value::Number(number) => number.to_string(),
            _ => return Err("a style in quotes is wanted, as \"bold blue on black\"".into()),
        };
        if let [palette, name] = row.path.as_slice()
            && palette == "palette"
        {
            let colour = Colour::named(&words).ok_or_else(|| format!("\"{words}\" is no colour"))?;
            self.palette.insert(name.to_string(), colour);
            return Ok(());
        }
        let name = row.path.join(".");
        if name == "ground" {
            self.ground = Some(Words { file: file.into(), line: row.line, words });
            return Ok(());
        }
        if of_reader && !Role::ALL.iter().any(|role| begins(role.name(), &name)) {
            let near = table::suggestion(&name, Role::ALL.iter().map(|role| role.name()));
            return Err(format!("there is nothing called \"{name}\"{near}"));
        }
        self.styles.insert(name, Words { file: file.into(), line: row.line, words });
        Ok(())
    }

    /// The styles of all roles: what is said of `bar` holds for `bar.url` too, as long as that says nothing else.
    fn theme(self, errors: &mut Vec<ConfigError>) -> Theme {
        for words in self.styles.values() {
            if let Err(message) = Style::default().with(&words.words, &self.palette) {
                errors.push(ConfigError { file: words.file.clone(), line: words.line, message });
            }
        }
        let ground = self.ground.as_ref().map_or(Colour::Default, |said| {
            let colour = self.palette.get(&said.words).copied().or_else(|| Colour::named(&said.words));
            colour.unwrap_or_else(|| {
                let message = format!("\"{}\" is no colour", said.words);
                errors.push(ConfigError { file: said.file.clone(), line: said.line, message });
                Colour::Default
            })
        });
        let style = |role: &Role| {
            // What is said of a beginning comes before what is said of all of the name.
            let name = role.name();
            let ends = name.match_indices('.').map(|(at, _)| at).chain([name.len()]);
            let told = ends.filter_map(|end| self.styles.get(&name[..end]));
            told.fold(Style::default(), |style, words| style.with(&words.words, &self.palette).unwrap_or(style))
        };
        Theme { styles: Role::ALL.iter().map(style).collect(), ground, unicode: true, depth: Depth::True }
    }
}

/// Whether a dotted name is another one or stands above it.
fn begins(name: &str, beginning: &str) -> bool {
    name.strip_prefix(beginning).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
