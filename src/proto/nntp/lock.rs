//! Cancel-Lock and Cancel-Key (RFC 8315): whose an article is, proved by who can say from which secret its lock was made.
//!
//! The secret is made when something is posted for the first time, by the system's chance, and kept in a file that is its owner's
//! alone. Refuses: going anywhere but through HMAC into keys and locks, and making a key for anything but the article that a cancel
//! or its successor names (RFC 8315, 4).

use crate::disk::{self, Asked, Kept};
use base64::prelude::{BASE64_STANDARD, Engine};
use ring::digest::{SHA256, digest};
use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use tokio::sync::oneshot;

/// Octets of the secret: those of the hash (RFC 8315, 4).
const SECRET: usize = 32;

/// Where the secret is kept. Without a file there is none, and articles go without locks.
#[derive(Debug, Clone, Default)]
pub struct Locks {
    kept: Option<Kept>,
}

/// The secret; it has no form for display.
#[derive(Clone)]
pub(super) struct Secret(Arc<hmac::Key>);

impl Locks {
    /// In that file.
    pub fn new(kept: Option<Kept>) -> Locks {
        Locks { kept }
    }

    /// The secret, made and kept when there is none yet. `None` when it cannot be read or kept: a lock without its key is of no use.
    pub(super) async fn secret(&self) -> Option<Secret> {
        let Kept { file, writer } = self.kept.clone()?;
        let path = file.clone();
        let known = tokio::task::spawn_blocking(move || disk::read(&path)).await.ok()?.ok()?;
        if !known.is_empty() {
            return Secret::read(&known);
        }
        let (told, made) = oneshot::channel();
        let mut told = Some(told);
        writer.write(&file.clone(), Asked::ByReader, move || {
            let secret = made_in(&file)
                .map_err(|error| format!("{}; your articles go without a Cancel-Lock", disk::wrong(&file, &error)));
            let (octets, result) = match secret {
                Ok(octets) => (Some(octets), Ok(())),
                Err(sentence) => (None, Err(sentence)),
            };
            // Whoever asked may have been stopped, or was told the first time that it did not go.
            let _ = told.take().map(|told| told.send(octets));
            result
        });
        Secret::read(&made.await.ok()??)
    }
}

/// The secret that a file holds, which is made when it holds none: another copy may have been first.
fn made_in(file: &Path) -> std::io::Result<Vec<u8>> {
    let _lock = disk::lock(file)?;
    let there = disk::read(file)?;
    if !there.is_empty() {
        return Ok(there);
    }
    let mut chance = [0; SECRET];
    SystemRandom::new().fill(&mut chance).map_err(|_| std::io::Error::other("the system gives no random numbers"))?;
    let mut line = String::with_capacity(2 * SECRET + 1);
    for octet in chance {
        // Writing to a string cannot fail.
        let _ = write!(line, "{octet:02x}");
    }
    line.push('\n');
    disk::replace(file, line.as_bytes())?;
    Ok(line.into_bytes())
}

impl Secret {
    /// From the line of the file; `None` when it is none.
    fn read(line: &[u8]) -> Option<Secret> {
        let line = line.trim_ascii();
        let whole = line.len() == 2 * SECRET && line.iter().all(u8::is_ascii_hexdigit);
        whole.then(|| Secret::of(line))
    }

    /// Of these octets.
    fn of(octets: &[u8]) -> Secret {
        Secret(Arc::new(hmac::Key::new(hmac::HMAC_SHA256, octets)))
    }

    /// What opens the lock of an article; its id has its brackets.
    fn key(&self, id: &[u8]) -> String {
        BASE64_STANDARD.encode(hmac::sign(&self.0, id))
    }

    /// Its lock.
    fn lock(&self, id: &[u8]) -> String {
        BASE64_STANDARD.encode(digest(&SHA256, self.key(id).as_bytes()))
    }

    /// The fields that go before an article: its lock, and the key to the one that it cancels or takes the place of. What is
    /// written in the article already stays as it is.
    pub(super) fn fields(&self, article: &[u8]) -> String {
        let mut out = String::new();
        if let Some(id) =
            value(article, b"message-id").and_then(id).filter(|_| value(article, b"cancel-lock").is_none())
        {
            out.push_str(&format!("Cancel-Lock: sha256:{}\r\n", self.lock(id)));
        }
        let control = value(article, b"control").and_then(|order| order.strip_prefix(b"cancel "));
        let target = control.or_else(|| value(article, b"supersedes")).and_then(id);
        if let Some(id) = target.filter(|_| value(article, b"cancel-key").is_none()) {
            out.push_str(&format!("Cancel-Key: sha256:{}\r\n", self.key(id)));
        }
        out
    }
}

/// The value of a field of an article's header, as far as its first line has it; `name` in small letters.
pub(super) fn value<'a>(article: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let mut lines = article.split(|b| *b == b'\n').take_while(|line| !line.trim_ascii().is_empty());
    let is_it = |line: &&[u8]| {
        line.get(name.len()) == Some(&b':') && line.get(..name.len()).is_some_and(|own| own.eq_ignore_ascii_case(name))
    };
    lines.find(is_it).and_then(|line| line.get(name.len() + 1..)).map(<[u8]>::trim_ascii)
}

/// A single id, brackets included.
pub(super) fn id(value: &[u8]) -> Option<&[u8]> {
    let value = value.trim_ascii();
    let bare = value.strip_prefix(b"<")?.strip_suffix(b">")?;
    let good = !bare.is_empty() && bare.len() < 250 && bare.iter().all(|b| b.is_ascii_graphic() && !b"<>".contains(b));
    good.then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::Writer;
    use std::os::unix::fs::PermissionsExt;

    /// The example of libcanlock, which is the reference implementation.
    #[test]
    fn a_lock_is_made_as_others_make_it() {
        let secret = Secret::of(b"ExampleSecret");
        let id = b"<12345@mid.example>";
        assert_eq!(secret.key(id), "qv1VXHYiCGjkX/N1nhfYKcAeUn8bCVhrWhoKuBSnpMA=");
        assert_eq!(secret.lock(id), "s/pmK/3grrz++29ce2/mQydzJuc7iqHn1nqcJiQTPMc=");
    }

    #[test]
    fn a_key_is_made_for_what_a_cancel_names_and_for_nothing_else() {
        let secret = Secret::of(b"ExampleSecret");
        let plain =
            secret.fields(b"Message-ID: <12345@mid.example>\r\nSubject: cancel <1@h>\r\n\r\nControl: cancel <1@h>\r\n");
        assert_eq!(plain, "Cancel-Lock: sha256:s/pmK/3grrz++29ce2/mQydzJuc7iqHn1nqcJiQTPMc=\r\n");
        for order in ["Control: cancel <12345@mid.example>", "supersedes: <12345@mid.example>"] {
            let fields = secret.fields(format!("{order}\r\n\r\nx\r\n").as_bytes());
            assert_eq!(fields, "Cancel-Key: sha256:qv1VXHYiCGjkX/N1nhfYKcAeUn8bCVhrWhoKuBSnpMA=\r\n", "{order}");
        }
        for other in ["Control: newgroup <1@h>", "Control: cancel <1@h> <2@h>", "Control: cancel 1@h", "X: y"] {
            assert_eq!(secret.fields(format!("{other}\r\n\r\nx\r\n").as_bytes()), "", "{other}");
        }
    }

    #[test]
    fn the_secret_is_made_once_and_is_its_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("below").join("cancel-secret");
        let writer = Arc::new(Writer::new(|_| {}).unwrap());
        let locks = Locks::new(Some(Kept { file: file.clone(), writer }));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let first = runtime.block_on(locks.secret()).unwrap().key(b"<1@h>");
        let line = std::fs::read_to_string(&file).unwrap();
        assert_eq!(line.trim_end().len(), 2 * SECRET);
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(runtime.block_on(locks.secret()).unwrap().key(b"<1@h>"), first, "the same again");
        // What is damaged is neither used nor written over.
        std::fs::write(&file, "no secret\n").unwrap();
        assert!(runtime.block_on(locks.secret()).is_none());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "no secret\n");
        assert!(runtime.block_on(Locks::default().secret()).is_none());
    }
}
