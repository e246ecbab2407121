//! The reader's own articles on their group's page, and what answers them.

use super::news::{plain_reader, reader};

#[test]
fn own_articles_and_answers_to_them_are_marked() {
    let mut r = reader("g.one: 1\n");
    r.j.app.desk.settings.news.posting.from = "\"Bee, B.\" <B@X>".into();
    let r = r.group("news:g.one").shows("▾ •+Tunnels").shows("•@C").shows("• D").shows("• Lamps");
    // A closed thread says so of what it holds; each article is counted once.
    let r = r.shows("6 articles, 5 unread").keys("j j").on("news:2@x").keys("e").shows("▸ •@3 unread  Tunnels");
    r.keys("Z").shows("6 articles, 5 unread");
    // Who has not said who they are wrote nothing, nor has whoever's address only contains theirs.
    reader("g.one:\n").group("news:g.one").lacks("+Tunnels").lacks("@C");
    for from in ["B", "@x", "b@x.org", "bb@x"] {
        let mut r = plain_reader("g.one:\n");
        r.j.app.desk.settings.news.posting.from = from.into();
        r.group("news:g.one").lacks("+Tunnels").lacks("@3 unread");
    }
}

#[test]
fn an_answer_to_the_reader_stands_before_what_rules_value() {
    let mut r = plain_reader("g.one! 1\n");
    r.j.app.desk.settings.news.posting.from = "b@x".into();
    let r = r.group("news:g.one").keys("s d").shows("•+Tunnels").shows("•@Re: Tunnels");
    r.shows("• Lamps");
}
