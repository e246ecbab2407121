//! How drafts begin: an answer to the article in view, a new article, a mail; an end or a successor of an own article.

use super::{begin_with, link, take};
use crate::app::state::Cx;
use crate::app::state::intent::Intent;
use crate::app::state::jobs::{Answer, Errand};
use crate::app::{Consent, Effect, Letter, Opening, PageId, PageState, Sight, news as reading};
use crate::doc::sanitise;
use crate::format::{count, media, message};
use crate::news::{self, Mailbox, Manner, Original};
use crate::url::scheme::{self, Family, mailto::Mailto, news as news_url, nntp::Nntp};
use crate::url::{Url, UrlError, escape};
use crate::work::{Quote, Work};
use std::sync::Arc;

/// Octets of a quote that goes into a mail program's argument.
const MOST_IN_URL: usize = 16 * 1024;
/// Letters of a header that are shown where it makes no sense.
const SHOWN: usize = 200;

/// What a command is told when it is run again on the article that it had opened.
const OPENED: &str = "opened";

/// Has the article in view read, to be answered; says why there is none. The one under focus on its group's page is opened first, and
/// then the command is run again.
fn quote(cx: &mut Cx<'_>, answer: Answer, (command, words): (&'static str, &str)) -> Vec<Effect> {
    if words.trim() != OPENED && reading::is_at_article(cx) {
        cx.intend(Intent::Steps(command, vec!["follow".into(), format!("{command} {OPENED}")]));
        return Vec::new();
    }
    let page = cx.entry().and_then(|entry| entry.page.as_deref()).filter(|page| page.head.media == media::MESSAGE);
    let Some(page) = page else {
        cx.complain("this is no article; open one to answer it");
        return Vec::new();
    };
    if cx.tab.is_loading() {
        // Whoever types ahead means the one that comes, and not whoever wrote this one.
        cx.complain("another page is still arriving: answer when it is here, or stop it first");
        return Vec::new();
    }
    let charset = cx.sight().said_of(&page.head.url, None);
    let (number, url) = (page.id, page.head.url.clone());
    let Some(octets) = page.whole_source().map(Arc::clone) else {
        cx.complain(match &page.state {
            PageState::Arriving => "the article is still arriving",
            _ => "this article is larger than 32 MiB: it was not kept as it came, and cannot be quoted",
        });
        return Vec::new();
    };
    let work = Work::Quote(Box::new(Quote { octets, charset, url }));
    vec![Effect::Work { id: cx.job(Errand::Quote(number, answer)), work }]
}

/// It was read: it is answered, if it is still what the reader looks at.
pub(in crate::app) fn quoted(cx: &mut Cx<'_>, page: PageId, answer: Answer, original: Option<Original>) -> Vec<Effect> {
    if cx.entry().and_then(|entry| entry.page.as_deref()).is_none_or(|here| here.id != page) {
        return Vec::new();
    }
    let Some(original) = original else {
        cx.complain("this article does not say who wrote it");
        return Vec::new();
    };
    match answer {
        Answer::Followup => follow_up(cx, &original),
        Answer::Mail => mail_to_author(cx, &original),
        Answer::Forward => hand_on(cx, &original),
        Answer::Cancel | Answer::Supersede => take_back(cx, &original, answer),
    }
}

/// `cancel-article`: an order to take the article in view back. It is looked at, and then goes or not.
pub(in crate::app) fn cancel(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    quote(cx, Answer::Cancel, ("cancel-article", words))
}

/// `supersede`: an article in the place of the one in view, which begins with its text.
pub(in crate::app) fn supersede(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    quote(cx, Answer::Supersede, ("supersede", words))
}

/// Only for an article of the reader's own: whoever takes away what others wrote is a vandal (RFC 5537, 5.3).
fn take_back(cx: &mut Cx<'_>, original: &Original, answer: Answer) -> Vec<Effect> {
    let server = server_in_view(cx.sight());
    let from = cx.desk.settings.news.posting.from.clone();
    let words = if answer == Answer::Cancel { "cancelled" } else { "replaced" };
    let own = Mailbox::author(&from).map(|own| own.address).unwrap_or_default();
    let is_own = |author: &str| !own.is_empty() && own.eq_ignore_ascii_case(author);
    if !is_own(&original.address) && !original.authors.iter().any(|author| is_own(&author.address)) {
        let whose = if own.is_empty() { "news.from does not say who you are".into() } else { format!("you are {own}") };
        cx.complain(format!("only what you wrote can be {words}: this is by {}, {whose}", original.address));
        return Vec::new();
    }
    let manner = manner(cx.sight(), server.as_deref());
    let text = match answer {
        Answer::Cancel => original.cancel(&manner),
        _ => original.superseding(&Manner { signature: "", ..manner }),
    };
    let Some(text) = text.filter(|_| !original.groups.is_empty()) else {
        cx.complain(format!("this message has no id or is in no group: it cannot be {words}"));
        return Vec::new();
    };
    match answer {
        Answer::Cancel => {
            let note = format!(
                "This asks all servers to delete \"{}\". Not all do, and readers may have it.",
                original.subject
            );
            let letter = Letter { fresh: text.into_bytes(), complete: true, note, ..Letter::default() };
            begin_with(cx, "cancel", letter)
        }
        _ => take(cx, &original.subject, text),
    }
}

/// `followup`: an answer in the groups, or where the author wants it.
pub(in crate::app) fn followup(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    quote(cx, Answer::Followup, ("followup", words))
}

fn follow_up(cx: &mut Cx<'_>, original: &Original) -> Vec<Effect> {
    if original.wants_mail() {
        let effects = mail_to_author(cx, original);
        cx.say("the author asks for answers by mail (Followup-To: poster)");
        return effects;
    }
    if original.groups.is_empty() && original.followup_to.is_empty() {
        cx.complain("this message is in no newsgroup; answer its author by mail");
        return Vec::new();
    }
    let server = server_in_view(cx.sight());
    let text = original.followup(&manner(cx.sight(), server.as_deref()));
    let moved = !original.followup_to.is_empty() && original.followup_to != original.groups;
    let note = match moved {
        true => {
            let (from, to) = (original.groups.join(", "), original.followup_to.join(", "));
            format!("The article is in {from}; its author wants answers in {to} (Followup-To), so this goes there.")
        }
        false => String::new(),
    };
    let effects =
        begin_with(cx, &original.answer_subject(), Letter { fresh: text.into_bytes(), note, ..Letter::default() });
    if moved && !effects.is_empty() {
        cx.say(format!("the author wants answers in {} (Followup-To)", original.followup_to.join(", ")));
    }
    effects
}

/// `post`, or `post GROUP`: a new article.
pub(in crate::app) fn post(cx: &mut Cx<'_>, named: &str) -> Vec<Effect> {
    let groups = match named.trim() {
        "" => reading::group_under_focus(cx).map_or_else(|| groups_in_view(cx.sight()), |group| vec![group]),
        named => named.split([',', ' ']).filter(|group| !group.is_empty()).map(Into::into).collect(),
    };
    let server = server_in_view(cx.sight());
    let text = news::new_article(&groups, &manner(cx.sight(), server.as_deref()));
    take(cx, groups.first().map_or("article", String::as_str), text)
}

/// `reply-mail`: an answer to the author.
pub(in crate::app) fn reply_mail(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    quote(cx, Answer::Mail, ("reply-mail", words))
}

fn mail_to_author(cx: &mut Cx<'_>, original: &Original) -> Vec<Effect> {
    let note = whom(original);
    if original.replies.is_empty() {
        cx.say(note.clone());
    }
    if is_written_here(cx.sight()) {
        let fresh = original.mail(&manner(cx.sight(), None)).into_bytes();
        return begin_with(cx, &original.answer_subject(), Letter { fresh, note, ..Letter::default() });
    }
    if !note.is_empty() {
        cx.say(note);
    }
    let mut body = String::new();
    original.quote(&manner(cx.sight(), None), &mut body);
    hand_over(cx, mailto(&original.replies, &original.answer_subject(), &original.id, body))
}

/// `forward-mail`: the text of the article in view, by mail to somebody whom the reader names.
pub(in crate::app) fn forward(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    quote(cx, Answer::Forward, ("forward-mail", words))
}

fn hand_on(cx: &mut Cx<'_>, original: &Original) -> Vec<Effect> {
    let subject = original.forward_subject();
    if is_written_here(cx.sight()) {
        let fresh = original.forward(&manner(cx.sight(), None)).into_bytes();
        let note = "The text of the article goes along, and no files of it.".into();
        return begin_with(cx, &subject, Letter { fresh, note, ..Letter::default() });
    }
    let mut body = String::new();
    original.handed_on(&mut body);
    hand_over(cx, mailto(&[], &subject, "", body))
}

/// Whether mails are written in the reader's editor: where somebody takes what is written there; a mail program's arguments hold a
/// short mail at best.
fn is_written_here(sight: Sight<'_>) -> bool {
    sight.desk.choices.takes_mail || sight.desk.settings.handler("mailto").is_none()
}

/// The mail program has it.
fn hand_over(cx: &mut Cx<'_>, url: Result<Url, UrlError>) -> Vec<Effect> {
    match url {
        Ok(url) => {
            let opening = Opening { consent: Consent::Agreed, ..Opening::followed(url) };
            cx.intend(Intent::HandOver(Box::new(opening)));
        }
        Err(error) => cx.complain(error.to_string()),
    }
    Vec::new()
}

/// What there is to say of where an answer goes, if that is not to the author and nobody else.
fn whom(original: &Original) -> String {
    let to: Vec<&str> = original.replies.iter().map(|one| one.address.as_str()).collect();
    match to.as_slice() {
        [] => "This article names no address to answer to: write one behind To.".into(),
        _ if !original.astray.is_empty() => {
            let said: String = original.astray.chars().take(SHOWN).collect();
            format!("Its Reply-To names nobody that could be told for sure, so this goes to the author: {said}")
        }
        [one] if one.eq_ignore_ascii_case(&original.address) => String::new(),
        to if original.replies == original.authors => {
            format!("It has {} authors, and this goes to all of them: {}.", count(to.len()), to.join(", "))
        }
        to => format!("The author, {}, wants answers at {} (Reply-To).", original.address, to.join(", ")),
    }
}

/// RFC 6068, for the mail program; it has its own signature. A text that is too long for an argument is cut.
fn mailto(to: &[Mailbox], subject: &str, answered: &str, mut body: String) -> Result<Url, UrlError> {
    if body.len() > MOST_IN_URL {
        body.truncate(body[..body.floor_char_boundary(MOST_IN_URL)].rfind('\n').map_or(0, |end| end + 1));
        body.push_str("> […]\n");
    }
    let encode = |text: &str| escape::encode(text.as_bytes(), b"");
    let to: Vec<String> = to.iter().map(|a| escape::encode(a.address.as_bytes(), b"@+")).collect();
    let mut url = format!("mailto:{}?subject={}", to.join(","), encode(subject));
    if !answered.is_empty() {
        url.push_str(&format!("&in-reply-to={}", encode(&format!("<{answered}>"))));
    }
    url.push_str(&format!("&body={}", encode(&body.replace('\n', "\r\n"))));
    Url::parse(url)
}

/// A `mailto:` URL, and no mail program to give it to: a draft.
pub(in crate::app) fn mail(cx: &mut Cx<'_>, url: &Url) -> Vec<Effect> {
    match Mailto::of(url) {
        Ok(mailto) => {
            let (to, mailto) = link::read(mailto);
            // RFC 6068, 5: a header may hold encoded words
            let plain = |(name, value): &(String, String)| {
                let as_is = matches!(name.as_str(), "body" | "cc");
                (name.clone(), if as_is { value.clone() } else { message::words(value) })
            };
            let fields: Vec<_> = mailto.headers.iter().map(plain).collect();
            let text = news::new_mail(&to, &fields, &manner(cx.sight(), None));
            let subject = fields.iter().find(|(name, _)| name == "subject").map(|(_, value)| value.as_str());
            let effects = take(cx, subject.unwrap_or("mail"), text);
            if !mailto.dropped.is_empty() {
                cx.say(format!("left out of the mail, as no link may say it: {}", mailto.dropped.join(", ")));
            }
            effects
        }
        Err(error) => {
            cx.complain(error.to_string());
            Vec::new()
        }
    }
}

fn manner<'a>(sight: Sight<'a>, server: Option<&'a str>) -> Manner<'a> {
    let posting = &sight.desk.settings.news.posting;
    Manner {
        from: &posting.from,
        attribution: &posting.attribution,
        signature: &sight.desk.choices.signature,
        server,
        flowed: posting.flowed,
    }
}

/// The server that the page in view names; pages of the settings' own server name none.
fn server_in_view(sight: Sight<'_>) -> Option<String> {
    let url = &sight.entry()?.url;
    let scheme = scheme::family(url).is_news().then(|| scheme::of(Family::Nntp, scheme::is_secure(url)))?;
    let host = url.host().filter(|host| !host.is_empty())?;
    let port = url.port_text().filter(|port| !port.is_empty()).map(|port| format!(":{port}")).unwrap_or_default();
    Some(format!("{scheme}://{host}{port}"))
}

/// The groups of the article in view, or the group in view.
fn groups_in_view(sight: Sight<'_>) -> Vec<String> {
    let Some(entry) = sight.entry() else { return Vec::new() };
    let page = entry.page.as_deref().filter(|page| page.head.media == media::MESSAGE);
    if let Some(octets) = page.and_then(|page| page.source.as_ref())
        && let Some(original) = message::original(octets, None, &entry.url)
        && !original.groups.is_empty()
    {
        return original.groups;
    }
    let group = match news_url::News::of(&entry.url) {
        // Anything may stand behind the colon of another scheme.
        _ if !scheme::family(&entry.url).is_news() => None,
        Ok(news_url::News::Group(group) | news_url::News::Part(group, _)) => Some(group),
        _ => Nntp::of(&entry.url).ok().map(|nntp| nntp.group),
    };
    // What a server calls a group goes into a file, which an editor shows.
    let group = group.map(|group| sanitise(&String::from_utf8_lossy(&group)).into_owned());
    // A pattern of a list is no group.
    group.filter(|group| !group.contains('*')).into_iter().collect()
}
