//! The rows of a list to choose from, each made when it is looked at, and the narrowing of the list by words.
//!
//! A page has as many links as its author likes, with addresses as long as they like: a list of them knows where they are, and is
//! no copy of them. Refuses: what a row does when it is chosen.

use crate::doc::{Document, FieldKind, FieldOption, LinkId, conceal, index, sanitise};
use crate::stop::Stop;
use crate::url::{BaseStack, Url};
use crate::visits::holds;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// What is looked through in a millisecond or two, in octets.
const SMALL: usize = 1 << 17;
/// Octets that a row takes at least, whatever it says.
const ROW: usize = 64;
/// Rows between two looks at whether they are still wanted.
const PIECE: usize = 256;

/// What is said of an address that is too long to be made out for each row.
const TOO_LONG: &str = "an address too long to be shown here";

/// A row of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListItem {
    /// What it says.
    pub text: String,
    /// Dimmer, at the right or below.
    pub detail: String,
    /// What it stands for: a link's number, a block, a place in history.
    pub key: u32,
}

/// What a list is of.
#[derive(Debug, Clone, PartialEq)]
pub enum ListRows {
    /// These.
    Given(Arc<Vec<ListItem>>),
    /// The links of a page.
    Links(Arc<Links>),
    /// The headings of a page: their blocks, and how deep each is.
    Headings(Arc<Document>, Arc<Vec<(u32, u8)>>),
    /// What can be chosen in a field.
    Options(Arc<Options>),
}

/// What can be chosen in a field.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    document: Arc<Document>,
    /// The field's number.
    field: usize,
    /// What is chosen, in order.
    chosen: Vec<usize>,
}

/// The links of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Links {
    document: Arc<Document>,
    bases: BaseStack,
    url: Url,
    /// The numbers of the fields that links are.
    fields: HashMap<LinkId, usize>,
    /// What is hidden in where they lead.
    secrets: Vec<String>,
}

/// A list that is to be narrowed.
#[derive(Debug, Clone, PartialEq)]
pub struct Narrow {
    /// The list.
    pub rows: ListRows,
    /// The rows that can hold the words; `None` for all.
    pub among: Option<Arc<[u32]>>,
    /// The words, each of which is to be in a row's text or detail.
    pub words: String,
}

impl Links {
    /// The links of a document, by the bases and the address of its page.
    pub fn new(document: Arc<Document>, bases: BaseStack, url: Url) -> Links {
        let fields = document.fields.iter().enumerate();
        let fields = fields.filter_map(|(number, field)| Some((field.link?, number))).collect();
        Links { document, bases, url, fields, secrets: Vec::new() }
    }

    /// Without these in where they lead.
    pub fn hiding(self, secrets: &[String]) -> Links {
        Links { secrets: secrets.to_vec(), ..self }
    }

    /// What a link says.
    fn text(&self, link: LinkId) -> &str {
        self.document.link_text(link).trim()
    }

    /// Where it leads, as far as that is made out for each row.
    fn detail(&self, link: LinkId) -> String {
        let long = !self.fields.contains_key(&link) && self.document.is_long(link, &self.bases);
        if long { TOO_LONG.into() } else { self.target(link) }
    }

    /// Where it leads; of a field, what is to be filled in.
    fn target(&self, link: LinkId) -> String {
        if let Some(number) = self.fields.get(&link) {
            return self.document.field_label(*number);
        }
        let target = self.document.link(link, &self.bases).map(|link| match link.target {
            Ok(resolved) => resolved.url_in(&self.url).redacted(),
            Err(error) => error.to_string(),
        });
        let target = target.unwrap_or_default();
        conceal(&target, &self.secrets).unwrap_or(target)
    }
}

impl Options {
    /// The options of a field of a document, some of which are chosen.
    pub fn new(document: Arc<Document>, field: usize, mut chosen: Vec<usize>) -> Options {
        chosen.sort_unstable();
        Options { document, field, chosen }
    }

    /// The first that is chosen.
    pub fn first_chosen(&self) -> Option<usize> {
        self.chosen.first().copied()
    }

    fn all(&self) -> (&[FieldOption], bool) {
        match self.document.fields.get(self.field).map(|field| &field.kind) {
            Some(FieldKind::Select { options, multiple }) => (options, *multiple),
            _ => (&[], false),
        }
    }

    fn row(&self, at: usize) -> Option<ListItem> {
        let (options, multiple) = self.all();
        let option = options.get(at)?;
        let mark = match (self.chosen.binary_search(&at).is_ok(), multiple) {
            (true, true) => "[x]",
            (false, true) => "[ ]",
            (true, false) => "(*)",
            (false, false) => "( )",
        };
        let group = sanitise(&option.group).into_owned();
        let detail = if option.disabled { "cannot be chosen".into() } else { group };
        Some(ListItem { text: format!("{mark} {}", sanitise(&option.label)), detail, key: index(at) })
    }
}

impl From<Vec<ListItem>> for ListRows {
    fn from(items: Vec<ListItem>) -> ListRows {
        ListRows::Given(Arc::new(items))
    }
}

impl Default for ListRows {
    fn default() -> ListRows {
        ListRows::from(Vec::new())
    }
}

impl ListRows {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            ListRows::Given(items) => items.len(),
            ListRows::Links(links) => links.document.link_count() as usize,
            ListRows::Headings(_, blocks) => blocks.len(),
            ListRows::Options(options) => options.all().0.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A row, made now.
    pub fn row(&self, at: usize) -> Option<ListItem> {
        match self {
            ListRows::Given(items) => items.get(at).cloned(),
            ListRows::Links(links) => {
                let link = LinkId(index(at));
                let row = || ListItem { text: links.text(link).to_owned(), detail: links.detail(link), key: link.0 };
                (at < self.len()).then(row)
            }
            ListRows::Headings(document, blocks) => {
                let (block, level) = *blocks.get(at)?;
                let text = document.block_text(block).trim();
                let text = format!("{}{text}", "  ".repeat(usize::from(level.saturating_sub(1))));
                Some(ListItem { text, detail: String::new(), key: block })
            }
            ListRows::Options(options) => options.row(at),
        }
    }

    /// All rows.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = ListItem> + '_ {
        (0..self.len()).filter_map(|at| self.row(at))
    }

    /// Whether a row's text or detail holds each of some words, which are in lower case.
    fn holds(&self, at: usize, words: &[String]) -> bool {
        let (text, detail): (&str, Cow<'_, str>) = match self {
            ListRows::Given(items) => match items.get(at) {
                Some(item) => (&item.text, item.detail.as_str().into()),
                None => return false,
            },
            ListRows::Links(links) => {
                let link = LinkId(index(at));
                let text = links.text(link);
                if words.iter().all(|word| holds(text, word)) {
                    return true;
                }
                (text, links.target(link).into())
            }
            ListRows::Options(options) => {
                let Some(ListItem { text, detail, .. }) = options.row(at) else { return false };
                return words.iter().all(|word| holds(&text, word) || holds(&detail, word));
            }
            ListRows::Headings(document, blocks) => match blocks.get(at) {
                Some((block, _)) => (document.block_text(*block), "".into()),
                None => return false,
            },
        };
        words.iter().all(|word| holds(text, word) || holds(&detail, word))
    }

    /// What there is to look through, in octets and about.
    fn weight(&self) -> usize {
        let each = match self {
            ListRows::Given(items) => {
                // Of more than these no more has to be known.
                let few = items.iter().take(SMALL / ROW);
                return few.map(|item| item.text.len() + item.detail.len()).sum::<usize>() + items.len() * ROW;
            }
            ListRows::Links(links) => links.bases.effective().map_or(0, |(_, base)| base.as_str().len()) + ROW,
            ListRows::Headings(..) => ROW,
            ListRows::Options(options) => {
                let few = options.all().0.iter().take(SMALL / ROW);
                let said = few.map(|option| option.label.len() + option.group.len()).sum::<usize>();
                return said + self.len().saturating_mul(ROW);
            }
        };
        let text = match self {
            ListRows::Given(_) | ListRows::Options(_) => 0,
            ListRows::Links(links) => links.document.text().len() + links.document.references().len(),
            ListRows::Headings(document, _) => document.text().len(),
        };
        text + self.len().saturating_mul(each)
    }
}

impl Narrow {
    /// The rows that hold all words, in order; `None` when that was given up.
    pub fn run(&self, stop: &Stop) -> Option<Arc<[u32]>> {
        let words: Vec<String> = self.words.split_whitespace().map(str::to_lowercase).collect();
        let all = || (0..index(self.rows.len())).collect();
        let among: Arc<[u32]> = self.among.clone().unwrap_or_else(all);
        let mut passing = Vec::new();
        for piece in among.chunks(PIECE) {
            stop.go_on()?;
            passing.extend(piece.iter().copied().filter(|at| self.rows.holds(*at as usize, &words)));
        }
        Some(passing.into())
    }

    /// Whether that is done in a millisecond or two.
    pub fn is_small(&self) -> bool {
        self.rows.weight() <= SMALL
    }
}
