//! The table of commands: which replies are good, what follows them, what refusals mean (RFC 3977, 4642, 4643, 6048, 8054).

use crate::proto::Kind;

/// A command's row.
#[derive(Debug)]
pub(super) struct Command {
    /// As it is sent.
    pub verb: &'static str,
    /// The codes of good replies.
    pub good: &'static [u16],
    /// What follows a good reply.
    pub follows: Follows,
    /// Refusals, in words that go on after the server's name; `{}` is what was asked for. Those of every command stand in [`REFUSALS`].
    pub refusals: &'static [Refusal],
}

/// A code, what kind of failure it is, and its meaning.
pub(super) type Refusal = (u16, Kind, &'static str);

/// What follows a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follows {
    Nothing,
    /// A multi-line block.
    Block,
}

use Follows::{Block, Nothing};

const fn row(verb: &'static str, good: &'static [u16], follows: Follows, refusals: &'static [Refusal]) -> Command {
    Command { verb, good, follows, refusals }
}

const NO_GROUP: Refusal = (411, Kind::NotFound, "has no group {}");
const NO_NUMBER: Refusal = (423, Kind::NotFound, "has no article {}; it has expired, was cancelled or never came");
const NONE_CHOSEN: Refusal = (412, Kind::Malformed, "has forgotten which group was asked for");
const EMPTY: Refusal = (420, Kind::NotFound, "has no article {}; it has expired, was cancelled or never came");
const NO_ID: Refusal = (430, Kind::NotFound, "does not have the article {}; it has expired or was never there");
const NO_POSTING: Refusal = (440, Kind::Denied, "takes no articles from you");
const NOT_TAKEN: Refusal = (441, Kind::Said, "did not take the article");

/// What every command may be answered.
pub(super) const REFUSALS: &[Refusal] = &[
    (400, Kind::Said, "ends the session"),
    (401, Kind::Unsupported, "wants to be spoken to in another way first"),
    (403, Kind::Said, "has a fault of its own"),
    (480, Kind::NeedsLogin, "wants to know who you are"),
    (483, Kind::Secure, "does this over TLS only"),
    (500, Kind::Unsupported, "does not know the command"),
    (501, Kind::Unsupported, "does not understand the command"),
    (502, Kind::Denied, "does not let you"),
    (503, Kind::Unsupported, "cannot do that"),
];

// What is heard first.
pub(super) const GREETING: Command = row(
    "",
    &[200, 201],
    Nothing,
    &[(400, Kind::Said, "takes no visitors now"), (502, Kind::Denied, "does not let you in")],
);
pub(super) const MODE_READER: Command =
    row("MODE READER", &[200, 201], Nothing, &[(502, Kind::Denied, "serves no readers")]);
pub(super) const CAPABILITIES: Command = row("CAPABILITIES", &[101], Block, &[]);
pub(super) const STARTTLS: Command = row("STARTTLS", &[382], Nothing, &[(580, Kind::Secure, "cannot begin TLS")]);
pub(super) const AUTHINFO_USER: Command = row(
    "AUTHINFO USER",
    &[281, 381],
    Nothing,
    &[(481, Kind::NeedsLogin, "does not accept the user"), (482, Kind::NeedsLogin, "does not accept the user")],
);
pub(super) const AUTHINFO_PASS: Command = row(
    "AUTHINFO PASS",
    &[281],
    Nothing,
    &[
        (481, Kind::NeedsLogin, "does not accept the password"),
        (482, Kind::NeedsLogin, "does not accept the password"),
        (502, Kind::NeedsLogin, "does not accept the password"),
    ],
);
pub(super) const COMPRESS: Command = row("COMPRESS DEFLATE", &[206], Nothing, &[]);
pub(super) const LIST_ACTIVE: Command = row("LIST ACTIVE", &[215], Block, &[]);
pub(super) const LIST_COUNTS: Command = row("LIST COUNTS", &[215], Block, &[]);
pub(super) const LIST_NEWSGROUPS: Command = row("LIST NEWSGROUPS", &[215], Block, &[]);
pub(super) const LIST_MOTD: Command = row("LIST MOTD", &[215], Block, &[]);
pub(super) const LIST_FORMAT: Command = row("LIST OVERVIEW.FMT", &[215], Block, &[]);
pub(super) const GROUP: Command = row("GROUP", &[211], Nothing, &[NO_GROUP]);
pub(super) const LISTGROUP: Command = row("LISTGROUP", &[211], Block, &[NO_GROUP, NONE_CHOSEN]);
pub(super) const OVER: Command = row("OVER", &[224], Block, &[NONE_CHOSEN, EMPTY, NO_NUMBER]);
pub(super) const XOVER: Command = row("XOVER", &[224], Block, &[NONE_CHOSEN, EMPTY, NO_NUMBER]);
pub(super) const HDR: Command = row("HDR", &[225], Block, &[NONE_CHOSEN, EMPTY, NO_NUMBER, NO_ID]);
pub(super) const XHDR: Command = row("XHDR", &[221], Block, &[NONE_CHOSEN, EMPTY, NO_NUMBER, NO_ID]);
pub(super) const XPAT: Command = row("XPAT", &[221], Block, &[NONE_CHOSEN, EMPTY, NO_NUMBER, NO_ID]);
pub(super) const STAT: Command = row("STAT", &[223], Nothing, &[NONE_CHOSEN, EMPTY, NO_NUMBER, NO_ID]);
pub(super) const HEAD: Command = row("HEAD", &[221], Block, &[NONE_CHOSEN, EMPTY, NO_NUMBER, NO_ID]);
pub(super) const ARTICLE: Command = row("ARTICLE", &[220], Block, &[NONE_CHOSEN, EMPTY, NO_NUMBER, NO_ID]);
pub(super) const POST: Command = row("POST", &[340], Nothing, &[NO_POSTING]);
// What is heard after the article was sent.
pub(super) const POSTED: Command = row("POST", &[240], Nothing, &[NO_POSTING, NOT_TAKEN]);
pub(super) const NEWGROUPS: Command = row("NEWGROUPS", &[231], Block, &[]);
pub(super) const DATE: Command = row("DATE", &[111], Nothing, &[]);

impl Command {
    /// Whether a reply is a good one.
    pub fn expects(&self, code: u16) -> bool {
        self.good.contains(&code)
    }

    /// Whether a reply is one of the table's.
    pub fn knows(&self, code: u16) -> bool {
        self.expects(code) || self.refusals.iter().chain(REFUSALS).any(|(known, ..)| *known == code)
    }

    /// What a refusal means: its kind, and words that go on after the server's name.
    pub fn refusal(&self, code: u16) -> (Kind, &'static str) {
        let known = self.refusals.iter().chain(REFUSALS).find(|(known, ..)| *known == code);
        known.map_or((Kind::Said, "says"), |(_, kind, words)| (*kind, *words))
    }
}
