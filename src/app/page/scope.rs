//! For how much a choice of the reader's holds.

/// For how much of what there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All pages of the host.
    Host,
    /// All pages whose addresses begin as the page's does, up to its last slash.
    Path,
    /// The newsgroup.
    Group,
    /// The newsgroups whose names begin as this one's does, up to its last dot.
    Groups,
    /// The page alone.
    Page,
}

impl Scope {
    /// All of them, with the words by which commands name them.
    pub const ALL: [(Scope, &str); 5] = [
        (Scope::Host, "host"),
        (Scope::Path, "path"),
        (Scope::Group, "group"),
        (Scope::Groups, "groups"),
        (Scope::Page, "page"),
    ];
}
