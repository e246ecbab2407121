//! Subjects and the words for answers.

use wayfarer::news::{Subject, subject};

#[test]
fn answer_words_come_off() {
    const SAME: &[&str] = &[
        "Re: Gopher+ forms",
        "RE: re: Gopher+ forms",
        "Re:Gopher+ forms  ",
        "Re : Gopher+ forms",
        "Re[2]: Gopher+ forms",
        "Re(3): Gopher+ forms",
        "RE^4: Gopher+ forms",
        "Re*5: Gopher+ forms",
        "AW: Gopher+ forms",
        "Antw: Gopher+ forms",
        "Sv: Re: Gopher+ forms",
        "VS: Gopher+ forms",
        "Odp: Gopher+ forms",
        "ОТВ: Gopher+ forms",
        "答复：Gopher+ forms",
        "\tRe:\u{a0}Gopher+ forms",
    ];
    for text in SAME {
        assert_eq!(subject(text), Subject { base: "Gopher+ forms", reply: true }, "{text}");
    }
}

#[test]
fn what_only_looks_like_one_stays() {
    const WHOLE: &[&str] = &[
        "Gopher+ forms",
        "Reply: x",
        "Regarding: x",
        "Re gopher",
        "Re[x]: y",
        "Re[]: y",
        "Re[2: y",
        "[Re: y]",
        "ASK blocks (was: Re: Gopher+ forms)",
        "re",
        "",
        "日本: x",
    ];
    for text in WHOLE {
        assert_eq!(subject(text), Subject { base: text, reply: false });
    }
    assert_eq!(subject("Re:"), Subject { base: "", reply: true });
    assert_eq!(subject(&"Re: ".repeat(100_000)), Subject { base: "", reply: true });
}
