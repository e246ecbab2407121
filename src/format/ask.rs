//! Gopher+ forms: the `+ASK` block of an attribute page as fields (Gopher+, 2.8). What is filled in becomes a URL by
//! [`crate::url::scheme::gopher::plus::fill`].

/// A form.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Form {
    /// The fields, in the order in which they are answered.
    pub fields: Vec<Field>,
}

/// A question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The words; not sanitised.
    pub question: String,
    /// How it is answered.
    pub kind: Kind,
}

/// How a question is answered, and what stands there at first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Not at all: a line that is no question anybody knows.
    Note,
    /// `Ask`: one line.
    Line(String),
    /// `AskP`: one line that is not shown, and not stored without consent (GPP-14).
    Secret(String),
    /// `AskL`: several lines.
    Text(String),
    /// `AskF`: the name of a new file of the reader's, in which the answer is stored.
    NewFile(String),
    /// `Select`: yes or no.
    Check(bool),
    /// `Choose`: one of these.
    Choice(Vec<String>),
    /// `ChooseF`: a file of the reader's, which is sent.
    File(String),
}

impl Form {
    /// Reads the form of an attribute page: the lines of its first `+ASK` block. `None` when there is none.
    pub fn of(attributes: &str) -> Option<Form> {
        let mut lines = attributes.split(['\r', '\n']).filter(|line| !line.is_empty());
        lines.find(|line| is_head(line))?;
        let mut form = Form::default();
        for line in lines.take_while(|line| !line.starts_with('+') && *line != ".") {
            let line = line.strip_prefix(' ').unwrap_or(line);
            form.fields.push(field(line).unwrap_or_else(|| Field { question: line.into(), kind: Kind::Note }));
        }
        Some(form)
    }
}

/// `+ASK`, with or without its colon.
fn is_head(line: &str) -> bool {
    line.strip_prefix("+ASK").is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ' ']))
}

/// A line of a form; `None` when it is no question anybody knows.
pub(super) fn field(line: &str) -> Option<Field> {
    let (kind, rest) = line.split_once(':')?;
    let mut parts = rest.strip_prefix(' ').unwrap_or(rest).split('\t');
    let mut question = parts.next().unwrap_or_default().to_string();
    let mut default = || parts.next().unwrap_or_default().to_string();
    let kind = match kind.trim() {
        "Ask" => Kind::Line(default()),
        "AskP" => Kind::Secret(default()),
        "AskL" => Kind::Text(default()),
        "AskF" => Kind::NewFile(default()),
        "ChooseF" => Kind::File(default()),
        "Choose" => Kind::Choice(parts.filter(|option| !option.is_empty()).map(Into::into).collect()),
        "Select" => {
            // The paper writes `Select: words:1`, servers also `Select: words TAB 1`.
            let after_colon = question.rsplit_once(':').filter(|(_, on)| matches!(on.trim(), "0" | "1"));
            let (words, on) = match after_colon {
                Some((words, on)) => (words.to_string(), on.trim() == "1"),
                None => (question.clone(), default().trim() == "1"),
            };
            question = words;
            Kind::Check(on)
        }
        _ => return None,
    };
    Some(Field { question: question.trim_end().into(), kind })
}
