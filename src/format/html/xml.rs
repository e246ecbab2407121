//! Text → tree by the rules of XML 1.0 and of namespaces in XML, for pages that are served as XHTML.
//!
//! quick-xml reads what is whole; what a piece ends in waits for more. Which tags belong together, which namespaces and references
//! mean what, is seen to here. Of the faults that make a text no XML those are found that would have it read otherwise than it was
//! meant: then it is HTML ([`Syntax::refused`]). A page that merely ends too early is read to its end.
//!
//! What is open is bounded as for HTML: elements within more than [`DEEPEST`] others are left out, their text is not.

use super::dom::Dom;
use super::entity::Entities;
use super::guard::DEEPEST;
use super::head::Head;
use super::name::{Attr, Tag};
use super::page::Page;
use super::sink::{Handle, Sink};
use super::syntax::Syntax;
use super::walk::End;
use crate::doc::{beginning, sanitise};
use html5ever::interface::{ElementFlags, NodeOrText, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, Namespace, QualName, local_name, ns};
use quick_xml::Reader;
use quick_xml::errors::{Error, IllFormedError, SyntaxError};
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::{NamespaceResolver, QName, ResolveResult};
use std::cell::RefMut;

/// The longest name of a reference.
const LONGEST_NAME: usize = 256;
/// How much of a name a fault shows, in columns.
const SHOWN: usize = 40;

/// Faults that are found in two places.
const NO_TAG: &str = "a “<” that begins no tag";
const NO_REFERENCE: &str = "a “&” that begins no reference";

/// An element that is open in the tree.
struct Open {
    /// Where what stands in it goes.
    inside: Handle,
    tag: Tag,
    /// The form that a field in it belongs to.
    form: Option<Handle>,
}

/// Why a text is no XML.
type Fault = String;

/// Reads XML.
pub(super) struct Xml {
    sink: Sink,
    page: Page,
    /// Text of which nothing was made, and how long it must be to be looked at again.
    pending: String,
    due: usize,
    /// The last octet was a carriage return.
    returned: bool,
    /// The names of all open elements after each other, and where each begins.
    names: String,
    starts: Vec<usize>,
    /// Those of them that are in the tree.
    open: Vec<Open>,
    scopes: NamespaceResolver,
    entities: Entities,
    /// The root has begun.
    rooted: bool,
    /// The line that `pending` begins in.
    line: usize,
    fault: Option<Fault>,
}

impl Xml {
    pub fn new(head: Head) -> Xml {
        Xml {
            sink: Sink::new(),
            page: Page::new(head),
            pending: String::new(),
            due: 0,
            returned: false,
            names: String::new(),
            starts: Vec::new(),
            open: Vec::new(),
            scopes: NamespaceResolver::default(),
            entities: Entities::default(),
            rooted: false,
            line: 1,
            fault: None,
        }
    }

    /// Makes of the text that waits what can be made of it.
    fn advance(&mut self) {
        let text = std::mem::take(&mut self.pending);
        let mut reader = Reader::from_str(&text);
        let config = reader.config_mut();
        (config.check_end_names, config.allow_unmatched_ends) = (false, true);
        let mut taken = 0;
        while self.fault.is_none() {
            match reader.read_event() {
                Ok(Event::Eof) => break,
                Ok(event) => match self.take(event) {
                    Ok(()) => {
                        let before = taken;
                        taken = text.len() - reader.get_ref().len();
                        self.line += memchr::memchr_iter(b'\n', &text.as_bytes()[before..taken]).count();
                    }
                    Err(fault) => self.fault = Some(fault),
                },
                Err(error) if is_unfinished(&error, &text[taken..]) => break,
                Err(error) => self.fault = Some(words_for(&error)),
            }
        }
        self.pending = text;
        self.pending.drain(..taken);
        // what has no end yet is searched again when it has grown by a part
        self.due = self.pending.len() + self.pending.len() / 2;
    }

    fn take(&mut self, event: Event<'_>) -> Result<(), Fault> {
        match event {
            Event::Start(tag) => self.begin(&tag, false),
            Event::Empty(tag) => self.begin(&tag, true),
            Event::End(tag) => self.finish(tag.name().0),
            Event::Text(text) => self.text(&text),
            Event::CData(text) => self.text(&text),
            Event::GeneralRef(name) => match self.entities.meaning(&name) {
                Err(()) => Err(format!("the character &{};, which there is not", shown(&name))),
                Ok(_) if name.len() > LONGEST_NAME => Err(NO_REFERENCE.into()),
                Ok(Some(meant)) => {
                    let meant = meant.into_owned();
                    self.text(&meant)
                }
                Ok(None) => self.text(&format!("&{};", &*name)),
            },
            Event::DocType(doctype) => {
                self.entities.take(&doctype);
                Ok(())
            }
            Event::Decl(declaration) => {
                if let Some(Ok(name)) = declaration.encoding() {
                    self.page.declared.borrow_mut().get_or_insert_with(|| name.into_owned());
                }
                Ok(())
            }
            Event::Comment(_) | Event::PI(_) | Event::Eof => Ok(()),
        }
    }

    fn text(&mut self, text: &str) -> Result<(), Fault> {
        let blank = text.trim_ascii().is_empty();
        let node = NodeOrText::AppendText(StrTendril::from_slice(text));
        match self.open.last() {
            None if blank => {}
            None => return Err("text that stands in no element".into()),
            // the root shows no text of its own
            Some(Open { inside, tag: Tag::Html | Tag::Frameset, .. }) if !blank => {
                let name = QualName::new(None, ns!(), LocalName::from("text"));
                let element = self.sink.create_element(name, Vec::new(), ElementFlags::default());
                self.sink.append(&element, node);
                self.sink.append(inside, NodeOrText::AppendNode(element));
            }
            Some(open) if !blank && is_between_cells(open.tag) => self.foster(node),
            Some(open) => self.sink.append(&open.inside, node),
        }
        Ok(())
    }

    /// A tag that begins an element, or is one.
    fn begin(&mut self, tag: &BytesStart<'_>, empty: bool) -> Result<(), Fault> {
        let name = tag.name();
        if !is_name(name.0) {
            return Err(NO_TAG.into());
        }
        let attributes = attributes(tag, &self.entities).map_err(|why| format!("{why} in <{}>", shown(name.0)))?;
        let root = self.starts.is_empty();
        if root && self.rooted {
            return Err(format!("<{}> after the end", shown(name.0)));
        }
        let fits = self.open.len() < DEEPEST;
        self.page.deep.set(self.page.deep.get() || !(fits || empty));
        let mut known = Tag::Other;
        if fits || empty {
            // a name that it cannot bind is as good as none
            let _ = self.scopes.push(tag);
            let name = qualified(&self.scopes, name);
            if root && (name.ns != ns!(html) || &*name.local != "html") {
                return Err("a root that is not XHTML’s".into());
            }
            known = Tag::named(&name.local);
            let open = self.add(name, attributes);
            match empty {
                true => self.scopes.pop(),
                false => self.open.push(open),
            }
        }
        self.rooted = true;
        if !empty {
            self.starts.push(self.names.len());
            self.names.push_str(name.0);
        }
        self.page.follow(&mut self.dom(), known);
        Ok(())
    }

    /// Puts an element into the tree. Where a table has no place for it, it stands as HTML would have it.
    fn add(&self, mut name: QualName, attributes: Vec<Attribute>) -> Open {
        let parent = self.open.last();
        let around = parent.map_or(Tag::Other, |open| open.tag);
        if name.ns == ns!(html) && !is_placed(Tag::named(&name.local), around) {
            name.local = local_name!("div");
        }
        let tag = if name.ns == ns!(html) { Tag::named(&name.local) } else { Tag::Other };
        let alone = attributes.iter().any(|attribute| &*attribute.name.local == "form");
        let element = self.sink.create_element(name, attributes, ElementFlags::default());
        let root = self.sink.get_document();
        let within = parent.map_or(&root, |open| &open.inside);
        let node = NodeOrText::AppendNode(element.clone());
        match is_between_cells(around) && !is_of_tables(tag) {
            true => self.foster(node),
            false => self.sink.append(within, node),
        }
        let mut form = parent.and_then(|open| open.form.clone());
        let field = matches!(tag, Tag::Button | Tag::Fieldset | Tag::Input | Tag::Object | Tag::Select | Tag::Textarea);
        if let Some(form) = form.as_ref().filter(|_| field && !alone) {
            self.sink.associate_with_form(&element, form, (within, None));
        }
        if tag == Tag::Form {
            form = Some(element.clone());
        }
        match tag {
            // what cannot stand in it is not lost, nor are rows in a form
            _ if tag.is_void() || tag == Tag::Form && is_between_cells(around) => {
                Open { inside: within.clone(), tag: around, form }
            }
            Tag::Template => Open { inside: self.sink.get_template_contents(&element), tag, form },
            _ => Open { inside: element, tag, form },
        }
    }

    /// Puts what stands between the cells of a table where HTML would: before the table, or into its last cell.
    fn foster(&self, node: NodeOrText<Handle>) {
        if let Some(table) = self.open.iter().rfind(|open| open.tag == Tag::Table) {
            self.sink.append_based_on_parent_node(&table.inside, &table.inside, node);
        }
    }

    /// A tag that ends an element.
    fn finish(&mut self, name: &str) -> Result<(), Fault> {
        let start = self.starts.last().ok_or_else(|| format!("</{}> where nothing is open", shown(name)))?;
        let due = &self.names[*start..];
        if due != name {
            return Err(format!("</{}> where </{}> is due", shown(name), shown(due)));
        }
        self.names.truncate(*start);
        self.starts.pop();
        if self.starts.len() < self.open.len() {
            let tag = self.open.pop().map_or(Tag::Other, |open| open.tag);
            self.scopes.pop();
            self.page.follow(&mut self.dom(), tag);
        }
        Ok(())
    }

    /// What was never finished, as far as it is text.
    fn leave(&mut self) {
        let rest = std::mem::take(&mut self.pending);
        let text =
            rest.strip_prefix("<![CDATA[").or(Some(&rest).filter(|rest| rest.starts_with('&')).map(String::as_str));
        if let (Some(text), false) = (text, self.open.is_empty()) {
            // within an element there is room for any text
            let _ = self.text(text);
        }
    }
}

impl Syntax for Xml {
    fn read(&mut self, text: &str) {
        // a line ends in one character (XML 1.0, 2.11), which may have been half of two
        let text = if self.returned { text.strip_prefix('\n').unwrap_or(text) } else { text };
        self.returned = text.ends_with('\r');
        for (at, line) in text.split('\r').enumerate() {
            match at {
                0 => self.pending.push_str(line),
                _ => self.pending.extend(["\n", line.strip_prefix('\n').unwrap_or(line)]),
            }
        }
        if self.fault.is_none() && self.pending.len() > self.due {
            self.advance();
        }
    }

    fn end(&mut self) {
        if self.fault.is_none() {
            self.advance();
            if self.fault.is_none() {
                self.leave();
            }
        }
        self.page.walk(&mut self.dom(), End::Last);
    }

    fn page(&self) -> &Page {
        &self.page
    }

    fn dom(&self) -> RefMut<'_, Dom> {
        self.sink.dom.borrow_mut()
    }

    fn memory(&self) -> usize {
        let open = self.names.capacity() + self.starts.capacity() * size_of::<usize>();
        self.pending.capacity() + open + self.page.memory() + self.sink.memory()
    }

    fn refused(&mut self) -> Option<(String, String)> {
        let fault = format!("no XML, so it is read as HTML: line {} has {}", self.line, self.fault.as_ref()?);
        // what was written of it so far is all that will be
        self.page.walk(&mut self.dom(), End::Last);
        let raw = self.open.last().map_or("", |open| match open.tag {
            Tag::Script => "<script>",
            Tag::Style => "<style>",
            _ => "",
        });
        Some((fault, format!("{raw}{}", std::mem::take(&mut self.pending))))
    }
}

/// Whether what stands in an element stands between the cells of a table.
fn is_between_cells(tag: Tag) -> bool {
    matches!(tag, Tag::Table | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Tr)
}

/// Whether an element of a table stands where it can; all others can stand anywhere.
fn is_placed(tag: Tag, around: Tag) -> bool {
    match tag {
        Tag::Caption | Tag::Colgroup | Tag::Thead | Tag::Tbody | Tag::Tfoot => around == Tag::Table,
        Tag::Tr => is_between_cells(around) && around != Tag::Tr,
        Tag::Td | Tag::Th => around == Tag::Tr,
        _ => true,
    }
}

/// Whether an element may stand between the cells of a table.
fn is_of_tables(tag: Tag) -> bool {
    !is_placed(tag, Tag::Other) || matches!(tag, Tag::Col | Tag::Form | Tag::Script | Tag::Style | Tag::Template)
}

/// Whether an error only says that the text, which begins with what it is about, does not go on.
fn is_unfinished(error: &Error, rest: &str) -> bool {
    let begins = |with: &str| {
        let len = rest.len().min(with.len());
        rest.as_bytes()[..len].eq_ignore_ascii_case(&with.as_bytes()[..len])
    };
    match error {
        Error::Syntax(SyntaxError::InvalidBangMarkup) => rest.len() < 3,
        Error::Syntax(SyntaxError::UnclosedComment) => begins("<!--"),
        Error::Syntax(SyntaxError::UnclosedCData) => begins("<![CDATA["),
        Error::Syntax(SyntaxError::UnclosedDoctype) => begins("<!DOCTYPE"),
        Error::Syntax(_) => true,
        // text before it was an event of its own
        Error::IllFormed(IllFormedError::UnclosedReference) => {
            rest.len() <= LONGEST_NAME && !rest.get(1..).unwrap_or_default().contains(['<', '&'])
        }
        _ => false,
    }
}

fn words_for(error: &Error) -> Fault {
    match error {
        Error::IllFormed(IllFormedError::UnclosedReference) => NO_REFERENCE.into(),
        Error::Syntax(_) => NO_TAG.into(),
        _ => "markup that is none".into(),
    }
}

/// A name from the page, as a fault says it.
fn shown(name: &str) -> String {
    beginning(&sanitise(name), SHOWN).to_owned()
}

/// Whether this can be the name of an element or an attribute (XML 1.0, 2.3; of what is not ASCII anything can).
fn is_name(name: &str) -> bool {
    let first = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | ':') || !c.is_ascii();
    let other = |c: char| first(c) || c.is_ascii_digit() || matches!(c, '-' | '.');
    name.starts_with(first) && name.chars().all(other)
}

/// An element's name in its namespace; of all namespaces three mean something here.
fn qualified(scopes: &NamespaceResolver, name: QName<'_>) -> QualName {
    let (found, local) = scopes.resolve_element(name);
    let space = match found {
        ResolveResult::Bound(space) => match space.0 {
            "http://www.w3.org/1999/xhtml" => ns!(html),
            "http://www.w3.org/2000/svg" => ns!(svg),
            "http://www.w3.org/1998/Math/MathML" => ns!(mathml),
            _ => Namespace::default(),
        },
        _ => Namespace::default(),
    };
    QualName::new(None, space, LocalName::from(local.into_inner()))
}

/// The attributes of a tag that stand in no namespace.
fn attributes(tag: &BytesStart<'_>, entities: &Entities) -> Result<Vec<Attribute>, &'static str> {
    let (mut taken, mut names) = (Vec::new(), Vec::new());
    for attribute in tag.attributes().with_checks(false) {
        let attribute = attribute.map_err(|_| "an attribute without a quoted value")?;
        let (name, value) = (attribute.key.0, &*attribute.value);
        if !is_name(name) {
            return Err("an attribute without a name");
        }
        if value.contains('<') {
            return Err("a “<” within a value");
        }
        let value = entities.resolved(value).map_err(|()| NO_REFERENCE)?;
        if Attr::named(name) != Attr::Other {
            let name = if name == "xlink:href" { "href" } else { name };
            let name = QualName::new(None, ns!(), LocalName::from(name));
            let value = value.replace(['\n', '\t'], " ");
            taken.push(Attribute { name, value: StrTendril::from_slice(&value) });
        }
        names.push(name);
    }
    names.sort_unstable();
    match names.windows(2).any(|pair| pair[0] == pair[1]) {
        true => Err("an attribute that stands there twice"),
        false => Ok(taken),
    }
}
