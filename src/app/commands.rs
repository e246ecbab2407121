//! The table of commands. Keys, the `:` line and the help page all come from it.

use crate::app::answers::{forms, lists, prompts, questions};
use crate::app::forms::web;
use crate::app::look::{anatomy, editor, glossary, illustration, picture, place, playground};
use crate::app::motion::{arrangement, changes, clipboard, content, focus, marking, scroll, search, window};
use crate::app::navigation::{
    catalogue, cookies, failure, hidden, journey, kept, owners, pipe, programs, readme, reread, subscriptions, trust,
    upload,
};
use crate::app::page::address;
use crate::app::state::Cx;
use crate::app::transfer::recursive;
use crate::app::{
    App, Effect, Overlay, PromptKind, Sight, TextOwner, again, ahead, counts, help, internal, keyboard, leaving,
    letters, marks, news, sequence, session, split, tabs, transfer,
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
    pub(super) run: Run,
}

/// How a command is run.
#[derive(Debug, Clone, Copy)]
pub(super) enum Run {
    /// In the tab in view.
    Here(fn(&mut Cx<'_>, &str) -> Vec<Effect>),
    /// On the whole browser: its tabs, other commands, what lies over the page.
    Whole(fn(&mut App, &str) -> Vec<Effect>),
}

impl Run {
    const fn here(run: fn(&mut Cx<'_>, &str) -> Vec<Effect>) -> Run {
        Run::Here(run)
    }

    const fn whole(run: fn(&mut App, &str) -> Vec<Effect>) -> Run {
        Run::Whole(run)
    }
}

const PAGE: &[Mode] = &[Mode::Page];
const NEWS: &[Mode] = &[Mode::News];
const OWN: &[Mode] = &[Mode::Own];
const PICTURE: &[Mode] = &[Mode::Picture];
const SETTINGS: &[Mode] = &[Mode::Settings];
const NEW: &[Mode] = &[Mode::New];
const OVER: &[Mode] = &[Mode::Overlay];
const PROMPT: &[Mode] = &[Mode::Prompt];
const ANYWHERE: &[Mode] = &[Mode::Page, Mode::Overlay, Mode::Prompt];

/// Declares rows of `"name" MODES here function, "help"` under headings; `whole` for what concerns more than the tab in view.
macro_rules! commands {
    ($($group:literal { $($name:literal $modes:ident $run:ident $function:expr, $help:literal;)+ })+) => {
        &[$($(Command { name: $name, help: $help, group: $group, modes: $modes, run: Run::$run($function) }),+),+]
    };
}

/// Every command. The same name may stand in several modes.
pub const COMMANDS: &[Command] = commands! {
    "Move" {
        "down" PAGE here focus::down, "next link on the screen, else one line down";
        "up" PAGE here focus::up, "previous link on the screen, else a line up";
        "next-link" PAGE here focus::next, "next link, wherever it is";
        "previous-link" PAGE here focus::previous, "previous link, wherever it is";
        "line-down" PAGE here scroll::line_down, "one line down";
        "line-up" PAGE here scroll::line_up, "one line up";
        "page-down" PAGE here scroll::page_down, "one screen down";
        "go-on" PAGE whole split::go_on, "one screen down; at the end, what comes next";
        "page-up" PAGE here scroll::page_up, "one screen up";
        "half-down" PAGE here scroll::half_down, "half a screen down";
        "half-up" PAGE here scroll::half_up, "half a screen up";
        "top" PAGE here scroll::top, "to the top of the page";
        "bottom" PAGE here scroll::bottom_of_page, "to the bottom of the page";
        "left" PAGE here scroll::left, "to the left, along wide lines (left all)";
        "right" PAGE here scroll::right, "to the right, along wide lines (right all)";
        "content" PAGE here content::content, "to the content, past the navigation";
        "next-heading" PAGE here content::next_heading, "to the next heading";
        "previous-heading" PAGE here content::previous_heading, "to the heading before";
        "next-change" PAGE here changes::next, "to what is new since the last visit";
        "previous-change" PAGE here changes::previous, "to what is new before that";
        "goto" PAGE here scroll::goto, "to 34%, to line 120, to the top or bottom";
        "line-to" PAGE here scroll::line_to, "the focus to the top, middle or bottom";
        "link-at" PAGE here focus::link_at, "to the top, middle or bottom link in view";
    }
    "Follow" {
        "follow" PAGE whole split::follow, "follow the link under focus";
        "hints" PAGE here focus::hints, "letters on every link of the screen";
        "number" PAGE here focus::number, "follow a link by its number";
        "edit-field" PAGE here web::edit_field, "fill in a field of lines with your editor";
    }
    "Go" {
        "open" PAGE whole open, "open an address";
        "edit-url" PAGE whole edit_url, "edit the address of this page";
        "edit-link-url" PAGE whole edit_link_url, "edit the address of the link";
        "back" PAGE whole split::back, "one page back";
        "forward" PAGE here journey::forward, "one page forward";
        "next-page" PAGE whole split::next_page, "the next page, or item of the list before";
        "previous-page" PAGE whole split::previous_page, "the page before, or item of the list";
        "parent" PAGE here journey::parent, "one level up";
        "kept" PAGE here kept::copy, "the copy that was kept of this page";
        "offline" PAGE here kept::offline, "show kept copies and ask nobody, or as before";
        "later" PAGE here kept::later, "put this page by, for later (later link, links)";
        "next-later" PAGE here kept::next, "the next page put by; this one is read";
        "new" PAGE here subscriptions::open, "what is new in your subscriptions (time, list)";
        "next-new" PAGE here subscriptions::next, "the next item that is new";
        "archive" PAGE here failure::archive, "the page as an archive of the web kept it";
        "root" PAGE here journey::root, "to the root of this space";
        "reload" PAGE here journey::reload, "fetch this page again";
        "stop" PAGE whole split::stop, "stop loading; what came is kept";
        "home" PAGE here journey::home, "to the home page";
    }
    "Tabs" {
        "follow-tab" PAGE whole tabs::opening::follow, "follow the link in a new tab";
        "follow-behind" PAGE whole tabs::opening::follow_behind, "follow it in a tab behind";
        "hints-tab" PAGE whole tabs::opening::hints, "letters on links, for a new tab";
        "new-tab" PAGE whole tabs::opening::new, "open an address in a new tab";
        "private" PAGE whole tabs::opening::private, "a tab of which nothing is kept";
        "close-tab" PAGE whole tabs::close, "close this tab (close-tab quit: or leave)";
        "reopen-tab" PAGE whole tabs::reopen, "open the tab that was closed last";
        "next-tab" PAGE whole tabs::next, "next tab";
        "previous-tab" PAGE whole tabs::previous, "previous tab";
        "tab" PAGE whole tabs::number, "to a tab by its number: tab 3";
        "move-tab" PAGE whole tabs::shift, "move this tab: move-tab left, or right";
        "tabs" PAGE whole tabs::list, "list of tabs";
        "split" PAGE whole split::split, "two panes: list, link, page, source, anatomy";
        "other-pane" PAGE whole split::other, "the focus to the other pane";
        "only" PAGE whole split::only, "one pane again (only other: the other one)";
        "restore" PAGE whole session::bring, "bring back the tabs of the last time";
        "close-restored" PAGE whole tabs::close_restored, "close the tabs that came back";
        "last-tabs" PAGE here internal::last::open, "tabs of the last times, one by one";
    }
    "Find" {
        "find" PAGE here search::find, "find words in this page";
        "find-back" PAGE here search::find_back, "find words upwards; next match is above then";
        "find-typing" PAGE here search::find_typing, "find words while they are typed";
        "find-next" PAGE here search::next, "next match";
        "find-previous" PAGE here search::previous, "previous match";
        "search" PAGE here kept::search, "find words in all pages that are kept";
        "find-link" PAGE whole find_link, "find a link by its words";
        "links" PAGE whole lists::links, "list of links";
        "headings" PAGE whole lists::headings, "list of headings";
        "history" PAGE whole |app, _| internal::go(&mut app.cx(), "about:history"), "where you have been, by day";
        "trail" PAGE here internal::trail::trail, "how you came here (trail save FILE, name, note)";
        "places" PAGE whole lists::history, "pages of this session";
        "set-mark" PAGE whole marks::set_mark, "mark this place by a letter, for later";
        "go-mark" PAGE whole marks::go_mark, "to a mark; ' is the place before a jump";
        "marks" PAGE here internal::marks::open, "your marks, to go to and to delete";
        "delete-mark" PAGE whole marks::delete_mark, "delete the mark of a letter";
    }
    "Arrange" {
        "sort" PAGE here arrangement::sort, "order the rows: sort size, sort 2, sort reverse";
        "filter" PAGE here internal::filter, "show only the lines with some words";
        "hidden" PAGE here hidden::toggle, "hidden files of this FTP server, or not";
        "owners" PAGE here owners::toggle, "permissions and owners in directories, or not";
        "whole-tree" PAGE here catalogue::whole_tree, "all below an archive's folder; WORDS find";
        "picture" PAGE here illustration::picture, "show the link's picture in the text; hide it";
        "readme" PAGE here readme::readme, "README of this directory, or fold it away";
        "mark-row" PAGE here mark_row, "mark this row or unmark it; on to the next";
        "mark-rows" PAGE here marking::mark_rows, "mark *.txt, all, new, invert, here, since";
        "folds" PAGE here arrangement::folds, "open or close all folds";
        "reader" PAGE here arrangement::reader, "only the content of this host's pages, or all";
    }
    "Look" {
        "anatomy" PAGE here anatomy::anatomy, "take the URLs of page and link apart";
        "resolve" PAGE here playground::open, "try how base and reference become a URL";
        "attributes" PAGE here reread::attributes, "Gopher+ attributes (all: of a menu's items)";
        "caps" PAGE here reread::caps, "what a gopher server says of itself: caps.txt";
        "source" PAGE here reread::source, "the page as it was received";
        "headers" PAGE here arrangement::headers, "all headers of a message, or fold them away";
        "rot13" PAGE here reread::rot13, "turn the letters of a message by 13, and back";
        "colours" PAGE here reread::colours, "a text in the colours it asks for, or without";
        "wrap" PAGE here scroll::wrap, "wrap long lines, or not";
        "measure" PAGE here scroll::measure, "prose as wide as the screen, or not";
        "as" PAGE here reread::read_as, "read the page as another type: as html, as feed";
        "charset" PAGE whole lists::charset, "read host, group or page by another charset";
        "trust" PAGE here trust::trust, "trust the certificate that was refused";
        "settings" PAGE here internal::settings::open, "every setting, to try and to keep";
        "theme" PAGE here internal::settings::themes::theme, "other colours, shown as you choose (theme NAME)";
        "set" PAGE whole set, "change a setting until the end: set wrap off";
        "keep" PAGE here internal::settings::keep, "keep what :set and :theme changed";
        "reload-settings" PAGE here internal::settings::reload, "read settings, keys and themes again";
    }
    "Keep" {
        "copy-url" PAGE here reread::copy_page, "copy the address of this page";
        "copy-link-url" PAGE here reread::copy_link, "copy the address of link or marked rows";
        "copy-text" PAGE here clipboard::copy_text, "copy this line, or those from the mark on";
        "mark-line" PAGE here clipboard::mark_line, "mark this line, to copy from it on";
        "download" PAGE here transfer::download, "save what the link leads to, or marked rows";
        "download-tree" PAGE here recursive::download_tree, "save a directory with all below";
        "save" PAGE here transfer::save, "save this page (save text, source, mhtml FILE)";
        "downloads" PAGE here transfer::downloads, "list of downloads";
        "verify" PAGE here internal::downloads::verify, "check what was saved (CHECKSUM), or an article";
        "put" PAGE here upload::put, "a file of yours into this FTP directory: put FILE";
        "upload" PAGE here upload::here, "a file to this place of Gemini space";
        "certificates" PAGE here trust::certificates, "your certificates, and who is shown them";
        "netrc" PAGE here trust::netrc, "hosts that ~/.netrc has logins for";
        "cookies" PAGE here cookies::list, "cookies by site, to forget them";
        "bookmark" PAGE here internal::bookmarks::bookmark, "keep this page (bookmark link: the link)";
        "bookmarks" PAGE here internal::bookmarks::bookmarks, "your bookmarks (import FILE, export FILE)";
        "subscribe" PAGE here subscribe, "be told what is new here; take a group";
        "unsubscribe" PAGE here subscriptions::unsubscribe, "be told no more what is new here";
        "check-new" PAGE here subscriptions::check, "look at all your subscriptions now";
        "forget" PAGE here internal::history::forget, "forget a page, hour, today, host NAME, all";
        "pipe" PAGE here pipe::pipe, "page or marked addresses to a program";
        "edit-source" PAGE here editor::edit_source, "source, or a local file, in your editor";
        "outside" PAGE here programs::outside, "open the link, or the page, elsewhere";
    }
    "Write" {
        "followup" PAGE here letters::followup, "answer this article in its groups";
        "post" PAGE here letters::post, "write a new article to this group";
        "reply-mail" PAGE here letters::reply_mail, "answer the author by mail";
        "forward-mail" PAGE here letters::forward, "send this article on to somebody by mail";
        "drafts" PAGE here letters::drafts::ask, "take up a draft again";
        "cancel-article" PAGE here letters::cancel, "take an article of your own back";
        "save-mailbox" PAGE here transfer::mailbox::save, "marked, or the thread, as a mailbox (all)";
        "supersede" PAGE here letters::supersede, "put another in the place of your own article";
    }
    "Program" {
        "help" PAGE here help::help, "the keys that work here; again, all keys";
        "command" PAGE whole command, "run a command by name";
        "repeat" PAGE whole again::repeat, "do again what was done last";
        "count" PAGE whole counts::begin, "a count for the next key: digits, else four";
        "key" PAGE whole keyboard::describe, "what the next key does";
        "cancel" PAGE whole cancel, "stop loading, forget keys and highlights";
        "where" PAGE here place::told, "where you are: page, address, how far, which of";
        "what" PAGE here glossary::what, "what a word of the bar means: what base";
        "complaints" PAGE here help::complaints, "what went wrong lately";
        "quit" ANYWHERE whole leaving::quit, "leave; asks where there is work or several tabs";
        "quit-now" ANYWHERE whole leaving::quit_now, "leave at once";
        "suspend" ANYWHERE whole |_, _| vec![Effect::Suspend], "suspend, back to the shell";
        "redraw" ANYWHERE whole |_, _| vec![Effect::Redraw], "draw the screen again";
    }
    "News" {
        "subscribed" PAGE here news::subscribed, "the groups that you take";
        "next-unread" NEWS here news::next_unread, "next unread article";
        "previous-unread" NEWS here news::previous_unread, "previous unread article";
        "next-in-thread" NEWS here news::next_in_thread, "next article of the thread";
        "previous-in-thread" NEWS here news::previous_in_thread, "previous article of the thread";
        "next-group" NEWS here news::next_group, "next group, whatever is unread in this one";
        "next-thread" NEWS here news::next_thread, "next thread with unread articles";
        "parent-article" NEWS here news::parent_article, "the article that this one answers";
        "search-news" NEWS here news::search, "find subject, author or body (everywhere)";
        "catch-up" NEWS here news::catch_up, "mark all of the group read";
        "mark" NEWS here news::mark, "mark read or unread; a folded thread as a whole";
        "mark-on" NEWS here news::mark_on, "mark read, and on to the next unread one";
        "mark-unread" NEWS here news::mark_unread, "mark unread; a folded thread as a whole";
        "mark-thread" NEWS here news::mark_thread, "mark the whole thread read, and go on";
        "mark-below" NEWS here news::mark_below, "mark the article and its answers, or unread";
        "mark-to-here" NEWS here news::mark_to_here, "mark all down to this article read";
        "mark-range" NEWS here news::mark_range, "mark from the marked line to here read";
        "undo" NEWS here news::undo, "take your last marks, or rule, back";
        "thread" NEWS here news::fold, "open or close answers, or the thread";
        "quoted" NEWS here news::quoted, "show or hide quoted text";
        "conversation" NEWS here news::conversation, "the thread as one page";
        "fetch" NEWS here news::fetch, "keep what is unread on disk (fetch thread)";
        "score" NEWS here news::score, "make a rule: watch, ignore, a number";
        "watch-thread" NEWS here news::watch_thread, "watch this thread for 30 days";
        "ignore-thread" NEWS here news::ignore_thread, "ignore this thread for 30 days";
        "ignore-subject" NEWS here news::ignore_subject, "ignore this subject here for 30 days";
        "scores" PAGE here internal::scores::open, "your rules, and what is wrong in their file";
        "unread-only" NEWS here news::unread_only, "only what is unread, or all";
    }
    "Your own pages" {
        "remove" OWN here internal::remove, "forget it, delete it; a setting: its default";
        "edit" OWN here internal::edit, "change the bookmark, or the setting";
        "move-up" OWN here internal::bookmarks::move_up, "the bookmark one place up";
        "move-down" OWN here internal::bookmarks::move_down, "the bookmark one place down";
        "catch-up" NEW here subscriptions::all_read, "mark all that is new read";
        "mark" NEW here subscriptions::mark, "mark the item read, or unread";
        "mark-unread" NEW here subscriptions::mark_unread, "mark the item unread";
        "undo" NEW here subscriptions::undo, "take back: marks, or what was unsubscribed from";
        "undo" OWN here internal::undo, "take back: a bookmark deleted, a setting changed";
        "next-value" SETTINGS here internal::settings::next, "another value of the setting, at once";
        "previous-value" SETTINGS here internal::settings::previous, "the value before it";
    }
    "Pictures" {
        "enlarge" PICTURE here picture::enlarge, "the picture larger";
        "shrink" PICTURE here picture::shrink, "the picture smaller";
        "fit" PICTURE here picture::fit, "the picture as wide as there is room";
        "pan" PICTURE here picture::pan, "along the picture: pan left, right, up, down";
    }
    "Over the page" {
        "down" OVER whole |app, _| over_step(app, 1), "down";
        "up" OVER whole |app, _| over_step(app, -1), "up";
        "next-link" OVER whole |app, _| over_field(app, 1), "next field or row";
        "previous-link" OVER whole |app, _| over_field(app, -1), "previous field or row";
        "line-down" OVER whole |app, _| over_step(app, 1), "one line down";
        "line-up" OVER whole |app, _| over_step(app, -1), "one line up";
        "page-down" OVER whole |app, _| over_pages(app, 2), "one screen down";
        "page-up" OVER whole |app, _| over_pages(app, -2), "one screen up";
        "half-down" OVER whole |app, _| over_pages(app, 1), "half a screen down";
        "half-up" OVER whole |app, _| over_pages(app, -1), "half a screen up";
        "top" OVER whole |app, _| over_step(app, isize::MIN / 2), "to the top";
        "bottom" OVER whole |app, _| over_step(app, isize::MAX / 2), "to the bottom";
        "accept" OVER whole over_accept, "take what is chosen; in a form, go on";
        "cancel" OVER whole over_cancel, "close";
        "find" OVER whole over_find, "narrow the list: just type";
        "copy-url" OVER whole over_copy, "copy the address of link or page";
        "copy-link-url" OVER whole over_copy, "copy the address of link or page";
        "download" OVER whole over_download, "save what the link leads to";
        "help" OVER here help::help, "the keys that work here; again, all keys";
    }
    "Prompt" {
        "accept" PROMPT whole prompts::accept, "take the text";
        "cancel" PROMPT whole |app, _| prompts::dismiss(app), "close";
        "find-next" PROMPT whole prompts::find_next, "next match of the words being typed";
        "find-previous" PROMPT whole prompts::find_previous, "the match before";
        "complete-next" PROMPT whole prompts::complete_next, "next completion";
        "complete-previous" PROMPT whole prompts::complete_previous, "previous completion";
        "history-previous" PROMPT whole prompts::recall_previous, "what was typed before";
        "history-next" PROMPT whole prompts::recall_next, "what was typed later";
    }
};

impl Sight<'_> {
    /// The bindings that hold now, those on top first.
    pub fn modes(self) -> &'static [Mode] {
        match self.hands.mode() {
            Mode::Page if news::is_list(self) => &[Mode::Groups, Mode::News, Mode::Page],
            Mode::Page if news::is_news(self) => &[Mode::News, Mode::Page],
            Mode::Page if internal::settings::is_open(self) => &[Mode::Settings, Mode::Own, Mode::Page],
            Mode::Page if internal::is_open(self) || internal::later::is_open(self) => &[Mode::Own, Mode::Page],
            Mode::Page if subscriptions::is_open(self) => &[Mode::New, Mode::Page],
            Mode::Page if self.picture().is_some() => &[Mode::Picture, Mode::Page],
            Mode::Page | Mode::News | Mode::Groups | Mode::Own | Mode::Settings | Mode::New | Mode::Picture => {
                &[Mode::Page]
            }
            Mode::Overlay => &[Mode::Overlay],
            Mode::Prompt => &[Mode::Prompt],
        }
    }
}

/// The names of all commands, for key files and completions.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Whether a command only moves the reader on the page.
pub(super) fn moves(name: &str) -> bool {
    COMMANDS.iter().any(|row| row.name == name && row.group == "Move")
}

/// The name in a command line.
pub(super) fn named(line: &str) -> &str {
    line.trim().split(char::is_whitespace).next().unwrap_or_default()
}

/// Commands that would ask for a file's name, or open an editor on it, before they write.
const WRITE: &[&str] = &[
    "download",
    "download-tree",
    "save",
    "followup",
    "post",
    "reply-mail",
    "forward-mail",
    "cancel-article",
    "supersede",
    "save-mailbox",
];
/// Commands that would ask for a file, or name one, before they send it.
const SEND: &[&str] = &["put"];
/// Commands that would ask for a program, or name one, before they start it.
const START: &[&str] = &["pipe", "outside", "edit-source", "edit-field"];

/// Why a command is not run at all: nobody types a name to be told then that it was in vain.
fn forbidden(sight: Sight<'_>, name: &str) -> Option<&'static str> {
    let does = |commands: &[&str]| sight.desk.choices.safe && commands.contains(&name);
    match () {
        () if does(WRITE) => Some("Nothing was written: --safe forbids it."),
        () if does(SEND) => Some("Nothing was sent: --safe forbids it."),
        () if does(START) => Some("No program was started: --safe forbids it."),
        () => None,
    }
}

/// Runs a command line in the mode that holds now.
pub(super) fn run(app: &mut App, line: &str) -> Vec<Effect> {
    let line = line.trim();
    if ahead::takes(app, line) {
        return Vec::new();
    }
    run_now(app, line)
}

/// The same, of what has waited.
pub(super) fn run_now(app: &mut App, line: &str) -> Vec<Effect> {
    let line = picture::along(app.sight(), line).unwrap_or(line);
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let modes = app.modes();
    let holds = |command: &&Command| modes.iter().any(|mode| command.modes.contains(mode));
    let command = COMMANDS.iter().filter(holds).find(|command| command.name == name);
    if let (Some(why), Some(_)) = (forbidden(app.sight(), name), command) {
        app.complain(why);
        return Vec::new();
    }
    match command {
        Some(command) => match command.run {
            Run::Here(run) => run(&mut app.cx(), rest.trim()),
            Run::Whole(run) => run(app, rest.trim()),
        },
        None if name.is_empty() => Vec::new(),
        None if COMMANDS.iter().any(|command| command.name == name) => {
            app.say(format!("{name} does nothing here"));
            Vec::new()
        }
        None if app.desk.keymap.own_named(name).is_some() => sequence::begin(app, name, rest.trim()),
        None if is_line(app, name) => run(app, &format!("goto {}", if name == "$" { "bottom" } else { name })),
        None => {
            app.complain(format!("no command is called {name}"));
            Vec::new()
        }
    }
}

/// Whether there is such a command: of the table, of the reader's own, or a line of the page where keys take counts.
pub(super) fn is_one(app: &App, name: &str) -> bool {
    COMMANDS.iter().any(|command| command.name == name)
        || app.desk.keymap.own_named(name).is_some()
        || is_line(app, name)
}

fn is_line(app: &App, name: &str) -> bool {
    app.desk.keymap.counts && (name == "$" || !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit()))
}

/// `open`, or `open ADDRESS`.
fn open(app: &mut App, address: &str) -> Vec<Effect> {
    app.hands.ask(PromptKind::Open, "open", address, None);
    if address.is_empty() { Vec::new() } else { prompts::accept(app, "") }
}

/// `subscribe`: what is new in the page in view is told. A group is taken; `subscribe new` has what is new in it told elsewhere, too.
fn subscribe(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    match words.trim() {
        "new" => subscriptions::subscribe(cx, ""),
        "" | "on" | "off" if news::is_news(cx.sight()) => news::subscribe(cx, words),
        words => subscriptions::subscribe(cx, words),
    }
}

/// An article is marked as its row is.
fn mark_row(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    news::mark_its_row(cx).unwrap_or_else(|| marking::mark_row(cx, words))
}

fn edit_url(app: &mut App, _: &str) -> Vec<Effect> {
    let url = app.entry().map(|entry| address::shareable(&entry.url)).unwrap_or_default();
    app.hands.ask(PromptKind::Open, "open", &url, None);
    Vec::new()
}

fn edit_link_url(app: &mut App, _: &str) -> Vec<Effect> {
    if let Some(url) = focus::target(&mut app.cx()) {
        app.hands.ask(PromptKind::Open, "open", &address::shareable(&url), None);
    }
    Vec::new()
}

fn find_link(app: &mut App, words: &str) -> Vec<Effect> {
    app.hands.ask(PromptKind::FindLink, "link with", words, None);
    if words.is_empty() { Vec::new() } else { prompts::accept(app, "") }
}

fn command(app: &mut App, line: &str) -> Vec<Effect> {
    // What is begun goes on behind a space.
    let line = if line.is_empty() { String::new() } else { format!("{line} ") };
    app.hands.ask(PromptKind::Command, ":", &line, None);
    Vec::new()
}

/// `set NAME VALUE` until the end; `set NAME?` says how it is, `set NAME` turns a switch on and says how others are. A charset is that of the page in view.
fn set(app: &mut App, words: &str) -> Vec<Effect> {
    match words.split_once(char::is_whitespace).unwrap_or((words, "")) {
        ("charset", name) if !name.trim().is_empty() => lists::charset(app, name.trim()),
        (name, value) => internal::settings::set(&mut app.cx(), name, value.trim()),
    }
}

fn cancel(app: &mut App, _: &str) -> Vec<Effect> {
    app.hands.pending_keys.clear();
    (app.hands.count, app.hands.describes) = (None, false);
    journey::stop(&mut app.cx(), "")
}

/// Down and up in whatever lies over the page.
pub(super) fn over_step(app: &mut App, rows: isize) -> Vec<Effect> {
    match app.hands.top() {
        Some(Overlay::List { .. }) => lists::step(app, rows),
        Some(Overlay::Form(_)) => return forms::step(&mut app.cx(), rows < 0, false),
        Some(Overlay::Text { owner: TextOwner::Anatomy(_), .. }) => {
            let height = over_rows(app);
            anatomy::step(&mut app.cx(), rows, height);
        }
        Some(Overlay::Text { .. }) => scroll_text(app, rows),
        Some(Overlay::Question { .. }) => app.hands.part = app.hands.part.wrapping_add(rows.signum()),
        None => {}
    }
    Vec::new()
}

fn over_pages(app: &mut App, halves: isize) -> Vec<Effect> {
    let half = isize::try_from(over_rows(app) / 2).unwrap_or(1).max(1);
    over_step(app, halves * half)
}

fn over_field(app: &mut App, step: isize) -> Vec<Effect> {
    match app.hands.top() {
        Some(Overlay::Form(_)) => forms::step(&mut app.cx(), step < 0, true),
        Some(Overlay::Text { owner: TextOwner::Plan, .. }) => {
            recursive::other_links(&mut app.cx(), step);
            Vec::new()
        }
        Some(Overlay::Text { owner: TextOwner::Anatomy(_), .. }) => {
            let height = over_rows(app);
            anatomy::other_half(&mut app.cx(), step, height);
            Vec::new()
        }
        _ => over_step(app, step),
    }
}

/// Rows of a text over the page: those of the page less its borders.
fn over_rows(app: &App) -> usize {
    match usize::from(app.sight().room_rows()) {
        rows @ ..6 => rows.max(1),
        rows => rows - 2,
    }
}

fn scroll_text(app: &mut App, rows: isize) {
    let (height, width) = (over_rows(app), app.desk.screen.columns.saturating_sub(4).max(1));
    let Some(Overlay::Text { document, top, .. }) = app.hands.top_mut() else { return };
    let layout = Layout { width, measure: None, wrap: Wrap::On, marks: Marks::Words };
    let count = rows.unsigned_abs().min(document.blocks().len().saturating_mul(8));
    *top = if rows < 0 {
        layout.up(document, *top, count)
    } else {
        layout.down(document, *top, count).min(layout.bottom(document, height)).max(*top)
    };
}

fn over_accept(app: &mut App, _: &str) -> Vec<Effect> {
    match app.hands.top() {
        Some(Overlay::List { .. }) => lists::accept(app),
        Some(Overlay::Form(_)) => forms::accept(&mut app.cx()),
        Some(Overlay::Question { .. }) => questions::accept(app),
        Some(Overlay::Text { owner: TextOwner::LastLook(_), .. }) => questions::accept(app),
        Some(Overlay::Text { owner: TextOwner::Plan, .. }) => recursive::start(&mut app.cx()),
        Some(Overlay::Text { owner: TextOwner::Anatomy(_), .. }) => anatomy::accept(&mut app.cx()),
        Some(Overlay::Text { .. }) => {
            app.hands.drop_top();
            Vec::new()
        }
        None => Vec::new(),
    }
}

pub(super) fn over_cancel(app: &mut App, _: &str) -> Vec<Effect> {
    match app.hands.top() {
        Some(Overlay::Question { .. }) => questions::dismiss(app),
        Some(Overlay::Form(_)) => forms::dismiss(&mut app.cx()),
        Some(Overlay::Text { owner: TextOwner::LastLook(_), .. }) => letters::keep(&mut app.cx()),
        Some(Overlay::Text { owner: TextOwner::Plan, .. }) => recursive::stop(&mut app.cx()),
        _ => {
            app.hands.drop_top();
            Vec::new()
        }
    }
}

fn over_find(app: &mut App, _: &str) -> Vec<Effect> {
    match app.hands.top() {
        Some(Overlay::Text { owner: TextOwner::Help, .. }) => help::narrow(&mut app.cx()),
        _ => app.say("just type: the list narrows"),
    }
    Vec::new()
}

fn over_copy(app: &mut App, _: &str) -> Vec<Effect> {
    if let Some(effects) = anatomy::copy(&mut app.cx()).or_else(|| playground::copy(&mut app.cx())) {
        return effects;
    }
    if window::focus(app.sight()).is_some() {
        reread::copy_link(&mut app.cx(), "")
    } else {
        reread::copy_page(&mut app.cx(), "")
    }
}

fn over_download(app: &mut App, _: &str) -> Vec<Effect> {
    if !anatomy::is_open(app.sight()) {
        return Vec::new();
    }
    app.hands.drop_top();
    if let Some(why) = forbidden(app.sight(), "download") {
        app.complain(why);
        return Vec::new();
    }
    transfer::download_link(&mut app.cx())
}
