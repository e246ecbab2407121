//! Names of files, completed where one is typed: in prompts that ask for one, behind a command, as an address. Folders are read by
//! the shell, at the press of a key; what comes when the reader has typed on is nobody's.

use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::{Completion, Effect, Origin, Prompt, PromptKind, Sight, completion};
use crate::doc::sanitise;
use crate::url::scheme::file::File;
use tui_input::Input;

/// Names offered at once.
const OFFERED: usize = 8;
/// What a path begins with, where a text may be something else.
const MARKS: &[&str] = &["/", "~/", "./", "../"];

/// A path as it stands in the prompt.
struct Typed {
    /// All up to the name: what stands before the path, and the folder with its slash.
    head: String,
    /// The folder to be read.
    folder: String,
    /// The beginning of a name in it.
    begun: String,
    /// It is read as a reference, in which some characters are no part of a name.
    is_reference: bool,
}

/// The path that is being typed; `None` where none is.
fn typed(sight: Sight<'_>) -> Option<Typed> {
    let prompt = sight.hands.prompt()?;
    let text = prompt.input.value();
    let is_path = |text: &str| MARKS.iter().any(|mark| text.starts_with(mark));
    let path = match prompt.kind {
        PromptKind::Upload | PromptKind::Save => text,
        PromptKind::Open => Some(text).filter(|text| is_path(text))?,
        PromptKind::Command => {
            let mut words = text.char_indices().filter(|(_, c)| *c == ' ').map(|(at, _)| &text[at + 1..]);
            words.find(|rest| is_path(rest))?
        }
        _ => return None,
    };
    let (folder, begun) = path.split_at(path.rfind('/').map_or(0, |at| at + 1));
    let head = text[..text.len() - begun.len()].to_owned();
    let address = completion::address_in(&sight.desk.keymap, prompt.kind, text).is_some();
    let is_reference = address && path.starts_with('.') && sight.entry().is_some();
    let folder = match (is_reference, folder) {
        // Such an address is relative to the page.
        (true, folder) => format!("{}{folder}", folder_of_page(sight)?),
        (false, "") => "./".into(),
        (false, folder) => folder.into(),
    };
    Some(Typed { head, folder, begun: begun.into(), is_reference })
}

/// The folder of this machine that addresses on the page in view are relative to, with its slash.
fn folder_of_page(sight: Sight<'_>) -> Option<String> {
    let (_, base) = sight.entry()?.bases.effective()?;
    let file = File::of(base).ok().filter(|file| file.host.is_none())?;
    let path = String::from_utf8(file.path).ok()?;
    Some(path[..=path.rfind('/')?].to_owned())
}

/// Looks into the folder for the names that may follow. `None` where no path is typed, and when names are offered already.
pub(super) fn complete(cx: &mut Cx<'_>) -> Option<Vec<Effect>> {
    let Typed { head, folder, begun, .. } = typed(cx.sight())?;
    let entered = |prompt: &Prompt| prompt.selected.is_some() && begun.is_empty();
    if cx.hands.prompt().is_some_and(|prompt| are_offered(prompt) && !entered(prompt)) {
        return None;
    }
    Some(vec![Effect::Read { id: cx.job(Errand::Names(head)), path: folder }])
}

fn are_offered(prompt: &Prompt) -> bool {
    !prompt.completions.is_empty() && prompt.completions.iter().all(|row| row.origin == Some(Origin::File))
}

/// The names in the folder have come: one that fits is taken, several are offered.
pub(super) fn listed(cx: &mut Cx<'_>, head: &str, content: Result<Vec<u8>, String>) -> Vec<Effect> {
    // the reader may have typed on, or closed the prompt
    let Some(Typed { begun, is_reference, .. }) = typed(cx.sight()).filter(|now| now.head == head) else {
        return Vec::new();
    };
    let octets = match content {
        Ok(octets) => octets,
        Err(sentence) => {
            cx.complain(sentence);
            return Vec::new();
        }
    };
    let names = String::from_utf8_lossy(&octets);
    let visible = |name: &&str| name.starts_with(&begun) && (!name.starts_with('.') || begun.starts_with('.'));
    // a name that cannot be shown as it is could not be typed either
    let typeable = |name: &&str| sanitise(name) == *name && !(is_reference && name.contains(['%', '#', '?', '\\']));
    let fitting = names.lines().filter(visible).filter(typeable);
    let mut paths: Vec<String> = fitting.map(|name| format!("{head}{name}")).collect();
    paths.sort_unstable();
    let remark = match paths.len() {
        0 => "no name in this folder goes on like that".into(),
        more if more > OFFERED => format!("{} more; type on", more - OFFERED),
        _ => String::new(),
    };
    let Some(prompt) = cx.hands.prompt_mut() else { return Vec::new() };
    if let Some(common) = common(&paths).filter(|common| common.len() > head.len() + begun.len()) {
        prompt.input = Input::new(common.into());
    }
    let all = paths.len();
    paths.truncate(if all == 1 { 0 } else { OFFERED });
    let row = |path: String| Completion { origin: Some(Origin::File), ..Completion::from(path) };
    (prompt.remark, prompt.completions, prompt.selected) = (remark, paths.into_iter().map(row).collect(), None);
    // What was found among addresses gives way.
    cx.library.seeking = None;
    completion::explain(cx);
    Vec::new()
}

/// What all paths begin with.
fn common(paths: &[String]) -> Option<&str> {
    let first = paths.first()?;
    let alike =
        |path: &String| first.chars().zip(path.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let least: usize = paths.iter().map(alike).min()?;
    first.get(..least)
}
