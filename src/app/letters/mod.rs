//! Articles and mails that the reader writes: a draft in a file, the reader's editor, a last look, POST (NNTP-06).
//!
//! The draft's file is written first and removed last: whatever fails on the way, the text is still there. Mails are begun in the
//! mail program that the settings name; those that are written here go to `handlers.sendmail`, without which they stay drafts. An
//! article gets its id before its first try, and its file holds that before anything is sent. `begin` writes drafts, `link` reads whom a
//! link names, `drafts` lists them, `page` is the last look.

mod begin;
pub(super) mod drafts;
pub(super) mod link;
pub(super) mod page;

pub(super) use begin::{cancel, followup, forward, mail, post, quoted, reply_mail, supersede};

use crate::app::forms::login;
use crate::app::hands::question::confirm;
use crate::app::state::Cx;
use crate::app::state::jobs::{Errand, Post};
use crate::app::{Effect, JobId, Letter, NotWritten, Pending, Sight, Wants, news, transfer};
use crate::format::{charset, media};
use crate::news::{self as articles, Draft, Mailbox, references};
use crate::proto::nntp::TAKEN_BEFORE;
use crate::proto::{self, Content, FetchError, FetchEvent, Kind, Request, Verdict};
use crate::url::Url;
use crate::url::scheme::{self, Family, news as news_url};

/// How the program is known to readers of articles.
const AGENT: &str = concat!("Wayfarer/", env!("CARGO_PKG_VERSION"));

/// Octets of the server's word on an article.
const SAID: usize = 16 * 1024;

/// Whether something is being sent.
pub(super) fn is_under_way(sight: Sight<'_>) -> bool {
    sight.jobs.find_any(|errand| matches!(errand, Errand::Post(_))).is_some()
}

/// Writes a draft's file; the editor follows.
fn take(cx: &mut Cx<'_>, about: &str, text: String) -> Vec<Effect> {
    begin_with(cx, about, Letter { fresh: text.into_bytes(), ..Letter::default() })
}

/// The same of one that is more than its text.
fn begin_with(cx: &mut Cx<'_>, about: &str, letter: Letter) -> Vec<Effect> {
    let path = format!("{}/{}.txt", cx.desk.choices.drafts, file_name(about));
    write(cx, Letter { path, ..letter })
}

fn write(cx: &mut Cx<'_>, letter: Letter) -> Vec<Effect> {
    let (path, content) = (letter.path.clone(), letter.fresh.clone());
    vec![Effect::Write { id: cx.job(Errand::Draft(Box::new(letter))), path, content, replace: false }]
}

/// The draft has served.
fn gone(cx: &mut Cx<'_>, path: String) -> Effect {
    Effect::Remove { id: cx.job(Errand::Removal(path.clone())), path }
}

/// Letters and digits of a subject.
fn file_name(about: &str) -> String {
    const LETTERS: usize = 40;
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' };
    let words: String = about.chars().map(plain).take(LETTERS).collect();
    let name = words.split_whitespace().collect::<Vec<_>>().join("-");
    if name.is_empty() { "draft".into() } else { name }
}

/// The draft's file is there, or not.
pub(super) fn wrote(cx: &mut Cx<'_>, letter: Letter, result: Result<String, NotWritten>) -> Vec<Effect> {
    match result {
        Ok(path) if letter.complete => {
            let octets = letter.fresh.clone();
            look(cx, Letter { path, ..letter }, octets)
        }
        Ok(path) => edit(cx, Letter { path, ..letter }),
        Err(NotWritten::Exists(_)) => {
            let path = transfer::another(&letter.path);
            write(cx, Letter { path, ..letter })
        }
        Err(NotWritten::Failed(sentence)) => {
            cx.complain(sentence);
            Vec::new()
        }
    }
}

/// The reader's editor on the draft.
pub(super) fn edit(cx: &mut Cx<'_>, letter: Letter) -> Vec<Effect> {
    let letter = Letter { complete: false, unkept: None, agreed: false, ..letter };
    let arguments = cx.desk.choices.editor_on(letter.path.clone());
    vec![Effect::Run { id: cx.job(Errand::Draft(Box::new(letter))), arguments }]
}

/// The editor has ended.
pub(super) fn edited(cx: &mut Cx<'_>, letter: Letter, result: Result<(), String>) -> Vec<Effect> {
    match result {
        Ok(()) => {
            let path = letter.path.clone();
            vec![Effect::Read { id: cx.job(Errand::Draft(Box::new(letter))), path }]
        }
        Err(sentence) => {
            put_away(cx, letter, &sentence);
            Vec::new()
        }
    }
}

/// A draft stays in its file, and the reader knows why and where.
pub(super) fn put_away(cx: &mut Cx<'_>, letter: Letter, why: &str) {
    let overlay = page::kept(why, &letter.path, cx.key_for("drafts"));
    cx.hands.queue(overlay);
}

/// What the editor left has been read.
pub(super) fn read(cx: &mut Cx<'_>, letter: Letter, content: Result<Vec<u8>, String>) -> Vec<Effect> {
    match content {
        Ok(octets) => look(cx, letter, octets),
        Err(sentence) => {
            cx.complain(sentence);
            Vec::new()
        }
    }
}

fn look(cx: &mut Cx<'_>, mut letter: Letter, octets: Vec<u8>) -> Vec<Effect> {
    let empty = octets.trim_ascii().is_empty();
    if (octets == letter.fresh && !letter.complete) || empty {
        cx.say(if empty { "the draft is empty: nothing is sent" } else { "nothing was written: nothing is sent" });
        return vec![gone(cx, letter.path)];
    }
    let text = match String::from_utf8(octets) {
        Ok(text) => text,
        // An editor in the locale of another time.
        Err(error) => charset::known("windows-1252")
            .map(|charset| charset.decode(error.as_bytes()).into_owned())
            .unwrap_or_default(),
    };
    letter.draft = Draft::read(&text);
    name(cx, &mut letter, &text);
    if letter.draft.is_mail() && sendmail(cx.sight()).is_none() {
        put_away(cx, letter, "No mail program is named under [handlers], so the mail is not sent.");
        return Vec::new();
    }
    let remarks = letter.draft.mistakes();
    show(cx, letter, &remarks);
    Vec::new()
}

/// An article that has no id gets one, which its file is to hold before anything is sent.
fn name(cx: &Cx<'_>, letter: &mut Letter, text: &str) {
    let posting = &cx.desk.settings.news.posting;
    if letter.draft.is_mail() || !letter.draft.get("Message-ID").is_empty() {
        return;
    }
    let domain = match posting.id_domain.as_str() {
        "" => Mailbox::author(letter.draft.get("From")).map(|author| author.domain().to_owned()).unwrap_or_default(),
        domain => domain.to_owned(),
    };
    let time = cx.desk.now.as_ref().map_or(0, |now| now.timestamp().as_second());
    // Each look has had a number of its own.
    if let Some(id) = articles::message_id(&cx.desk.choices.seed, cx.jobs.given(), time, &domain) {
        letter.unkept = Some(format!("Message-ID: {id}\n{}", text.trim_start_matches('\u{feff}')).into_bytes());
        letter.draft.fields.push(("Message-ID".into(), id));
    }
}

/// The last look.
fn show(cx: &mut Cx<'_>, letter: Letter, remarks: &[String]) {
    let flowed = cx.desk.settings.news.posting.flowed;
    let overlay = page::page(letter, remarks, AGENT, flowed);
    cx.hands.queue(overlay);
}

/// The program that takes mails which are written here, on its standard input.
fn sendmail(sight: Sight<'_>) -> Option<Vec<String>> {
    sight.desk.settings.handlers.get("sendmail").filter(|program| !program.is_empty()).cloned()
}

/// A mail goes to the program that takes mails; its lines end as those of this system's files do.
fn mail_off(cx: &mut Cx<'_>, letter: Letter, program: Vec<String>) -> Vec<Effect> {
    let Ok(url) = Url::parse("about:output") else { return Vec::new() };
    if cx.desk.choices.safe {
        put_away(cx, letter, "No program was started: --safe forbids it.");
        return Vec::new();
    }
    let mut input = letter.draft.article(AGENT, cx.desk.settings.news.posting.flowed);
    input.retain(|octet| *octet != b'\r');
    cx.say(format!("giving the mail to {}", program.first().map_or("", String::as_str)));
    let id = cx.job(Errand::Post(Box::new(Post { letter, offered: true, said: Vec::new(), before: false })));
    vec![Effect::Pipe { id, request: Request::new(url), program, input }]
}

/// The program has ended.
fn mailed(cx: &mut Cx<'_>, post: Post, cut: Option<String>) -> Vec<Effect> {
    match cut {
        None => {
            cx.say(format!("the mail to {} is handed over", post.letter.draft.get("To")));
            vec![gone(cx, post.letter.path)]
        }
        Some(why) => {
            put_away(cx, post.letter, &format!("{}.", why.trim_end_matches('.')));
            Vec::new()
        }
    }
}

/// `y`: the reader was asked whether it is to go.
pub(super) fn send_all_the_same(cx: &mut Cx<'_>) -> Vec<Effect> {
    page::close(cx).map_or_else(Vec::new, |letter| send(cx, Letter { agreed: true, ..letter }))
}

/// What says nothing is asked about, with the last look below.
fn doubt(cx: &mut Cx<'_>, doubt: String) -> Vec<Effect> {
    cx.hands.raise(confirm(vec![doubt, "Send it all the same?".into()], "send it", Pending::Post));
    Vec::new()
}

/// The draft's file holds its id, or not.
pub(super) fn named(cx: &mut Cx<'_>, letter: Letter, result: Result<String, NotWritten>) -> Vec<Effect> {
    match result {
        Ok(_) => send(cx, Letter { unkept: None, ..letter }),
        Err(NotWritten::Exists(sentence) | NotWritten::Failed(sentence)) => {
            let why = "Nothing was sent: without its id in its file, a second try could make two articles of it.";
            show(cx, letter, &[sentence, why.into()]);
            Vec::new()
        }
    }
}

/// `s`: off it goes.
pub(super) fn send(cx: &mut Cx<'_>, mut letter: Letter) -> Vec<Effect> {
    let mistake = letter.draft.mistakes().into_iter().next();
    if mistake.is_none()
        && let Some(content) = letter.unkept.take()
    {
        let path = letter.path.clone();
        let kept = Letter { unkept: Some(content.clone()), ..letter };
        return vec![Effect::Write { id: cx.job(Errand::Named(Box::new(kept))), path, content, replace: true }];
    }
    if let Some(program) = sendmail(cx.sight()).filter(|_| letter.draft.is_mail() && mistake.is_none()) {
        return mail_off(cx, letter, program);
    }
    let url = match mistake.map_or_else(|| place(&letter.draft), Err) {
        Ok(url) => url,
        Err(sentence) => {
            cx.complain(format!("not sent: {sentence}"));
            let remarks = letter.draft.mistakes();
            let overlay = page::page(letter, &remarks, AGENT, cx.desk.settings.news.posting.flowed);
            cx.hands.raise(overlay);
            return Vec::new();
        }
    };
    if cx.desk.choices.offline {
        put_away(cx, letter, "You are offline, so nothing was sent; :offline goes back.");
        return Vec::new();
    }
    let octets = letter.draft.article(AGENT, cx.desk.settings.news.posting.flowed);
    cx.say(format!("posting to {}", url.redacted()));
    let body = Some(Content { media: media::MESSAGE.into(), octets });
    let request = Request { body, login: cx.sight().login_for(&url), private: cx.tab.private, ..Request::new(url) };
    let id = cx.job(Errand::Post(Box::new(Post { letter, offered: false, said: Vec::new(), before: false })));
    vec![Effect::Fetch { id, request }]
}

/// The URL that takes it: its first group, on the server that it names.
fn place(draft: &Draft) -> Result<Url, String> {
    let group = draft.groups().first().copied().unwrap_or_default();
    let own = news_url::group_url(group.as_bytes()).map_err(|error| error.to_string())?;
    let Some(server) = draft.server() else { return Ok(own) };
    let url = Url::parse(format!("{}/{}", server.trim_end_matches('/'), own.path())).map_err(|error| error.to_string());
    let wanted = |url: &Url| scheme::family(url) == Family::Nntp && url.host().is_some_and(|host| !host.is_empty());
    url.ok().filter(wanted).ok_or_else(|| "Server is to be written as nntp://news.example.org or nntps://…".into())
}

/// What is being sent under a number.
fn posted_under(cx: &mut Cx<'_>, id: JobId) -> Option<Post> {
    match cx.jobs.end(id)? {
        Errand::Post(post) => Some(*post),
        _ => None,
    }
}

/// Esc in the tab from which it is being sent.
pub(super) fn stop(cx: &mut Cx<'_>) -> Option<Vec<Effect>> {
    let id = cx.jobs.find(cx.tab.id, |errand| matches!(errand, Errand::Post(_)))?;
    let Post { letter, offered, .. } = posted_under(cx, id)?;
    let words = match offered {
        true if letter.draft.is_mail() => "Stopped, but the program may have the mail already.",
        true if !letter.draft.get("Message-ID").is_empty() => {
            "Stopped, but the server may have the article already. Sent again it has the same id, so that it cannot be there twice."
        }
        true => "Stopped, but the server may have the article already: look into the group before you post it again.",
        false => "Stopped before the server was reached: nothing was posted.",
    };
    put_away(cx, letter, words);
    Some(vec![Effect::Cancel(id)])
}

/// What the server says.
pub(super) fn event(cx: &mut Cx<'_>, id: JobId, event: FetchEvent) -> Vec<Effect> {
    let Some(Errand::Post(post)) = cx.jobs.errand_mut(id) else { return Vec::new() };
    match event {
        FetchEvent::Head(head) => {
            post.before = head.title.as_deref() == Some(TAKEN_BEFORE);
            return vec![Effect::Verdict { id, verdict: Verdict::Accept }];
        }
        FetchEvent::Stage(stage) => post.offered |= stage == proto::Stage::Waiting,
        FetchEvent::Body(octets) if post.said.len() < SAID => post.said.extend(octets),
        FetchEvent::Body(_) | FetchEvent::Sent(_) => {}
        FetchEvent::End(end) => {
            return posted_under(cx, id).map_or_else(Vec::new, |post| match post.letter.draft.is_mail() {
                true => mailed(cx, post, end.cut),
                false => posted(cx, post),
            });
        }
        FetchEvent::Failed(error) => {
            if let Some(post) = posted_under(cx, id) {
                refused(cx, post.letter, error);
            }
        }
        FetchEvent::Moved(_) | FetchEvent::Unchanged => {
            if let Some(post) = posted_under(cx, id) {
                put_away(cx, post.letter, "The server sent it elsewhere, which no server of news should.");
            }
        }
    }
    Vec::new()
}

fn posted(cx: &mut Cx<'_>, post: Post) -> Vec<Effect> {
    let Letter { path, draft, .. } = post.letter;
    let groups = draft.groups().join(", ");
    match post.before {
        true => cx.say(format!("was taken already, from the try before: {groups} has it once")),
        false if draft.is_control() => cx.say(format!("the server has taken the {}", draft.get("Control"))),
        false => cx.say(format!("posted to {groups}")),
    }
    if let Ok(url) = place(&draft) {
        // Most servers say by which id they took it.
        let said = references(&post.said).find(|id| id.contains(&b'@')).map(<[u8]>::to_vec);
        let own = references(draft.get("Message-ID").as_bytes()).next().map(<[u8]>::to_vec);
        // An order to servers is listed nowhere.
        let id = own.or(said).filter(|_| !draft.is_control());
        news::posted(cx, &url, &draft.groups(), id);
    }
    vec![gone(cx, path)]
}

/// The article is shown again, with the server's words over it.
fn refused(cx: &mut Cx<'_>, letter: Letter, error: FetchError) {
    if error.kind == Kind::NeedsLogin
        && let Ok(url) = place(&letter.draft)
    {
        cx.complain(error.detail);
        login::ask(cx, Wants::Letter(Box::new(letter), url), &[], false);
        return;
    }
    let mut remarks = vec![error.detail];
    remarks.extend(error.hint);
    show(cx, letter, &remarks);
}

/// `p` and Esc: for later.
pub(super) fn keep(cx: &mut Cx<'_>) -> Vec<Effect> {
    if let Some(letter) = page::close(cx) {
        let key = cx.key_for("drafts").map(|key| format!(" ({key} takes it up again)")).unwrap_or_default();
        cx.say(format!("The draft is kept{key}: {}", letter.path));
    }
    Vec::new()
}

/// The reader does not want it any more.
pub(super) fn discard(cx: &mut Cx<'_>) -> Vec<Effect> {
    let Some(letter) = page::close(cx) else { return Vec::new() };
    cx.say("the draft is thrown away");
    vec![gone(cx, letter.path)]
}
