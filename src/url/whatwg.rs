//! The third rule set: what the URL Standard of the WHATWG, by which browsers read, makes of a text. For comparison only.

/// What browsers make of a text, against a base where it is relative; a sentence where they refuse it.
///
/// # Errors
/// The text or the base is no URL to them.
pub fn parse(base: Option<&str>, text: &str) -> Result<String, String> {
    let parsed = match base {
        Some(base) => ::url::Url::parse(base).and_then(|base| base.join(text)),
        None => ::url::Url::parse(text),
    };
    parsed.map(String::from).map_err(|error| error.to_string())
}
