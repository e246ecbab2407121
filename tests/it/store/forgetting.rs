//! What is forgotten is nowhere.

use super::*;

#[test]
fn what_is_forgotten_is_nowhere_in_the_file() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    let menu = "0Secretitem\t/l\tgone.example\t70\r\n.\r\n";
    copy.keep(seen("gopher://stays.example/1", media::MENU, menu, NOW));
    copy.keep(text("http://gone.example/a", "words of Secretpage", NOW));
    copy.keep(text("http://stays.example/b", "words", NOW + 100));
    copy.put_by("http://gone.example/c", NOW, false);
    let (told, answer) = std::sync::mpsc::channel();
    copy.store.forget(&Forget::Host("gone.example".into()), move |gone| told.send(gone).unwrap());
    assert_eq!(copy.said(), [""; 0]);
    assert_eq!(answer.recv().unwrap(), Forgotten { copies: 1, later: 1, found: 0 });
    assert_eq!((copy.copy("http://gone.example/a"), copy.later().len()), (None, 0));
    assert_eq!((copy.find("secretpage").0.len(), copy.find("secretitem").1.len()), (0, 0));
    assert!(copy.copy("http://stays.example/b").is_some());
    let octets: Vec<u8> =
        fs::read_dir(file.parent().unwrap()).unwrap().flat_map(|e| fs::read(e.unwrap().path()).unwrap()).collect();
    let text = String::from_utf8_lossy(&octets).to_lowercase();
    assert!(!text.contains("gone.example/a") && !text.contains("secretpage"), "it is still in the file");
    copy.store.forget(&Forget::Since(NOW + 50), drop);
    assert!(copy.copy("http://stays.example/b").is_none() && copy.copy("gopher://stays.example/1").is_some());
    copy.store.forget(&Forget::All, drop);
    assert!(copy.copy("gopher://stays.example/1").is_none());
}

#[test]
fn forgetting_reaches_what_was_put_aside_and_what_is_kept_no_more() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("gopher://h/0/a", "words", NOW)).said();
    fs::write(file.with_extension("bad"), "words").unwrap();
    drop(copy);
    let none = Copy::of(&file, Most { octets: 0, ..PLENTY });
    none.keep(text("gopher://h/0/b", "others", NOW));
    assert_eq!((none.copy("gopher://h/0/a").is_some(), none.copy("gopher://h/0/b")), (true, None));
    none.store.forget(&Forget::All, drop);
    assert_eq!((none.copy("gopher://h/0/a"), none.said()), (None, Vec::new()));
    assert!(!file.with_extension("bad").exists());
}

/// Who left half a second after `:forget all` had all of it yet, and was not told.
#[test]
fn what_is_to_be_forgotten_is_owed_to_the_reader_until_it_is() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/a", "one\n", NOW));
    assert_eq!(copy.store.owed_to_reader(Duration::ZERO), [""; 0]);
    let (go_on, wait) = std::sync::mpsc::channel::<()>();
    copy.store.keep(text("http://h/a", "two\none\n", NOW), move |_| wait.recv().unwrap());
    copy.store.forget(&Forget::All, drop);
    assert_eq!(copy.store.owed_to_reader(Duration::ZERO), ["kept pages are still being forgotten"]);
    go_on.send(()).unwrap();
    assert_eq!(copy.store.owed_to_reader(PATIENCE), [""; 0]);
    assert!(!String::from_utf8_lossy(&fs::read(&file).unwrap()).contains("http://h/a"));
    assert_eq!((copy.copy("http://h/a"), copy.said()), (None, Vec::new()));
}

#[test]
fn what_could_not_be_forgotten_is_tried_again_when_the_reader_leaves() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/a", "words", NOW)).said();
    let aside = file.with_extension("bad");
    fs::create_dir_all(aside.join("in the way")).unwrap();
    copy.store.forget(&Forget::All, drop);
    let owed = copy.store.owed_to_reader(PATIENCE);
    assert!(owed.len() == 1 && owed[0].starts_with("not all is forgotten: "), "{owed:?}");
    fs::remove_dir_all(aside).unwrap();
    assert_eq!(copy.store.owed_to_reader(PATIENCE), [""; 0]);
}

#[test]
fn what_could_not_be_forgotten_is_tried_once_more_at_every_end() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(text("http://h/a", "words", NOW)).said();
    let aside = file.with_extension("bad");
    fs::create_dir_all(aside.join("in the way")).unwrap();
    copy.store.forget(&Forget::All, drop);
    let said = copy.said();
    assert!(said.len() == 1 && said[0].starts_with("not all is forgotten: "), "{said:?}");
    fs::remove_dir_all(&aside).unwrap();
    fs::write(&aside, "words").unwrap();
    assert_eq!(copy.said()[1..], ["what could not be forgotten is forgotten now"]);
    assert!(!aside.exists());
    assert_eq!(copy.store.owed_to_reader(Duration::ZERO), [""; 0]);
}
