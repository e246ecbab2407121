//! The words of buttons and choices, and where they end: one that the page forgot to close would swallow the rest of it.
//!
//! What stands in a list of choices and is none (HTML lets parsers keep it there, 13.2.6.4.7) is shown after the field.

use super::dom::{Dom, Id, Kind, NONE};
use super::element::begins_block;
use super::media::LONGEST_WORDS;
use super::name::{Attr, Tag};

/// The longest label that goes on to what is no words, in octets.
const LONGEST_LABEL: usize = 200;

/// The first node in a button or a choice that is no part of its label: a field, a link, or a block after words. [`NONE`] when
/// all of it is the label.
pub(super) fn end_of_label(dom: &Dom, worded: Id) -> Id {
    let mut words = 0;
    for node in dom.within(worded) {
        words += dom.text(node).trim_ascii().len();
        let ends = match dom.tag(node) {
            Tag::Input | Tag::Select | Tag::Textarea | Tag::Button | Tag::Object | Tag::Option | Tag::Optgroup => true,
            Tag::Form | Tag::Table | Tag::Fieldset | Tag::Hr => true,
            Tag::A => dom.has(node, Attr::Href),
            Tag::Br => words > LONGEST_LABEL,
            Tag::P | Tag::Div | Tag::Ul | Tag::Ol | Tag::Dl | Tag::Pre | Tag::Blockquote | Tag::Li | Tag::Section => {
                words > 0
            }
            tag => tag.heading().is_some() && words > 0,
        };
        if ends {
            return node;
        }
    }
    NONE
}

/// The words in a button or a choice up to the end of its label. What breaks lines in it parts words.
pub(super) fn label_text(dom: &Dom, worded: Id) -> String {
    let (end, mut text) = (end_of_label(dom, worded), String::new());
    for node in dom.within(worded).take_while(|node| *node != end) {
        match dom.kind(node) {
            Kind::Text => text.push_str(dom.text(node)),
            Kind::Element(tag) if !tag.is_phrase() => text.push(' '),
            Kind::Element(_) => {}
        }
        if text.len() > LONGEST_WORDS {
            break;
        }
    }
    text
}

/// Marks what of a field is written with it, so that the walk goes on after that.
pub(super) fn pass(dom: &mut Dom, field: Id, tag: Tag) {
    let passed = match tag {
        Tag::Button => words_before(dom, field, end_of_label(dom, field)),
        Tag::Select => choices(dom, field).0,
        _ => return,
    };
    passed.into_iter().for_each(|node| dom.see(node));
}

/// The nodes of a label before its end. What the end stands in is gone into; the words before it in there are passed one by one.
fn words_before(dom: &Dom, worded: Id, end: Id) -> Vec<Id> {
    let around: Vec<Id> = std::iter::successors(Some(end), |id| Some(dom.parent(*id)))
        .take_while(|id| *id != worded && *id != NONE)
        .collect();
    let mut passed = Vec::new();
    let mut at = dom.following(worded, worded, true);
    while at != end && at != NONE {
        let holds_end = around.contains(&at);
        if !holds_end {
            passed.push(at);
        }
        at = dom.following(at, worded, holds_end);
    }
    passed
}

/// Whether anything is shown of a list of choices besides them.
pub(super) fn has_strays(dom: &Dom, list: Id) -> bool {
    choices(dom, list).1
}

/// What of a list of choices is written with it, and whether anything else stands in it. In a list of suggestions what old browsers
/// have instead of them is nothing else, but a link or a block is: there its end was forgotten.
fn choices(dom: &Dom, list: Id) -> (Vec<Id>, bool) {
    let suggests = dom.tag(list) == Tag::Datalist;
    // what the closed list looks like (HTML, 4.10.7)
    let opener = dom.children(list).find(|child| dom.kind(*child) != Kind::Text);
    let opener = opener.filter(|first| dom.tag(*first) == Tag::Button);
    let (mut passed, mut strays) = (Vec::new(), false);
    let mut node = dom.following(list, list, true);
    while node != NONE {
        let mut within = true;
        match dom.kind(node) {
            Kind::Element(Tag::Option) => {
                let end = end_of_label(dom, node);
                if end == NONE {
                    passed.extend(dom.children(node));
                    within = false;
                } else {
                    passed.extend(words_before(dom, node, end));
                    strays |= !matches!(dom.tag(end), Tag::Option | Tag::Optgroup | Tag::Hr);
                    node = end;
                    continue;
                }
            }
            Kind::Element(Tag::Hr | Tag::Legend) if !suggests => {
                passed.push(node);
                within = false;
            }
            _ if Some(node) == opener => {
                passed.push(node);
                within = false;
            }
            Kind::Text if dom.text(node).trim_ascii().is_empty() => passed.push(node),
            Kind::Text if suggests => {}
            Kind::Text => strays = true,
            Kind::Element(Tag::A) => strays |= dom.has(node, Attr::Href),
            Kind::Element(tag) if suggests => {
                strays |= begins_block(tag);
                within = tag != Tag::Select;
            }
            Kind::Element(tag) => strays |= is_seen(tag),
        }
        node = dom.following(node, list, within);
    }
    (passed, strays)
}

/// Whether an element is shown though no text stands in it.
fn is_seen(tag: Tag) -> bool {
    matches!(tag, Tag::Img | Tag::Input | Tag::Button | Tag::Textarea | Tag::Iframe | Tag::Embed | Tag::Svg | Tag::Math)
        || matches!(tag, Tag::Object | Tag::Video | Tag::Audio | Tag::Area)
}
