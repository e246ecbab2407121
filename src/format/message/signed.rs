//! What of a message is signed with OpenPGP: a text between its lines (RFC 9580, 7), or the first of two parts (RFC 3156, 5).
//!
//! Only a message all of whose text is covered counts as signed: of one with text before or behind, with PGP lines in odd places, with
//! headings that change what is signed, nothing is checked. Refuses: judging signatures, decrypting.

use super::parameters::Parameters;
use super::transfer::Transfer;
use super::tree::{Kind, Tree};

const BEGIN: &str = "-----BEGIN PGP SIGNED MESSAGE-----";
const SIGNATURE: &str = "-----BEGIN PGP SIGNATURE-----";
const END: &str = "-----END PGP SIGNATURE-----";
/// What lines of PGP begin with.
const LINES: [&[u8]; 2] = [b"-----BEGIN PGP ", b"-----END PGP "];
/// The longest line of a signed text, in octets: programs do not look at what is longer.
const LONGEST: usize = 16 * 1024;

const ODD: &str = "its PGP lines do not fit together";
const OUTSIDE: &str = "there is text outside of what is signed";

/// What is signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signed {
    /// The text with its signature.
    Within(Vec<u8>),
    /// The octets that are signed, and the signature of them.
    Apart(Vec<u8>, Vec<u8>),
}

/// What of a message is signed.
///
/// # Errors
/// Why there is nothing to check, in words.
pub fn signed(octets: &[u8]) -> Result<Signed, &'static str> {
    let tree = Tree::read(octets);
    match tree.get(0).media.as_str() {
        "multipart/signed" => apart(&tree),
        "multipart/encrypted" => Err("it is encrypted"),
        "text/plain" if tree.len() == 1 => within(&body(&tree, 0)),
        _ => match (0..tree.len()).any(|part| is_marked(&tree, part)) {
            true => Err("only a part of it is signed"),
            false => Err("it is not signed"),
        },
    }
}

/// A text that is signed in clear as a whole: the message with its signature, and the text that it covers, as it was before its
/// dashes were escaped, without blanks at the ends of lines, which no signature covers.
pub fn signed_in_clear(octets: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let Ok(Signed::Within(message)) = within(octets) else { return None };
    let rest = lines(&message).skip_while(|line| !line.trim_ascii().is_empty()).skip(1);
    let covered = rest.take_while(|line| line.trim_ascii_end() != SIGNATURE.as_bytes());
    let text = covered.flat_map(|line| [line.strip_prefix(b"- ").unwrap_or(line).trim_ascii_end(), b"\n"].concat());
    let text = text.collect();
    Some((message, text))
}

/// Why nobody looks at the signature that a text has in it.
pub fn is_not_looked_at(octets: &[u8]) -> Option<&'static str> {
    within(octets).err().filter(|_| has_lines(octets))
}

/// A body without its encoding.
fn body(tree: &Tree<'_>, part: usize) -> Vec<u8> {
    let encoding = tree.head(part).text("content-transfer-encoding", None).unwrap_or_default();
    Transfer::of(&encoding).0.whole(tree.body(part))
}

/// Whether a part is of PGP, or has lines of it.
fn is_marked(tree: &Tree<'_>, part: usize) -> bool {
    let entity = tree.get(part);
    matches!(entity.media.as_str(), "multipart/signed" | "application/pgp-signature")
        || entity.kind == Kind::Leaf && has_lines(&body(tree, part))
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|b| *b == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

fn has_lines(text: &[u8]) -> bool {
    lines(text).any(|line| LINES.iter().any(|begin| line.trim_ascii().starts_with(begin)))
}

/// A text between its lines.
fn within(text: &[u8]) -> Result<Signed, &'static str> {
    let all: Vec<&[u8]> = lines(text).collect();
    let is_pgp = |line: &[u8]| LINES.iter().any(|begin| line.trim_ascii().starts_with(begin));
    let marks: Vec<usize> = (0..all.len()).filter(|at| is_pgp(all[*at])).collect();
    let is = |at: usize, mark: &str| all[at].trim_ascii_end() == mark.as_bytes();
    let (begin, signature, end) = match marks[..] {
        [] => return Err("it is not signed"),
        [begin, signature, end] if is(begin, BEGIN) && is(signature, SIGNATURE) && is(end, END) => {
            (begin, signature, end)
        }
        [first, ..] if all[first].trim_ascii().starts_with(b"-----BEGIN PGP MESSAGE") => return Err("it is encrypted"),
        _ => return Err(ODD),
    };
    let blank = |line: &&[u8]| line.trim_ascii().is_empty();
    if !all[..begin].iter().all(blank) || !all[end + 1..].iter().all(blank) {
        return Err(OUTSIDE);
    }
    // Other headings change what is signed.
    let headings = all[begin + 1..signature].iter().take_while(|line| !blank(line));
    let hash = |line: &&[u8]| {
        let name = line.strip_prefix(b"Hash: ");
        name.is_some_and(|name| name.iter().all(|b| b.is_ascii_alphanumeric() || b"-, ".contains(b)))
    };
    let headings: Vec<&&[u8]> = headings.collect();
    if begin + 1 + headings.len() >= signature || !headings.iter().all(|line| hash(line)) {
        return Err(ODD);
    }
    let odd =
        |line: &&[u8]| line.len() > LONGEST || line.contains(&0) || line.starts_with(b"-") && !line.starts_with(b"- ");
    if all[begin + 1..signature].iter().any(odd) {
        return Err(ODD);
    }
    let mut octets = all[begin..=end].join(&b"\r\n"[..]);
    octets.extend_from_slice(b"\r\n");
    Ok(Signed::Within(octets))
}

/// The first of two parts.
fn apart(tree: &Tree<'_>) -> Result<Signed, &'static str> {
    let content = tree.head(0).get("content-type").map(Parameters::read).unwrap_or_default();
    if !content.get("protocol").unwrap_or_default().eq_ignore_ascii_case("application/pgp-signature") {
        return Err("it is signed with something else than OpenPGP");
    }
    let [text, signature] = tree.get(0).children[..] else { return Err(ODD) };
    let whole = !tree.cut && tree.body_range(text).is_some() && tree.get(signature).kind == Kind::Leaf;
    if !whole || tree.get(signature).media != "application/pgp-signature" {
        return Err(ODD);
    }
    let own = (text..tree.len()).filter(|part| tree.outward(*part).any(|outer| outer == text));
    let nested = |part: usize| tree.get(part).media == "multipart/signed" || is_marked(tree, part);
    if own.into_iter().any(nested) {
        return Err("a part of it is signed by itself");
    }
    let signature = body(tree, signature);
    let marks = lines(&signature).filter(|line| !line.trim_ascii().is_empty());
    let marks: Vec<&[u8]> = marks.map(<[u8]>::trim_ascii_end).collect();
    let pgp = marks.iter().filter(|line| LINES.iter().any(|begin| line.starts_with(begin))).count();
    if pgp != 2 || marks.first() != Some(&SIGNATURE.as_bytes()) || marks.last() != Some(&END.as_bytes()) {
        return Err(ODD);
    }
    Ok(Signed::Apart(canonical(tree.whole(text)), signature))
}

/// Octets as they are signed: each line ends with CR LF (RFC 3156, 5).
fn canonical(octets: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(octets.len());
    for (at, octet) in octets.iter().enumerate() {
        if *octet == b'\n' && (at == 0 || octets[at - 1] != b'\r') {
            out.push(b'\r');
        }
        out.push(*octet);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLEAR: &str = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nHello.\n- --Ann\n-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n";
    const ARMOUR: &str = "-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n";

    fn text(body: &str) -> Result<Signed, &'static str> {
        signed(format!("Subject: s\n\n{body}").as_bytes())
    }

    #[test]
    fn a_text_is_signed_where_all_of_it_is() {
        let whole = Ok(Signed::Within(CLEAR.replace('\n', "\r\n").into_bytes()));
        assert_eq!(text(CLEAR), whole);
        assert_eq!(text(&format!("\r\n  \n{CLEAR}\n\n")), whole);
        let quoted = CLEAR.replace("Hello.", "Hel=\nlo.");
        let quoted = format!("Content-Transfer-Encoding: quoted-printable\n\n{quoted}");
        assert_eq!(signed(quoted.as_bytes()), whole);
        assert_eq!(text("Hello.\n"), Err("it is not signed"));
        for outside in
            [format!("Believe me:\n{CLEAR}"), format!("{CLEAR}PS: send money\n"), format!("{CLEAR}-- \nAnn\n")]
        {
            assert_eq!(text(&outside), Err(OUTSIDE), "{outside}");
        }
        let end = "-----END PGP SIGNATURE-----\n";
        for odd in [
            CLEAR.replace(end, ""),
            CLEAR.replace(ARMOUR, ""),
            CLEAR.repeat(2),
            CLEAR.replace("Hello.\n", CLEAR),
            CLEAR.replace("Hello.\n", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n"),
            CLEAR.replace("Hello.\n", " -----END PGP SIGNATURE-----\n"),
            CLEAR.replace("Hash: SHA256", "NotDashEscaped: yes"),
            CLEAR.replace("Hash: SHA256", "Hash: SHA256\nComment: send money"),
            CLEAR.replace("Hash: SHA256\n\n", "Hash: SHA256\n"),
            CLEAR.replace("- --Ann", "--Ann"),
            CLEAR.replace("Hello.", "Hello.\0"),
            CLEAR.replace("Hello.", &"x".repeat(20_000)),
            ARMOUR.to_owned(),
        ] {
            assert_eq!(text(&odd), Err(ODD), "{odd}");
        }
        assert_eq!(text("-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----\n"), Err("it is encrypted"));
    }

    #[test]
    fn of_what_is_signed_in_clear_only_that_counts() {
        let (message, text) = signed_in_clear(CLEAR.as_bytes()).unwrap();
        assert_eq!((message, text), (CLEAR.replace('\n', "\r\n").into_bytes(), b"Hello.\n--Ann\n".to_vec()));
        let dashes = CLEAR.replace("Hello.", "- - a\r\n \t\n- From b \t");
        assert_eq!(signed_in_clear(dashes.as_bytes()).unwrap().1, b"- a\n\nFrom b\n--Ann\n");
        for no in ["Hello.\n", ARMOUR, &format!("abc  a.iso\n{CLEAR}"), &CLEAR.repeat(2), &CLEAR.replace("- --", "--")]
        {
            assert_eq!(signed_in_clear(no.as_bytes()), None, "{no}");
            assert_eq!(is_not_looked_at(no.as_bytes()).is_some(), no.contains("PGP"), "{no}");
        }
    }

    fn multipart(first: &str, second: &str) -> String {
        format!(
            "Content-Type: multipart/signed; protocol=\"application/pgp-signature\"; micalg=pgp-sha256; boundary=b\n\n\
             --b\n{first}\n--b\nContent-Type: application/pgp-signature\n\n{second}--b--\n"
        )
    }

    #[test]
    fn of_two_parts_the_first_is_signed_octet_for_octet() {
        let first = "Content-Type: text/plain; charset=utf-8\n\nGr=FC=DFe \nHello.\n";
        let wanted = Signed::Apart(first.replace('\n', "\r\n").into_bytes(), ARMOUR.trim_end().into());
        assert_eq!(signed(multipart(first, ARMOUR).as_bytes()), Ok(wanted));
        let armour = ARMOUR.trim_end().replace('\n', "\r\n").into_bytes();
        let crlf = Signed::Apart(first.replace('\n', "\r\n").into_bytes(), armour);
        assert_eq!(signed(multipart(first, ARMOUR).replace('\n', "\r\n").as_bytes()), Ok(crlf));
    }

    #[test]
    fn what_is_signed_in_part_only_is_not() {
        let first = "Content-Type: text/plain\n\nHello.\n";
        let own = "a part of it is signed by itself";
        for (message, why) in [
            (multipart(first, &format!("{ARMOUR}--b\n\nPS: send money\n")), ODD),
            (multipart(first, &ARMOUR.repeat(2)), ODD),
            (multipart(first, "abc\n"), ODD),
            (multipart(first, ARMOUR).replace("\n\n-----BEGIN PGP SIG", "\n\nx\n-----BEGIN PGP SIG"), ODD),
            (multipart(&format!("\n{CLEAR}"), ARMOUR), own),
            (
                multipart(&multipart(first, ARMOUR), ARMOUR)
                    .replacen("boundary=b", "boundary=c", 1)
                    .replacen("--b\nC", "--c\nC", 1),
                "only a part of it is signed",
            ),
            (
                multipart(first, ARMOUR).replace("pgp-signature\"", "pkcs7-signature\""),
                "it is signed with something else than OpenPGP",
            ),
            (
                format!(
                    "Content-Type: multipart/mixed; boundary=o\n\n--o\n{}--o\n\nPS\n--o--\n",
                    multipart(first, ARMOUR)
                ),
                "only a part of it is signed",
            ),
            (
                format!("Content-Type: multipart/mixed; boundary=o\n\n--o\n\n{CLEAR}--o\n\nPS\n--o--\n"),
                "only a part of it is signed",
            ),
            ("Content-Type: multipart/encrypted; boundary=b\n\n--b\n\nx\n--b--\n".into(), "it is encrypted"),
            ("Content-Type: text/html\n\n<p>Hello".into(), "it is not signed"),
        ] {
            assert!(signed(message.as_bytes()).is_err(), "{message}");
            if !message.contains("boundary=c") {
                assert_eq!(signed(message.as_bytes()), Err(why), "{message}");
            }
        }
    }
}
