//! `about:schemes`: every scheme that is known by name, and what opens it here; `about:schemes?name=wais` is the page of one, with
//! what it was, what can still be done, and the rows of the settings that would open it (MISC-09, GATE-04).

use super::{Made, asked, words};
use crate::app::state::Cx;
use crate::config::Settings;
use crate::doc::{BlockKind, Builder, sanitise};
use crate::format::{Input, media, parse};
use crate::proto;
use crate::role::Role;
use crate::url::scheme::{self, Account, Act, Family};
use crate::url::{Url, UrlError};

/// Where the sentence on a scheme begins.
const COLUMN: u8 = 12;

/// What opens the URLs of a scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    /// Nobody else is needed.
    Itself,
    Proxy,
    Gateway,
    Program,
    /// A page that tells what it was.
    Account,
    /// Refused.
    Nobody,
}

impl By {
    const ALL: [By; 6] = [By::Itself, By::Proxy, By::Gateway, By::Program, By::Account, By::Nobody];

    fn heading(self) -> &'static str {
        match self {
            By::Itself => "Built in",
            By::Proxy => "Through the proxy that the settings name",
            By::Gateway => "By a gateway, from [gateways] in the settings",
            By::Program => "By a program, from [handlers] in the settings or from mailcap",
            By::Account => "Taken apart and explained; a gateway or a program may be named",
            By::Nobody => "Never opened",
        }
    }
}

/// What opens a scheme, and the gateway or the program, as it is set.
fn by(settings: &Settings, name: &str) -> (By, String) {
    let sample = Url::parse(format!("{name}://host.example/x")).ok();
    let family = sample.as_ref().map(scheme::family);
    let program = || settings.handler(name).map(|program| program.join(" "));
    if family == Some(Family::Nowhere) {
        return (By::Nobody, String::new());
    }
    // What has no account leads to what is spoken here, or is written here.
    let leads_on = scheme::account_of(name).is_none();
    if proto::find(name).is_some() || leads_on && family != Some(Family::Mail) {
        return (By::Itself, String::new());
    }
    if let Some(proxy) = sample.as_ref().and_then(|url| settings.http.proxies.of(url)) {
        return (By::Proxy, proxy.redacted());
    }
    match (settings.gateways.get(name), program()) {
        (Some(gateway), _) => (By::Gateway, gateway.clone()),
        (None, Some(program)) => (By::Program, program),
        (None, None) if leads_on => (By::Itself, String::new()),
        (None, None) => (By::Account, String::new()),
    }
}

/// Makes the page in view anew when it shows something else.
pub(super) fn tend(cx: &mut Cx<'_>) {
    let name = cx.entry().and_then(|entry| asked(&entry.url, "name"));
    let made = match name {
        Some(name) => one(&cx.desk.settings, &name),
        None => all(&cx.desk.settings, &words(cx.sight())),
    };
    super::show_other(cx, made);
}

/// The page of an address of `about:schemes`, in the notation of the program's own pages, for whoever prints it; `None` for any
/// other address.
pub fn schemes_page(settings: &Settings, url: &Url) -> Option<String> {
    if !url.is("about") || !scheme::about::page(url).is_ok_and(|name| name == "schemes") {
        return None;
    }
    if let Some(name) = asked(url, "name") {
        return Some(one(settings, &name).source);
    }
    let mut text = format!("# {TITLE}\n\n{SAID}\n");
    for group in By::ALL {
        let names: Vec<&str> = scheme::all().filter(|name| by(settings, name).0 == group).collect();
        if !names.is_empty() {
            text.push_str(&format!("\n## {}\n\n", group.heading()));
        }
        names.into_iter().for_each(|name| text.push_str(&format!("{name}\t{}\n", scheme::explain(name))));
    }
    Some(text)
}

/// What became of the scheme of an address that nothing here opens, in the same notation; `None` where there is nothing to tell.
pub fn unopened_page(url: &Url) -> Option<String> {
    let plan = scheme::plan(url).map(|plan| plan.act);
    let is_unopened = matches!(plan, Ok(Act::Handler(_)) | Err(UrlError::Unsupported(_)));
    Some(account_for(url)).filter(|text| is_unopened && !text.is_empty())
}

const TITLE: &str = "Schemes of addresses";
const SAID: &str = "What stands before the colon of an address says how it is reached.";

fn all(settings: &Settings, words: &str) -> Made {
    let wanted: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let mut out = Builder::new();
    let title = TITLE;
    out.document_mut().title = Some(title.into());
    out.block(BlockKind::Heading(1), Role::Heading);
    out.text(title);
    let rows: Vec<(&str, By)> = scheme::all()
        .map(|name| (name, by(settings, name).0))
        .filter(|(name, by)| {
            let text = format!("{name} {} {}", scheme::explain(name), by.heading()).to_lowercase();
            wanted.iter().all(|word| text.contains(word))
        })
        .collect();
    let said = if rows.is_empty() { super::none_with(words, SAID) } else { SAID.into() };
    out.block(BlockKind::Line, Role::Dim);
    out.text(&said);
    let mut source = format!("{title}\n{said}\n");
    for group in By::ALL {
        let names: Vec<&str> = rows.iter().filter(|(_, by)| *by == group).map(|(name, _)| *name).collect();
        if names.is_empty() {
            continue;
        }
        out.block(BlockKind::Line, Role::Text);
        out.block(BlockKind::Heading(2), Role::Heading);
        out.text(group.heading());
        source.push_str(&format!("\n{}\n", group.heading()));
        for name in names {
            out.block(BlockKind::Labelled(COLUMN), Role::Text);
            out.link(name, Role::Link, &address(name));
            out.text(&" ".repeat(usize::from(COLUMN).saturating_sub(name.len()).max(1)));
            out.text(scheme::explain(name));
            source.push_str(&format!("{name}\t{}\n", scheme::explain(name)));
        }
    }
    Made { document: out.finish(), source }
}

/// The page of a scheme.
fn address(name: &str) -> String {
    format!("about:schemes?name={}", super::encoded(name))
}

fn one(settings: &Settings, name: &str) -> Made {
    let name = name.to_ascii_lowercase();
    let port = scheme::default_port(&name).map(|port| format!("port\t{port}\n")).unwrap_or_default();
    let (by, how) = by(settings, &name);
    let how = if how.is_empty() { how } else { format!(": {how}") };
    let mut text = format!("# {}:\n\n{}\n\n", sanitise(&name), scheme::explain(&name));
    text.push_str(&format!("opened\t{}{how}\n{port}", by.heading()));
    text.push_str(&format!("said in\t{}\n\n", scheme::section(&name)));
    text.push_str(&account(&name));
    text.push_str("=> about:schemes All schemes\n");
    let input = |url| Input {
        media: media::OWN.to_owned(),
        charset: None,
        groups: Default::default(),
        url,
        notices: Vec::new(),
    };
    let document = Url::parse("about:schemes").ok().and_then(|url| parse(&input(url), text.as_bytes()));
    Made { document: document.unwrap_or_default(), source: text }
}

/// What became of a scheme, in the notation of the program's own pages; nothing for those that are built in.
pub(in crate::app) fn account(scheme: &str) -> String {
    let Some(Account { was, still, gateway, program, package }) = scheme::account_of(scheme) else {
        return String::new();
    };
    let key = scheme.to_ascii_lowercase();
    let plain = key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let key = if plain { key } else { format!("\"{key}\"") };
    let mut text = format!("{was}\n\n## What can be done\n\n{still}\n\n");
    if !gateway.is_empty() {
        text.push_str(&format!(
            "For the settings, with the gateway that you know:\n\n```\n[gateways]\n{key} = \"{gateway}\"\n```\n\n"
        ));
    }
    if !program.is_empty() {
        let words: Vec<String> = program.iter().map(|word| format!("\"{word}\"")).collect();
        let from = if package.is_empty() { String::new() } else { format!(" (Debian has it as {package})") };
        let words = words.join(", ");
        text.push_str(&format!(
            "For the settings, with a program{from}:\n\n```\n[handlers]\n{key} = [{words}]\n```\n\n"
        ));
    }
    text
}

/// The account of a URL's scheme, and links to where it may be had all the same.
pub(in crate::app) fn account_for(url: &Url) -> String {
    let mut text = account(url.scheme());
    if text.is_empty() {
        return text;
    }
    if let Some((other, what)) = scheme::instead(url) {
        text.push_str(&format!("=> {} {}: {}\n", other.as_str(), sanitise(&what), other.redacted()));
    }
    text.push_str("=> about:schemes All schemes, and what opens each\n");
    text
}
