//! Bases, names and addresses of the parts of a message (RFC 2557, 5 and 8; RFC 2110; RFC 2392; BASE-04, BASE-05).
//!
//! In one heading, Content-Base counts before Content-Location; the innermost heading that has either counts (D31). A
//! relative one is resolved by what the headings outside gave, outermost by where the message came from, and where that has
//! no hierarchy by `thismessage:/`, which serves to find parts within the message and is shown to nobody. What cannot be
//! resolved, or has no hierarchy, is no base, and is passed over.

use super::head::{Head, unfold};
use super::name::PartName;
use super::tree::Tree;
use super::words;
use crate::url::{BaseStack, EntityBase, Layer, Resolved, Siblings, Url};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// What is known of every part, by its number in the tree.
pub(super) struct Index {
    bases: Vec<Option<Rc<EntityBase>>>,
    /// Parts by Content-ID; those of one id in order.
    ids: HashMap<Vec<u8>, Vec<usize>>,
    /// Parts by absolute Content-Location.
    locations: HashMap<String, Vec<usize>>,
    /// Where the message came from; without a hierarchy, RFC 2557's `thismessage:/`.
    outermost: BaseStack,
    message_id: Option<Vec<u8>>,
}

/// Where a reference in a part leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lead {
    /// To a part of this message.
    Part(Url),
    /// Out of it.
    Url(Url),
    /// Within the part.
    Fragment,
    /// Nowhere: there is no base, or it is no URL.
    Nowhere,
}

/// How many parts with the same Content-Location are told apart.
const SAME: usize = 8;

impl Index {
    /// Looks at every heading of a message that came from a URL.
    pub fn new(tree: &Tree, retrieval: &Url) -> Index {
        let own = Url::parse("thismessage:/").ok();
        let mut outermost = BaseStack::default();
        outermost.set(Layer::Retrieval, if retrieval.has_hierarchy() { Some(retrieval.clone()) } else { own });
        let (ids, locations) = (HashMap::new(), HashMap::new());
        let message_id = tree.head(0).id("message-id");
        let mut index = Index { bases: Vec::new(), ids, locations, outermost, message_id };
        for part in 0..tree.len() {
            index.add(tree, part);
        }
        index
    }

    fn add(&mut self, tree: &Tree, part: usize) {
        let head = tree.head(part);
        // a message's own id has no brackets in some old software's Content-ID
        if let Some(id) = head.get("content-id").map(|value| head.id("content-id").unwrap_or_else(|| unfold(value))) {
            self.ids.entry(id).or_default().push(part);
        }
        let outer = tree.get(part).parent.and_then(|parent| self.bases[parent].clone());
        let given = |index: &Index, name: &str, outer: Option<&EntityBase>| {
            let url = index.absolute(&address(&head, name)?, outer)?;
            Some(EntityBase { url, from: format!("{} of {}", title(name), whose(tree, part)) })
        };
        let base = given(self, "content-base", outer.as_deref());
        // a Content-Location is relative to the Content-Base beside it (RFC 2110, 4.3)
        let location = given(self, "content-location", base.as_ref().or(outer.as_deref()));
        if let Some(location) = &location {
            let same = self.locations.entry(location.url.without_fragment().as_str().into()).or_default();
            if same.len() < SAME {
                same.push(part);
            }
        }
        let own = base.or(location).filter(|base| base.url.has_hierarchy()).map(Rc::new);
        self.bases.push(own.or(outer));
    }

    fn absolute(&self, reference: &str, outer: Option<&EntityBase>) -> Option<Url> {
        match self.stack(outer).resolve(reference) {
            Ok(Resolved::Url(url)) => Some(url),
            _ => None,
        }
    }

    fn stack(&self, entity: Option<&EntityBase>) -> BaseStack {
        let mut stack = self.outermost.clone();
        stack.set(Layer::Entity, entity.map(|base| base.url.clone()));
        stack
    }

    /// The base that the headings give to a part.
    pub fn base(&self, part: usize) -> Option<&EntityBase> {
        self.bases.get(part)?.as_deref().filter(|base| !base.url.is("thismessage"))
    }

    /// The bases of a part, for [`Index::lead`].
    pub fn bases(&self, part: usize) -> BaseStack {
        self.stack(self.bases.get(part).and_then(Option::as_deref))
    }

    /// The bases of a part as the reader may see them, with what its references find beside it in the message.
    pub fn shown(&self, tree: &Tree, part: usize) -> BaseStack {
        let mut shown = self.outermost.clone();
        if shown.effective().is_some_and(|(_, base)| base.is("thismessage")) {
            shown.set(Layer::Retrieval, None);
        }
        if let Some(base) = self.base(part) {
            shown.set_entity(base.clone());
        }
        if let Some(siblings) = self.siblings(tree, part) {
            shown.set_siblings(Arc::new(siblings));
        }
        shown
    }

    /// What a part can lead to within the message by Content-Location, if it can at all.
    pub fn siblings(&self, tree: &Tree, part: usize) -> Option<Siblings> {
        let bases = self.bases(part);
        let (_, base) = bases.effective()?;
        let found = self.locations.keys().filter_map(|location| {
            let (to, _) = self.resolve(tree, part, &Url::parse(location.as_str()).ok()?)?;
            Some((location.clone(), self.url(tree, to)?))
        });
        let parts: HashMap<String, Url> = found.collect();
        (!parts.is_empty()).then(|| Siblings { base: base.clone(), parts })
    }

    /// Where a reference in a part leads by its bases.
    pub fn lead(&self, tree: &Tree, part: usize, bases: &BaseStack, reference: &str) -> Lead {
        let url = match bases.resolve(reference) {
            Ok(Resolved::Url(url)) => url,
            Ok(Resolved::SameDocument { .. }) => return Lead::Fragment,
            Err(_) => return Lead::Nowhere,
        };
        match self.resolve(tree, part, &url).map(|(part, _)| self.url(tree, part)) {
            Some(Some(part)) => Lead::Part(part),
            _ if url.is("thismessage") => Lead::Nowhere,
            _ => Lead::Url(url),
        }
    }

    /// The URL of a part.
    pub fn url(&self, tree: &Tree, part: usize) -> Option<Url> {
        self.name(tree, part).url(self.message_id.as_deref()).ok()
    }

    /// The name by which a part is linked: its Content-ID if nothing else has it, else its place.
    pub fn name(&self, tree: &Tree, part: usize) -> PartName {
        let own = tree.head(part).id("content-id").filter(|id| self.is_unique(id)).map(|id| PartName::parse(&id));
        match own {
            Some(id @ PartName::Id(_)) if id.url(None).is_ok() => id,
            _ => tree.name(part),
        }
    }

    /// The part with a Content-ID; the first, if there are several.
    pub fn by_id(&self, id: &[u8]) -> Option<usize> {
        self.ids.get(id)?.first().copied()
    }

    /// Whether an id names one part only.
    fn is_unique(&self, id: &[u8]) -> bool {
        self.ids.get(id).is_some_and(|parts| parts.len() == 1)
    }

    /// The part that a name names, and the file in it.
    pub fn find(&self, tree: &Tree, name: &PartName) -> Option<(usize, u32)> {
        match name {
            PartName::Id(id) => self.by_id(id).map(|part| (part, 0)),
            place => match self.by_id(place.to_string().as_bytes()) {
                Some(part) => Some((part, 0)),
                None => match place {
                    PartName::File(numbers, file) => tree.by_number(numbers).map(|part| (part, *file)),
                    PartName::Number(numbers) => tree.by_number(numbers).map(|part| (part, 0)),
                    PartName::Id(_) | PartName::Joined => None,
                },
            },
        }
    }

    /// The part that an absolute URL names, seen from a part: by Content-ID anywhere in the message, by Content-Location
    /// within the same multipart/related or one around it, the innermost first.
    pub fn resolve(&self, tree: &Tree, from: usize, url: &Url) -> Option<(usize, u32)> {
        if let Some(name) = PartName::of_url(url, self.message_id.as_deref()) {
            return self.find(tree, &name);
        }
        let named = self.locations.get(url.without_fragment().as_str())?;
        // Whatever is written so means a part of this message (RFC 2557, 5), wherever in it.
        if url.is("thismessage") {
            return named.first().map(|part| (*part, 0));
        }
        let within = |part: &usize| {
            let related = |outer: &usize| tree.get(*outer).media == "multipart/related";
            let around = tree.outward(common(tree, *part, from)).find(related)?;
            Some((tree.get(around).depth, *part))
        };
        // of two in the same multipart, the first
        named.iter().filter_map(within).reduce(|a, b| if b.0 > a.0 { b } else { a }).map(|(_, part)| (part, 0))
    }
}

/// The innermost part that two parts are in, or are.
fn common(tree: &Tree, mut a: usize, mut b: usize) -> usize {
    while a != b {
        let deeper = if tree.get(a).depth >= tree.get(b).depth { &mut a } else { &mut b };
        match tree.get(*deeper).parent {
            Some(parent) => *deeper = parent,
            None => break,
        }
    }
    a
}

/// A heading's URL: folds and their white space are no part of it (RFC 2557, 4.4.2).
pub(super) fn address(head: &Head, name: &str) -> Option<String> {
    let text = words::words(&words::raw(&unfold(head.get(name)?), None));
    let text: String = text.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect();
    let text = text.trim_matches(['"', '<', '>']);
    (!text.is_empty()).then(|| text.to_owned())
}

fn title(name: &str) -> &'static str {
    if name == "content-base" { "Content-Base" } else { "Content-Location" }
}

fn whose(tree: &Tree, part: usize) -> String {
    match part {
        0 => "the message".into(),
        part => tree.name(part).to_string().replacen("part-", "part ", 1),
    }
}
