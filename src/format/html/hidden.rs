//! What a page hides: by `hidden`, by `style`, by a rule of its style sheet, as a dialog or a template that only a script opens, as
//! suggestions for a field. A block of
//! it stands behind a closed fold that says what hid it; what is hidden within a line, in a table or in a link is gathered
//! behind one after it (`gathered`).
//!
//! Of style sheets a single kind of rule is obeyed: those that show nothing of one class, or of one element by its id.
//! Refuses: everything else of CSS, and sheets that are not in the page itself.

use super::dom::{Dom, Id, Kind, NONE};
use super::flow::{Style, White};
use super::label::has_strays;
use super::name::{Attr, Tag};
use super::walk::Walk;
use crate::doc::{Builder, FoldKind};
use std::borrow::Cow;
use std::collections::HashMap;

/// The most octets of style sheets that are read, and the most rules that are kept.
const MOST_SHEET: usize = 256 << 10;
const MOST_RULES: usize = 2000;
/// The longest name of a class or an element that is kept, in octets.
const LONGEST_NAME: usize = 80;
/// The most nodes that are looked at for words that are hidden.
const MOST_LOOKED_AT: usize = 4096;

/// What hides an element from everyone, in words; `None` when nothing does.
pub(super) fn hidden_by(dom: &Dom, id: Id) -> Option<Cow<'_, str>> {
    if dom.tag(id) == Tag::Dialog && !dom.has(id, Attr::Open) {
        return Some("a closed dialog".into());
    }
    match dom.tag(id) {
        Tag::Template => return Some("a template".into()),
        // of one whose end was forgotten more is shown than that
        Tag::Datalist if !has_strays(dom, id) => return Some("suggestions".into()),
        _ => {}
    }
    if dom.is_bare(id) {
        return None;
    }
    if let Some(value) = dom.attr(id, Attr::Hidden).filter(|value| !value.eq_ignore_ascii_case("until-found")) {
        return Some(if is_selector(value) { format!("style sheet: {value}").into() } else { "hidden".into() });
    }
    declared(dom.attr(id, Attr::Style)?).map(Cow::Borrowed)
}

/// Whether something hides an element from everyone.
pub(super) fn is_hidden(dom: &Dom, id: Id) -> bool {
    hidden_by(dom, id).is_some()
}

/// What the last word of declarations on showing an element is, if they show nothing of it.
fn declared(style: &str) -> Option<&'static str> {
    let says = |text: &str, word: &str| text.trim().get(..word.len()).is_some_and(|t| t.eq_ignore_ascii_case(word));
    let (mut display, mut visibility) = (None, None);
    for (property, value) in style.split(';').filter_map(|rule| rule.split_once(':')) {
        match property.trim() {
            name if name.eq_ignore_ascii_case("display") => display = says(value, "none").then_some("display:none"),
            name if name.eq_ignore_ascii_case("visibility") => {
                visibility = says(value, "hidden").then_some("visibility:hidden");
            }
            _ => {}
        }
    }
    display.or(visibility)
}

fn is_selector(value: &str) -> bool {
    value.contains(['.', '#'])
}

/// The rules of a page's own style sheets that show nothing of an element.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    /// What was given and not read yet.
    text: String,
    /// How much was given.
    given: usize,
    /// By `.class` or `#id`, the elements (`""` for all of them) that a rule is for.
    rules: HashMap<String, Vec<String>>,
}

impl Sheet {
    /// Takes text of a sheet, as it comes.
    pub fn take(&mut self, text: &str) {
        self.given += text.len();
        if self.given <= MOST_SHEET {
            self.text.push_str(text);
        }
    }

    /// Reads what was given: the sheet has come to its end.
    fn read(&mut self) {
        let text = without_comments(&std::mem::take(&mut self.text));
        let mut rest = &*text;
        while let Some((selectors, block, after)) = rule(rest) {
            rest = after;
            // of media and the like nothing is known
            if selectors.trim_start().starts_with('@') {
                continue;
            }
            let Some(shows) = display(block) else { continue };
            for (name, element) in selectors.split(',').filter_map(selector) {
                let full = self.rules.len() >= MOST_RULES;
                match (shows, self.rules.get_mut(&name)) {
                    (true, Some(elements)) => elements.retain(|known| *known != element),
                    (true, None) => {}
                    (false, Some(elements)) if elements.len() < MOST_RULES => elements.push(element),
                    (false, None) if !full => {
                        self.rules.insert(name, vec![element]);
                    }
                    (false, _) => {}
                }
            }
        }
    }

    /// Whether there is any rule.
    pub fn is_empty(&mut self) -> bool {
        if !self.text.is_empty() {
            self.read();
        }
        self.rules.is_empty()
    }

    /// The selector of a rule that shows nothing of an element with these classes and this id.
    pub fn hides(&mut self, element: &str, classes: &str, id: &str) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let classes = classes.split_ascii_whitespace().map(|class| format!(".{class}"));
        let mut names = classes.chain((!id.is_empty()).then(|| format!("#{id}")));
        names.find_map(|name| {
            let elements = self.rules.get(&name)?;
            let known = elements.iter().find(|known| known.is_empty() || known.eq_ignore_ascii_case(element))?;
            Some(format!("{known}{name}"))
        })
    }

    /// How much is held, in octets.
    pub fn memory(&self) -> usize {
        self.text.capacity() + self.rules.len() * 2 * LONGEST_NAME
    }
}

fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        out.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out + rest
}

/// The next rule of a sheet: its selectors, its block, and what follows.
fn rule(text: &str) -> Option<(&str, &str, &str)> {
    let (selectors, rest) = text.split_once('{')?;
    let mut depth = 1;
    for (at, c) in rest.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((selectors, &rest[..at], &rest[at + 1..]));
        }
    }
    None
}

/// Whether a block shows something; `None` when it says nothing of that.
fn display(block: &str) -> Option<bool> {
    let declarations = block.split(';').filter_map(|rule| rule.split_once(':'));
    let mut displays = declarations.filter(|(property, _)| property.trim().eq_ignore_ascii_case("display"));
    let (_, value) = displays.next_back()?;
    Some(!value.trim().get(..4).is_some_and(|value| value.eq_ignore_ascii_case("none")))
}

/// `.class` or `#id`, and the element before it; `None` for all other selectors.
fn selector(text: &str) -> Option<(String, String)> {
    // the end of an @import, or of something broken, may stand before it
    let text = text.rsplit([';', '}']).next()?.trim();
    let (element, name) = text.split_at(text.find(['.', '#'])?);
    let plain = |text: &str| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    let fits = plain(element) && plain(&name[1..]) && name.len() > 1 && text.len() <= LONGEST_NAME;
    fits.then(|| (name.to_owned(), element.to_ascii_lowercase()))
}

impl Walk {
    /// Begins the fold of a block that the page hides; says whether it is gone into.
    pub(super) fn enter_hidden(
        &mut self,
        dom: &Dom,
        id: Id,
        tag: Tag,
        why: &str,
        style: Style,
        out: &mut Builder,
    ) -> bool {
        if holds_no_words(tag) || !has_words(dom, id) {
            return false;
        }
        let within = matches!(tag, Tag::Tr | Tag::Td | Tag::Th | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Caption)
            || matches!(tag, Tag::Summary | Tag::Label | Tag::Rt | Tag::Datalist);
        let inline = tag.is_phrase() || tag.is_void() || within;
        if inline || style.link.is_some() || self.flow.is_in_cell() || !self.grids.is_empty() {
            self.gathered.take(id, tag, why, style);
            return false;
        }
        let content = self.flow.take_content();
        let begun = self.begin_hidden(why, style, out);
        if begun {
            self.hidden.push((id, content));
        }
        begun
    }

    /// Writes the line that says what hid something, and begins its fold.
    pub(super) fn begin_hidden(&mut self, why: &str, style: Style, out: &mut Builder) -> bool {
        self.flow.end_block();
        let head = self.flow.open_link("");
        let style = Style { link: Some(head), heading: 0, caption: None, white: White::Fold, ..style };
        self.flow.literal(style, &format!("hidden here ({why})"), out);
        let head = self.flow.close_link();
        self.flow.end_block();
        let Some(head) = head else { return false };
        out.begin_fold(FoldKind::Details, head, false);
        self.flow.tight();
        true
    }

    /// Ends the fold of an element, if it has one.
    pub(super) fn exit_hidden(&mut self, id: Id, out: &mut Builder) {
        if let Some((_, content)) = self.hidden.pop_if(|(hidden, _)| *hidden == id) {
            self.flow.end_block();
            out.end_fold();
            // the content of the page is not what it hides
            if content {
                self.flow.begin_content();
            }
        }
    }
}

/// Elements that are no block of words, whatever stands in them.
fn holds_no_words(tag: Tag) -> bool {
    matches!(tag, Tag::Script | Tag::Style | Tag::Noembed | Tag::Noframes | Tag::Svg | Tag::Math)
        || matches!(
            tag,
            Tag::Input | Tag::Select | Tag::Textarea | Tag::Button | Tag::Iframe | Tag::Object | Tag::Audio
        )
        || matches!(tag, Tag::Video | Tag::Head | Tag::Title)
}

/// Whether there is something to read in an element. A formula that is hidden stands beside its picture.
fn has_words(dom: &Dom, id: Id) -> bool {
    let mut node = id;
    for _ in 0..MOST_LOOKED_AT {
        node = dom.following(node, id, dom.tag(node) != Tag::Math);
        if node == NONE {
            return false;
        }
        if matches!(dom.kind(node), Kind::Text) && !dom.text(node).trim_ascii().is_empty() {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(text: &str) -> Sheet {
        let mut sheet = Sheet::default();
        // however it is cut
        text.split_inclusive('o').for_each(|piece| sheet.take(piece));
        sheet
    }

    #[test]
    fn rules_that_hide() {
        let mut rules = sheet(
            "/* a { */ .x, div.y, #z, .a .b, .c:hover, .d>e, p { color:red; display : NONE !important }\
             .shown { display: none } .shown { display: block } @media print { .paper { display: none } }\
             .after { display: none; }",
        );
        assert_eq!(rules.hides("p", "w x", "").as_deref(), Some(".x"));
        assert_eq!(rules.hides("DIV", "y", "").as_deref(), Some("div.y"));
        assert_eq!(rules.hides("p", "", "z").as_deref(), Some("#z"));
        assert_eq!(rules.hides("p", "after", "").as_deref(), Some(".after"));
        for (element, classes) in [("p", "y"), ("p", "a b c d e"), ("p", "shown"), ("p", "paper")] {
            assert_eq!(rules.hides(element, classes, ""), None, "{element} {classes}");
        }
    }

    #[test]
    fn broken_and_endless_sheets() {
        assert!(sheet(".x { display: none").is_empty());
        assert!(!sheet("} .x { display: none } }").is_empty());
        let mut rules = sheet(&(0..MOST_RULES * 2).map(|n| format!(".x{n}{{display:none}}")).collect::<String>());
        assert!(!rules.is_empty() && rules.rules.len() <= MOST_RULES);
        assert!(rules.memory() <= MOST_SHEET + MOST_RULES * 2 * LONGEST_NAME);
    }

    #[test]
    fn the_last_word_counts() {
        assert_eq!(declared("display:block; DISPLAY: None"), Some("display:none"));
        assert_eq!(declared("display:none;display:block"), None);
        assert_eq!(declared("visibility: hidden"), Some("visibility:hidden"));
        assert_eq!(declared("displays:none;x"), None);
    }
}
