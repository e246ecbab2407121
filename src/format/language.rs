//! Language codes in words (Gopher+ views: `En_US`, `De_DE`).

/// Codes and words of languages.
#[rustfmt::skip]
const LANGUAGES: &[(&str, &str)] = &[
    ("ar", "Arabic"), ("cs", "Czech"), ("da", "Danish"), ("de", "German"), ("el", "Greek"), ("en", "English"),
    ("eo", "Esperanto"), ("es", "Spanish"), ("et", "Estonian"), ("fi", "Finnish"), ("fr", "French"), ("ga", "Irish"),
    ("he", "Hebrew"), ("hu", "Hungarian"), ("is", "Icelandic"), ("it", "Italian"), ("ja", "Japanese"), ("ko", "Korean"),
    ("la", "Latin"), ("lt", "Lithuanian"), ("lv", "Latvian"), ("nl", "Dutch"), ("no", "Norwegian"), ("pl", "Polish"),
    ("pt", "Portuguese"), ("ro", "Romanian"), ("ru", "Russian"), ("sk", "Slovak"), ("sl", "Slovenian"),
    ("sv", "Swedish"), ("tr", "Turkish"), ("uk", "Ukrainian"), ("zh", "Chinese"),
];

/// A code in words: `English (US)`; unknown codes stay as they are.
pub(super) fn name(code: &str) -> String {
    let (language, region) = code.split_once(['_', '-']).unwrap_or((code, ""));
    let word = LANGUAGES.iter().find(|(code, _)| code.eq_ignore_ascii_case(language)).map(|(_, word)| *word);
    match (word, region) {
        (None, _) => code.into(),
        (Some(word), "") => word.into(),
        // The plain case: a language in the country it is named for.
        (Some(word), region) if region.eq_ignore_ascii_case(language) => word.into(),
        (Some(word), region) => format!("{word} ({region})"),
    }
}
