//! Files for servers of Titan: which one, by which token, and to whom; none is read before the reader has said yes to that. A token
//! is typed unseen, and neither shown nor kept.

use super::{go, refuse};
use crate::app::hands::question::confirm;
use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::{Consent, Effect, Opening, Pending, PromptKind, Purpose, Sending, Sent};
use crate::format::guess;
use crate::proto::Content;
use crate::url::escape;
use crate::url::scheme::{self, Family, gemini};

/// As much of a file as tells what it is.
const SNIFF: usize = 512;

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

/// Asks for the file.
pub(super) fn ask(cx: &mut Cx<'_>, opening: Opening) -> Vec<Effect> {
    let label = format!("upload to {} (a file)", opening.url.host().unwrap_or_default());
    let about = opening.public().clone();
    cx.hands.ask_for(Purpose::File(Box::new(opening)), PromptKind::Upload, &label, "", Some(about));
    Vec::new()
}

/// The file is named: a token may be wanted, if the address has none.
pub(in crate::app) fn named(cx: &mut Cx<'_>, opening: Opening, path: &str) -> Vec<Effect> {
    if path.trim().is_empty() {
        cx.say("nothing was read, nothing was sent");
        return Vec::new();
    }
    let about = opening.public().clone();
    let sending = Sending { opening, path: path.trim().into(), token: String::new() };
    if sending.opening.url.token().is_some() {
        return told(cx, sending, "");
    }
    let sending = Box::new(sending);
    cx.hands.ask_for(Purpose::Token(sending), PromptKind::Password, "token, if it wants one", "", Some(about));
    Vec::new()
}

/// The token is given: now the reader is asked.
pub(in crate::app) fn told(cx: &mut Cx<'_>, sending: Sending, token: &str) -> Vec<Effect> {
    let sending = Sending { token: token.trim().into(), ..sending };
    let host = sending.opening.url.host().unwrap_or_default();
    let text = vec![
        format!("Read this file and send it to {host}, in place of what is there?"),
        sending.path.clone(),
        sending.opening.veil.over(sending.opening.url.redacted()),
    ];
    cx.hands.queue(confirm(text, "send", Pending::Send(Box::new(sending))));
    Vec::new()
}

/// The reader's answer.
pub(in crate::app) fn agreed(cx: &mut Cx<'_>, sending: Sending, yes: bool) -> Vec<Effect> {
    if yes {
        let path = sending.path.clone();
        return vec![Effect::Read { id: cx.job(Errand::Send(Box::new(sending))), path }];
    }
    cx.say("nothing was read, nothing was sent");
    Vec::new()
}

/// The file has been read, or could not be.
pub(in crate::app) fn read(cx: &mut Cx<'_>, sending: Sending, content: Result<Vec<u8>, String>) -> Vec<Effect> {
    let Sending { opening, path, token } = sending;
    let octets = match content {
        Ok(octets) => octets,
        Err(sentence) => {
            cx.complain(format!("Nothing was sent. {sentence}"));
            return Vec::new();
        }
    };
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
