//! ar: Debian's packages (deb(5)) and libraries, with long names as GNU and BSD write them.

use super::fault::grouped;
use super::name;
use super::unpacking::some;
use super::{Fault, Kind, Member, Members, Modified, Place, Source, Why};
use crate::stop::Stop;
use std::io::SeekFrom;

/// How one begins.
pub(super) const MAGIC: &[u8] = b"!<arch>\n";
const HEADER: usize = 60;
/// Octets of the table of long names.
const LONGEST: u64 = 16 << 20;

pub(super) fn read(source: &mut dyn Source, stop: &Stop, out: &mut Members) -> Result<(), Fault> {
    let length = source.seek(SeekFrom::End(0))?;
    let mut at = MAGIC.len() as u64;
    let mut names = Vec::new();
    while at < length && !out.is_full() {
        if stop.is_given_up() {
            return Err(Fault::new(Why::Stopped, "stopped"));
        }
        let header = some(source, at, HEADER)?;
        let Some(size) = header.get(48..58).and_then(number).filter(|_| header.ends_with(b"`\n")) else {
            out.note(format!("What stands at octet {} is no member; what follows is not listed.", grouped(at)));
            return Ok(());
        };
        let mut start = at + HEADER as u64;
        let Some(end) = start.checked_add(size) else { return Err(Fault::broken("A size in it is no size.")) };
        if end > length {
            out.note("Its end is missing.");
        }
        at = end.checked_next_multiple_of(2).unwrap_or(end);
        let field = header[..16].trim_ascii_end();
        let mut octets = size;
        let name = match field {
            b"/" | b"/SYM64/" | b"__.SYMDEF" => continue,
            b"//" => {
                names = some(source, start, usize::try_from(size.min(LONGEST)).unwrap_or_default())?;
                continue;
            }
            [b'/', digits @ ..] => {
                let from = number(digits).and_then(|at| usize::try_from(at).ok()).unwrap_or(usize::MAX);
                // A table without ends of lines is not looked through, nor copied, for each member.
                let rest = names.get(from..).unwrap_or_default();
                let rest = &rest[..rest.len().min(name::LONGEST)];
                rest[..memchr::memchr(b'\n', rest).unwrap_or(0)].to_vec()
            }
            [b'#', b'1', b'/', digits @ ..] => {
                let long = number(digits).unwrap_or(0).min(size).min(LONGEST);
                let name = some(source, start, usize::try_from(long).unwrap_or_default())?;
                (start, octets) = (start + long, size - long);
                name[..memchr::memchr(0, &name).unwrap_or(name.len())].to_vec()
            }
            name => name.to_vec(),
        };
        let name = name.strip_suffix(b"/").unwrap_or(&name);
        if name.is_empty() {
            out.leave("Members without a name are left out.");
            continue;
        }
        let seconds = number(header[16..28].trim_ascii_end()).and_then(|time| i64::try_from(time).ok());
        let modified = seconds.filter(|time| *time > 0).map(|seconds| Modified { seconds, local: false });
        let member = Member { size: octets, modified, ..Member::new(Kind::File, Place::At(start)) };
        out.take(name, member);
    }
    Ok(())
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits.trim_ascii()).ok()?.parse().ok()
}
