//! `about:bookmarks`: folders that open and close, and in them the bookmarks; adding, changing, ordering them, and taking
//! them from and to the formats of others.

use super::super::{
    App, Effect, FieldValue, FormField, FormState, Kept, Overlay, Pending, focus, inspect, news, question, reading,
    tabs,
};
use super::{Made, asked, made_of, show};
use crate::bookmarks::{Bookmark, Bookmarks, Change, Kind};
use crate::doc::{BlockKind, Builder, FoldKind, LinkId, Marker, sanitise};
use crate::format::count;
use crate::role::Role;
use crate::url::Url;
use tui_input::Input;

/// Tabs that a folder opens without a question.
const MOST_TABS: usize = 20;

/// What goes on with bookmarks besides the page.
#[derive(Debug, Default)]
pub(in crate::app) struct State {
    /// Grows with every change.
    revision: u64,
    /// What each link of the page stands for, and of which page they are.
    rows: (String, Vec<Row>),
    /// What the open form is for: a bookmark to change, or none for a new one.
    form: Option<Option<Bookmark>>,
    /// The file that is being read.
    importing: Option<String>,
    /// What takes the last removal back.
    undo: Option<Change>,
}

/// What a link of the page stands for.
#[derive(Debug, Clone)]
enum Row {
    /// A bookmark.
    Bookmark(Bookmark),
    /// The head of the folder of this path.
    Folder(Vec<String>),
}

/// The file has been read, or written with what was changed here.
pub(in crate::app) fn read(app: &mut App, bookmarks: Bookmarks) {
    if !app.bookmarks.says_the_same(&bookmarks) {
        app.own.bookmarks.revision += 1;
    }
    app.bookmarks = bookmarks;
}

/// Makes a change here, and has it made in the file; says how many bookmarks it concerned.
fn change(app: &mut App, change: Change) -> (usize, Vec<Effect>) {
    let count = app.bookmarks.apply(&change);
    app.own.bookmarks.revision += 1;
    let effects = if count > 0 { vec![Effect::Keep(Kept::Bookmarks(change))] } else { Vec::new() };
    (count, effects)
}

/// Makes the page in view anew when bookmarks have changed.
pub(super) fn tend(app: &mut App) -> Vec<Effect> {
    let Some(url) = app.entry().map(|entry| entry.url.clone()) else { return Vec::new() };
    let revision = format!("{} {url:?}", app.own.bookmarks.revision);
    let known = app.own.bookmarks.rows.0 == revision;
    if made_of(app) == Some(revision.as_str()) && known {
        return Vec::new();
    }
    let words = asked(&url, "q").unwrap_or_default();
    let (made, rows) = written(app, &words);
    app.own.bookmarks.rows = (revision.clone(), rows);
    show(app, made, revision);
    Vec::new()
}

/// A folder on the page.
#[derive(Default)]
struct Folder<'a> {
    path: &'a [String],
    bookmarks: Vec<&'a Bookmark>,
    folders: Vec<Folder<'a>>,
}

impl<'a> Folder<'a> {
    fn add(&mut self, bookmark: &'a Bookmark) {
        let mut folder = self;
        for depth in 1..=bookmark.folder.len() {
            let path = &bookmark.folder[..depth];
            let at = folder.folders.iter().position(|inner| inner.path == path).unwrap_or_else(|| {
                folder.folders.push(Folder { path, ..Folder::default() });
                folder.folders.len() - 1
            });
            folder = &mut folder.folders[at];
        }
        folder.bookmarks.push(bookmark);
    }

    fn count(&self) -> usize {
        self.bookmarks.len() + self.folders.iter().map(Folder::count).sum::<usize>()
    }
}

/// The bookmarks that hold every one of some words.
fn found<'a>(app: &'a App, words: &str) -> Vec<&'a Bookmark> {
    let wanted: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    app.bookmarks.iter().filter(|bookmark| wanted.iter().all(|word| bookmark.holds(word))).collect()
}

/// The page, and what each of its links stands for.
fn written(app: &App, words: &str) -> (Made, Vec<Row>) {
    let found = found(app, words);
    let mut root = Folder::default();
    found.iter().for_each(|bookmark| root.add(bookmark));
    let mut out = Builder::new();
    out.document_mut().title = Some("Bookmarks".into());
    out.block(BlockKind::Heading(1), Role::Heading);
    out.text("Bookmarks");
    out.block(BlockKind::Paragraph, Role::Dim);
    out.text(&introduction(app, words, found.len()));
    let mut rows = Vec::new();
    write_folder(&root, 0, &mut out, &mut rows);
    let source = found.into_iter().cloned().collect::<Bookmarks>().write();
    (Made { builder: out, source }, rows)
}

fn introduction(app: &App, words: &str, found: usize) -> String {
    let all = app.bookmarks.iter().count();
    let key = |command: &str, what: &str| Some(format!("{} {what}", app.key_on_own(command)?));
    let said = match (all, words.trim(), found) {
        (0, ..) => {
            let how = key("bookmark", "adds the page you are at").map(|how| format!(" {how};")).unwrap_or_default();
            return format!("There are none yet.{how} :bookmarks import FILE takes those of other programs.");
        }
        (_, "", _) => format!("{} bookmark{}", count(all), if all == 1 { "" } else { "s" }),
        (_, words, 0) => format!("None of {} has \"{}\".", count(all), sanitise(words)),
        (_, words, found) => format!("{} of {} with \"{}\"", count(found), count(all), sanitise(words)),
    };
    let keys = [key("filter", "find"), key("edit", "edit"), key("remove", "delete"), key("move-up", "up")];
    let more = keys.into_iter().chain([key("move-down", "down"), key("undo", "undo")]).flatten();
    [said].into_iter().chain(more).collect::<Vec<_>>().join(" · ")
}

fn write_folder(folder: &Folder<'_>, depth: u8, out: &mut Builder, rows: &mut Vec<Row>) {
    if depth == 0 && !folder.bookmarks.is_empty() {
        out.block(BlockKind::Line, Role::Text);
    }
    for bookmark in &folder.bookmarks {
        out.marked(BlockKind::Entry, Role::Text, Marker::None, depth.saturating_add(1));
        let title = if bookmark.title.is_empty() { &bookmark.url } else { &bookmark.title };
        out.link(&sanitise(title), Role::Link, &bookmark.url);
        rows.push(Row::Bookmark((*bookmark).clone()));
        if !bookmark.tags.is_empty() {
            let tags: Vec<String> = bookmark.tags.iter().map(|tag| format!("#{tag}")).collect();
            out.styled(&format!("  {}", sanitise(&tags.join(" "))), Role::Dim);
        }
        if !bookmark.note.is_empty() {
            out.marked(BlockKind::Paragraph, Role::Dim, Marker::None, depth.saturating_add(2));
            out.text(&sanitise(&bookmark.note));
        }
    }
    for inner in &folder.folders {
        if depth == 0 {
            out.block(BlockKind::Line, Role::Text);
        }
        out.marked(
            BlockKind::Heading(depth.saturating_add(2).min(6)),
            Role::Heading,
            Marker::None,
            depth.saturating_add(1),
        );
        let name = inner.path.last().map(String::as_str).unwrap_or_default();
        let head = out.link(&sanitise(name), Role::Heading, "");
        rows.push(Row::Folder(inner.path.to_vec()));
        out.styled(&format!("  {}", inner.count()), Role::Dim);
        out.begin_fold(FoldKind::Details, head, true);
        write_folder(inner, depth.saturating_add(1), out, rows);
        out.end_fold();
    }
}

/// What is under focus on `about:bookmarks`.
fn row(app: &App) -> Option<&Row> {
    let page = app.entry()?.page.as_ref()?;
    let (of, rows) = &app.own.bookmarks.rows;
    let link: LinkId = reading::focus(app)?;
    let shown = page.arrangement.shown.as_ref();
    let given = shown.map_or(Some(link), |shown| shown.given_link(link))?;
    rows.get(given.0 as usize).filter(|_| page.head.validator.as_deref() == Some(of))
}

/// The bookmark under focus there.
fn under_focus(app: &App) -> Option<Bookmark> {
    match row(app)? {
        Row::Bookmark(bookmark) => Some(bookmark.clone()),
        Row::Folder(_) => None,
    }
}

/// The folder whose head is under focus, and the addresses in it and in those within it, as many as the page shows.
fn folder_under_focus(app: &App) -> Option<(String, Vec<Url>)> {
    super::open_one(app).filter(|which| *which == super::Which::Bookmarks)?;
    let Some(Row::Folder(path)) = row(app) else { return None };
    let words = super::words(app).unwrap_or_default();
    let within = found(app, &words).into_iter().filter(|bookmark| bookmark.folder.starts_with(path));
    Some((path.join("/"), within.filter_map(|bookmark| Url::parse(&*bookmark.url).ok()).collect()))
}

/// A command for the link under focus opens all of a folder in tabs, when it is a folder's head; the reader is asked where
/// those are many.
pub(in crate::app) fn open_folder(app: &mut App, front: bool) -> Option<Vec<Effect>> {
    let (name, urls) = folder_under_focus(app)?;
    if urls.len() <= MOST_TABS {
        return Some(tabs::open_all(app, urls, front));
    }
    let text = vec![format!("Open {} tabs, all of {}?", count(urls.len()), sanitise(&name))];
    app.overlays.push(question::confirm(text, "open them", Pending::Tabs { urls, front }));
    Some(Vec::new())
}

fn none_there(app: &mut App) -> Vec<Effect> {
    app.say("no bookmark under focus");
    Vec::new()
}

/// `bookmark`: the page in view; `bookmark link`: what the link leads to. On pages of the reader's own it is the link.
pub(in crate::app) fn bookmark(app: &mut App, what: &str) -> Vec<Effect> {
    let (url, title) = if what.trim() == "link" || super::is_open(app) {
        let Some(url) = focus::target(app) else { return Vec::new() };
        let text = reading::focus(app).and_then(|link| Some(reading::document(app)?.link_text(link).trim().to_owned()));
        (url, text.unwrap_or_default())
    } else {
        let Some(entry) = app.entry() else { return Vec::new() };
        let title = entry.page.as_deref().and_then(|page| page.document().title.clone()).unwrap_or_default();
        (entry.url.clone(), title)
    };
    let url = news::shareable(app, &url).into_owned();
    let text = inspect::shareable(&url);
    let known = Url::parse(&*text).ok().and_then(|url| app.bookmarks.of(&url).cloned());
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = if title == text { String::new() } else { title };
    ask(app, known.unwrap_or(Bookmark { url: text, title, ..Bookmark::default() }), url);
    Vec::new()
}

/// `edit` on `about:bookmarks`.
pub(in crate::app) fn edit(app: &mut App, _: &str) -> Vec<Effect> {
    let Some(bookmark) = under_focus(app) else { return none_there(app) };
    let Ok(url) = Url::parse("about:bookmarks") else { return Vec::new() };
    ask(app, bookmark, url);
    Vec::new()
}

/// Asks what a bookmark shall say.
fn ask(app: &mut App, bookmark: Bookmark, about: Url) {
    let known = app.bookmarks.iter().any(|other| *other == bookmark);
    let line = |label: &str, text: &str| FormField {
        label: label.into(),
        value: FieldValue::Line { input: Input::new(sanitise(text).into_owned()), secret: false },
    };
    let mut fields = vec![
        line("Title", &bookmark.title),
        line("Address", &bookmark.url),
        line("Folder, as in News/Servers", &bookmark.folder.join("/")),
        line("Tags, with commas between", &bookmark.tags.join(", ")),
        line("Note", &bookmark.note),
    ];
    if let Some(folders) = folders(app) {
        fields.insert(3, FormField { label: folders, value: FieldValue::Note });
    }
    let title = if known { "A bookmark of yours" } else { "A new bookmark" }.into();
    app.overlays.push(Overlay::Form(FormState { url: about, title, fields, focus: 0, button: "Keep".into() }));
    app.own.bookmarks.form = Some(known.then_some(bookmark));
}

/// The first folders there are, in one line.
fn folders(app: &App) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for folder in app.bookmarks.iter().filter(|bookmark| !bookmark.folder.is_empty()).map(|b| b.folder.join("/")) {
        if !names.contains(&folder) {
            names.push(folder);
        }
        if names.len() == 5 {
            break;
        }
    }
    (!names.is_empty()).then(|| sanitise(&format!("Folders: {}", names.join(" · "))).into_owned())
}

/// Whether the form on top is that of a bookmark.
pub(in crate::app) fn is_form(app: &App) -> bool {
    app.own.bookmarks.form.is_some()
}

/// The form is closed.
pub(in crate::app) fn dismiss(app: &mut App) {
    app.own.bookmarks.form = None;
    app.say("nothing was changed");
}

/// Keeps what was filled in.
pub(in crate::app) fn keep(app: &mut App) -> Vec<Effect> {
    let Some(Overlay::Form(state)) = app.overlays.last() else { return Vec::new() };
    let mut typed = state.fields.iter().filter_map(|field| match &field.value {
        FieldValue::Line { input, .. } => Some(input.value().trim().to_owned()),
        _ => None,
    });
    let [title, url, folder, tags, note] = [(); 5].map(|()| typed.next().unwrap_or_default());
    let url = match Url::parse(&*url) {
        Ok(url) => inspect::shareable(&url),
        Err(error) => {
            app.complain(format!("the address: {error}"));
            return Vec::new();
        }
    };
    let tags = tags.split(',').map(|tag| tag.trim().trim_start_matches('#').to_owned());
    let tags = tags.filter(|tag| !tag.is_empty()).collect();
    app.overlays.pop();
    let old = app.own.bookmarks.form.take().flatten();
    // A name with a slash in it is none that could be typed.
    let folder = match old.as_ref().filter(|old| old.folder.join("/") == folder) {
        Some(old) => old.folder.clone(),
        None => crate::bookmarks::folder(&folder),
    };
    let new = Bookmark { url, title, folder, tags, note };
    let told = match &old {
        Some(old) if *old == new => "nothing was changed".to_owned(),
        Some(_) => "the bookmark is changed".to_owned(),
        None if new.folder.is_empty() => "kept among your bookmarks".to_owned(),
        None => format!("kept in {}", new.folder.join("/")),
    };
    let wished = match old {
        Some(old) => Change::Replace { old, new },
        None => Change::Insert { bookmarks: vec![new], before: None },
    };
    let (done, effects) = change(app, wished);
    app.say(if done == 0 { "it is in that folder already".to_owned() } else { told });
    effects
}

/// Takes the bookmark under focus away; undo brings it back.
pub(super) fn remove(app: &mut App) -> Vec<Effect> {
    let Some(bookmark) = under_focus(app) else { return none_there(app) };
    let all: Vec<&Bookmark> = app.bookmarks.iter().collect();
    let at = all.iter().position(|other| **other == bookmark);
    let before = at.and_then(|at| all.get(at + 1)).map(|next| (*next).clone());
    let text = app.bookmarks.text_of(&bookmark).unwrap_or_default().to_owned();
    let undo = Change::Restore { text, before };
    // The focus goes on to what follows.
    let link = reading::focus(app).map(|link| LinkId(link.0 + 1));
    if let Some(next) = link.filter(|link| reading::document(app).is_some_and(|page| link.0 < page.link_count())) {
        focus::go_to(app, next);
    }
    let (done, effects) = change(app, Change::Remove(bookmark));
    if done > 0 {
        app.own.bookmarks.undo = Some(undo);
        let undo = app.key_on_own("undo").map(|key| format!("; {key} brings it back")).unwrap_or_default();
        app.say(format!("the bookmark is deleted{undo}"));
    }
    effects
}

/// Brings back what was removed last.
pub(in crate::app) fn undo(app: &mut App, _: &str) -> Vec<Effect> {
    match app.own.bookmarks.undo.take() {
        Some(undo) => {
            let (_, effects) = change(app, undo);
            app.say("the bookmark is back");
            effects
        }
        None => {
            app.say("nothing was deleted");
            Vec::new()
        }
    }
}

/// One place up in its folder.
pub(in crate::app) fn move_up(app: &mut App, _: &str) -> Vec<Effect> {
    shift(app, |at, _| at.checked_sub(1), "it is the first of its folder")
}

/// One place down in its folder.
pub(in crate::app) fn move_down(app: &mut App, _: &str) -> Vec<Effect> {
    shift(app, |at, count| Some(at + 2).filter(|to| *to <= count), "it is the last of its folder")
}

/// `to` gives the place, within the folder, of the one that it shall stand before.
fn shift(app: &mut App, to: fn(usize, usize) -> Option<usize>, end: &str) -> Vec<Effect> {
    let Some(bookmark) = under_focus(app) else { return none_there(app) };
    let folder: Vec<&Bookmark> = app.bookmarks.iter().filter(|other| other.folder == bookmark.folder).collect();
    let at = folder.iter().position(|other| **other == bookmark);
    let Some(to) = at.and_then(|at| to(at, folder.len())) else {
        app.say(end);
        return Vec::new();
    };
    // Past the last of its folder it stands before what follows that one, wherever it is.
    let following = app.bookmarks.iter().skip_while(|other| Some(other) != folder.last()).nth(1);
    let before = folder.get(to).copied().or(following).cloned();
    change(app, Change::Move { bookmark, before }).1
}

/// `bookmarks`: the page; `bookmarks import FILE`, `bookmarks export FILE`.
pub(in crate::app) fn bookmarks(app: &mut App, words: &str) -> Vec<Effect> {
    let (verb, path) = words.trim().split_once(char::is_whitespace).unwrap_or((words.trim(), ""));
    match (verb, path.trim()) {
        ("", _) => super::go(app, "about:bookmarks"),
        ("import", path) if !path.is_empty() => {
            app.own.bookmarks.importing = Some(path.into());
            vec![Effect::Read(path.into())]
        }
        ("export", path) if !path.is_empty() => export(app, path),
        _ => {
            app.complain("bookmarks import FILE, bookmarks export FILE");
            Vec::new()
        }
    }
}

fn export(app: &mut App, path: &str) -> Vec<Effect> {
    let Some(kind) = Kind::of_name(path) else {
        app.complain("The file's name says the kind: .html for browsers, lynx….html, .txt for addresses, gophermap.");
        return Vec::new();
    };
    let content = kind.write(app.bookmarks.iter()).into_bytes();
    app.writing = Some((path.into(), content.clone()));
    let lacks = kind.lacks().map(|lacks| format!("; {lacks}")).unwrap_or_default();
    app.say(format!("written as {}{lacks}", kind.name()));
    vec![Effect::Write { path: path.into(), content: Some(content), replace: false }]
}

/// Whether a file of bookmarks is being read.
pub(in crate::app) fn is_importing(app: &App) -> bool {
    app.own.bookmarks.importing.is_some()
}

/// The file has been read.
pub(in crate::app) fn import(app: &mut App, content: Result<Vec<u8>, String>) -> Vec<Effect> {
    let path = app.own.bookmarks.importing.take().unwrap_or_default();
    let octets = match content {
        Ok(octets) => octets,
        Err(sentence) => {
            app.complain(sentence);
            return Vec::new();
        }
    };
    let text = String::from_utf8_lossy(&octets);
    let text = text.trim_start_matches('\u{FEFF}');
    let kind = Kind::of_text(text);
    let (found, odd) = kind.read(text);
    if found.is_empty() {
        app.complain(format!("{path} was read as {}, and no bookmark is in it.", kind.name()));
        return Vec::new();
    }
    let all = found.len();
    let (new, effects) = change(app, Change::Insert { bookmarks: found, before: None });
    let mut told = format!("{} of {} taken from {}", count(new), count(all), kind.name());
    if new < all {
        told.push_str("; the others were there already");
    }
    if odd > 0 {
        told.push_str(&format!("; {} made no sense", count(odd)));
    }
    app.say(told);
    effects
}
