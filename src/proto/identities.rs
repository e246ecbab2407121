//! The reader's own certificates, and to which parts of which servers they are shown: a plain text file of lines, its owner's alone.
//!
//! `certificate SHA256 DATE KEY CERTIFICATE NAME` and `use HOST:PORT PATH SHA256`; key and certificate in hexadecimal digits (PKCS #8,
//! X.509). The file is read each time, so that what another copy has changed counts at once; lines that cannot be read stay.
//! Refuses: showing a certificate anywhere but below the path that it was chosen for, and telling anybody a key.

use super::Certificate;
use crate::disk::{self, Asked, Kept, Lines, Writer};
use crate::doc::flat;
use crate::url::Url;
use crate::url::escape;
use rcgen::{CertificateParams, DnType, KeyPair, PKCS_ECDSA_P256_SHA256, date_time_ymd};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use std::fmt::{self, Write};
use std::io::Error;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Characters of a name: it stands in a certificate and on a line of a page.
const NAME: usize = 64;

/// The certificates, in a file or in memory only. Clones share.
#[derive(Debug, Clone, Default)]
pub struct Identities {
    file: Option<PathBuf>,
    writer: Option<Arc<Writer>>,
    /// What the file does not say yet; all there is where there is no file.
    owed: Arc<Mutex<Vec<Change>>>,
}

/// A certificate of the reader's.
#[derive(Clone, PartialEq, Eq)]
pub struct Identity {
    /// What it calls the reader.
    pub name: String,
    /// It, as a server sees it.
    pub certificate: Certificate,
    /// The day on which it was made.
    pub since: String,
    key: Vec<u8>,
    der: Vec<u8>,
}

/// Never the key.
impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({:?} {})", self.name, self.certificate.fingerprint)
    }
}

/// A part of a server to which one is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// `host:port`, as the pins name it.
    pub server: String,
    /// The path that all of it is below.
    pub path: String,
    /// Which one.
    pub fingerprint: String,
}

/// All of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Known {
    /// The certificates, the oldest first.
    pub identities: Vec<Identity>,
    /// Where they are shown.
    pub shown: Vec<Shown>,
}

#[derive(Debug, Clone, PartialEq)]
enum Change {
    Add(Identity),
    Show(Shown),
    Leave(String, String),
    Forget(String),
}

impl Identities {
    /// Those of that file; without one they last until the program ends.
    pub fn new(kept: Option<Kept>) -> Identities {
        let (file, writer) = kept.map(|Kept { file, writer }| (file, writer)).unzip();
        Identities { file, writer, owed: Arc::default() }
    }

    /// All there is.
    ///
    /// # Errors
    /// The file is there and cannot be read, in a sentence.
    pub fn known(&self) -> Result<Known, String> {
        // Held while the file is read: what is owed until then may be in it already, which does no harm, but what was written
        // meanwhile would be in neither.
        let owed = self.owed();
        let octets = self.file.as_deref().map(octets).transpose();
        let octets = octets.map_err(|error| self.wrong(&error))?.unwrap_or_default();
        let mut known = Known::default();
        for line in octets.split(|b| *b == b'\n') {
            if let Some(change) = entry(&String::from_utf8_lossy(line)) {
                known.apply(change);
            }
        }
        owed.iter().for_each(|change| known.apply(change.clone()));
        Ok(known)
    }

    /// The one that is shown to a place on a server (`host:port`), if any: the longest path that it lies below decides.
    ///
    /// # Errors
    /// As [`Identities::known`].
    pub fn of(&self, server: &str, url: &Url) -> Result<Option<Identity>, String> {
        if self.file.is_none() && self.owed().is_empty() {
            return Ok(None);
        }
        let known = self.known()?;
        let shown = known.shown.iter().filter(|shown| shown.server == server && lies_below(url, &shown.path));
        let nearest = shown.max_by_key(|shown| shown.path.len());
        Ok(nearest.and_then(|shown| known.identity(&shown.fingerprint)).cloned())
    }

    /// Makes one that calls the reader by a name.
    ///
    /// # Errors
    /// The name is none, or the library cannot make it; in a sentence.
    pub fn make(&self, name: &str) -> Result<Identity, String> {
        let name = flat(name).split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() || name.chars().count() > NAME {
            return Err(format!("A name for a certificate has between 1 and {NAME} letters."));
        }
        let made = || {
            let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?;
            let mut asked = CertificateParams::default();
            asked.distinguished_name.push(DnType::CommonName, name.as_str());
            // When it was made is nobody's business, and it holds until the reader forgets it.
            (asked.not_before, asked.not_after) = (date_time_ymd(2000, 1, 1), date_time_ymd(9999, 12, 31));
            let der = asked.self_signed(&key)?.der().to_vec();
            Ok((key.serialize_der(), der))
        };
        let (key, der) =
            made().map_err(|error: rcgen::Error| format!("The certificate could not be made ({error})."))?;
        let since = jiff::Zoned::now().date().to_string();
        let identity = Identity { name, certificate: Certificate::read(&der), since, key, der };
        self.change(Change::Add(identity.clone()));
        Ok(identity)
    }

    /// Shows one to a part of a server from now on, in place of another.
    pub fn show(&self, server: &str, path: &str, fingerprint: &str) {
        let shown = Shown { server: server.into(), path: path.into(), fingerprint: fingerprint.into() };
        self.change(Change::Show(shown));
    }

    /// Shows none to a part of a server any more.
    pub fn leave(&self, server: &str, path: &str) {
        self.change(Change::Leave(server.into(), path.into()));
    }

    /// Forgets one, with its key and all places that it is shown to.
    pub fn forget(&self, fingerprint: &str) {
        self.change(Change::Forget(fingerprint.into()));
    }

    fn change(&self, change: Change) {
        self.owed().push(change);
        let (Some(file), Some(writer)) = (self.file.clone(), &self.writer) else { return };
        let owed = Arc::clone(&self.owed);
        writer.write(&file.clone(), Asked::ByReader, move || {
            write(&file, &owed).map_err(|error| {
                format!("{}; your certificates are remembered for this run only", disk::wrong(&file, &error))
            })
        });
    }

    fn owed(&self) -> MutexGuard<'_, Vec<Change>> {
        hold(&self.owed)
    }

    fn wrong(&self, error: &Error) -> String {
        let file = self.file.as_deref().map(disk::shown).unwrap_or_default();
        format!("Your certificates cannot be read from {file} ({}).", super::net::words(error))
    }
}

impl Identity {
    /// What TLS needs of it.
    pub(super) fn for_tls(&self) -> (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>) {
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(self.key.clone()));
        (vec![CertificateDer::from(self.der.clone())], key)
    }
}

impl Known {
    /// The certificate of a fingerprint.
    pub fn identity(&self, fingerprint: &str) -> Option<&Identity> {
        self.identities.iter().find(|identity| identity.certificate.fingerprint == fingerprint)
    }

    fn apply(&mut self, change: Change) {
        match change {
            Change::Add(identity) => {
                self.identities.retain(|other| other.certificate != identity.certificate);
                self.identities.push(identity);
            }
            Change::Show(shown) => {
                self.shown.retain(|other| (&other.server, &other.path) != (&shown.server, &shown.path));
                self.shown.push(shown);
            }
            Change::Leave(server, path) => self.shown.retain(|other| other.server != server || other.path != path),
            Change::Forget(fingerprint) => {
                self.identities.retain(|identity| identity.certificate.fingerprint != fingerprint);
                self.shown.retain(|shown| shown.fingerprint != fingerprint);
            }
        }
    }
}

/// Whether a URL's path is a path or lies below it. One with steps up may lead anywhere, and so may one whose slashes are escaped.
fn lies_below(url: &Url, path: &str) -> bool {
    let own = if url.path().is_empty() { "/" } else { url.path() };
    let steps = |segment: &str| matches!(escape::decode(segment).as_slice(), b"." | b"..");
    let hides = own.split('/').any(|segment| steps(segment) || escape::decode(segment).contains(&b'/'));
    let rest = own.strip_prefix(path);
    !hides && rest.is_some_and(|rest| rest.is_empty() || path.ends_with('/') || rest.starts_with('/'))
}

fn hold(owed: &Mutex<Vec<Change>>) -> MutexGuard<'_, Vec<Change>> {
    // A panic elsewhere leaves a plain list behind.
    owed.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the file holds; one of a newer version cannot be read.
fn octets(file: &Path) -> Result<Vec<u8>, Error> {
    let octets = disk::read(file)?;
    match lines(file).newer(&octets) {
        Some(version) => Err(Error::other(format!("a newer Wayfarer wrote it, version {version}"))),
        None => Ok(octets),
    }
}

fn lines(file: &Path) -> Lines {
    Lines::new(file.into(), "certificates")
}

/// Makes what is owed on the file as it is now. What is owed is not held while the disk works.
fn write(file: &Path, owed: &Mutex<Vec<Change>>) -> Result<(), Error> {
    let changes = hold(owed).clone();
    if changes.is_empty() {
        return Ok(());
    }
    let _lock = disk::lock(file)?;
    let old = octets(file)?;
    let text = String::from_utf8_lossy(&old);
    let mut kept: Vec<String> = match old.is_empty() {
        true => vec![lines(file).first().trim_end().into()],
        false => text.lines().map(str::to_owned).collect(),
    };
    for change in &changes {
        kept.retain(|line| entry(line).is_none_or(|entry| !is_replaced(&entry, change)));
        kept.extend(written(change));
    }
    disk::replace(file, (kept.join("\n") + "\n").as_bytes())?;
    let mut owed = hold(owed);
    // What was asked for meanwhile is still owed.
    let done = changes.len().min(owed.len());
    owed.drain(..done);
    Ok(())
}

/// Whether a line says nothing any more after a change.
fn is_replaced(line: &Change, by: &Change) -> bool {
    match (line, by) {
        (Change::Add(old), Change::Add(new)) => old.certificate == new.certificate,
        (Change::Add(old), Change::Forget(fingerprint)) => old.certificate.fingerprint == *fingerprint,
        (Change::Show(old), Change::Show(new)) => (&old.server, &old.path) == (&new.server, &new.path),
        (Change::Show(old), Change::Leave(server, path)) => old.server == *server && old.path == *path,
        (Change::Show(old), Change::Forget(fingerprint)) => old.fingerprint == *fingerprint,
        _ => false,
    }
}

fn written(change: &Change) -> Option<String> {
    match change {
        Change::Add(Identity { name, certificate, since, key, der }) => {
            Some(format!("certificate {} {since} {} {} {name}", certificate.fingerprint, hex(key), hex(der)))
        }
        Change::Show(Shown { server, path, fingerprint }) => Some(format!("use {server} {path} {fingerprint}")),
        Change::Leave(..) | Change::Forget(_) => None,
    }
}

/// Reads a line; `None` for remarks and for what makes no sense.
fn entry(line: &str) -> Option<Change> {
    let mut words = line.trim().splitn(6, ' ');
    match words.next()? {
        "certificate" => {
            let (_, since) = (words.next()?, words.next()?.to_owned());
            let (key, der, name) = (unhex(words.next()?)?, unhex(words.next()?)?, words.next()?.to_owned());
            Some(Change::Add(Identity { name, certificate: Certificate::read(&der), since, key, der }))
        }
        "use" => {
            let (server, path, fingerprint) = (words.next()?, words.next()?, words.next()?);
            Some(Change::Show(Shown { server: server.into(), path: path.into(), fingerprint: fingerprint.into() }))
        }
        _ => None,
    }
}

fn hex(octets: &[u8]) -> String {
    octets.iter().fold(String::with_capacity(octets.len() * 2), |mut hex, octet| {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{octet:02x}");
        hex
    })
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |b: &u8| char::from(*b).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    pairs.iter().map(|[high, low]| Some(digit(high)? * 16 + digit(low)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_shown_below_its_path_alone() {
        for (path, url, below) in [
            ("/", "gemini://h", true),
            ("/", "gemini://h/a/b?q", true),
            ("/app", "gemini://h/app", true),
            ("/app", "gemini://h/app/x", true),
            ("/app", "gemini://h/apple", false),
            ("/app/", "gemini://h/app/", true),
            ("/app/", "gemini://h/app", false),
            ("/app/", "gemini://h/app/../other", false),
            ("/app/", "gemini://h/app/%2E%2e/other", false),
            ("/app/", "gemini://h/app/%2e%2e%2fother", false),
            ("/app/", "gemini://h/other?/app/", false),
        ] {
            assert_eq!(lies_below(&Url::parse(url).unwrap(), path), below, "{path} {url}");
        }
    }

    #[test]
    fn what_was_just_chosen_is_known_while_it_is_being_written() {
        let folder = tempfile::tempdir().unwrap();
        let writer = Arc::new(Writer::new(|_| {}).unwrap());
        let identities = Identities::new(Some(Kept { file: folder.path().join("certificates"), writer }));
        let made = identities.make("Ada").unwrap().certificate.fingerprint;
        for number in 0..100 {
            identities.show(&format!("h:{number}"), "/", &made);
            let known = identities.known().unwrap();
            assert_eq!((known.identities.len(), known.shown.len()), (1, number + 1));
        }
    }

    #[test]
    fn lines_are_read_as_they_are_written() {
        let identities = Identities::default();
        let made = identities.make("  Ada\tL. ").unwrap();
        assert_eq!((made.name.as_str(), format!("{made:?}").contains(&hex(&made.key))), ("Ada L.", false));
        let shown = Shown { server: "h:1965".into(), path: "/a".into(), fingerprint: "ab".into() };
        for change in [Change::Add(made), Change::Show(shown)] {
            assert_eq!(entry(&written(&change).unwrap()), Some(change));
        }
        for nonsense in ["", "# x", "use h:1965", "certificate a b zz zz n", "certificate a b 1 2 n"] {
            assert_eq!(entry(nonsense), None, "{nonsense}");
        }
        assert!(identities.make(" ").is_err() && identities.make(&"x".repeat(65)).is_err());
    }
}
