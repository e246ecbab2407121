//! The line below the bar: the prompt, keys waiting for their next, a message, or where the focused link leads.

use super::canvas::{ARROW, Canvas, DOT, ELLIPSIS, POINTER, both_ends, shortened};
use super::overlay::wrapped;
use super::speech::{BETWEEN, FOLDED};
use super::{Cursor, form};
use crate::app::{
    App, Completion, Entry, Meaning, Note, NoteKind, Prompt, PromptKind, Purpose, describe_field, field_holds,
};
use crate::doc::{LinkId, cells, columns, sanitise};
use crate::keys::{Mode, shown};
use crate::role::Role;
use crate::url::scheme::{self, Family, PartKind};
use crate::url::{Resolved, Url};
use ratatui::layout::Rect;

/// Said of what came so lately that it takes no key.
const JUST_CAME: &str = "just came";
/// Said of an address that leads nowhere.
const REFUSED: &str = "type on, or Esc leaves";
/// What went wrong has at most so much of the screen's height: a third. On a small one it has so many rows all the same.
const SHARE: u16 = 3;
const LEAST: u16 = 4;
/// Columns between what is typed and what is to be known of it.
const BEFORE_REMARK: usize = 3;
/// Said of a complaint that has not even so much room: the command that shows all of it.
const ALL_OF_IT: &str = ":complaints";

/// The message that stands in the line, if nothing else does.
fn note(app: &App) -> Option<&Note> {
    app.hands.note.as_ref().filter(|_| app.hands.prompt().is_none() && !app.hands.is_mid_key())
}

/// Where the text of the line begins, and how many columns it has.
fn room(area: Rect, app: &App) -> (u16, usize) {
    let indent = u16::from(area.width > 20);
    let taken = indent + if app.hands.is_unseen() { cells(columns(JUST_CAME) + 1) } else { 0 };
    (area.x + indent, usize::from(area.width.saturating_sub(taken)))
}

/// The rows that the line needs now: one, but for a message that is longer. What lies above it moves up over the page meanwhile.
pub fn rows(app: &App, screen: Rect) -> u16 {
    let Some(note) = note(app) else { return 1 };
    let (_, width) = room(screen, app);
    let text = sanitise(&note.text);
    if columns(&text) <= width {
        return 1;
    }
    // Nothing else says where the rest of an answer stands, and it goes with the next key.
    let most = match note.kind {
        NoteKind::Info | NoteKind::Moved => screen.height.saturating_sub(1),
        NoteKind::Error => (screen.height / SHARE).max(LEAST).min(screen.height.saturating_sub(1)),
    };
    cells(wrapped(&text, width.max(1)).len()).min(most).max(1)
}

/// Draws the line; gives the cursor of the prompt.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect, app: &App) -> Cursor {
    canvas.fill(area, Role::Line);
    if area.height == 0 {
        return None;
    }
    if let Some(prompt) = app.hands.prompt() {
        let remark = if canvas.plain { String::new() } else { remark(canvas, app, prompt) };
        return prompting(canvas, area, prompt, &remark);
    }
    let area = match app.hands.is_unseen() {
        true => unseen(canvas, area),
        false => area,
    };
    let x = area.x + u16::from(area.width > 20);
    if app.hands.is_mid_key() {
        canvas.put(x, area.y, area.right(), &format!("{} -", app.hands.begun_keys()), Role::LineLabel);
    } else if let Some(note) = note(app) {
        message(canvas, x, area, note);
    } else if app.mode() == crate::keys::Mode::Page
        && let Some(entry) = app.entry()
    {
        about(canvas, x, area, app, entry);
    }
    None
}

/// What is to be known of a prompt besides what it asks.
pub fn remark(canvas: &Canvas<'_>, app: &App, prompt: &Prompt) -> String {
    match (app.hands.is_unseen(), prompt.remark.as_str()) {
        (true, _) => JUST_CAME.into(),
        // What an address means is told above.
        (false, remark)
            if prompt
                .meaning
                .as_ref()
                .is_some_and(|meaning| matches!(meaning, Meaning::Nothing(why) if why == remark)) =>
        {
            REFUSED.into()
        }
        (false, "") => keys(canvas, app, prompt),
        (false, remark) => remark.to_owned(),
    }
}

/// The keys that lead through what is offered, as they are bound.
fn keys(canvas: &Canvas<'_>, app: &App, prompt: &Prompt) -> String {
    if !matches!(prompt.kind, PromptKind::Open | PromptKind::Command) || prompt.completions.is_empty() {
        return String::new();
    }
    let bound = |command: &str, what: &str| {
        let keys = app.desk.keymap.keys_for(Mode::Prompt, command);
        keys.first().map(|keys| format!("{} {what}", shown(keys)))
    };
    let takes = format!("takes {}", canvas.glyph(POINTER));
    let does = if prompt.taken().is_some() { takes.as_str() } else { enter_does(app, prompt) };
    let searches = prompt.completions.iter().all(Completion::is_search);
    let next = if does.is_empty() && searches { "searches" } else { "next" };
    let enter = bound("accept", does).filter(|_| !does.is_empty());
    let keys = [enter, bound("history-next", next), bound("cancel", "leaves")];
    keys.into_iter().flatten().collect::<Vec<_>>().join("  ")
}

/// What Enter does with what is typed, as long as it takes none of what is offered; nothing of words that lead nowhere.
fn enter_does(app: &App, prompt: &Prompt) -> &'static str {
    let typed = prompt.input.value().trim();
    let address = match prompt.kind {
        PromptKind::Command => typed.split_once(char::is_whitespace).map_or("", |(_, address)| address),
        _ => typed,
    };
    match prompt.meaning {
        Some(Meaning::Url { .. }) if app.desk.settings.is_search(address) => "searches",
        Some(Meaning::Url { .. }) => "opens it",
        Some(Meaning::Here(_)) => "goes there",
        None if prompt.kind == PromptKind::Command && !typed.is_empty() => "runs it",
        Some(Meaning::Nothing(_)) | None => "",
    }
}

/// Says at the right that what is over the page takes no key yet; gives the rest of the line.
fn unseen(canvas: &mut Canvas<'_>, area: Rect) -> Rect {
    canvas.put_right(area.x, area.y, area.right(), JUST_CAME, Role::Dim);
    Rect { width: area.width.saturating_sub(cells(columns(JUST_CAME) + 1)), ..area }
}

/// A message, in as many rows as there are for it; the last says where the rest of a complaint stands.
fn message(canvas: &mut Canvas<'_>, x: u16, area: Rect, note: &Note) {
    let is_error = note.kind == NoteKind::Error;
    let role = if is_error { Role::LineError } else { Role::Line };
    let text = sanitise(&note.text);
    let lines = wrapped(&text, usize::from(area.right().saturating_sub(x)).max(1));
    let is_cut = lines.len() > usize::from(area.height);
    for (row, y) in (area.top()..area.bottom()).enumerate() {
        let line = Rect { y, height: 1, ..area };
        match y + 1 == area.bottom() && is_cut {
            false => put_short(canvas, x, line, lines.get(row).map_or("", String::as_str), role),
            true => {
                let line = if is_error { pointed(canvas, line) } else { line };
                put_short(canvas, x, line, &lines[row..].join(" "), role)
            }
        };
    }
}

/// Says at the right where a complaint stands that is longer than its rows; gives the rest of the last.
fn pointed(canvas: &mut Canvas<'_>, area: Rect) -> Rect {
    let taken = cells(columns(ALL_OF_IT) + 1);
    if area.width < 2 * taken {
        return area;
    }
    canvas.put_right(area.x, area.y, area.right(), ALL_OF_IT, Role::Dim);
    Rect { width: area.width - taken, ..area }
}

fn put_short(canvas: &mut Canvas<'_>, x: u16, area: Rect, text: &str, role: Role) -> u16 {
    let room = usize::from(area.right().saturating_sub(x));
    let text = shortened(text, room, ELLIPSIS, canvas.theme.unicode);
    canvas.put(x, area.y, area.right(), &text, role)
}

/// A server's question, in rows, where it is too long for the line itself.
pub(super) fn question(prompt: &Prompt, width: u16) -> Vec<String> {
    let label = sanitise(prompt.label.trim());
    let asked = matches!(prompt.purpose, Purpose::Search(_)) && columns(&label) + 1 > room_of_label(width);
    if asked { wrapped(&label, usize::from(width.saturating_sub(2)).max(1)) } else { Vec::new() }
}

/// Why what was typed leads nowhere, in rows, where it is too long for the row that says what an address means, or, of what was
/// `refused`, for the line itself.
pub(super) fn nothing(prompt: &Prompt, refused: bool, width: u16) -> Vec<String> {
    let room = usize::from(width.saturating_sub(2)).max(1);
    let beside =
        usize::from(width).saturating_sub(columns(&label(prompt, width, true)) + 1 + columns(prompt.input.value()));
    let (why, room_of_row) = match &prompt.meaning {
        Some(Meaning::Nothing(why)) => (why, room),
        _ if refused => (&prompt.remark, beside.saturating_sub(BEFORE_REMARK + 1)),
        _ => return Vec::new(),
    };
    let why = sanitise(why);
    if columns(&why) > room_of_row { wrapped(&why, room) } else { Vec::new() }
}

/// What is asked, in what room there is for it.
fn label(prompt: &Prompt, width: u16, unicode: bool) -> String {
    let mut label = prompt.label.trim_end().to_string();
    if label.ends_with(char::is_alphanumeric) {
        label.push(':');
    }
    shortened(&sanitise(&label), room_of_label(width), ELLIPSIS, unicode)
}

/// The text has at least half of the line, and never less than eight columns of it.
fn room_of_label(width: u16) -> usize {
    usize::from(width / 2).min(usize::from(width.saturating_sub(8)))
}

/// The label, the text with its cursor, and at the right the remark, if there is room for it.
fn prompting(canvas: &mut Canvas<'_>, area: Rect, prompt: &Prompt, remark: &str) -> Cursor {
    let label = label(prompt, area.width, canvas.theme.unicode);
    let mut x = canvas.put(area.x, area.y, area.right(), &label, Role::LineLabel);
    x += u16::from(!label.is_empty() && x < area.right());
    let remark = sanitise(remark);
    let mut end = area.right();
    let room = usize::from(end.saturating_sub(x)).saturating_sub(columns(prompt.input.value()));
    // Of several things the last stays longest: how to leave.
    let all = std::iter::successors(Some(&*remark), |words| words.split_once("  ").map(|(_, rest)| rest));
    let fitting = all.map(str::trim_start).find(|words| columns(words) + BEFORE_REMARK < room);
    if let Some(remark) = fitting.filter(|words| !words.is_empty()) {
        let needs = columns(remark) + BEFORE_REMARK;
        canvas.put_right(x, area.y, end - 1, remark, Role::Dim);
        end -= cells(needs);
    }
    form::input(
        canvas,
        Rect { x, width: end.saturating_sub(x), ..area },
        &prompt.input,
        match prompt.kind {
            PromptKind::Password => form::Shown::Secret,
            PromptKind::Open => form::Shown::Veiled,
            _ => form::Shown::Plain,
        },
        Role::LineInput,
    )
}

/// The focused link, else what the reader should know of how the page was read.
fn about(canvas: &mut Canvas<'_>, x: u16, area: Rect, app: &App, entry: &Entry) {
    let Some(page) = &entry.page else { return };
    match entry.focus {
        Some(link) => match describe_field(app.sight(), link) {
            Some(words) => {
                put_short(canvas, x, area, &sanitise(&words), Role::Line);
            }
            None => leads(canvas, x, area, app, link),
        },
        None => {
            let notes = &page.document().notes;
            let dot = format!(" {} ", canvas.glyph(DOT));
            put_short(canvas, x, area, &notes.join(&dot), Role::Dim);
        }
    }
}

/// What there is to know of the place in view, in full: the link under focus, its number and where it leads; a field and what it
/// holds; else how the page was read.
pub fn told(app: &App) -> String {
    let Some(entry) = app.entry().filter(|_| app.mode() == Mode::Page || app.hands.top().is_none()) else {
        return String::new();
    };
    let Some(document) = entry.document() else { return String::new() };
    let Some(id) = entry.focus else { return document.notes.join(", ") };
    let of = format!("{} of {}", id.0 + 1, document.link_count());
    if let Some(words) = describe_field(app.sight(), id) {
        let words = [Some(words.replace(BETWEEN, ", ")), field_holds(app.sight(), id)];
        return sanitise(&format!("field {of}: {}", words.into_iter().flatten().collect::<Vec<_>>().join(", ")))
            .into_owned();
    }
    let text = document.link_text(id).trim_start_matches(FOLDED).split_whitespace().collect::<Vec<_>>().join(" ");
    let what = if entry.page.as_deref().is_some_and(|page| page.is_fold(id)) {
        ", opens and closes the lines below it".into()
    } else if document.is_long(id, &entry.bases) {
        ", to an address too long to be shown here".into()
    } else {
        match app.sight().link(id).map(|link| link.target) {
            Some(Ok(Resolved::Url(url))) => {
                let gloss = gloss(&app.sight().starred(&url));
                let gloss = if gloss.is_empty() { gloss } else { format!(", {gloss}") };
                format!("{gloss}, to {}", sanitise(&app.sight().told(&url)))
            }
            Some(Ok(Resolved::SameDocument { fragment })) => match fragment {
                Some(name) => format!(", to #{} on this page", app.sight().veiled(sanitise(&name).into_owned())),
                None => ", to the top of this page".into(),
            },
            Some(Err(error)) => format!(", {}", sanitise(&app.sight().veiled(error.to_string()))),
            None => String::new(),
        }
    };
    format!("link {of}: {text}{what}")
}

/// The URL that a link leads to; if the document wrote it otherwise, also how.
fn leads(canvas: &mut Canvas<'_>, x: u16, area: Rect, app: &App, id: LinkId) {
    if app.entry().and_then(|entry| entry.page.as_deref()).is_some_and(|page| page.is_fold(id)) {
        put_short(canvas, x, area, "opens and closes the lines below it", Role::Dim);
        return;
    }
    if app.entry().is_some_and(|entry| entry.document().is_some_and(|page| page.is_long(id, &entry.bases))) {
        put_short(canvas, x, area, "an address too long to be shown here", Role::Dim);
        return;
    }
    let Some(link) = app.sight().link(id) else { return };
    let written = sanitise(&link.reference);
    let mut inside = false;
    let (target, gloss, secret) = match link.target {
        Ok(Resolved::Url(url)) => {
            inside = scheme::family(&url) == Family::Archive;
            let told = app.sight().told(&url);
            let hidden = url.password().or(url.token()).is_some() || told != url.redacted();
            (told, gloss(&app.sight().starred(&url)), hidden)
        }
        Ok(Resolved::SameDocument { fragment }) => {
            let place = fragment.map_or_else(|| "the top of this page".into(), |name| format!("#{name} on this page"));
            let place = app.sight().veiled(place);
            (place, String::new(), true)
        }
        Err(error) => {
            put_short(canvas, x, area, &sanitise(&app.sight().veiled(error.to_string())), Role::LineError);
            return;
        }
    };
    let target = sanitise(&target);
    let arrow = canvas.glyph(ARROW);
    let x = canvas.put(x, area.y, area.right(), arrow, Role::Dim);
    let x = (x + 1).min(area.right());
    // Of what is in an archive the end tells more than where that lies.
    let short = both_ends(&target, usize::from(area.right().saturating_sub(x)), ELLIPSIS, canvas.theme.unicode);
    let mut x = put_short(canvas, x, area, if inside { &short } else { &target }, Role::Line);
    if !gloss.is_empty() && x + 4 < area.right() {
        x = put_short(canvas, x + 2, area, &gloss, Role::Dim);
    }
    // A reference that holds a password is not shown as written.
    if !secret && written != target {
        let written = format!("written {written}");
        let room = usize::from(area.right().saturating_sub(x));
        if columns(&written) + 3 <= room {
            canvas.put_right(x, area.y, area.right() - 1, &written, Role::Dim);
        }
    }
}

/// What kind of thing a URL names, and if it holds escapes, what they stand for.
fn gloss(url: &Url) -> String {
    let escaped = url.as_str().contains('%');
    let says = |kind: PartKind| match kind {
        PartKind::Type => true,
        PartKind::Path | PartKind::Name | PartKind::Query => escaped,
        _ => false,
    };
    let words: Vec<String> =
        scheme::parts(url).into_iter().filter(|part| says(part.kind)).map(|part| part.text).collect();
    words.join("  ")
}
