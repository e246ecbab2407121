//! Files of sums: which they are, and what they say of a file.

use wayfarer::sums::{Beside, Kind, Named, Reckoning, Sum, Tree, beside, of, said_of, signature_of};

const MD5: &str = "900150983cd24fb0d6963f7d28e17f72";
const SHA1: &str = "a9993e364706816aba3e25717850c26c9cd0d89d";
const SHA256: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const OTHER: &str = "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed";

fn sum(digits: &str) -> Vec<Sum> {
    vec![Sum::of(digits.as_bytes()).unwrap()]
}

fn says(name: &str, text: &str) -> Vec<Sum> {
    said_of(name.as_bytes(), text.as_bytes(), false)
}

fn own(name: &str, text: &str) -> Vec<Sum> {
    said_of(name.as_bytes(), text.as_bytes(), true)
}

#[test]
fn each_form_of_an_entry_is_read() {
    let sha512 = of(Kind::Sha512, b"abc");
    for (name, text) in [
        ("a.iso", format!("{OTHER}  b.iso\n{SHA256}  a.iso\n")),
        ("a.iso", format!("{SHA256} *a.iso\r\n{OTHER} *b.iso\r\n")),
        ("a.iso", format!("\u{feff}{}  ./a.iso", SHA256.to_uppercase())),
        ("a.iso", format!("{SHA256} a.iso\n")),
        ("a.iso", format!("{SHA256}    a.iso  \n")),
        (" a", format!("{SHA256}   a\n{OTHER}  a\n")),
        ("a b (1).iso", format!("SHA256 (a b (1).iso) = {SHA256}\nSHA256 (a) = {OTHER}\n")),
        ("a.iso", format!("SHA2-256(a.iso)= {SHA256}\nMD5(b.iso)= {MD5}\n")),
        ("a\\b\nc", format!("\\{SHA256}  a\\\\b\\nc\n{OTHER}  a\\\\b\\nc\n")),
        ("a\\b", format!("\\SHA256 (a\\\\b) = {SHA256}\n")),
        ("a\\b", format!("\\{SHA256}  ./a\\\\b\n")),
        ("a.iso", format!("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n# a.iso: 5 octets\n{SHA256}  a.iso\n")),
        ("a.iso", format!("a.iso: {} {}\n       {}\nb.iso: {OTHER}\n", &SHA256[..8], &SHA256[8..32], &SHA256[32..])),
        ("a.iso", format!("a.iso: {}\n       {}", &SHA256[..32], &SHA256[32..])),
    ] {
        assert_eq!(says(name, &text), sum(SHA256), "{text:?}");
    }
    for (digits, text) in
        [(MD5, format!("{MD5}  a")), (SHA1, format!("SHA1 (a) = {SHA1}")), (&sha512, format!("{sha512}  a"))]
    {
        assert_eq!(says("a", &text), sum(digits));
    }
    // all of several
    let several = format!("MD5 (a) = {MD5}\nSHA256 (a) = {SHA256}\nSHA1 (a) = {SHA1}\n");
    assert_eq!(says("a", &several), [sum(MD5), sum(SHA256), sum(SHA1)].concat());
}

#[test]
fn a_sum_alone_counts_where_the_file_is_about_no_other() {
    for text in [SHA256.to_owned(), format!("{SHA256}\n"), format!("{SHA256}  -\n"), format!("{SHA256}  build/out/a\n")]
    {
        assert_eq!(own("a", &text), sum(SHA256), "{text:?}");
        assert_eq!(says("a", &text), [], "{text:?}");
    }
    assert_eq!(own("a", &format!("{SHA256}\n{OTHER}\n")), [], "whose are they?");
    assert_eq!(own("a", &format!("{OTHER}\n{SHA256}  a\n")), sum(SHA256), "one of them has its name");
}

#[test]
fn no_entry_of_another_file_is_taken() {
    for text in [
        format!("{SHA256}  ../a.iso\n"),
        format!("{SHA256}  /etc/a.iso\n"),
        format!("{SHA256}  old/a.iso\n"),
        format!("{SHA256}  A.ISO\n"),
        format!("{SHA256}  a.iso.zsync\n"),
        format!("{SHA256}  a.is\n"),
        format!("SHA256 (a.iso.asc) = {SHA256}\n"),
        format!("SHA256 (a.iso) {SHA256}\n"),
        format!("SHA512 (a.iso) = {SHA256}\n"),
        format!("BLAKE2b (a.iso) = {SHA256}\n"),
        format!("{SHA256}a.iso\n"),
        format!("{}  a.iso\n", &SHA256[1..]),
        "a.iso: is fine\n".into(),
        "<html><a href=a.iso>a.iso</a></html>".into(),
        String::new(),
    ] {
        assert_eq!(says("a.iso", &text), [], "{text:?}");
    }
    assert_eq!(says("a.iso", &format!("{SHA256}  a.iso\n{OTHER}  a.iso\n")), [sum(SHA256), sum(OTHER)].concat());
    assert_eq!(says("a.iso", &format!("{SHA256}  a.iso\n{SHA256} *a.iso\n")), sum(SHA256));
}

#[test]
fn a_hostile_file_of_sums_costs_its_length_and_no_more() {
    let long = [b"SHA256 (".to_vec(), vec![b'('; 4 << 20], b"\n".to_vec()].concat();
    let controls = format!("\u{1b}[2J\0{SHA256}  a\n\0\u{7}\n{SHA256}\u{0}a\n").into_bytes();
    let many: Vec<u8> = (0..50_000).flat_map(|n| format!("{n:064x}  a\n").into_bytes()).collect();
    let wrapped = [b"a: ".to_vec(), b"ab \n ab".repeat(100_000)].concat();
    let pieces = b"a:\n a:\n".repeat(100_000);
    for (text, expected) in [(&long, 0), (&controls, 0), (&many, 2), (&wrapped, 0), (&pieces, 0)] {
        assert_eq!(said_of(b"a", text, true).len(), expected);
    }
    assert_eq!(said_of(b"a", &[&long[..], format!("{SHA256}  a").as_bytes()].concat(), false), sum(SHA256));
}

#[test]
fn files_of_sums_are_known_by_their_names() {
    let is = |name: &str| beside(name.as_bytes(), b"a.tar.gz");
    let list = |kind| Some(Beside::Sums(kind, false));
    let own = |kind| Some(Beside::Sums(Some(kind), true));
    for (name, expected) in [
        ("SHA256SUMS", list(Some(Kind::Sha256))),
        ("sha512sum.txt", list(Some(Kind::Sha512))),
        ("sha256sums.asc", Some(Beside::OfSums)),
        ("CHECKSUM.SHA512-FreeBSD-14.3.asc", Some(Beside::OfSums)),
        ("x-CHECKSUM.asc", Some(Beside::OfSums)),
        ("MD5SUMS", list(Some(Kind::Md5))),
        ("SHA1SUMS", list(Some(Kind::Sha1))),
        ("CHECKSUM", list(None)),
        ("checksums.txt", list(None)),
        ("Fedora-Server-43-1.6-x86_64-CHECKSUM", list(None)),
        ("CHECKSUM.SHA512-FreeBSD-14.3-RELEASE-amd64", list(Some(Kind::Sha512))),
        ("SHA256", list(Some(Kind::Sha256))),
        ("a.tar.gz.sha256", own(Kind::Sha256)),
        ("a.tar.gz.SHA512", own(Kind::Sha512)),
        ("a.tar.gz.md5", own(Kind::Md5)),
        ("a.tar.gz.sha1", own(Kind::Sha1)),
        ("a.tar.gz.asc", Some(Beside::Signature)),
        ("a.tar.gz.sig", Some(Beside::Signature)),
        ("a.tar.gz.sign", Some(Beside::Signature)),
        ("SHA256SUMS.sign", Some(Beside::OfSums)),
        ("sha512sums.txt.ASC", Some(Beside::OfSums)),
        ("Fedora-Server-43-x86_64-CHECKSUM.gpg", Some(Beside::OfSums)),
        ("notes.asc", None),
        ("b.tar.gz.sha256", None),
        ("a.tar.gz", None),
        ("a.tar.gz.sha256.bak", None),
        ("SHA256SUMS.old", None),
        ("README", None),
        ("", None),
    ] {
        assert_eq!(is(name), expected, "{name}");
    }
    assert_eq!(beside(b".sha256", b""), None);
}

#[test]
fn the_sums_are_those_of_the_standards_whatever_the_pieces() {
    let octets: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
    for kind in Kind::all() {
        let whole = of(kind, &octets);
        for length in [1, 63, 64, 65, 4096] {
            let mut reckoning = Reckoning::new(kind);
            octets.chunks(length).for_each(|piece| reckoning.take(piece));
            assert_eq!(reckoning.digits(), whole, "{kind:?} in pieces of {length}");
        }
    }
    assert_eq!([Kind::Md5, Kind::Sha1, Kind::Sha256].map(|kind| of(kind, b"abc")), [MD5, SHA1, SHA256]);
}

/// A folder of files that all hold "abc", and lists in it.
fn tree(files: &[&str], lists: &[(&str, String)]) -> (Option<bool>, String) {
    let paths = files.iter().copied().chain(lists.iter().map(|(path, _)| *path));
    let mut tree = Tree::new(paths.map(|path| path.as_bytes().to_vec()), Vec::new(), Vec::new());
    for path in tree.lists() {
        let text = lists.iter().find(|(list, _)| list.as_bytes() == path).map(|(_, text)| text.as_str());
        tree.list(&path, text.unwrap_or_default().as_bytes());
    }
    for (path, kinds) in tree.wanted() {
        let sums: Vec<Sum> = kinds.iter().filter_map(|kind| Sum::of(of(*kind, b"abc").as_bytes())).collect();
        tree.reckoned(&path, &sums);
    }
    tree.verdict()
}

#[test]
fn all_of_a_folder_is_compared_with_the_lists_in_it() {
    let list = format!("{SHA256}  ./a\n{SHA256} *sub/b c\n{OTHER}  sub/d\n{SHA256}  gone\n");
    let files = ["a", "sub/b c", "sub/d", "sub/e", "sub/e.asc", "SHA256SUMS.gpg"];
    let (agrees, said) = tree(&files, &[("SHA256SUMS", list.clone())]);
    let expected = "1 wrong (sub/d), 2 right, 1 missing (gone), 1 not listed, 1 list (SHA256SUMS); \
        1 signature of a file is not looked at (sub/e.asc): save that file alone, and :verify it";
    assert_eq!((agrees, said.as_str()), (Some(false), expected));
    // Those of a folder below are about that; what all of them say counts, and a file's own beside it.
    let lists = [
        ("MD5SUMS", format!("{MD5}  a\n")),
        ("sub/SHA256SUMS", format!("\\{SHA256}  x\\\\y\n")),
        ("sub/e.sha256", format!("{SHA256}  /build/out/e\n")),
        ("sub/all.sha1", format!("{SHA1}  f\n")),
    ];
    let (agrees, said) = tree(&["a", "sub/x\\y", "sub/e", "sub/f"], &lists);
    let lists = "4 lists (MD5SUMS, sub/SHA256SUMS, sub/all.sha1, sub/e.sha256)";
    let weak = "(MD5 is weak: forged files can agree)";
    assert_eq!((agrees, said), (Some(true), format!("4 right {weak}, {lists}")));
    let both = [("MD5SUMS", format!("{MD5}  a\n")), ("SHA256SUMS", format!("{OTHER}  a\n"))];
    assert_eq!(tree(&["a"], &both).0, Some(false));
    let both = [("MD5SUMS", format!("{MD5}x  a\n{}  a\n", &OTHER[..32])), ("SHA256SUMS", format!("{SHA256}  a\n"))];
    assert!(tree(&["a"], &both).1.starts_with("1 wrong (a by MD5SUMS), 0 right"));
    let two = format!("{SHA256}  a\n{OTHER}  a\n");
    assert!(tree(&["a"], &[("SHA256SUMS", two)]).1.starts_with("1 wrong (a), 0 right"));
    assert!(tree(&["a"], &[]).1.starts_with("there is no file of checksums in it"));
    assert_eq!(tree(&["a"], &[("SHA256SUMS", String::new())]).0, None);
}

/// The endings of signatures were known in one way beside a file, in another in a directory.
#[test]
fn a_signature_in_a_folder_is_known_as_beside_a_file() {
    let of = |names: &[&str], list: &str| {
        let tree = Tree::new(names.iter().map(|name| name.as_bytes().to_vec()), Vec::new(), Vec::new());
        tree.signatures(list.as_bytes()).into_iter().map(|path| String::from_utf8(path).unwrap()).collect::<Vec<_>>()
    };
    for name in ["SHA256SUMS.ASC", "SHA256SUMS.asc", "SHA256SUMS.Sig", "SHA256SUMS.sign", "SHA256SUMS.gpg"] {
        assert_eq!(signature_of(name.as_bytes()), Some(&b"SHA256SUMS"[..]));
        assert_eq!(of(&["SHA256SUMS", name], "SHA256SUMS"), [name]);
    }
    for name in ["SHA256SUMS.asc.old", "sha256sums.asc", "x/SHA256SUMS.asc", ".asc", "asc", "SHA256SUMS"] {
        assert_eq!(of(&["SHA256SUMS", name], "SHA256SUMS"), [""; 0], "{name}");
    }
    assert_eq!([".asc", "asc", ""].map(|name| signature_of(name.as_bytes())), [None; 3]);
    assert_eq!(of(&["low/a.sha1", "low/a.sha1.ASC"], "low/a.sha1"), ["low/a.sha1.ASC"]);
    // Several: all, in the order of the endings.
    assert_eq!(of(&["MD5SUMS", "MD5SUMS.gpg", "MD5SUMS.sig"], "MD5SUMS"), ["MD5SUMS.sig", "MD5SUMS.gpg"]);
}

/// A list that is signed in clear, without another of its name, was read beside a file and not in a directory.
#[test]
fn what_signs_a_list_that_is_not_there_may_be_the_list() {
    let lists = |names: &[&str]| {
        let tree = Tree::new(names.iter().map(|name| name.as_bytes().to_vec()), Vec::new(), Vec::new());
        tree.lists().into_iter().map(|path| String::from_utf8(path).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(lists(&["a", "SHA256SUMS.asc", "low/x-CHECKSUM.ASC"]), ["SHA256SUMS.asc", "low/x-CHECKSUM.ASC"]);
    assert_eq!(lists(&["SHA256SUMS", "SHA256SUMS.asc", "MD5SUMS.gpg", "a.asc"]), ["SHA256SUMS"]);
}

/// A file in a folder that could not be read was missing.
#[test]
fn what_is_in_a_folder_that_cannot_be_read_is_not_read_and_not_missing() {
    let list = format!("{SHA256}  a\n{SHA256}  sub/b\n{SHA256}  sub/low/c\n{SHA256}  sub-2/d\n{SHA256}  gone\n");
    let unread = [("sub", "no"), ("sub/low", "never")].map(|(path, why)| (path.as_bytes().to_vec(), why.to_owned()));
    let mut tree = Tree::new(["a", "SHA256SUMS"].map(|path| path.as_bytes().to_vec()), unread, Vec::new());
    tree.list(b"SHA256SUMS", list.as_bytes());
    tree.reckoned(b"a", &sum(SHA256));
    let expected = "1 right, 2 missing (gone, sub-2/d), 2 not read (sub/b, sub/low/c), 1 list (SHA256SUMS); \
        sub cannot be read: no; sub/low cannot be read: never";
    assert_eq!(tree.verdict(), (Some(true), expected.into()));
    // However many there are.
    let unread = (0..9).map(|n| (n.to_string().into_bytes(), "no".to_owned()));
    let (agrees, said) = Tree::new([], unread, Vec::new()).verdict();
    assert!(agrees.is_none() && said.ends_with("4 cannot be read: no; and 4 more"), "{said}");
}

/// Whatever is no name was said to lead out of the folder.
#[test]
fn no_name_in_a_list_leads_out_of_its_folder() {
    let told = |name: &str, what: &str| {
        let list = format!("SHA256 ({name}) = {SHA256}\n");
        let (agrees, said) = tree(&["a", "low/b", "sub/a"], &[("low/SHA256SUMS", list)]);
        assert_eq!(agrees, None, "{name}: {said}");
        assert!(said.starts_with(&format!("0 right, 3 not listed, 1 name that {what}, 1 list")), "{name}: {said}");
    };
    for name in ["../a", "/a", "sub/../../a", "..", "./../a", "/etc/x\x1b"] {
        told(name, "leads out of it");
    }
    for name in ["b\x1b[2J", "sub//a", "", "b/", "x/./y", "\x07"] {
        told(name, "no file here can have");
    }
    // One that has such a name, or had it where it came from, is found.
    let list = format!("\\{SHA256}  n\\nl\n").into_bytes();
    for (name, names) in [
        ("n\nl", Vec::new()),
        ("n l", vec![Named { folder: Vec::new(), own: b"n\nl".to_vec(), name: b"n l".to_vec() }]),
    ] {
        let files = [name, "SHA256SUMS"].map(|path| path.as_bytes().to_vec());
        let mut tree = Tree::new(files, Vec::new(), names);
        tree.list(b"SHA256SUMS", &list);
        tree.reckoned(name.as_bytes(), &sum(SHA256));
        assert_eq!(tree.verdict(), (Some(true), "1 right, 1 list (SHA256SUMS)".into()));
    }
}

/// What was only called a list or a signature was never told of.
#[test]
fn what_is_no_list_and_signs_nothing_is_not_listed() {
    let files = ["run.gpg", "install.sign", "ok.bin", "SHA512SUMS.gpg"];
    let lists = [("checksums", "evil".into()), ("SHA256SUMS", format!("{SHA256}  ok.bin\n"))];
    let expected = "1 right, 4 not listed, 1 list (SHA256SUMS), 1 without checksums (checksums)";
    assert_eq!(tree(&files, &lists), (Some(true), expected.into()));
    let (agrees, said) = tree(&["a"], &lists[..1]);
    assert!(agrees.is_none() && said.ends_with("NAME.sha256; 1 without checksums (checksums)"), "{said}");
}

/// The signature of a file, which may be bad, was passed over without a word.
#[test]
fn signatures_of_files_in_a_folder_are_told_of() {
    let list = [("SHA256SUMS", format!("{SHA256}  tool.bin\n"))];
    let (_, said) = tree(&["tool.bin", "tool.bin.asc", "SHA256SUMS.asc"], &list);
    let expected = "1 right, 1 list (SHA256SUMS); 1 signature of a file is not looked at (tool.bin.asc): \
        save that file alone, and :verify it";
    assert_eq!(said, expected);
    let (_, said) = tree(&["a", "a.asc", "a.sig", "b", "low/b.sig"], &[]);
    assert!(said.contains("; 2 signatures of files are not looked at (a.asc, a.sig): save such a file"), "{said}");
}

#[test]
fn the_words_on_a_folder_are_few_however_much_is_wrong_and_however_long_its_names() {
    let deep = "d".repeat(200) + "/" + &"e".repeat(200) + "/";
    let names: Vec<String> = (0..1000).map(|at| format!("{deep}f{at}")).collect();
    let text: String = names.iter().map(|name| format!("{}  {name}\n", &OTHER[..32])).collect();
    let lists: Vec<(String, String)> = (0..10).map(|at| (format!("{at}-CHECKSUM"), text.clone())).collect();
    let files: Vec<&str> = names.iter().map(|name| &**name).collect();
    let lists: Vec<(&str, String)> = lists.iter().map(|(name, text)| (&**name, text.clone())).collect();
    let (agrees, said) = tree(&files, &lists);
    assert_eq!(agrees, Some(false));
    assert!(
        said.starts_with("1000 wrong (ddd") && said.contains("…eeee") && said.contains("/f0 by 0-CHECKSUM"),
        "{said}"
    );
    assert!(said.contains(" and 995 more)") && said.len() < 4000, "{} {said}", said.len());
}
