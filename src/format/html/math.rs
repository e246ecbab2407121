//! Formulas (MathML) on one line: `x = (-b + √(b^2))/(2a)`. What they say a second time in another notation is left out.

use super::dom::{Dom, Id, Kind};
use super::media::{LONGEST_WORDS, words};
use super::name::{Attr, Tag};

/// Formulas that nest deeper are text from there on.
const DEEPEST: usize = 64;
/// Operators with a space on either side, unless nothing stands before them.
const SPACED: &str = "=<>≤≥≠≈≡∼→⇒⇔↦∈∉⊂⊆∪∩+-−±×∧∨";

/// The text of a formula.
pub(super) fn linear(dom: &Dom, math: Id) -> String {
    let mut out = String::new();
    row(dom, math, 0, &mut out);
    match words(Some(&out)) {
        Some(words) => words,
        None => words(dom.attr(math, Attr::Alttext)).unwrap_or_default(),
    }
}

/// Everything in an element, one after the other.
fn row(dom: &Dom, id: Id, depth: usize, out: &mut String) {
    dom.children(id).for_each(|child| piece(dom, child, depth + 1, out));
}

fn piece(dom: &Dom, id: Id, depth: usize, out: &mut String) {
    let Kind::Element(tag) = dom.kind(id) else {
        // signs of what is not written: applied to, times, and
        let visible = |c: &char| !('\u{2061}'..='\u{2064}').contains(c);
        let text = dom.text(id).trim_ascii();
        return out.extend(text[..text.floor_char_boundary(LONGEST_WORDS)].chars().filter(visible));
    };
    // what goes on from here is cut where the words are
    if out.len() > LONGEST_WORDS {
        return;
    }
    if depth > DEEPEST {
        return out.push_str(&dom.some_text(id, LONGEST_WORDS));
    }
    let parts: Vec<Id> = dom.children(id).filter(|child| dom.kind(*child) != Kind::Text).collect();
    match (tag, parts.as_slice()) {
        (Tag::Annotation | Tag::AnnotationXml, _) => {}
        (Tag::Mfrac, [above, below]) => {
            group(dom, *above, depth, out);
            out.push('/');
            group(dom, *below, depth, out);
        }
        (Tag::Msup | Tag::Mover, [base, above]) => with(dom, *base, &[('^', *above)], depth, out),
        (Tag::Msub | Tag::Munder, [base, below]) => with(dom, *base, &[('_', *below)], depth, out),
        (Tag::Msubsup | Tag::Munderover, [base, below, above]) => {
            with(dom, *base, &[('_', *below), ('^', *above)], depth, out);
            if tag == Tag::Munderover {
                out.push(' ');
            }
        }
        (Tag::Msqrt, _) => {
            let mut root = String::new();
            row(dom, id, depth, &mut root);
            out.push('√');
            as_one(&root, out);
        }
        (Tag::Mroot, [base, index]) => {
            group(dom, *base, depth, out);
            out.push_str("^(1/");
            group(dom, *index, depth, out);
            out.push(')');
        }
        (Tag::Mtable, rows) => {
            out.push('[');
            joined(dom, rows, "; ", depth, out);
            out.push(']');
        }
        (Tag::Mtr, cells) => joined(dom, cells, ", ", depth, out),
        (Tag::Mo, _) => {
            let sign = dom.some_text(id, LONGEST_WORDS);
            let sign = sign.trim_ascii();
            let between = !out.is_empty() && !out.ends_with(['(', '[', ' ']);
            match SPACED.contains(sign) && !sign.is_empty() && between {
                true => *out += &format!(" {sign} "),
                false => row(dom, id, depth, out),
            }
        }
        _ => row(dom, id, depth, out),
    }
}

fn joined(dom: &Dom, parts: &[Id], between: &str, depth: usize, out: &mut String) {
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            out.push_str(between);
        }
        piece(dom, *part, depth + 1, out);
    }
}

/// Something with more above or below it.
fn with(dom: &Dom, base: Id, more: &[(char, Id)], depth: usize, out: &mut String) {
    group(dom, base, depth, out);
    for (sign, part) in more {
        out.push(*sign);
        group(dom, *part, depth, out);
    }
}

fn group(dom: &Dom, id: Id, depth: usize, out: &mut String) {
    let mut part = String::new();
    piece(dom, id, depth + 1, &mut part);
    as_one(&part, out);
}

/// A part as one: in parentheses if it is not short enough to be understood without.
fn as_one(part: &str, out: &mut String) {
    let whole =
        part.chars().count() <= 1 || part.chars().all(char::is_numeric) || part.chars().all(char::is_alphabetic);
    match whole {
        true => out.push_str(part),
        false => *out += &format!("({part})"),
    }
}
