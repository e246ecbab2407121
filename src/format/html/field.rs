//! Fields of forms: what they are, and what stands on the page for them. They are links of the document with an empty
//! reference; what they mean stands in the document's fields.

use super::dom::{Dom, Id, NONE};
use super::flow::{Style, clean_reference};
use super::label::label_text;
use super::media::words;
use super::name::{Attr, Tag};
use super::standing::{standing, whole};
use super::submission::initial;
use super::walk::Walk;
use crate::doc::{Bounds, Builder, Encoding, Field, FieldKind, FieldOption, Form, LineKind, Method, Sending};
use crate::format::index;
use crate::role::Role;
use std::collections::{HashMap, HashSet};

/// The most fields of a page.
const MOST_FIELDS: usize = 20_000;
/// The most choices of a page.
const MOST_OPTIONS: usize = 200_000;
/// The most suggestions for a field.
const MOST_SUGGESTIONS: usize = 100;
/// The most fields that suggestions are kept for.
const MOST_LISTED: usize = 200;
/// Where in a group of fields its legend is looked for: it comes first, apart from blanks and comments.
const LEGEND: usize = 16;
/// The longest suggestion, and the longest name of a group of choices, in octets: fields and choices have copies of them.
const LONGEST_COPIED: usize = 200;
/// The width of a line that says none.
const WIDTH: u16 = 20;

/// What is known of forms so far.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// The number of each form element.
    forms: HashMap<Id, u32>,
    /// Forms by their names, for fields that stand outside.
    named: HashMap<String, u32>,
    /// Fields that name their form.
    waiting: Vec<(usize, String)>,
    /// Forms of which nothing is to be kept, unless a field says otherwise.
    fleeting: HashSet<u32>,
    /// Fields that leave it to their form.
    silent: HashSet<usize>,
    /// What the page suggests for fields, by name, and the fields that name it.
    lists: HashMap<String, Vec<String>>,
    listed: Vec<(usize, String)>,
    options: usize,
    /// Which field of a group of which one is on is so: the group's form, and its name.
    on: HashMap<(Option<u32>, Option<String>, String), usize>,
    /// Fields were left out.
    pub full: bool,
}

impl Fields {
    /// Gives fields that stand outside their forms to them.
    pub fn finish(&mut self, out: &mut Builder) {
        for (number, name) in std::mem::take(&mut self.waiting) {
            if let Some(field) = out.document_mut().fields.get_mut(number) {
                field.form = self.named.get(&name).copied();
                field.fleeting |=
                    self.silent.contains(&number) && field.form.is_some_and(|form| self.fleeting.contains(&form));
            }
            self.turn_on(number, None, out);
        }
        for (field, name) in self.listed.drain(..) {
            if let Some(field) = out.document_mut().fields.get_mut(field)
                && let Some(list) = self.lists.get(&name)
            {
                field.suggestions.clone_from(list);
            }
        }
    }

    /// Of a group of which one is on it is the last that says so (HTML, 4.10.5.1.16): the one before it goes off. `named` is the
    /// form that a field says it belongs to and that is not known yet.
    fn turn_on(&mut self, number: usize, named: Option<&str>, out: &mut Builder) {
        let document = out.document_mut();
        let is_on = |field: &&mut Field| matches!(field.kind, FieldKind::Radio { on: true, .. });
        let Some(field) = document.fields.get_mut(number).filter(is_on).filter(|field| !field.name.is_empty()) else {
            return;
        };
        let known = self.on.entry((field.form, named.map(Into::into), field.name.clone())).or_insert(number);
        let (earlier, later) = (number.min(*known), number.max(*known));
        *known = later;
        let Some(field) = document.fields.get_mut(earlier).filter(|_| earlier < later) else { return };
        if let FieldKind::Radio { on, .. } = &mut field.kind {
            *on = false;
        }
        let shown = field.link.zip(standing(&field.kind, &initial(&field.kind)));
        if let Some((link, text)) = shown {
            document.rewrite(link, &text);
        }
    }

    /// Takes what the page suggests for fields.
    pub fn suggest(&mut self, dom: &Dom, id: Id) {
        let Some(name) = dom.attr(id, Attr::Id).filter(|name| !self.lists.contains_key(*name)) else { return };
        let options = dom.within(id).filter(|node| dom.tag(*node) == Tag::Option);
        let text = |node| words(Some(&label_text(dom, node)));
        let value = |node| words(dom.attr(node, Attr::Value)).or_else(|| text(node));
        let short = |value: &String| value.len() <= LONGEST_COPIED;
        let list: Vec<String> = options.filter_map(value).filter(short).take(MOST_SUGGESTIONS).collect();
        self.options += list.len();
        if self.options <= MOST_OPTIONS {
            self.lists.insert(name.into(), list);
        }
    }

    /// The number of the form that an element is.
    pub fn form(&mut self, dom: &Dom, id: Id, out: &mut Builder) -> u32 {
        let forms = &mut out.document_mut().forms;
        let number = *self.forms.entry(id).or_insert_with(|| {
            let attr = |name| dom.attr(id, name);
            forms.push(Form {
                action: attr(Attr::Action).map(clean_reference).unwrap_or_default(),
                method: attr(Attr::Method).and_then(method).unwrap_or_default(),
                encoding: attr(Attr::Enctype).and_then(encoding).unwrap_or_default(),
                charsets: attr(Attr::AcceptCharset).unwrap_or_default().into(),
                unchecked: dom.has(id, Attr::Novalidate),
            });
            index(forms.len() - 1)
        });
        if is_fleeting(dom, id) == Some(true) {
            self.fleeting.insert(number);
        }
        if let Some(name) = dom.attr(id, Attr::Id) {
            self.named.entry(name.into()).or_insert(number);
        }
        number
    }
}

impl Walk {
    /// Writes a field.
    pub(super) fn write_field(&mut self, dom: &Dom, id: Id, tag: Tag, style: Style, out: &mut Builder) {
        self.fields.full |= out.document().fields.len() >= MOST_FIELDS;
        if self.fields.full {
            return;
        }
        let kind = match tag {
            Tag::Input => input(dom, id),
            Tag::Textarea => FieldKind::Text(dom.all_text(id)),
            Tag::Select => self.select(dom, id),
            Tag::Isindex => FieldKind::Line { kind: LineKind::Search, value: String::new(), size: WIDTH },
            _ => button(dom, id),
        };
        if tag == Tag::Isindex {
            self.flow.end_block();
            let prompt = words(dom.attr(id, Attr::Prompt));
            self.flow.literal(style, &format!("{} ", prompt.as_deref().unwrap_or("Search this index:")), out);
        }
        let disabled = dom.has(id, Attr::Disabled) || is_barred(dom, id);
        // a button or a box without a form waits for a script: of a button the words are shown
        let owned = dom.owner(id).is_some() || dom.has(id, Attr::Form);
        let waits = match kind {
            FieldKind::Check { .. } | FieldKind::Radio { .. } => !disabled && !owned,
            _ => false,
        };
        let scripted = matches!(kind, FieldKind::Button) || (tag == Tag::Button && !owned);
        let labelled = (tag == Tag::Button).then(|| self.labelled(dom, id)).flatten();
        let link = match shown(dom, id, tag, &kind, labelled.as_deref()).filter(|_| !waits) {
            None => None,
            Some(text) if disabled || scripted => {
                self.flow.apart();
                self.flow.literal(Style { link: None, ..style.with(Role::Dim) }, &text, out);
                self.flow.apart();
                None
            }
            Some(text) => {
                let link = self.flow.open_link("");
                let role = Some(Role::Field);
                self.flow.literal(Style { link: Some(link), role, ..style }, &text, out);
                self.flow.close_link()
            }
        };
        let own = is_fleeting(dom, id);
        let form = match dom.attr(id, Attr::Form) {
            Some(name) => {
                self.fields.waiting.push((out.document().fields.len(), name.into()));
                if own.is_none() {
                    self.fields.silent.insert(out.document().fields.len());
                }
                None
            }
            None => dom.owner(id).map(|form| self.fields.form(dom, form, out)),
        };
        if let Some(name) = dom.attr(id, Attr::List).filter(|_| self.fields.listed.len() < MOST_LISTED) {
            self.fields.listed.push((out.document().fields.len(), name.into()));
        }
        let fleeting = own.unwrap_or_else(|| form.is_some_and(|form| self.fields.fleeting.contains(&form)));
        out.document_mut().fields.push(Field {
            link,
            form,
            name: dom.attr(id, Attr::Name).unwrap_or_default().into(),
            kind,
            disabled,
            readonly: dom.has(id, Attr::Readonly),
            required: dom.has(id, Attr::Required),
            longest: dom.attr(id, Attr::Maxlength).and_then(|most| most.trim().parse().ok()),
            bounds: bounds(dom, id),
            suggestions: Vec::new(),
            hint: [Attr::Placeholder, Attr::Title, Attr::AriaLabel]
                .iter()
                .find_map(|a| words(dom.attr(id, *a)))
                .unwrap_or_default(),
            fleeting,
        });
        self.fields.turn_on(out.document().fields.len() - 1, dom.attr(id, Attr::Form), out);
    }

    fn select(&mut self, dom: &Dom, id: Id) -> FieldKind {
        let mut options: Vec<FieldOption> = Vec::new();
        for node in dom.within(id).filter(|node| dom.tag(*node) == Tag::Option) {
            if self.fields.options >= MOST_OPTIONS {
                self.fields.full = true;
                break;
            }
            self.fields.options += 1;
            let label =
                words(Some(&label_text(dom, node))).or_else(|| words(dom.attr(node, Attr::Label))).unwrap_or_default();
            let parent = dom.parent(node);
            let group = (dom.tag(parent) == Tag::Optgroup).then_some(parent);
            options.push(FieldOption {
                value: dom.attr(node, Attr::Value).unwrap_or(&label).into(),
                label,
                on: dom.has(node, Attr::Selected),
                disabled: dom.has(node, Attr::Disabled) || group.is_some_and(|group| dom.has(group, Attr::Disabled)),
                group: group.and_then(|group| group_name(dom, group)).unwrap_or_default(),
            });
        }
        let multiple = dom.has(id, Attr::Multiple);
        if !multiple {
            // one is always chosen: the last that says so, else the first that can be
            let last = options.iter().rposition(|option| option.on);
            let chosen = last.or_else(|| options.iter().position(|option| !option.disabled));
            options.iter_mut().enumerate().for_each(|(at, option)| option.on = Some(at) == chosen);
        }
        FieldKind::Select { options, multiple }
    }
}

/// Whether what is typed into a field, or into all of a form, is not to be kept; `None` where nothing is said of it.
fn is_fleeting(dom: &Dom, id: Id) -> Option<bool> {
    let said = dom.attr(id, Attr::Autocomplete)?.to_ascii_lowercase();
    let secret = ["off", "one-time-code", "current-password", "new-password"];
    let mut words = said.split_ascii_whitespace().peekable();
    words.peek()?;
    Some(words.any(|word| secret.contains(&word) || word.starts_with("cc-")))
}

/// Whether a field stands in a group that is disabled, but not in its first legend (HTML, 4.10.15). A page has no more depth
/// than its guard lets it.
fn is_barred(dom: &Dom, id: Id) -> bool {
    let around = std::iter::successors(Some(id), |id| Some(dom.parent(*id))).take_while(|id| *id != NONE);
    around.map(|inner| (inner, dom.parent(inner))).any(|(inner, outer)| {
        let is_group = dom.tag(outer) == Tag::Fieldset && dom.has(outer, Attr::Disabled);
        is_group && dom.children(outer).take(LEGEND).find(|child| dom.tag(*child) == Tag::Legend) != Some(inner)
    })
}

/// The name of a group of choices.
fn group_name(dom: &Dom, group: Id) -> Option<String> {
    let legend = || dom.children(group).take(LEGEND).find(|child| dom.tag(*child) == Tag::Legend);
    let label = match dom.attr(group, Attr::Label) {
        Some(label) => label[..label.floor_char_boundary(LONGEST_COPIED)].to_owned(),
        None => dom.some_text(legend()?, LONGEST_COPIED),
    };
    words(Some(&label))
}

fn method(value: &str) -> Option<Method> {
    match value.trim().to_ascii_lowercase().as_str() {
        "get" => Some(Method::Get),
        "post" => Some(Method::Post),
        "dialog" => Some(Method::Dialog),
        _ => None,
    }
}

fn encoding(value: &str) -> Option<Encoding> {
    match value.trim().to_ascii_lowercase().as_str() {
        "application/x-www-form-urlencoded" => Some(Encoding::Urlencoded),
        "multipart/form-data" => Some(Encoding::Multipart),
        "text/plain" => Some(Encoding::Plain),
        _ => None,
    }
}

fn sending(dom: &Dom, id: Id) -> Sending {
    Sending {
        action: dom.attr(id, Attr::Formaction).map(clean_reference),
        method: dom.attr(id, Attr::Formmethod).and_then(method),
        encoding: dom.attr(id, Attr::Formenctype).and_then(encoding),
        unchecked: dom.has(id, Attr::Formnovalidate),
    }
}

fn bounds(dom: &Dom, id: Id) -> Bounds {
    let word = |name| dom.attr(id, name).map(str::trim).unwrap_or_default().to_owned();
    let shortest = dom.attr(id, Attr::Minlength).and_then(|least| least.trim().parse().ok()).unwrap_or(0);
    Bounds { least: word(Attr::Min), most: word(Attr::Max), shortest, several: dom.has(id, Attr::Multiple) }
}

/// An `<input>`.
fn input(dom: &Dom, id: Id) -> FieldKind {
    let value = dom.attr(id, Attr::Value);
    let size = dom.attr(id, Attr::Size).and_then(|size| size.trim().parse().ok()).unwrap_or(WIDTH);
    let size = size.clamp(1, super::standing::WIDEST);
    let line_of = |kind, value: &str| FieldKind::Line { kind, value: value.replace(['\r', '\n'], ""), size };
    let line = |kind| line_of(kind, value.unwrap_or_default());
    let on = dom.has(id, Attr::Checked);
    let word = |default: &str| value.unwrap_or(default).to_string();
    match dom.attr(id, Attr::Type).unwrap_or_default().trim().to_ascii_lowercase().as_str() {
        "password" => line(LineKind::Password),
        "search" => line(LineKind::Search),
        "email" => line(LineKind::Email),
        "url" => line(LineKind::Url),
        "tel" => line(LineKind::Telephone),
        "number" => line(LineKind::Number),
        "range" => line_of(LineKind::Number, &range(dom, id)),
        "color" => line_of(LineKind::Text, &color(value.unwrap_or_default())),
        "date" | "time" | "month" | "week" | "datetime" | "datetime-local" => line(LineKind::Date),
        "checkbox" => FieldKind::Check { value: word("on"), on },
        "radio" => FieldKind::Radio { value: word("on"), on },
        "hidden" => FieldKind::Hidden(word("")),
        "file" => FieldKind::File { multiple: dom.has(id, Attr::Multiple) },
        "submit" => FieldKind::Submit { value: word("Submit"), sending: sending(dom, id) },
        "image" => FieldKind::Image(sending(dom, id)),
        "reset" => FieldKind::Reset,
        "button" => FieldKind::Button,
        _ => line(LineKind::Text),
    }
}

/// The number of a slider: never none, and between its ends; in their middle where the page says no number
/// (HTML, 4.10.5.1.13).
fn range(dom: &Dom, id: Id) -> String {
    let number = |name| dom.attr(id, name).and_then(|word| word.trim().parse::<f64>().ok()).filter(|n| n.is_finite());
    let least = number(Attr::Min).unwrap_or(0.0);
    let most = number(Attr::Max).unwrap_or(100.0);
    match number(Attr::Value) {
        Some(said) if said >= least && said <= most => dom.attr(id, Attr::Value).unwrap_or_default().trim().into(),
        Some(said) if most >= least => said.clamp(least, most).to_string(),
        None if most >= least => (least + (most - least) / 2.0).to_string(),
        _ => least.to_string(),
    }
}

/// A colour as it is sent: black where the page says none (HTML, 4.10.5.1.14).
fn color(said: &str) -> String {
    let hex = said.strip_prefix('#').filter(|hex| hex.len() == 6 && hex.bytes().all(|b| b.is_ascii_hexdigit()));
    hex.map_or_else(|| "#000000".into(), |hex| format!("#{}", hex.to_ascii_lowercase()))
}

/// A `<button>`.
fn button(dom: &Dom, id: Id) -> FieldKind {
    match dom.attr(id, Attr::Type).unwrap_or_default().trim().to_ascii_lowercase().as_str() {
        "reset" => FieldKind::Reset,
        "button" => FieldKind::Button,
        _ => {
            let value = dom.attr(id, Attr::Value).unwrap_or_default().into();
            FieldKind::Submit { value, sending: sending(dom, id) }
        }
    }
}

/// What stands on the page for a field; nothing for hidden ones, and for buttons without words that only scripts know.
fn shown(dom: &Dom, id: Id, tag: Tag, kind: &FieldKind, labelled: Option<&str>) -> Option<String> {
    let worded = || {
        let own = match tag {
            Tag::Button => words(Some(&label_text(dom, id))).or_else(|| picture(dom, id)),
            _ => [Attr::Value, Attr::Alt].iter().find_map(|name| words(dom.attr(id, *name))),
        };
        let own = own.or_else(|| words(labelled));
        own.or_else(|| [Attr::AriaLabel, Attr::Title].iter().find_map(|name| words(dom.attr(id, *name))))
    };
    let label = |default: &str| whole(&format!("[ {} ]", worded().as_deref().unwrap_or(default)));
    Some(match kind {
        FieldKind::Hidden(_) => return None,
        FieldKind::Button => whole(&format!("[ {} ]", worded()?)),
        FieldKind::Reset => label("Reset"),
        FieldKind::Image(_) | FieldKind::Submit { .. } => label("Submit"),
        _ => return standing(kind, &initial(kind)),
    })
}

/// The words for a picture in a button.
fn picture(dom: &Dom, id: Id) -> Option<String> {
    dom.within(id).filter(|node| dom.tag(*node) == Tag::Img).find_map(|img| words(dom.attr(img, Attr::Alt)))
}
