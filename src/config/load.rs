//! The only place of this room that reads files: settings.toml, keys.toml and themes/NAME.toml of the reader's folder.

use super::mailcap::Mailcap;
use super::{ConfigError, CookieRule, Fixed, FtpTls, Sandbox, Settings, SettingsFile, proxies, set_option};
use crate::keys::{Keymap, PRESETS};
use crate::table;
use crate::theme::{Source, Theme};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{Error, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Where settings come from. Nothing else is looked at.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// The reader's folder, in which settings, keys and themes are looked for.
    pub folder: Option<PathBuf>,
    /// The settings file asked for (`--config`); it must exist. Keys and themes are then looked for beside it.
    pub file: Option<PathBuf>,
    /// Single settings, `KEY=VALUE` (`-o`), over those of the file.
    pub options: Vec<String>,
    /// The names of all commands, to check key files against.
    pub commands: Vec<&'static str>,
    /// Mailcap files (RFC 1524, appendix A), the first to be asked first.
    pub mailcaps: Vec<PathBuf>,
    /// The environment's variables that say something, which tests in mailcap files ask for.
    pub variables: BTreeSet<String>,
}

/// Everything the reader set, and every mistake in it.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The settings.
    pub settings: Settings,
    /// The keys.
    pub keymap: Keymap,
    /// The folder in which keys and themes are looked for.
    pub folder: Option<PathBuf>,
    /// What is wrong, file by file in the order of their lines.
    pub errors: Vec<ConfigError>,
    /// Whether there is a folder that such files would be in: somebody has been here.
    pub has_folder: bool,
}

/// Reads everything. Files that do not exist cost nothing; mistakes cost their own row.
pub fn load(sources: &Sources) -> Loaded {
    let mut errors = Vec::new();
    let folder = match &sources.file {
        Some(file) => file.parent().map(Path::to_path_buf),
        None => sources.folder.clone(),
    };
    let beside = |name: &str| folder.as_ref().map(|folder| folder.join(name));
    let mut settings = Settings::default();
    let file = sources.file.clone().or_else(|| beside("settings.toml"));
    let is_there = file.as_deref().is_some_and(Path::exists);
    match text(file, sources.file.is_some(), &mut errors) {
        Some((file, text)) => (settings, errors) = super::read(&file, &text),
        None if is_there => be_careful_in_all(&mut settings, &mut errors),
        None => {}
    }
    for option in &sources.options {
        set_option(&mut settings, option, &mut errors);
    }
    settings.mailcap = mailcap(sources);
    let keymap = keys(&settings.keys, beside("keys.toml"), &sources.commands, &mut errors);
    // Its mistakes are told with the others; who draws reads it again. The embedded ones have none.
    if !is_embedded(&settings.theme, folder.as_deref()) {
        theme(&settings.theme, Theme::BUILT_IN[0], folder.as_deref(), &mut errors);
    }
    errors.iter_mut().for_each(ConfigError::shorten);
    let has_folder = folder.as_ref().is_some_and(|folder| folder.exists());
    Loaded { settings, keymap, folder, errors, has_folder }
}

/// Where the settings are read from; `None` where there is no place for them.
pub fn settings_path(sources: &Sources) -> Option<PathBuf> {
    sources.file.clone().or_else(|| Some(sources.folder.as_ref()?.join("settings.toml")))
}

/// What the files say of settings now, with what has the last word over them.
///
/// # Errors
/// The file cannot be read, in a sentence.
pub fn settings_file(sources: &Sources, fixed: &[Fixed]) -> Result<SettingsFile, String> {
    let path = settings_path(sources);
    let folder = path.as_deref().and_then(Path::parent).map(Path::to_path_buf);
    let name = path.as_deref().map(|path| path.display().to_string()).unwrap_or_default();
    // A pipe that was named on the command line has been read.
    let octets = match path.map(|path| octets(&path, false)) {
        Some(Err(error)) if error.kind() != ErrorKind::NotFound => {
            return Err(format!("{name}: cannot be read: {error}"));
        }
        read => read.and_then(Result::ok).unwrap_or_default(),
    };
    let text = String::from_utf8_lossy(&octets).into_owned();
    let keys = read(folder.as_ref().map(|folder| folder.join("keys.toml")), false, &mut Vec::new());
    let themes = folder.map(|folder| std::fs::read_dir(folder.join("themes"))).and_then(Result::ok);
    let themes = themes.into_iter().flatten().flatten().filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        name.strip_suffix(".toml").filter(|name| !name.starts_with('.')).map(Into::into)
    });
    let mut themes: Vec<String> = themes.collect();
    themes.sort();
    Ok(SettingsFile { name, text, fixed: fixed.to_vec(), keys, themes })
}

/// The mailcap files. Others write them, so what is wrong there is not told.
fn mailcap(sources: &Sources) -> Mailcap {
    let texts = sources.mailcaps.iter().filter_map(|path| String::from_utf8(octets(path, false).ok()?).ok());
    Mailcap::new(texts.collect(), sources.variables.clone())
}

fn keys(preset: &str, file: Option<PathBuf>, commands: &[&str], errors: &mut Vec<ConfigError>) -> Keymap {
    let mut preset = preset;
    if !PRESETS.contains(&preset) {
        errors.push(nothing_named("keys", "key preset", preset, PRESETS.iter().copied()));
        preset = "default";
    }
    match read(file, false, errors) {
        Some((file, text)) => Keymap::read(&file, &text, preset, commands, errors),
        None => Keymap::preset(preset, commands, errors).unwrap_or_default(),
    }
}

/// The theme that follows the terminal's ground.
pub const AUTO: &str = "auto";

/// The theme of a name, in all its colours (see [`Theme::at`]): an embedded one, or one of a folder; for [`AUTO`] that of the
/// ground. What is wrong with it costs its own row; where there is none of that name it is the default one.
pub fn theme(name: &str, ground: &str, folder: Option<&Path>, errors: &mut Vec<ConfigError>) -> Theme {
    let name = if name == AUTO { ground } else { name };
    let mut faults = Vec::new();
    let find = &mut |name: &str| -> Option<Source> {
        // A theme's name is a file name and no way out of its folder.
        let own = (!name.contains(['/', '\\']) && !name.starts_with('.')).then_some(folder?);
        let own = own.map(|folder| folder.join("themes").join(format!("{name}.toml")));
        read(own, false, &mut faults).map(|(file, text)| Source { file, text })
    };
    let theme = Theme::named(name, find, errors);
    errors.append(&mut faults);
    theme.unwrap_or_else(|| {
        errors.push(nothing_named(
            "theme",
            "theme",
            name,
            std::iter::once(AUTO).chain(Theme::BUILT_IN.iter().copied()),
        ));
        Theme::default()
    })
}

/// Whether a theme is surely one of ours: reading it is a tenth of a start.
fn is_embedded(name: &str, folder: Option<&Path>) -> bool {
    let own = folder.is_some_and(|folder| folder.join("themes").exists());
    !own && (name == AUTO || Theme::BUILT_IN.contains(&name))
}

fn nothing_named<'a>(key: &str, what: &str, name: &str, names: impl Iterator<Item = &'a str> + Clone) -> ConfigError {
    let all: Vec<&str> = names.clone().collect();
    let near = table::suggestion(name, names);
    let message = format!("there is no {what} \"{name}\"{near} ({})", all.join(", "));
    ConfigError { file: format!("the setting {key}"), line: 0, message }
}

/// What a row begins with, what is said of it, and how the most careful value is set.
type Careful = (&'static str, &'static str, fn(&mut Settings));

/// Settings that keep something from others. Not those of what is kept on this machine: history that is not kept cannot be had back.
const CAREFUL: &[Careful] = &[
    ("cookies", "http.cookies = \"never\"", |settings| settings.http.cookies = CookieRule::Never),
    ("tls", "ftp.tls = \"always\"", |settings| settings.ftp.tls = FtpTls::Always),
    ("starttls", "news.starttls = true", |settings| settings.news.starttls = true),
    ("sandbox", "sandbox = \"always\"", |settings| settings.sandbox = Sandbox::Always),
    ("proxy", "nothing of the web is asked for", |settings| settings.http.proxies.lose_web()),
];

/// A row that makes no sense may have asked for more care than there is by default: there is as much as can be, until it is mended.
/// Where a file was given up, that goes for all its rows.
pub(super) fn be_careful(settings: &mut Settings, file: &str, text: &str, errors: &mut [ConfigError]) {
    let rows: Vec<&str> = text.lines().collect();
    // Which rows are about the cookies of single hosts.
    let mut within = false;
    let of_hosts = rows.iter().map(|row| {
        let names = row.contains("cookie_hosts");
        within = if row.trim_start().starts_with('[') { names } else { within };
        within || names
    });
    let of_hosts: Vec<bool> = of_hosts.collect();
    for error in errors.iter_mut().filter(|error| error.file == file) {
        let damaged = match error.line.checked_sub(1) {
            Some(line) => line..(line + 1).min(rows.len()),
            None => 0..rows.len(),
        };
        let mut said = Vec::new();
        for at in damaged {
            if of_hosts[at] {
                // Which host it was about is not to be relied on.
                settings.http.cookies = CookieRule::Never;
                settings.http.cookie_hosts.values_mut().for_each(|rule| *rule = CookieRule::Never);
                said.push("no host may set cookies".into());
            } else {
                said.extend(careful(settings, rows[at]));
            }
        }
        said.sort();
        said.dedup();
        if !said.is_empty() {
            error.message.push_str(&format!("; until it is mended, {}", said.join(", ")));
        }
    }
}

/// Sets the most careful value of the setting that a row is about, if it has one; says what that is.
fn careful(settings: &mut Settings, row: &str) -> Option<String> {
    let key = row.trim_start_matches(['#', ' ', '\t']).split('=').next().unwrap_or_default().trim();
    let key = key.rsplit('.').next().unwrap_or_default().trim_matches('"');
    if let Some((_, said, set)) = CAREFUL.iter().find(|(name, ..)| *name == key) {
        set(settings);
        return Some((*said).into());
    }
    let scheme = proxies::SCHEMES.iter().find(|scheme| **scheme == key)?;
    settings.http.proxies.lose(scheme);
    Some(format!("nothing of {scheme}: is asked for"))
}

/// Nothing of the settings can be read: all that keeps something from others is as careful as can be.
pub(super) fn be_careful_in_all(settings: &mut Settings, errors: &mut [ConfigError]) {
    CAREFUL.iter().for_each(|(.., set)| set(settings));
    proxies::SCHEMES.iter().for_each(|scheme| settings.http.proxies.lose(scheme));
    for error in errors {
        error.message.push_str("; until it is mended, no cookies, no web, nothing in clear text that can be secured");
    }
}

/// The text without the rows that are not UTF-8, in which U+FFFD stands for what is not: they cost themselves. Nothing is wrong with
/// a remark in another charset.
pub(super) fn readable<'a>(text: &'a str, file: &str, errors: &mut Vec<ConfigError>) -> Cow<'a, str> {
    const LOST: char = char::REPLACEMENT_CHARACTER;
    let text = with_line_ends(text);
    if !text.contains(LOST) {
        return text;
    }
    let mut kept = String::with_capacity(text.len());
    for (line, row) in (1..).zip(text.split_inclusive('\n')) {
        if row.contains(LOST) && !row.trim_start().starts_with('#') {
            // A remark, by which the row can still be told from others.
            kept.push('#');
            let message = "this row is not UTF-8; it is left out".into();
            errors.push(ConfigError { file: file.into(), line, message });
        }
        kept.push_str(row);
    }
    kept.into()
}

/// The text with an end for each line that some editors end with CR alone: as one line it would say nothing.
fn with_line_ends(text: &str) -> Cow<'_, str> {
    let is_alone = |(at, _): &(usize, &str)| text.as_bytes().get(at + 1) != Some(&b'\n');
    if !text.match_indices('\r').any(|found| is_alone(&found)) {
        return text.into();
    }
    text.replace("\r\n", "\n").replace('\r', "\n").into()
}

/// A file's name and the rows of it that can be read; nothing when it does not exist, unless it must.
fn read(path: Option<PathBuf>, must_exist: bool, errors: &mut Vec<ConfigError>) -> Option<(String, String)> {
    let (file, text) = text(path, must_exist, errors)?;
    let text = readable(&text, &file, errors).into_owned();
    Some((file, text))
}

/// Octets that a file of settings may have.
const LONGEST: u64 = 4 << 20;

/// What a file holds. A pipe would be waited for; one that was named on the command line has somebody at its other end.
fn octets(path: &Path, named: bool) -> Result<Vec<u8>, Error> {
    if !named && std::fs::metadata(path).is_ok_and(|facts| !facts.is_file() && !facts.is_dir()) {
        return Err(Error::other("it is no file"));
    }
    let mut octets = Vec::new();
    std::fs::File::open(path)?.take(LONGEST + 1).read_to_end(&mut octets)?;
    match octets.len() as u64 > LONGEST {
        true => Err(Error::other("it is longer than 4 MiB")),
        false => Ok(octets),
    }
}

/// A file's name and its text, with U+FFFD for what is not UTF-8.
fn text(path: Option<PathBuf>, must_exist: bool, errors: &mut Vec<ConfigError>) -> Option<(String, String)> {
    let path = path?;
    let file = path.display().to_string();
    match octets(&path, must_exist) {
        Ok(octets) => return Some((file, String::from_utf8_lossy(&octets).into_owned())),
        Err(wrong) if wrong.kind() == ErrorKind::NotFound && !must_exist => {}
        Err(wrong) => errors.push(ConfigError { file, line: 0, message: format!("cannot be read: {wrong}") }),
    }
    None
}
