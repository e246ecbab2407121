//! Forms as a document holds them: what can be filled in, and what stands there at first. Plain data; what is typed is kept
//! elsewhere, so that a document stays what the page said.

use super::LinkId;

/// Where a form goes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Form {
    /// The reference that it is sent to, as written; the empty one is the page itself.
    pub action: String,
    /// How.
    pub method: Method,
    /// In what shape.
    pub encoding: Encoding,
    /// The charsets that the server takes, as written; empty for the page's own.
    pub charsets: String,
    /// It is sent whatever stands in its fields.
    pub unchecked: bool,
}

/// How a form is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// As the query of its URL.
    #[default]
    Get,
    /// As the body of a request.
    Post,
    /// Not at all: it closes a dialogue of the page's.
    Dialog,
}

/// The shape in which a form's values are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// `application/x-www-form-urlencoded`.
    #[default]
    Urlencoded,
    /// `multipart/form-data` (RFC 7578).
    Multipart,
    /// `text/plain`.
    Plain,
}

/// A field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The link that stands in its place; hidden and disabled fields have none.
    pub link: Option<LinkId>,
    /// Its form, by number; `None` when it belongs to none.
    pub form: Option<u32>,
    /// The name it is sent under; empty when it is not sent.
    pub name: String,
    /// What it is, and what stands there at first.
    pub kind: FieldKind,
    /// It can neither be changed nor sent.
    pub disabled: bool,
    /// It is sent, but cannot be changed.
    pub readonly: bool,
    /// The form is not to be sent without it.
    pub required: bool,
    /// The most characters it takes.
    pub longest: Option<u32>,
    /// What its value must be besides.
    pub bounds: Bounds,
    /// What the page suggests for it; not sanitised.
    pub suggestions: Vec<String>,
    /// What is to be written there, in the page's words; not sanitised.
    pub hint: String,
    /// What is typed there is not to be kept on disk: the page says so (HTML, 4.10.18.7).
    pub fleeting: bool,
}

/// What the value of a line must be besides what its kind says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bounds {
    /// The least number, or the earliest date, as written; empty for none.
    pub least: String,
    /// The greatest number, or the latest date, as written; empty for none.
    pub most: String,
    /// The fewest characters.
    pub shortest: u32,
    /// Several mail addresses are taken, with commas between them.
    pub several: bool,
}

/// What a field is. Values are not sanitised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldKind {
    /// One line.
    Line {
        /// What is expected.
        kind: LineKind,
        /// What stands there.
        value: String,
        /// Its width in columns.
        size: u16,
    },
    /// Several lines.
    Text(String),
    /// On or off.
    Check {
        /// What is sent when it is on.
        value: String,
        /// Whether it is.
        on: bool,
    },
    /// One of those with the same name in the same form.
    Radio {
        /// What is sent when it is chosen.
        value: String,
        /// Whether it is.
        on: bool,
    },
    /// Some of several.
    Select {
        /// What there is to choose from.
        options: Vec<FieldOption>,
        /// Whether any number may be chosen; else it is one.
        multiple: bool,
    },
    /// Sent as it is.
    Hidden(String),
    /// Files of the reader's.
    File {
        /// Whether more than one.
        multiple: bool,
    },
    /// Sends the form.
    Submit {
        /// What is sent when it was this one.
        value: String,
        /// What it changes of the form.
        sending: Sending,
    },
    /// Sends the form, with the place on a picture.
    Image(Sending),
    /// Puts everything back as it was.
    Reset,
    /// Does nothing without scripts.
    Button,
}

/// What a line is expected to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineKind {
    /// Anything.
    #[default]
    Text,
    /// Not shown while it is typed.
    Password,
    /// Words to search for.
    Search,
    /// A mail address.
    Email,
    /// A URL.
    Url,
    /// A telephone number.
    Telephone,
    /// A number.
    Number,
    /// A date or a time, in the notation of ISO 8601.
    Date,
}

/// Something to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldOption {
    /// The words for it; not sanitised.
    pub label: String,
    /// What is sent.
    pub value: String,
    /// Whether it is chosen at first.
    pub on: bool,
    /// Whether it cannot be chosen.
    pub disabled: bool,
    /// The words for the group it is in; empty for none.
    pub group: String,
}

/// What a button changes of how its form is sent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sending {
    /// The reference.
    pub action: Option<String>,
    /// The method.
    pub method: Option<Method>,
    /// The shape.
    pub encoding: Option<Encoding>,
    /// It is sent whatever stands in its fields.
    pub unchecked: bool,
}

impl Form {
    /// How much memory it holds, in octets.
    pub(super) fn memory(&self) -> usize {
        size_of::<Form>() + self.action.capacity() + self.charsets.capacity()
    }
}

impl Field {
    /// How much memory it holds, in octets.
    pub(super) fn memory(&self) -> usize {
        let kind = match &self.kind {
            FieldKind::Line { value, .. } | FieldKind::Text(value) | FieldKind::Hidden(value) => value.capacity(),
            FieldKind::Check { value, .. } | FieldKind::Radio { value, .. } => value.capacity(),
            FieldKind::Submit { value, .. } => value.capacity(),
            FieldKind::Select { options, .. } => {
                let strings = |o: &FieldOption| o.label.capacity() + o.value.capacity() + o.group.capacity();
                options.iter().map(|option| size_of::<FieldOption>() + strings(option)).sum()
            }
            _ => 0,
        };
        let bounds = self.bounds.least.capacity() + self.bounds.most.capacity();
        let suggested: usize = self.suggestions.iter().map(|words| size_of::<String>() + words.capacity()).sum();
        size_of::<Field>() + self.name.capacity() + self.hint.capacity() + bounds + suggested + kind
    }
}
