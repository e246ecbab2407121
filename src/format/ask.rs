//! Gopher+ forms: the `+ASK` block as fields, and answers as the octets that are sent (Gopher+, 2.8; GPP-08 … 10, D14).

/// A form.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Form {
    /// The fields, in the order in which they are answered.
    pub fields: Vec<Field>,
    /// Lines that are no known question, as the server wrote them.
    pub notes: Vec<String>,
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
    /// `Ask`: one line.
    Line(String),
    /// `AskP`: one line that is not shown, and not stored without consent.
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

/// An answer to a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// One line; for [`Kind::Choice`] the option, for [`Kind::NewFile`] the name.
    Line(String),
    /// Several lines.
    Text(String),
    /// Yes or no.
    Check(bool),
    /// The octets of a file.
    File(Vec<u8>),
}

impl Form {
    /// Reads the form of an attribute page: the lines of its first `+ASK` block. `None` when there is none.
    pub fn of(attributes: &str) -> Option<Form> {
        let mut lines = attributes.split(['\r', '\n']).filter(|line| !line.is_empty());
        lines.find(|line| is_head(line))?;
        let mut form = Form::default();
        for line in lines.take_while(|line| !line.starts_with('+') && *line != ".") {
            let line = line.strip_prefix(' ').unwrap_or(line);
            match field(line) {
                Some(field) => form.fields.push(field),
                None => form.notes.push(line.into()),
            }
        }
        Some(form)
    }

    /// The answers that stand there at first.
    pub fn answers(&self) -> Vec<Answer> {
        let answer = |field: &Field| match &field.kind {
            Kind::Line(text) | Kind::Secret(text) | Kind::NewFile(text) => Answer::Line(text.clone()),
            Kind::Text(text) => Answer::Text(text.clone()),
            Kind::Check(on) => Answer::Check(*on),
            Kind::Choice(options) => Answer::Line(options.first().cloned().unwrap_or_default()),
            Kind::File(_) => Answer::File(Vec::new()),
        };
        self.fields.iter().map(answer).collect()
    }

    /// Whether an answer must not be stored (GPP-14): there is a password among the fields.
    pub fn is_secret(&self) -> bool {
        self.fields.iter().any(|field| matches!(field.kind, Kind::Secret(_)))
    }
}

/// The Gopher+ string that sends answers, and perhaps asks for a view (`text/plain En_US`): `+view TAB 1`, then the data
/// block in the one form that D14 lets through.
pub fn filled(view: Option<&str>, answers: &[Answer]) -> Vec<u8> {
    let mut out = b"+".to_vec();
    out.extend_from_slice(view.unwrap_or_default().as_bytes());
    out.extend_from_slice(b"\t1\r\n+-1\r\n");
    for answer in answers {
        match answer {
            Answer::Line(text) => line_into(text.replace(['\r', '\n'], " ").as_bytes(), &mut out),
            Answer::Check(on) => line_into(if *on { b"1" } else { b"0" }, &mut out),
            Answer::Text(text) => {
                let lines: Vec<&str> = text.lines().collect();
                line_into(lines.len().to_string().as_bytes(), &mut out);
                lines.iter().for_each(|line| line_into(line.as_bytes(), &mut out));
            }
            Answer::File(octets) => {
                let whole = octets.strip_suffix(b"\n").unwrap_or(octets);
                whole.split(|b| *b == b'\n').for_each(|line| line_into(line, &mut out));
            }
        }
    }
    out.extend_from_slice(b".\r\n");
    out
}

/// One line of the data block; a line that begins with a dot would end it, so it is stuffed. NUL and CR may never be sent.
fn line_into(line: &[u8], out: &mut Vec<u8>) {
    if line.first() == Some(&b'.') {
        out.push(b'.');
    }
    out.extend(line.iter().filter(|b| !matches!(b, b'\r' | b'\0')));
    out.extend_from_slice(b"\r\n");
}

/// `+ASK`, with or without its colon.
fn is_head(line: &str) -> bool {
    line.strip_prefix("+ASK").is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ' ']))
}

fn field(line: &str) -> Option<Field> {
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
