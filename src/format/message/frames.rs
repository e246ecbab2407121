//! Frames in a text, which programs put around what people wrote: OpenPGP's armour (RFC 9580, 6 and 7) and the messages of a digest
//! (RFC 1153).
//!
//! A frame is believed when it is whole: until then its lines are held, and given back as they are where they turn out to be none,
//! so that nothing can be hidden by a beginning without an end. Refuses: checking signatures, decrypting.

/// An armour of more lines is none.
const LONGEST: usize = 2000;
/// A line of armour is shorter, in octets.
const LONGEST_LINE: usize = 200;
/// So many fields before a message of a digest, or in an armour's heading.
const MOST_FIELDS: usize = 24;
/// The line before the first message of a digest.
const BEFORE_FIRST: usize = 70;
/// The line between two.
const BETWEEN: usize = 30;

/// Held lines, and what they may be.
#[derive(Debug, Default)]
pub(super) struct Frames {
    held: Vec<String>,
    kind: Option<Kind>,
    /// What follows is signed: "- " before a line is no part of it.
    signed: bool,
    /// The line before the first message was one.
    digest: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    /// The heading of a signed text.
    Signed,
    /// Armour up to this line.
    Armour(String),
    /// The head of a message in a digest, of which fields have come or not.
    Message(bool),
}

/// What a line turned out to complete.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Framed {
    /// Nothing yet.
    Held,
    /// Lines of text as they are.
    Text(Vec<String>),
    /// A frame that the reader need not see, and what it says.
    Armour(&'static str, Vec<String>),
    /// The head of a message in a digest, without the lines around it.
    Message(String),
}

impl Frames {
    /// Takes a line. What was held and is no frame comes before what the line is itself.
    pub fn take(&mut self, line: &str) -> Vec<Framed> {
        let Some(kind) = self.kind.clone() else { return vec![self.begin(line)] };
        match self.goes_on(kind, line) {
            Some(Framed::Held) => Vec::new(),
            Some(framed) => vec![framed],
            None => vec![self.release(), self.begin(line)],
        }
    }

    /// Nothing more comes: what is held is text.
    pub fn release(&mut self) -> Framed {
        self.kind = None;
        Framed::Text(std::mem::take(&mut self.held))
    }

    fn begin(&mut self, line: &str) -> Framed {
        let end = line.trim_end();
        let rule = |columns| end.len() == columns && end.bytes().all(|b| b == b'-');
        let kind = match end.strip_prefix("-----BEGIN PGP ").and_then(|rest| rest.strip_suffix("-----")) {
            Some("SIGNED MESSAGE") => Kind::Signed,
            Some(what) => Kind::Armour(format!("-----END PGP {what}-----")),
            None if rule(BEFORE_FIRST) || self.digest && rule(BETWEEN) => Kind::Message(false),
            None => {
                let escaped = if self.signed { line.strip_prefix("- ") } else { None };
                return Framed::Text(vec![escaped.unwrap_or(line).into()]);
            }
        };
        (self.kind, self.held) = (Some(kind), vec![line.into()]);
        Framed::Held
    }

    /// What a line is in a frame; `None` where it cannot stand in it.
    fn goes_on(&mut self, kind: Kind, line: &str) -> Option<Framed> {
        let (blank, held) = (line.trim().is_empty(), self.held.len());
        match kind {
            Kind::Signed if blank => {
                self.signed = true;
                return Some(Framed::Armour("signed with OpenPGP, not verified", self.taken()));
            }
            Kind::Signed if is_field(line) && held <= MOST_FIELDS => {}
            Kind::Armour(end) if line.trim_end() == end => {
                self.held.push(line.into());
                self.signed = false;
                let what = match end.as_str() {
                    "-----END PGP SIGNATURE-----" => "an OpenPGP signature, not verified",
                    "-----END PGP MESSAGE-----" => {
                        "encrypted with OpenPGP: save it and decrypt it with your own program"
                    }
                    "-----END PGP PUBLIC KEY BLOCK-----" => "an OpenPGP key",
                    _ => "something of OpenPGP",
                };
                return Some(Framed::Armour(what, self.taken()));
            }
            Kind::Armour(_) if line.len() <= LONGEST_LINE && held <= LONGEST => {}
            Kind::Message(true) if blank => {
                let names = |name: &str| self.held.iter().any(|line| begins(line, name));
                if !names("from:") && !names("subject:") {
                    return None;
                }
                self.digest = true;
                self.signed = false;
                let fields = self.taken();
                let fields: Vec<&str> = fields.iter().map(String::as_str).skip_while(|line| !is_field(line)).collect();
                return Some(Framed::Message(fields.join("\n")));
            }
            Kind::Message(false) if blank && held <= 2 => {}
            Kind::Message(fields)
                if held <= MOST_FIELDS && (is_field(line) || fields && line.starts_with([' ', '\t'])) =>
            {
                self.kind = Some(Kind::Message(true));
            }
            _ => return None,
        }
        self.held.push(line.into());
        Some(Framed::Held)
    }

    fn taken(&mut self) -> Vec<String> {
        self.kind = None;
        std::mem::take(&mut self.held)
    }
}

fn begins(line: &str, name: &str) -> bool {
    line.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name))
}

/// Whether a line is a field: a name, a colon, perhaps a value.
fn is_field(line: &str) -> bool {
    let name = line.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'-').count();
    name > 0 && line.as_bytes().get(name) == Some(&b':')
}
