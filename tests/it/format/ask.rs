//! Forms: every kind of question.

use wayfarer::format::ask::{Field, Form, Kind};

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
        field("Wave: hello", Kind::Note),
    ];
    assert_eq!(form(), Form { fields });
    assert_eq!(Form::of(&BLOCK.replace("\r\n", "\r").replace("+ASK:", "+ASK")), Some(form()));
    assert_eq!(Form::of("+INFO: 0x\t/\th\t70\r\n+ASKEW:\r\n Ask: no\r\n"), None);
}
