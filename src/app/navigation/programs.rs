//! Programs of the reader's own: argument vectors only, shown before they run (SEC-11).

use super::pipe;
use crate::app::hands::question::{choice, confirm};
use crate::app::motion::focus;
use crate::app::state::Cx;
use crate::app::{
    Aim, Effect, JobId, Opening, Overlay, Pending, PromptKind, Purpose, Sight, Target, letters, navigation, transfer,
};
use crate::doc::sanitise;
use crate::format::message;
use crate::proto::{FetchError, Kind};
use crate::url::scheme::{self, Family, mailto::Mailto};
use crate::url::{Url, escape};

/// What is said of a password in a session's address.
const ADVISED: &str = "The address advises a password, for you to say when you are asked for it.";
/// Why a program is not run.
pub(in crate::app) const OPTION: &str = "refused: what begins with \"-\" would be taken for an option";

impl Target {
    /// The name by which the settings list a program for it.
    fn kind(&self) -> &str {
        match self {
            Target::Url(url) => url.scheme(),
            Target::File(_) => "",
            Target::Body(_, media) => media,
        }
    }

    /// What the marks of a program's arguments stand for.
    fn marks(&self, url_as: fn(&Url) -> String) -> Vec<(&'static str, String)> {
        match self {
            Target::Url(url) => {
                let (host, user) = (url.host().unwrap_or_default(), url.user().unwrap_or_default());
                let port = url.port().map(|port| port.to_string()).unwrap_or_default();
                vec![("{host}", host.into()), ("{port}", port), ("{user}", user.into()), ("{url}", url_as(url))]
            }
            Target::File(path) => vec![("{file}", path.clone()), ("{url}", path.clone())],
            Target::Body(_, media) => vec![("{type}", media.clone())],
        }
    }

    /// The whole argument for a program that names no place for it.
    fn whole(&self, url_as: fn(&Url) -> String) -> Option<String> {
        match self {
            Target::Url(url) => Some(url_as(url)),
            Target::File(path) => Some(path.clone()),
            Target::Body(..) => None,
        }
    }

    /// The argument vector of a program, with the marks filled in. `None` when a value could be taken for an option.
    fn arguments(&self, program: &[String], url_as: fn(&Url) -> String) -> Option<Vec<String>> {
        let marks = Some(self.marks(url_as)).filter(|marks| !marks.iter().any(|(_, value)| value.starts_with('-')))?;
        let filled: Vec<String> = program.iter().map(|word| fill(word, &marks)).collect();
        let unplaced = if filled == program { self.whole(url_as) } else { None };
        let mut words: Vec<String> = Vec::with_capacity(filled.len());
        for (word, written) in filled.into_iter().zip(program) {
            match word.is_empty() {
                false => words.push(word),
                // Nobody is named: neither is the option that would name them.
                true if is_mark(written) => drop(words.pop_if(|option| option.starts_with('-') && option.len() == 2)),
                true => {}
            }
        }
        Some(words.into_iter().chain(unplaced).collect())
    }

    /// The address of a session that advises a password: it is the reader who says it (D43).
    fn advised(&self) -> Option<&Url> {
        match self {
            Target::Url(url) => Some(url)
                .filter(|url| scheme::family(url) == Family::Session && url.password().is_some_and(|p| !p.is_empty())),
            Target::File(_) | Target::Body(..) => None,
        }
    }

    /// The same on one line for the reader, without a password.
    fn shown(&self, program: &[String]) -> String {
        self.arguments(program, Url::redacted).map(|words| brief(&words.join(" "))).unwrap_or_default()
    }
}

/// Whether a word of a program is a mark and nothing else.
fn is_mark(word: &str) -> bool {
    word.starts_with('{') && word.ends_with('}')
}

/// As much of a text as a question has room for: a mail's whole text may be in a URL.
fn brief(text: &str) -> String {
    const ROOM: usize = 300;
    match text.char_indices().nth(ROOM) {
        Some((end, _)) => format!("{}… ({} more letters)", &text[..end], text[end..].chars().count()),
        None => text.into(),
    }
}

/// Puts values for marks, from left to right; a value is never looked at again.
fn fill(word: &str, marks: &[(&str, String)]) -> String {
    let (mut out, mut rest) = (String::new(), word);
    let first = |rest: &str| marks.iter().filter_map(|(mark, value)| Some((rest.find(mark)?, mark.len(), value))).min();
    while let Some((at, length, value)) = first(rest) {
        out.push_str(&rest[..at]);
        out.push_str(value);
        rest = &rest[at + length..];
    }
    out + rest
}

/// A URL whose scheme is served by a program: asked with the arguments shown, or explained when the settings list none.
pub(in crate::app) fn hand_over(cx: &mut Cx<'_>, opening: &Opening) -> Vec<Effect> {
    let scheme = opening.url.scheme().to_ascii_lowercase();
    match cx.desk.settings.handler(&scheme).map(<[String]>::to_vec) {
        Some(program) if opening.aim == Aim::Page && scheme == "mailto" => mail(cx, opening, &program),
        Some(program) if opening.aim == Aim::Page => {
            let text = format!("{} opens with a program:", opening.public().redacted());
            propose(cx, vec![text], &Target::Url(opening.url.clone()), &program)
        }
        Some(_) => {
            cx.complain(format!("{scheme}: opens with another program, it cannot be saved from here"));
            Vec::new()
        }
        None if scheme == "mailto" && opening.aim == Aim::Page => letters::mail(cx, &opening.url),
        None => {
            let mut error = FetchError::new(Kind::Unsupported, crate::url::scheme::explain(&scheme))
                .tried(format!("nothing: {}", opening.public().redacted()));
            if scheme::account_of(&scheme).is_some_and(|account| account.has_rows()) {
                error = error.hint("The rows of the settings that would open it are below.");
            }
            navigation::explain(cx, opening, error)
        }
    }
}

/// What a program is started with for a URL, on one line for the reader, without a password. `None` when a part of the URL could be
/// taken for an option.
pub(in crate::app) fn command_line(url: &Url, program: &[String]) -> Option<String> {
    let target = Target::Url(url.clone());
    target.arguments(program, Url::redacted)?;
    Some(target.shown(program))
}

/// There is no such program on this machine.
pub fn not_installed(program: &str) -> String {
    let package = scheme::package_of(program).map(|package| format!(" Debian has it in the package {package}."));
    let package = package.unwrap_or_default();
    format!("{program} is not installed here.{package} Another program may stand under [handlers] in the settings.")
}

/// Asks whether the program of a service may run, as it stands in the settings.
pub(in crate::app) fn start(cx: &mut Cx<'_>, url: &Url) -> Vec<Effect> {
    let Some(program) = cx.desk.settings.handler(url.scheme()).map(<[String]>::to_vec) else {
        cx.complain("no program is named for it in the settings");
        return Vec::new();
    };
    let text = format!("{} opens with a program:", url.redacted());
    propose(cx, vec![text], &Target::Url(url.clone()), &program)
}

/// Shows the password that the address of a service advises, until a key is pressed.
pub(in crate::app) fn show_password(cx: &mut Cx<'_>, url: &Url) -> Vec<Effect> {
    advise(cx, Vec::new(), url)
}

/// Which service a session's URL names, and who it says that one is to log in as (TEL-02).
fn session(url: &Url) -> Vec<String> {
    if scheme::family(url) != Family::Session {
        return Vec::new();
    }
    let user = url.user().filter(|user| !user.is_empty());
    let user = user.map(|user| format!("Log in as {}", String::from_utf8_lossy(&escape::decode(user))));
    let what = "It has this terminal until it ends; then you are back here.".to_owned();
    user.into_iter().chain([scheme::explain(url.scheme()).to_owned(), what]).collect()
}

/// A mail for the mail program: what it will say is asked about, and what a link has no business to say stays out of it
/// (RFC 6068, 4; D19).
fn mail(cx: &mut Cx<'_>, opening: &Opening, program: &[String]) -> Vec<Effect> {
    let read = Mailto::of(&opening.url).and_then(|mailto| {
        let (to, mailto) = letters::link::read(mailto);
        Ok((mailto.url()?, to, mailto))
    });
    let (url, to, mailto) = match read {
        Ok(read) => read,
        Err(error) => return navigation::refuse(cx, opening, error),
    };
    // All of them, by address: what a link calls them says nothing.
    let to: Vec<String> = to.into_iter().map(|one| one.address).collect();
    let mut text = vec![format!("A mail to {}, with a program:", to.join(", "))];
    for (name, value) in &mailto.headers {
        let lines = value.lines().count();
        let more = if lines > 1 { format!(" … ({lines} lines)") } else { String::new() };
        let first = message::words(value.lines().find(|line| !line.trim().is_empty()).unwrap_or_default());
        let shown = if name == "cc" { first } else { brief(&first) };
        text.push(format!("{name}: {shown}{more}"));
    }
    if !mailto.dropped.is_empty() {
        text.push(format!("left out, as no link may say it: {}", brief(&mailto.dropped.join(", "))));
    }
    propose(cx, text, &Target::Url(url), program)
}

/// The mail program has not done it: what the mail was to say is still there, and can be written here.
pub(in crate::app) fn no_mail(cx: &mut Cx<'_>, url: Url, sentence: String) {
    let text = vec![sanitise(&sentence).into_owned(), "Write the mail in your editor instead?".into()];
    cx.hands.queue(confirm(text, "write it", Pending::WriteMail(url)));
}

/// Asks whether a program may run, its arguments in sight.
fn propose(cx: &mut Cx<'_>, mut text: Vec<String>, target: &Target, program: &[String]) -> Vec<Effect> {
    match target.arguments(program, |url| url.as_str().to_owned()) {
        Some(_) if cx.desk.choices.safe => cx.complain("No program was started: --safe forbids it."),
        Some(arguments) => {
            text.push(target.shown(program));
            if let Target::Url(url) = target {
                text.extend(session(url));
            }
            let advised = target.advised().cloned();
            text.extend(advised.is_some().then(|| ADVISED.to_owned()));
            let text = text.iter().map(|line| sanitise(line).into_owned()).collect();
            if let Some(url) = advised {
                let choices = vec![choice('y', "run it"), choice('p', "show the password"), choice('n', "no")];
                cx.hands.queue(Overlay::Question { text, choices, pending: Pending::Advised(arguments, url) });
                return Vec::new();
            }
            if let Target::Url(url) = target
                && scheme::family(url) == Family::Mail
            {
                cx.hands.queue(confirm(text, "run it", Pending::Mail(arguments, url.clone())));
                return Vec::new();
            }
            cx.hands.queue(confirm(text, "run it", Pending::Run(arguments)));
        }
        None => cx.complain(OPTION),
    }
    Vec::new()
}

/// The reader wants to see the password that a session's address advises them to say (RFC 1738, 3.8). With arguments the program
/// may run then.
pub(in crate::app) fn advise(cx: &mut Cx<'_>, arguments: Vec<String>, url: &Url) -> Vec<Effect> {
    let word = |part: Option<&str>| sanitise(&String::from_utf8_lossy(&escape::decode(part?))).into_owned().into();
    let advised = [("user", word(url.user())), ("password", word(url.password()))];
    let said: Vec<String> =
        advised.into_iter().filter_map(|(name, word): (_, Option<String>)| Some(format!("{name} {}", word?))).collect();
    let text = vec![format!("{} advises:", sanitise(url.host().unwrap_or_default())), said.join(", ")];
    let question = match arguments.is_empty() {
        true => Overlay::Question { text, choices: vec![choice('n', "close")], pending: Pending::Run(arguments) },
        false => confirm(text, "run it", Pending::Run(arguments)),
    };
    cx.hands.raise(question);
    Vec::new()
}

/// A body is in its file, and the program that the reader chose for it may open it.
pub(in crate::app) fn arrived(cx: &mut Cx<'_>, path: String, program: &[String]) {
    let text = format!("{path} is here. Open it with this program?");
    propose(cx, vec![text], &Target::File(path), program);
}

/// Asks for a program; the one that the settings list stands there already.
pub(in crate::app) fn ask_program(cx: &mut Cx<'_>, target: Target, about: Option<Url>) {
    let listed = cx.desk.settings.handler(target.kind()).map(|program| program.join(" ")).unwrap_or_default();
    cx.hands.ask_for(Purpose::Program(target), PromptKind::Program, "open with", &listed, about);
}

/// `outside`: the link under focus, or with `outside page` the page, with a program of the reader's choice.
pub(in crate::app) fn outside(cx: &mut Cx<'_>, what: &str) -> Vec<Effect> {
    let page = cx.entry().map(|entry| entry.url.clone());
    let link = focus::link(cx.sight()).is_some();
    let url = if what.trim() == "page" || !link { page } else { focus::target(cx) };
    if let Some(url) = url {
        let about = cx.sight().veil().url(&url).unwrap_or_else(|| url.clone());
        ask_program(cx, Target::Url(url), Some(about));
    }
    Vec::new()
}

/// A body that is no page goes to a program: which one?
pub(in crate::app) fn body(cx: &mut Cx<'_>, id: JobId) -> Vec<Effect> {
    let head = cx.tab.loading.as_ref().filter(|l| l.id == id).and_then(|l| l.head.as_ref());
    if let Some((media, url)) = head.map(|head| (head.media.clone(), head.url.clone())) {
        ask_program(cx, Target::Body(id, media), Some(url));
    }
    Vec::new()
}

/// What would run.
pub(in crate::app) fn remark(sight: Sight<'_>, text: &str) -> String {
    match sight.hands.prompt().map(|prompt| &prompt.purpose) {
        Some(Purpose::Program(target)) if !text.trim().is_empty() => {
            sight.veil().over(format!("runs: {}", target.shown(&program(sight, target, text))))
        }
        Some(Purpose::Pipe(..)) if !text.trim().is_empty() => {
            format!("runs: {}", text.split_whitespace().collect::<Vec<_>>().join(" "))
        }
        _ => "a program and its arguments".into(),
    }
}

/// The program as the settings list it when that is what stands there; else words between white space: there is no shell, so
/// no quoting either.
fn program(sight: Sight<'_>, target: &Target, text: &str) -> Vec<String> {
    let listed = sight.desk.settings.handler(target.kind()).filter(|program| program.join(" ") == text.trim());
    listed.map_or_else(|| text.split_whitespace().map(Into::into).collect(), <[String]>::to_vec)
}

/// The program is named.
pub(in crate::app) fn named(cx: &mut Cx<'_>, purpose: Purpose, text: &str) -> Vec<Effect> {
    if text.trim().is_empty() {
        cx.complain("no program named");
        return transfer::dismissed(cx, &purpose);
    }
    let target = match purpose {
        Purpose::Program(target) => target,
        Purpose::Pipe(input, origin) => return pipe::named(cx, text, input, origin),
        _ => return Vec::new(),
    };
    let program = program(cx.sight(), &target, text);
    match target {
        Target::Body(id, _) => match target.arguments(&program, Url::redacted) {
            Some(program) => {
                cx.transfers.afterwards.insert(id, program);
                transfer::keep_aside(cx, id)
            }
            None => {
                cx.complain(OPTION);
                transfer::refuse(cx, id)
            }
        },
        Target::Url(_) | Target::File(_) => propose(cx, vec!["Run this program?".into()], &target, &program),
    }
}
