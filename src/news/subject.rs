//! Subjects without what programs put before them in answers.

/// The words for "answer" that programs of many languages write before a subject, lower case.
const ANSWERS: &[&str] = &[
    "re", "aw", "sv", "antw", "antwort", "vs", "rif", "res", "odp", "odg", "ynt", "atb", "bls", "vá", "отв", "απ",
    "σχετ", "回复", "回覆", "答复", "答覆", "回信", "返信",
];

/// The words for "passed on".
const FORWARDS: &[&str] =
    &["fw", "fwd", "wg", "tr", "rv", "enc", "vl", "vb", "pd", "doorst", "i̇lt", "ilt", "转发", "轉寄", "轉發", "転送"];

/// A subject, taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subject<'a> {
    /// What it is about: neither answer words nor white space around it.
    pub base: &'a str,
    /// Whether there were any: it says of itself that it is an answer.
    pub reply: bool,
}

/// Takes `Re:`, `Re[2]:`, `RE^3:`, `AW:`, `Sv :` and their kin off a subject, however many there are.
pub fn subject(text: &str) -> Subject<'_> {
    let mut base = text.trim();
    let mut reply = false;
    while let Some(rest) = without_answer(base) {
        base = rest.trim_start();
        reply = true;
    }
    // "(was: …)" stays: the subject was changed on purpose, so this is another one.
    Subject { base, reply }
}

/// The subject that the articles of a thread have in common, whatever programs and mailing lists put around it (RFC 5256, 2.1):
/// answer words, words for "passed on", names of lists in brackets, `(fwd)`, `[fwd: …]`. What was passed on calls itself an answer,
/// as there.
pub fn topic(text: &str) -> Subject<'_> {
    let Subject { mut base, mut reply } = subject(text);
    loop {
        let shorter = if let Some(rest) = without_end(base, "(fwd)").filter(|rest| !rest.is_empty()) {
            rest
        } else if let Some(rest) = without(FORWARDS, base) {
            rest
        } else if let Some(within) = passed_on(base) {
            within
        } else if let Some(rest) = without_list(base) {
            // It says nothing of answers.
            let inner = subject(rest);
            (base, reply) = (inner.base, reply || inner.reply);
            continue;
        } else {
            return Subject { base, reply };
        };
        (base, reply) = (subject(shorter).base, true);
    }
}

/// What stands before a word at the end.
fn without_end<'a>(text: &'a str, end: &str) -> Option<&'a str> {
    let at = text.len().checked_sub(end.len()).filter(|at| text.is_char_boundary(*at))?;
    text[at..].eq_ignore_ascii_case(end).then(|| text[..at].trim_end())
}

/// What stands in `[fwd: …]`.
fn passed_on(text: &str) -> Option<&str> {
    let within = text.strip_prefix('[')?.strip_suffix(']')?;
    let (word, rest) = within.split_once(':')?;
    ["fwd", "fw"].iter().any(|fwd| fwd.eq_ignore_ascii_case(word.trim())).then(|| rest.trim())
}

/// What follows a list's name in brackets, if anything does. A part's number (`[2/3]`) is no name: it tells articles apart.
fn without_list(text: &str) -> Option<&str> {
    /// Lists have short names.
    const LONGEST: usize = 80;
    let end = text.strip_prefix('[')?.find([']', '['])? + 1;
    let (name, rest) = (&text[1..end], text[end..].strip_prefix(']')?.trim_start());
    let number = name.chars().any(|c| c.is_ascii_digit()) && !name.contains(char::is_alphabetic);
    (end <= LONGEST && !rest.is_empty() && !number).then_some(rest)
}

/// What follows one answer word.
fn without_answer(text: &str) -> Option<&str> {
    without(ANSWERS, text)
}

/// What follows one of some words with its colon.
fn without<'a>(words: &[&str], text: &'a str) -> Option<&'a str> {
    // Some letters are two characters.
    let ends = |c: char| !c.is_alphabetic() && !matches!(c, '\u{300}'..='\u{36F}');
    let (word, rest) = text.split_at(text.find(ends)?);
    let meant = |answer: &&&str| match word.is_ascii() {
        true => answer.eq_ignore_ascii_case(word),
        false => word.len() <= answer.len() + 2 && word.to_lowercase() == **answer,
    };
    words.iter().find(meant)?;
    let rest = counted(rest).trim_start();
    rest.strip_prefix(':').or_else(|| rest.strip_prefix('：'))
}

/// After the count that some programs write: `[2]`, `(2)`, `^2`, `*2`.
fn counted(text: &str) -> &str {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let close = match text.as_bytes().first() {
        Some(b'[') => "]",
        Some(b'(') => ")",
        Some(b'^' | b'*') => "",
        _ => return text,
    };
    let count = digits(&text[1..]);
    match text[1 + count..].strip_prefix(close) {
        Some(rest) if count > 0 => rest,
        _ => text,
    }
}
