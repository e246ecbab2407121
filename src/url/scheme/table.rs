//! The facts of every scheme that is known by name, one row each (MISC-07, MISC-09).

use super::{
    Family, Paths, Ways, about, archive, data, dict, file, ftp, gemini, gopher, http, known, mailto, mid, news, nntp,
    one_line, prospero, sftp, telnet, urn, wais,
};

/// One scheme.
struct Row {
    name: &'static str,
    /// Where its servers listen when the URL does not say (GEN-17).
    port: Option<u16>,
    /// Whether it is another one over TLS.
    secure: bool,
    ways: &'static Ways,
    /// What it is, in a sentence for the reader.
    says: &'static str,
}

const fn row(name: &'static str, port: u16, ways: &'static Ways, says: &'static str) -> Row {
    Row { name, port: if port == 0 { None } else { Some(port) }, secure: false, ways, says }
}

const fn tls(name: &'static str, port: u16, ways: &'static Ways, says: &'static str) -> Row {
    Row { secure: true, ..row(name, port, ways, says) }
}

/// Every scheme that has a name here, the usual ones first.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    tls("https", 443, &http::WAYS, "A page of the web over TLS."),
    row("http", 80, &http::WAYS, "A page of the web."),
    row("gopher", 70, &gopher::WAYS, "An item of a gopher server: a menu, a text, a search, a file."),
    tls("gophers", 70, &gopher::WAYS, "An item of a gopher server, over TLS."),
    row("ftp", 21, &ftp::WAYS, "A file or a directory of an FTP server."),
    tls("ftps", 990, &ftp::WAYS, "A file or a directory of an FTP server, over TLS."),
    row("sftp", 22, &sftp::WAYS, "A file or a directory of a server that ssh logs in to."),
    row("news", 119, &news::WAYS, "A newsgroup or an article, from your own news server."),
    tls("snews", 563, &news::WAYS, "A newsgroup or an article, over TLS."),
    row("nntp", 119, &nntp::WAYS, "An article by the number that one news server gave it."),
    tls("nntps", 563, &nntp::WAYS, "An article by the number that one news server gave it, over TLS."),
    tls("titan", 1965, &gemini::TITAN, "A place for files of yours in Gemini space, over TLS."),
    row("spartan", 300, &super::spartan::WAYS, "A page of the Spartan protocol, in clear text."),
    row("guppy", 6775, &super::guppy::WAYS, "A page of the Guppy protocol, in single packets of clear text (UDP)."),
    row("nex", 1900, &super::nex::WAYS, "A directory or a file of a nex server."),
    tls("gemini", 1965, &gemini::WAYS, "A page of Gemini space, over TLS."),
    row("file", 0, &file::WAYS, "A file or a folder of this machine."),
    row("archive", 0, &archive::WAYS, "A file or a folder in an archive (tar, zip, ISO 9660, Debian package) that another URL names."),
    row("mbox", 0, &file::MAILBOX, "A mailbox of this machine, a file (mbox) or a folder (Maildir), and after # a message of it by its id."),
    row("mailto", 0, &mailto::WAYS, "A mail address to write to; there is nothing to retrieve."),
    row("about", 0, &about::WAYS, "A page of this program itself."),
    row("data", 0, &data::WAYS, "A small document that lies inside its own URL."),
    row("telnet", 23, &telnet::WAYS, "A terminal session on another host; a telnet program opens it."),
    row("tn3270", 23, &telnet::WAYS, "A session on an IBM mainframe; a 3270 terminal program opens it."),
    row("rlogin", 513, &telnet::WAYS, "A login on another host, unencrypted and nearly extinct; an rlogin program opens it."),
    row("wais", 210, &wais::WAYS, "A full-text database of the early 1990s; only a gateway reaches the few that are left."),
    row("prospero", 1525, &prospero::WAYS, "An object of the Prospero directory service, out of use since the 1990s; only a gateway could reach it."),
    row("mid", 0, &mid::WAYS, "A mail or news message by its message-id; it is found among messages that are open here."),
    row("cid", 0, &mid::WAYS, "A part of the message at hand by its content-id; it is found only inside that message."),
    row("urn", 0, &urn::WAYS, "A lasting name of a thing, not its place; a resolver has to say where it is."),
    row("finger", 79, &one_line::FINGER, "What a host tells of its users, or of one of them."),
    row("whois", 43, &one_line::WHOIS, "What a registry knows of a name or a number of the net."),
    row("whois++", 63, &one_line::WHOIS, "A record of the Whois++ directory (RFC 1835), out of use since the 1990s."),
    row("dict", 2628, &dict::WAYS, "What dictionaries say of a word, or words that are like it."),
    row("cso", 105, &known::PHONE_BOOK, "A phone book of the CSO kind (RFC 2378), read as gopher's items of type 2 are."),
    row("ph", 105, &known::PHONE_BOOK, "A phone book of the CSO kind (RFC 2378), read as gopher's items of type 2 are."),
    row("afs", 0, &known::OTHER, "A file in the Andrew File System; it is reached where that is mounted (usually /afs), not by a URL."),
    row("nfs", 2049, &known::OTHER, "A file on an NFS server (RFC 2224); mount it and open it as a file."),
    row("z39.50", 210, &known::OTHER, "A library catalogue, by Z39.50; a catalogue client or a gateway reaches it."),
    row("z39.50r", 210, &known::OTHER, "A record of a library catalogue, by Z39.50 (RFC 2056); a gateway reaches it."),
    row("z39.50s", 210, &known::OTHER, "A session with a library catalogue, by Z39.50 (RFC 2056); a catalogue client opens it."),
    row("mailserver", 0, &known::OTHER, "A file that a mail server sends when it is asked by mail; the scheme was set aside and never defined."),
    row("x500", 0, &known::OTHER, "An entry of an X.500 directory; the first drafts kept the name, and LDAP took its place."),
    row("ldap", 389, &known::OTHER, "An entry of a directory, by LDAP (RFC 4516); a directory client reads it."),
    row("tel", 0, &known::OTHER, "A telephone number (RFC 3966); a telephone, or a program that has one, dials it."),
    row("sms", 0, &known::OTHER, "A telephone number for a short message (RFC 5724); a telephone sends it."),
    row("irc", 6667, &known::OTHER, "A channel of Internet Relay Chat; a chat program joins it."),
    row("xmpp", 0, &known::OTHER, "An address of instant messaging (RFC 5122); a chat program writes to it."),
    row("magnet", 0, &known::OTHER, "A file by what is in it, not by its place; a program for peers that share files finds it."),
    row("doi", 0, &known::OTHER, "The lasting name of a publication; doi.org knows where that is."),
    row("isbn", 0, &known::OTHER, "The number of a book; a library or a bookshop knows it."),
    row("ssh", 22, &known::OTHER, "A login on another host, encrypted; the program ssh opens it."),
    row("git", 9418, &known::OTHER, "A repository of git; the program git clones it."),
    row("url", 0, &known::PREFIX, "Not a scheme but the prefix \"URL:\" of the first drafts; what follows it is opened."),
    row("javascript", 0, &known::NEVER, "A script instead of a place; scripts are never run."),
    row("livescript", 0, &known::NEVER, "A script instead of a place; scripts are never run."),
    row("jscript", 0, &known::NEVER, "A script instead of a place; scripts are never run."),
    row("vbscript", 0, &known::NEVER, "A script instead of a place; scripts are never run."),
    row("place", 0, &known::NEVER, "A question to Firefox about its own bookmarks and history; nobody else can answer it."),
];

/// Private agreements; a program or a gateway may be configured for each (MISC-04).
const EXPERIMENTAL: Row = row(
    "x-",
    0,
    &known::OTHER,
    "An experimental scheme, known only to those who agreed on it; a program or a gateway may be configured for it.",
);

/// Anything else (GEN-24).
const UNKNOWN: Row = row(
    "unknown",
    0,
    &known::OTHER,
    "A scheme that is not known here; a program or a gateway may be configured for it.",
);

/// Asked some twenty times of every URL: most are of the first rows, and written in lower case.
fn find(scheme: &str) -> &'static Row {
    const USUAL: usize = 5;
    let (usual, first) = (|row: &&Row| row.name == scheme, scheme.as_bytes().first().map(u8::to_ascii_lowercase));
    let named = |row: &&Row| row.name.as_bytes().first() == first.as_ref() && scheme.eq_ignore_ascii_case(row.name);
    ROWS[..USUAL].iter().find(usual).or_else(|| ROWS.iter().find(named)).unwrap_or_else(|| {
        let experimental = scheme.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("x-"));
        if experimental { &EXPERIMENTAL } else { &UNKNOWN }
    })
}

pub(super) fn ways(scheme: &str) -> &'static Ways {
    find(scheme).ways
}

/// What a scheme is one of.
pub(in crate::url) fn family(scheme: &str) -> Family {
    find(scheme).ways.family
}

/// What the paths of a scheme are made of.
pub(in crate::url) fn paths(scheme: &str) -> Paths {
    find(scheme).ways.paths
}

pub(in crate::url) fn is_secure(scheme: &str) -> bool {
    find(scheme).secure
}

pub(super) fn named(family: Family, secure: bool) -> &'static str {
    let mut all = ROWS.iter().filter(|row| row.ways.family == family);
    let first = all.clone().next().unwrap_or(&UNKNOWN);
    all.find(|row| row.secure == secure).unwrap_or(first).name
}

/// The port that a scheme uses when the URL names none (GEN-17).
pub fn default_port(scheme: &str) -> Option<u16> {
    find(scheme).port
}

/// The scheme's name in lower case as the tables here know it; `x-` for experimental ones, `unknown` for the rest.
pub fn name(scheme: &str) -> &'static str {
    find(scheme).name
}

/// Schemes that the reader may choose for hosts of which nothing says one.
const FOR_HOSTS: [&str; 5] = ["https", "gopher", "http", "ftp", "gemini"];

/// Schemes that a host may be taken for by its name alone, the usual one first.
pub fn for_hosts() -> Vec<&'static str> {
    FOR_HOSTS.into_iter().filter(|scheme| name(scheme) == *scheme).collect()
}

/// Whether a scheme is one of them, or the same over TLS.
pub fn is_for_hosts(scheme: &str) -> bool {
    let family = family(scheme);
    FOR_HOSTS.iter().any(|known| *known == name(scheme) || (family != Family::Other && self::family(known) == family))
}

/// Every scheme that has a name here, the usual ones first.
pub fn all() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.name)
}

/// What a scheme is, in one sentence for the reader; any scheme has one.
pub fn explain(scheme: &str) -> &'static str {
    find(scheme).says
}
