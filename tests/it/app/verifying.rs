//! Downloads that are checked with what stands beside them.

use super::journey::{Journey, head, menu, url};
use wayfarer::app::{
    DownloadState, Effect, JobId, KeptDownload, Msg, Remembered, Standing, Transfer, Verified, status,
};
use wayfarer::format::media;
use wayfarer::proto::{Again, End, FetchError, FetchEvent, Kind, Moved, Verdict};
use wayfarer::sums;

const FILES: &str = "type=file;size=3; a.iso\r\ntype=file;size=9; SHA256SUMS\r\n\
    type=file;size=9; b.iso.sha512\r\ntype=dir; sub\r\n";
const BINARY: &str = "application/octet-stream";

/// `a.iso` of a directory with these files is saved.
fn saved(files: &str) -> Journey {
    let j = Journey::new().open("ftp://h/pub/").answer(media::DIRECTORY, files.as_bytes());
    saved_from(j)
}

fn saved_from(j: Journey) -> Journey {
    let j = j.run("find-link a.iso");
    let mut j = j.run("download").keys("Enter").head(BINARY).transfer(Transfer::Begun(0, None));
    j.effects.clear();
    let mut j = j.transfer(Transfer::Progress(3)).transfer(Transfer::Done("/home/me/a.iso".into(), None));
    j.effects.clear();
    j
}

fn verified(j: &Journey) -> Verified {
    j.app.transfers.downloads[0].verified.clone().expect("nothing came of it")
}

/// The file to be reckoned, and how.
fn to_sum(j: &Journey) -> (JobId, String, Vec<sums::Kind>) {
    match j.effects.last() {
        Some(Effect::Sum { id, path, kinds }) => (*id, path.clone(), kinds.clone()),
        other => panic!("nothing is reckoned: {other:?}"),
    }
}

/// The shell has reckoned the file, which holds this.
fn holds(j: Journey, octets: &[u8]) -> Journey {
    let (id, _, kinds) = to_sum(&j);
    let sums = kinds.iter().filter_map(|kind| sums::Sum::of(sums::of(*kind, octets).as_bytes()));
    j.send(Msg::Summed { id, result: Ok(sums.collect()) })
}

fn line(octets: &[u8]) -> Vec<u8> {
    format!("{}  b.iso\n{}  a.iso\n", sums::of(sums::Kind::Sha256, b"b"), sums::of(sums::Kind::Sha256, octets))
        .into_bytes()
}

fn row(j: &Journey) -> String {
    status::in_list(j.app.sight(), &j.app.transfers.downloads[0])
}

#[test]
fn what_stands_beside_a_file_is_told_of_and_checked_when_the_reader_says_so() {
    let j = saved(FILES).notes("saved /home/me/a.iso · SHA256SUMS beside it: :verify checks").quiet();
    assert_eq!(row(&j), "done, 3 B · SHA256SUMS beside it: :verify checks");
    let j = j.run("verify").expect_fetch("ftp://h/pub/SHA256SUMS").quiet();
    assert_eq!(row(&j), "done, 3 B, being checked");
    let j = j.head(BINARY).expect_verdict(Verdict::Accept).body(&line(b"abc")).end();
    assert_eq!((to_sum(&j).1.as_str(), to_sum(&j).2), ("/home/me/a.iso", vec![sums::Kind::Sha256]));
    let j = holds(j, b"abc").notes("a.iso: SHA-256 agrees with SHA256SUMS");
    assert_eq!(verified(&j), Verified { agrees: Some(true), said: "SHA-256 agrees with SHA256SUMS".into() });
    assert_eq!(j.kept.last().unwrap().verified, Some(verified(&j)));
    assert_eq!(row(&j), "done, 3 B · SHA-256 agrees with SHA256SUMS");
}

#[test]
fn a_file_that_does_not_agree_is_told_of_loudly_with_both_sums() {
    let j = saved(FILES).run("verify").head(BINARY).body(&line(b"abc")).end();
    let j = holds(j, b"abd").notes("a.iso does NOT agree");
    let Verified { agrees, said } = verified(&j);
    let [wanted, is] = [b"abc", b"abd"].map(|octets| sums::of(sums::Kind::Sha256, octets));
    assert_eq!(agrees, Some(false));
    assert_eq!(said, format!("does NOT agree: SHA256SUMS says SHA-256 {wanted}, the file has {is}"));
    let j = j.notes("a.iso does NOT agree: SHA256SUMS says");
    j.open("about:downloads").shows("does NOT agree");
}

/// Two lists.
const BOTH: &str = "type=file;size=3; a.iso\r\ntype=file;size=9; SHA256SUMS\r\ntype=file;size=9; MD5SUMS\r\n";

#[test]
fn a_list_that_does_not_name_the_file_leaves_it_to_the_next() {
    let j = saved(BOTH).run("verify").head(BINARY).body(b"5  ../a.iso\n").end();
    let j = j.expect_fetch("ftp://h/pub/MD5SUMS").head(BINARY);
    let j = j.body(format!("{}  a.iso", sums::of(sums::Kind::Md5, b"abc")).as_bytes()).end();
    let j = holds(j, b"abc");
    let said = "MD5 agrees with MD5SUMS (MD5 is weak: forged files can agree); SHA256SUMS does not name it";
    assert_eq!(verified(&j), Verified { agrees: Some(true), said: said.into() });
    // neither does
    let j = saved(BOTH).run("verify").head(BINARY).body(b"").end();
    let j = j.fail(FetchError::new(Kind::NotFound, "550 No such file.")).notes("a.iso is not checked");
    let said = "SHA256SUMS does not name it; MD5SUMS cannot be fetched: 550 No such file.";
    assert_eq!(verified(&j), Verified { agrees: None, said: said.into() });
}

/// Whoever added a list of a stronger kind outvoted one that was signed.
#[test]
fn all_lists_beside_a_file_have_to_be_right() {
    let files = "type=file;size=3; a.iso\r\ntype=file;size=9; SHA256SUMS\r\ntype=file;size=9; SHA256SUMS.asc\r\n\
        type=file;size=9; SHA512SUMS\r\n";
    let sum = |kind, octets: &[u8]| format!("{}  a.iso\n", sums::of(kind, octets)).into_bytes();
    let check = |strong: &[u8], file: &[u8]| {
        let j = saved(files).run("verify").expect_fetch("ftp://h/pub/SHA512SUMS").head(BINARY).body(strong).end();
        let j = j.expect_fetch("ftp://h/pub/SHA256SUMS").head(BINARY).body(&sum(sums::Kind::Sha256, b"good")).end();
        let j = holds(j, file).expect_fetch("ftp://h/pub/SHA256SUMS.asc").head(BINARY).body(b"signed").end();
        let j = j.asks("SHA256SUMS.asc signs SHA256SUMS").text("n");
        verified(&j)
    };
    let Verified { agrees, said } = check(&sum(sums::Kind::Sha512, b"evil"), b"evil");
    assert_eq!(agrees, Some(false));
    assert!(said.starts_with("does NOT agree: SHA256SUMS says SHA-256 "), "{said}");
    assert!(said.contains("; SHA-512 agrees with SHA512SUMS; "), "{said}");
    let Verified { agrees, said } = check(&sum(sums::Kind::Sha512, b"good"), b"good");
    assert!(agrees == Some(true) && said.starts_with("SHA-512 agrees with SHA512SUMS, SHA-256 with SHA256SUMS; "));
    // Two of one kind, in one list or in two.
    let two = [sum(sums::Kind::Sha512, b"evil"), sum(sums::Kind::Sha512, b"good")].concat();
    assert_eq!(check(&two, b"good").agrees, Some(false));
    assert_eq!(check(&sum(sums::Kind::Sha256, b"evil"), b"evil").agrees, Some(false));
    // Also one that is signed in clear beside one that is not.
    let files = "type=file;size=3; a.iso\r\ntype=file;size=9; SHA256SUMS.asc\r\ntype=file;size=9; SHA512SUMS\r\n";
    let begin = b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n".as_slice();
    let end = b"-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n";
    let clear = [begin, &sum(sums::Kind::Sha256, b"good"), end].concat();
    let j = saved(files).run("verify").head(BINARY).body(&sum(sums::Kind::Sha512, b"evil")).end();
    let j = j.expect_fetch("ftp://h/pub/SHA256SUMS.asc").head(BINARY).body(&clear).end();
    let j = holds(j, b"evil").asks("SHA256SUMS.asc is signed").text("n");
    assert!(verified(&j).agrees == Some(false) && verified(&j).said.starts_with("does NOT agree: SHA256SUMS.asc says"));
}

#[test]
fn an_error_page_a_long_file_and_one_that_breaks_off_are_no_sums() {
    let one = "type=file;size=3; a.iso\r\ntype=file;size=9; SHA256SUMS\r\n";
    let fetched = || saved(one).run("verify").expect_fetch("ftp://h/pub/SHA256SUMS");
    let mut not_found = head("ftp://h/pub/SHA256SUMS", "text/html");
    not_found.status = Some("404 Not Found".into());
    let j = fetched().event(FetchEvent::Head(Box::new(not_found))).expect_verdict(Verdict::Refuse);
    assert_eq!(verified(&j).said, "SHA256SUMS cannot be fetched: the server says 404 Not Found");
    let mut long = head("ftp://h/pub/SHA256SUMS", BINARY);
    long.length = Some(100 << 20);
    let j = fetched().event(FetchEvent::Head(Box::new(long))).expect_verdict(Verdict::Refuse);
    assert_eq!(verified(&j).said, "SHA256SUMS is longer than 4.2 MB");
    let j = fetched().head(BINARY);
    let id = j.last();
    let j = (0..5).fold(j, |j, _| j.event_of(id, FetchEvent::Body(vec![b'a'; 1 << 20])));
    assert_eq!(verified(&j.expect(Effect::Cancel(id))).said, "SHA256SUMS is longer than 4.2 MB");
    let j = fetched().head(BINARY).body(&line(b"abc"));
    let j = j.event(FetchEvent::End(End { cut: Some("the server went away".into()) }));
    assert_eq!(verified(&j).said, "SHA256SUMS came in part only: the server went away");
}

#[test]
fn a_file_that_was_moved_or_deleted_meanwhile_is_told_of() {
    let j = saved(FILES).run("verify").head(BINARY).body(&line(b"abc")).end();
    let (id, ..) = to_sum(&j);
    let why = "/home/me/a.iso is not there any more: it was moved or deleted.";
    let j =
        j.send(Msg::Summed { id, result: Err(why.into()) }).notes("a.iso is not checked: /home/me/a.iso is not there");
    assert_eq!(verified(&j), Verified { agrees: None, said: why.into() });
}

#[test]
fn the_reader_can_give_a_sum_and_without_any_is_told_the_files_own() {
    let none = "type=file;size=3; a.iso\r\n";
    let own = sums::of(sums::Kind::Sha256, b"abc");
    let j = saved(none).notes("saved /home/me/a.iso");
    assert_eq!(row(&j), "done, 3 B");
    let j = j.run("verify").fail(FetchError::new(Kind::Said, "The server reckons no checksums."));
    let j = holds(j, b"abc");
    let said = format!("nothing beside it to check with; its SHA-256 is {own}; The server reckons no checksums");
    assert_eq!(verified(&j).said, said);
    let j = holds(j.run(&format!("verify {}", own.to_uppercase())), b"abc").notes("SHA-256 agrees with what you gave");
    let j = j.run("verify 1234").notes("32, 40, 64, 96 or 128");
    let given = sums::of(sums::Kind::Sha512, b"abc");
    let j = holds(j.run(&format!("verify {} {}", &given[..60], &given[60..])), b"x");
    assert_eq!(verified(&j).agrees, Some(false));
    Journey::at(&["0|Text|/t"]).run("verify").notes("nothing was saved that could be checked").quiet();
}

/// It is the same server's word: whoever forged the file there can have its sum told.
#[test]
fn an_ftp_server_is_asked_for_its_sum_where_there_is_no_other() {
    let none = "type=file;size=3; a.iso\r\n";
    let asked = || {
        let j = saved(none).run("verify").expect_fetch("ftp://h/pub/a.iso");
        let request = &j.fetches.last().unwrap().1;
        assert_eq!((request.sum, request.listed.map(|listed| listed.length)), (true, Some(3)));
        let j = j.notes("the server reckons a.iso, which takes a while where it is long; Esc stops");
        j.head(media::PLAIN).body(sums::of(sums::Kind::Sha512, b"abc").as_bytes()).end()
    };
    let j = holds(asked(), b"abc");
    let said = "SHA-512 agrees with what the server says that sent it: nothing was damaged on the way, which tells of no forgery";
    assert_eq!(verified(&j), Verified { agrees: Some(true), said: said.into() });
    let j = holds(asked(), b"abd").notes("does NOT agree");
    let said = verified(&j).said;
    assert!(said.starts_with("does NOT agree: the server says SHA-512 ddaf"), "{said}");
    assert!(said.ends_with(": it was damaged on the way, or is another one there by now"), "{said}");
    // What is no sum is not compared.
    let j = saved(none).run("verify").head(media::PLAIN).body(b"yes").end();
    assert_eq!(verified(&holds(j, b"abc")).agrees, None);
    // Whose word is better, or who speaks no FTP, is not asked.
    let j = saved(FILES).run("verify");
    assert!(!j.fetches.last().unwrap().1.sum);
    let j = saved_from(Journey::at(&["9|a|/pub/a.iso"])).run("verify");
    assert_eq!(to_sum(&j).2, [sums::Kind::Sha256]);
}

#[test]
fn another_folder_or_host_has_nothing_beside_it() {
    let rows = ["9|a|/pub/a.iso", "0|sums|/pub/SHA256SUMS", "0|other|/old/SHA512SUMS", "0|sig|/pub/a.iso.sig"];
    let j = saved_from(Journey::at(&rows));
    let urls: Vec<String> = j.kept.last().unwrap().beside.clone();
    assert_eq!(urls, ["gopher://h/0/pub/SHA256SUMS", "gopher://h/0/pub/a.iso.sig"]);
    let page = b"<a href=a.iso>a.iso</a> <a href=https://evil/d/SHA512SUMS>x</a> <a href=SHA256SUMS>y</a> \
        <a href=SHA512SUMS?x>z</a> <a href=SHA256SUMS#top>again</a>";
    let j = saved_from(Journey::new().open("https://h/d/").answer("text/html", page));
    assert_eq!(j.kept.last().unwrap().beside, ["https://h/d/SHA256SUMS"]);
}

#[test]
fn a_list_of_the_web_is_followed_to_where_it_moved_and_no_further() {
    let page = b"<a href=a.iso>a.iso</a> <a href=SHA256SUMS>y</a>";
    let moved = |to: &str| {
        let from = url("https://h/d/SHA256SUMS");
        FetchEvent::Moved(Box::new(Moved {
            from,
            to: to.into(),
            status: "302 Found".into(),
            again: Again::Get,
            unkept: false,
        }))
    };
    let checks = || saved_from(Journey::new().open("https://h/d/").answer("text/html", page)).run("verify");
    let j = checks().event(moved("https://mirror/x")).expect_fetch("https://mirror/x").head(BINARY).body(&line(b"abc"));
    let j = holds(j.end(), b"abc");
    // Whose word it was is told with it.
    assert_eq!(verified(&j).said, "SHA-256 agrees with SHA256SUMS (from mirror)");
    assert_eq!(verified(&j).agrees, Some(true));
    let j = checks().event(moved("https://H/x")).expect_fetch("https://H/x").head(BINARY).body(&line(b"abc"));
    assert_eq!(verified(&holds(j.end(), b"abc")).said, "SHA-256 agrees with SHA256SUMS");
    let j = checks().event(moved("ftp://h/x"));
    assert_eq!(verified(&j).said, "SHA256SUMS cannot be fetched: It is elsewhere: ftp://h/x");
    let j = (0..30)
        .fold(checks(), |j, _| if j.app.transfers.downloads[0].verified.is_none() { j.event(moved("/x")) } else { j });
    assert!(verified(&j).said.contains("from one address to the next"));
}

#[test]
fn a_signature_goes_to_gpg_which_is_asked_for_nothing_else() {
    let files = "type=file;size=3; a.iso\r\ntype=file;size=9; a.iso.asc\r\n";
    let run = || {
        let j = saved(files).run("verify").expect_fetch("ftp://h/pub/a.iso.asc").head(BINARY).body(b"-----BEGIN").end();
        let j = j.asks("gpg --batch").asks("--verify -- - /home/me/a.iso").text("y");
        let Some(Effect::Pipe { id, program, input, .. }) = j.effects.last().cloned() else {
            panic!("{:?}", j.effects)
        };
        assert_eq!(
            (program[0].as_str(), &program[program.len() - 3..]),
            ("gpg", &["--", "-", "/home/me/a.iso"].map(String::from)[..])
        );
        assert!(program.contains(&"--no-auto-key-retrieve".to_owned()));
        assert_eq!(input, b"-----BEGIN");
        (j, id)
    };
    let says = |status: &str, cut: Option<&str>| {
        let (j, id) = run();
        let j = j
            .event_of(id, FetchEvent::Head(Box::new(head("about:output?gpg", media::PLAIN))))
            .expect_verdict(Verdict::Accept);
        let j = j
            .event_of(id, FetchEvent::Body(status.into()))
            .event_of(id, FetchEvent::End(End { cut: cut.map(Into::into) }));
        verified(&j)
    };
    let good = "[GNUPG:] NEWSIG\n[GNUPG:] GOODSIG 0123 Ann <ann@example.org>\n[GNUPG:] VALIDSIG 0123\n";
    let sure = says(&format!("{good}[GNUPG:] TRUST_FULLY 0 pgp\n"), None);
    assert_eq!(
        sure,
        Verified { agrees: Some(true), said: "a.iso.asc is a good signature of Ann <ann@example.org>".into() }
    );
    let unsure = says(&format!("{good}[GNUPG:] TRUST_UNDEFINED 0 pgp\n"), None);
    assert!(unsure.agrees.is_none() && unsure.said.ends_with("gpg has no proof of that"), "{unsure:?}");
    let bad = says("[GNUPG:] BADSIG 0123 Ann \u{1b}[2J\n", Some("gpg ended with exit status: 1"));
    assert!(bad.agrees == Some(false) && !bad.said.contains('\u{1b}'), "{bad:?}");
    let missing =
        says("[GNUPG:] ERRSIG 0123 1 10 00 1 9\n[GNUPG:] NO_PUBKEY 0123\n", Some("gpg ended with exit status: 2"));
    assert_eq!(missing.said, "the signature a.iso.asc is not checked: gpg has no key 0123");
    for (word, expected) in [("EXPKEYSIG", "has expired"), ("REVKEYSIG", "revoked")] {
        let said = says(&format!("[GNUPG:] {word} 0123 Ann\n"), None);
        assert!(said.agrees.is_none() && said.said.contains(expected), "{said:?}");
    }
    let (j, id) = run();
    let j =
        j.event_of(id, FetchEvent::Failed(FetchError::new(Kind::Broken, "gpg could not be started: No such file.")));
    let said =
        "a.iso.asc is not checked: gpg could not be started: No such file. By hand: gpg --verify a.iso.asc a.iso";
    assert_eq!(verified(&j), Verified { agrees: None, said: said.into() });
}

/// Whoever put another file there may have put another list there, too.
#[test]
fn a_list_of_sums_whose_signature_stands_beside_it_is_looked_at_by_gpg() {
    let files = "type=file;size=3; a.iso\r\ntype=file;size=9; SHA256SUMS\r\ntype=file;size=9; SHA256SUMS.gpg\r\n";
    let mut j = saved(files);
    j.choose(|choices| choices.scratch = "/scratch".into());
    let j = j.run("verify").expect_fetch("ftp://h/pub/SHA256SUMS").head(BINARY).body(&line(b"abc")).end();
    let j = holds(j, b"abc").expect_fetch("ftp://h/pub/SHA256SUMS.gpg").head(BINARY).body(b"signed").end();
    let mut j = j.asks("SHA256SUMS.gpg signs SHA256SUMS").asks("--verify -- - /scratch/sums-").text("y");
    let Some(Effect::Write { path, content, replace: true, .. }) = j.effects.pop() else { panic!("{:?}", j.effects) };
    assert_eq!(content, line(b"abc"), "the list that named the file, and no other");
    let j = j.wrote(Ok(path.clone()));
    let Some(Effect::Pipe { id, program, input, .. }) = j.effects.last().cloned() else { panic!("{:?}", j.effects) };
    assert_eq!((program.last(), input), (Some(&path), b"signed".to_vec()));
    let j = j.event_of(id, FetchEvent::Head(Box::new(head("about:output?gpg", media::PLAIN))));
    let good = "[GNUPG:] GOODSIG 0123 Ann\n[GNUPG:] VALIDSIG 0123\n[GNUPG:] TRUST_FULLY 0 pgp\n";
    let j = j.event_of(id, FetchEvent::Body(good.into())).event_of(id, FetchEvent::End(End { cut: None }));
    let said = "SHA-256 agrees with SHA256SUMS; SHA256SUMS.gpg is a good signature of Ann";
    assert_eq!(verified(&j), Verified { agrees: Some(true), said: said.into() });
    assert!(j.effects.iter().any(|effect| matches!(effect, Effect::Remove { path: gone, .. } if *gone == path)));
    // Of a list that did not name the file nothing is looked at.
    let j = saved(files).run("verify").head(BINARY).body(b"nothing\n").end();
    let other =
        |effect: &Effect| matches!(effect, Effect::Fetch { request, .. } if request.url.as_str().ends_with("gpg"));
    assert!(!j.effects.iter().any(other), "{:?}", j.effects);
    // Nor of one that is not there.
    saved("type=file;size=3; a.iso\r\ntype=file;size=9; SHA256SUMS.gpg\r\n").notes("saved /home/me/a.iso").look(|j| {
        assert!(!row(j).contains(":verify checks"), "{}", row(j));
    });
}

/// What signs a list that is not there was read as if it were the list.
#[test]
fn only_what_may_be_signed_in_clear_is_read_as_a_list_itself() {
    let files = "type=file;size=3; a.iso\r\ntype=file;size=9; SHA256SUMS\r\ntype=file;size=9; MD5SUMS.gpg\r\n\
        type=file;size=9; SHA256SUMS.ASC\r\n";
    let j = saved(files).run("verify").expect_fetch("ftp://h/pub/SHA256SUMS").head(BINARY).body(&line(b"abc")).end();
    let j = holds(j, b"abc").expect_fetch("ftp://h/pub/SHA256SUMS.ASC").head(BINARY).body(b"signed").end();
    let j = j.asks("SHA256SUMS.ASC signs SHA256SUMS").text("n");
    assert!(!verified(&j).said.contains("MD5SUMS"), "{}", verified(&j).said);
}

/// A list that named other files hid the one that is signed in clear beside it.
#[test]
fn what_is_signed_in_clear_counts_beside_a_list_that_does_not_name_the_file() {
    let files = "type=file;size=3; a.iso\r\ntype=file;size=9; SHA256SUMS\r\ntype=file;size=9; SHA256SUMS.asc\r\n\
        type=file;size=9; SHA512SUMS\r\n";
    let clear = [
        b"-----BEGIN PGP SIGNED MESSAGE-----\n\n",
        &*line(b"good"),
        b"-----BEGIN PGP SIGNATURE-----\n-----END PGP SIGNATURE-----\n",
    ]
    .concat();
    let other = format!("{}  a.iso\n", wayfarer::sums::of(wayfarer::sums::Kind::Sha512, b"evil"));
    let j = saved(files).run("verify").expect_fetch("ftp://h/pub/SHA512SUMS").head(BINARY).body(other.as_bytes()).end();
    let j = j.expect_fetch("ftp://h/pub/SHA256SUMS").head(BINARY).body(b"# none\n").end();
    let j = holds(j, b"evil").expect_fetch("ftp://h/pub/SHA256SUMS.asc").head(BINARY).body(&clear).end();
    let j = holds(j, b"evil").asks("SHA256SUMS.asc is signed").text("n");
    assert_eq!(verified(&j).agrees, Some(false), "{}", verified(&j).said);
}

/// A signature alone was offered as if it were a list of sums.
#[test]
fn a_signature_alone_beside_a_file_is_called_one() {
    for name in ["a.iso.asc", "a.iso.sig", "a.iso.gpg"] {
        let files = format!("type=file;size=3; a.iso\r\ntype=file;size=9; {name}\r\n");
        saved(&files).notes(&format!("saved /home/me/a.iso · {name} beside it, a signature: :verify checks"));
    }
}

/// What stands before or behind what is signed is nobody's word.
#[test]
fn a_list_of_sums_that_is_signed_in_clear_is_read_and_its_signature_offered() {
    let files = "type=file;size=3; a.iso\r\ntype=file;size=9; sha256sums.asc\r\n";
    let clear = |inside: &[u8]| {
        let begin = b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n- -- the sums\n".as_slice();
        [begin, inside, b"-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n"].concat()
    };
    let list = clear(&line(b"abc"));
    let j = saved(files).notes("sha256sums.asc beside it, a signed list: :verify checks");
    let j = j.run("verify").expect_fetch("ftp://h/pub/sha256sums.asc").head(BINARY).body(&list).end();
    let j = holds(j, b"abc").asks("sha256sums.asc is signed").asks("--status-fd 1 --verify -- -").text("y");
    let Some(Effect::Pipe { id, program, input, .. }) = j.effects.last().cloned() else { panic!("{:?}", j.effects) };
    assert_eq!(program[program.len() - 2..], ["--", "-"]);
    assert_eq!(input, String::from_utf8(list.clone()).unwrap().replace('\n', "\r\n").into_bytes());
    let j = j.event_of(id, FetchEvent::Head(Box::new(head("about:output?gpg", media::PLAIN))));
    let good = "[GNUPG:] GOODSIG 0123 Ann\n[GNUPG:] VALIDSIG 0123\n[GNUPG:] TRUST_FULLY 0 pgp\n";
    let j = j.event_of(id, FetchEvent::Body(good.into())).event_of(id, FetchEvent::End(End { cut: None }));
    let said = "SHA-256 agrees with sha256sums.asc; sha256sums.asc is a good signature of Ann";
    assert_eq!(verified(&j), Verified { agrees: Some(true), said: said.into() });
    // Left, the sum alone has been looked at.
    let j = saved(files).run("verify").head(BINARY).body(&list).end();
    let j = holds(j, b"abc").asks("sha256sums.asc is signed").text("n");
    let said = "SHA-256 agrees with sha256sums.asc; sha256sums.asc is not checked: that was left. By hand: gpg --verify sha256sums.asc";
    assert_eq!(verified(&j).said, said);
    // So is a list without that ending, and what is not all signed is a list that nobody has signed.
    let plain = "type=file;size=3; a.iso\r\ntype=file;size=9; x-CHECKSUM\r\n";
    let j = saved(plain).run("verify").expect_fetch("ftp://h/pub/x-CHECKSUM").head(BINARY).body(&list).end();
    holds(j, b"abc").asks("x-CHECKSUM is signed");
    let j = saved(plain).run("verify").head(BINARY).body(&[&line(b"abd"), &clear(b"x\n")[..]].concat()).end();
    let said = "SHA-256 agrees with x-CHECKSUM; the signature in x-CHECKSUM is not looked at: there is text outside of what is signed";
    assert_eq!(verified(&holds(j.free(), b"abd")).said, said);
    // A signature alone has no sums.
    let j = saved(files).run("verify").head(BINARY).body(b"-----BEGIN PGP SIGNATURE-----\n").end();
    assert_eq!(verified(&j).said, "sha256sums.asc holds no checksums");
}

#[test]
fn what_can_be_checked_with_and_what_came_of_it_are_there_in_the_next_run() {
    let kept: KeptDownload =
        holds(saved(FILES).run("verify").head(BINARY).body(&line(b"abc")).end(), b"abc").kept.pop().unwrap();
    assert_eq!((kept.standing, kept.beside.len()), (Standing::Done, 1));
    let mut j = Journey::at(&["0|Text|/t"]);
    j.remember(Remembered { downloads: vec![kept.clone()], ..Remembered::default() });
    assert_eq!(row(&j), "done, 3 B · SHA-256 agrees with SHA256SUMS");
    let j = j.run("verify").expect_fetch("ftp://h/pub/SHA256SUMS");
    let j = holds(j.head(BINARY).body(&line(b"abd")).end(), b"abc");
    assert_eq!(j.kept.last().unwrap().verified.as_ref().unwrap().agrees, Some(false));
    assert_eq!(j.kept.len(), 1, "only when it has changed");
}

#[test]
fn a_check_is_asked_for_in_the_lists_and_can_be_stopped() {
    let j = saved(FILES).keys("D Enter").asks("SHA256SUMS beside it").text("v").expect_fetch("ftp://h/pub/SHA256SUMS");
    let id = j.last();
    let j = j
        .run("verify")
        .notes("being checked")
        .quiet()
        .run("stop")
        .expect(Effect::Cancel(id))
        .notes("not checked any further");
    assert!(j.app.transfers.downloads[0].verified.is_none());
    let j = j.event_of(id, FetchEvent::End(End::default())).quiet();
    assert_eq!(row(&j), "done, 3 B · SHA256SUMS beside it: :verify checks");
    // on the page of downloads: the one under focus
    let j = j.open("about:downloads").run("verify").expect_fetch("ftp://h/pub/SHA256SUMS");
    // one that is forgotten meanwhile
    let j = j.head(BINARY).body(&line(b"abc")).end().run("remove");
    let j = holds(j, b"abc");
    assert!(j.app.transfers.downloads.is_empty());
}

/// What did not agree was forgotten when the reader did not wait for the signature.
#[test]
fn what_does_not_agree_stays_so_when_the_rest_is_given_up() {
    let files = "type=file;size=3; a.iso\r\ntype=file;size=9; SHA256SUMS\r\ntype=file;size=9; SHA256SUMS.gpg\r\n";
    let compared = |file: &[u8]| {
        let mut j = saved(files);
        j.choose(|choices| choices.scratch = "/scratch".into());
        let j = j.run("verify").head(BINARY).body(&line(b"abc")).end();
        holds(j, file).expect_fetch("ftp://h/pub/SHA256SUMS.gpg")
    };
    let told = |j: Journey| {
        let j = j.notes("a.iso does NOT agree: SHA256SUMS says SHA-256 ");
        let Verified { agrees, said } = verified(&j);
        assert!(agrees == Some(false) && said.ends_with("; not checked any further"), "{said}");
        assert!(!row(&j).contains("being checked"), "{}", row(&j));
        j
    };
    // While it is fetched, asked about, looked at.
    let j = compared(b"abd");
    let id = j.last();
    told(j.keys("Esc").expect(Effect::Cancel(id)));
    let j = compared(b"abd").head(BINARY).hasty().keys("j").body(b"signed").end();
    let j = told(j.run("stop")).send(Msg::Rest);
    assert!(j.app.hands.overlays().is_empty(), "{:?}", j.app.hands.overlays());
    let mut j = compared(b"abd").head(BINARY).body(b"signed").end().text("y");
    let Some(Effect::Write { path, .. }) = j.effects.pop() else { panic!("{:?}", j.effects) };
    let j = told(j.wrote(Ok(path.clone())).keys("Esc"));
    assert!(j.effects.iter().any(|effect| matches!(effect, Effect::Remove { path: gone, .. } if *gone == path)));
    // What agreed so far is not all that was to be looked at.
    let j = compared(b"abc").keys("Esc").notes("not checked any further");
    assert!(j.app.transfers.downloads[0].verified.is_none());
}

/// A file of a page of the web is saved whose server has asked for a login.
fn logged_in(j: Journey) -> Journey {
    let page = b"<a href=a.iso>a.iso</a> <a href=SHA256SUMS>y</a>";
    let j = j.expect_fetch("https://h/d/").fail(FetchError::new(Kind::NeedsLogin, "h asks for a password."));
    let j = j.text("joe").keys("Tab").text("s3cret").keys("Enter").expect_fetch("https://h/d/");
    saved_from(j.answer("text/html", page))
}

#[test]
fn a_password_that_a_redirect_says_again_is_hidden_in_what_is_told_of_a_check() {
    for to in ["ftp://h/x?p=s3cret", "ftp://h/s3%63ret/x", "https://h/x?p=s3cret"] {
        let j = logged_in(Journey::new().open("https://h/d/")).run("verify");
        assert_eq!(j.fetches.last().unwrap().1.login.as_ref().unwrap().password, b"s3cret");
        let from = url("https://h/d/SHA256SUMS");
        let j = j.event(FetchEvent::Moved(Box::new(Moved {
            from,
            to: to.into(),
            status: "302 Found".into(),
            again: Again::Get,
            unkept: false,
        })));
        // what is followed is asked for as it is, and written down without it
        let j = match to.starts_with("https") {
            true => {
                let told = j.fetches.last().unwrap().1.told.as_ref().unwrap();
                assert!(!told.as_str().contains("s3"), "{told}");
                j.fail(FetchError::new(Kind::NotFound, "No /x?p=s3cret here."))
            }
            false => j,
        };
        assert!(verified(&j).said.contains("cannot be fetched"), "{}", verified(&j).said);
        for text in
            [verified(&j).said, row(&j), format!("{:?} {:?}", j.app.hands.note, j.kept.last().unwrap().verified)]
        {
            assert!(!text.contains("s3") && !text.contains("cret"), "{text}");
        }
    }
}

#[test]
fn a_page_of_any_number_of_lists_costs_no_more_than_its_length() {
    let rows: Vec<String> = (0..80_000).map(|n| format!("0|{n}|/pub/{n}-CHECKSUM")).collect();
    let rows: Vec<&str> =
        rows.iter().map(String::as_str).chain(["9|a.iso|/pub/a.iso", "0|own|/pub/a.iso.sha256"]).collect();
    let j = saved_from(Journey::at(&rows));
    let beside = &j.kept.last().unwrap().beside;
    assert_eq!((beside[0].as_str(), beside.len()), ("gopher://h/0/pub/a.iso.sha256", 8));
    assert_eq!(beside[1], "gopher://h/0/pub/0-CHECKSUM");
}

#[test]
fn what_is_said_of_one_signature_is_not_put_to_another() {
    let files = "type=file;size=3; a.iso\r\ntype=file;size=9; a.iso.asc\r\n";
    let says = |status: &str| {
        let j = saved(files).run("verify").head(BINARY).body(b"x").end().text("y");
        let Some(Effect::Pipe { id, .. }) = j.effects.last().cloned() else { panic!("{:?}", j.effects) };
        let j = j.event_of(id, FetchEvent::Body(status.into())).event_of(id, FetchEvent::End(End::default()));
        verified(&j)
    };
    let [good, new, valid, full] =
        ["GOODSIG 66 Mallory", "NEWSIG", "VALIDSIG 66", "TRUST_FULLY 0 pgp"].map(|words| format!("[GNUPG:] {words}\n"));
    let undefined = "[GNUPG:] TRUST_UNDEFINED 0 pgp\n";
    let ann = "[GNUPG:] GOODSIG 77 Ann\n";
    let expired = "[GNUPG:] EXPKEYSIG 77 Ann\n";
    for (status, agrees) in [
        (format!("{new}{good}{valid}{undefined}{new}{expired}{valid}{full}"), None),
        (format!("{good}{valid}{undefined}{expired}{valid}{full}"), None),
        (format!("{new}{expired}{valid}{full}{new}{good}{valid}{undefined}"), None),
        (format!("{expired}{valid}{full}{good}{valid}{undefined}"), None),
        (format!("{new}{good}{full}"), None),
        (format!("{new}{good}{valid}[GNUPG:] TRUST_MARGINAL 0 pgp\n"), None),
        (format!("{new}{good}{valid}{undefined}{new}{ann}{valid}{full}"), Some(true)),
        (format!("{new}{ann}{valid}{full}{new}[GNUPG:] BADSIG 66 Mallory\n"), Some(false)),
    ] {
        let said = says(&status);
        assert_eq!(said.agrees, agrees, "{status}: {said:?}");
        assert!(agrees != Some(true) || said.said.ends_with("good signature of Ann"), "{said:?}");
    }
}

#[test]
fn a_check_that_is_stopped_asks_nothing_any_more() {
    let files = "type=file;size=3; a.iso\r\ntype=file;size=9; a.iso.asc\r\n";
    // the reader is at something else when the question comes
    let asked = || saved(files).run("verify").head(BINARY).hasty().keys("j").body(b"x").end();
    asked().pause().asks("gpg --batch");
    let j = asked().run("stop").notes("not checked any further").send(Msg::Rest);
    assert!(j.app.hands.overlays().is_empty(), "{:?}", j.app.hands.overlays());
}

#[test]
fn what_is_begun_anew_is_not_checked_yet() {
    let j = saved(FILES).run("verify").head(BINARY).body(&line(b"abc")).end();
    let mut j = holds(j, b"abc");
    j.app.transfers.downloads[0].state = DownloadState::Cut("Gone.".into());
    let j = j.keys("D Enter").asks("broke off").text("a");
    assert!(j.app.transfers.downloads[0].verified.is_none());
}

#[test]
fn what_a_private_tab_saved_is_checked_in_private() {
    let j = Journey::at(&["0|Text|/t"]).run("private gopher://s/");
    let j = j.answer(media::MENU, &menu("s", &["9|a|/a.iso", "0|sums|/SHA256SUMS"]));
    let j = saved_from(j).run("verify").expect_fetch("gopher://s/0/SHA256SUMS");
    assert!(j.fetches.last().unwrap().1.private && j.kept.is_empty());
    // also from a tab that is none, with the logins of private tabs
    let j = Journey::new().open("http://o/").answer("text/html", b"other");
    let j = logged_in(j.run("private").text("https://h/d/").keys("Enter")).keys("{").at_url("http://o/").run("verify");
    let request = &j.expect_fetch("https://h/d/SHA256SUMS").fetches.last().unwrap().1.clone();
    assert!(request.private && request.login.as_ref().is_some_and(|login| login.password == b"s3cret"));
}
