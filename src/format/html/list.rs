//! Lists: what stands before their items.

use super::dom::{Dom, Id};
use super::flow::Mark;
use super::name::{Attr, Tag};

/// A list that is open.
#[derive(Debug)]
pub(super) enum List {
    Bullets,
    Numbers { next: i64, step: i64, letter: u8 },
}

impl List {
    /// The list that an element begins.
    pub fn of(dom: &Dom, id: Id) -> List {
        if dom.tag(id) != Tag::Ol {
            return List::Bullets;
        }
        let number = |name| dom.attr(id, name).and_then(integer);
        let items = || dom.children(id).filter(|child| dom.tag(*child) == Tag::Li).fold(0, |count: i64, _| count + 1);
        let reversed = dom.has(id, Attr::Reversed);
        let start = number(Attr::Start).unwrap_or_else(|| if reversed { items() } else { 1 });
        let letter = letter(dom.attr(id, Attr::Type)).unwrap_or(b'1');
        List::Numbers { next: start, step: if reversed { -1 } else { 1 }, letter }
    }

    /// What stands before its next item.
    pub fn mark(&mut self, dom: &Dom, item: Id) -> Mark {
        let List::Numbers { next, step, letter: of_list } = self else { return Mark::Bullet };
        let number = dom.attr(item, Attr::Value).and_then(integer).unwrap_or(*next);
        *next = number.saturating_add(*step);
        let written = match letter(dom.attr(item, Attr::Type)).unwrap_or(*of_list) {
            b'a' => letters(number, b'a'),
            b'A' => letters(number, b'A'),
            b'i' => roman(number).map(|roman| roman.to_ascii_lowercase()),
            b'I' => roman(number),
            _ => None,
        };
        let text = format!("{}.", written.unwrap_or_else(|| number.to_string()));
        // with a space, and even, so that blocks under the first one stand in line with it
        let hang = u8::try_from((text.len() + 1).next_multiple_of(2).max(4)).unwrap_or(4);
        Mark::Number(text, hang)
    }
}

/// A number as HTML reads it: what follows the digits does not matter.
fn integer(text: &str) -> Option<i64> {
    let text = text.trim_ascii_start();
    let signed = usize::from(text.starts_with(['-', '+']));
    let digits = text[signed..].bytes().take_while(u8::is_ascii_digit).count();
    text[..signed + digits].parse::<i32>().ok().map(i64::from)
}

fn letter(attr: Option<&str>) -> Option<u8> {
    attr.and_then(|value| value.trim().bytes().next()).filter(|letter| b"1aAiI".contains(letter))
}

/// 1 is a, 26 z, 27 aa.
fn letters(number: i64, first: u8) -> Option<String> {
    let mut left = u64::try_from(number).ok().filter(|number| *number > 0)?;
    let mut out = Vec::new();
    while left > 0 {
        left -= 1;
        out.push(first + (left % 26) as u8);
        left /= 26;
    }
    out.reverse();
    String::from_utf8(out).ok()
}

fn roman(number: i64) -> Option<String> {
    const DIGITS: &[(i64, &str)] = &[
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    if !(1..4000).contains(&number) {
        return None;
    }
    let mut left = number;
    let mut out = String::new();
    for (value, digit) in DIGITS {
        while left >= *value {
            out.push_str(digit);
            left -= value;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_lists_write_them() {
        assert_eq!(letters(1, b'a').as_deref(), Some("a"));
        assert_eq!(letters(28, b'A').as_deref(), Some("AB"));
        assert_eq!(letters(0, b'a'), None);
        assert_eq!(roman(1994).as_deref(), Some("MCMXCIV"));
        assert_eq!(roman(4000), None);
        assert_eq!(integer(" -12px"), Some(-12));
        assert_eq!(integer("99999999999"), None);
    }
}
