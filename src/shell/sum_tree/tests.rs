//! Folders of files, lists and signatures, compared.

use super::*;
use crate::sums::{Kind, of};
use std::os::unix::fs::symlink;

fn compared(root: &Path, names: &[(&str, &str)]) -> Compared {
    let names = names.iter().map(|(own, name)| ((*own).to_owned(), (*name).to_owned())).collect();
    compare(root, names, &Stop::new()).unwrap().unwrap()
}

fn said(root: &Path, names: &[(&str, &str)]) -> String {
    compared(root, names).verified.said
}

fn put(root: &Path, files: &[(&str, &[u8])]) {
    files.iter().for_each(|(path, octets)| fs::write(root.join(path), octets).unwrap());
}

/// What the disk could not hold under its own name was missing, and not listed.
#[test]
fn what_has_another_name_here_is_found_by_the_one_that_it_had() {
    let folder = tempfile::tempdir().unwrap();
    let sum = of(Kind::Sha256, b"abc");
    fs::create_dir_all(folder.path().join("sub-2")).unwrap();
    for path in ["sub-2/a", "caf\u{e9}.txt", "readme-2", "own"] {
        fs::write(folder.path().join(path), "abc").unwrap();
    }
    // The server had another of the name that one was given.
    fs::write(folder.path().join("readme"), "other").unwrap();
    let lines = ["Sub/a\u{202e}", "README", "own"].map(|name| format!("{sum}  {name}\n")).concat();
    let list = [lines.as_bytes(), sum.as_bytes(), b"  caf\xe9.txt\n"].concat();
    fs::write(folder.path().join("SHA256SUMS"), list).unwrap();
    let names =
        [("Sub", "sub-2"), ("sub-2/a\\u{202e}", "a"), ("README", "readme-2"), ("caf\\xe9.txt", "caf\u{e9}.txt")];
    assert_eq!(said(folder.path(), &names), "4 right, 1 not listed, 1 list (SHA256SUMS)");
}

/// Whoever added a list of a stronger kind outvoted one that was signed.
#[test]
fn all_lists_that_name_a_file_have_to_be_right() {
    let folder = tempfile::tempdir().unwrap();
    let line = |kind, octets: &[u8]| format!("{}  tool.bin\n", of(kind, octets)).into_bytes();
    put(
        folder.path(),
        &[
            ("tool.bin", b"evil"),
            ("SHA256SUMS", &line(Kind::Sha256, b"good")),
            ("SHA256SUMS.asc", b"signed"),
            ("SHA512SUMS", &line(Kind::Sha512, b"evil")),
        ],
    );
    let lists = "2 lists (SHA256SUMS, SHA512SUMS)";
    assert_eq!(said(folder.path(), &[]), format!("1 wrong (tool.bin by SHA256SUMS), 0 right, {lists}"));
    // Of one kind, too, whatever the file is.
    put(folder.path(), &[("SHA512SUMS", &line(Kind::Sha256, b"evil")), ("CHECKSUMS", &line(Kind::Sha256, b"worse"))]);
    let expected = "1 wrong (tool.bin by CHECKSUMS, SHA256SUMS), 0 right";
    assert!(said(folder.path(), &[]).starts_with(expected), "{}", said(folder.path(), &[]));
}

/// A name that was listed twice had another file checked under it.
#[test]
fn what_kept_its_name_is_found_by_that_whatever_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    let list = ["tool.bin", "sub/x"].map(|name| format!("{}  {name}\n", of(Kind::Sha256, b"good"))).concat();
    fs::create_dir_all(folder.path().join("sub")).unwrap();
    fs::create_dir_all(folder.path().join("sub-2")).unwrap();
    let files = [("tool.bin", "evil"), ("tool-2.bin", "good"), ("sub/x", "evil"), ("sub-2/x", "good")];
    put(folder.path(), &files.map(|(path, octets)| (path, octets.as_bytes())));
    put(folder.path(), &[("SHA256SUMS", list.as_bytes())]);
    let first = said(folder.path(), &[("tool.bin", "tool-2.bin"), ("sub", "sub-2")]);
    assert!(first.starts_with("2 wrong (sub/x, tool.bin), 0 right, 2 not listed"), "{first}");
    // Of two of a name that neither kept the first counts.
    let list = format!("{}  caf\u{e9}\u{202e}\n", of(Kind::Sha256, b"good"));
    put(folder.path(), &[("a", b"evil"), ("a-2", b"good"), ("SHA256SUMS", list.as_bytes())]);
    let said = said(folder.path(), &[("caf\u{e9}\\u{202e}", "a"), ("caf\u{e9}\\u{202e}", "a-2")]);
    assert!(said.starts_with("1 wrong (a), 0 right"), "{said}");
}

/// A backslash in a name was taken for octets that are no text.
#[test]
fn a_name_with_a_backslash_is_another_one_than_that_of_octets() {
    let folder = tempfile::tempdir().unwrap();
    let sum = of(Kind::Sha256, b"good");
    let list = [format!("{sum}  a").as_bytes(), b"\xe9b.bin\n", format!("{sum}  c\\xe9.bin\n").as_bytes()].concat();
    put(folder.path(), &[("x", b"evil"), ("y", b"good"), ("c\\xe9.bin", b"good"), ("SHA256SUMS", &list)]);
    let said = said(folder.path(), &[("a\\\\xe9b.bin", "y"), ("a\\xe9b.bin", "x"), ("c\\xe9.bin", "y")]);
    assert!(said.starts_with("1 wrong (x), 1 right, 1 not listed"), "{said}");
}

/// What a file's own list says of it was looked for under the name that it has here.
#[test]
fn the_list_of_a_file_that_has_another_name_here_is_about_the_one_that_it_had() {
    let folder = tempfile::tempdir().unwrap();
    let line = |octets: &[u8]| [of(Kind::Sha256, octets).as_bytes(), b"  caf\xe9.bin\n"].concat();
    let names = [("caf\\xe9.bin", "caf\u{e9}.bin"), ("caf\\xe9.bin.sha256", "caf\u{e9}.bin.sha256")];
    for (wanted, expected) in [(&b"good"[..], "1 wrong (caf\u{e9}.bin), 0 right"), (b"evil", "1 right")] {
        put(folder.path(), &[("caf\u{e9}.bin", b"evil"), ("caf\u{e9}.bin.sha256", &line(wanted))]);
        let said = said(folder.path(), &names);
        assert_eq!(said, format!("{expected}, 1 list (caf\u{e9}.bin.sha256)"));
    }
}

#[test]
fn a_folder_is_compared_with_its_list() {
    let folder = tempfile::tempdir().unwrap();
    let sum = of(Kind::Sha256, b"abc");
    fs::create_dir(folder.path().join("sub")).unwrap();
    for path in ["a", "sub/b", "c", "d.wayfarer-part"] {
        fs::write(folder.path().join(path), if path == "sub/b" { "abd" } else { "abc" }).unwrap();
    }
    assert!(said(folder.path(), &[]).starts_with("there is no file of checksums"));
    let list = format!("{sum}  a\n{sum}  sub/b\n{sum}  gone\n");
    fs::write(folder.path().join("SHA256SUMS"), &list).unwrap();
    let expected = "1 wrong (sub/b), 1 right, 1 missing (gone), 1 not listed, 1 list (SHA256SUMS)";
    assert_eq!(said(folder.path(), &[]), expected);
    // Only what is signed counts of a list that is signed in clear.
    let (begin, end) = ("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n", "-----END PGP SIGNATURE-----\n");
    let clear = format!("{begin}{sum}  a\n-----BEGIN PGP SIGNATURE-----\n\n{sum}  c\n{end}");
    fs::write(folder.path().join("SHA256SUMS"), clear).unwrap();
    assert_eq!(said(folder.path(), &[]), "1 right, 2 not listed, 1 list (SHA256SUMS)");
    // What is odd about it is told; then nobody has signed it.
    let odd = format!("see below\n{begin}{sum}  a\n-----BEGIN PGP SIGNATURE-----\n\n{end}");
    fs::write(folder.path().join("CHECKSUM"), odd).unwrap();
    let odd = "the signature in CHECKSUM is not looked at: there is text outside of what is signed";
    assert!(said(folder.path(), &[]).ends_with(odd), "{}", said(folder.path(), &[]));
    fs::remove_file(folder.path().join("CHECKSUM")).unwrap();
    // That, or what stands beside a list, is its signature.
    fs::write(folder.path().join("sub/MD5SUMS"), "# none\n").unwrap();
    fs::write(folder.path().join("sub/MD5SUMS.sig"), "signed").unwrap();
    let signatures = compared(folder.path(), &[]).signatures;
    let [clear, apart] = &signatures[..] else { panic!("{signatures:?}") };
    assert_eq!((&*clear.name, &clear.list), ("SHA256SUMS", &None));
    assert!(clear.content.starts_with(b"-----BEGIN PGP SIGNED MESSAGE-----"));
    let list = ("sub/MD5SUMS".to_owned(), b"# none\n".to_vec());
    assert_eq!(
        *apart,
        ListSignature {
            name: "sub/MD5SUMS.sig".into(),
            content: b"signed".to_vec(),
            list: Some(list),
            right: Vec::new()
        }
    );
    let stop = Stop::new();
    stop.give_up();
    assert!(compare(folder.path(), Vec::new(), &stop).is_none());
    assert!(compare(&folder.path().join("none"), Vec::new(), &Stop::new()).unwrap().is_err());
}

/// Beside a file it was read.
#[test]
fn a_list_that_is_signed_in_clear_needs_no_other_of_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let sum = of(Kind::Sha256, b"abc");
    let (begin, end) = ("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n", "-----END PGP SIGNATURE-----\n");
    let clear = format!("{begin}{sum}  a\n-----BEGIN PGP SIGNATURE-----\n\n{end}");
    put(folder.path(), &[("a", b"abc"), ("SHA256SUMS.ASC", clear.as_bytes())]);
    let Compared { verified, signatures, .. } = compared(folder.path(), &[]);
    assert_eq!(verified.said, "1 right, 1 list (SHA256SUMS.ASC)");
    assert!(matches!(&signatures[..], [ListSignature { list: None, .. }]), "{signatures:?}");
    // A signature alone is none.
    put(folder.path(), &[("SHA256SUMS.ASC", b"-----BEGIN PGP SIGNATURE-----\n")]);
    let said = said(folder.path(), &[]);
    let expected = "as SHA256SUMS or NAME.sha256; SHA256SUMS.ASC holds no checksums";
    assert!(said.starts_with("there is no file of checksums in it") && said.ends_with(expected), "{said}");
}

/// What is signed in clear was only the signature of the list beside it, whatever it said.
#[test]
fn what_is_signed_in_clear_counts_beside_the_list_that_it_signs() {
    let line = |octets: &[u8]| format!("{}  tool.bin\n", of(Kind::Sha256, octets));
    let clear = |text: &str| {
        format!(
            "-----BEGIN PGP SIGNED MESSAGE-----\n\n{text}-----BEGIN PGP SIGNATURE-----\n-----END PGP SIGNATURE-----\n"
        )
    };
    for (list, signed) in
        [("SHA256SUMS", "SHA256SUMS.asc"), ("SHA256SUMS", "SHA256SUMS.sig"), ("tool.bin.sha256", "tool.bin.sha256.asc")]
    {
        let folder = tempfile::tempdir().unwrap();
        let (evil, good) = (line(b"evil"), clear(&line(b"good")));
        put(folder.path(), &[("tool.bin", b"evil"), (list, evil.as_bytes()), (signed, good.as_bytes())]);
        let Compared { verified, signatures, .. } = compared(folder.path(), &[]);
        assert_eq!(verified.said, format!("1 wrong (tool.bin by {signed}), 0 right, 2 lists ({list}, {signed})"));
        assert!(matches!(&signatures[..], [ListSignature { name, list: None, .. }] if name == signed));
    }
    // Whatever kept the list from being read.
    let folder = tempfile::tempdir().unwrap();
    let long = [&vec![b'#'; 5 << 20][..], line(b"evil").as_bytes()].concat();
    let good = clear(&line(b"good"));
    put(folder.path(), &[("tool.bin", b"evil"), ("SHA256SUMS", &long), ("SHA256SUMS.asc", good.as_bytes())]);
    let said = |folder: &Path| said(folder, &[]);
    assert!(said(folder.path()).starts_with("1 wrong (tool.bin), 0 right, 1 not listed, 1 list (SHA256SUMS.asc)"));
    // So does one of a file's own list that is not there.
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), &[("tool.bin", b"evil"), ("tool.bin.sha256.asc", clear(&line(b"good")).as_bytes())]);
    assert_eq!(said(folder.path()), "1 wrong (tool.bin), 0 right, 1 list (tool.bin.sha256.asc)");
}

/// A list of many files was passed over when a file was put there that it could be the list of.
#[test]
fn what_a_list_says_of_others_counts_beside_the_file_that_it_is_called_after() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("{}  tool.bin\n", of(Kind::Sha256, b"good"));
    put(folder.path(), &[("all", b""), ("tool.bin", b"evil"), ("all.sha256", line.as_bytes())]);
    assert!(said(folder.path(), &[]).starts_with("1 wrong (tool.bin), 0 right"), "{}", said(folder.path(), &[]));
}

/// One by a key that nobody has hid the next, which was bad.
#[test]
fn all_signatures_of_a_list_are_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    put(
        folder.path(),
        &[("SHA256SUMS", b"#"), ("SHA256SUMS.gpg", b"2"), ("SHA256SUMS.asc", b"1"), ("SHA256SUMS.Asc", b"0")],
    );
    let signatures = compared(folder.path(), &[]).signatures;
    let names: Vec<&str> = signatures.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["SHA256SUMS.Asc", "SHA256SUMS.asc", "SHA256SUMS.gpg"]);
    assert!(signatures.iter().all(|one| one.list == Some(("SHA256SUMS".into(), b"#".to_vec()))));
    // Those of a list that is signed in clear as well.
    let clear =
        b"-----BEGIN PGP SIGNED MESSAGE-----\n\n#\n-----BEGIN PGP SIGNATURE-----\n-----END PGP SIGNATURE-----\n";
    put(folder.path(), &[("SHA256SUMS", clear)]);
    assert_eq!(compared(folder.path(), &[]).signatures.len(), 4);
}

/// What is right by a list of nobody's looked as right as what is by a signed one.
#[test]
fn a_signature_comes_with_the_right_files_that_its_list_names() {
    let folder = tempfile::tempdir().unwrap();
    let lines = |kind, names: &[&str]| {
        names.iter().map(|name| format!("{}  {name}\n", of(kind, b"abc"))).collect::<String>().into_bytes()
    };
    put(folder.path(), &[("a", b"abc"), ("b", b"abc"), ("c", b"abd"), ("d", b"abc")]);
    put(
        folder.path(),
        &[
            ("MD5SUMS", &lines(Kind::Md5, &["a", "b", "c"])),
            ("MD5SUMS.sig", b""),
            // The same sums a second time.
            ("x-CHECKSUM", &lines(Kind::Md5, &["d", "b", "b"])),
            ("x-CHECKSUM.sig", b""),
            ("SHA256SUMS", &lines(Kind::Sha256, &["a"])),
        ],
    );
    let Compared { right, signatures, .. } = compared(folder.path(), &[]);
    let by: Vec<_> = signatures.iter().map(|one| (&*one.name, &*one.right)).collect();
    assert_eq!((right, by), (3, vec![("MD5SUMS.sig", &[0, 1][..]), ("x-CHECKSUM.sig", &[1, 2])]));
}

/// The whole check ended with it, and named the top.
#[test]
fn a_folder_below_that_cannot_be_read_is_told_of_and_the_rest_is_compared() {
    use rustix::fs::{Mode, mkdirat, openat};
    let folder = tempfile::tempdir().unwrap();
    let sum = of(Kind::Sha256, b"abc");
    // A path of more than 4096 octets is read by nobody, not even by root.
    let (step, mut below) = ("d".repeat(250), rustix::fs::open(folder.path(), OFlags::PATH, Mode::empty()).unwrap());
    for _ in 0..17 {
        mkdirat(&below, &*step, Mode::RWXU).unwrap();
        below = openat(&below, &*step, OFlags::PATH, Mode::empty()).unwrap();
    }
    let deep = vec![&*step; 17].join("/");
    let list = format!("{sum}  a\n{sum}  {deep}/b\n{sum}  gone\n");
    put(folder.path(), &[("a", b"abc"), ("SHA256SUMS", list.as_bytes())]);
    let said = said(folder.path(), &[]);
    let (before, after) = ("1 right, 1 missing (gone), 1 not read (ddd", "d/b), 1 list (SHA256SUMS); ddd");
    assert!(said.starts_with(before) && said.contains(after) && said.contains("d cannot be read: "), "{said}");
}

/// Its list looked as if nobody had signed it.
#[test]
fn a_signature_that_is_not_read_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), &[("SHA256SUMS", b""), ("SHA256SUMS.gpg", b"")]);
    let file = fs::OpenOptions::new().write(true).open(folder.path().join("SHA256SUMS.gpg")).unwrap();
    file.set_len(LIST + 1).unwrap();
    let Compared { verified, signatures, .. } = compared(folder.path(), &[]);
    assert!(signatures.is_empty());
    let expected = "; the signature SHA256SUMS.gpg is too long: 4.2 MB are read of one";
    assert!(verified.said.ends_with(expected), "{}", verified.said);
}

/// A short list was too long when those before it had used up the room.
#[test]
fn a_list_for_which_there_is_no_room_left_is_not_called_too_long() {
    let folder = tempfile::tempdir().unwrap();
    let line = |name: &str| format!("{}  {name}\n", of(Kind::Sha256, b"abc")).into_bytes();
    put(folder.path(), &[("a", b"abc"), ("b", b"abc"), ("1-CHECKSUM", &line("a")), ("2-CHECKSUM", &line("b"))]);
    let compared = with_room(100, folder.path(), Vec::new(), &Stop::new()).unwrap().unwrap();
    let said = "1 right, 2 not listed, 1 list (1-CHECKSUM); \
        2-CHECKSUM is not read: 67.1 MB are read of all lists together";
    assert_eq!(compared.verified.said, said);
}

#[test]
fn signatures_that_are_not_looked_at_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..SIGNATURES + 2 {
        put(folder.path(), &[(&format!("{n}-CHECKSUM"), b""), (&format!("{n}-CHECKSUM.asc"), b"signed")]);
    }
    let Compared { verified, signatures, .. } = compared(folder.path(), &[]);
    assert_eq!(signatures.len(), SIGNATURES);
    let more = "2 more signatures of lists are not looked at";
    assert!(verified.said.ends_with(more), "{}", verified.said);
    // So are those for whose lists there is no room: what is looked at is what was compared.
    let folder = tempfile::tempdir().unwrap();
    put(
        folder.path(),
        &[("MD5SUMS", &[b'#'; 200]), ("MD5SUMS.sig", b"signed"), ("SHA1SUMS", b"#"), ("SHA1SUMS.sig", b"")],
    );
    let Compared { verified, signatures, .. } =
        with_room(800, folder.path(), Vec::new(), &Stop::new()).unwrap().unwrap();
    assert!(matches!(&signatures[..], [ListSignature { list: Some((name, _)), .. }] if name == "SHA1SUMS"));
    let more = "1 more signature of a list is not looked at";
    assert!(verified.said.ends_with(more), "{}", verified.said);
}

#[test]
fn nothing_outside_of_a_folder_is_read() {
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(elsewhere.path().join("secret"), "abc").unwrap();
    symlink(elsewhere.path(), folder.path().join("out")).unwrap();
    symlink(elsewhere.path().join("secret"), folder.path().join("link")).unwrap();
    let sum = of(Kind::Sha256, b"abc");
    let out = elsewhere.path().join("secret");
    let up = format!("../{}/secret", elsewhere.path().file_name().unwrap().to_string_lossy());
    let list = format!("{sum}  {}\n{sum}  {up}\n{sum}  out/secret\n{sum}  link\n", out.display());
    fs::write(folder.path().join("SHA256SUMS"), list).unwrap();
    let expected = "0 right, 2 missing (link, out/secret), 2 names that lead out of it, 1 list (SHA256SUMS)";
    assert_eq!(said(folder.path(), &[]), expected);
}
