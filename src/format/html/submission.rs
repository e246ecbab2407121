//! What a filled form sends (HTML, 4.10.21.4 and 4.10.21.8; RFC 7578).

use crate::doc::{Document, Encoding, Field, FieldKind, Form, Method};
use crate::format::charset::{self, Charset};

/// The filled value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// What was typed.
    Text(String),
    /// Whether a box is on.
    On(bool),
    /// Which of the choices are on, by number.
    Chosen(Vec<usize>),
    /// Files that the reader has agreed to send.
    Files(Vec<File>),
}

/// A file that is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its name; only the part after the last slash is sent.
    pub name: String,
    /// Its media type.
    pub media: String,
    /// Its octets.
    pub octets: Vec<u8>,
}

/// What is to be requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// How.
    pub method: Method,
    /// The reference, to be resolved as a form's action; with `Get` the query is not in it, for it replaces the one that
    /// the resolved action has.
    pub action: String,
    /// The query of `Get`, without its `?`.
    pub query: Option<String>,
    /// The media type of the body, with its parameters.
    pub content_type: Option<String>,
    /// The body of `Post`.
    pub body: Vec<u8>,
}

/// What stands in a field before the reader says anything.
pub fn initial(kind: &FieldKind) -> Value {
    match kind {
        FieldKind::Line { value, .. } | FieldKind::Text(value) | FieldKind::Hidden(value) => Value::Text(value.clone()),
        FieldKind::Submit { value, .. } => Value::Text(value.clone()),
        FieldKind::Check { on, .. } | FieldKind::Radio { on, .. } => Value::On(*on),
        FieldKind::Select { options, .. } => {
            Value::Chosen(options.iter().enumerate().filter(|(_, option)| option.on).map(|(at, _)| at).collect())
        }
        FieldKind::File { .. } => Value::Files(Vec::new()),
        FieldKind::Image(_) | FieldKind::Reset | FieldKind::Button => Value::Text(String::new()),
    }
}

/// What a form sends, given the values of all fields of the document (those that are missing are as they were) and the field
/// that sends it; `charset` is the document's own, `boundary` parts a multipart body and must occur in no value.
/// `None` when there is no such form.
pub fn submission(
    document: &Document,
    form: u32,
    values: &[Value],
    submitter: Option<usize>,
    (charset, boundary): (&str, &str),
) -> Option<Submission> {
    let form_facts = document.forms.get(form as usize)?;
    let fields = document.fields.iter().enumerate().filter(|(_, field)| field.form == Some(form));
    let mut entries = Vec::new();
    for (at, field) in fields {
        let value = values.get(at).cloned().unwrap_or_else(|| initial(&field.kind));
        enter(field, value, submitter == Some(at), &mut entries);
    }
    let sending = submitter.and_then(|at| document.fields.get(at)).and_then(|field| match &field.kind {
        FieldKind::Submit { sending, .. } | FieldKind::Image(sending) => Some(sending.clone()),
        _ => None,
    });
    let sending = sending.unwrap_or_default();
    let charset = sent_in(form_facts, charset);
    let action = sending.action.unwrap_or_else(|| form_facts.action.clone());
    let method = sending.method.unwrap_or(form_facts.method);
    let mut submission = Submission { method, action, query: None, content_type: None, body: Vec::new() };
    match (method, sending.encoding.unwrap_or(form_facts.encoding)) {
        (Method::Dialog, _) => {}
        (Method::Get, _) => submission.query = Some(urlencoded(&entries, charset)),
        (Method::Post, Encoding::Urlencoded) => {
            submission.content_type = Some("application/x-www-form-urlencoded".into());
            submission.body = urlencoded(&entries, charset).into_bytes();
        }
        (Method::Post, Encoding::Multipart) => {
            submission.content_type = Some(format!("multipart/form-data; boundary={boundary}"));
            submission.body = multipart(&entries, charset, boundary);
        }
        (Method::Post, Encoding::Plain) => {
            submission.content_type = Some("text/plain".into());
            submission.body = plain(&entries, charset);
        }
    }
    Some(submission)
}

/// The words that a page with `<isindex>` asks for, as a query (HTML 2.0, 7.5).
pub fn search_query(words: &str) -> String {
    let mut query = String::new();
    escape(words.as_bytes(), &mut query);
    query
}

/// A name and its value, as they are sent.
struct Entry {
    name: String,
    value: Sent,
}

enum Sent {
    Text(String),
    File(File),
}

impl Entry {
    /// The value where files are sent by name only.
    fn text(&self) -> &str {
        match &self.value {
            Sent::Text(text) => text,
            Sent::File(file) => base_name(&file.name),
        }
    }
}

/// What a field contributes.
fn enter(field: &Field, value: Value, sends: bool, entries: &mut Vec<Entry>) {
    let mut add = |name: String, text: String| {
        let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\r\n");
        entries.push(Entry { name, value: Sent::Text(text) });
    };
    if field.disabled {
        return;
    }
    if let FieldKind::Image(_) = field.kind {
        if sends {
            let part = |axis| if field.name.is_empty() { String::from(axis) } else { format!("{}.{axis}", field.name) };
            add(part("x"), "0".into());
            add(part("y"), "0".into());
        }
        return;
    }
    if field.name.is_empty() {
        return;
    }
    let name = || field.name.clone();
    match (&field.kind, value) {
        (FieldKind::Line { .. }, Value::Text(text)) => add(name(), text.replace(['\r', '\n'], "")),
        (FieldKind::Text(_) | FieldKind::Hidden(_), Value::Text(text)) => add(name(), text),
        (FieldKind::Submit { value, .. }, _) if sends => add(name(), value.clone()),
        (FieldKind::Check { value, .. } | FieldKind::Radio { value, .. }, Value::On(true)) => {
            add(name(), value.clone())
        }
        (FieldKind::Select { options, multiple }, Value::Chosen(chosen)) => {
            let most = if *multiple { usize::MAX } else { 1 };
            let chosen = chosen.into_iter().filter_map(|at| options.get(at)).filter(|option| !option.disabled);
            chosen.take(most).for_each(|option| add(name(), option.value.clone()));
        }
        (FieldKind::File { multiple }, Value::Files(files)) => {
            let most = if *multiple { usize::MAX } else { 1 };
            if files.is_empty() {
                let none = File { name: String::new(), media: "application/octet-stream".into(), octets: Vec::new() };
                entries.push(Entry { name: name(), value: Sent::File(none) });
            }
            entries.extend(files.into_iter().take(most).map(|file| Entry { name: name(), value: Sent::File(file) }));
        }
        _ => {}
    }
}

/// The charset a form is sent in: the first of its own that is known, else the page's; never UTF-16.
fn sent_in(form: &Form, own: &str) -> Charset {
    let wanted = form.charsets.split([' ', ',', '\t', '\n']).filter(|name| !name.is_empty());
    let known = wanted.chain([own]).find_map(charset::known);
    known.filter(|charset| !charset.name().starts_with("utf-16")).unwrap_or(Charset::Utf8)
}

/// Text in a charset; what it lacks becomes a numeric reference, as browsers send it.
fn encode(text: &str, charset: Charset) -> Vec<u8> {
    match charset {
        Charset::Web(web) => web.encode(text).0.into_owned(),
        // code pages of our own lack what they lack
        other => other.encode(text).unwrap_or_else(|| text.as_bytes().to_vec()),
    }
}

fn escape(octets: &[u8], out: &mut String) {
    for octet in octets {
        match octet {
            b' ' => out.push('+'),
            b'*' | b'-' | b'.' | b'_' => out.push(char::from(*octet)),
            _ if octet.is_ascii_alphanumeric() => out.push(char::from(*octet)),
            _ => out.push_str(&format!("%{octet:02X}")),
        }
    }
}

fn urlencoded(entries: &[Entry], charset: Charset) -> String {
    let mut out = String::new();
    for (number, entry) in entries.iter().enumerate() {
        if number > 0 {
            out.push('&');
        }
        // the convention by which a page learns how it was understood
        let own_charset = entry.name == "_charset_" && entry.text().is_empty();
        let value = if own_charset { charset.name().into_bytes() } else { encode(entry.text(), charset) };
        escape(&encode(&entry.name, charset), &mut out);
        out.push('=');
        escape(&value, &mut out);
    }
    out
}

fn multipart(entries: &[Entry], charset: Charset, boundary: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for entry in entries {
        out.extend_from_slice(format!("--{boundary}\r\nContent-Disposition: form-data; name=\"").as_bytes());
        out.extend_from_slice(&encode(&quoted(&entry.name), charset));
        match &entry.value {
            Sent::Text(text) => {
                out.extend_from_slice(b"\"\r\n\r\n");
                out.extend_from_slice(&encode(text, charset));
            }
            Sent::File(file) => {
                out.extend_from_slice(b"\"; filename=\"");
                out.extend_from_slice(&encode(&quoted(base_name(&file.name)), charset));
                let media: String = file.media.chars().filter(|c| c.is_ascii_graphic()).collect();
                out.extend_from_slice(format!("\"\r\nContent-Type: {media}\r\n\r\n").as_bytes());
                out.extend_from_slice(&file.octets);
            }
        }
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    out
}

fn plain(entries: &[Entry], charset: Charset) -> Vec<u8> {
    entries.iter().flat_map(|entry| encode(&format!("{}={}\r\n", entry.name, entry.text()), charset)).collect()
}

/// A name within quotes: it cannot end them, nor the line.
fn quoted(name: &str) -> String {
    name.replace('\r', "%0D").replace('\n', "%0A").replace('"', "%22")
}

/// A file's name without the folders of the reader's.
fn base_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or_default()
}
