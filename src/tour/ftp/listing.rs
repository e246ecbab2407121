//! Directories as lines: `ls -l` (LIST), names (NLST), facts (MLSD and MLST: RFC 3659, 7).

use super::archive::{Entry, What};
use jiff::civil::Date;

/// How a directory is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As Unix lists it.
    Long,
    /// Names alone.
    Names,
    /// Facts and names.
    Facts,
}

/// The line of an entry, its end included.
pub(super) fn line(form: Form, name: &[u8], entry: &Entry) -> Vec<u8> {
    let mut line = match form {
        Form::Long => long(entry).into_bytes(),
        Form::Names => Vec::new(),
        Form::Facts => facts(entry),
    };
    line.extend_from_slice(name);
    if let (Form::Long, What::Link(target)) = (form, &entry.what) {
        line.extend_from_slice(b" -> ");
        line.extend_from_slice(target);
    }
    line.extend_from_slice(b"\r\n");
    line
}

fn long(entry: &Entry) -> String {
    let (mode, size) = match &entry.what {
        What::Directory(_) => ("dr-xr-xr-x", 4096),
        What::File(octets, _) => ("-r--r--r--", octets.len()),
        What::Link(target) => ("lrwxrwxrwx", target.len()),
    };
    let day = Date::strptime("%Y%m%d", entry.modified.get(..8).unwrap_or_default()).unwrap_or_default();
    // With the year: which dates are old enough for it would depend on a clock.
    format!("{mode} 1 tour tour {size:>8} {} ", day.strftime("%b %d  %Y"))
}

/// The facts of an entry and the blank before its name.
pub(super) fn facts(entry: &Entry) -> Vec<u8> {
    let mut facts = Vec::new();
    match &entry.what {
        What::Directory(_) => facts.extend_from_slice(b"type=dir;perm=el;"),
        What::File(octets, _) => facts.extend_from_slice(format!("type=file;size={};perm=r;", octets.len()).as_bytes()),
        What::Link(target) => {
            facts.extend_from_slice(b"type=OS.unix=slink:");
            facts.extend_from_slice(target);
            facts.push(b';');
        }
    }
    facts.extend_from_slice(format!("modify={}; ", entry.modified).as_bytes());
    facts
}
