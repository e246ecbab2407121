//! What is written for text above and below the line: `x²` and `H₂O` where there are characters for it, else `x^2a` and
//! `x[i,j]`; `2^(n+1)` where it could be read otherwise. Without a sign `2³²` would be 232.

use super::dom::{Dom, Id, Kind};
use super::hidden::is_hidden;
use super::media::words;
use super::name::{Attr, Tag};

/// The longest text that is taken for something raised or lowered, in octets: pages that set whole paragraphs so mean small
/// letters.
const LONGEST: usize = 40;
/// The most characters that are written as raised ones: a row of them is hard to read.
const MOST_CHARACTERS: usize = 8;
/// The most nodes that are looked at in an element.
const MOST_NODES: usize = 32;

/// How an element above or below the line is written.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Raised {
    /// By these characters in its place.
    Characters(String),
    /// As what stands in it, between these.
    Between(&'static str, &'static str),
    /// As what stands in it.
    Plain,
}

impl Raised {
    /// How an element is written; `tag` says whether it is a `<sup>` or a `<sub>`.
    pub fn of(dom: &Dom, id: Id, tag: Tag) -> Raised {
        let Some(text) = words(Some(&dom.some_text(id, LONGEST + 8))).filter(|text| text.len() <= LONGEST) else {
            return Raised::Plain;
        };
        // a link, a picture, a place with a name or another step up has to be gone into
        let looks = |node| match dom.kind(node) {
            Kind::Text => true,
            Kind::Element(Tag::B | Tag::I | Tag::Em | Tag::Strong | Tag::Small | Tag::Var | Tag::Other) => {
                !dom.has(node, Attr::Id) && !is_hidden(dom, node)
            }
            Kind::Element(Tag::Code | Tag::Tt | Tag::U | Tag::Cite | Tag::Abbr) => dom.is_bare(node),
            Kind::Element(_) => false,
        };
        let (mut plain, mut steps, mut number) = (true, false, 0);
        for node in dom.within(id).take(MOST_NODES) {
            plain &= looks(node);
            steps |= matches!(dom.tag(node), Tag::Sup | Tag::Sub);
            number += 1;
        }
        if plain && number < MOST_NODES {
            let raised: Option<String> = text.chars().map(|c| character(c, tag)).collect();
            if let Some(raised) = raised.filter(|raised| raised.chars().count() <= MOST_CHARACTERS).or(mark(&text, tag))
            {
                return Raised::Characters(raised);
            }
        }
        let mut chars = text.chars().skip_while(|c| is_sign(*c));
        match chars.next().is_some_and(char::is_alphanumeric) {
            // marks of notes, and what stands in brackets of its own
            false => Raised::Plain,
            true if tag == Tag::Sub => Raised::Between("[", "]"),
            true if is_ordinal(dom, id, &text) => Raised::Plain,
            true if steps || chars.any(|c| c == ' ' || is_sign(c)) => Raised::Between("^(", ")"),
            true => Raised::Between("^", ""),
        }
    }
}

/// Signs of calculation.
fn is_sign(c: char) -> bool {
    matches!(c, '+' | '-' | '−' | '–' | '±' | '/' | '=' | '×' | '·' | '^')
}

/// Whether it is the end of an ordinal number: `1st`, `2ème`.
fn is_ordinal(dom: &Dom, id: Id, text: &str) -> bool {
    let after_digit = dom.text(dom.before(id)).ends_with(|c: char| c.is_ascii_digit());
    after_digit && ["st", "nd", "rd", "th", "er", "re", "ère", "ème"].contains(&text.to_lowercase().as_str())
}

/// The marks of trade that are one character.
fn mark(text: &str, tag: Tag) -> Option<String> {
    match (tag, text) {
        (Tag::Sup, "TM") => Some("™".into()),
        (Tag::Sup, "SM") => Some("℠".into()),
        (Tag::Sup, "®" | "™" | "℠" | "©") => Some(text.into()),
        _ => None,
    }
}

/// The raised or lowered form of a character.
fn character(c: char, tag: Tag) -> Option<char> {
    const PLAIN: &str = "0123456789+-−–=()n";
    const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿ";
    const LOWERED: &str = "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₙ";
    let at = PLAIN.chars().position(|plain| plain == c)?;
    (if tag == Tag::Sup { RAISED } else { LOWERED }).chars().nth(at)
}
