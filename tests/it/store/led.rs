//! Addresses that led to a copy.

use super::*;
use wayfarer::proto::Redirected;
use wayfarer::store::Led;

impl Copy {
    /// Where an address led.
    fn led(&self, address: &str) -> Option<String> {
        let led = self.runtime.block_on(self.store.led(&url(address))).unwrap();
        let when = self.runtime.block_on(self.store.when(&url(address)));
        assert!(led.as_ref().is_none_or(|led| when == Some(led.time)), "{led:?} {when:?}");
        led.map(|Led { to, .. }| to.as_str().to_owned())
    }
}

/// A page that came by way of an address.
fn by(from: &str, page: Seen) -> Seen {
    let said = "301 Moved Permanently".into();
    Seen { redirected: Some(Arc::new(Redirected { from: url(from), said })), ..page }
}

#[test]
fn an_address_that_led_to_a_page_leads_to_its_copy() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(by("http://h/go#there", text("http://h/e3", "words", NOW)));
    assert_eq!(copy.led("http://H:80/go").as_deref(), Some("http://h/e3"));
    assert_eq!((copy.copy("http://h/go"), copy.led("http://h/e3")), (None, None));
    let led = copy.runtime.block_on(copy.store.led(&url("http://h/go"))).unwrap().unwrap();
    assert_eq!((led.said.as_str(), led.time.as_second()), ("301 Moved Permanently", NOW));
    // Elsewhere the next time: one row for each address.
    copy.keep(by("http://h/go", text("http://o/4", "others", NOW + 1)));
    assert_eq!(copy.led("http://h/go").as_deref(), Some("http://o/4"));
    // A page of its own goes before that, and is no row.
    copy.keep(text("http://h/go", "itself", NOW + 2));
    assert_eq!(copy.led("http://h/go"), None);
    // To itself nothing leads.
    copy.keep(by("http://h/a#b", text("http://h/a", "words", NOW)));
    assert_eq!((copy.led("http://h/a"), copy.said()), (None, Vec::new()));
}

#[test]
fn what_was_put_by_is_here_where_its_address_led_to_a_copy() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, PLENTY);
    copy.keep(by("http://h/go", text("http://h/e3", "words", NOW)));
    copy.put_by("http://h/go", NOW, false);
    assert!(copy.runtime.block_on(copy.store.later()).unwrap()[0].here);
}

#[test]
fn who_forgets_where_it_began_or_where_it_ended_forgets_that_one_led_to_the_other() {
    for (what, copies) in [
        (Forget::Page(url("http://first.example/go")), 0),
        (Forget::Page(url("http://last.example/e3")), 1),
        (Forget::Host("first.example".into()), 0),
        (Forget::Host("last.example".into()), 1),
        (Forget::Since(NOW), 1),
        (Forget::All, 1),
    ] {
        let (_folder, file) = place();
        let copy = Copy::of(&file, PLENTY);
        copy.keep(by("http://first.example/go", text("http://last.example/e3", "words", NOW)));
        assert!(copy.led("http://first.example/go").is_some());
        let (told, answer) = std::sync::mpsc::channel();
        copy.store.forget(&what, move |gone| told.send(gone).unwrap());
        assert_eq!(answer.recv().unwrap().copies, copies, "{what:?}");
        assert_eq!((copy.led("http://first.example/go"), copy.said()), (None, Vec::new()), "{what:?}");
        assert_eq!(copy.copy("http://last.example/e3").is_some(), copies == 0);
        let files = fs::read_dir(file.parent().unwrap()).unwrap();
        let octets: Vec<u8> = files.flat_map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect();
        assert!(!String::from_utf8_lossy(&octets).contains("first.example/go"), "{what:?}: it is still in the file");
    }
}

/// Addresses without end that all lead to one page, each asked for once.
#[test]
fn addresses_that_lead_to_one_page_have_a_share_of_the_room() {
    let (_folder, file) = place();
    let copy = Copy::of(&file, Most { octets: 2 << 20, days: 0 });
    let long = "x".repeat(1000);
    for number in 0..2_000 {
        copy.keep(by(&format!("http://h/go/{number}/{long}"), text("http://h/", "words", NOW + number)));
    }
    assert_eq!(copy.said(), [""; 0]);
    let open = rusqlite::Connection::open(&file).unwrap();
    let rows: i64 = open.query_row("SELECT count(*) FROM led", [], |row| row.get(0)).unwrap();
    assert!((1..600).contains(&rows), "{rows}");
    assert!(copy.led(&format!("http://h/go/1999/{long}")).is_some() && copy.copy("http://h/").is_some());
}
