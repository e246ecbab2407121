//! Texts that say nothing of their charset, in many scripts, as text, page, menu and listing: what the reader sees.

use super::{input, parse};
use std::fmt::Write;
use wayfarer::format::charset::known;
use wayfarer::format::media;

/// A charset and a text of a few sentences in it.
const TEXTS: &[(&str, &str)] = &[
    ("koi8-r", "Гипертекст связывает документы между собой. Читатель переходит по ссылкам от страницы к странице."),
    (
        "windows-1251",
        "Гипертекст связывает документы между собой. Читатель переходит по ссылкам от страницы к странице.",
    ),
    ("ibm866", "Гипертекст связывает документы между собой. Читатель переходит по ссылкам от страницы к странице."),
    ("iso-8859-5", "Гипертекст связывает документы между собой. Читатель переходит по ссылкам от страницы к странице."),
    (
        "koi8-u",
        "Гіпертекст пов'язує документи між собою. Читач переходить за посиланнями від сторінки до сторінки їхньої.",
    ),
    (
        "windows-1251",
        "Гіпертекст пов'язує документи між собою. Читач переходить за посиланнями від сторінки до сторінки.",
    ),
    (
        "windows-1251",
        "Хипертекстът свързва документи помежду им. Читателят преминава по връзките от страница на страница.",
    ),
    (
        "iso-8859-7",
        "Το υπερκείμενο συνδέει έγγραφα μεταξύ τους. Ο αναγνώστης ακολουθεί τους συνδέσμους από σελίδα σε σελίδα.",
    ),
    (
        "windows-1254",
        "Köprü metni belgeleri birbirine bağlar. Okuyucu bağlantıları izleyerek sayfadan sayfaya geçer, şöyle ya da böyle.",
    ),
    (
        "iso-8859-2",
        "Hipertekst łączy ze sobą dokumenty. Czytelnik przechodzi po odnośnikach ze strony na stronę, gdzie chce.",
    ),
    (
        "windows-1250",
        "Hypertext spojuje dokumenty mezi sebou. Čtenář přechází po odkazech ze stránky na stránku, šťastně a rychle.",
    ),
    (
        "iso-8859-2",
        "A hiperszöveg összefűz. Az olvasó időről időre előre lép egyik kötőről a másikra, kedve szerint, hűen.",
    ),
    ("windows-1255", "היפרטקסט מקשר בין מסמכים. הקורא עובר בעזרת קישורים מדף אל דף ומאתר אל אתר."),
    ("windows-1256", "يربط النص التشعبي الوثائق بعضها ببعض. ينتقل القارئ عبر الروابط من صفحة إلى أخرى."),
    ("windows-874", "ไฮเปอร์เท็กซ์เชื่อมโยงเอกสารเข้าด้วยกัน ผู้อ่านไปตามลิงก์จากหน้าหนึ่งไปยังอีกหน้าหนึ่ง"),
    ("shift_jis", "ハイパーテキストは文書を互いに結びつけます。読者はリンクをたどって次のページへ進みます。"),
    ("euc-jp", "ハイパーテキストは文書を互いに結びつけます。読者はリンクをたどって次のページへ進みます。"),
    ("iso-2022-jp", "ハイパーテキストは文書を互いに結びつけます。読者はリンクをたどって次のページへ進みます。"),
    ("euc-kr", "하이퍼텍스트는 문서를 서로 연결합니다. 독자는 링크를 따라 다음 페이지로 이동합니다."),
    ("gb18030", "超文本把文档互相连接起来。读者沿着链接从一个页面走到另一个页面。"),
    ("big5", "超文本把文件互相連接起來。讀者沿著連結從一個頁面走到另一個頁面。"),
    ("windows-1258", "Siêu văn ba\u{309}n liên kê\u{301}t ca\u{301}c ta\u{300}i liê\u{323}u vơ\u{301}i nhau."),
    (
        "windows-1257",
        "Hipertekstas sieja dokumentus tarpusavyje. Skaitytojas eina nuorodomis iš puslapio į puslapį, žvelgdamas ąžuolan.",
    ),
    (
        "windows-1252",
        "Der Hypertext verknüpft Schriftstücke. Wer liest, geht über Verweise von Seite zu Seite, größtenteils mühelos.",
    ),
    ("cp437", "╔══════════╗ ║ Gopher ║ ╚══════════╝ ░▒▓ ├── größe └── ende"),
];

/// What the parser of a media type makes of octets: the text of its blocks.
fn read(media: &str, url: &str, octets: &[u8]) -> (String, String) {
    let document = parse(&input(media, url), octets);
    let blocks = (0..document.blocks().len()).map(|block| document.block_text(u32::try_from(block).unwrap()));
    let text = blocks.collect::<Vec<_>>().join("\n");
    let read = document.charset.expect("a charset that it was read by");
    (text, format!("{} ({})", read.name, read.why))
}

/// Which of them are read right, as text, page, menu and listing.
#[test]
fn texts_that_say_nothing_are_read_by_what_they_look_like() {
    let mut table = String::new();
    for (charset, text) in TEXTS {
        let Some(octets) = known(charset).unwrap().encode(text) else {
            writeln!(table, "{charset}: {text}: not of this charset").unwrap();
            continue;
        };
        let around = |before: &str, after: &str| [before.as_bytes(), &octets, after.as_bytes()].concat();
        let name = text.split(['.', '。']).next().unwrap();
        let entry = known(charset).unwrap().encode(name).unwrap();
        let listed = [b"-rw-r--r-- 1 ftp ftp 1 Jan 1 2001 ", &entry[..], b"\r\n"].concat();
        let forms = [
            ("text", read(media::PLAIN, "gopher://h/0x", &around("", "\n"))),
            ("page", read(media::HTML, "http://h/", &around("<title>x</title>\n<p>", "</p>\n<a href=y>y</a>\n"))),
            ("menu", read(media::MENU, "gopher://h/", &around("1", "\t/x\th\t70\r\n.\r\n"))),
            ("listing", read(media::DIRECTORY, "ftp://h/", &listed)),
        ];
        let first: String = text.chars().take(30).collect();
        writeln!(table, "{charset}: {first}").unwrap();
        for (form, (seen, by)) in forms {
            let whole = if form == "listing" { name } else { text };
            let right = if seen.contains(whole) { "right" } else { "WRONG" };
            writeln!(table, "    {form:8} {right} {by}").unwrap();
        }
    }
    insta::assert_snapshot!(table);
}

/// Of what Russian servers hold, most is in KOI8-R: not even one word of it is a drawing.
#[test]
fn a_few_words_are_enough_for_russian() {
    let words =
        ["Привет", "файлы", "Новости", "Добро пожаловать", "ЧТО НОВОГО", "щука ждёт шум", "да", "мама мыла раму"];
    for word in words {
        let octets = known("koi8-r").unwrap().encode(word).unwrap();
        let (_, by) = read(media::PLAIN, "gopher://h/0x", &octets);
        assert!(!by.starts_with("cp437"), "{word}: {by}");
        let (seen, by) = read(media::PLAIN, "gopher://h.ru/0x", &octets);
        assert!(word == "да" || seen == word, "{word}: {seen}: {by}");
    }
}

/// A few words of Hungarian and of German from a PC are enough; who shares their letters is not taken for them.
#[test]
fn a_few_words_are_enough_for_hungarian_and_german_of_pcs() {
    for (charset, expected, text) in [
        ("iso-8859-2", "iso-8859-2", "Árvíztűrő tükörfúrógép"),
        ("iso-8859-2", "iso-8859-2", "A hírek és az időjárás: eső, köd, hűvös szél"),
        ("iso-8859-2", "iso-8859-2", "Az első és a második könyv szerzője, s a többi mű: kérdés, felelet, jó szó"),
        ("windows-1250", "windows-1250", "Azt mondta: „Jó időt, és szép tűzijátékot kívánok önnek!”"),
        ("cp437", "cp437", "Grüße aus Köln: für größere Wünsche hätten wir später Zeit."),
        ("cp437", "cp437", "Übung macht den Müller"),
        ("windows-1252", "windows-1252", "Er sagte: „Grüße an alle“, und „später mehr“. Schöne Bücher für Köln."),
        ("windows-1252", "windows-1252", "As ações e as lições são úteis; à noite há pão e maçãs. Opções: três."),
        ("windows-1252", "windows-1252", "Où est la flûte ? Le goût d'août est là, ça coûte très cher, sûrement."),
        ("windows-1252", "windows-1252", "Täna õhtul on õues külm; töö ja õppimine, kõik on hästi, öö on pime."),
        ("windows-1252", "windows-1252", "“Smart” quotes – and dashes… don’t matter"),
    ] {
        let octets = known(charset).unwrap().encode(text).unwrap();
        for (media, url) in [(media::PLAIN, "gopher://h/0x"), (media::HTML, "http://h/x")] {
            let (seen, by) = read(media, url, &octets);
            assert_eq!((seen.as_str(), by.as_str()), (text, format!("{expected} (guessed)").as_str()), "{charset}");
        }
    }
}
