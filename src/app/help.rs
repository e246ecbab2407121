//! Help, written from the table of commands and the keys as they are bound now.

use crate::app::hands::line::request;
use crate::app::help_rows::{Row, put};
use crate::app::look::{anatomy, playground};
use crate::app::serving::{Serving, about, means, serving};
use crate::app::state::Cx;
use crate::app::{COMMANDS, Command, Effect, FormOwner, Overlay, PromptKind, Sight, TextOwner};
use crate::config::ConfigError;
use crate::doc::{Anchor, BlockKind, Builder, Document, sanitise};
use crate::keys::{Code, Key, Mode, OwnCommand, shown};
use crate::role::Role;

/// The overlay's title.
const TITLE: &str = "Help";

/// Shows the commands that do something right here with their keys; `help all`, or the key again, all of them; `help words`, of all
/// of them those that have the words.
pub(super) fn help(cx: &mut Cx<'_>, which: &str) -> Vec<Effect> {
    let is_help = |overlay: &Overlay| matches!(overlay, Overlay::Text { owner: TextOwner::Help, .. });
    let again = cx.hands.top().is_some_and(is_help);
    cx.hands.retain(|overlay| !is_help(overlay));
    let all = which.trim() == "all" || (again && which.trim().is_empty());
    let words = if all { "" } else { which.trim() };
    let document = Box::new(match cx.hands.top().filter(|_| !all && words.is_empty() && cx.hands.prompt().is_none()) {
        Some(overlay) => over(cx.sight(), overlay),
        None if all || !words.is_empty() => everything(cx.sight(), words),
        None => here(cx.sight()),
    });
    let key = |command: &str, what: &str| cx.key_for(command).map(|key| format!("{key} {what} · ")).unwrap_or_default();
    let more = if all { String::new() } else { key("help", "all keys") };
    let hint = format!("{}{more}Esc close", key("find", "look for words"));
    let title = if words.is_empty() { TITLE.into() } else { format!("{TITLE}: \"{}\"", sanitise(words)) };
    cx.hands.raise(Overlay::Text { owner: TextOwner::Help, title, document, top: Anchor::default(), hint });
    Vec::new()
}

/// Asks for the words that the help in view is to be narrowed to.
pub(super) fn narrow(cx: &mut Cx<'_>) {
    cx.hands.ask(PromptKind::Command, ":", "help ", None);
}

/// Shows what is wrong in files; the rest of them counts.
pub(super) fn mistakes(cx: &mut Cx<'_>, title: &str, mistakes: &[ConfigError], end: &str) {
    let mut out = Builder::new();
    for mistake in mistakes {
        out.block(BlockKind::Paragraph, Role::Overlay);
        let mistake = mistake.to_string();
        out.text(&sanitise(&mistake));
        // Whoever closes this too soon finds it there.
        cx.hands.keep_complaint(mistake);
    }
    out.block(BlockKind::Line, Role::Text);
    out.block(BlockKind::Paragraph, Role::OverlayDim);
    out.text(end);
    cx.hands.raise(Overlay::notice(title, out.finish()));
}

/// Shows what did not work lately, for whoever has not read it in time.
pub(super) fn complaints(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    if cx.hands.complaints().next().is_none() {
        cx.say("nothing went wrong so far");
        return Vec::new();
    }
    let mut out = Builder::new();
    for complaint in cx.hands.complaints().rev() {
        out.block(BlockKind::Paragraph, Role::Overlay);
        out.text(complaint);
    }
    cx.hands.raise(Overlay::notice("What went wrong, the newest first", out.finish()));
    Vec::new()
}

/// What can be done with what lies over the page: its answers first, then the commands that serve there, by the keys that do.
fn over(sight: Sight<'_>, overlay: &Overlay) -> Document {
    let mut out = Builder::new();
    let (title, more) = match overlay {
        Overlay::List { .. } => ("In this list", "Letters narrow it to the rows that have them."),
        Overlay::Text { .. } => ("In this text", ""),
        Overlay::Question { .. } => ("In this question", ""),
        Overlay::Form(_) if playground::is_open(sight) => {
            ("Trying references", "Letters are text; what becomes of it is told below as you type.")
        }
        Overlay::Form(_) => ("In this form", "Letters are text; Space chooses where something is to be chosen."),
    };
    out.block(BlockKind::Heading(1), Role::Heading);
    out.text(title);
    if let Overlay::Question { choices, .. } = overlay {
        let rows: Vec<Row> =
            choices.iter().map(|choice| Row::new(&choice.key.to_string(), (&choice.label, ""))).collect();
        put(sight, &rows, true, &mut out);
    }
    if !more.is_empty() {
        out.block(BlockKind::Line, Role::OverlayDim);
        out.text(more);
    }
    let free = |keys: &[Key]| {
        keys.first().is_none_or(|key| match overlay {
            Overlay::List { .. } => !matches!(key.code, Code::Char(_)) || key.control || key.meta,
            Overlay::Form(_) => request(*key).is_none(),
            Overlay::Text { .. } => true,
            // What is an answer is nothing else.
            Overlay::Question { choices, .. } => {
                key.control || key.meta || choices.iter().all(|choice| key.code != Code::Char(choice.key))
            }
        })
    };
    let accept = match overlay {
        Overlay::List { .. } => "take the row",
        Overlay::Form(_) if playground::is_open(sight) => "open what the reference leads to",
        Overlay::Form(form) if matches!(form.owner, FormOwner::Bookmark(_) | FormOwner::Area(_)) => {
            "the next field; at the end, keep it"
        }
        Overlay::Form(_) => "the next field; at the end, send the form",
        Overlay::Text { .. } | Overlay::Question { .. } => "go on",
    };
    let serving = |c: &&Command| c.modes.contains(&Mode::Overlay) && serves(sight, overlay, c.name);
    let (here, anywhere): (Vec<&Command>, Vec<_>) = COMMANDS.iter().filter(serving).partition(|c| c.modes.len() == 1);
    let mut rows = Vec::new();
    for command in here.into_iter().chain(anywhere) {
        let keys = keys_of(sight, Mode::Overlay, command.name, free);
        let what = if command.name == "accept" { accept } else { command.help };
        let name = if what == command.name { "" } else { command.name };
        if !keys.is_empty() {
            rows.push(Row::new(&keys, (what, name)));
        }
    }
    put(sight, &rows, true, &mut out);
    out.finish()
}

/// Whether a command does something in what lies over the page.
fn serves(sight: Sight<'_>, overlay: &Overlay, command: &str) -> bool {
    match command {
        "accept" | "down" | "up" | "next-link" | "previous-link" => !matches!(overlay, Overlay::Question { .. }),
        "line-down" | "line-up" | "page-down" | "page-up" | "half-down" | "half-up" | "top" | "bottom" => {
            matches!(overlay, Overlay::List { .. } | Overlay::Text { .. })
        }
        "copy-url" | "copy-link-url" => anatomy::is_open(sight) || playground::is_open(sight),
        "download" => anatomy::is_open(sight),
        "find" => matches!(overlay, Overlay::Text { owner: TextOwner::Help, .. }),
        _ => true,
    }
}

/// The commands that do something with the link under focus, on this page, and on any; each with the keys that run it.
fn here(sight: Sight<'_>) -> Document {
    let mut out = Builder::new();
    let serves = |mode: Mode, command: &Command| serving(sight, mode, command.name);
    let modes = sight.modes();
    for (place, title) in [
        (Serving::Link, "With the link under focus"),
        (Serving::Page, "On this page"),
        (Serving::Anywhere, "On any page"),
    ] {
        let rows = modes.iter().enumerate().flat_map(|(at, mode)| {
            // What a key means here is what the first of the modes says that binds it.
            let nearer = &modes[..at];
            keyed(sight, *mode, false, nearer).filter(move |(_, c)| serves(*mode, c) == Some(place))
        });
        section(sight, title, merged(rows), place == Serving::Anywhere, &mut out);
    }
    yours(sight, false, |_| true, &mut out);
    ending(&mut out);
    out.finish()
}

/// All commands, also those without a key; or those of them that have some words.
fn everything(sight: Sight<'_>, words: &str) -> Document {
    let mut out = Builder::new();
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let has = |(keys, command): &(String, &Command)| {
        let row = format!("{keys} {} {}", command.help, command.name).to_lowercase();
        words.iter().all(|word| row.contains(word.as_str()))
    };
    for mode in Mode::ALL {
        let title = match mode {
            Mode::Page => "On a page",
            Mode::News => "On pages of news",
            Mode::Groups => "On lists of newsgroups",
            Mode::Own => "On your history, bookmarks and downloads",
            Mode::Settings => "On your settings",
            Mode::New => "On what is new",
            Mode::Picture => "On pictures",
            Mode::Overlay => "In lists, texts, questions and forms",
            Mode::Prompt => "In the prompt line",
        };
        // What serves on a page too can be typed there.
        let elsewhere = |keys: &str, c: &Command| {
            keys.is_empty() && matches!(mode, Mode::Overlay | Mode::Prompt) && c.modes.contains(&Mode::Page)
        };
        let rows = keyed(sight, mode, true, &[]).filter(|(keys, command)| !elsewhere(keys, command));
        named_section(sight, title, rows.filter(has).collect(), &mut out);
    }
    let own = |(keys, own): &(String, &OwnCommand)| {
        let row = format!("{keys} {} {}", own.line(), own.name).to_lowercase();
        words.iter().all(|word| row.contains(word.as_str()))
    };
    yours(sight, true, own, &mut out);
    if out.document().text().is_empty() {
        out.block(BlockKind::Paragraph, Role::Overlay);
        out.text("No command has these words.");
    }
    ending(&mut out);
    out.finish()
}

/// The commands of a mode with their keys, by groups; with `all`, what has no key as well. What `nearer` modes bind to something
/// else is no key of it.
fn keyed<'a>(
    sight: Sight<'a>,
    mode: Mode,
    all: bool,
    nearer: &'a [Mode],
) -> impl Iterator<Item = (String, &'static Command)> + 'a {
    let bindings = sight.desk.keymap.bindings();
    let taken = move |keys: &[Key]| {
        let meets = |other: &[Key]| other.starts_with(keys) || keys.starts_with(other);
        bindings.iter().any(|(mode, other, _)| nearer.contains(mode) && meets(other))
    };
    // A table that lies over others may bind what they have.
    let bound = move |c: &Command| {
        let lent = || mode.below().iter().find(|below| c.modes.contains(below));
        let own = || COMMANDS.iter().any(|own| own.name == c.name && own.modes.contains(&mode));
        lent().is_some() && !own() && !keys_of(sight, mode, c.name, |_| true).is_empty()
    };
    let serves = move |c: &Command| c.modes.contains(&mode) || bound(c);
    let groups = groups(COMMANDS.iter().filter(|c| serves(c)));
    let commands =
        groups.into_iter().flat_map(move |group| COMMANDS.iter().filter(move |c| c.group == group && serves(c)));
    commands
        .map(move |c| (keys_for(sight, mode, c.name, |keys| !taken(keys), |line| all || means(sight, line)), c))
        .filter(move |(keys, _)| all || !keys.is_empty())
}

/// Rows under a title, those of groups under the names of these.
fn section(sight: Sight<'_>, title: &str, rows: Vec<(String, &Command)>, grouped: bool, out: &mut Builder) {
    write_section(sight, title, rows, (grouped, false), out);
}

/// The same in groups, each row with the name of its command.
fn named_section(sight: Sight<'_>, title: &str, rows: Vec<(String, &Command)>, out: &mut Builder) {
    write_section(sight, title, rows, (true, true), out);
}

fn write_section(
    sight: Sight<'_>,
    title: &str,
    rows: Vec<(String, &Command)>,
    (grouped, named): (bool, bool),
    out: &mut Builder,
) {
    if rows.is_empty() {
        return;
    }
    if !out.document().text().is_empty() {
        out.block(BlockKind::Line, Role::Text);
    }
    out.block(BlockKind::Heading(1), Role::Heading);
    out.text(title);
    for rows in rows.chunk_by(|(_, one), (_, next)| !grouped || one.group == next.group) {
        if let Some((_, first)) = rows.first().filter(|_| grouped) {
            out.block(BlockKind::Heading(2), Role::Strong);
            out.text(first.group);
        }
        let rows: Vec<Row> = rows.iter().map(|(keys, c)| Row::new(keys, (c.help, c.name))).collect();
        put(sight, &rows, named, out);
    }
}

/// Rows of several modes, those on top first: a command that has keys in two of them stands there once.
fn merged(rows: impl Iterator<Item = (String, &'static Command)>) -> Vec<(String, &'static Command)> {
    let mut merged: Vec<(String, &'static Command)> = Vec::new();
    for (keys, command) in rows {
        match merged.iter_mut().find(|(_, known)| std::ptr::eq(*known, command)) {
            Some((known, _)) => *known = format!("{known} {keys}"),
            None => merged.push((keys, command)),
        }
    }
    merged
}

/// Commands of the reader's own and of the preset, by what they stand for; with `all` those that have no key, too.
fn yours(sight: Sight<'_>, all: bool, has: impl Fn(&(String, &OwnCommand)) -> bool, out: &mut Builder) {
    let rows = sight.desk.keymap.own().iter().map(|own| (keys_of(sight, Mode::Page, &own.name, |_| true), own));
    let rows: Vec<_> = rows.filter(|(keys, _)| all || !keys.is_empty()).filter(has).collect();
    if rows.is_empty() {
        return;
    }
    if !out.document().text().is_empty() {
        out.block(BlockKind::Line, Role::Text);
    }
    out.block(BlockKind::Heading(1), Role::Heading);
    out.text("Commands of keys.toml");
    let rows: Vec<Row> = rows.iter().map(|(keys, own)| Row::new(keys, (&own.line(), &own.name))).collect();
    put(sight, &rows, true, out);
}

fn ending(out: &mut Builder) {
    out.block(BlockKind::Line, Role::Text);
    out.block(BlockKind::Paragraph, Role::Dim);
    out.text("Every key can be changed in keys.toml. Every command can be typed after \":\".");
}

fn groups(commands: impl Iterator<Item = &'static Command>) -> Vec<&'static str> {
    let mut groups = Vec::new();
    for command in commands {
        if !groups.contains(&command.group) {
            groups.push(command.group);
        }
    }
    groups
}

/// The keys that run a command, with or without arguments, as far as they are free to.
fn keys_of(sight: Sight<'_>, mode: Mode, name: &str, free: impl Fn(&[Key]) -> bool) -> String {
    keys_for(sight, mode, name, free, |_| true)
}

/// The same, of those whose line means something.
fn keys_for(
    sight: Sight<'_>,
    mode: Mode,
    name: &str,
    free: impl Fn(&[Key]) -> bool,
    means: impl Fn(&str) -> bool,
) -> String {
    let runs = |line: &str| about(line) == name && means(line);
    let keys = sight.desk.keymap.bindings().iter().filter(|(m, _, line)| *m == mode && runs(line));
    let keys = keys.filter(|(_, keys, _)| free(keys));
    // Sequences that begin alike are told as one: s n/s/d.
    let mut named: Vec<(String, Vec<String>)> = Vec::new();
    for (_, keys, _) in keys {
        let (begin, last) = keys.split_at(keys.len().saturating_sub(1));
        let begin = shown(begin);
        match named.iter_mut().find(|(known, _)| !begin.is_empty() && *known == begin) {
            Some((_, ends)) => ends.push(shown(last)),
            None => named.push((begin, vec![shown(last)])),
        }
    }
    let named = named.into_iter().map(|(begin, ends)| format!("{begin} {}", ends.join("/")));
    named.map(|keys| keys.trim_start().to_owned()).collect::<Vec<_>>().join(" ")
}
