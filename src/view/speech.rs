//! The screen for who listens to it, or reads it with their fingers: words one after the other, each thing on rows of its own,
//! nothing that is only drawn. What the reader should know now stands in full in the last rows: the question, the message, else
//! the link under focus.

use super::canvas::Canvas;
use super::{Cursor, line, overlay};
use crate::app::status::{self, RowCount};
use crate::app::{App, Label, ListKind, NoteKind, Overlay, PageState, Prompt, Spot};
use crate::doc::{Segment, beginning, cells, columns, sanitise};
use crate::format::count;
use crate::role::Role;
use crate::url::redact;
use ratatui::layout::Rect;
use std::borrow::Cow;

/// Drawn in a field that has a list of what can be chosen.
const CHOICE: char = '▾';
/// Drawn before a line that others stand behind.
pub const FOLDED: char = '┄';
/// Drawn between short facts.
pub const BETWEEN: &str = " · ";
/// Of articles.
const UNREAD: &str = "unread";

/// Draws the last rows of the screen; gives the cursor of the prompt.
pub fn draw(canvas: &mut Canvas<'_>, screen: Rect, app: &App) -> Cursor {
    let last = Rect { y: screen.bottom().saturating_sub(1), height: screen.height.min(1), ..screen };
    let rows = (app.desk.foot_rows() - 1).min(screen.height);
    let foot = Rect { y: screen.bottom() - rows, height: rows, ..screen };
    canvas.fill(foot, Role::Line);
    if let Some(prompt) = app.hands.prompt() {
        if rows > 1 {
            let remark = line::remark(canvas, app, prompt);
            canvas.put(foot.x, foot.y, foot.right(), &sanitise(&remark), Role::Dim);
        }
        return line::draw(canvas, last, app);
    }
    let text = if app.hands.is_mid_key() {
        format!("{} and", app.hands.begun_keys())
    } else if let Some(note) = &app.hands.note {
        let text = sanitise(&note.text);
        if note.kind == NoteKind::Moved { format!("{text}: {}", line::told(app)) } else { text.into_owned() }
    } else if let Some(over) = app.hands.top() {
        row(over)
    } else {
        line::told(app)
    };
    let lines = overlay::wrapped(&text, usize::from(screen.width).max(1));
    let height = cells(lines.len()).min((screen.height / 2).max(1)).min(screen.height);
    let area = Rect { y: screen.bottom() - height, height, ..screen };
    canvas.fill(area, Role::Line);
    for (y, line) in (area.top()..area.bottom()).zip(&lines) {
        canvas.put(area.x, y, area.right(), line, Role::Line);
    }
    None
}

/// The row that is chosen of a list over the page, and which of how many it is.
fn row(over: &Overlay) -> String {
    let (Overlay::List { kind, selected, .. }, Some(item)) = (over, over.chosen()) else { return String::new() };
    // How far downloads are changes all the time, and stands in their rows.
    let told = [Some(&item.text), Some(&item.detail).filter(|_| *kind != ListKind::Downloads)];
    let words: Vec<_> = told.into_iter().flatten().filter(|words| !words.trim().is_empty()).collect();
    let words = words.into_iter().map(|words| sanitise(words.trim()).into_owned()).collect::<Vec<_>>().join(", ");
    format!("{} of {}: {words}", count(selected + 1), count(over.passing()))
}

/// The row above: what the page is called, the address, and how the page stands as far as that does not change by itself all the time.
pub fn bar(canvas: &mut Canvas<'_>, area: Rect, app: &App) {
    canvas.fill(area, Role::Bar);
    if area.height == 0 {
        return;
    }
    let mut said = Vec::new();
    let url = status::url(app.sight()).map(|url| sanitise(&url.redacted()).into_owned());
    if let (None, Some(Label::Title(title))) = (&app.tab.loading, app.tab.label()) {
        // Folders are called as their address ends.
        let title = sanitise(&title).into_owned();
        said.extend(Some(title).filter(|title| url.as_ref().is_none_or(|url| !url.ends_with(title.as_str()))));
    }
    said.extend(status::item(app.sight()).filter(|_| app.tab.loading.is_none()));
    said.extend(url);
    said.extend(app.tab.private.then(|| "private".into()));
    match (&app.tab.loading, app.entry()) {
        (Some(_), _) => said.push("loading".into()),
        (None, Some(entry)) => {
            let page = entry.page.as_deref();
            said.extend(page.and_then(status::rows).map(|rows| match rows {
                RowCount::All(text) | RowCount::Some(text) => text,
            }));
            said.extend(page.and_then(status::unread));
            said.extend(status::marked(app.sight()));
            said.extend(page.and_then(|page| match &page.state {
                PageState::Complete => page.head.status.as_deref().map(|status| sanitise(status).into_owned()),
                PageState::Arriving => Some("still coming".into()),
                PageState::Stopped => Some("stopped".into()),
                PageState::Cut(_) => Some("cut short".into()),
                PageState::Failed(_) => Some("failed".into()),
            }));
        }
        (None, None) => {}
    }
    let text = short(&said.join(", "), area.width);
    canvas.put(area.x, area.y, area.right(), &text, Role::Bar);
}

/// As much of a text as a row has room for; that there is more is told in letters that all displays have.
fn short(text: &str, width: u16) -> String {
    const MORE: &str = "...";
    match columns(text) <= usize::from(width) {
        true => text.to_owned(),
        false => format!("{}{MORE}", beginning(text, usize::from(width).saturating_sub(MORE.len()))),
    }
}

/// The line of tabs.
pub fn tab(canvas: &mut Canvas<'_>, area: Rect, app: &App) {
    let title = match app.tab.label() {
        Some(Label::Title(title) | Label::Url(title)) => sanitise(&title).into_owned(),
        None => "new".into(),
    };
    let text = format!("tab {} of {}: {title}", app.tab_at() + 1, app.tabs().count());
    let text = short(&text, area.width);
    canvas.put(area.x, area.y, area.right(), &text, Role::TabCurrent);
}

/// What the letters typed may mean: that which Enter takes, or the one that was chosen, and how many there are.
pub fn completions(canvas: &mut Canvas<'_>, area: Rect, prompt: &Prompt) {
    let all = prompt.completions.len();
    let chosen = prompt.selected.unwrap_or(0).min(prompt.completions.len().saturating_sub(1));
    let first = (chosen + 1).saturating_sub(area.height.into());
    for (y, (i, completion)) in (area.top()..area.bottom()).zip(prompt.completions.iter().enumerate().skip(first)) {
        let takes = if prompt.taken() == Some(i) { "Enter takes " } else { "" };
        let origin = completion.origin.map(|origin| origin.word()).unwrap_or_default();
        let words = [canvas.veil.reference(&redact(&completion.text)), completion.title.as_str().into(), origin.into()];
        let words: Vec<String> =
            words.iter().map(|words| sanitise(words).into_owned()).filter(|w| !w.is_empty()).collect();
        let of = if all > 1 { format!("{} of {all}: ", i + 1) } else { String::new() };
        let text = format!("{takes}{of}{}", words.join(", "));
        let text = short(&text, area.width);
        canvas.put(area.x, y, area.right(), &text, Role::Overlay);
        canvas.spots.mark(Rect { y, height: 1, ..area }, Spot::Row(i));
    }
}

/// What is said for a mark that is drawn: `├ •` is "unread", unless what stands next says how much is; of a field what stands in it.
/// What only tells lines from others is not said.
pub fn said(segment: &Segment<'_>, next: Option<&Segment<'_>>) -> Option<Cow<'static, str>> {
    let drawn = |c: char| matches!(c, '\u{2500}'..='\u{25ff}' | '•' | ' ');
    let counted = || next.is_some_and(|next| next.role == Role::Info && next.text.trim_end().ends_with(UNREAD));
    match segment.role {
        Role::Marker if segment.text.contains('•') && counted() => Some("".into()),
        Role::Marker if segment.text.contains('•') => Some(format!("{UNREAD} ").into()),
        Role::Marker if segment.text.chars().all(drawn) => Some("".into()),
        Role::MarkerOwn => Some("yours ".into()),
        Role::MarkerAnswer => Some("answers you ".into()),
        Role::Rule => Some("".into()),
        Role::Field if segment.text.contains(CHOICE) => Some(segment.text.replace(CHOICE, "").into()),
        Role::Info | Role::Dim if segment.text.contains(BETWEEN) => Some(segment.text.replace(BETWEEN, ", ").into()),
        _ => segment.text.strip_prefix(FOLDED).map(|words| words.trim_start().to_owned().into()),
    }
}
