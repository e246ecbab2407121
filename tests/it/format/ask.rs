//! Forms: questions read, answers written (GPP-08, D14).

use wayfarer::format::ask::{Answer, Field, Form, Kind, filled};
use wayfarer::url::Url;
use wayfarer::url::scheme::gopher::Gopher;

const BLOCK: &str = "+INFO: 0Form\t/f\th\t70\t?\r\n+VIEWS:\r\n Text/plain: <1k>\r\n+ASK:\r\n Ask: Your name?\tNobody\r\n \
    AskP: Password\r\n AskL: Tell us:\tall\r\n AskF: Store as\tanswer.txt\r\n Select: With cheese:1\r\n \
    Select: With bread\t0\r\n Choose: Size?\tsmall\tlarge\r\n ChooseF: Send a file\r\n Wave: hello\r\n+ADMIN:\r\n Ask: no\r\n";

fn form() -> Form {
    Form::of(BLOCK).unwrap()
}

#[test]
fn every_kind_of_question() {
    let field = |question: &str, kind| Field { question: question.into(), kind };
    let fields = vec![
        field("Your name?", Kind::Line("Nobody".into())),
        field("Password", Kind::Secret(String::new())),
        field("Tell us:", Kind::Text("all".into())),
        field("Store as", Kind::NewFile("answer.txt".into())),
        field("With cheese", Kind::Check(true)),
        field("With bread", Kind::Check(false)),
        field("Size?", Kind::Choice(vec!["small".into(), "large".into()])),
        field("Send a file", Kind::File(String::new())),
    ];
    assert_eq!(form(), Form { fields, notes: vec!["Wave: hello".into()] });
    assert!(form().is_secret());
    assert_eq!(Form::of(&BLOCK.replace("\r\n", "\r").replace("+ASK:", "+ASK")), Some(form()));
    assert_eq!(Form::of("+INFO: 0x\t/\th\t70\r\n+ASKEW:\r\n Ask: no\r\n"), None);
}

#[test]
fn defaults_are_answers() {
    let answers = form().answers();
    assert_eq!(answers[0], Answer::Line("Nobody".into()));
    assert_eq!(answers[4], Answer::Check(true));
    assert_eq!(answers[6], Answer::Line("small".into()));
}

#[test]
fn answers_make_the_one_form_that_may_be_sent() {
    let answers = [
        Answer::Line("a\r\nQUIT".into()),
        Answer::Line(".hidden".into()),
        Answer::Text("one\r\n.two\n".into()),
        Answer::Check(true),
        Answer::File(b"x\r\n\0y\n".to_vec()),
    ];
    let plus = filled(None, &answers);
    assert_eq!(
        String::from_utf8(plus.clone()).unwrap(),
        "+\t1\r\n+-1\r\na  QUIT\r\n..hidden\r\n2\r\none\r\n..two\r\n1\r\nx\r\ny\r\n.\r\n"
    );
    // Through the URL and back to the wire.
    let gopher = Gopher { item: b'0', selector: b"f".to_vec(), search: None, plus: Some(plus.clone()) };
    let url = gopher.url("home.example", 70, false).unwrap();
    let back = Gopher::of(&Url::parse(url.as_str()).unwrap()).unwrap();
    assert_eq!(back.plus, Some(plus));
}

#[test]
fn the_example_of_the_draft() {
    // Row G019 of the table of requests.
    let answers = [Answer::Line("ask_item1_value".into()), Answer::Line("ask_item2_value".into())];
    let plus = filled(Some("view_name language_name"), &answers);
    let gopher = Gopher { item: b'0', selector: b"a_gopher_selector".to_vec(), search: None, plus: Some(plus) };
    assert_eq!(
        gopher.url("host", 70, false).unwrap().as_str(),
        "gopher://host/0a_gopher_selector%09%09+view_name%20language_name%091%0D%0A+-1%0D%0Aask_item1_value%0D%0A\
         ask_item2_value%0D%0A.%0D%0A"
    );
}
