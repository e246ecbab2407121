//! Files for servers of Titan and of FTP: which one, by which token, and to whom; none is read before the reader has said yes to that.
//! What an FTP server has by its name is asked before. For Titan, where none
//! is named the reader's editor opens, on what is there if that is in view; what was written stays in its file until it has arrived. A
//! token is typed unseen, and neither shown nor kept.

use super::{arrival, go, refuse};
use crate::app::hands::question::{choice, confirm};
use crate::app::state::jobs::Errand;
use crate::app::state::{COMING, Cx};
use crate::app::{
    Consent, Effect, Entry, NotWritten, Opening, Overlay, Pending, PromptKind, Purpose, Sending, Sent, Way, transfer,
};
use crate::doc::sanitise;
use crate::format::{guess, human, media};
use crate::proto::{Content, Found, Put, There};
use crate::url::scheme::{self, Family, gemini};
use crate::url::{Url, escape};

/// As much of a file as tells what it is.
const SNIFF: usize = 512;
/// Octets of a name on the server that the file of what is written takes over.
const NAME: usize = 64;

/// `upload`: a file for the place of the page in view.
pub(in crate::app) fn here(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let url = cx.entry().map(|entry| entry.url.clone()).filter(|url| scheme::family(url) == Family::Gemini);
    match url.and_then(|url| gemini::upload_place(&url).ok()) {
        Some(place) => go(cx, Opening::followed(place)),
        None => {
            cx.say("only pages of Gemini space have a place for files");
            Vec::new()
        }
    }
}

/// A token that stands in the address is for the server alone: the place without it is what is shown and kept.
pub(super) fn veil(opening: &mut Opening) {
    if let Some(token) = opening.url.token() {
        // What comes behind it is none of it, but nobody may see that either.
        for secret in [token, token.split(';').next().unwrap_or_default()] {
            opening.veil.add(&String::from_utf8_lossy(&escape::decode(secret)));
        }
    }
    if opening.public().token().is_some()
        && let Ok(place) = gemini::upload_place(opening.public())
    {
        (opening.shown, opening.told) = (Some(place.clone()), Some(place));
    }
}

/// `put FILE`: a file into the FTP directory in view.
pub(in crate::app) fn put(cx: &mut Cx<'_>, path: &str) -> Vec<Effect> {
    let lists = |entry: &&Entry| entry.page.as_deref().is_some_and(|page| page.head.media == media::DIRECTORY);
    let here = cx.entry().filter(lists).map(|entry| entry.url.clone()).filter(is_ftp);
    let Some(here) = here else {
        let coming = cx.tab.is_loading();
        let what = "only directories of FTP servers take files; :upload sends them to Gemini space";
        cx.say(if coming { COMING } else { what });
        return Vec::new();
    };
    let opening = Opening { mirrors: Vec::new(), ..arrival::again(cx.sight(), here) };
    if path.is_empty() { ask(cx, opening) } else { named(cx, opening, path) }
}

fn is_ftp(url: &Url) -> bool {
    scheme::family(url) == Family::Ftp
}

/// Has the server asked what is there by the name of a file.
fn look(cx: &mut Cx<'_>, opening: Opening, path: &str) -> Vec<Effect> {
    let put = Put { path: transfer::whole(cx.sight(), path), agreed: None, length: None, goes_on: false };
    go(cx, Opening { sent: Some(Sent::File(put)), ..opening })
}

/// What is there is known: now the reader is asked.
pub(super) fn found(cx: &mut Cx<'_>, opening: Opening, found: &Found) -> Vec<Effect> {
    let Some(Sent::File(put)) = &opening.sent else { return Vec::new() };
    let put = Put { agreed: Some(found.there), length: Some(found.length), goes_on: false, ..put.clone() };
    let (name, size) = (sanitise(&found.name).into_owned(), human(found.length));
    let (there, yes) = match found.there {
        There::Nothing => (format!("Nothing there is called \"{name}\"."), "send"),
        There::Part(octets) => (
            format!("{} of it went there before. From the beginning, that would be replaced.", human(octets)),
            "from the beginning",
        ),
        There::Untold => {
            let said =
                format!("The server does not tell whether there is a \"{name}\": one that is there may be replaced.");
            (said, "send all the same")
        }
        There::Other(octets) => {
            let octets = octets.map(|octets| format!(" ({})", human(octets))).unwrap_or_default();
            (format!("There is a \"{name}\" there{octets}: it would be replaced."), "replace it")
        }
    };
    let host = opening.url.host().unwrap_or_default();
    let text = vec![
        format!("Read this file ({size}) and send it to {host}?"),
        put.path.clone(),
        opening.veil.over(opening.public().redacted()),
        there,
    ];
    let goes_on = matches!(found.there, There::Part(_)).then(|| choice('g', "go on"));
    let choices = goes_on.into_iter().chain([choice('y', yes), choice('n', "no")]).collect();
    let (path, opening) = (put.path.clone(), Opening { sent: Some(Sent::File(put)), ..opening });
    let sending = Sending { opening, path, fresh: None, token: String::new() };
    cx.hands.queue(Overlay::Question { text, choices, pending: Pending::Send(Box::new(sending)) });
    Vec::new()
}

/// Asks for the file.
pub(super) fn ask(cx: &mut Cx<'_>, opening: Opening) -> Vec<Effect> {
    let host = opening.url.host().unwrap_or_default();
    let label = match is_ftp(&opening.url) {
        true => format!("file for this directory of {host}"),
        false => format!("upload to {host} (a file, or none to write it)"),
    };
    let about = opening.public().clone();
    cx.hands.ask_for(Purpose::File(Box::new(opening)), PromptKind::Upload, &label, "", Some(about));
    Vec::new()
}

/// The file is named, or is to be written.
pub(in crate::app) fn named(cx: &mut Cx<'_>, opening: Opening, path: &str) -> Vec<Effect> {
    match path.trim() {
        "" if is_ftp(&opening.url) => return Vec::new(),
        "" => return write(cx, opening),
        _ => {}
    }
    // One that ends with a slash is a folder, which is said when it is read.
    let path = path.trim().trim_end_matches('/');
    if is_ftp(&opening.url) {
        return look(cx, opening, path);
    }
    chosen(cx, Sending { opening, path: path.into(), fresh: None, token: String::new() })
}

/// Begins a file for the reader's editor; of a private tab nothing is to survive the program.
fn write(cx: &mut Cx<'_>, opening: Opening) -> Vec<Effect> {
    if cx.desk.choices.safe {
        cx.complain("Nothing is written and no editor started: --safe forbids it.");
        return Vec::new();
    }
    let there = cx.entry().filter(|entry| {
        let place = gemini::upload_place(&entry.url).ok();
        scheme::family(&entry.url) == Family::Gemini && place == gemini::upload_place(&opening.url).ok()
    });
    let page = there.and_then(|entry| entry.page.as_deref()).filter(|page| !page.is_error());
    let text = page.filter(|page| page.head.media.starts_with("text/")).and_then(|page| page.whole_source());
    let fresh = text.map(|octets| octets.to_vec()).unwrap_or_default();
    let folder = if cx.tab.private { &cx.desk.choices.scratch } else { &cx.desk.choices.drafts };
    let day = cx.desk.now.as_ref().map(|now| now.strftime("%Y-%m-%d-%H%M%S").to_string()).unwrap_or_default();
    let name = opening.public().path().rsplit('/').next().unwrap_or_default().to_owned();
    let plain = name.len() <= NAME && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
    let name = if plain && name.contains('.') && !name.starts_with('.') { name } else { "page.gmi".into() };
    let path = format!("{folder}/uploads/{day}-{name}");
    let draft = Some(path.clone());
    let opening = Opening { draft, ..opening };
    begin(cx, Sending { opening, path, fresh: Some(fresh), token: String::new() })
}

fn begin(cx: &mut Cx<'_>, sending: Sending) -> Vec<Effect> {
    let (path, content) = (sending.path.clone(), sending.fresh.clone().unwrap_or_default());
    vec![Effect::Write { id: cx.job(Errand::Compose(Box::new(sending))), path, content, replace: false }]
}

/// The file is there, or not: the editor's turn.
pub(in crate::app) fn wrote(cx: &mut Cx<'_>, sending: Sending, result: Result<String, NotWritten>) -> Vec<Effect> {
    match result {
        Ok(path) => {
            let arguments = cx.desk.choices.editor_on(path.clone());
            let opening = Opening { draft: Some(path.clone()), ..sending.opening };
            let sending = Sending { path, opening, ..sending };
            vec![Effect::Run { id: cx.job(Errand::Compose(Box::new(sending))), arguments }]
        }
        Err(NotWritten::Exists(_)) => {
            let path = transfer::another(&sending.path);
            begin(cx, Sending { path, ..sending })
        }
        Err(NotWritten::Failed(sentence)) => {
            cx.complain(format!("no file can be written for the editor: {sentence}"));
            Vec::new()
        }
    }
}

/// The editor has ended.
pub(in crate::app) fn edited(cx: &mut Cx<'_>, sending: Sending, result: Result<(), String>) -> Vec<Effect> {
    match result {
        Ok(()) => chosen(cx, sending),
        Err(sentence) => {
            cx.complain(format!("{sentence} What you wrote is in {}.", sending.path));
            Vec::new()
        }
    }
}

/// A token may be wanted, if the address has none.
fn chosen(cx: &mut Cx<'_>, sending: Sending) -> Vec<Effect> {
    let about = sending.opening.public().clone();
    if sending.opening.url.token().is_some() {
        return told(cx, sending, "");
    }
    let sending = Box::new(sending);
    cx.hands.ask_for(Purpose::Token(sending), PromptKind::Password, "token, if it wants one", "", Some(about));
    // Most want none: one Enter too many after the file's name would have said so unseen.
    cx.hands.come_unseen();
    Vec::new()
}

/// The token is given: now the reader is asked.
pub(in crate::app) fn told(cx: &mut Cx<'_>, sending: Sending, token: &str) -> Vec<Effect> {
    let sending = Sending { token: token.trim().into(), ..sending };
    let host = sending.opening.url.host().unwrap_or_default();
    let what = if sending.fresh.is_some() { "Send what you wrote" } else { "Read this file and send it" };
    let text = vec![
        format!("{what} to {host}, in place of what is there?"),
        sending.path.clone(),
        sending.opening.veil.over(sending.opening.url.redacted()),
    ];
    cx.hands.queue(confirm(text, "send", Pending::Send(Box::new(sending))));
    Vec::new()
}

/// The reader's answer.
pub(in crate::app) fn agreed(cx: &mut Cx<'_>, mut sending: Sending, key: char) -> Vec<Effect> {
    if let (Some(Sent::File(put)), 'y' | 'g') = (&mut sending.opening.sent, key) {
        put.goes_on = key == 'g';
        let here = cx.entry().is_some_and(|entry| entry.url == sending.opening.url);
        let way = if here { Way::Reload } else { Way::New };
        return go(cx, Opening { way, ..sending.opening });
    }
    if key == 'y' {
        let path = sending.path.clone();
        return vec![Effect::Read { id: cx.job(Errand::Send(Box::new(sending))), path }];
    }
    cx.say(match sending.fresh {
        Some(_) => format!("nothing was sent; what you wrote is in {}", sending.path),
        None => "nothing was read, nothing was sent".into(),
    });
    Vec::new()
}

/// The file has been read, or could not be.
pub(in crate::app) fn read(cx: &mut Cx<'_>, sending: Sending, content: Result<Vec<u8>, String>) -> Vec<Effect> {
    let Sending { opening, path, fresh, token } = sending;
    let octets = match content {
        Ok(octets) => octets,
        Err(sentence) => {
            cx.complain(format!("Nothing was sent. {sentence}"));
            return Vec::new();
        }
    };
    if fresh.is_some_and(|fresh| fresh == octets) {
        cx.say("nothing was written, nothing was sent");
        return vec![Effect::Remove { id: cx.job(Errand::Removal(path.clone())), path }];
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    let media = guess::of_file(name, &octets[..octets.len().min(SNIFF)]);
    let mut veil = opening.veil.clone();
    let (mut url, mut shown) = (opening.url.clone(), opening.shown.clone());
    if !token.is_empty() {
        veil.add(&token);
        shown = Some(opening.public().clone());
        url = match gemini::with_token(&url, &token) {
            Ok(url) => url,
            Err(error) => return refuse(cx, &opening, error),
        };
    }
    let (sent, consent) = (Some(Sent::Body(Content { media, octets })), Consent::Agreed);
    go(cx, Opening { url, told: shown.clone(), shown, sent, veil, consent, ..opening })
}
