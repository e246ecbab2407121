//! What terminals said when they were asked, and by what they are shown pictures then.

use wayfarer::picture::{Answer, Graphics, Protocol, by_level, by_name};

#[test]
fn the_names_of_terminals_choose_the_protocol() {
    for (said, answer) in [
        ("kitty(0.35.2)", Answer::Can(Protocol::Kitty)),
        ("kitty(0.21.0)", Answer::Can(Protocol::Blocks)),
        ("ghostty 1.0.1", Answer::Can(Protocol::Kitty)),
        ("foot(1.16.2)", Answer::Can(Protocol::Sixel)),
        ("WezTerm 20240203-110809-5046fc22", Answer::Can(Protocol::Iterm2)),
        ("iTerm2 3.5.4", Answer::Can(Protocol::Iterm2)),
        ("XTerm(379)", Answer::Ask),
        ("tmux 3.3a", Answer::Can(Protocol::Blocks)),
        ("VTE(7203)", Answer::Can(Protocol::Blocks)),
        ("", Answer::Can(Protocol::Blocks)),
        ("é", Answer::Can(Protocol::Blocks)),
    ] {
        assert_eq!(by_name(said), answer, "{said}");
    }
    // xterm, and xterm -ti vt340
    assert_eq!(by_level("64;1\"p"), Protocol::Blocks);
    assert_eq!(by_level("63;1\"p"), Protocol::Sixel);
    assert_eq!(by_level(""), Protocol::Blocks);
}

#[test]
fn what_paints_pixels_must_know_how_large_letters_are() {
    let of = |protocol, cell| Graphics::new(protocol, cell);
    assert_eq!(of(Protocol::Sixel, None).protocol, Protocol::Blocks);
    assert_eq!(of(Protocol::Sixel, Some((0, 16))).protocol, Protocol::Blocks);
    assert_eq!(of(Protocol::Iterm2, None).protocol, Protocol::Blocks);
    assert_eq!(of(Protocol::Kitty, None).protocol, Protocol::Kitty, "it fits pixels into cells");
    assert_eq!(of(Protocol::Sixel, Some((8, 16))), Graphics { protocol: Protocol::Sixel, cell: (8, 16) });
    assert_eq!(of(Protocol::Blocks, Some((8, 16))).cell, (1, 2), "a cell has two pixels");
}
