//! The third rule set: what the URL Standard of the WHATWG, by which browsers read, makes of a text. For comparison only.

/// A base as browsers read it, read once for all that is resolved against it.
#[derive(Debug, Clone)]
pub struct Base(Result<::url::Url, String>);

impl Base {
    /// Reads a base.
    pub fn of(text: &str) -> Base {
        Base(::url::Url::parse(text).map_err(|error| error.to_string()))
    }

    /// What browsers make of a reference; a sentence where they refuse it.
    ///
    /// # Errors
    /// The reference or the base is no URL to them.
    pub fn resolve(&self, reference: &str) -> Result<String, String> {
        self.0.as_ref().map_err(String::clone)?.join(reference).map(String::from).map_err(|error| error.to_string())
    }
}

/// What browsers make of a text that stands alone; a sentence where they refuse it.
///
/// # Errors
/// The text is no URL to them.
pub fn parse(text: &str) -> Result<String, String> {
    ::url::Url::parse(text).map(String::from).map_err(|error| error.to_string())
}
