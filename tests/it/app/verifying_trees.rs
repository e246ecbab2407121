//! Saved directories that are checked with the lists of checksums in them.

use super::journey::{Journey, head};
use super::trees::{at, done, ends, id, lists};
use wayfarer::app::{
    Compared, DownloadState, Effect, JobId, KeptDownload, ListSignature, Msg, NotWritten, Remembered, Standing,
    Verified, status,
};
use wayfarer::format::media;
use wayfarer::proto::{End, FetchError, FetchEvent, Kind, Verdict};

const FILES: &str = "type=file;size=10; a.txt\r\ntype=file;size=9; SHA256SUMS\r\n";

/// A directory with these files is saved.
fn saved(files: &str) -> Journey {
    let mut j = lists(at(files).keys("M-d").expect_fetch("ftp://h/pub/"), files).keys("Enter");
    while let Some(at) = j.effects.iter().position(|effect| matches!(effect, Effect::Download { .. })) {
        let fetch = j.effects.remove(at);
        j = ends(j, id(&fetch), done());
    }
    assert_eq!(j.app.transfers.downloads[0].state, DownloadState::Done);
    j.effects.clear();
    j
}

fn row(j: &Journey) -> String {
    status::in_list(j.app.sight(), &j.app.transfers.downloads[0])
}

/// The folder that is to be compared.
fn to_compare(j: &Journey) -> (JobId, String) {
    match j.effects.last() {
        Some(Effect::SumTree { id, path, .. }) => (*id, path.clone()),
        other => panic!("nothing is compared: {other:?}"),
    }
}

/// One of a list that names the first file.
fn signature(name: &str, content: &[u8], list: Option<(String, Vec<u8>)>) -> ListSignature {
    ListSignature { name: name.into(), content: content.to_vec(), list, right: vec![0] }
}

fn comes_of(j: Journey, agrees: Option<bool>, said: &str) -> Journey {
    let (id, _) = to_compare(&j);
    let verified = Verified { agrees, said: said.into() };
    j.send(Msg::SummedTree { id, result: Ok(Compared { verified, right: 0, signatures: Vec::new() }) })
}

#[test]
fn a_saved_directory_with_a_list_in_it_is_told_of_and_all_of_it_checked() {
    let j = saved(FILES).notes("saved 2 files into ~/Downloads/pub").notes("SHA256SUMS in it: :verify checks");
    assert!(row(&j).ends_with("· SHA256SUMS in it: :verify checks"), "{}", row(&j));
    let j = j.run("verify").notes("checking all files in pub; Esc stops");
    assert!(to_compare(&j).1.ends_with("/Downloads/pub"), "{}", to_compare(&j).1);
    assert!(row(&j).ends_with(", being checked"), "{}", row(&j));
    let j = comes_of(j, Some(true), "1 right, 1 list (SHA256SUMS)").notes("pub: 1 right, 1 list (SHA256SUMS)");
    assert!(row(&j).ends_with("· 1 right, 1 list (SHA256SUMS)"), "{}", row(&j));
    assert_eq!(j.kept.last().unwrap().verified, j.app.transfers.downloads[0].verified);
    // From the list of downloads, too; what does not agree is told loudly.
    let j = j.keys("D Enter").text("v");
    let j = comes_of(j, Some(false), "1 wrong (a\u{1b}[2J), 0 right");
    let j = j.notes("pub does NOT agree with what it should be: 1 wrong (a");
    assert!(!row(&j).contains('\u{1b}'), "{}", row(&j));
}

#[test]
fn a_directory_without_a_list_is_not_offered_and_says_so_when_asked() {
    let j = saved("type=file;size=10; a.txt\r\n");
    assert!(!row(&j).contains(":verify"), "{}", row(&j));
    let j =
        comes_of(j.run("verify"), None, "there is no file of checksums in it").notes("pub is not checked: there is no");
    let (sum, before) = ("0".repeat(64), j.effects.len());
    let j = j.run(&format!("verify {sum}")).notes("pub is a folder: a checksum is of one file");
    assert_eq!(j.effects.len(), before);
}

/// A list that is signed in clear was known beside a file and not in a directory.
#[test]
fn a_directory_whose_list_is_signed_in_clear_is_told_of() {
    let j = saved("type=file;size=10; a.txt\r\ntype=file;size=9; SHA256SUMS.asc\r\n");
    j.notes("SHA256SUMS.asc in it").look(|j| assert!(row(j).ends_with(":verify checks"), "{}", row(j)));
    let j = saved("type=file;size=10; a.txt\r\ntype=file;size=9; SHA256SUMS.gpg\r\n");
    assert!(!row(&j).contains(":verify"), "{}", row(&j));
    let both = "type=file;size=9; SHA256SUMS.asc\r\ntype=file;size=9; a.txt.sha1\r\n";
    saved(both).notes("a.txt.sha1 in it: :verify checks");
}

#[test]
fn a_check_of_a_directory_is_given_up_and_comes_back_to_nobody() {
    let j = saved(FILES).run("verify");
    let (id, _) = to_compare(&j);
    let j = j.run("verify").notes("pub is being checked; stop ends that");
    let j = j.keys("Esc").expect(Effect::Cancel(id)).notes("not checked any further");
    let j = j.send(Msg::SummedTree { id, result: Err("too late".into()) });
    assert_eq!(j.app.transfers.downloads[0].verified, None);
}

/// Who vouches for the lists of a directory nobody had looked at.
#[test]
fn signatures_of_the_lists_in_a_directory_are_looked_at_if_the_reader_wants_that() {
    let begun = || {
        let mut j = saved(FILES);
        j.choose(|choices| choices.scratch = "/scratch".into());
        j.run("verify")
    };
    let signed = || {
        let j = begun();
        let (id, _) = to_compare(&j);
        let list = Some(("SHA256SUMS".into(), b"the list".to_vec()));
        let apart = signature("SHA256SUMS.asc", b"signature", list);
        let clear = signature("sub/MD5SUMS", b"in clear", None);
        let verified = Verified { agrees: Some(true), said: "1 right".into() };
        let result = Ok(Compared { verified, right: 1, signatures: vec![apart, clear] });
        let j = j.send(Msg::SummedTree { id, result }).asks("2 lists in it are signed: SHA256SUMS.asc, sub/MD5SUMS.");
        j.asks("--verify -- - /scratch/sums-").asks("--verify -- -")
    };
    // What is looked at is what the files were compared with, not what is there by now.
    let yes = |j: Journey| {
        let mut j = j.text("y");
        let Some(Effect::Write { path, content, replace: true, .. }) = j.effects.pop() else {
            panic!("{:?}", j.effects)
        };
        assert!(path.starts_with("/scratch/sums-") && content == b"the list", "{path}");
        j.wrote(Ok(path))
    };
    let looked_at = |j: &Journey| {
        let Some(Effect::Pipe { id, program, input, .. }) = j.effects.last() else { panic!("{:?}", j.effects) };
        (*id, program.last().unwrap().clone(), input.clone())
    };
    let says = |j: Journey, said: &str| {
        let (id, ..) = looked_at(&j);
        let j = j.event_of(id, FetchEvent::Head(Box::new(head("about:output?gpg", media::PLAIN))));
        let j = j.expect(Effect::Verdict { id, verdict: Verdict::Accept });
        j.event_of(id, FetchEvent::Body(said.into())).event_of(id, FetchEvent::End(End { cut: None }))
    };
    let good = "[GNUPG:] GOODSIG 0123 Ann\n[GNUPG:] VALIDSIG 0123\n[GNUPG:] TRUST_FULLY 0 pgp\n";
    let j = yes(signed());
    let (_, list, input) = looked_at(&j);
    assert!(list.starts_with("/scratch/sums-") && input == b"signature", "{list}");
    let j = says(j, good);
    assert!(j.effects.iter().any(|effect| matches!(effect, Effect::Remove { path, .. } if *path == list)));
    assert_eq!((looked_at(&j).1, looked_at(&j).2), ("-".into(), b"in clear".to_vec()));
    let j = says(j, "[GNUPG:] BADSIG 0123 Bob\n").notes("pub does NOT agree with what it should be");
    let verified = j.app.transfers.downloads[0].verified.clone().unwrap();
    assert_eq!(verified.agrees, Some(false));
    assert!(verified.said.starts_with("1 right; does NOT agree: sub/MD5SUMS is no signature"), "{}", verified.said);
    assert!(verified.said.ends_with("; SHA256SUMS.asc is a good signature of Ann"), "{}", verified.said);
    // Without the program each is told of, with what to do.
    let j = yes(signed());
    let missing = || FetchEvent::Failed(FetchError::new(Kind::Unsupported, "gpg is not there."));
    let (id, ..) = looked_at(&j);
    let j = j.event_of(id, missing());
    let (id, ..) = looked_at(&j);
    let j = j.event_of(id, missing()).notes("gpg is not there. By hand: gpg --verify SHA256SUMS.asc SHA256SUMS");
    assert_eq!(j.app.transfers.downloads[0].verified.as_ref().unwrap().agrees, Some(true));
    // Both names are from the folder; without a file for the list nothing is looked at.
    let below = || {
        let j = begun();
        let (id, _) = to_compare(&j);
        let list = Some(("sub/MD5SUMS".into(), b"the list".to_vec()));
        let apart = signature("sub/MD5SUMS.sig", b"signature", list);
        let verified = Verified { agrees: Some(true), said: "1 right".into() };
        j.send(Msg::SummedTree { id, result: Ok(Compared { verified, right: 1, signatures: vec![apart] }) })
    };
    let j = yes(below());
    let (id, ..) = looked_at(&j);
    j.event_of(id, missing()).notes("By hand: gpg --verify sub/MD5SUMS.sig sub/MD5SUMS");
    let j = below().text("y").wrote(Err(NotWritten::Failed("The disk is full.".into())));
    j.notes("sub/MD5SUMS.sig is not checked: The disk is full. By hand: gpg --verify sub/MD5SUMS.sig sub/MD5SUMS");
    // Left, and given up.
    let j = signed().text("n").notes("1 right; signatures of lists are not checked: that was left");
    assert!(j.effects.iter().all(|effect| !matches!(effect, Effect::Pipe { .. })));
    // Those of one owner are told of together.
    let j =
        says(says(yes(signed()), good), good).notes(
            "1 right; lists with a good signature name all that are right; 2 good signatures of Ann: SHA256SUMS.asc, sub/MD5SUMS",
        );
    assert_eq!(j.app.transfers.downloads[0].verified.as_ref().unwrap().agrees, Some(true));
    let j = yes(signed());
    let (id, ..) = looked_at(&j);
    let list = looked_at(&j).1;
    let j = j.keys("Esc").expect(Effect::Cancel(id)).notes("not checked any further");
    assert!(j.effects.iter().any(|effect| matches!(effect, Effect::Remove { path, .. } if *path == list)));
}

/// Has `gpg` look at these, each as far as it says this; what is noted in the end.
fn looked_at(right: usize, signatures: Vec<(ListSignature, &str)>) -> Verified {
    let j = saved(FILES).run("verify");
    let (id, _) = to_compare(&j);
    let (signatures, said): (Vec<ListSignature>, Vec<&str>) = signatures.into_iter().unzip();
    let verified = Verified { agrees: Some(true), said: format!("{right} right") };
    let mut j = j.send(Msg::SummedTree { id, result: Ok(Compared { verified, right, signatures }) }).text("y");
    for said in said {
        if let Some(Effect::Write { path, .. }) = j.effects.last() {
            let path = path.clone();
            j.effects.pop();
            j = j.wrote(Ok(path));
        }
        let Some(Effect::Pipe { id, .. }) = j.effects.last() else { panic!("{:?}", j.effects) };
        let id = *id;
        j = match said {
            "" => j.event_of(id, FetchEvent::Failed(FetchError::new(Kind::Unsupported, "gpg is not there."))),
            said => j.event_of(id, FetchEvent::Body(said.into())).event_of(id, FetchEvent::End(End { cut: None })),
        };
    }
    j.app.transfers.downloads[0].verified.clone().unwrap()
}

const GOOD: &str = "[GNUPG:] GOODSIG 0123 Ann\n[GNUPG:] VALIDSIG 0123\n[GNUPG:] TRUST_FULLY 0 pgp\n";

/// A list by nobody and one by Ann looked as if Ann had vouched for all.
#[test]
fn how_much_of_what_is_right_a_signed_list_names_is_told() {
    let told = |right: usize, names: &[usize], and: &[usize]| {
        let one = ListSignature { right: names.to_vec(), ..signature("SHA256SUMS", b"1", None) };
        let other = ListSignature { right: and.to_vec(), ..signature("MD5SUMS", b"2", None) };
        looked_at(right, vec![(one, GOOD), (other, "[GNUPG:] NO_PUBKEY 0123\n")]).said
    };
    let end = "that are right; SHA256SUMS is a good signature of Ann";
    for (right, names, and, which) in
        [(2, &[1][..], &[0][..], "only 1 of the 2"), (2, &[0, 1], &[], "all"), (2, &[], &[0, 1], "none of those")]
    {
        let said = told(right, names, and);
        assert!(said.ends_with(&format!("; lists with a good signature name {which} {end}")), "{said}");
    }
    let none = told(0, &[], &[]);
    assert!(none.ends_with("; SHA256SUMS is a good signature of Ann") && !none.contains("name"), "{none}");
}

/// What a signature was none of was "this file", and names stood bare in what a shell is to be given.
#[test]
fn a_bad_signature_names_its_list_and_what_is_done_by_hand_is_quoted() {
    let list = |name: &str| Some((name.to_owned(), b"list".to_vec()));
    let bad = "[GNUPG:] BADSIG 0123 Bob\n";
    let Verified { agrees, said } = looked_at(
        1,
        vec![
            (signature("SHA256SUMS.asc", b"1", list("SHA256SUMS")), "[GNUPG:] NO_PUBKEY 0123\n"),
            (signature("SHA256SUMS.gpg", b"2", list("SHA256SUMS")), bad),
        ],
    );
    assert_eq!(agrees, Some(false));
    assert!(said.contains("SHA256SUMS.gpg is no signature of SHA256SUMS; it names the key of Bob"), "{said}");
    let name = "it's; rm -rf $HOME/MD5SUMS";
    let said = looked_at(1, vec![(signature("-x/MD5SUMS.sig", b"1", list(name)), "")]).said;
    assert!(said.ends_with("By hand: gpg --verify ./-x/MD5SUMS.sig 'it'\\''s; rm -rf $HOME/MD5SUMS'"), "{said}");
}

/// A bad signature was forgotten when the reader did not wait for the next.
#[test]
fn a_signature_that_is_bad_stays_so_when_the_rest_is_given_up() {
    let j = saved(FILES).run("verify");
    let (id, _) = to_compare(&j);
    let clear = |name: &str| signature(name, b"in clear", None);
    let verified = Verified { agrees: Some(true), said: "1 right".into() };
    let result = Ok(Compared { verified, right: 1, signatures: vec![clear("SHA256SUMS"), clear("sub/MD5SUMS")] });
    let j = j.send(Msg::SummedTree { id, result }).text("y");
    let running = |j: &Journey| match j.effects.last() {
        Some(Effect::Pipe { id, .. }) => *id,
        other => panic!("{other:?}"),
    };
    let id = running(&j);
    let j = j.event_of(id, FetchEvent::Body(b"[GNUPG:] BADSIG 0123 Bob\n".to_vec()));
    let j = j.event_of(id, FetchEvent::End(End { cut: None }));
    let id = running(&j);
    let j =
        j.keys("Esc").expect(Effect::Cancel(id)).notes("pub does NOT agree with what it should be: 1 right; does NOT");
    let Verified { agrees, said } = j.app.transfers.downloads[0].verified.clone().unwrap();
    assert_eq!(agrees, Some(false));
    assert!(
        said.ends_with("SHA256SUMS is no signature of its own text; it names the key of Bob; not checked any further")
    );
    assert_eq!(j.kept.last().unwrap().verified.as_ref().unwrap().agrees, Some(false));
    // What comes late is nobody's.
    let j = j.event_of(id, FetchEvent::End(End { cut: None }));
    assert!(!row(&j).contains("being checked"), "{}", row(&j));
}

/// Of an earlier run nobody knows the files any more.
#[test]
fn a_directory_that_an_earlier_run_saved_is_checked_as_well() {
    let j = saved(FILES);
    let kept: KeptDownload = j.kept.last().unwrap().clone();
    assert_eq!((kept.standing, kept.beside.as_slice()), (Standing::Done, &["ftp://h/pub/SHA256SUMS".to_owned()][..]));
    let mut j = Journey::new();
    j.remember(Remembered { downloads: vec![kept], ..Remembered::default() });
    assert!(row(&j).ends_with("· SHA256SUMS in it: :verify checks"), "{}", row(&j));
    to_compare(&j.run("verify"));
}

/// The second of a name was saved as another, and checked under the first's.
#[test]
fn what_a_listing_names_twice_is_saved_once_and_told_of() {
    let files = "type=file;size=4; tool.bin\r\ntype=file;size=4; tool.bin\r\ntype=file;size=9; SHA256SUMS\r\n\
        type=file;size=4; \u{202e}x\r\ntype=file;size=4; \u{202e}x\r\n";
    let j = saved(files).notes("saved 3 files into ~/Downloads/pub");
    let remarks = &j.kept.last().unwrap().remarks;
    let told = "tool.bin: left out, 1 entry that its listing has named already";
    assert!(remarks.iter().any(|remark| remark == told), "{remarks:?}");
    let names = &j.kept.last().unwrap().manner.names;
    assert_eq!(names[..], [("\\u{202e}x".to_owned(), "‹RLO›x".to_owned())]);
}
