//! What the parts of a page are to its reader (HTML, 4.3; WAI-ARIA, 5.3.4): where its content begins, and what stands around
//! that on every page of a site. The latter is a fold that is open.
//!
//! Refuses: guessing by classes and ids; what stands in cells of tables and in links.

use super::dom::{Dom, Id};
use super::flow::Style;
use super::name::{Attr, Tag};
use super::walk::Walk;
use crate::doc::{Aside, Builder};

/// The parts that the walk is in, and what it has seen of the content.
#[derive(Debug, Default)]
pub(super) struct Landmarks {
    /// Elements that are content, outermost first.
    within: Vec<Id>,
    /// The element that stands around the content, and its fold.
    aside: Option<(Id, usize)>,
    /// The content has begun, with an element of this kind.
    begun: Option<Landmark>,
    /// The content was to begin where what stands around it begins: it begins after that.
    postponed: bool,
}

/// What a part of a page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Landmark {
    Main,
    Article,
    Around(Aside),
    /// The header or footer of whatever it stands in, or the search: within the content it is part of that.
    End(Aside),
}

/// What an element is by its role; without one, by its name.
fn landmark(dom: &Dom, id: Id, tag: Tag) -> Option<Landmark> {
    let role = if dom.is_bare(id) { None } else { dom.attr(id, Attr::Role) };
    let role = role.and_then(|role| role.split_ascii_whitespace().next());
    let by_role = |(name, landmark)| role.is_some_and(|role| role.eq_ignore_ascii_case(name)).then_some(landmark);
    let roles = [
        ("main", Landmark::Main),
        ("article", Landmark::Article),
        ("navigation", Landmark::Around(Aside::Navigation)),
        ("banner", Landmark::Around(Aside::Header)),
        ("contentinfo", Landmark::Around(Aside::Footer)),
        ("complementary", Landmark::Around(Aside::Beside)),
        ("search", Landmark::End(Aside::Search)),
    ];
    roles.into_iter().find_map(by_role).or(match tag {
        Tag::Main => Some(Landmark::Main),
        Tag::Article => Some(Landmark::Article),
        Tag::Nav => Some(Landmark::Around(Aside::Navigation)),
        Tag::Aside => Some(Landmark::Around(Aside::Beside)),
        Tag::Header => Some(Landmark::End(Aside::Header)),
        Tag::Footer => Some(Landmark::End(Aside::Footer)),
        Tag::Search => Some(Landmark::End(Aside::Search)),
        _ => None,
    })
}

/// Whether an element begins a block of its own, whatever its role.
fn is_block(tag: Tag) -> bool {
    matches!(tag, Tag::Nav | Tag::Aside | Tag::Header | Tag::Footer | Tag::Div | Tag::Section | Tag::Form | Tag::Search)
        || matches!(tag, Tag::Ul | Tag::Ol | Tag::P)
}

impl Walk {
    /// Notes where the content begins; begins the fold of what stands around it.
    pub(super) fn enter_landmark(&mut self, dom: &Dom, id: Id, tag: Tag, style: Style, out: &mut Builder) {
        let marks = &mut self.landmarks;
        let aside = match landmark(dom, id, tag) {
            Some(content @ (Landmark::Main | Landmark::Article)) => {
                marks.within.push(id);
                // articles may stand before the main part, as teasers
                let first = marks.begun.is_none();
                let better = content == Landmark::Main && marks.begun == Some(Landmark::Article);
                if (first || better) && !self.is_inner {
                    marks.begun = Some(content);
                    self.flow.begin_content();
                }
                return;
            }
            Some(Landmark::End(aside)) if marks.within.is_empty() => aside,
            Some(Landmark::Around(aside)) => aside,
            Some(Landmark::End(_)) | None => return,
        };
        let apart = is_block(tag) && style.link.is_none() && !self.flow.is_in_cell() && self.grids.is_empty();
        if marks.aside.is_none() && apart {
            self.flow.end_block();
            marks.aside = Some((id, out.begin_aside(aside)));
            marks.postponed = self.flow.take_content();
        }
    }

    /// Ends the fold of an element, if it has one.
    pub(super) fn exit_landmark(&mut self, id: Id, out: &mut Builder) {
        self.landmarks.within.pop_if(|within| *within == id);
        if let Some((_, fold)) = self.landmarks.aside.take_if(|(aside, _)| *aside == id) {
            self.flow.end_block();
            out.end_aside(fold);
            if std::mem::take(&mut self.landmarks.postponed) {
                self.flow.begin_content();
            }
        }
    }
}
