//! What html5ever builds its tree with: [`Dom`], behind a handle that carries the element's name.

use super::dom::{Dom, Id, NONE, ROOT};
use super::hidden::Sheet;
use super::name::{Attr, Tag};
use html5ever::interface::{ElementFlags, ExpandedName, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, Namespace, QualName, local_name, ns};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};

/// A node as html5ever knows it. Nodes that found no room in the tree have a number too, one that the tree does not know.
#[derive(Debug, Clone)]
pub(super) struct Handle {
    id: Id,
    ns: Namespace,
    local: LocalName,
}

impl Handle {
    /// The element's name.
    pub fn local(&self) -> &LocalName {
        &self.local
    }
}

/// The tree while it is built.
pub(super) struct Sink {
    pub dom: RefCell<Dom>,
    /// The number of the next element without a place in the tree.
    homeless: Cell<Id>,
    /// How many elements were ever made.
    pub made: Cell<usize>,
    /// How many texts were given to the tree, be they kept or not.
    pub texts: Cell<usize>,
    /// What the page's own style sheets hide.
    pub sheet: RefCell<Sheet>,
}

impl Sink {
    pub fn new() -> Sink {
        Sink {
            dom: RefCell::new(Dom::new()),
            homeless: Cell::new(NONE - 1),
            made: Cell::new(0),
            texts: Cell::new(0),
            sheet: RefCell::default(),
        }
    }

    /// How much is held, in octets.
    pub fn memory(&self) -> usize {
        self.dom.borrow().memory() + self.sheet.borrow().memory()
    }

    fn handle(id: Id) -> Handle {
        Handle { id, ns: ns!(html), local: local_name!("template") }
    }

    /// The rule of a style sheet that shows nothing of a new element, unless its own style says that it is shown.
    fn hides(&self, element: &str, attrs: &[Attribute]) -> Option<String> {
        let mut sheet = self.sheet.borrow_mut();
        if attrs.is_empty() || sheet.is_empty() {
            return None;
        }
        let value = |name: &str| attrs.iter().find(|attr| &*attr.name.local == name).map(|attr| &*attr.value);
        let own = value("style").is_some_and(|style| style.contains("display"));
        let (classes, id) = (value("class").unwrap_or_default(), value("id").unwrap_or_default());
        sheet.hides(element, classes, id).filter(|_| !own)
    }

    fn place(&self, child: NodeOrText<Handle>, parent: Id, after: Id) {
        let mut dom = self.dom.borrow_mut();
        match child {
            NodeOrText::AppendNode(node) => dom.insert(node.id, parent, after),
            NodeOrText::AppendText(text) => {
                self.texts.set(self.texts.get() + 1);
                if dom.tag(parent) == Tag::Style {
                    self.sheet.borrow_mut().take(&text);
                }
                dom.write(&text, parent, after);
            }
        }
    }
}

fn hold(dom: &mut Dom, id: Id, attrs: &[Attribute]) {
    for attr in attrs {
        let name = Attr::named(&attr.name.local);
        if !matches!(name, Attr::Other | Attr::Class | Attr::XlinkHref) && !dom.has(id, name) {
            dom.hold(id, name, &attr.value);
        }
    }
}

/// Whether a template says that what it holds is shown where it stands.
fn is_shadow(attrs: &[Attribute]) -> bool {
    let mode = attrs.iter().find(|attr| &*attr.name.local == "shadowrootmode");
    mode.is_some_and(|mode| ["open", "closed"].iter().any(|known| mode.value.eq_ignore_ascii_case(known)))
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = ();
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) {}

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Sink::handle(ROOT)
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        ExpandedName { ns: &target.ns, local: &target.local }
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, _: ElementFlags) -> Handle {
        self.made.set(self.made.get() + 1);
        // In drawings and formulas names mean other things.
        let tag = match Tag::named(&name.local) {
            tag if name.ns == ns!(html) || matches!(tag, Tag::Svg | Tag::Math) => tag,
            tag if name.ns == ns!(svg) && tag.is_of_drawings() => tag,
            tag if name.ns == ns!(mathml) && tag.is_of_formulas() => tag,
            _ => Tag::Other,
        };
        // what a script would build here (HTML, 4.12.3) stands on the page for readers without one
        let tag = if tag == Tag::Template && is_shadow(&attrs) { Tag::Div } else { tag };
        let mut dom = self.dom.borrow_mut();
        let id = dom.element(tag).unwrap_or_else(|| self.homeless.replace(self.homeless.get() - 1));
        hold(&mut dom, id, &attrs);
        if let Some(selector) = self.hides(&name.local, &attrs)
            && !dom.has(id, Attr::Hidden)
        {
            dom.hold(id, Attr::Hidden, &selector);
        }
        Handle { id, ns: name.ns, local: name.local }
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        Sink::handle(self.homeless.replace(self.homeless.get() - 1))
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        Sink::handle(self.homeless.replace(self.homeless.get() - 1))
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.place(child, parent.id, NONE);
    }

    /// Foster parenting: what a table cannot hold goes before it, or into its last cell when the walk has gone into it.
    fn append_based_on_parent_node(&self, table: &Handle, before_it: &Handle, child: NodeOrText<Handle>) {
        let (parent, seen) = {
            let dom = self.dom.borrow();
            (dom.parent(table.id), dom.is_seen(table.id))
        };
        match parent {
            NONE => self.place(child, before_it.id, NONE),
            _ if seen => {
                let cell = self.dom.borrow_mut().last_cell(table.id);
                self.place(child, cell, NONE);
            }
            parent => {
                self.place(child, parent, table.id);
                self.dom.borrow_mut().foster_latest();
            }
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, template: &Handle) -> Handle {
        template.clone()
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x.id == y.id
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let parent = self.dom.borrow().parent(sibling.id);
        self.place(child, parent, sibling.id);
    }

    fn add_attrs_if_missing(&self, target: &Handle, attrs: Vec<Attribute>) {
        let mut dom = self.dom.borrow_mut();
        // moved for one that is new, not for each of the tags
        let known = |attr: &Attribute| match Attr::named(&attr.name.local) {
            Attr::Other => true,
            name => dom.has(target.id, name),
        };
        if attrs.iter().all(known) {
            return;
        }
        dom.reopen(target.id);
        hold(&mut dom, target.id, &attrs);
    }

    fn associate_with_form(&self, target: &Handle, form: &Handle, _: (&Handle, Option<&Handle>)) {
        self.dom.borrow_mut().own(target.id, form.id);
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.dom.borrow_mut().detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.dom.borrow_mut().move_children(node.id, new_parent.id);
    }
}
