//! Whether an article is by whom it says: `gpg` looks at its signature, and what it says goes to no other text.

use super::journey::{Journey, head};
use wayfarer::app::{Effect, JobId, Msg};
use wayfarer::format::media;
use wayfarer::proto::{End, FetchError, FetchEvent, Kind, Verdict};

const ARMOUR: &str = "-----BEGIN PGP SIGNATURE-----\r\n\r\nabc\r\n-----END PGP SIGNATURE-----\r\n";

fn clear(text: &str) -> String {
    format!("-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\n{text}\r\n{ARMOUR}")
}

fn article(body: &str) -> Journey {
    let text = format!("From: Ann <ann@h>\r\nSubject: s\r\nMessage-ID: <1@x>\r\n{body}");
    Journey::new().open("news://s/1@x").answer(media::MESSAGE, text.as_bytes())
}

fn apart() -> String {
    format!(
        "Content-Type: multipart/signed; boundary=b; protocol=\"application/pgp-signature\"\r\n\r\n\
         --b\r\nContent-Type: text/plain\r\n\r\nHello.\r\n--b\r\nContent-Type: application/pgp-signature\r\n\r\n{ARMOUR}--b--\r\n"
    )
}

/// The program that was started, and its input.
fn started(j: &Journey) -> (JobId, Vec<String>, Vec<u8>) {
    let Some(Effect::Pipe { id, program, input, .. }) = j.effects.last().cloned() else { panic!("{:?}", j.effects) };
    (id, program, input)
}

/// `gpg` says this.
fn says(j: Journey, id: JobId, status: &str) -> Journey {
    let j = j.event_of(id, FetchEvent::Head(Box::new(head("about:output?gpg", media::PLAIN))));
    let raw = "gpg ended with exit status: 2: gpg: raw words\ngpg: of its own";
    let j = j.expect_verdict_of(id, Verdict::Accept).event_of(id, FetchEvent::Body(status.into()));
    j.event_of(id, FetchEvent::End(End { cut: Some(raw.into()) }))
}

const GOOD: &str =
    "[GNUPG:] NEWSIG\n[GNUPG:] GOODSIG 01 Ann <ann@h>\n[GNUPG:] VALIDSIG 01\n[GNUPG:] TRUST_FULLY 0 pgp\n";

#[test]
fn a_text_that_is_signed_goes_to_gpg_and_what_that_says_is_one_sentence() {
    let run = || {
        let j = article(&format!("\r\n{}", clear("Hello."))).run("verify").asks("signature of the article");
        let j = j.asks("gpg --batch").asks("--verify -- -").text("y");
        let (id, program, input) = started(&j);
        assert_eq!((program[0].as_str(), program.last().unwrap().as_str()), ("gpg", "-"));
        assert_eq!(input, clear("Hello.").into_bytes());
        (j, id)
    };
    for (status, words) in [
        (GOOD, "the text is signed by Ann <ann@h>; nothing vouches for the header"),
        ("[GNUPG:] BADSIG 01 Ann\n", "the text was CHANGED, or is not by whom it says: it names the key of Ann"),
        ("[GNUPG:] ERRSIG 01\n[GNUPG:] NO_PUBKEY 01\n", "nothing was checked: gpg has no key 01"),
        ("", "nothing was checked: gpg finds no signature that it can read"),
    ] {
        let (j, id) = run();
        let j = says(j, id, status);
        assert_eq!(j.app.hands.note.as_ref().unwrap().text, words);
    }
    let (j, id) = run();
    let missing = FetchError::new(Kind::Broken, "gpg could not be started: No such file.");
    j.event_of(id, FetchEvent::Failed(missing)).notes("nothing was checked: gpg could not be started: No such file.");
    article(&format!("\r\n{}", clear("Hello."))).run("verify").text("n").notes("nothing was checked");
}

#[test]
fn what_is_signed_apart_is_in_a_file_for_as_long_as_gpg_looks() {
    let j = article(&apart()).run("verify").asks("--verify -- - ").text("y");
    let Some(Effect::Write { id, path, content, replace: true }) = j.effects.last().cloned() else {
        panic!("{:?}", j.effects)
    };
    assert_eq!(content, b"Content-Type: text/plain\r\n\r\nHello.");
    let j = j.send(Msg::Wrote { id, result: Ok(path.clone()) });
    let (id, program, input) = started(&j);
    assert_eq!((program.last(), input.as_slice()), (Some(&path), ARMOUR.trim_end().as_bytes()));
    let j = says(j, id, GOOD).notes("the text is signed by Ann <ann@h>");
    assert!(matches!(j.effects.last(), Some(Effect::Remove { path: gone, .. }) if *gone == path), "{:?}", j.effects);
}

#[test]
fn what_is_signed_in_part_speaks_for_nothing() {
    for (body, why) in [
        ("\r\nHello.\r\n".to_owned(), "it is not signed"),
        (format!("\r\nBelieve me:\r\n{}", clear("Hello.")), "there is text outside of what is signed"),
        (format!("\r\n{}", clear(&clear("Hello."))), "its PGP lines do not fit together"),
        (format!("\r\n{}", clear("Hello.").replace("-----END PGP SIGNATURE-----\r\n", "")), "its PGP lines"),
        (apart().replace("--b--", "--b\r\n\r\nPS\r\n--b--"), "its PGP lines do not fit together"),
    ] {
        let j = article(&body).run("verify").free().notes(&format!("nothing was checked: {why}"));
        assert!(!j.effects.iter().any(|effect| matches!(effect, Effect::Pipe { .. } | Effect::Sum { .. })), "{body}");
    }
}

#[test]
fn what_is_said_of_one_article_is_not_said_of_another() {
    let j = article(&format!("\r\n{}", clear("Hello."))).run("verify").text("y");
    let (id, ..) = started(&j);
    let j = j.open("news://s/2@x").answer(media::MESSAGE, b"From: b@x\r\nSubject: t\r\n\r\nHello.\r\n");
    says(j, id, GOOD).notes("is not in view any more");
}

#[test]
fn safe_starts_no_gpg() {
    let mut j = article(&format!("\r\n{}", clear("Hello.")));
    j.choose(|choices| choices.safe = true);
    j.run("verify").free().notes("nothing was checked: --safe");
}
