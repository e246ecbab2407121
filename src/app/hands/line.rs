//! One line of typed text: which keys edit it, and how pasted text comes into it.

use crate::keys::{Code, Key};
use tui_input::{Input, InputRequest};

/// Inserts text without its line breaks and controls, all at once: one character after the other would move what stands behind
/// them as often.
pub(in crate::app) fn insert(input: &mut Input, text: &str) {
    let spaced = text.trim_matches(['\r', '\n']).chars().map(|c| if c == '\n' || c == '\t' { ' ' } else { c });
    let inserted: String = spaced.filter(|c| !c.is_control()).collect();
    let cursor = input.cursor() + inserted.chars().count();
    let mut value = input.value().to_owned();
    let at = value.char_indices().nth(input.cursor()).map_or(value.len(), |(at, _)| at);
    value.insert_str(at, &inserted);
    *input = std::mem::take(input).with_value(value).with_cursor(cursor);
}

/// What a key does to a line of text, as in readline.
pub(in crate::app) fn request(key: Key) -> Option<InputRequest> {
    use InputRequest::*;
    Some(match (key.code, key.control, key.meta) {
        (Code::Char(c), false, false) => InsertChar(c),
        (Code::Char('a') | Code::Home, _, _) => GoToStart,
        (Code::Char('e') | Code::End, _, _) => GoToEnd,
        (Code::Char('b'), false, true) | (Code::Left, true, _) | (Code::Left, _, true) => GoToPrevWord,
        (Code::Char('f'), false, true) | (Code::Right, true, _) | (Code::Right, _, true) => GoToNextWord,
        (Code::Char('b'), true, false) | (Code::Left, false, false) => GoToPrevChar,
        (Code::Char('f'), true, false) | (Code::Right, false, false) => GoToNextChar,
        (Code::Char('w'), true, false) | (Code::Backspace, _, true) => DeletePrevWord,
        (Code::Char('d'), false, true) => DeleteNextWord,
        (Code::Char('h'), true, false) | (Code::Backspace, _, false) => DeletePrevChar,
        (Code::Char('d'), true, false) | (Code::Delete, _, _) => DeleteNextChar,
        (Code::Char('u'), true, false) => DeleteFromStart,
        (Code::Char('k'), true, false) => DeleteTillEnd,
        (Code::Char('y'), true, false) => Yank,
        _ => return None,
    })
}
