//! Sending a form: what must be filled in first, the request it makes, and what the reader is told before it goes
//! (HTML, 4.10.21).

use super::{checks, live, page, upload};
use crate::app::motion::focus;
use crate::app::page::fields::{Secrets, Submitted};
use crate::app::page::veil::Veil;
use crate::app::page::{Sender, fields};
use crate::app::state::Cx;
use crate::app::{Consent, Effect, Entry, Opening, Page, Sent, Sight};
use crate::doc::{Document, Encoding, Field, FieldKind, LineKind, Method};
use crate::format::html::{self, Submission, Value};
use crate::proto::Content;
use crate::url::scheme::{self, Family, http};
use crate::url::{Url, UrlError, escape};
use std::collections::HashSet;

/// What a form asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    pub url: Url,
    /// The body of a POST.
    pub content: Option<Content>,
    /// What is lost on the way to a scheme that takes no answers.
    pub loses: bool,
}

/// A button was pressed.
pub(super) fn submit(cx: &mut Cx<'_>, form: Option<u32>, button: Option<usize>) -> Vec<Effect> {
    let Some(form) = form else {
        cx.say("this button belongs to no form");
        return Vec::new();
    };
    let sender = Sender { form, button };
    if let Some((number, why)) = amiss(cx.sight(), sender) {
        let words = page(cx.sight()).map(|(_, page)| page.given().field_label(number)).unwrap_or_default();
        cx.complain(format!("not sent: {words} {why}"));
        let link = super::field(cx.sight(), number).and_then(|field| field.link);
        let shown = page(cx.sight()).and_then(|(_, page)| page.shown_link(link?));
        if let Some(link) = shown {
            focus::go_to(cx, link);
        }
        return Vec::new();
    }
    upload::before(cx, sender).unwrap_or_else(|| {
        let values = cx.entry().and_then(|entry| Some(entry.values(entry.page.as_deref()?.given(), Secrets::Sent)));
        send(cx, sender, &values.unwrap_or_default())
    })
}

/// Enter in the only line of a form sends it, and so does Enter in a search field without a form (ISINDEX).
pub(super) fn implicitly(cx: &mut Cx<'_>, number: usize, field: &Field) -> Vec<Effect> {
    let Some((entry, page)) = page(cx.sight()) else { return Vec::new() };
    let fields = &page.given().fields;
    if is_index(field) {
        let Value::Text(words) = entry.value(number, field) else { return Vec::new() };
        let action = field.form.and_then(|form| page.given().forms.get(form as usize)).map(|form| form.action.as_str());
        let asked = entry.bases.resolve_action(action.unwrap_or_default());
        return match asked.and_then(|url| http::searching(&url, &words)) {
            Ok(_) if words.is_empty() => Vec::new(),
            Ok(url) => {
                let sender = field.form.map(|form| Sender { form, button: None });
                let submitted = sender.and_then(|sender| submitted(entry, sender));
                cx.open(Opening { submitted, ..Opening::followed(url) });
                Vec::new()
            }
            Err(error) => complain(cx, &error),
        };
    }
    let Some(form) = field.form else { return onward(cx) };
    let of_form = || fields.iter().enumerate().filter(|(_, field)| field.form == Some(form));
    let lines = of_form().filter(|(_, field)| matches!(field.kind, FieldKind::Line { .. }) && !field.disabled).count();
    if lines != 1 {
        return onward(cx);
    }
    let button = of_form().find(|(_, field)| matches!(field.kind, FieldKind::Submit { .. } | FieldKind::Image(_)));
    match button {
        Some((_, button)) if button.disabled => Vec::new(),
        button => {
            let button = button.map(|(number, _)| number);
            submit(cx, Some(form), button)
        }
    }
}

/// Enter in a line that sends nothing: where typing fills fields in, the next one.
fn onward(cx: &mut Cx<'_>) -> Vec<Effect> {
    if cx.desk.keymap.fields { live::go_on(cx, false) } else { Vec::new() }
}

/// The field of a page that is searched as a whole: it has no name to send words under.
fn is_index(field: &Field) -> bool {
    field.name.is_empty() && matches!(field.kind, FieldKind::Line { kind: LineKind::Search, .. })
}

fn complain(cx: &mut Cx<'_>, error: &UrlError) -> Vec<Effect> {
    cx.complain(error.to_string());
    Vec::new()
}

/// The first field whose value the form is not to be sent with, and why not. Pages may send their forms unchecked.
fn amiss(sight: Sight<'_>, sender: Sender) -> Option<(usize, String)> {
    let (entry, page) = page(sight)?;
    let document = page.given();
    let button = sender.button.and_then(|button| document.fields.get(button)).map(|field| &field.kind);
    let unchecked = match button {
        Some(FieldKind::Submit { sending, .. } | FieldKind::Image(sending)) => sending.unchecked,
        _ => false,
    };
    if unchecked || document.forms.get(sender.form as usize).is_some_and(|form| form.unchecked) {
        return None;
    }
    let of_form = document.fields.iter().enumerate().filter(|(_, field)| field.form == Some(sender.form));
    let wrong = of_form
        .filter(|(_, field)| matches!(field.kind, FieldKind::Line { .. } | FieldKind::Text(_)))
        .find_map(|(at, field)| Some((at, checks::wrong(field, &entry.value(at, field))?)));
    let missing = missing(sight, sender.form).map(|at| (at, "must be filled in".to_owned()));
    missing.into_iter().chain(wrong).min_by_key(|(at, _)| *at)
}

/// The first field that must be filled in and is not.
fn missing(sight: Sight<'_>, form: u32) -> Option<usize> {
    let (entry, page) = page(sight)?;
    let fields = &page.given().fields;
    // The groups of which one is on.
    let radios = fields.iter().enumerate().filter(|(_, field)| matches!(field.kind, FieldKind::Radio { .. }));
    let chosen: HashSet<&str> = radios
        .filter(|(at, field)| field.form == Some(form) && entry.value(*at, field) == Value::On(true))
        .map(|(_, field)| field.name.as_str())
        .collect();
    let empty = |number: usize, field: &Field| match (&field.kind, entry.value(number, field)) {
        (_, Value::Text(text)) => text.is_empty(),
        (FieldKind::Radio { .. }, Value::On(_)) => !chosen.contains(field.name.as_str()),
        (_, Value::On(on)) => !on,
        (FieldKind::Select { options, .. }, Value::Chosen(chosen)) => {
            chosen.iter().all(|at| options.get(*at).is_none_or(|option| option.value.is_empty()))
        }
        (_, Value::Chosen(chosen)) => chosen.is_empty(),
        (_, Value::Files(files)) => files.is_empty(),
    };
    let asked = |field: &Field| field.form == Some(form) && field.required && !field.disabled && !field.readonly;
    let button = |field: &Field| matches!(field.kind, FieldKind::Submit { .. } | FieldKind::Image(_));
    let found = fields.iter().enumerate().find(|(at, field)| asked(field) && !button(field) && empty(*at, field));
    found.map(|(at, _)| at)
}

/// Sends a form, all values at hand.
pub(super) fn send(cx: &mut Cx<'_>, sender: Sender, values: &[Value]) -> Vec<Effect> {
    let asked = match asked(cx.sight(), sender, values) {
        None => {
            cx.say("this button closes a dialogue of a script; nothing is sent");
            return Vec::new();
        }
        Some(Err(error)) => return complain(cx, &error),
        Some(Ok(asked)) => asked,
    };
    let Some(entry) = cx.entry() else { return Vec::new() };
    let doubt = doubt(entry, sender, &asked);
    let secret = asked.content.is_none() && holds_secret(entry, sender);
    let hidden =
        secret.then(|| page(cx.sight()).map(|(entry, page)| entry.values(page.given(), Secrets::Hidden))).flatten();
    let shown = hidden.and_then(|values| match self::asked(cx.sight(), sender, &values) {
        Some(Ok(asked)) => Some(asked.url),
        _ => None,
    });
    if is_on_its_way(cx.sight(), &asked) {
        cx.say("this form is on its way already");
        return Vec::new();
    }
    let sent = match (asked.content, &shown) {
        (Some(content), _) => Some(Sent::Body(content)),
        (None, Some(_)) => Some(Sent::Secret(asked.url.clone())),
        (None, None) => None,
    };
    let (submitted, veil) = (submitted(entry, sender), veil(entry, sender));
    let goes = scheme::family(&asked.url) != Family::Web;
    let told = shown.clone();
    cx.open(Opening { shown, told, sent, doubt, submitted, veil, ..Opening::followed(asked.url) });
    if let Some(entry) = cx.entry_mut().filter(|_| goes) {
        // A letter or a program has it now: nobody answers.
        entry.filled.sent(Some(sender.form));
    }
    Vec::new()
}

/// The form as one that is sent from here.
fn submitted(entry: &Entry, sender: Sender) -> Option<Box<Submitted>> {
    let page = entry.page.as_deref()?;
    Some(Box::new(Submitted { page: page.id, form: sender.form }))
}

/// What nobody may see of a form's answers: what was typed into its fields for passwords.
fn veil(entry: &Entry, sender: Sender) -> Veil {
    let mut veil = Veil::default();
    let fields = entry.page.iter().flat_map(|page| page.given().fields.iter().enumerate());
    for (number, field) in fields.filter(|(_, field)| field.form == Some(sender.form) && fields::is_secret(field)) {
        if let Value::Text(text) = entry.value(number, field) {
            veil.add(&text);
        }
    }
    veil
}

/// A server has answered what was sent: nothing of it is lost any more.
pub(in crate::app) fn answered(cx: &mut Cx<'_>) {
    let submitted = cx.tab.loading.as_ref().and_then(|loading| loading.opening.submitted.as_deref());
    let Some((of, form)) = submitted.map(|submitted| (submitted.page, submitted.form)) else { return };
    let is_it = |entry: &&mut Entry| entry.page.as_deref().is_some_and(|page| page.id == of);
    if let Some(entry) = cx.tab.history.iter_mut().find(is_it) {
        entry.filled.sent(Some(form));
    }
}

/// Whether the very same is being sent in this tab: pressed twice, a form with a body would be sent twice.
fn is_on_its_way(sight: Sight<'_>, asked: &Asked) -> bool {
    let (Some(content), Some(loading)) = (&asked.content, &sight.tab.loading) else { return false };
    let same = loading.opening.url == asked.url || !loading.opening.hops.is_empty();
    same && matches!(&loading.opening.sent, Some(Sent::Body(sent)) if sent == content)
}

/// Whether a password goes with a form.
fn holds_secret(entry: &Entry, sender: Sender) -> bool {
    let fields = entry.page.iter().flat_map(|page| page.given().fields.iter().enumerate());
    fields
        .filter(|(_, field)| field.form == Some(sender.form) && fields::is_secret(field) && !field.disabled)
        .any(|(number, field)| entry.value(number, field) != Value::Text(String::new()))
}

/// What the reader is told before a form goes.
fn doubt(entry: &Entry, sender: Sender, asked: &Asked) -> Option<String> {
    let mut said = Vec::new();
    if asked.loses {
        said.push(format!("A form cannot be sent by {}: only the address is opened.", asked.url.scheme()));
    }
    let secure = entry.page.as_deref().map_or(&entry.url, |page| &page.head.url).is("https");
    if secure && asked.url.is("http") {
        said.push("The page came over TLS, but its form goes out in clear text, readable on the way.".into());
    }
    if asked.content.is_none() && !asked.loses && holds_secret(entry, sender) {
        said.push("The password would be part of the address, which servers write into their logs.".into());
    }
    (!said.is_empty()).then(|| said.join(" "))
}

/// What a form asks for with these values. `None` when it sends nothing.
pub(super) fn asked(sight: Sight<'_>, sender: Sender, values: &[Value]) -> Option<Result<Asked, UrlError>> {
    let (entry, page) = page(sight)?;
    let document = page.given();
    let charset = charset(page);
    let of = |boundary: &str| html::submission(document, sender.form, values, sender.button, (&charset, boundary));
    let mut submission = of(BOUNDARY)?;
    if submission.content_type.as_deref().is_some_and(|media| media.starts_with("multipart/")) {
        submission = of(&boundary(&submission.body))?;
    }
    if submission.method == Method::Dialog {
        return None;
    }
    Some(addressed(entry, document, sender, submission))
}

/// What parts the values of a form until all of it is known.
const BOUNDARY: &str = "wayfarer--form";

/// A boundary that occurs nowhere in a body: made of its digest, which no value can hold that is a part of it.
fn boundary(body: &[u8]) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, body);
    digest.as_ref().iter().take(16).fold(String::from("wayfarer-"), |mut text, octet| {
        text.push_str(&format!("{octet:02x}"));
        text
    })
}

/// The charset of the page: what it was read by, and of one that is still arriving what its server says.
fn charset(page: &Page) -> String {
    let read = page.given().charset.as_ref().map(|read| read.name.clone());
    read.or_else(|| page.head.charset.clone()).unwrap_or_else(|| "utf-8".into())
}

/// The request by the action's scheme (HTML, 4.10.21.3, step 21).
fn addressed(entry: &Entry, document: &Document, sender: Sender, submission: Submission) -> Result<Asked, UrlError> {
    let action = entry.bases.resolve_action(&submission.action)?;
    let Submission { method, query, content_type, body, .. } = submission;
    let asked = |url| Asked { url, content: None, loses: false };
    if action.is("mailto") {
        let plain = encoding(document, sender) == Encoding::Plain;
        return mail(&action, method, query.unwrap_or_default(), &body, plain).map(asked);
    }
    if scheme::family(&action) != Family::Web {
        return Ok(Asked { url: action, content: None, loses: true });
    }
    match query {
        Some(query) => with_query(&action, &query).map(asked),
        None => {
            let media = content_type.unwrap_or_default();
            Ok(Asked { url: action, content: Some(Content { media, octets: body }), loses: false })
        }
    }
}

fn encoding(document: &Document, sender: Sender) -> Encoding {
    let button = sender.button.and_then(|button| document.fields.get(button)).and_then(|field| match &field.kind {
        FieldKind::Submit { sending, .. } | FieldKind::Image(sending) => sending.encoding,
        _ => None,
    });
    button.or_else(|| document.forms.get(sender.form as usize).map(|form| form.encoding)).unwrap_or_default()
}

/// The action with another query; its fragment stays.
fn with_query(action: &Url, query: &str) -> Result<Url, UrlError> {
    let bare = action.without_fragment();
    let path = bare.as_str().split('?').next().unwrap_or_default();
    let fragment = action.fragment().map(|fragment| format!("#{fragment}")).unwrap_or_default();
    Url::parse(format!("{path}?{query}{fragment}"))
}

/// A form sent by mail: its values are the letter's fields, or its text. In a mail's URL a plus is a plus (RFC 6068, 5).
fn mail(action: &Url, method: Method, query: String, body: &[u8], plain: bool) -> Result<Url, UrlError> {
    if method == Method::Get {
        return with_query(action, &query.replace('+', "%20"));
    }
    let text = if plain { body.to_vec() } else { String::from_utf8_lossy(body).replace('+', "%20").into_bytes() };
    let body = format!("body={}", escape::encode(&text, b""));
    let before = action.query().filter(|query| !query.is_empty()).map(|query| format!("{query}&")).unwrap_or_default();
    with_query(action, &format!("{before}{body}"))
}

/// An opening of a page that was sent for, once more; what was sent is not sent again without a word.
pub(in crate::app) fn resent(entry: &Entry, opening: Opening) -> Opening {
    if let Some(Sent::Thread(_) | Sent::Parts(_) | Sent::File(_)) = &entry.sent {
        return Opening { sent: entry.sent.clone(), ..opening };
    }
    let Some(sent) = entry.sent.clone() else {
        let answers =
            scheme::family(&opening.url) == Family::Spartan && opening.url.query().is_some_and(|q| !q.is_empty());
        let doubt = "This page is the answer to words that were sent. To get it again, they are sent again.";
        let asks = |opening| Opening { doubt: Some(doubt.into()), consent: Consent::Followed, ..opening };
        return if answers { asks(opening) } else { opening };
    };
    if entry.url.is("titan") {
        // Which file it was, and by which token, is not known any more.
        let doubt = "This page is the answer to a file that was sent. To get it again, you name the file again.";
        return Opening { doubt: Some(doubt.into()), consent: Consent::Followed, ..opening };
    }
    let doubt = match &sent {
        Sent::Body(_) | Sent::Thread(_) | Sent::Parts(_) | Sent::File(_) => {
            "This page is the answer to a form. To get it again, the form is sent again."
        }
        Sent::Secret(_) => "This page was asked for with a password in its address, which is sent again.",
    };
    let (url, shown, told) = match &sent {
        Sent::Body(_) | Sent::Thread(_) | Sent::Parts(_) | Sent::File(_) => {
            (opening.url.clone(), opening.shown.clone(), None)
        }
        Sent::Secret(url) => (url.clone(), Some(opening.url.clone()), Some(opening.url.clone())),
    };
    Opening { url, shown, told, sent: Some(sent), doubt: Some(doubt.into()), consent: Consent::Followed, ..opening }
}
