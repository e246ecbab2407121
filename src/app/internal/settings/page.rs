//! How the page of settings is written: a row for each, what is known of it below.

use super::shown;
use crate::app::Sight;
use crate::app::internal::{Made, show_other, words};
use crate::app::state::Cx;
use crate::config::{self, Kind, Setting, Settings, SettingsFile, When};
use crate::doc::{BlockKind, Builder, Marker, sanitise};
use crate::keys::{self, Mode};
use crate::role::Role;
use crate::table::{Row, Value};
use crate::url::redact;

/// Makes the page in view anew when it shows something else.
pub(super) fn tend(cx: &mut Cx<'_>) {
    let words = words(cx.sight());
    let made = written(cx.sight(), &words);
    show_other(cx, made);
}

/// What each row is told from.
struct Known<'a> {
    file: Option<&'a SettingsFile>,
    rows: Vec<Row>,
    defaults: Settings,
    /// What files and options come to.
    next: Option<Settings>,
}

fn written(sight: Sight<'_>, words: &str) -> Made {
    let wanted: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let file = sight.desk.own.file.as_deref();
    let rows = file.map(SettingsFile::rows).unwrap_or_default();
    let next = file.map(|file| file.settings().0);
    let known = Known { file, rows, defaults: Settings::default(), next };
    let helps = config::helps();
    let mut out = Builder::new();
    out.document_mut().title = Some("Settings".into());
    out.block(BlockKind::Heading(1), Role::Heading);
    out.text("Settings");
    let said = introduction(sight, file);
    out.block(BlockKind::Line, Role::Dim);
    out.text(&said);
    let mut source = format!("{said}\n");
    let mut group = None;
    for setting in config::settings() {
        let help = help(&helps, setting.name);
        if !wanted.iter().all(|word| setting.name.contains(word.as_str()) || help.to_lowercase().contains(word)) {
            continue;
        }
        let of = setting.name.split_once('.').map_or("", |(table, _)| table);
        if group.replace(of) != Some(of) {
            out.block(BlockKind::Line, Role::Text);
            if !of.is_empty() && of != shown(setting.name) {
                out.block(BlockKind::Heading(2), Role::Heading2);
                out.text(of);
            }
        }
        let (value, about) = row(sight, setting, &known);
        out.marked(BlockKind::Entry, Role::Text, Marker::None, 1);
        out.link(shown(setting.name), Role::Link, &format!("about:settings?name={}", setting.name));
        out.styled(&format!("  {}", sanitise(&value)), Role::Field);
        out.styled(&format!("  {}", sanitise(&about)), Role::Dim);
        if !help.is_empty() {
            out.marked(BlockKind::Paragraph, Role::Dim, Marker::None, 3);
            out.text(&by_keys(sight, help));
        }
        source.push_str(&format!("{} = {value}\t{about}\n", shown(setting.name)));
    }
    if group.is_none() {
        let said = format!("No setting has \"{}\".", sanitise(words));
        out.block(BlockKind::Line, Role::Text);
        out.text(&said);
        source.push_str(&format!("{said}\n"));
    }
    Made { document: out.finish(), source }
}

/// The commands that a text names, `":wrap"`, by the keys that run them now.
fn by_keys(sight: Sight<'_>, text: &str) -> String {
    let key = |name: &str| {
        let bound = [Mode::News, Mode::Page].into_iter().flat_map(|mode| sight.desk.keymap.keys_for(mode, name));
        bound.map(keys::shown).next()
    };
    let named = |piece: &str| piece.strip_prefix(':').and_then(key).unwrap_or_else(|| piece.to_owned());
    text.split('"').map(named).collect::<Vec<_>>().join("\"")
}

/// What is said of a setting, else of its table.
fn help<'a>(helps: &'a [(String, String)], name: &str) -> &'a str {
    let said = |wanted: &str| helps.iter().find(|(name, _)| name == wanted).map_or("", |(_, help)| help.as_str());
    match (said(name), name.split_once('.')) {
        ("", Some((table, _))) => said(&format!("{table}.")),
        (help, _) => help,
    }
}

fn introduction(sight: Sight<'_>, file: Option<&SettingsFile>) -> String {
    let key = |command: &str, what: &str| Some(format!("{} {what}", sight.key_on_own(command)?));
    let of_page = |command: &str| sight.desk.key_for_settings(command);
    let steps = of_page("previous-value").zip(of_page("next-value"));
    let name = match file {
        Some(file) if file.text.is_empty() => format!("{}, which is not there yet", file.name),
        Some(file) => file.name.clone(),
        None => "settings.toml is being read".into(),
    };
    let parts = [
        Some(name),
        steps.map(|(previous, next)| format!("{previous} and {next} set")),
        key("follow", "changes"),
        key("remove", "default"),
        key("undo", "undo"),
        key("filter", "find"),
    ];
    sanitise(&parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")).into_owned()
}

/// The value of a setting, and where it is from.
fn row(sight: Sight<'_>, setting: &Setting, known: &Known<'_>) -> (String, String) {
    if matches!(setting.kind, Kind::Table(_)) {
        let rows =
            known.rows.iter().filter(|row| format!("{}.", row.path[..row.path.len() - 1].join(".")) == setting.name);
        let rows: Vec<&str> = rows.filter_map(|row| row.path.last().map(AsRef::as_ref)).collect();
        return match rows.is_empty() {
            true => (String::new(), "rows of your own; the file has none".into()),
            false => (rows.join(" "), "in the file".into()),
        };
    }
    let value = setting.value(&sight.desk.settings);
    let default = setting.value(&known.defaults);
    let mut about = Vec::new();
    match known.rows.iter().find(|row| row.path.join(".") == setting.name) {
        Some(row) if row.value == value => about.push(format!("line {} of the file", row.line)),
        Some(row) => about.push(format!("line {} of the file says {}", row.line, told(&row.value))),
        None => {}
    }
    if let Some(fixed) = known.file.and_then(|file| file.fixed(setting.name)) {
        about.push(format!("{} says {}", fixed.by, sanitise(&redact(&fixed.value))));
    }
    match (value == default, about.is_empty()) {
        (true, true) => about.push("default".into()),
        (true, false) => {}
        (false, _) => about.push(format!("default {}", told(&default))),
    }
    let next = known.next.as_ref().map(|next| setting.value(next)).filter(|next| *next != value);
    match (next, setting.when) {
        (Some(next), When::AtStart) => about.push(format!("from the next start on {}", told(&next))),
        (Some(_), When::Now) => about.push("until the end".into()),
        (None, _) => {}
    }
    (told(&value), about.join(", "))
}

/// A value, with no password in it.
pub(super) fn told(value: &Value) -> String {
    redact(&value.to_string())
}
