//! Commands of the reader's own that come to several steps: each is run when what the one before began is there and the reader's
//! hands are free. Refuses: to go on after a step that did not work, after Esc, and on a page that the reader has left for
//! another.

use crate::app::navigation::journey;
use crate::app::state::jobs::Errand;
use crate::app::{App, COMMANDS, Effect, JobId, Page, PageId, PageState, Tab, TabId, commands, split};
use crate::keys::MOST_STEPS;
use std::collections::VecDeque;

/// Octets of a line with what was typed in its place.
const MOST_OCTETS: usize = 16 << 10;

/// What is being run.
#[derive(Debug)]
pub(super) struct Sequence {
    /// The command's name.
    name: String,
    /// What is still to be run.
    steps: VecDeque<String>,
    /// How many steps there are.
    of: usize,
    /// The step that was run last.
    last: String,
    /// The tab it is run in, and the pages there and beside it before that step.
    tab: TabId,
    pages: [Option<PageId>; 2],
    /// What was on its way beside it before that step.
    beside: Option<JobId>,
    /// How much went wrong before that step.
    complaints: u64,
}

/// The lines that a command of the reader's own comes to.
///
/// # Errors
/// It takes no words, or comes to too much.
pub(super) fn lines(app: &App, name: &str, words: &str) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    expand(app, format!("{name} {words}"), &mut lines)?;
    Ok(lines)
}

fn expand(app: &App, line: String, lines: &mut Vec<String>) -> Result<(), String> {
    if lines.len() >= MOST_STEPS || line.len() > MOST_OCTETS {
        return Err(format!("\"{}\" comes to too much", commands::named(&line)));
    }
    let (name, words) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
    match app.desk.keymap.own_named(name) {
        // The key file has none that names itself, so this ends.
        Some(own) => own.lines(words.trim())?.into_iter().try_for_each(|line| expand(app, line, lines)),
        None => {
            lines.push(line.trim().into());
            Ok(())
        }
    }
}

/// Runs a command of the reader's own: at once where it is one line, else step by step.
pub(super) fn begin(app: &mut App, name: &str, words: &str) -> Vec<Effect> {
    let lines = match lines(app, name, words) {
        Ok(lines) => lines,
        Err(sentence) => {
            app.complain(sentence);
            return Vec::new();
        }
    };
    if let [line] = lines.as_slice() {
        return commands::run(app, line);
    }
    steps(app, name, lines);
    Vec::new()
}

/// Runs lines step by step, in the name of a command.
pub(super) fn steps(app: &mut App, name: &str, lines: Vec<String>) {
    let (tab, pages, complaints) = (app.tab.id, pages(app), app.hands.complained());
    let (name, of, last) = (name.to_owned(), lines.len(), String::new());
    let beside = comes_beside(app);
    app.sequence = Some(Sequence { name, steps: lines.into(), of, last, tab, pages, beside, complaints });
}

/// The tab in the other pane.
fn beside(app: &App) -> Option<&Tab> {
    app.tabs.behind.get(split::place(app)?)
}

/// The pages in view.
fn shown(app: &App) -> [Option<&Page>; 2] {
    [Some(&app.tab), beside(app)].map(|tab| tab?.entry()?.page.as_deref())
}

fn pages(app: &App) -> [Option<PageId>; 2] {
    shown(app).map(|page| Some(page?.id))
}

/// What is on its way to the other pane.
fn comes_beside(app: &App) -> Option<JobId> {
    let tab = beside(app)?;
    let arriving = tab.arriving.iter().find(|arriving| arriving.at == tab.at && !arriving.ended);
    tab.loading.as_ref().map(|loading| loading.id).or(arriving.map(|arriving| arriving.id))
}

/// The step that is to be run now; `None` while the one before is not done, and where there is none.
pub(super) fn due(app: &mut App) -> Option<String> {
    let sequence = app.sequence.as_ref()?;
    if app.tab.id != sequence.tab {
        end(app);
        return None;
    }
    let complained = app.hands.complained() != sequence.complaints;
    // What was on its way before it began is not waited for.
    let comes = comes_beside(app).is_some_and(|coming| Some(coming) != sequence.beside);
    if !complained && done(sequence) > 0 && (comes || is_waiting(app)) {
        return None;
    }
    let failed =
        shown(app).into_iter().flatten().any(|page| page.is_error() && !sequence.pages.contains(&Some(page.id)));
    if complained || failed {
        let (name, last) = (&sequence.name, &sequence.last);
        let said = format!("{name} ends at step {} of {}, {last}", done(sequence), sequence.of);
        app.sequence = None;
        app.complain(said);
        return None;
    }
    let (pages, beside, complaints) = (pages(app), comes_beside(app), app.hands.complained());
    let sequence = app.sequence.as_mut()?;
    let step = sequence.steps.pop_front()?;
    (sequence.last, sequence.pages, sequence.complaints) = (step.clone(), pages, complaints);
    sequence.beside = beside;
    if let Some(why) = idle(app, &step) {
        app.complain(why);
        return due(app);
    }
    Some(step)
}

/// Why a step would do nothing, where nothing would be said to have gone wrong.
fn idle(app: &App, step: &str) -> Option<String> {
    let name = commands::named(step);
    let mut rows = COMMANDS.iter().filter(|command| command.name == name).peekable();
    rows.peek()?;
    let serves = rows.any(|row| app.modes().iter().any(|mode| row.modes.contains(mode)));
    (!serves).then(|| format!("{name} does nothing here"))
}

fn done(sequence: &Sequence) -> usize {
    sequence.of - sequence.steps.len()
}

/// Whether what the last step began is not there yet, or the reader has something to answer.
fn is_waiting(app: &App) -> bool {
    let tab = &app.tab;
    let seeks = tab.sought.is_some() || tab.linked.is_some() || tab.awaited || tab.unfolding.is_some();
    let arriving = app.entry().and_then(|entry| entry.page.as_deref()).map(|page| &page.state);
    let comes = tab.is_loading() || arriving == Some(&PageState::Arriving);
    let asks = !app.hands.are_free() || app.hands.waiting().next().is_some();
    comes || seeks || asks || !app.jobs.all_of(tab.id, is_awaited).is_empty()
}

/// Whether what a step asked for is to be done before the next: what is shown, and what is written; downloads go on beside it.
fn is_awaited(errand: &Errand) -> bool {
    let writes = matches!(errand, Errand::Print(_) | Errand::Text(..) | Errand::Draft(_) | Errand::Import(_));
    writes || errand.is_of_tab() || matches!(errand, Errand::SourceCopy | Errand::SourceFile | Errand::Program)
}

/// A step was run.
pub(super) fn ran(app: &mut App) {
    let tab = app.tab.id;
    if let Some(sequence) = &mut app.sequence {
        sequence.tab = tab;
    }
    app.sequence.take_if(|sequence| sequence.steps.is_empty());
}

/// The reader goes on by themselves, with a command that is run on a page: what is left is not done.
pub(super) fn overtaken(app: &mut App, name: &str) {
    if app.sequence.is_some() && !commands::moves(name) {
        end(app);
    }
}

/// Ends it, and says so.
pub(super) fn end(app: &mut App) {
    if let Some(sequence) = app.sequence.take() {
        let said = format!("{} ends after step {} of {}", sequence.name, done(&sequence), sequence.of);
        let before = app.hands.note.take();
        app.say(before.map_or_else(|| said.clone(), |note| format!("{} · {said}", note.text)));
    }
}

/// Esc: what is on its way is stopped, and what is left is not done.
pub(super) fn cancelled(app: &mut App) -> Vec<Effect> {
    if app.sequence.is_none() {
        return Vec::new();
    }
    let effects = journey::stop(&mut app.cx(), "");
    end(app);
    effects
}
