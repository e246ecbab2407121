//! Letters of scripts that are written without blanks between words: the index takes each as a word of its own, so that what stands
//! amid a sentence is found by asking for a run of them in that order.

use std::borrow::Cow;

/// The first and the last of such letters, by the blocks of Unicode: Thai and Lao, Burmese, Hangul, Khmer, radicals and marks of
/// iteration, Hiragana and what goes with it, Hangul and Bopomofo up to Katakana, Han, Hangul, Han, halves of Katakana, Han.
const ALONE: &[(char, char)] = &[
    ('\u{0E00}', '\u{0EFF}'),
    ('\u{1000}', '\u{109F}'),
    ('\u{1100}', '\u{11FF}'),
    ('\u{1780}', '\u{17FF}'),
    ('\u{2E80}', '\u{2FDF}'),
    ('\u{3005}', '\u{3007}'),
    ('\u{3021}', '\u{3029}'),
    ('\u{3031}', '\u{318F}'),
    ('\u{31A0}', '\u{31BF}'),
    ('\u{31F0}', '\u{31FF}'),
    ('\u{3400}', '\u{4DBF}'),
    ('\u{4E00}', '\u{9FFF}'),
    ('\u{AC00}', '\u{D7FF}'),
    ('\u{F900}', '\u{FAFF}'),
    ('\u{FF66}', '\u{FFDC}'),
    ('\u{20000}', '\u{323AF}'),
];
/// The first octet of the first of them in UTF-8: what has only lesser ones has none of these letters.
const LEAST: u8 = 0xE0;

/// Whether a letter is a word to the index.
pub(super) fn is_alone(letter: char) -> bool {
    let at = ALONE.partition_point(|(first, _)| *first <= letter);
    at > 0 && letter <= ALONE[at - 1].1
}

/// The text with a blank on both sides of each such letter; as it is where there is none.
pub(super) fn apart(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|octet| octet >= LEAST) {
        return text.into();
    }
    let Some(first) = text.find(is_alone) else { return text.into() };
    let mut out = String::with_capacity(text.len() * 2);
    out.push_str(&text[..first]);
    for letter in text[first..].chars() {
        match is_alone(letter) {
            true => out.extend([' ', letter, ' ']),
            false => out.push(letter),
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_scripts_without_blanks_stand_apart_and_others_do_not() {
        for (text, words) in [
            ("", ""),
            ("plain", "plain"),
            ("Köln — “übrig” Ελλάδα", "Köln — “übrig” Ελλάδα"),
            ("東京", "東 京"),
            ("go東京へ行く7", "go 東 京 へ 行 く 7"),
            ("カタカナー", "カ タ カ ナ ー"),
            ("서울에서 x", "서 울 에 서 x"),
            ("ไทย", "ไ ท ย"),
            ("𠀀𠀁", "𠀀 𠀁"),
            ("हिन्दी", "हिन्दी"),
        ] {
            let apart = apart(text);
            assert_eq!(
                apart.split_whitespace().collect::<Vec<_>>(),
                words.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>()
            );
            assert_eq!(matches!(apart, Cow::Borrowed(_)), text == words, "{text}");
        }
        assert!(ALONE.windows(2).all(|two| two[0].1 < two[1].0), "in order");
        assert!(ALONE[0].0.to_string().as_bytes()[0] >= LEAST);
    }
}
