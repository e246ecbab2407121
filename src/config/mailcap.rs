//! Mailcap files (RFC 1524): which program shows a media type, where the reader's settings name none.
//!
//! Commands there are written for a shell, and none is ever started here. So only those are taken that say the same without
//! one: a program and its arguments, quoted or not, with `%s` for the file and `%t` for the type. Of tests only
//! `test -n "$NAME"` and `test -z "$NAME"` are understood. An entry that needs more is passed over.

use std::collections::BTreeSet;
use std::sync::OnceLock;

/// An entry: a media type in lower case (`image/*` for all of a family) and an argument vector with the marks of settings.
type Entry = (String, Vec<String>);

/// Mailcap files. Nothing in them is looked at before a program is wanted.
#[derive(Debug, Clone, Default)]
pub struct Mailcap {
    texts: Vec<String>,
    variables: BTreeSet<String>,
    entries: OnceLock<Vec<Entry>>,
}

impl Mailcap {
    /// The texts of files, the first to be asked first; and the environment's variables that say something.
    pub fn new(texts: Vec<String>, variables: BTreeSet<String>) -> Mailcap {
        Mailcap { texts, variables, entries: OnceLock::new() }
    }

    /// The first program for a media type, in lower case, or for its family (`image/*`).
    pub(super) fn program(&self, media: &str, family: Option<&str>) -> Option<&Vec<String>> {
        let set = |name: &str| self.variables.contains(name);
        let entries = self.entries.get_or_init(|| self.texts.iter().flat_map(|text| parse(text, &set)).collect());
        entries.iter().find(|(known, _)| known == media || Some(known.as_str()) == family).map(|(_, program)| program)
    }
}

/// What has been looked at says nothing.
impl PartialEq for Mailcap {
    fn eq(&self, other: &Mailcap) -> bool {
        (&self.texts, &self.variables) == (&other.texts, &other.variables)
    }
}

impl Eq for Mailcap {}

/// The entries of a file, in order; `variable` says whether a variable of the environment says anything.
fn parse(text: &str, variable: &dyn Fn(&str) -> bool) -> Vec<Entry> {
    let joined = text.replace("\\\n", "");
    let lines = joined.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.filter_map(|line| entry(line, variable)).collect()
}

fn entry(line: &str, variable: &dyn Fn(&str) -> bool) -> Option<Entry> {
    let fields = fields(line);
    let [media, command, flags @ ..] = fields.as_slice() else { return None };
    let media = media.trim().to_ascii_lowercase();
    // A type alone stands for all of its family (RFC 1524, section 2).
    let media = if media.contains('/') { media } else { format!("{media}/*") };
    let test = flags.iter().find_map(|flag| flag.split_once('=').filter(|(name, _)| name.trim() == "test"));
    let holds = test.is_none_or(|(_, test)| passes(test.trim(), variable).unwrap_or(false));
    let program = arguments(command.trim())?;
    (holds && !program.is_empty()).then_some((media, program))
}

/// The parts between semicolons that no backslash protects.
fn fields(line: &str) -> Vec<String> {
    if !line.contains('\\') {
        return line.split(';').map(Into::into).collect();
    }
    let mut fields = vec![String::new()];
    let mut letters = line.chars();
    while let Some(c) = letters.next() {
        match (c, fields.last_mut()) {
            (';', _) => fields.push(String::new()),
            ('\\', Some(field)) => {
                let next = letters.next();
                // Before anything but a semicolon it is the command's own.
                field.extend(Some('\\').filter(|_| next != Some(';')).into_iter().chain(next));
            }
            (c, Some(field)) => field.push(c),
            (_, None) => {}
        }
    }
    fields
}

fn passes(test: &str, variable: &dyn Fn(&str) -> bool) -> Option<bool> {
    let rest = test.strip_prefix("test ").map(str::trim_start)?;
    let (wanted, rest) =
        rest.strip_prefix("-n ").map(|rest| (true, rest)).or_else(|| Some((false, rest.strip_prefix("-z ")?)))?;
    let name = rest.trim().trim_matches('"').strip_prefix('$')?;
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    plain.then(|| variable(name) == wanted)
}

/// The words of a command that means the same without a shell.
fn arguments(command: &str) -> Option<Vec<String>> {
    const SHELL: &[char] =
        &['|', '&', '<', '>', '(', ')', '$', '`', '*', '?', '[', ']', '{', '}', '~', '#', '!', ';', '\n'];
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut letters = command.chars();
    while let Some(c) = letters.next() {
        let into = |word: &mut Option<String>, text: &str| word.get_or_insert_default().push_str(text);
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                into(&mut word, "");
            }
            (_, '%') => match letters.next()? {
                's' => into(&mut word, "{file}"),
                't' => into(&mut word, "{type}"),
                '%' => into(&mut word, "%"),
                // A parameter of the type, or parts of a message.
                _ => return None,
            },
            (Some('\''), c) => into(&mut word, c.encode_utf8(&mut [0; 4])),
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (Some(_), '$' | '`' | '\\') | (None, '\\') => return None,
            (None, c) if SHELL.contains(&c) => return None,
            (_, c) => into(&mut word, c.encode_utf8(&mut [0; 4])),
        }
    }
    if quote.is_some() {
        return None;
    }
    words.extend(word);
    // A shell takes NAME=value before the program for a variable.
    (!words.first().is_some_and(|first| first.contains('='))).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(text: &str) -> Vec<(String, String)> {
        parse(text, &|name| name == "DISPLAY").into_iter().map(|(media, program)| (media, program.join("|"))).collect()
    }

    #[test]
    fn entries_that_mean_the_same_without_a_shell_are_taken() {
        let text = "# viewers\nimage/*; feh -- '%s'; test=test -n \"$DISPLAY\"\naudio; play \\\n  %s\n\
                    Application/PDF; zathura \"%s\"; test = test -n \"$WAYLAND_DISPLAY\"\n\
                    text/x-a; a --type=%t %s\n";
        let expected =
            [("image/*", "feh|--|{file}"), ("audio/*", "play|{file}"), ("text/x-a", "a|--type={type}|{file}")];
        assert_eq!(taken(text), expected.map(|(media, program)| (media.to_string(), program.to_string())));
    }

    #[test]
    fn entries_that_need_a_shell_are_passed_over() {
        for command in [
            "gzip -dc %s | less",
            "a %s && b",
            "echo $HOME %s",
            "echo \"`id`\" %s",
            "a %{charset} %s",
            "a 'open %s",
            "a \\\"%s",
            "a > /tmp/x",
            "sh -c 'a; b' $1",
            "A=1 b %s",
            "a %s \\; b",
        ] {
            assert!(taken(&format!("text/x-a; {command}")).is_empty(), "{command}");
        }
        assert!(taken("text/x-a; a %s; test=[ -x /bin/a ]").is_empty(), "a test that is not understood fails");
        assert!(taken("text/x-a; a %s; test=test -z \"$DISPLAY\"").is_empty());
        assert_eq!(taken("text/x-a; a %s; test=test -z \"$NOTHING\"").len(), 1);
        assert!(taken("text/x-a\n;\n;;;\n\\").is_empty());
    }
}
