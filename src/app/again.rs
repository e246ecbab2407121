//! `repeat`: once more what the reader did last, where it changed or did something. Moving, following and looking are not that;
//! every line typed after `:` is. What was done in a private tab is repeated in private tabs alone.

use crate::app::{App, Effect, commands};

/// Commands that are repeated when a key runs them, and those that a prompt ends.
pub const REPEATED: &[&str] = &[
    "sort",
    "filter",
    "readme",
    "hidden",
    "owners",
    "folds",
    "reader",
    "headers",
    "rot13",
    "colours",
    "wrap",
    "measure",
    "charset",
    "theme",
    "set",
    "keep",
    "copy-url",
    "copy-link-url",
    "copy-text",
    "mark-line",
    "mark-row",
    "mark-rows",
    "download",
    "download-tree",
    "save",
    "bookmark",
    "pipe",
    "outside",
    "edit-source",
    "follow-behind",
    "mark",
    "thread",
    "quoted",
    "subscribe",
    "unread-only",
    "catch-up",
    "remove",
    "move-up",
    "move-down",
    "next-value",
    "previous-value",
];

/// Lines that are not repeated although they were typed. A mark is for coming back to: it would be somewhere else then.
const NEVER: &[&str] = &[
    "repeat",
    "help",
    "command",
    "quit",
    "quit-now",
    "suspend",
    "redraw",
    "cancel",
    "stop",
    "set-mark",
    "go-mark",
    "delete-mark",
];

/// A key ran a command line.
pub(super) fn pressed(app: &mut App, line: &str) {
    let name = commands::named(line);
    if REPEATED.contains(&name) || app.desk.keymap.own_named(name).is_some() {
        done(app, line);
    }
}

/// A command line was typed.
pub(super) fn typed(app: &mut App, line: &str) {
    let name = commands::named(line);
    if !name.is_empty() && !NEVER.contains(&name) {
        done(app, line);
    }
}

/// The reader did what a command line would do.
pub(super) fn done(app: &mut App, line: &str) {
    app.hands.again = Some((app.tab.private, line.trim().into()));
}

/// `repeat`.
pub(super) fn repeat(app: &mut App, _: &str) -> Vec<Effect> {
    if app.sequence.is_some() {
        app.complain("repeat is no step of a command of your own");
        return Vec::new();
    }
    match app.hands.again.clone() {
        Some((private, line)) if !private || app.tab.private => commands::run(app, &line),
        _ => {
            app.say("nothing was done yet that can be done again");
            Vec::new()
        }
    }
}
