//! Digest logins (RFC 7616): what a server asks, and the answer that proves a password without telling it. MD5, SHA-256 and
//! SHA-512/256, each also for a session; of the ways to protect what is sent only `auth`.

use crate::sums;
use crate::url::escape;
use ring::digest::{SHA256, SHA512_256};
use ring::rand::{SecureRandom, SystemRandom};

/// Parameters of a challenge, by name.
pub(super) type Parameters = [(String, String)];

/// A challenge that can be answered, and how often it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Challenge {
    pub realm: String,
    /// The last answer was right but for its nonce.
    pub stale: bool,
    nonce: String,
    opaque: Option<String>,
    hash: Hash,
    /// The password is hashed once for a session.
    session: bool,
    /// Answers are counted, and their own nonce goes in.
    counted: bool,
    /// The user's name is hashed too.
    veiled: bool,
    /// Names beyond ASCII have a form.
    unicode: bool,
    count: u32,
    own: String,
}

/// Weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Hash {
    Md5,
    Sha512,
    Sha256,
}

impl Hash {
    fn named(word: &str) -> Option<Hash> {
        match word.to_ascii_uppercase().as_str() {
            "MD5" => Some(Hash::Md5),
            "SHA-512-256" => Some(Hash::Sha512),
            "SHA-256" => Some(Hash::Sha256),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Hash::Md5 => "MD5",
            Hash::Sha512 => "SHA-512-256",
            Hash::Sha256 => "SHA-256",
        }
    }

    /// The digest of octets, in hexadecimal.
    fn of(self, octets: &[u8]) -> String {
        match self {
            Hash::Md5 => sums::of(sums::Kind::Md5, octets),
            Hash::Sha512 => hex(ring::digest::digest(&SHA512_256, octets).as_ref()),
            Hash::Sha256 => hex(ring::digest::digest(&SHA256, octets).as_ref()),
        }
    }
}

/// What is asked for, and by whom.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub method: &'a str,
    /// Path and query, as they are sent.
    pub target: &'a str,
    pub user: &'a [u8],
    pub password: &'a [u8],
}

impl Challenge {
    /// The challenge of these parameters; `None` for one that cannot be answered.
    pub fn of(parameters: &Parameters) -> Option<Challenge> {
        let named = |wanted: &str| parameters.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        let text = |wanted: &str| named(wanted).map(|(_, value)| value.clone());
        let says = |wanted: &str, word: &str| named(wanted).is_some_and(|(_, value)| value.eq_ignore_ascii_case(word));
        let algorithm = text("algorithm").unwrap_or_else(|| "MD5".into());
        let plain = algorithm.len().checked_sub(5).and_then(|at| {
            algorithm.get(at..).is_some_and(|end| end.eq_ignore_ascii_case("-sess")).then(|| &algorithm[..at])
        });
        let counted = match text("qop") {
            None => false,
            Some(ways) => match ways.split([',', ' ']).any(|way| way.trim().eq_ignore_ascii_case("auth")) {
                true => true,
                false => return None,
            },
        };
        Some(Challenge {
            realm: text("realm").unwrap_or_default(),
            stale: says("stale", "true"),
            nonce: text("nonce")?,
            opaque: text("opaque"),
            hash: Hash::named(plain.unwrap_or(&algorithm))?,
            session: plain.is_some(),
            counted,
            veiled: says("userhash", "true"),
            unicode: says("charset", "utf-8"),
            count: 0,
            own: own_nonce(),
        })
    }

    /// How good it is, beside others.
    pub fn worth(&self) -> impl Ord + use<> {
        self.hash
    }

    /// How many answers it has had.
    pub fn answers(&self) -> u32 {
        self.count
    }

    /// The next answer, as `Authorization` says it.
    pub fn answer(&mut self, asked: Asked<'_>) -> Vec<u8> {
        self.count = self.count.wrapping_add(1);
        let Asked { method, target, user, password } = asked;
        let hash = |pieces: &[&[u8]]| self.hash.of(&pieces.join(&b':'));
        let (realm, nonce, own) = (self.realm.as_bytes(), self.nonce.as_bytes(), self.own.as_bytes());
        let count = format!("{:08x}", self.count);
        let mut secret = hash(&[user, realm, password]);
        if self.session {
            secret = hash(&[secret.as_bytes(), nonce, own]);
        }
        let request = hash(&[method.as_bytes(), target.as_bytes()]);
        let proof = match self.counted {
            true => hash(&[secret.as_bytes(), nonce, count.as_bytes(), own, b"auth", request.as_bytes()]),
            false => hash(&[secret.as_bytes(), nonce, request.as_bytes()]),
        };
        let mut out = b"Digest ".to_vec();
        match () {
            () if self.veiled => out.extend_from_slice(format!("username=\"{}\"", hash(&[user, realm])).as_bytes()),
            () if self.unicode && !user.is_ascii() => {
                out.extend_from_slice(format!("username*=UTF-8''{}", escape::encode(user, b"")).as_bytes());
            }
            () => {
                out.extend_from_slice(b"username=");
                quote(&mut out, user);
            }
        }
        let opaque = self.opaque.as_deref().unwrap_or_default();
        let texts = [("realm", self.realm.as_str()), ("nonce", &self.nonce), ("uri", target), ("opaque", opaque)];
        for (name, value) in texts.into_iter().filter(|(name, _)| *name != "opaque" || self.opaque.is_some()) {
            out.extend_from_slice(format!(", {name}=").as_bytes());
            quote(&mut out, value.as_bytes());
        }
        let session = if self.session { "-sess" } else { "" };
        out.extend_from_slice(format!(", algorithm={}{session}, response=\"{proof}\"", self.hash.name()).as_bytes());
        if self.counted {
            out.extend_from_slice(format!(", qop=auth, nc={count}").as_bytes());
        }
        if self.counted || self.session {
            out.extend_from_slice(format!(", cnonce=\"{}\"", self.own).as_bytes());
        }
        if self.veiled {
            out.extend_from_slice(b", userhash=true");
        }
        out
    }
}

/// A quoted string (RFC 9110, 5.6.4).
fn quote(out: &mut Vec<u8>, octets: &[u8]) {
    out.push(b'"');
    for octet in octets {
        if matches!(octet, b'"' | b'\\') {
            out.push(b'\\');
        }
        out.push(*octet);
    }
    out.push(b'"');
}

/// What nobody can know beforehand, so that no answer can be prepared for it.
fn own_nonce() -> String {
    let mut octets = [0; 16];
    // Without chance the answer is still right.
    let _ = SystemRandom::new().fill(&mut octets);
    hex(&octets)
}

fn hex(octets: &[u8]) -> String {
    octets.iter().fold(String::new(), |text, octet| text + &format!("{octet:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(parameters: &[(&str, &str)], own: &str, user: &str, password: &str) -> String {
        let parameters: Vec<_> = parameters.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let mut challenge = Challenge { own: own.into(), ..Challenge::of(&parameters).unwrap() };
        let (user, password) = (user.as_bytes(), password.as_bytes());
        let asked = Asked { method: "GET", target: "/dir/index.html", user, password };
        String::from_utf8(challenge.answer(asked)).unwrap()
    }

    const REALM: (&str, &str) = ("realm", "http-auth@example.org");
    const NONCE: (&str, &str) = ("nonce", "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v");
    const OWN: &str = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";

    #[test]
    fn the_examples_of_the_standard() {
        let qop = ("qop", "auth, auth-int");
        let md5 =
            answer(&[REALM, NONCE, qop, ("algorithm", "MD5"), ("opaque", "o\"")], OWN, "Mufasa", "Circle of Life");
        assert!(md5.contains("response=\"8ca523f5e9506fed4657c9700eebdbec\""), "{md5}");
        assert!(md5.contains("nc=00000001") && md5.contains("opaque=\"o\\\"\"") && !md5.contains("Circle"), "{md5}");
        let sha = answer(&[REALM, NONCE, qop, ("algorithm", "SHA-256")], OWN, "Mufasa", "Circle of Life");
        assert!(sha.contains("response=\"753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1\""), "{sha}");
        // RFC 2617, 3.5, as RFC 2069 has it: nothing is counted.
        let old = [("realm", "testrealm@host.com"), ("nonce", "dcd98b7102dd2f0e8b11d0f600bfb0c093")];
        let old = answer(&old, OWN, "Mufasa", "Circle Of Life");
        assert!(old.contains("response=\"670fd8c2df070c60b045671b8b24ff02\"") && !old.contains("nc="), "{old}");
    }

    #[test]
    fn a_user_beyond_ascii_has_a_form_and_may_be_hidden() {
        let utf8 = answer(&[REALM, NONCE, ("charset", "UTF-8")], OWN, "Jäsøn", "x");
        assert!(utf8.contains("username*=UTF-8''J%C3%A4s%C3%B8n,"), "{utf8}");
        let hidden = answer(&[REALM, NONCE, ("userhash", "true")], OWN, "Mufasa", "x");
        assert!(hidden.contains("userhash=true") && !hidden.contains("Mufasa"), "{hidden}");
    }

    #[test]
    fn what_cannot_be_answered_is_no_challenge() {
        let of = |parameters: &[(&str, &str)]| {
            let list: Vec<_> = parameters.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
            Challenge::of(&list)
        };
        assert!(of(&[REALM]).is_none() && of(&[REALM, NONCE, ("algorithm", "ROT13")]).is_none());
        assert!(of(&[REALM, NONCE, ("qop", "auth-int")]).is_none());
        assert!(of(&[NONCE, ("algorithm", "md5-sess")]).is_some_and(|challenge| challenge.session));
        assert!(of(&[NONCE, ("algorithm", "ééé")]).is_none());
    }
}
