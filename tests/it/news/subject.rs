//! Subjects and the words for answers.

use wayfarer::news::{Subject, subject, topic};

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
        "Antwort: Gopher+ forms",
        "SV: Gopher+ forms",
        "Vá: Gopher+ forms",
        "回复: Gopher+ forms",
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

/// One row for each rule of RFC 5256, 2.1, and for each custom.
#[test]
fn a_topic_is_the_same_whatever_is_put_around_it() {
    const ANSWERS: &[&str] = &[
        "Re: Gopher",
        "Antwort: Gopher",
        "AW: Gopher",
        "WG: Gopher",
        "TR: Gopher",
        "RV: Gopher",
        "SV: Gopher",
        "VS: Gopher",
        "VB: Gopher",
        "答复：Gopher",
        "回复: Gopher",
        "转发: Gopher",
        "Re[2]: Gopher",
        "Re^2: Gopher",
        "Fwd: Gopher",
        "FW: Gopher",
        "Gopher (fwd)",
        "Gopher (FWD) (fwd)",
        "[fwd: Gopher]",
        "[Fwd: Re: Gopher]",
        "Re: [list] Gopher",
        "[list] Re: Gopher",
        "Re: [list] Re: [other] Fwd: Gopher (fwd)",
        "[list] [fwd: Gopher]",
    ];
    for text in ANSWERS {
        assert_eq!(topic(text), Subject { base: "Gopher", reply: true }, "{text}");
    }
    // A list's name says nothing of an answer.
    assert_eq!(topic("[list] Gopher"), Subject { base: "Gopher", reply: false });
    // What only looks so stays, and parts of one file are apart.
    for whole in
        ["[list]", "(fwd)", "[2/3] file.zip", "[fwd Gopher", "Gopher fwd", "Forward: x", "x [list]", "[a [b] c", ""]
    {
        assert_eq!(topic(whole), Subject { base: whole, reply: false }, "{whole}");
    }
    assert_eq!(topic(&"[l] Re: ".repeat(50_000)).base, "");
}
