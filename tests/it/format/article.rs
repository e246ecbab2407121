//! Articles: where their names lead, which charset their group writes, what programs put around their text.

use super::dump::dump;
use super::{input, parse};
use wayfarer::doc::{Document, FoldKind, LinkId};
use wayfarer::format::charset::{By, Groups, Said};
use wayfarer::format::{Input, media};
use wayfarer::url::{BaseStack, Url};

const HEAD: &str =
    "From: a@x\nNewsgroups: deep.star,a.b\nFollowup-To: c.d\nReferences: <t0@x> <a:b/c@x>\nMessage-ID: <t5@x>\n";

/// Where the links of an article lead that came from a URL.
fn leads(at: &str, article: &str) -> Vec<String> {
    let document = parse(&input(media::MESSAGE, at), article.as_bytes());
    let bases = BaseStack::retrieved(Url::parse(at).unwrap(), None);
    let urls = (0..document.link_count()).filter_map(|link| document.link_url(LinkId(link), &bases));
    let mut urls: Vec<String> = urls.map(|url| url.to_string()).filter(|url| !url.starts_with("mailto:")).collect();
    urls.sort();
    urls.dedup();
    urls
}

#[test]
fn links_in_an_article_from_a_named_server_stay_on_that_server() {
    let article =
        format!("{HEAD}Organization: see <t1@news>\n\n<t0@x> said, message <q@example.org>; <news:e.f> <news:g@h>\n");
    let names = ["a.b", "a:b%2Fc@x", "c.d", "deep.star", "q@example.org", "t0@x", "t5@x"];
    for (at, before) in [
        ("news://127.0.0.1:20200/t5@x", "news://127.0.0.1:20200/"),
        ("snews://h/t5@x", "snews://h/"),
        ("nntp://h:1119/deep.star/5", "news://h:1119/"),
        ("nntps://h/deep.star/5", "snews://h/"),
        ("news:t5@x", "news:"),
        ("http://h/saved.eml", "news:"),
        ("file:///saved.eml", "news:"),
    ] {
        let got = leads(at, &article);
        for name in names {
            assert!(got.contains(&format!("{before}{name}")), "{name} at {at}: {got:?}");
        }
        // What is written as a whole URL means what it says.
        assert!(got.contains(&"news:e.f".into()) && got.contains(&"news:g@h".into()), "{got:?}");
    }
}

/// The prefix is left out where the page's base says it (PART-10), so that the way there can be told.
#[test]
fn names_in_an_article_are_relative_to_its_server() {
    let written = |at: &str, article: &str| {
        let document = parse(&input(media::MESSAGE, at), article.as_bytes());
        (0..document.link_count()).map(|link| document.reference(LinkId(link)).unwrap().to_owned()).collect::<Vec<_>>()
    };
    let got = written("news://h/t5@x", HEAD);
    assert!(
        got.contains(&"t0@x".into()) && got.contains(&"./a:b%2Fc@x".into()) && got.contains(&"deep.star".into()),
        "{got:?}"
    );
    // A heading that gives another base would lead elsewhere.
    let got = written("news://h/t5@x", &format!("Content-Base: http://w/\n{HEAD}"));
    assert!(got.contains(&"news://h/t0@x".into()), "{got:?}");
}

fn customs() -> Groups {
    let rows = [("fido7.*", "koi8-r"), ("pl.*", "iso-8859-2"), ("fj.*", "iso-2022-jp"), ("fido7.utf.*", "auto")];
    rows.map(|(groups, name)| (groups.to_owned(), name.to_owned())).as_slice().into()
}

fn shown(said: Option<Said>, article: &[u8]) -> String {
    let input = Input { groups: customs(), charset: said, ..input(media::MESSAGE, "news:1@x") };
    dump(&parse(&input, article))
}

fn article(group: &str, content: &str, octets: &[u8]) -> Vec<u8> {
    [format!("Newsgroups: {group}\n{content}Subject: ").as_bytes(), octets, b"\n\n", octets, b"\n"].concat()
}

/// Two words are too few to tell a charset by; the group tells.
#[test]
fn an_article_that_says_no_charset_is_read_by_the_custom_of_its_group() {
    let koi8 = b"\xEB\xCF\xD4 \xD0\xC5\xD3";
    let read = |group: &str| shown(None, &article(group, "", koi8)).matches("Кот пес").count();
    assert_eq!(read("fido7.su.books"), 4, "title, heading, header field, body");
    assert_eq!(read("alt.test, fido7.su.books"), 4, "the first that is known");
    let pl = shown(None, &article("pl.misc", "", b"\xB1\xBE za\xBF\xF3\xB3\xE6"));
    assert!(pl.matches("ąž zażółć").count() == 4, "{pl}");
}

#[test]
fn what_an_article_says_itself_counts_more_than_the_custom() {
    let latin = b"Gr\xFC\xDFe aus K\xF6ln";
    let declared = shown(None, &article("fido7.x", "Content-Type: text/plain; charset=iso-8859-1\n", latin));
    assert_eq!(declared.matches("Grüße aus Köln").count(), 4, "{declared}");
    let utf8 = shown(None, &article("fido7.x", "", "Grüße aus Köln".as_bytes()));
    assert_eq!(utf8.matches("Grüße aus Köln").count(), 4, "{utf8}");
    // a program that says ASCII of all
    let ascii = shown(None, &article("fido7.x", "Content-Type: text/plain; charset=us-ascii\n", b"\xEB\xCF\xD4"));
    assert_eq!(ascii.matches("Кот").count(), 4, "{ascii}");
}

#[test]
fn the_settings_word_for_all_texts_counts_less_than_the_custom_and_what_is_said() {
    let default = || Some(Said { name: "cp437".into(), by: By::Default });
    assert_eq!(shown(default(), &article("fido7.x", "", b"\xEB\xCF\xD4")).matches("Кот").count(), 4);
    let declared = article("a.b", "Content-Type: text/plain; charset=iso-8859-1\n", b"K\xF6ln");
    assert_eq!(shown(default(), &declared).matches("Köln").count(), 4);
    assert_eq!(shown(default(), &article("a.b", "", b"caf\x82")).matches("café").count(), 4);
    let chosen = Some(Said { name: "koi8-r".into(), by: By::Chosen });
    assert_eq!(shown(chosen, &article("pl.x", "", b"\xEB\xCF\xD4")).matches("Кот").count(), 4);
}

/// A custom of seven bits does not make rubbish of eight.
#[test]
fn a_custom_of_seven_bits_says_in_which_language_eight_are() {
    let shift_jis = b"\x82\xB1\x82\xF1\x82\xC9\x82\xBF\x82\xCD";
    let fj = shown(None, &article("fj.misc", "", shift_jis));
    assert!(fj.matches("こんにちは").count() == 4, "{fj}");
    let jis = shown(None, &article("fj.misc", "", b"\x1B$B$3$s$K$A$O\x1B(B"));
    assert!(jis.matches("こんにちは").count() == 4, "{jis}");
}

#[test]
fn chinese_in_seven_bits_is_read_in_text_and_subject() {
    let hz = shown(None, &article("a.b", "", b"~{<:Ky2;S{#,NpJ)l6HK!#~}"));
    assert_eq!(hz.matches("己所不欲，勿施於人。").count(), 4, "{hz}");
}

/// What detectors of pages know is known here: undeclared text in many charsets.
#[test]
fn undeclared_text_is_guessed_among_all_charsets() {
    const RUSSIAN: &str =
        "Привет всем! Кто знает, где можно найти хорошую книгу о старых компьютерах? Заранее спасибо.";
    const POLISH: &str = "Zażółć gęślą jaźń. Książka leży na półce, a źdźbło trawy rośnie w ogródku mojej siostry.";
    const GREEK: &str = "Καλημέρα σε όλους! Ποιος ξέρει πού μπορώ να βρω ένα καλό βιβλίο για παλιούς υπολογιστές;";
    const JAPANESE: &str = "こんにちは。古いコンピュータについての良い本を探しています。どなたか教えてください。";
    const KOREAN: &str = "안녕하세요. 오래된 컴퓨터에 관한 좋은 책을 찾고 있습니다. 아시는 분 알려 주세요.";
    const CHINESE: &str = "大家好。我在找一本关于旧计算机的好书。谁能告诉我在哪里可以找到？谢谢大家。";
    const TAIWAN: &str = "大家好。我在找一本關於舊電腦的好書。誰能告訴我在哪裡可以找到？謝謝大家。";
    for (name, text) in [
        ("koi8-r", RUSSIAN),
        ("windows-1251", RUSSIAN),
        ("ibm866", RUSSIAN),
        ("iso-8859-5", RUSSIAN),
        ("iso-8859-2", POLISH),
        ("windows-1250", POLISH),
        ("iso-8859-7", GREEK),
        ("shift_jis", JAPANESE),
        ("euc-jp", JAPANESE),
        ("euc-kr", KOREAN),
        ("gb18030", CHINESE),
        ("big5", TAIWAN),
    ] {
        let octets = wayfarer::format::charset::known(name).unwrap().encode(text).unwrap();
        let got = shown(None, &article("a.b", "", &octets));
        assert!(got.contains(&format!("|{text}|")), "{name} in the text: {got}");
        assert_eq!(got.matches(text).count(), 4, "{name} in the subject");
    }
}

fn folds(document: &Document, kind: FoldKind) -> Vec<String> {
    let of = document.folds.iter().filter(|fold| fold.kind == kind);
    of.map(|fold| document.link_text(fold.head).to_owned()).collect()
}

fn read(article: &str) -> Document {
    parse(&input(media::MESSAGE, "news:1@x"), article.as_bytes())
}

#[test]
fn armour_is_folded_and_dashes_are_undone() {
    let signed = "Subject: s\n\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\nHello.\n- --- a rule ---\nBye.\n\
        -----BEGIN PGP SIGNATURE-----\nVersion: 2\n\nabc=\n-----END PGP SIGNATURE-----\n- one\n";
    let document = read(signed);
    assert_eq!(
        folds(&document, FoldKind::Details),
        ["┄ signed with OpenPGP, not verified", "┄ an OpenPGP signature, not verified"]
    );
    let text = dump(&document);
    assert!(text.contains("|--- a rule ---|"), "{text}");
    assert!(text.contains("|- one|"), "what is not signed is as it is");
    assert!(document.folds.iter().filter(|fold| fold.kind == FoldKind::Details).all(|fold| !fold.open));
}

/// A beginning alone could hide the rest of an article.
#[test]
fn armour_that_does_not_end_hides_nothing() {
    for begin in ["-----BEGIN PGP SIGNATURE-----", "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP MESSAGE-----"]
    {
        let document = read(&format!("Subject: s\n\n{begin}\nHello\nworld.\n"));
        assert_eq!(folds(&document, FoldKind::Details), Vec::<String>::new(), "{begin}");
        assert!(document.text().contains(begin) && document.text().contains("world."));
    }
}

#[test]
fn a_digest_is_split_into_its_messages() {
    let rule = |columns| "-".repeat(columns);
    let digest = format!(
        "Subject: X Digest 1\n\nToday's Topics:\n\n{}\n\nDate: Thu, 1 Jan 1998 00:00:00 GMT\nFrom: A <a@x>\nSubject: First\n\n\
         One.\n-- \nA\n\n{}\n\nFrom: B <b@x>\nSubject: Second,\n folded\n\nTwo.\n\n{}\n\nEnd of X Digest\n***************\n",
        rule(70),
        rule(30),
        rule(30)
    );
    let got = dump(&read(&digest));
    for wanted in [
        "Heading(2) page.heading.2 None 0|First|",
        "|Second, folded|",
        "anchor message-1 ",
        "anchor message-2 ",
        "One.",
        "End of X Digest",
    ] {
        assert!(got.contains(wanted), "{wanted}: {got}");
    }
    assert!(!got.contains("anchor message-3"), "{got}");
    // Lines of dashes elsewhere are lines of dashes.
    let other = dump(&read(&format!("Subject: s\n\n{}\nnot a head\n{}\n\nFrom: me\n\nText\n", rule(70), rule(30))));
    assert!(!other.contains("anchor message-") && other.contains(&rule(70)) && other.contains(&rule(30)), "{other}");
}
