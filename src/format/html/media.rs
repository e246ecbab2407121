//! What a terminal cannot show as text, as links: pictures, films, sounds, frames, areas of maps.

use super::dom::{Dom, Id, NONE};
use super::drawing::Drawing;
use super::element::Exit;
use super::flow::{Mark, Style};
use super::name::{Attr, Tag};
use super::walk::{Frame, Walk};
use crate::doc::{Builder, LinkId};
use crate::role::Role;
use crate::url::split;

/// The longest name made of a reference, in characters.
const LONGEST_NAME: usize = 40;
/// The longest words of an attribute, a label or a formula, in octets: what is cut there ends with an ellipsis.
pub(super) const LONGEST_WORDS: usize = 16 << 10;
/// How many nodes before and after a link are looked at.
const MOST_BESIDE: usize = 4;

impl Walk {
    /// Writes an element without content of its own.
    pub(super) fn write_media(&mut self, dom: &Dom, id: Id, tag: Tag, style: Style, out: &mut Builder) {
        match tag {
            Tag::Img => self.write_image(dom, id, style, out),
            Tag::Area => self.write_area(dom, id, style, out),
            Tag::Svg => self.write_drawing(dom, id, style, out),
            Tag::Iframe if self.write_inner(dom.attr(id, Attr::Srcdoc).unwrap_or_default(), style, out) => {}
            Tag::Iframe => {
                self.write_frame(dom, id, tag, style, out);
                self.write_inner(&dom.all_text(id), style, out);
            }
            _ => self.write_frame(dom, id, tag, style, out),
        }
    }

    /// The link to what stands in a frame, or is embedded.
    fn write_frame(&mut self, dom: &Dom, id: Id, tag: Tag, style: Style, out: &mut Builder) {
        let Some(src) = dom.attr(id, Attr::Src).filter(|src| !src.trim().is_empty()) else { return };
        let named = [Attr::Title, Attr::Name].iter().find_map(|name| words(dom.attr(id, *name)));
        let what = if tag == Tag::Embed { "embedded" } else { "frame" };
        let name = named.or_else(|| file_name(src)).unwrap_or_default();
        let text = if name.is_empty() { format!("[{what}]") } else { format!("[{what}: {name}]") };
        if tag != Tag::Embed {
            self.flow.end_block();
        }
        self.flow.apart();
        self.write_link(Style { link: None, ..style }, src, &text, out);
        self.flow.apart();
        if tag != Tag::Embed {
            self.flow.end_block();
        }
    }

    fn write_link(&mut self, style: Style, reference: &str, text: &str, out: &mut Builder) -> Option<LinkId> {
        let link = self.flow.open_link(reference);
        self.flow.literal(Style { link: Some(link), ..style }, text, out);
        self.flow.close_link()
    }

    /// `[alt]`; a picture that only adorns is not shown. Within a link it is text of that link.
    fn write_image(&mut self, dom: &Dom, id: Id, style: Style, out: &mut Builder) {
        // scripts load some pictures when they come into view
        let src = dom.attr(id, Attr::Src).or(dom.attr(id, Attr::DataSrc));
        let text = match dom.attr(id, Attr::Alt) {
            Some(alt) => match words(Some(alt)) {
                Some(alt) => alt,
                None => return,
            },
            None if is_speck(dom, id) => return,
            None => match (words(dom.attr(id, Attr::Title)), src) {
                (Some(title), _) => title,
                (None, Some(src)) => file_name(src).unwrap_or_else(|| "image".into()),
                (None, None) => return,
            },
        };
        let text = format!("[{text}]");
        let style = Style { role: Some(Role::Image), ..style };
        let around = style.link;
        let (link, reference) = match (src, around) {
            (Some(src), None) => (self.write_link(style, src, &text, out), ""),
            (src, _) => {
                self.flow.literal(style, &text, out);
                let link = around.and_then(|at| self.flow.links.get(at)?.id).filter(|_| src.is_some());
                (link, src.unwrap_or_default())
            }
        };
        if let Some(link) = link {
            out.image(link, reference);
        }
    }

    /// What a drawing is called, what is written in it, and its links.
    fn write_drawing(&mut self, dom: &Dom, id: Id, style: Style, out: &mut Builder) {
        let Drawing { name, written, links } = Drawing::of(dom, id, style.link.is_none());
        let text = match (name, written.is_empty()) {
            (Some(name), true) => name,
            (Some(name), false) => format!("{name}: {written}"),
            (None, _) => written,
        };
        let style = Style { role: Some(Role::Image), ..style };
        if !text.is_empty() {
            self.flow.literal(style, &format!("[{text}]"), out);
        }
        for (reference, text) in links {
            self.write_link(style, reference, &format!("[{text}]"), out);
        }
    }

    fn write_area(&mut self, dom: &Dom, id: Id, style: Style, out: &mut Builder) {
        let Some(href) = dom.attr(id, Attr::Href) else { return };
        let named = [Attr::Alt, Attr::Title].iter().find_map(|name| words(dom.attr(id, *name)));
        let text = named.or_else(|| file_name(href)).unwrap_or_else(|| "area".into());
        self.flow.mark(Mark::Bullet, style.indent, out);
        self.write_link(Style { link: None, ..style.indented(1) }, href, &text, out);
        self.flow.end_block();
    }

    /// A film, a sound or an object: the link, and what stands in for it.
    pub(super) fn enter_media(
        &mut self,
        dom: &Dom,
        id: Id,
        tag: Tag,
        style: Style,
        out: &mut Builder,
    ) -> (Style, Exit) {
        let own = dom.attr(id, if tag == Tag::Object { Attr::Data } else { Attr::Src });
        let source = dom.children(id).filter(|child| dom.tag(*child) == Tag::Source);
        let src = own.or_else(|| source.filter_map(|source| dom.attr(source, Attr::Src)).next());
        let what = match tag {
            Tag::Object => "object",
            Tag::Video => "video",
            _ => "audio",
        };
        if let Some(src) = src {
            let name = words(dom.attr(id, Attr::Title)).or_else(|| file_name(src)).unwrap_or_default();
            let text = if name.is_empty() { format!("[{what}]") } else { format!("[{what}: {name}]") };
            self.flow.apart();
            self.write_link(Style { link: None, ..style }, src, &text, out);
            self.flow.apart();
        }
        (style, Exit::Nothing)
    }

    /// Gives a link that has no text a name: its own, that of its picture, or of where it leads.
    pub(super) fn name_empty_link(&mut self, dom: &Dom, frame: &Frame, out: &mut Builder) {
        if frame.style.link.and_then(|at| self.flow.links.get(at)).is_none_or(|link| link.id.is_some()) {
            return;
        }
        let own = [Attr::AriaLabel, Attr::Title].iter().find_map(|name| words(dom.attr(frame.id, *name)));
        let own = own.or_else(|| self.labelled(dom, frame.id));
        let inside = |tags: &[Tag]| dom.within(frame.id).find(|id| tags.contains(&dom.tag(*id)));
        let picture = inside(&[Tag::Img, Tag::Svg]);
        let icon = || inside(&[Tag::I, Tag::B, Tag::Other]).filter(|_| !leads_where_another_does(dom, frame.id));
        if own.is_none() && picture.or_else(icon).is_none() {
            // a link with nothing in it is a place on the page
            return;
        }
        let href = dom.attr(frame.id, Attr::Href).unwrap_or_default();
        let of_picture = || {
            let picture = picture.filter(|picture| !is_speck(dom, *picture))?;
            dom.attr(picture, Attr::Src).and_then(file_name)
        };
        let name = own.or_else(|| file_name(href)).or_else(of_picture).unwrap_or_else(|| "link".into());
        self.flow.literal(frame.style, &format!("[{name}]"), out);
    }
}

/// Whether a link beside it leads to the same place, or it leads to a place on its own page: one that is made for the mouse.
fn leads_where_another_does(dom: &Dom, link: Id) -> bool {
    let href = dom.attr(link, Attr::Href).unwrap_or_default();
    let beside = |step: fn(&Dom, Id) -> Id| {
        let near = std::iter::successors(Some(step(dom, link)), |id| Some(step(dom, *id))).take(MOST_BESIDE);
        let mut links = near.take_while(|id| *id != NONE).filter(|id| dom.tag(*id) == Tag::A);
        links.any(|other| dom.attr(other, Attr::Href) == Some(href))
    };
    href.starts_with('#') || beside(Dom::before) || beside(Dom::after)
}

/// Whether a picture is too small to be one: it counts visitors or keeps things apart.
fn is_speck(dom: &Dom, id: Id) -> bool {
    let least = |name| dom.attr(id, name).is_some_and(|size| matches!(size.trim(), "0" | "1" | "2" | "1px"));
    least(Attr::Width) || least(Attr::Height)
}

/// The words of an attribute, if there are any; of more than anybody reads the beginning.
pub(super) fn words(value: Option<&str>) -> Option<String> {
    let mut words = String::new();
    for word in value?.split_ascii_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(&word[..word.floor_char_boundary(LONGEST_WORDS.saturating_sub(words.len()))]);
        if words.len() + 4 > LONGEST_WORDS {
            words.push('…');
            break;
        }
    }
    (!words.is_empty()).then_some(words)
}

/// The last part of a reference's path.
pub(super) fn file_name(reference: &str) -> Option<String> {
    let parts = split(reference.trim());
    if parts.scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("data")) {
        return None;
    }
    let name = parts.path.rsplit('/').find(|part| !part.is_empty())?;
    Some(name.chars().take(LONGEST_NAME).collect())
}
