//! Subjects without what programs put before them in answers.

/// The words for "answer" that programs of many languages write before a subject, lower case.
const ANSWERS: &[&str] =
    &["re", "aw", "sv", "antw", "vs", "rif", "odp", "ynt", "atb", "bls", "отв", "απ", "回复", "回覆", "答复", "返信"];

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

/// What follows one answer word.
fn without_answer(text: &str) -> Option<&str> {
    let (word, rest) = text.split_at(text.find(|c: char| !c.is_alphabetic())?);
    let meant = |answer: &&&str| match word.is_ascii() {
        true => answer.eq_ignore_ascii_case(word),
        false => word.len() == answer.len() && word.to_lowercase() == **answer,
    };
    ANSWERS.iter().find(meant)?;
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
