//! Forms that are filled in over the page: Gopher+ ASK forms, logins, fields of several lines.

use crate::url::Url;

/// A form being filled in.
#[derive(Debug, Clone)]
pub struct FormState {
    /// The item it belongs to.
    pub url: Url,
    /// Its title.
    pub title: String,
    /// Its fields, in order.
    pub fields: Vec<FormField>,
    /// Which field has the focus; `fields.len()` is the send button.
    pub focus: usize,
    /// What its button says.
    pub button: String,
}

/// A field with what was filled in.
#[derive(Debug, Clone)]
pub struct FormField {
    /// The question.
    pub label: String,
    /// Its kind and value.
    pub value: FieldValue,
}

/// The kinds of fields.
#[derive(Debug, Clone)]
pub enum FieldValue {
    /// A remark, nothing to fill in.
    Note,
    /// One line; hidden for passwords.
    Line {
        /// The text.
        input: tui_input::Input,
        /// Shown as stars.
        secret: bool,
    },
    /// Several lines; Enter makes a new one.
    Lines {
        /// The lines.
        lines: Vec<tui_input::Input>,
        /// Which has the cursor.
        at: usize,
    },
    /// On or off.
    Check(bool),
    /// One of several.
    Choose {
        /// The options.
        options: Vec<String>,
        /// Which is chosen.
        chosen: usize,
    },
    /// A local file's name, to send or to store into.
    File {
        /// The path.
        input: tui_input::Input,
        /// Its content leaves this machine.
        sends: bool,
    },
}
