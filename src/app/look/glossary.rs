//! What the words of the status bar and of the anatomy mean, for whoever asks: `what base`. The words are those of the tables
//! that the bar is drawn from; a test holds them against these. Schemes are explained by their own table.

use crate::app::state::Cx;
use crate::app::{Effect, Overlay};
use crate::doc::{BlockKind, Builder, Marker, sanitise};
use crate::role::Role;
use crate::url::scheme;

/// A word and what it means.
const WORDS: &[(&str, &str)] = &[
    (
        "scheme",
        "What stands before the first colon of an address: which space it is in, and by which protocol it is had.",
    ),
    ("user", "The name that a server is told before a password."),
    ("password", "It is sent as it is where the connection is not over TLS, and never shown."),
    ("host", "The name or the number of the machine that is asked."),
    ("port", "Which service of the host is asked; named in the bar where it is not the usual one."),
    (
        "type",
        "What an item of gopher space is, by one character: 0 text, 1 menu, 7 search, 9 file; or how FTP sends a file: a, i or d.",
    ),
    ("selector", "The words that a gopher server is sent to name the item; they are its own and need not be a path."),
    ("search", "The words that are looked for, sent behind the selector."),
    ("Gopher+", "What is asked of a Gopher+ server besides: + the item, ! what is known of it, $ a menu with that."),
    ("cwd", "A folder that FTP changes into, one command for each."),
    ("name", "The last part of a path: a file, a message, a part of one."),
    ("path", "Where a thing is on its server, between slashes."),
    ("query", "What stands behind a question mark: words or fields that the server is given."),
    ("token", "What lets you change a place for files. It is never shown."),
    ("fragment", "What stands behind #: a place on the page. It is never sent."),
    ("group", "A newsgroup."),
    (
        "article",
        "A message to newsgroups, by its id, which is the same on every server, or by the number that one server gave it.",
    ),
    ("articles", "The numbers of some articles of a group."),
    ("header", "A heading of a letter: its subject, its other readers."),
    ("subject", "What a letter says that it is about."),
    ("message-id", "The name of a message, which no other has."),
    ("content-id", "The name of a part of a message."),
    (
        "database",
        "What a WAIS server searches; of a dictionary server, which dictionary: ! the first that has the word, * all.",
    ),
    ("word", "What a dictionary is asked for."),
    ("words like", "A dictionary is asked for words that are like this one."),
    ("strategy", "How a dictionary compares words: exact, prefix, soundex; . is its own way."),
    ("number", "Which of several definitions, or words, of a dictionary."),
    ("to", "Who gets the letter."),
    ("media type", "What kind of document it is, in the words of MIME: text/html, image/png."),
    ("data", "A document that stands in its own address."),
    ("namespace", "Who says what a urn names: isbn, ietf."),
    ("object", "What a Prospero server calls the thing."),
    ("field", "A name and a value that a Prospero object must have."),
    ("version", "Which version of the thing is meant."),
    ("page", "Which of this program's own pages."),
    (
        "base",
        "The address that a relative link on this page is read against. The bar says whose it is: document, entity, retrieval or default; = shows it.",
    ),
    ("document", "A base that the page itself gives, as by <base> in HTML. It goes before all others."),
    ("entity", "A base that what the page came in gives: the heading of a message part, the page around it."),
    ("retrieval", "A base that nobody gave: the address by which the page was had, after redirects."),
    ("default", "A base that you gave by --base or in the settings, for pages without any."),
    ("opaque", "An address without a path of segments, which no relative link can be read against."),
    ("Top", "The beginning of the page is in view."),
    ("All", "The whole of the page is in view."),
    ("Bot", "The end of the page is in view; 34% there: how much of it stands above the end of the screen."),
    ("entries", "How many rows a directory has, and what their files come to."),
    (
        "of",
        "3 of 41: the third item of the list that led here; next-page and previous-page go along it. 2 of 10 shown: what a filter leaves.",
    ),
    ("stopped", "You stopped it; what came is here. R fetches it again."),
    ("cut short", "It ended before it was whole; the last lines of the page say why."),
    ("failed", "It did not come; the page says what was tried, what answered and what can be done."),
    ("saving", "How much of what goes into files has come."),
    ("unread", "Articles of the group that you have not read."),
    ("shown", "A filter leaves the other rows out; & with no words takes it away."),
    ("private", "Nothing of this tab is kept: no visits, no words, no cookies."),
    ("resolving", "The address of the host is being asked for."),
    ("connecting", "The host is being called; it has not answered yet."),
    ("securing", "Host and program agree on keys, and the certificate is looked at."),
    ("asking", "What is wanted is being sent."),
    ("waiting", "The host has been asked, and nothing came back yet."),
    ("answered", "The first of the answer is here; what is to be shown comes."),
];

/// `what word`: what a word of the bar means; without one, all of them.
pub(in crate::app) fn what(cx: &mut Cx<'_>, word: &str) -> Vec<Effect> {
    let word = word.trim().trim_end_matches(':');
    if word.is_empty() {
        let mut out = Builder::new();
        for (word, meaning) in WORDS {
            out.marked(BlockKind::Line, Role::Overlay, Marker::None, 2);
            out.styled(word, Role::OverlayKey);
            out.text(&format!("  {meaning}"));
        }
        cx.hands.raise(Overlay::notice("The words of the bar", out.finish()));
        return Vec::new();
    }
    let scheme = scheme::all().find(|name| name.eq_ignore_ascii_case(word));
    match (meaning(word), scheme) {
        (Some(meaning), _) => cx.say(meaning),
        (None, Some(scheme)) => {
            cx.say(format!("{scheme}: {} about:schemes?name={scheme} has more.", scheme::explain(scheme)))
        }
        (None, None) => {
            cx.say(format!("the bar has no word \"{}\"; what alone lists those that it has", sanitise(word)))
        }
    }
    Vec::new()
}

/// The words that mean something, in their order.
pub(in crate::app) fn words() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|(word, _)| *word)
}

/// What a word means, in letters of either case.
pub fn meaning(word: &str) -> Option<&'static str> {
    WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, meaning)| *meaning)
}
