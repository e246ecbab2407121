//! `about:bookmarks`: folders that open and close, and in them the bookmarks; adding, changing, ordering them, and taking
//! them from and to the formats of others.

use super::{Made, Which, asked, made_of, show};
use crate::app::hands::question::confirm;
use crate::app::motion::{focus, window};
use crate::app::page::address;
use crate::app::state::Cx;
use crate::app::state::intent::Intent;
use crate::app::state::jobs::Errand;
use crate::app::state::library::BookmarkRow;
use crate::app::{Effect, FieldValue, Form, FormField, FormId, FormOwner, Kept, Label, Overlay, Pending, Sight, news};
use crate::bookmarks::{Bookmark, Bookmarks, Change, Kind};
use crate::doc::{BlockKind, Builder, FoldKind, LinkId, Marker, sanitise};
use crate::format::count;
use crate::role::Role;
use crate::url::Url;
use tui_input::Input;

/// Tabs that a folder opens without a question.
const MOST_TABS: usize = 20;

/// The file has been read, or written with what was changed here.
pub(in crate::app) fn read(cx: &mut Cx<'_>, bookmarks: Bookmarks) {
    if !cx.library.bookmarks.says_the_same(&bookmarks) {
        cx.library.own.bookmarks.revision += 1;
    }
    cx.library.bookmarks = bookmarks;
}

/// Makes a change here, and has it made in the file; says how many bookmarks it concerned.
fn change(cx: &mut Cx<'_>, change: Change) -> (usize, Vec<Effect>) {
    let count = cx.library.bookmarks.apply(&change);
    cx.library.own.bookmarks.revision += 1;
    let effects = if count > 0 { vec![Effect::Keep(Kept::Bookmarks(change))] } else { Vec::new() };
    (count, effects)
}

/// A page of the program's own has another address and title now: a bookmark of it has these, too, but for a title that the reader
/// has given it.
pub(super) fn follow(cx: &mut Cx<'_>, (url, title): (&str, &str), (new_url, new_title): (&str, &str)) -> Vec<Effect> {
    let of_it: Vec<Bookmark> = cx.library.bookmarks.iter().filter(|bookmark| bookmark.url == url).cloned().collect();
    let mut effects = Vec::new();
    for old in of_it {
        let title = if old.title == title { new_title.to_owned() } else { old.title.clone() };
        let new = Bookmark { url: new_url.to_owned(), title, ..old.clone() };
        effects.extend(change(cx, Change::Replace { old, new }).1);
    }
    effects
}

/// Makes the page in view anew when bookmarks have changed.
pub(super) fn tend(cx: &mut Cx<'_>) -> Vec<Effect> {
    let Some(url) = cx.entry().map(|entry| entry.url.clone()) else { return Vec::new() };
    let revision = format!("{} {url:?}", cx.library.own.bookmarks.revision);
    let known = cx.library.own.bookmarks.rows.0 == revision;
    if made_of(cx.sight()) == Some(revision.as_str()) && known {
        return Vec::new();
    }
    let words = asked(&url, "q").unwrap_or_default();
    let (made, rows) = written(cx.sight(), &words);
    cx.library.own.bookmarks.rows = (revision.clone(), rows);
    show(cx, made, revision);
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
fn found<'a>(sight: Sight<'a>, words: &str) -> Vec<&'a Bookmark> {
    let wanted: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    sight.library.bookmarks.iter().filter(|bookmark| wanted.iter().all(|word| bookmark.holds(word))).collect()
}

/// The page, and what each of its links stands for.
fn written(sight: Sight<'_>, words: &str) -> (Made, Vec<BookmarkRow>) {
    let found = found(sight, words);
    let mut root = Folder::default();
    found.iter().for_each(|bookmark| root.add(bookmark));
    let mut out = Builder::new();
    out.document_mut().title = Some("Bookmarks".into());
    out.block(BlockKind::Heading(1), Role::Heading);
    out.text("Bookmarks");
    out.block(BlockKind::Line, Role::Dim);
    out.text(&introduction(sight, words, found.len()));
    let mut rows = Vec::new();
    write_folder(&root, 0, &mut out, &mut rows);
    let source = found.into_iter().cloned().collect::<Bookmarks>().write();
    (Made { document: out.finish(), source }, rows)
}

fn introduction(sight: Sight<'_>, words: &str, found: usize) -> String {
    let all = sight.library.bookmarks.iter().count();
    let key = |command: &str, what: &str| Some(format!("{} {what}", sight.key_on_own(command)?));
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

fn write_folder(folder: &Folder<'_>, depth: u8, out: &mut Builder, rows: &mut Vec<BookmarkRow>) {
    if depth == 0 && !folder.bookmarks.is_empty() {
        out.block(BlockKind::Line, Role::Text);
    }
    for bookmark in &folder.bookmarks {
        out.marked(BlockKind::Entry, Role::Text, Marker::None, depth.saturating_add(1));
        let title = if bookmark.title.is_empty() { &bookmark.url } else { &bookmark.title };
        out.link(&sanitise(title), Role::Link, &bookmark.url);
        rows.push(BookmarkRow::Bookmark((*bookmark).clone()));
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
            Role::heading(depth.saturating_add(2)),
            Marker::None,
            depth.saturating_add(1),
        );
        let name = inner.path.last().map(String::as_str).unwrap_or_default();
        let head = out.link(&sanitise(name), Role::heading(depth.saturating_add(2)), "");
        rows.push(BookmarkRow::Folder(inner.path.to_vec()));
        out.styled(&format!("  {}", inner.count()), Role::Dim);
        out.begin_fold(FoldKind::Details, head, true);
        write_folder(inner, depth.saturating_add(1), out, rows);
        out.end_fold();
    }
}

/// What is under focus on `about:bookmarks`.
fn row(sight: Sight<'_>) -> Option<&BookmarkRow> {
    let page = sight.entry()?.page.as_ref()?;
    let (of, rows) = &sight.library.own.bookmarks.rows;
    let link: LinkId = window::focus(sight)?;
    let shown = page.arrangement.shown.as_ref();
    let given = shown.map_or(Some(link), |shown| shown.given_link(link))?;
    rows.get(given.0 as usize).filter(|_| page.made_of.as_deref() == Some(of))
}

/// The bookmark under focus there.
fn under_focus(sight: Sight<'_>) -> Option<Bookmark> {
    match row(sight)? {
        BookmarkRow::Bookmark(bookmark) => Some(bookmark.clone()),
        BookmarkRow::Folder(_) => None,
    }
}

/// The folder whose head is under focus, and the addresses in it and in those within it, as many as the page shows.
fn folder_under_focus(sight: Sight<'_>) -> Option<(String, Vec<Url>)> {
    super::open_one(sight).filter(|which| *which == super::Which::Bookmarks)?;
    let Some(BookmarkRow::Folder(path)) = row(sight) else { return None };
    let words = super::words(sight);
    let within = found(sight, &words).into_iter().filter(|bookmark| bookmark.folder.starts_with(path));
    Some((path.join("/"), within.filter_map(|bookmark| Url::parse(&*bookmark.url).ok()).collect()))
}

/// A command for the link under focus opens all of a folder in tabs, when it is a folder's head; the reader is asked where
/// those are many.
pub(in crate::app) fn open_folder(cx: &mut Cx<'_>, front: bool) -> Option<Vec<Effect>> {
    let (name, urls) = folder_under_focus(cx.sight())?;
    if urls.len() <= MOST_TABS {
        cx.intend(Intent::OpenTabs { urls, front });
        return Some(Vec::new());
    }
    let text = vec![format!("Open {} tabs, all of {}?", count(urls.len()), sanitise(&name))];
    cx.hands.raise(confirm(text, "open them", Pending::Tabs { urls, front }));
    Some(Vec::new())
}

fn none_there(cx: &mut Cx<'_>) -> Vec<Effect> {
    cx.say("no bookmark under focus");
    Vec::new()
}

/// `bookmark`: the page in view; `bookmark link`: what the link leads to. On pages of the reader's own it is the link, but for a
/// trail, which is kept nowhere else.
pub(in crate::app) fn bookmark(cx: &mut Cx<'_>, what: &str) -> Vec<Effect> {
    let is_list = super::open_one(cx.sight()).is_some_and(|which| which != Which::Trail);
    let (url, title) = if what.trim() == "link" || is_list {
        let Some(url) = focus::target(cx) else { return Vec::new() };
        let text = window::focus(cx.sight())
            .and_then(|link| Some(window::document(cx.sight())?.link_text(link).trim().to_owned()));
        let veil = cx.sight().veil();
        (veil.url(&url).unwrap_or(url), veil.over(text.unwrap_or_default()))
    } else {
        let Some(entry) = cx.entry() else { return Vec::new() };
        let title = match entry.label() {
            Label::Title(title) => title,
            Label::Url(_) => String::new(),
        };
        (entry.url.clone(), title)
    };
    let url = news::shareable(cx.sight(), &url).into_owned();
    let text = address::shareable(&url);
    let known = Url::parse(&*text).ok().and_then(|url| cx.library.bookmarks.of(&url).cloned());
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = if title == text { String::new() } else { title };
    ask(cx, known.unwrap_or(Bookmark { url: text, title, ..Bookmark::default() }), url);
    Vec::new()
}

/// `edit` on `about:bookmarks`.
pub(in crate::app) fn edit(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(bookmark) = under_focus(cx.sight()) else { return none_there(cx) };
    let Ok(url) = Url::parse("about:bookmarks") else { return Vec::new() };
    ask(cx, bookmark, url);
    Vec::new()
}

/// Asks what a bookmark shall say.
fn ask(cx: &mut Cx<'_>, bookmark: Bookmark, about: Url) {
    let known = cx.library.bookmarks.iter().any(|other| *other == bookmark);
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
    if let Some(folders) = folders(cx.sight()) {
        fields.insert(3, FormField { label: folders, value: FieldValue::Note });
    }
    let title = match (known, cx.desk.choices.safe) {
        (true, false) => "A bookmark of yours",
        (false, false) => "A new bookmark",
        (true, true) => "A bookmark, for this run (--safe)",
        (false, true) => "A new bookmark, for this run (--safe)",
    };
    let (id, owner) = (cx.form_id(), FormOwner::Bookmark(known.then_some(bookmark)));
    let form =
        Form { id, owner, touched: false, url: about, title: title.into(), fields, focus: 0, button: "Keep".into() };
    cx.hands.raise(Overlay::Form(form));
}

/// The first folders there are, in one line.
fn folders(sight: Sight<'_>) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for folder in
        sight.library.bookmarks.iter().filter(|bookmark| !bookmark.folder.is_empty()).map(|b| b.folder.join("/"))
    {
        if !names.contains(&folder) {
            names.push(folder);
        }
        if names.len() == 5 {
            break;
        }
    }
    (!names.is_empty()).then(|| sanitise(&format!("Folders: {}", names.join(" · "))).into_owned())
}

/// Keeps what was filled in.
pub(in crate::app) fn keep(cx: &mut Cx<'_>, form: FormId, old: Option<Bookmark>) -> Vec<Effect> {
    let typed = cx.hands.form(form).into_iter().flat_map(Form::lines);
    let mut typed = typed.map(|line| line.trim().to_owned()).collect::<Vec<_>>().into_iter();
    let [title, url, folder, tags, note] = [(); 5].map(|()| typed.next().unwrap_or_default());
    let url = match Url::parse(&*url) {
        Ok(url) => address::shareable(&url),
        Err(error) => {
            cx.complain(format!("the address: {error}"));
            return Vec::new();
        }
    };
    let tags = tags.split(',').map(|tag| tag.trim().trim_start_matches('#').to_owned());
    let tags = tags.filter(|tag| !tag.is_empty()).collect();
    cx.hands.drop_form(form);
    // A name with a slash in it is none that could be typed.
    let folder = match old.as_ref().filter(|old| old.folder.join("/") == folder) {
        Some(old) => old.folder.clone(),
        None => crate::bookmarks::folder(&folder),
    };
    let new = Bookmark { url, title, folder, tags, note };
    let told = match &old {
        Some(old) if *old == new => "nothing was changed".to_owned(),
        Some(_) => "the bookmark is changed".to_owned(),
        None if new.folder.is_empty() => "put among your bookmarks".to_owned(),
        None => format!("put in {}", new.folder.join("/")),
    };
    let wished = match old {
        Some(old) => Change::Replace { old, new },
        None => Change::Insert { bookmarks: vec![new], before: None },
    };
    let (done, effects) = change(cx, wished);
    cx.say(if done == 0 { "it is in that folder already".to_owned() } else { told });
    effects
}

/// Takes the bookmark under focus away; undo brings it back.
pub(super) fn remove(cx: &mut Cx<'_>) -> Vec<Effect> {
    let Some(bookmark) = under_focus(cx.sight()) else { return none_there(cx) };
    let undo = cx.library.bookmarks.restoring(&bookmark);
    // The focus goes on to what follows.
    let link = window::focus(cx.sight()).map(|link| LinkId(link.0 + 1));
    if let Some(next) = link.filter(|link| window::document(cx.sight()).is_some_and(|page| link.0 < page.link_count()))
    {
        focus::go_to(cx, next);
    }
    let (done, effects) = change(cx, Change::Remove(bookmark));
    if done > 0 {
        cx.library.own.bookmarks.undo.push(undo);
        let undo = cx.key_on_own("undo").map(|key| format!("; {key} brings it back")).unwrap_or_default();
        cx.say(format!("the bookmark is deleted{undo}"));
    }
    effects
}

/// Brings back the last of what was removed and is not back.
pub(in crate::app) fn undo(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    match cx.library.own.bookmarks.undo.pop() {
        Some(undo) => {
            let (_, effects) = change(cx, undo);
            cx.say("the bookmark is back");
            effects
        }
        None => {
            cx.say("no deleted bookmark is left to bring back");
            Vec::new()
        }
    }
}

/// One place up in its folder.
pub(in crate::app) fn move_up(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    shift(cx, |at, _| at.checked_sub(1), "it is the first of its folder")
}

/// One place down in its folder.
pub(in crate::app) fn move_down(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    shift(cx, |at, count| Some(at + 2).filter(|to| *to <= count), "it is the last of its folder")
}

/// `to` gives the place, within the folder, of the one that it shall stand before.
fn shift(cx: &mut Cx<'_>, to: fn(usize, usize) -> Option<usize>, end: &str) -> Vec<Effect> {
    let Some(bookmark) = under_focus(cx.sight()) else { return none_there(cx) };
    let folder: Vec<&Bookmark> = cx.library.bookmarks.iter().filter(|other| other.folder == bookmark.folder).collect();
    let at = folder.iter().position(|other| **other == bookmark);
    let Some(to) = at.and_then(|at| to(at, folder.len())) else {
        cx.say(end);
        return Vec::new();
    };
    // Past the last of its folder it stands before what follows that one, wherever it is.
    let following = cx.library.bookmarks.iter().skip_while(|other| Some(other) != folder.last()).nth(1);
    let before = folder.get(to).copied().or(following).cloned();
    change(cx, Change::Move { bookmark, before }).1
}

/// `bookmarks`: the page; `bookmarks import FILE`, `bookmarks export FILE`.
pub(in crate::app) fn bookmarks(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    let (verb, path) = words.trim().split_once(char::is_whitespace).unwrap_or((words.trim(), ""));
    match (verb, path.trim()) {
        ("", _) => super::go(cx, "about:bookmarks"),
        ("import", path) if !path.is_empty() => {
            vec![Effect::Read { id: cx.job(Errand::Import(path.into())), path: path.into() }]
        }
        ("export", path) if !path.is_empty() => export(cx, path),
        _ => {
            cx.complain("bookmarks import FILE, bookmarks export FILE");
            Vec::new()
        }
    }
}

fn export(cx: &mut Cx<'_>, path: &str) -> Vec<Effect> {
    let Some(kind) = Kind::of_name(path) else {
        cx.complain("The file's name says the kind: .html for browsers, lynx….html, .txt for addresses, gophermap.");
        return Vec::new();
    };
    let content = kind.write(cx.library.bookmarks.iter()).into_bytes();
    let lacks = kind.lacks().map(|lacks| format!("; {lacks}")).unwrap_or_default();
    cx.say(format!("written as {}{lacks}", kind.name()));
    let id = cx.job(Errand::Text(path.into(), content.clone()));
    vec![Effect::Write { id, path: path.into(), content, replace: false }]
}

/// The file has been read.
pub(in crate::app) fn import(cx: &mut Cx<'_>, path: &str, content: Result<Vec<u8>, String>) -> Vec<Effect> {
    let octets = match content {
        Ok(octets) => octets,
        Err(sentence) => {
            cx.complain(sentence);
            return Vec::new();
        }
    };
    let text = String::from_utf8_lossy(&octets);
    let text = text.trim_start_matches('\u{FEFF}');
    let kind = Kind::of_text(text);
    let found = kind.read(text);
    let (refused, odd, all) = (found.refusal(), found.odd, found.bookmarks.len());
    let trimmed = found.trimmed_sentence();
    if all == 0 {
        let refused = refused.map(|refused| format!(": {refused}")).unwrap_or_default();
        cx.complain(format!("{path} was read as {}, and no bookmark is in it{refused}.", kind.name()));
        return Vec::new();
    }
    let (new, effects) = change(cx, Change::Insert { bookmarks: found.bookmarks, before: None });
    let mut told = format!("{} of {} taken from {}", count(new), count(all), kind.name());
    if new < all {
        told.push_str("; the others were there already");
    }
    if let Some(refused) = refused {
        told.push_str(&format!("; {refused}"));
    }
    if odd > 0 {
        told.push_str(&format!("; {} made no sense", count(odd)));
    }
    if let Some(trimmed) = trimmed {
        told.push_str(&format!("; {trimmed}"));
    }
    cx.say(told);
    effects
}
