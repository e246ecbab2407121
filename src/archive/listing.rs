//! What is in a folder of an archive, as a server of FTP would say it.

use super::name::Steps;
use super::{Archive, Form, Found, Kind, MOST_STEPS, Member, Modified, Place};

impl Archive {
    /// What is in a folder, as lines of MLSD (RFC 3659, 7): folders first, then by name.
    pub fn listing(&self, folder: &[u8]) -> Vec<u8> {
        let skip = if folder.is_empty() { 0 } else { folder.len() + 1 };
        let mut rows: Vec<(&[u8], Option<&Member>)> = Vec::new();
        for member in self.below(folder) {
            let rest = member.path.get(skip..).unwrap_or_default();
            let end = memchr::memchr(b'/', rest);
            let name = &rest[..end.unwrap_or(rest.len())];
            match end {
                // A folder that has no entry of its own, or whose entry came before.
                Some(_) if rows.last().is_some_and(|(last, _)| *last == name) => {}
                Some(_) => rows.push((name, None)),
                None => rows.push((name, Some(member))),
            }
        }
        // `a.txt` stands between `a` and `a/b`.
        rows.sort_by(|(a, one), (b, other)| a.cmp(b).then(one.is_none().cmp(&other.is_none())));
        rows.dedup_by(|(a, _), (b, _)| a == b);
        rows.sort_by_cached_key(|(name, member)| {
            let folder = member.is_none_or(|member| member.kind == Kind::Folder);
            (!folder, name.to_ascii_lowercase())
        });
        let (mut out, mut left) = (Vec::with_capacity(rows.len() * 64), MOST_STEPS);
        for (name, member) in rows {
            let inside = member.is_some_and(|member| self.is_inside(member));
            line(member, inside, &mut out);
            if let Some(place) = member.and_then(|member| self.place(member, &mut left)) {
                out.extend(format!("unique={place:016x};").bytes());
            }
            out.push(b' ');
            out.extend(name);
            out.push(b'\n');
        }
        out
    }

    /// All that is below a folder, folders left out, as lines of MLSD with paths for names; only those with all the words in their
    /// paths, whatever the case of their letters (ASCII).
    pub fn tree(&self, folder: &[u8], words: &[Vec<u8>]) -> Vec<u8> {
        let skip = if folder.is_empty() { 0 } else { folder.len() + 1 };
        let words: Vec<Vec<u8>> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
        let mut out = Vec::new();
        for member in self.below(folder).iter().filter(|member| member.kind != Kind::Folder) {
            let path = member.path.get(skip..).unwrap_or_default();
            let lower = if words.is_empty() { Vec::new() } else { path.to_ascii_lowercase() };
            if words.iter().all(|word| memchr::memmem::find(&lower, word).is_some()) {
                line(Some(member), self.is_inside(member), &mut out);
                out.push(b' ');
                out.extend(path);
                out.push(b'\n');
            }
        }
        out
    }

    /// Whether a link of a recursive listing leads to a folder of it, by no other link: each is looked at once for every list.
    fn is_inside(&self, member: &Member) -> bool {
        let Kind::Link(target) = &member.kind else { return false };
        let mut steps = Steps::new(&member.path);
        let mut end = || -> Result<(), ()> {
            while steps.next()? {}
            steps.turn(target)?;
            while steps.next()? {}
            Ok(())
        };
        if self.top.is_none() || end().is_err() {
            return false;
        }
        let here = steps.here();
        match self.at(here) {
            Some(member) => member.kind == Kind::Folder,
            None => here.is_empty() || !self.below(here).is_empty(),
        }
    }

    /// Where a file is, or what a link leads to, in an archive that is unpacked from its beginning: members cost least in this order.
    fn place(&self, member: &Member, left: &mut usize) -> Option<u64> {
        let packed = matches!(self.form, Form::Tar(Some(_)));
        let place = match &member.kind {
            _ if !packed => return None,
            Kind::File => &member.place,
            Kind::Link(_) | Kind::Same(_) => match self.follow(&member.path, left) {
                Ok(Found::Member(found)) => &found.place,
                _ => return None,
            },
            Kind::Folder | Kind::Other => return None,
        };
        match place {
            Place::At(start) | Place::Sparse(start, _) => Some(*start),
            Place::Nowhere(_) | Place::Zip(_) | Place::Record(_) | Place::Blob(_) | Place::Elsewhere => None,
        }
    }
}

/// The facts of a member, without its name.
fn line(member: Option<&Member>, inside: bool, out: &mut Vec<u8>) {
    let kind = member.map_or(&Kind::Folder, |member| &member.kind);
    match (kind, member) {
        (Kind::Folder, _) | (_, None) => out.extend(b"type=dir;"),
        (Kind::File, Some(Member { size: u64::MAX, .. })) => out.extend(b"type=file;"),
        (Kind::File, Some(member)) => out.extend(format!("type=file;size={};", member.size).bytes()),
        (Kind::Link(target) | Kind::Same(target), _) => {
            let told = !target.is_empty() && !target.iter().any(|b| matches!(b, b';' | b'\r' | b'\n'));
            match told {
                true => out.extend([b"type=OS.unix=slink:", target.as_slice(), b";"].concat()),
                false => out.extend(b"type=OS.unix=symlink;"),
            }
        }
        (Kind::Other, _) => out.extend(b"type=OS.unix=other;"),
    }
    if let Some(mode) = member.and_then(|member| member.mode).filter(|_| matches!(kind, Kind::File | Kind::Folder)) {
        out.extend(format!("UNIX.mode={mode:04o};").bytes());
    }
    if let Some(Modified { seconds, local }) = member.and_then(|member| member.modified)
        && let Ok(time) = jiff::Timestamp::from_second(seconds)
    {
        let fact = if local { "x.modify-local" } else { "modify" };
        out.extend(format!("{fact}={};", time.strftime("%Y%m%d%H%M%S")).bytes());
    }
    if inside {
        out.extend(b"x.inside=1;");
    }
}
