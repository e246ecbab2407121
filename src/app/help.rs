//! Help, written from the table of commands and the keys as they are bound now.

use super::{App, COMMANDS, Command, Effect, Overlay};
use crate::config::ConfigError;
use crate::doc::{Anchor, BlockKind, Builder, Document, Marker, sanitise};
use crate::keys::{Mode, shown};
use crate::role::Role;

/// The overlay's title.
pub(super) const TITLE: &str = "Help";
/// Columns for the keys.
const KEYS: usize = 18;

/// Shows the commands that work right here with their keys; `help all`, or the key again, all of them.
pub(super) fn help(app: &mut App, which: &str) -> Vec<Effect> {
    let is_help = |overlay: &Overlay| matches!(overlay, Overlay::Text { title, .. } if title == TITLE);
    let again = app.overlays.last().is_some_and(is_help);
    app.overlays.retain(|overlay| !is_help(overlay));
    let all = again || which.trim() == "all";
    let document = Box::new(written(app, if all { &Mode::ALL } else { app.modes() }));
    let more = app.key_for("help").filter(|_| !all).map(|key| format!("{key} all keys · ")).unwrap_or_default();
    let hint = format!("{more}Esc close");
    app.overlays.push(Overlay::Text { title: TITLE.into(), document, top: Anchor::default(), hint });
    Vec::new()
}

/// Shows what is wrong in files; the rest of them counts.
pub(super) fn mistakes(app: &mut App, title: &str, mistakes: &[ConfigError], end: &str) {
    let mut out = Builder::new();
    for mistake in mistakes {
        out.block(BlockKind::Paragraph, Role::Overlay);
        out.text(&sanitise(&mistake.to_string()));
    }
    out.block(BlockKind::Line, Role::Text);
    out.block(BlockKind::Paragraph, Role::OverlayDim);
    out.text(end);
    let (title, document) = (title.into(), Box::new(out.finish()));
    app.overlays.push(Overlay::Text { title, document, top: Anchor::default(), hint: "Esc close".into() });
}

fn written(app: &App, modes: &[Mode]) -> Document {
    let mut out = Builder::new();
    for mode in modes.iter().copied() {
        let title = match mode {
            Mode::Page => "On a page",
            Mode::News => "On pages of news",
            Mode::Own => "On your history and your bookmarks",
            Mode::Overlay => "In lists, texts, questions and forms",
            Mode::Prompt => "In the prompt line",
        };
        if !out.document().text().is_empty() {
            out.block(BlockKind::Line, Role::Text);
        }
        out.block(BlockKind::Heading(1), Role::Heading);
        out.text(title);
        for group in groups(mode) {
            out.block(BlockKind::Heading(2), Role::Strong);
            out.text(group);
            for command in COMMANDS.iter().filter(|c| c.group == group && c.modes.contains(&mode)) {
                row(app, mode, command, &mut out);
            }
        }
    }
    out.block(BlockKind::Line, Role::Text);
    out.block(BlockKind::Paragraph, Role::Dim);
    out.text("Every key can be changed in keys.toml. Every command can be typed after \":\".");
    out.finish()
}

fn groups(mode: Mode) -> Vec<&'static str> {
    let mut groups = Vec::new();
    for command in COMMANDS.iter().filter(|c| c.modes.contains(&mode)) {
        if !groups.contains(&command.group) {
            groups.push(command.group);
        }
    }
    groups
}

fn row(app: &App, mode: Mode, command: &Command, out: &mut Builder) {
    let keys = keys_of(app, mode, command.name);
    out.marked(BlockKind::Line, Role::Overlay, Marker::None, 1);
    out.styled(&format!("{keys:<KEYS$} "), Role::OverlayKey);
    out.text(command.help);
    out.styled(&format!("  {}", command.name), Role::OverlayDim);
}

/// The keys that run a command, with or without arguments.
fn keys_of(app: &App, mode: Mode, name: &str) -> String {
    let runs = |line: &str| line.split_whitespace().next() == Some(name);
    let keys = app.keymap.bindings().iter().filter(|(m, _, line)| *m == mode && runs(line));
    let named: Vec<String> = keys.map(|(_, keys, _)| shown(keys)).collect();
    named.join(" ")
}
