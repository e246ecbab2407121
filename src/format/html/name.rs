//! The names of elements and attributes that mean something to a reader of text. Every other name is as good as none.

/// Declares an enum from rows of `Variant "name"`, in the order of the names, so that they can be looked up quickly.
macro_rules! names {
    ($(#[$doc:meta])* $kind:ident, $none:ident: $($variant:ident $name:literal),+ $(,)?) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub(super) enum $kind {
            $none,
            $($variant),+
        }

        impl $kind {
            const NAMES: &[(u128, $kind)] = &[$((key($name), $kind::$variant)),+];

            /// What a name, in lower case, stands for.
            pub fn named(name: &str) -> $kind {
                if name.len() > size_of::<u128>() {
                    return $kind::$none;
                }
                $kind::NAMES.binary_search_by_key(&key(name), |(known, _)| *known).map_or($kind::$none, |at| $kind::NAMES[at].1)
            }
        }
    };
}

/// A name of at most 16 octets as a number: numbers are in the order of the names, and quicker to compare.
const fn key(name: &str) -> u128 {
    let (mut key, mut at) = (0, 0);
    while at < name.len() {
        key |= (name.as_bytes()[at] as u128) << (120 - 8 * at);
        at += 1;
    }
    key
}

names! {
    /// An element.
    Tag, Other:
    A "a", Abbr "abbr", Acronym "acronym", Address "address", Annotation "annotation",
    AnnotationXml "annotation-xml", Area "area", Article "article", Aside "aside", Audio "audio", B "b", Base "base",
    Blockquote "blockquote", Body "body", Br "br", Button "button", Caption "caption", Center "center", Cite "cite",
    Code "code", Col "col", Colgroup "colgroup", Datalist "datalist", Dd "dd", Del "del", Desc "desc", Details "details",
    Dfn "dfn", Dialog "dialog", Dir "dir", Div "div", Dl "dl", Dt "dt", Em "em", Embed "embed",
    Fieldset "fieldset", Figcaption "figcaption", Figure "figure", Footer "footer", ForeignObject "foreignObject", Form "form", Frame "frame",
    Frameset "frameset", H1 "h1", H2 "h2", H3 "h3", H4 "h4", H5 "h5", H6 "h6", Head "head", Header "header",
    Hgroup "hgroup", Hr "hr", Html "html", I "i", Iframe "iframe", Img "img", Input "input", Ins "ins",
    Isindex "isindex", Kbd "kbd", Label "label", Legend "legend", Li "li", Link "link", Listing "listing", Main "main",
    Map "map", Mark "mark", Math "math", Menu "menu", Meta "meta", Mfrac "mfrac", Mo "mo", Mover "mover",
    Mroot "mroot", Msqrt "msqrt", Msub "msub", Msubsup "msubsup", Msup "msup", Mtable "mtable", Mtd "mtd", Mtr "mtr",
    Munder "munder", Munderover "munderover", Nav "nav", Noembed "noembed",
    Noframes "noframes", Noscript "noscript", Object "object", Ol "ol", Optgroup "optgroup", Option "option",
    P "p", Plaintext "plaintext", Pre "pre", Q "q", Rp "rp", Rt "rt", S "s", Samp "samp", Script "script",
    Search "search", Section "section", Select "select", Small "small", Source "source", Strike "strike",
    Strong "strong", Style "style", Sub "sub", Summary "summary", Sup "sup", Svg "svg", Table "table",
    Tbody "tbody", Td "td", Template "template", Text "text", Textarea "textarea", Tfoot "tfoot", Th "th", Thead "thead",
    Title "title", Tr "tr", Track "track", Tt "tt", U "u", Ul "ul", Var "var", Video "video", Wbr "wbr", Xmp "xmp",
}

names! {
    /// An attribute.
    Attr, Other:
    AcceptCharset "accept-charset", Action "action", Align "align", Alt "alt", Alttext "alttext", AriaHidden "aria-hidden",
    AriaLabel "aria-label", AriaLabelledby "aria-labelledby", Autocomplete "autocomplete", Border "border", Charset "charset", Checked "checked", Class "class", Cols "cols",
    Colspan "colspan", Content "content", Data "data", DataSrc "data-src", Disabled "disabled", Enctype "enctype", Form "form",
    Formaction "formaction", Formenctype "formenctype", Formmethod "formmethod", Formnovalidate "formnovalidate", Height "height", Hidden "hidden",
    Href "href", Hreflang "hreflang", HttpEquiv "http-equiv", Id "id", Label "label", List "list", Max "max",
    Maxlength "maxlength",
    Method "method", Min "min", Minlength "minlength", Multiple "multiple", Name "name", Novalidate "novalidate", Open "open", Placeholder "placeholder", Prompt "prompt",
    Readonly "readonly", Rel "rel", Required "required", Reversed "reversed", Role "role", Rowspan "rowspan",
    Selected "selected", Size "size", Src "src", Srcdoc "srcdoc", Start "start", Style "style", Summary "summary",
    Title "title", Type "type", Value "value", Width "width", XlinkHref "xlink:href",
}

impl Tag {
    /// Whether the text within is no text for readers. It is not even kept.
    pub fn is_silent(self) -> bool {
        matches!(self, Tag::Script | Tag::Style)
    }

    /// Whether what stands within is text, whatever it looks like, up to its end tag.
    pub fn holds_raw_text(self) -> bool {
        matches!(self, Tag::Script | Tag::Style | Tag::Noembed | Tag::Noframes | Tag::Iframe)
            || matches!(self, Tag::Title | Tag::Textarea | Tag::Xmp | Tag::Plaintext)
    }

    /// Whether it stands within lines, as most elements do that have no name here.
    pub fn is_phrase(self) -> bool {
        matches!(
            self,
            Tag::A | Tag::Abbr | Tag::B | Tag::Cite | Tag::Code | Tag::Del | Tag::Dfn | Tag::Em | Tag::I | Tag::Ins
        ) || matches!(self, Tag::Kbd | Tag::Mark | Tag::Q | Tag::S | Tag::Samp | Tag::Small | Tag::Strike)
            || matches!(self, Tag::Strong | Tag::Sub | Tag::Sup | Tag::Tt | Tag::U | Tag::Var | Tag::Wbr | Tag::Other)
    }

    /// Whether a drawing (SVG) has an element of this name that means something here.
    pub fn is_of_drawings(self) -> bool {
        matches!(self, Tag::A | Tag::Title | Tag::Text | Tag::Desc | Tag::ForeignObject | Tag::Style | Tag::Script)
    }

    /// Whether a formula (MathML) has an element of this name that means something here.
    pub fn is_of_formulas(self) -> bool {
        matches!(self, Tag::Annotation | Tag::AnnotationXml) || (Tag::Mfrac..=Tag::Munderover).contains(&self)
    }

    /// Whether nothing can stand within.
    pub fn is_void(self) -> bool {
        matches!(self, Tag::Area | Tag::Base | Tag::Br | Tag::Col | Tag::Embed | Tag::Hr | Tag::Img | Tag::Input)
            || matches!(self, Tag::Link | Tag::Meta | Tag::Source | Tag::Track | Tag::Wbr | Tag::Frame)
    }

    /// The level of a heading.
    pub fn heading(self) -> Option<u8> {
        (Tag::H1..=Tag::H6).contains(&self).then(|| self as u8 - Tag::H1 as u8 + 1)
    }
}

impl PartialOrd for Tag {
    fn partial_cmp(&self, other: &Tag) -> Option<std::cmp::Ordering> {
        Some((*self as u8).cmp(&(*other as u8)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        assert!(Tag::NAMES.is_sorted() && Attr::NAMES.is_sorted_by_key(|(name, _)| *name));
        for (name, tag) in Tag::NAMES {
            let octets = name.to_be_bytes();
            let name = std::str::from_utf8(&octets).map(|name| name.trim_end_matches('\0'));
            assert_eq!(name.map(Tag::named), Ok(*tag));
        }
        assert_eq!(Attr::named("accept-charset"), Attr::AcceptCharset);
        assert_eq!(Attr::named("href-and-so-on-and-on"), Attr::Other);
        assert_eq!(Tag::named("blink"), Tag::Other);
        assert_eq!(Tag::H3.heading(), Some(3));
        assert_eq!(Tag::Head.heading(), None);
    }
}
