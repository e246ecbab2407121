//! What a server says, as people read it: octets as text, a code and its words in a sentence.

/// As much of a reply as stands in a sentence, in characters.
const WORDS: usize = 400;

/// Octets for people: UTF-8 where they are, else Latin-1.
pub(super) fn text(octets: &[u8]) -> String {
    std::str::from_utf8(octets).map_or_else(|_| octets.iter().map(|&octet| char::from(octet)).collect(), str::to_owned)
}

/// Code and words for a sentence: `550 No such file.`
pub(super) fn sentence(code: u16, words: &str) -> String {
    let mut said = format!("{code} {words}").trim_end().to_owned();
    if let Some((cut, _)) = said.char_indices().nth(WORDS) {
        said.truncate(cut);
        said.push('…');
    }
    if !said.ends_with(['.', '!', '?', '…']) {
        said.push('.');
    }
    said
}
