//! What became of the schemes that nobody here speaks: what each was, what can still be done, who could be asked instead, and the
//! rows that the settings would need for it (WAIS-06, MISC-02 … 09).

use super::{Family, name, table, urn};
use crate::url::{Url, escape};

/// Of one scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Account {
    /// What it was, or is, for.
    pub was: &'static str,
    /// What can still be done.
    pub still: &'static str,
    /// The URL of a gateway, for `[gateways]`; made up where there is none in the open.
    pub gateway: &'static str,
    /// A program and its arguments, for `[handlers]`.
    pub program: &'static [&'static str],
    /// In which package of Debian that program is.
    pub package: &'static str,
}

const fn account(was: &'static str, still: &'static str) -> Account {
    Account { was, still, gateway: "", program: &[], package: "" }
}

impl Account {
    /// Whether a row of the settings would open it.
    pub fn has_rows(&self) -> bool {
        !self.gateway.is_empty() || !self.program.is_empty()
    }

    const fn gateway(self, gateway: &'static str) -> Account {
        Account { gateway, ..self }
    }

    const fn program(self, program: &'static [&'static str], package: &'static str) -> Account {
        Account { program, package, ..self }
    }
}

const ROWS: &[(&[&str], Account)] = &[
    (
        &["telnet"],
        account(
            "A terminal on another host: libraries, bulletin boards and games were reached in this way, and some still are.",
            "A telnet program opens it in this terminal, after a question; when it ends you are back here.",
        )
        .program(&["telnet", "{host}", "{port}"], "inetutils-telnet"),
    ),
    (
        &["rlogin"],
        account(
            "A login on another host without a password, for hosts that trusted each other.",
            "Hardly a host allows it any more; ssh took its place.",
        )
        .program(&["rlogin", "-l", "{user}", "{host}"], "rsh-redone-client"),
    ),
    (
        &["tn3270"],
        account(
            "A full-screen session on an IBM mainframe: the catalogues of libraries, mostly.",
            "A 3270 terminal program opens it in this terminal, after a question.",
        )
        .program(&["c3270", "{host}:{port}"], "c3270"),
    ),
    (
        &["wais"],
        account(
            "Full-text databases of the early 1990s, asked by an early form of Z39.50. The address names a database, words to \
             search it for, or a document by its identifier.",
            "No public server is left. Whoever runs one can put a gateway in front of it.",
        )
        .gateway("http://gateway.example.org/wais/{host}:{port}/{database}?{query}"),
    ),
    (
        &["prospero"],
        account(
            "A directory service of the early 1990s that put files of many hosts into one tree of names.",
            "No server is left. What an object stood for was mostly a file on an FTP server: try the host by ftp.",
        )
        .gateway("http://gateway.example.org/prospero/{host}/{path}"),
    ),
    (
        &["afs"],
        account(
            "A file in the Andrew File System, whose cells look like one tree of folders all over the world.",
            "Where AFS is mounted it is a file below /afs; elsewhere a gateway of its cell may have it.",
        )
        .gateway("https://gateway.example.org/afs/{host}/{path}"),
    ),
    (
        &["nfs"],
        account(
            "A file on a server of Sun's Network File System (RFC 2224).",
            "Mount what the server exports, as root: mount -t nfs HOST:/ /mnt. Then it is a file.",
        )
        .gateway("https://gateway.example.org/nfs/{host}/{path}"),
    ),
    (
        &["z39.50", "z39.50r", "z39.50s"],
        account(
            "The catalogue of a library, asked by Z39.50: a session (z39.50s) or one record of it (z39.50r).",
            "Some libraries still answer. yaz-client asks them line by line; most have a catalogue on the web.",
        )
        .gateway("https://gateway.example.org/z3950/{host}:{port}/{path}?{query}")
        .program(&["yaz-client", "{host}:{port}"], "yaz"),
    ),
    (
        &["mailserver"],
        account(
            "A file that a program sends when it is asked by mail. The name was kept aside in RFC 1738 and never defined.",
            "Write the mail yourself: archives that still answer say how when they are sent the word help.",
        ),
    ),
    (
        &["x500", "ldap"],
        account(
            "A person or a thing in a directory, by X.500 in the first drafts, by LDAP since.",
            "A directory client asks it; many of them take the URL as it is.",
        )
        .program(&["ldapsearch", "-x", "-H", "{url}"], "ldap-utils"),
    ),
    (
        &["urn"],
        account(
            "A lasting name: which thing is meant, not where it is. Each namespace has people who know.",
            "A resolver says where the thing is now. Which one depends on the namespace.",
        )
        .gateway("https://nbn-resolving.org/{raw}"),
    ),
    (
        &["doi"],
        account(
            "The lasting name of a publication, given by its publisher.",
            "The resolver doi.org leads to where it is now.",
        )
        .gateway("https://doi.org/{path}"),
    ),
    (
        &["isbn"],
        account(
            "The number of a book.",
            "A catalogue of books says which it is, and where a library has it.",
        )
        .gateway("https://openlibrary.org/isbn/{path}"),
    ),
    (
        &["tel"],
        account("A telephone number.", "A telephone dials it; = shows the number to be copied.")
            .program(&["xdg-open", "{url}"], "xdg-utils"),
    ),
    (
        &["sms"],
        account("A number to send a short message to.", "A telephone sends it; = shows the number to be copied.")
            .program(&["xdg-open", "{url}"], "xdg-utils"),
    ),
    (
        &["irc"],
        account(
            "A channel of Internet Relay Chat on its server.",
            "A chat program joins it; in irssi the word after / is typed as /join #word.",
        )
        .program(&["irssi", "-c", "{host}", "-p", "{port}"], "irssi"),
    ),
    (
        &["xmpp"],
        account("Somebody's address for instant messages.", "A chat program that has an account writes to it.")
            .program(&["xdg-open", "{url}"], "xdg-utils"),
    ),
    (
        &["magnet"],
        account(
            "A file by a digest of what is in it: whoever has it may send it.",
            "A program that shares files among peers finds it.",
        )
        .program(&["aria2c", "{url}"], "aria2"),
    ),
    (
        &["ssh"],
        account(
            "A login on another host, encrypted.",
            "The program ssh opens it in this terminal, after a question.",
        )
        .program(&["ssh", "-p", "{port}", "-l", "{user}", "{host}"], "openssh-client"),
    ),
    (
        &["git"],
        account(
            "A repository of the program git.",
            "git clones it into a folder of this machine. Many are on the web at the same host and path.",
        )
        .program(&["git", "clone", "{url}"], "git"),
    ),
    (
        &["javascript", "livescript", "jscript", "vbscript"],
        account(
            "Not a place but a program that a page wants run when its link is followed.",
            "Nothing: no script is run here, whatever the settings say.",
        ),
    ),
    (
        &["place"],
        account(
            "A question to Firefox about its own bookmarks and history, which stands among these as a folder.",
            "Nothing: no other program can answer it.",
        ),
    ),
    (
        &["x-"],
        account(
            "A scheme that some people agreed on among themselves; RFC 1738 keeps names that begin with x- for that.",
            "Whoever gave you the address knows the program or the gateway.",
        )
        .gateway("http://gateway.example.org/?%s")
        .program(&["program", "{url}"], ""),
    ),
];

/// For whatever else nobody here speaks.
const UNKNOWN: Account = account(
    "Nothing is known here of this scheme.",
    "If a program on this machine or a gateway knows it, name that in the settings.",
)
.gateway("http://gateway.example.org/?%s")
.program(&["program", "{url}"], "");

/// Of a scheme; of those that are built in there is none.
pub fn account_of(scheme: &str) -> Option<&'static Account> {
    let name = name(scheme);
    match ROWS.iter().find(|(names, _)| names.contains(&name)) {
        Some((_, account)) => Some(account),
        None => (name == "unknown").then_some(&UNKNOWN),
    }
}

/// Whether a scheme is spoken here, so that nobody else is asked for it.
pub fn is_spoken(scheme: &str) -> bool {
    let family = table::family(scheme);
    let is_known = table::all().any(|name| name.eq_ignore_ascii_case(scheme));
    is_known && account_of(scheme).is_none() && !matches!(family, Family::Mail | Family::Session | Family::Nowhere)
}

/// The package in which a program of the rows is.
pub fn package_of(program: &str) -> Option<&'static str> {
    let row = ROWS.iter().find(|(_, account)| account.program.first() == Some(&program));
    row.map(|(_, account)| account.package).filter(|package| !package.is_empty())
}

/// Where what a URL names may be had without any gateway: a reference, and what it is in words.
pub fn instead(url: &Url) -> Option<(Url, String)> {
    let path = url.path().trim_start_matches('/');
    let safe = |path: &str| escape::encode(&escape::decode(path), b"/");
    let found = |text: String, what: &str| Some((Url::parse(text).ok()?, what.to_owned()));
    match name(url.scheme()) {
        "afs" => found(format!("file:///afs/{}/{}", url.host()?, path), "the file, where AFS is mounted"),
        "prospero" => found(format!("ftp://{}/", url.host()?), "the same host by FTP"),
        "doi" => found(format!("https://doi.org/{}", safe(path)), "asked at doi.org"),
        "isbn" => found(format!("https://openlibrary.org/isbn/{}", safe(path)), "asked at openlibrary.org"),
        "urn" => {
            let urn = urn::Urn::of(url).ok()?;
            let rfc = urn.nss.strip_prefix("rfc:").filter(|number| number.bytes().all(|b| b.is_ascii_digit()));
            match (urn.nid.to_ascii_lowercase().as_str(), rfc) {
                ("ietf", Some(number)) => {
                    found(format!("https://www.rfc-editor.org/rfc/rfc{number}.txt"), "the RFC, from its editor")
                }
                ("isbn", _) => {
                    found(format!("https://openlibrary.org/isbn/{}", safe(urn.nss)), "asked at openlibrary.org")
                }
                ("nbn", _) => {
                    found(format!("https://nbn-resolving.org/urn:nbn:{}", safe(urn.nss)), "asked at nbn-resolving.org")
                }
                ("issn", _) => found(
                    format!("https://portal.issn.org/resource/ISSN/{}", safe(urn.nss)),
                    "asked at portal.issn.org",
                ),
                _ => None,
            }
        }
        _ => None,
    }
}
