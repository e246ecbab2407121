//! What is said on the last rows of the screen stands there to its end, at any size.

use wayfarer::app::{App, NoteKind};
use wayfarer::doc::sanitise;

/// Stands at the right of what takes no key yet.
const JUST_CAME: &str = "justcame";
/// Where the rest of a complaint is.
const ALL_OF_IT: &str = ":complaints";

/// What is said on the last rows now, and whether it is a complaint: a message, or why what stands in the prompt leads nowhere.
pub fn said(app: &App) -> Option<(String, bool)> {
    let (hands, text) = (&app.hands, |text: &str| sanitise(text).into_owned());
    match hands.prompt() {
        Some(prompt) => hands.refused.then(|| (text(&prompt.remark), false)),
        None if hands.is_mid_key() => None,
        None => hands.note.as_ref().map(|note| (text(&note.text), note.kind == NoteKind::Error)),
    }
}

/// It stands there word for word, in as many rows as it needs, or the last row says where the rest of a complaint is.
/// `screen`: its cells, row by row.
pub fn no_message_loses_its_end(screen: &str, app: &App, rows: u16) -> Result<(), String> {
    let Some((text, complaint)) = said(app).filter(|_| rows > 1) else { return Ok(()) };
    let letters = |text: &str| text.split_whitespace().collect::<String>().replace(JUST_CAME, "");
    let shown = letters(screen);
    match shown.contains(&letters(&text)) || complaint && shown.ends_with(ALL_OF_IT) {
        true => Ok(()),
        false => Err(format!("{text:?} in\n{screen}")),
    }
}
