//! What each element does to the flow: at its start and at its end.

use super::dom::{Dom, Id, Kind, NONE};
use super::flow::{Style, White};
use super::head::relate_anchor;
use super::hidden::{hidden_by, is_hidden};
use super::label::{self, end_of_label};
use super::list::List;
use super::math::linear;
use super::media::words;
use super::name::{Attr, Tag};
use super::raised::Raised;
use super::table::align;
use super::walk::{Frame, Walk};
use crate::doc::{Align, Builder, FoldKind};
use crate::role::Role;

/// The most abbreviations that are spelled out, and the longest words for one, in octets.
const MOST_SPELLED: usize = 1000;
const LONGEST_SPELLED: usize = 80;
/// The most nodes that are looked at in an abbreviation.
const MOST_IN_SHORT: usize = 16;

/// Stands before and after deleted words, as in Markdown.
const DELETED: &str = "~~";

/// What is to be done at an element's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    Nothing,
    /// The block ends.
    Block,
    /// The block ends, and a blank line follows.
    Gap,
    /// Words of our own follow.
    Say(&'static str),
    Link,
    List,
    Item,
    /// The line above a fold ends, and the fold begins.
    Summary,
    Fold,
    Table,
    Row,
    Cell,
    Map,
    /// What was hidden in lines ends.
    Gathered,
    /// What an abbreviation stands for follows.
    Abbreviation,
}

impl Exit {
    /// Whether the line ends where the element ends.
    pub fn ends_block(self) -> bool {
        matches!(
            self,
            Exit::Block | Exit::Gap | Exit::List | Exit::Item | Exit::Fold | Exit::Row | Exit::Cell | Exit::Map
        )
    }
}

/// What an element is like, for those that need no code of their own.
enum Shape {
    Inline,
    Look(Role),
    Block,
    /// A block with blank lines around it.
    Apart,
    Around(&'static str, &'static str),
    Nothing,
}

fn shape(tag: Tag) -> Shape {
    match tag {
        Tag::B | Tag::Strong => Shape::Look(Role::Strong),
        Tag::I | Tag::Em | Tag::Cite | Tag::Dfn | Tag::Var => Shape::Look(Role::Emphasis),
        Tag::Code | Tag::Kbd | Tag::Samp | Tag::Tt => Shape::Look(Role::Code),
        Tag::U | Tag::Ins => Shape::Look(Role::Underlined),
        Tag::Mark => Shape::Look(Role::Marked),
        Tag::Small => Shape::Look(Role::Dim),
        Tag::Q => Shape::Around("“", "”"),
        Tag::Rt => Shape::Around("(", ")"),
        Tag::Address | Tag::Article | Tag::Aside | Tag::Body | Tag::Center | Tag::Dialog | Tag::Div => Shape::Block,
        Tag::Template => Shape::Block,
        Tag::Footer | Tag::Form | Tag::Header | Tag::Hgroup | Tag::Html | Tag::Main | Tag::Nav => Shape::Block,
        Tag::Section | Tag::Search | Tag::Dt | Tag::Figcaption | Tag::Frameset => Shape::Block,
        Tag::P | Tag::Dl | Tag::Figure | Tag::Fieldset => Shape::Apart,
        Tag::Script | Tag::Style | Tag::Rp => Shape::Nothing,
        Tag::Col | Tag::Colgroup | Tag::Source | Tag::Track | Tag::Wbr => Shape::Nothing,
        _ => Shape::Inline,
    }
}

/// Whether an element begins a block of its own.
pub(super) fn begins_block(tag: Tag) -> bool {
    tag.heading().is_some()
        || matches!(shape(tag), Shape::Block | Shape::Apart)
        || matches!(tag, Tag::Ul | Tag::Ol | Tag::Dir | Tag::Menu | Tag::Li | Tag::Dd | Tag::Blockquote | Tag::Pre)
        || matches!(tag, Tag::Listing | Tag::Xmp | Tag::Plaintext | Tag::Legend | Tag::Details | Tag::Table | Tag::Hr)
        || matches!(tag, Tag::Tr | Tag::Td | Tag::Th | Tag::Iframe | Tag::Frame | Tag::Isindex)
}

/// The style of what is in an element, and what to do at its end; `None` when the walk does not go into it.
type Entered = Option<(Style, Exit)>;

impl Walk {
    /// Begins an element.
    pub fn enter(&mut self, dom: &Dom, id: Id, tag: Tag, style: Style, out: &mut Builder) -> Entered {
        if tag == Tag::Datalist {
            self.fields.suggest(dom, id);
        }
        if let Some(why) = hidden_by(dom, id)
            && !self.enter_hidden(dom, id, tag, &why, style, out)
        {
            return None;
        }
        self.enter_shown(dom, id, tag, style, out)
    }

    /// Begins an element, whether the page hides it or not.
    pub fn enter_shown(&mut self, dom: &Dom, id: Id, tag: Tag, style: Style, out: &mut Builder) -> Entered {
        let entered = self.begin(dom, id, tag, style, out);
        if entered.is_none() {
            self.exit_landmark(id, out);
            self.exit_hidden(id, out);
        }
        entered
    }

    fn begin(&mut self, dom: &Dom, id: Id, tag: Tag, style: Style, out: &mut Builder) -> Entered {
        if !dom.is_bare(id) {
            if let Some(name) = dom.attr(id, Attr::Id) {
                self.flow.name(name);
            }
            if is_ornament(dom, id, tag) {
                return None;
            }
        }
        self.enter_landmark(dom, id, tag, style, out);
        let style = aligned(dom, id, tag, style);
        if let Some(level) = tag.heading() {
            self.flow.gap();
            let style = Style { heading: level, block: Role::heading(level), role: None, white: White::Fold, ..style };
            return Some((style, Exit::Gap));
        }
        match tag {
            Tag::Title | Tag::Base | Tag::Link | Tag::Meta => {
                self.head.take(dom, id, out);
                return None;
            }
            Tag::Body | Tag::Frameset => self.write_head(style, out),
            Tag::Form => {
                self.fields.form(dom, id, out);
            }
            _ => {}
        }
        match shape(tag) {
            Shape::Nothing => None,
            Shape::Look(role) => Some((style.with(role), Exit::Nothing)),
            Shape::Block => {
                self.flow.end_block();
                Some((style, Exit::Block))
            }
            Shape::Apart => {
                self.flow.gap();
                Some((style, Exit::Gap))
            }
            Shape::Around(before, after) => {
                self.flow.literal(style, before, out);
                Some((style, Exit::Say(after)))
            }
            Shape::Inline => self.enter_special(dom, id, tag, style, out),
        }
    }

    /// Begins an element that has code of its own, or means nothing.
    fn enter_special(&mut self, dom: &Dom, id: Id, tag: Tag, style: Style, out: &mut Builder) -> Entered {
        match tag {
            Tag::A => return Some(self.enter_anchor(dom, id, style, out)),
            Tag::Abbr | Tag::Acronym => return Some((style, Exit::Abbreviation)),
            Tag::Ul | Tag::Ol | Tag::Dir | Tag::Menu => return Some(self.enter_list(dom, id, style, out)),
            Tag::Li => return Some(self.enter_item(dom, id, style, out)),
            Tag::Dd => {
                self.flow.tight();
                return Some((style.indented(2), Exit::Block));
            }
            Tag::Blockquote => {
                self.flow.gap();
                return Some((style.quoted(), Exit::Gap));
            }
            Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext => {
                self.flow.gap();
                let block = if style.block == Role::Text { Role::CodeBlock } else { style.block };
                return Some((Style { white: White::Keep, align: Align::Left, block, ..style }, Exit::Gap));
            }
            Tag::Legend => {
                self.flow.end_block();
                return Some((style.with(Role::Strong), Exit::Block));
            }
            Tag::Details => return Some(self.enter_details(dom, id, style, out)),
            Tag::Summary => return Some(self.enter_summary(id, style)),
            Tag::Sup | Tag::Sub => return self.enter_raised(dom, id, tag, style, out),
            Tag::S | Tag::Strike | Tag::Del => return Some(self.enter_deleted(dom, id, style, out)),
            Tag::Table | Tag::Caption | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Tr | Tag::Td | Tag::Th => {
                return self.enter_table_part(dom, id, tag, style, out);
            }
            Tag::Map => {
                self.flow.name(dom.attr(id, Attr::Name).unwrap_or_default());
                return Some((style, Exit::Map));
            }
            Tag::Object | Tag::Video | Tag::Audio => return Some(self.enter_media(dom, id, tag, style, out)),
            Tag::Br => self.flow.line_break(style, out),
            Tag::Hr => self.flow.rule(style, out),
            Tag::Img | Tag::Area | Tag::Embed | Tag::Iframe | Tag::Frame | Tag::Svg => {
                self.write_media(dom, id, tag, style, out);
            }
            Tag::Math => self.flow.literal(style, &linear(dom, id), out),
            Tag::Noframes | Tag::Noembed => {
                self.write_inner(&dom.all_text(id), style, out);
            }
            Tag::Datalist => {
                return Some((style, Exit::Nothing));
            }
            Tag::Isindex => {
                self.write_field(dom, id, tag, style, out);
                return Some((style, Exit::Block));
            }
            Tag::Button => {
                self.write_field(dom, id, tag, style, out);
                // what is no words of the button comes after it
                return (end_of_label(dom, id) != NONE).then_some((style, Exit::Nothing));
            }
            Tag::Select => {
                self.write_field(dom, id, tag, style, out);
                return label::has_strays(dom, id).then_some((style, Exit::Nothing));
            }
            // what stands before a choice does not touch what comes after it
            Tag::Option => {
                if dom.tag(dom.parent(id)) == Tag::Datalist {
                    self.flow.apart();
                }
                let blank = |node: &Id| dom.kind(*node) == Kind::Text && dom.text(*node).trim_ascii().is_empty();
                let next = Some(dom.after(id)).filter(|node| !blank(node)).unwrap_or_else(|| dom.after(dom.after(id)));
                if next != NONE {
                    self.flow.apart();
                }
                return Some((style, Exit::Nothing));
            }
            Tag::Input | Tag::Textarea => self.write_field(dom, id, tag, style, out),
            _ => return Some((style, Exit::Nothing)),
        }
        None
    }

    fn enter_anchor(&mut self, dom: &Dom, id: Id, style: Style, out: &mut Builder) -> (Style, Exit) {
        if let Some(name) = dom.attr(id, Attr::Name).filter(|name| dom.attr(id, Attr::Id) != Some(name)) {
            self.flow.name(name);
        }
        match dom.attr(id, Attr::Href) {
            Some(href) => {
                if let Some(rel) = dom.attr(id, Attr::Rel) {
                    relate_anchor(rel, href, out);
                }
                (Style { link: Some(self.flow.open_link(href)), ..style }, Exit::Link)
            }
            None => (style, Exit::Nothing),
        }
    }

    fn enter_list(&mut self, dom: &Dom, id: Id, style: Style, out: &mut Builder) -> (Style, Exit) {
        self.flow.unmark(out);
        let outermost = self.lists.is_empty();
        self.end_around_list();
        self.lists.push(List::of(dom, id));
        // in a cell room is dear
        let levels = if outermost && self.flow.is_in_cell() { 0 } else { 1 };
        (Style { align: Align::Left, ..style.indented(levels) }, Exit::List)
    }

    /// Ends the block before a list or after it; in cells and in other lists there are no blank lines around it.
    fn end_around_list(&mut self) {
        match self.lists.is_empty() && !self.flow.is_in_cell() {
            true => self.flow.gap(),
            false => self.flow.end_block(),
        }
    }

    fn enter_item(&mut self, dom: &Dom, id: Id, style: Style, out: &mut Builder) -> (Style, Exit) {
        let mark = self.lists.last_mut().unwrap_or(&mut List::Bullets).mark(dom, id);
        let levels = match &mark {
            super::flow::Mark::Bullet => 1,
            super::flow::Mark::Number(_, hang) => hang / 2,
        };
        self.flow.mark(mark, style.indent, out);
        (style.indented(levels), Exit::Item)
    }

    fn enter_details(&mut self, dom: &Dom, id: Id, style: Style, out: &mut Builder) -> (Style, Exit) {
        self.flow.end_block();
        let summary = dom.children(id).find(|child| dom.tag(*child) == Tag::Summary && !is_hidden(dom, *child));
        self.summaries.push(summary);
        if summary.is_none() {
            let link = self.flow.open_link("");
            self.flow.literal(Style { link: Some(link), ..style }, "Details", out);
            self.begin_fold(dom.has(id, Attr::Open), style, out);
        }
        (style, Exit::Fold)
    }

    /// The first summary that is shown is the head of the fold; others are blocks.
    fn enter_summary(&mut self, id: Id, style: Style) -> (Style, Exit) {
        self.flow.end_block();
        if self.summaries.last_mut().and_then(|summary| summary.take_if(|summary| *summary == id)).is_none() {
            return (style, Exit::Block);
        }
        (Style { link: Some(self.flow.open_link("")), ..style }, Exit::Summary)
    }

    /// Ends the link that is the head of a fold, and begins the fold.
    fn begin_fold(&mut self, open: bool, style: Style, out: &mut Builder) {
        if self.flow.links.last().is_some_and(|link| link.id.is_none()) {
            let link = self.flow.links.len() - 1;
            self.flow.literal(Style { link: Some(link), ..style }, "Details", out);
        }
        let head = self.flow.close_link();
        self.flow.end_block();
        if let Some(head) = head {
            out.begin_fold(FoldKind::Details, head, open);
        }
    }

    /// Deleted words stand between signs: without a line through them a price would be another one.
    fn enter_deleted(&mut self, dom: &Dom, id: Id, style: Style, out: &mut Builder) -> (Style, Exit) {
        let style = style.with(Role::Deleted);
        let phrase = |node| matches!(dom.kind(node), Kind::Text) || dom.tag(node).is_phrase();
        if dom.first(id) == NONE || !dom.children(id).all(phrase) {
            return (style, Exit::Nothing);
        }
        self.flow.literal(style, DELETED, out);
        (style, Exit::Say(DELETED))
    }

    /// What stands above or below the line, as [`Raised`] says.
    fn enter_raised(&mut self, dom: &Dom, id: Id, tag: Tag, style: Style, out: &mut Builder) -> Entered {
        match Raised::of(dom, id, tag) {
            Raised::Characters(text) => {
                self.flow.literal(style, &text, out);
                None
            }
            Raised::Between(before, after) => {
                self.flow.literal(style, before, out);
                Some((style, Exit::Say(after)))
            }
            Raised::Plain => Some((style, Exit::Nothing)),
        }
    }

    /// Writes what the head says for the reader to follow.
    fn write_head(&mut self, style: Style, out: &mut Builder) {
        if std::mem::replace(&mut self.head.written, true) {
            return;
        }
        out.anchor("top");
        self.head.begin(out);
        let toolbar = self.head.toolbar(out);
        for (number, (text, reference)) in toolbar.iter().enumerate() {
            if number > 0 {
                self.flow.literal(style, " · ", out);
            }
            let link = self.flow.open_link(reference);
            self.flow.literal(Style { link: Some(link), ..style }, text, out);
            self.flow.close_link();
        }
        if !toolbar.is_empty() {
            self.flow.gap();
        }
    }

    /// Says in parentheses what an abbreviation stands for, where it stands first in the text of the page.
    fn spell_out(&mut self, dom: &Dom, frame: &Frame, out: &mut Builder) {
        let style = frame.style;
        let in_text =
            style.heading == 0 && style.white == White::Fold && !self.flow.is_in_cell() && style.link.is_none();
        let title = dom.attr(frame.id, Attr::Title).filter(|title| title.len() <= LONGEST_SPELLED && in_text);
        let short: String = dom.within(frame.id).take(MOST_IN_SHORT).map(|node| dom.text(node)).collect();
        let (Some(title), Some(short)) = (words(title), words(Some(&short))) else { return };
        // machines put times there
        let letters = title.chars().filter(|c| c.is_alphabetic()).count() * 2 > title.chars().count();
        // the page spells it out itself
        let own = dom.text(dom.after(frame.id)).trim_ascii_start().starts_with(['(', ')']);
        if letters
            && !own
            && short.len() < title.len()
            && self.spelled.len() < MOST_SPELLED
            && self.spelled.insert(short)
        {
            self.flow.literal(style, &format!(" ({title})"), out);
        }
    }

    /// Ends an element.
    pub fn exit(&mut self, dom: &Dom, frame: Frame, out: &mut Builder) {
        match frame.exit {
            Exit::Nothing | Exit::Gathered => {}
            Exit::Block | Exit::Map => self.flow.end_block(),
            Exit::Gap => self.flow.gap(),
            Exit::Say(words) => self.flow.literal(frame.style, words, out),
            Exit::Link => {
                self.name_empty_link(dom, &frame, out);
                self.flow.close_link();
            }
            Exit::Abbreviation => self.spell_out(dom, &frame, out),
            Exit::List => {
                self.flow.unmark(out);
                self.lists.pop();
                self.end_around_list();
            }
            Exit::Item => {
                self.flow.unmark_item(out);
                self.flow.end_block();
            }
            Exit::Summary => {
                let open = dom.has(dom.parent(frame.id), Attr::Open);
                let style = Style { link: None, ..frame.style };
                self.begin_fold(open, style, out);
            }
            Exit::Fold => {
                self.flow.end_block();
                // without the summary it waited for it never began
                if self.summaries.pop().is_some_and(|waiting| waiting.is_none()) {
                    out.end_fold();
                }
            }
            Exit::Table | Exit::Row | Exit::Cell => self.exit_table_part(frame.exit, out),
        }
        self.exit_landmark(frame.id, out);
        self.exit_hidden(frame.id, out);
    }
}

/// Which edge the blocks in an element keep to.
fn aligned(dom: &Dom, id: Id, tag: Tag, style: Style) -> Style {
    let says = match tag {
        Tag::Center => Some(Align::Center),
        Tag::P | Tag::Div | Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 | Tag::Figure => align(dom, id),
        Tag::Section | Tag::Article | Tag::Header | Tag::Footer | Tag::Main | Tag::Figcaption => align(dom, id),
        Tag::Td | Tag::Th => align(dom, id),
        // lists and what stands in tables begin at the left
        Tag::Dl => Some(Align::Left),
        _ => None,
    };
    Style { align: says.unwrap_or(style.align), ..style }
}

/// Whether something within a line is there for the eye only (WAI-ARIA, `aria-hidden`): icons, and what is said a second
/// time beside a formula.
fn is_ornament(dom: &Dom, id: Id, tag: Tag) -> bool {
    let hidden = |id| dom.attr(id, Attr::AriaHidden).is_some_and(|value| value.eq_ignore_ascii_case("true"));
    match tag {
        Tag::Svg => hidden(id),
        Tag::I | Tag::B | Tag::Other => hidden(id) && !is_sign(dom, id),
        Tag::A => {
            let inside = dom.attr(id, Attr::Href).is_some_and(|href| href.starts_with('#'));
            inside && (hidden(id) || is_handle(dom, id))
        }
        _ => false,
    }
}

/// Whether an element says no more than a sign between words.
fn is_sign(dom: &Dom, id: Id) -> bool {
    let first = dom.first(id);
    let text = dom.text(first).trim();
    let sign = |c: char| !c.is_alphanumeric() && !('\u{e000}'..='\u{f8ff}').contains(&c);
    first != NONE && dom.after(first) == NONE && (1..=3).contains(&text.chars().count()) && text.chars().all(sign)
}

/// Whether a link only hands out the address of the heading that it stands in: with a mouse.
fn is_handle(dom: &Dom, id: Id) -> bool {
    let first = dom.first(id);
    first != NONE && dom.after(first) == NONE && matches!(dom.text(first).trim(), "§" | "¶" | "#" | "🔗" | "∞" | "⚓")
}
