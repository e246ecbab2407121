//! What can be wrong with a server or with the way to it, and what may be said of it.

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// Nothing: shows that what goes wrong elsewhere does so by its fault.
    None,
    /// The name has no address.
    NoHost,
    /// Nobody listens.
    Refused,
    /// The queue of connections is full.
    NoAccept,
    /// Reset before a word.
    Reset,
    /// Closed before a word.
    Closed,
    /// Not a word.
    Silent,
    /// Half of the answer, then nothing.
    SilentMidway,
    /// Half of the answer, then a reset.
    ResetMidway,
    /// Half of the answer, then a close.
    ClosedMidway,
    /// Octets without sense in the answer's place.
    Garbage,
    /// An answer without an end.
    Endless,
    /// One line longer than a line may be.
    HugeLine,
}

/// How a visit may end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// A page that is whole.
    Whole,
    /// What came, and why it is not whole.
    Cut,
    /// A sentence in place of a page.
    Failed,
}

impl Fault {
    /// In the order of the table.
    pub const ALL: [Fault; 13] = [
        Fault::None,
        Fault::NoHost,
        Fault::Refused,
        Fault::NoAccept,
        Fault::Reset,
        Fault::Closed,
        Fault::Silent,
        Fault::SilentMidway,
        Fault::ResetMidway,
        Fault::ClosedMidway,
        Fault::Garbage,
        Fault::Endless,
        Fault::HugeLine,
    ];

    /// Whether it comes about before anything is asked for, whatever that is.
    pub fn is_early(self) -> bool {
        self >= Fault::NoHost && self <= Fault::Silent
    }

    /// Whether nothing comes for a while.
    pub fn hangs(self) -> bool {
        matches!(self, Fault::NoAccept | Fault::Silent | Fault::SilentMidway)
    }

    /// Whether something comes that is worth keeping.
    pub fn gives(self) -> bool {
        matches!(self, Fault::None | Fault::SilentMidway | Fault::ResetMidway | Fault::ClosedMidway | Fault::Endless)
    }

    /// For the table.
    pub fn name(self) -> &'static str {
        match self {
            Fault::None => "nothing wrong",
            Fault::NoHost => "no such host",
            Fault::Refused => "refused",
            Fault::NoAccept => "no accept",
            Fault::Reset => "reset",
            Fault::Closed => "closed",
            Fault::Silent => "silent",
            Fault::SilentMidway => "silent midway",
            Fault::ResetMidway => "reset midway",
            Fault::ClosedMidway => "closed midway",
            Fault::Garbage => "garbage",
            Fault::Endless => "endless",
            Fault::HugeLine => "huge line",
        }
    }

    /// Words of which one must be said.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Fault::None | Fault::HugeLine | Fault::Garbage => &[],
            Fault::NoHost => &["No host is named", "There is no host", "no host has its name", "does not answer"],
            Fault::Refused => &["refused the connection", "does not answer"],
            Fault::NoAccept => {
                &["did not open a connection within", "did not answer", "does not answer", "sent no answer within"]
            }
            Fault::Reset => &["connection reset", "made no connection", "does not answer"],
            Fault::Closed => &[
                "closed the connection",
                "gave no answer",
                "ended the connection",
                "it ended while",
                "made no connection",
            ],
            Fault::Silent => &["sent nothing for", "did not answer", "sent no answer within", "did not open"],
            Fault::SilentMidway => &["nothing came for", "did not answer", "sent nothing for"],
            Fault::ResetMidway => &["the connection broke", "broke the connection", "closed the connection"],
            Fault::ClosedMidway => &["closed", "the connection broke", "promised"],
            Fault::Endless => &["cut at", "without an end"],
        }
    }
}
