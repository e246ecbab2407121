//! What a visitor of the FTP server is answered, without the wire: login, place, mode, and what is to be sent.

use super::archive::{Archive, Entry, Pace, Path, What};
use super::command::{Command, IAC};
use super::listing::{self, Form};
use std::sync::Arc;

/// Where anonymous visitors are after their login, below the root (RFC 1738, 3.2.2).
const HOME: &[u8] = b"/tour";
/// The visitor with a name: name, password, home.
const ADA: (&[u8], &[u8], &[u8]) = (b"ada", b"analytical", b"/home/ada");
/// Features beyond RFC 959 (RFC 2389, 3.2).
const FEATURES: &str = "Features:\n EPSV\n MDTM\n MLST type*;size*;perm*;modify*;\n REST STREAM\n SIZE\n TVFS\n UTF8";
/// Whatever would change something.
const WRITING: &[&str] = &["STOR", "STOU", "APPE", "DELE", "RMD", "XRMD", "MKD", "XMKD", "RNFR", "RNTO"];

/// What is to be done.
#[derive(Debug)]
pub(super) enum Act {
    /// Say this.
    Say(Vec<u8>),
    /// Listen for a data connection.
    Listen(Passive),
    /// Send this over it.
    Send(Vec<u8>, Pace),
    /// Say this and close.
    Leave(Vec<u8>),
}

/// How a port is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passive {
    /// PASV.
    Plain,
    /// EPSV.
    Extended,
}

/// How a file goes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// As lines that end with CR LF.
    Text,
    /// As octets.
    Image,
}

/// Who a visitor is.
#[derive(Debug)]
enum Login {
    Nobody,
    Named(Vec<u8>),
    In,
}

/// A visitor.
#[derive(Debug)]
pub(super) struct Session {
    archive: Arc<Archive>,
    login: Login,
    here: Path,
    kind: Kind,
    /// Where the next RETR begins.
    rest: usize,
}

/// A reply of one line.
pub(super) fn reply(code: u16, words: &str) -> Vec<u8> {
    format!("{code} {words}\r\n").into_bytes()
}

/// A reply whose last line comes after others.
fn long_reply(code: u16, lines: &str, last: &str) -> Vec<u8> {
    let mut out: Vec<u8> = lines.lines().flat_map(|line| format!("{code}-{line}\r\n").into_bytes()).collect();
    out.extend(reply(code, last));
    out
}

impl Session {
    /// A visitor who has said nothing yet.
    pub fn new(archive: Arc<Archive>) -> Session {
        Session { archive, login: Login::Nobody, here: Path::new(), kind: Kind::Text, rest: 0 }
    }

    /// Takes a command.
    pub fn take(&mut self, Command { verb, argument }: &Command) -> Act {
        let rest = std::mem::take(&mut self.rest);
        let verb = verb.as_str();
        match verb {
            "USER" => return Act::Say(self.user(argument)),
            "PASS" => return Act::Say(self.password(argument)),
            "QUIT" => return Act::Leave(reply(221, "Good-bye. The tour goes on as long as Wayfarer shows it.")),
            "NOOP" => return Act::Say(reply(200, "Still here.")),
            "SYST" => return Act::Say(reply(215, "UNIX Type: L8")),
            "FEAT" => return Act::Say(features()),
            "OPTS" => return Act::Say(options(argument)),
            "HELP" => return Act::Say(help()),
            _ if !matches!(self.login, Login::In) => return Act::Say(reply(530, "Say USER and PASS first.")),
            _ => {}
        }
        Act::Say(match verb {
            "CWD" | "XCWD" => self.enter(argument),
            "CDUP" | "XCUP" => self.enter(b".."),
            "PWD" | "XPWD" => self.place(),
            "TYPE" => self.kind(argument),
            "MODE" => fixed(argument, b"S", "Octets go over as a stream."),
            "STRU" => fixed(argument, b"F", "A file is a file."),
            "PASV" => return Act::Listen(Passive::Plain),
            "EPSV" => match argument.to_ascii_uppercase().as_slice() {
                b"" | b"1" => return Act::Listen(Passive::Extended),
                b"ALL" => reply(200, "EPSV it will be."),
                _ => reply(522, "This machine speaks to itself by IPv4 only, use (1)"),
            },
            "PORT" | "EPRT" => reply(502, "This server calls nobody: say PASV or EPSV, and call it."),
            "REST" => match std::str::from_utf8(argument).ok().and_then(|digits| digits.parse().ok()) {
                Some(offset) => {
                    self.rest = offset;
                    reply(350, &format!("The next file begins at {offset}."))
                }
                None => reply(501, "Where to begin is a number of octets."),
            },
            "RETR" => return self.retrieve(argument, rest),
            "LIST" => return self.list(argument, Form::Long),
            "NLST" => return self.list(argument, Form::Names),
            "MLSD" => return self.facts_of_all(argument),
            "MLST" => self.facts(argument),
            "SIZE" => match self.file(argument) {
                Ok((octets, _)) => reply(213, &self.shape(octets).len().to_string()),
                Err(refusal) => refusal,
            },
            "MDTM" => match self.archive.find(&self.here, argument) {
                Some((_, Entry { modified, what: What::File(..) })) => reply(213, modified),
                _ => nothing(argument),
            },
            "ALLO" => reply(202, "There is nothing to make room for."),
            "ABOR" => reply(226, "Nothing is under way."),
            "STAT" => reply(211, "The tour's archive, with you in it."),
            _ if WRITING.contains(&verb) => reply(
                550,
                "Nothing can be written here: this archive is a part of the program that you look at it with.",
            ),
            _ => reply(500, "This small server does not know that command; HELP lists those it knows."),
        })
    }

    fn user(&mut self, name: &[u8]) -> Vec<u8> {
        self.login = Login::Named(name.to_vec());
        match name.to_ascii_lowercase().as_slice() {
            b"anonymous" | b"ftp" => {
                reply(331, "Anybody is welcome; a mail address as the password is a custom, not a must.")
            }
            name if name == ADA.0 => reply(331, "Good day, Ada. Your password? (It is \"analytical\", and no secret.)"),
            _ => reply(331, "And the password?"),
        }
    }

    fn password(&mut self, password: &[u8]) -> Vec<u8> {
        let Login::Named(name) = std::mem::replace(&mut self.login, Login::Nobody) else {
            return reply(503, "Say USER first.");
        };
        let home = match name.to_ascii_lowercase().as_slice() {
            b"anonymous" | b"ftp" => HOME,
            name if name == ADA.0 && password == ADA.1 => ADA.2,
            _ => return reply(530, "Here are anonymous, with any password, and ada, with \"analytical\"."),
        };
        let Some((path, Entry { what: What::Directory(door), .. })) = self.archive.find(&[], home) else {
            return reply(421, "There is no place for you.");
        };
        self.login = Login::In;
        self.here = path;
        long_reply(230, door, "You are in.")
    }

    fn enter(&mut self, name: &[u8]) -> Vec<u8> {
        if name.is_empty() {
            return reply(501, "CWD needs the name of a directory.");
        }
        let Some((path, entry)) = self.archive.find(&self.here, name) else { return nothing(name) };
        let What::Directory(door) = &entry.what else {
            return quoting(550, name, " is a file. Ask for it with RETR.");
        };
        let said = long_reply(250, door, "You are there.");
        self.here = path;
        said
    }

    fn place(&self) -> Vec<u8> {
        let mut place: Vec<u8> = self.here.iter().flat_map(|segment| [b"/", segment.as_slice()].concat()).collect();
        if place.is_empty() {
            place.push(b'/');
        }
        quoting(257, &place, " is where you are.")
    }

    fn kind(&mut self, argument: &[u8]) -> Vec<u8> {
        let (kind, words) = match argument.to_ascii_uppercase().as_slice() {
            b"A" | b"A N" => (Kind::Text, "Files go over as text, each line with CR LF at its end."),
            b"I" | b"L 8" => (Kind::Image, "Files go over octet by octet."),
            _ => return reply(504, "Here are TYPE A (text) and TYPE I (octets)."),
        };
        self.kind = kind;
        reply(200, words)
    }

    /// A file's octets, or why there are none.
    fn file(&self, name: &[u8]) -> Result<(&[u8], Pace), Vec<u8>> {
        match self.archive.find(&self.here, name) {
            Some((_, Entry { what: What::File(octets, pace), .. })) if !name.is_empty() => Ok((octets, *pace)),
            Some(_) if !name.is_empty() => Err(quoting(550, name, " is a directory. Go there with CWD.")),
            _ => Err(nothing(name)),
        }
    }

    /// As it goes over.
    fn shape(&self, octets: &[u8]) -> Vec<u8> {
        match self.kind {
            Kind::Image => octets.to_vec(),
            Kind::Text => octets
                .iter()
                .flat_map(|octet| if *octet == b'\n' { &b"\r\n"[..] } else { std::slice::from_ref(octet) })
                .copied()
                .collect(),
        }
    }

    fn retrieve(&self, name: &[u8], rest: usize) -> Act {
        match self.file(name) {
            Ok((octets, pace)) => {
                let mut octets = self.shape(octets);
                if rest > octets.len() {
                    return Act::Say(reply(554, &format!("It has {} octets only.", octets.len())));
                }
                Act::Send(octets.split_off(rest), pace)
            }
            Err(refusal) => Act::Say(refusal),
        }
    }

    /// LIST and NLST: of a directory what is in it, of a file itself. Clients put options of `ls` before the name, or send
    /// nothing else.
    fn list(&self, argument: &[u8], form: Form) -> Act {
        let mut name = argument;
        while self.archive.find(&self.here, name).is_none() && name.starts_with(b"-") {
            let end = name.iter().position(|octet| *octet == b' ').map_or(name.len(), |end| end + 1);
            name = &name[end..];
        }
        match self.archive.find(&self.here, name) {
            Some((path, Entry { what: What::Directory(_), .. })) => Act::Send(self.lines(&path, form), Pace::Quick),
            Some((_, entry)) => Act::Send(listing::line(form, name, entry), Pace::Quick),
            None => Act::Say(nothing(name)),
        }
    }

    fn lines(&self, directory: &[Vec<u8>], form: Form) -> Vec<u8> {
        self.archive.children(directory).flat_map(|(name, entry)| listing::line(form, name, entry)).collect()
    }

    fn facts_of_all(&self, name: &[u8]) -> Act {
        match self.archive.find(&self.here, name) {
            Some((path, Entry { what: What::Directory(_), .. })) => {
                Act::Send(self.lines(&path, Form::Facts), Pace::Quick)
            }
            Some(_) => Act::Say(quoting(501, name, " is a file; MLST tells of it.")),
            None => Act::Say(nothing(name)),
        }
    }

    fn facts(&self, name: &[u8]) -> Vec<u8> {
        let Some((_, entry)) = self.archive.find(&self.here, name) else { return nothing(name) };
        let named = if name.is_empty() { b"." } else { name };
        let line = [&listing::facts(entry), named].concat();
        [b"250-The facts:\r\n ", doubled(&line).as_slice(), b"\r\n250 That is all.\r\n"].concat()
    }
}

/// What a command may only be.
fn fixed(argument: &[u8], only: &[u8], words: &str) -> Vec<u8> {
    if argument.eq_ignore_ascii_case(only) { reply(200, words) } else { reply(504, words) }
}

fn features() -> Vec<u8> {
    let mut lines = FEATURES.lines();
    let first = lines.next().unwrap_or_default();
    let rest: String = lines.map(|line| format!("{line}\r\n")).collect();
    format!("211-{first}\r\n{rest}211 End\r\n").into_bytes()
}

fn options(argument: &[u8]) -> Vec<u8> {
    match argument.to_ascii_uppercase().as_slice() {
        b"UTF8" | b"UTF8 ON" => reply(200, "Names are octets here; most of them are UTF-8."),
        words if words.starts_with(b"MLST") => reply(200, "MLST OPTS type;size;perm;modify;"),
        _ => reply(501, "There is nothing to choose there."),
    }
}

fn help() -> Vec<u8> {
    let commands =
        "USER PASS CWD CDUP PWD TYPE PASV EPSV LIST NLST MLSD MLST SIZE MDTM REST RETR\nSYST FEAT OPTS NOOP QUIT";
    long_reply(214, commands, "That is all.")
}

fn nothing(name: &[u8]) -> Vec<u8> {
    quoting(550, name, ": there is no such name here.")
}

/// A reply that begins with a name, in quotation marks that are doubled within it (RFC 959, Appendix II).
fn quoting(code: u16, name: &[u8], words: &str) -> Vec<u8> {
    let mut out = format!("{code} \"").into_bytes();
    for octet in doubled(name) {
        match octet {
            b'"' => out.extend_from_slice(b"\"\""),
            b'\r' | b'\n' | 0 => out.push(b'?'),
            octet => out.push(octet),
        }
    }
    out.push(b'"');
    out.extend_from_slice(words.as_bytes());
    out.extend_from_slice(b"\r\n");
    out
}

/// As telnet wants 0xFF.
fn doubled(octets: &[u8]) -> Vec<u8> {
    octets.iter().flat_map(|octet| std::iter::repeat_n(*octet, 1 + usize::from(*octet == IAC))).collect()
}
