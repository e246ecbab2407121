//! The table of commands. Keys, the `:` line and the help page all come from it.

use super::{
    App, Effect, Mouse, Overlay, Pending, PromptKind, anatomy, arranging, asking, composing, cookies, copying, editing,
    filling, focus, harvest, help, inspect, journey, lists, news, outside, own, piping, question, reading, readme,
    related, saving, scroll, searching, tabs, trusting, web_form,
};
use crate::doc::{Layout, Marks, Wrap};
use crate::keys::Mode;

/// A command.
#[derive(Debug, Clone, Copy)]
pub struct Command {
    /// Its name on the `:` line and in key files.
    pub name: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
    /// The heading it stands under in the help.
    pub group: &'static str,
    /// Where it can be run.
    pub modes: &'static [Mode],
    /// Runs it with the rest of the command line.
    pub run: fn(&mut App, &str) -> Vec<Effect>,
}

const PAGE: &[Mode] = &[Mode::Page];
const NEWS: &[Mode] = &[Mode::News];
const OWN: &[Mode] = &[Mode::Own];
const OVER: &[Mode] = &[Mode::Overlay];
const PROMPT: &[Mode] = &[Mode::Prompt];
const ANYWHERE: &[Mode] = &[Mode::Page, Mode::Overlay, Mode::Prompt];

/// Declares rows of `"name" modes function "help"` under headings.
macro_rules! commands {
    ($($group:literal { $($name:literal $modes:ident $run:expr, $help:literal;)+ })+) => {
        &[$($(Command { name: $name, help: $help, group: $group, modes: $modes, run: $run }),+),+]
    };
}

/// Every command. The same name may stand in several modes.
pub const COMMANDS: &[Command] = commands! {
    "Move" {
        "down" PAGE focus::down, "next link on the screen, else one line down";
        "up" PAGE focus::up, "previous link on the screen, else a line up";
        "next-link" PAGE focus::next, "next link, wherever it is";
        "previous-link" PAGE focus::previous, "previous link, wherever it is";
        "line-down" PAGE scroll::line_down, "one line down";
        "line-up" PAGE scroll::line_up, "one line up";
        "page-down" PAGE scroll::page_down, "one screen down";
        "page-up" PAGE scroll::page_up, "one screen up";
        "half-down" PAGE scroll::half_down, "half a screen down";
        "half-up" PAGE scroll::half_up, "half a screen up";
        "top" PAGE scroll::top, "to the top of the page";
        "bottom" PAGE scroll::bottom_of_page, "to the bottom of the page";
        "left" PAGE scroll::left, "to the left, when lines do not wrap";
        "right" PAGE scroll::right, "to the right, when lines do not wrap";
        "goto" PAGE scroll::goto, "to 34%, to line 120, to the top or bottom";
    }
    "Follow" {
        "follow" PAGE focus::follow, "follow the link under focus";
        "hints" PAGE focus::hints, "letters on every link of the screen";
        "number" PAGE focus::number, "follow a link by its number";
        "edit-field" PAGE web_form::edit_field, "fill in a field of lines with your editor";
    }
    "Go" {
        "open" PAGE open, "open an address";
        "edit-url" PAGE edit_url, "edit the address of this page";
        "edit-link-url" PAGE edit_link_url, "edit the address of the link";
        "back" PAGE journey::back, "one page back";
        "forward" PAGE journey::forward, "one page forward";
        "next-page" PAGE related::next, "the next page, as this one names it";
        "previous-page" PAGE related::previous, "the page before, as this one names it";
        "parent" PAGE journey::parent, "one level up";
        "root" PAGE journey::root, "to the root of this space";
        "reload" PAGE journey::reload, "fetch this page again";
        "stop" PAGE journey::stop, "stop loading; what came is kept";
        "home" PAGE journey::home, "to the home page";
    }
    "Tabs" {
        "follow-tab" PAGE tabs::follow, "follow the link in a new tab";
        "follow-behind" PAGE tabs::follow_behind, "follow it in a tab behind";
        "hints-tab" PAGE tabs::hints, "letters on links, for a new tab";
        "new-tab" PAGE tabs::new, "open an address in a new tab";
        "private" PAGE tabs::private, "a tab of which nothing is kept";
        "close-tab" PAGE tabs::close, "close this tab";
        "reopen-tab" PAGE tabs::reopen, "open the tab that was closed last";
        "next-tab" PAGE tabs::next, "next tab";
        "previous-tab" PAGE tabs::previous, "previous tab";
        "tab" PAGE tabs::number, "to a tab by its number: tab 3";
        "move-tab" PAGE tabs::shift, "move this tab: move-tab left, or right";
        "tabs" PAGE tabs::list, "list of tabs";
    }
    "Find" {
        "find" PAGE searching::find, "find words in this page";
        "find-next" PAGE searching::next, "next match";
        "find-previous" PAGE searching::previous, "previous match";
        "find-link" PAGE find_link, "find a link by its words";
        "links" PAGE lists::links, "list of links";
        "headings" PAGE lists::headings, "list of headings";
        "history" PAGE |app, _| own::go(app, "about:history"), "where you have been, by day";
        "places" PAGE lists::history, "pages of this session";
    }
    "Arrange" {
        "sort" PAGE arranging::sort, "order the rows: sort size, sort reverse";
        "filter" PAGE arranging::filter, "show only the lines with some words";
        "readme" PAGE readme::readme, "README of this directory, or fold it away";
        "folds" PAGE arranging::folds, "open or close all folds";
    }
    "Look" {
        "anatomy" PAGE anatomy::anatomy, "take the URLs of page and link apart";
        "attributes" PAGE inspect::attributes, "Gopher+ attributes of link or page";
        "source" PAGE inspect::source, "the page as it was received";
        "headers" PAGE arranging::headers, "all headers of a message, or fold them away";
        "rot13" PAGE inspect::rot13, "turn the letters of a message by 13, and back";
        "wrap" PAGE scroll::wrap, "wrap long lines, or not";
        "charset" PAGE lists::charset, "read this host's pages by another charset";
        "trust" PAGE trusting::trust, "trust a refused certificate until the end";
        "set" PAGE set, "change a setting until the end: set wrap off";
    }
    "Keep" {
        "copy-url" PAGE inspect::copy_page, "copy the address of this page";
        "copy-link-url" PAGE inspect::copy_link, "copy the address of the link";
        "copy-text" PAGE copying::copy_text, "copy this line, or those from the mark on";
        "mark-line" PAGE copying::mark_line, "mark this line, to copy from it on";
        "download" PAGE saving::download, "save what the link leads to";
        "download-tree" PAGE harvest::download_tree, "save a directory with all below";
        "save" PAGE saving::save, "save this page (save text, save source)";
        "downloads" PAGE lists::downloads, "list of downloads";
        "cookies" PAGE cookies::list, "cookies by site, to forget them";
        "bookmark" PAGE own::bookmarks::bookmark, "keep this page (bookmark link: the link)";
        "bookmarks" PAGE own::bookmarks::bookmarks, "your bookmarks (import FILE, export FILE)";
        "forget" PAGE own::history::forget, "forget a page, hour, today, host NAME, all";
        "pipe" PAGE piping::pipe, "the page through a program (pipe source)";
        "edit-source" PAGE editing::edit_source, "source, or a local file, in your editor";
        "outside" PAGE outside::outside, "open the link, or the page, elsewhere";
    }
    "Write" {
        "followup" PAGE composing::followup, "answer this article in its groups";
        "post" PAGE composing::post, "write a new article to this group";
        "reply-mail" PAGE composing::reply_mail, "answer the author by mail";
        "drafts" PAGE composing::drafts, "take up a draft again";
    }
    "Program" {
        "help" PAGE help::help, "the keys that work here; again, all keys";
        "command" PAGE command, "run a command by name";
        "cancel" PAGE cancel, "stop loading, forget keys and highlights";
        "quit" ANYWHERE quit, "leave; asks while downloads run";
        "quit-now" ANYWHERE |_, _| vec![Effect::Quit], "leave at once";
        "suspend" ANYWHERE |_, _| vec![Effect::Suspend], "suspend, back to the shell";
        "redraw" ANYWHERE |_, _| vec![Effect::Redraw], "draw the screen again";
    }
    "News" {
        "subscribed" PAGE news::subscribed, "the groups that you take";
        "next-unread" NEWS news::next_unread, "next unread article";
        "previous-unread" NEWS news::previous_unread, "previous unread article";
        "next-in-thread" NEWS news::next_in_thread, "next article of the thread";
        "previous-in-thread" NEWS news::previous_in_thread, "previous article of the thread";
        "next-thread" NEWS news::next_thread, "next thread with unread articles";
        "parent-article" NEWS news::parent_article, "the article that this one answers";
        "catch-up" NEWS news::catch_up, "mark all of the group read";
        "mark" NEWS news::mark, "mark the article unread, or read";
        "thread" NEWS news::fold, "open or close answers, or the thread";
        "quoted" NEWS news::quoted, "show or hide quoted text";
        "subscribe" NEWS news::subscribe, "take the group, or no longer";
        "unread-only" NEWS news::unread_only, "only what is unread, or all";
    }
    "Your own pages" {
        "remove" OWN own::remove, "forget page or download, delete bookmark";
        "edit" OWN own::bookmarks::edit, "change the bookmark";
        "move-up" OWN own::bookmarks::move_up, "the bookmark one place up";
        "move-down" OWN own::bookmarks::move_down, "the bookmark one place down";
        "undo" OWN own::bookmarks::undo, "bring back the bookmark deleted last";
    }
    "Over the page" {
        "down" OVER |app, _| over_step(app, 1), "down";
        "up" OVER |app, _| over_step(app, -1), "up";
        "next-link" OVER |app, _| over_field(app, 1), "next field or row";
        "previous-link" OVER |app, _| over_field(app, -1), "previous field or row";
        "line-down" OVER |app, _| over_step(app, 1), "one line down";
        "line-up" OVER |app, _| over_step(app, -1), "one line up";
        "page-down" OVER |app, _| over_pages(app, 2), "one screen down";
        "page-up" OVER |app, _| over_pages(app, -2), "one screen up";
        "half-down" OVER |app, _| over_pages(app, 1), "half a screen down";
        "half-up" OVER |app, _| over_pages(app, -1), "half a screen up";
        "top" OVER |app, _| over_step(app, isize::MIN / 2), "to the top";
        "bottom" OVER |app, _| over_step(app, isize::MAX / 2), "to the bottom";
        "accept" OVER over_accept, "take the row, send the form, follow the link";
        "cancel" OVER over_cancel, "close";
        "find" OVER over_find, "narrow the list: just type";
        "copy-url" OVER over_copy, "copy the address of link or page";
        "copy-link-url" OVER over_copy, "copy the address of link or page";
        "download" OVER over_download, "save what the link leads to";
        "help" OVER help::help, "the keys that work here; again, all keys";
    }
    "Prompt" {
        "accept" PROMPT asking::accept, "take the text";
        "cancel" PROMPT |app, _| asking::dismiss(app), "close";
        "complete-next" PROMPT asking::complete_next, "next completion";
        "complete-previous" PROMPT asking::complete_previous, "previous completion";
        "history-previous" PROMPT asking::recall_previous, "what was typed before";
        "history-next" PROMPT asking::recall_next, "what was typed later";
    }
};

/// The names of all commands, for key files and completions.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Runs a command line in the mode that holds now.
pub(super) fn run(app: &mut App, line: &str) -> Vec<Effect> {
    let line = line.trim();
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let modes = app.modes();
    let holds = |command: &&Command| modes.iter().any(|mode| command.modes.contains(mode));
    match COMMANDS.iter().filter(holds).find(|command| command.name == name) {
        Some(command) => (command.run)(app, rest.trim()),
        None if name.is_empty() => Vec::new(),
        None if COMMANDS.iter().any(|command| command.name == name) => {
            app.say(format!("{name} does nothing here"));
            Vec::new()
        }
        None => {
            app.complain(format!("no command is called {name}"));
            Vec::new()
        }
    }
}

/// `open`, or `open ADDRESS`.
fn open(app: &mut App, address: &str) -> Vec<Effect> {
    asking::ask(app, PromptKind::Open, "open", address, None);
    if address.is_empty() { Vec::new() } else { asking::accept(app, "") }
}

fn edit_url(app: &mut App, _: &str) -> Vec<Effect> {
    let url = app.entry().map(|entry| inspect::shareable(&entry.url)).unwrap_or_default();
    asking::ask(app, PromptKind::Open, "open", &url, None);
    Vec::new()
}

fn edit_link_url(app: &mut App, _: &str) -> Vec<Effect> {
    if let Some(url) = focus::target(app) {
        asking::ask(app, PromptKind::Open, "open", &inspect::shareable(&url), None);
    }
    Vec::new()
}

fn find_link(app: &mut App, words: &str) -> Vec<Effect> {
    asking::ask(app, PromptKind::FindLink, "link with", words, None);
    if words.is_empty() { Vec::new() } else { asking::accept(app, "") }
}

fn command(app: &mut App, line: &str) -> Vec<Effect> {
    asking::ask(app, PromptKind::Command, ":", line, None);
    Vec::new()
}

/// `set KEY VALUE` for what can change while browsing.
fn set(app: &mut App, words: &str) -> Vec<Effect> {
    let (key, value) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    match (key, value.trim()) {
        ("wrap", "on" | "true") => app.choices.wrap = Wrap::On,
        ("wrap", "off" | "false") => app.choices.wrap = Wrap::Off,
        ("marks", "words") => app.choices.marks = Marks::Words,
        ("marks", "glyphs") => app.choices.marks = Marks::Glyphs,
        ("numbers", "on" | "true") => app.settings.numbers = true,
        ("numbers", "off" | "false") => app.settings.numbers = false,
        ("mouse", "on" | "true") => app.choices.mouse = Mouse::On,
        ("mouse", "off" | "false") => app.choices.mouse = Mouse::Off,
        ("charset", name) if !name.is_empty() => return inspect::read_by(app, name),
        _ => {
            app.complain(
                "set wrap on|off, set marks words|glyphs, set numbers on|off, set mouse on|off, set charset NAME",
            );
            return Vec::new();
        }
    }
    scroll::keep_in_view(app);
    app.say(format!("{key} is {}", value.trim()));
    Vec::new()
}

fn cancel(app: &mut App, _: &str) -> Vec<Effect> {
    app.pending_keys.clear();
    journey::stop(app, "")
}

fn quit(app: &mut App, _: &str) -> Vec<Effect> {
    let running = saving::open_work(app);
    if composing::is_under_way(app) {
        let text = vec!["An article is being sent.".into(), "If it does not arrive, its draft is kept.".into()];
        app.overlays.push(question::confirm(text, "quit all the same", Pending::Quit));
        return Vec::new();
    }
    if running == 0 {
        return vec![Effect::Quit];
    }
    let text = vec![format!("{running} download{} not finished.", if running == 1 { " is" } else { "s are" })];
    app.overlays.push(question::confirm(text, "quit all the same", Pending::Quit));
    Vec::new()
}

/// Down and up in whatever lies over the page.
pub(super) fn over_step(app: &mut App, rows: isize) -> Vec<Effect> {
    match app.overlays.last() {
        Some(Overlay::List { .. }) => lists::step(app, rows),
        Some(Overlay::Form(_)) if rows > 0 => filling::down(app),
        Some(Overlay::Form(_)) => filling::up(app),
        Some(Overlay::Text { .. }) => scroll_text(app, rows),
        Some(Overlay::Question { .. }) | None => {}
    }
    Vec::new()
}

fn over_pages(app: &mut App, halves: isize) -> Vec<Effect> {
    let half = isize::try_from(over_rows(app) / 2).unwrap_or(1).max(1);
    over_step(app, halves * half)
}

fn over_field(app: &mut App, step: isize) -> Vec<Effect> {
    match app.overlays.last() {
        Some(Overlay::Form(_)) if step > 0 => filling::next_field(app),
        Some(Overlay::Form(_)) => filling::previous_field(app),
        _ => return over_step(app, step),
    }
    Vec::new()
}

/// Rows of a text over the page: those of the page less its borders.
fn over_rows(app: &App) -> usize {
    match app.page_rows() {
        rows @ ..6 => rows.max(1),
        rows => rows - 2,
    }
}

fn scroll_text(app: &mut App, rows: isize) {
    let (height, width) = (over_rows(app), app.screen.columns.saturating_sub(4).max(1));
    let Some(Overlay::Text { document, top, .. }) = app.overlays.last_mut() else { return };
    let layout = Layout { width, wrap: Wrap::On, marks: Marks::Words };
    let count = rows.unsigned_abs().min(document.blocks().len().saturating_mul(8));
    *top = if rows < 0 {
        layout.up(document, *top, count)
    } else {
        layout.down(document, *top, count).min(layout.bottom(document, height)).max(*top)
    };
}

fn over_accept(app: &mut App, _: &str) -> Vec<Effect> {
    match app.overlays.last() {
        Some(Overlay::List { .. }) => lists::accept(app),
        Some(Overlay::Form(_)) => filling::accept(app),
        Some(Overlay::Question { .. }) => question::accept(app),
        Some(_) if composing::page::is_open(app) => question::accept(app),
        Some(Overlay::Text { .. }) if harvest::is_open(app) => harvest::start(app),
        Some(Overlay::Text { .. }) => {
            let follows = anatomy::is_open(app) && reading::focus(app).is_some();
            app.overlays.pop();
            if follows { focus::follow(app, "") } else { Vec::new() }
        }
        None => Vec::new(),
    }
}

pub(super) fn over_cancel(app: &mut App, _: &str) -> Vec<Effect> {
    match app.overlays.last() {
        Some(Overlay::Question { .. }) => question::dismiss(app),
        Some(Overlay::Form(_)) => filling::dismiss(app),
        Some(_) if composing::page::is_open(app) => composing::keep(app),
        Some(Overlay::Text { .. }) if harvest::is_open(app) => harvest::stop(app),
        _ => {
            app.overlays.pop();
            Vec::new()
        }
    }
}

fn over_find(app: &mut App, _: &str) -> Vec<Effect> {
    app.say("just type: the list narrows");
    Vec::new()
}

fn over_copy(app: &mut App, _: &str) -> Vec<Effect> {
    if reading::focus(app).is_some() { inspect::copy_link(app, "") } else { inspect::copy_page(app, "") }
}

fn over_download(app: &mut App, _: &str) -> Vec<Effect> {
    if !anatomy::is_open(app) {
        return Vec::new();
    }
    app.overlays.pop();
    saving::download(app, "")
}
