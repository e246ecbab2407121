//! What stands on each line, block kind by block kind.

use super::{document, layout, menu, screen, shown};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use wayfarer::doc::{
    Align, Anchor, BlockKind, Builder, Column, Document, Layout, LinkId, Marker, Marks, Wrap, columns,
};
use wayfarer::role::Role;

fn line_screen(width: u16, text: &str) -> Vec<String> {
    screen(layout(width), &document(BlockKind::Line, &[text]))
}

fn paragraph_screen(width: u16, text: &str) -> Vec<String> {
    screen(layout(width), &document(BlockKind::Paragraph, &[text]))
}

#[test]
fn lines_wrap_at_spaces_and_keep_their_white_space() {
    assert_eq!(line_screen(10, "the quick brown fox"), ["the quick ", "brown fox"]);
    assert_eq!(line_screen(9, "the quick brown fox"), ["the quick", "brown fox"]);
    assert_eq!(line_screen(10, "  two  in"), ["  two  in"]);
    assert_eq!(line_screen(10, "  indented text"), ["  indented", "  text"]);
    assert_eq!(line_screen(10, ""), [""]);
    assert_eq!(line_screen(4, "abcd      ef"), ["abcd", "ef"]);
    assert_eq!(line_screen(4, "abcd      "), ["abcd"]);
    assert_eq!(line_screen(4, "      ab"), ["    ", "ab"]);
}

#[test]
fn paragraphs_fold_white_space() {
    assert_eq!(paragraph_screen(20, "  a   b\t c  "), ["a b c"]);
    assert_eq!(paragraph_screen(20, "a\t\tb"), ["a b"]);
    assert_eq!(paragraph_screen(5, "aa   bb   cc"), ["aa bb", "cc"]);
    assert_eq!(paragraph_screen(5, "   "), [""]);
    assert_eq!(paragraph_screen(5, "hello     "), ["hello"]);
    assert_eq!(paragraph_screen(5, "a\u{a0}b c d"), ["a\u{a0}b c", "d"]);
}

#[test]
fn white_space_folds_across_spans() {
    let mut builder = Builder::new();
    builder.block(BlockKind::Paragraph, Role::Text);
    builder.text("see ");
    builder.link(" this page ", Role::Link, "x");
    builder.text(" now");
    let document = builder.finish();
    assert_eq!(screen(layout(40), &document), ["see this page now"]);
    let lines = layout(40).lines(&document, Anchor::default(), 1);
    let link: String = lines[0].segments.iter().filter(|s| s.link == Some(LinkId(0))).map(|s| &*s.text).collect();
    assert_eq!(link, "this page ");
}

#[test]
fn long_words_break_after_slash_and_hyphen_else_anywhere() {
    let url = "gopher://gopher.example.org/0/archive/of/things";
    assert_eq!(line_screen(30, url), ["gopher://gopher.example.org/0/", "archive/of/things"]);
    // a word that fits on a line of its own is not cut
    assert_eq!(line_screen(20, "look at well-known things"), ["look at well-known ", "things"]);
    assert_eq!(line_screen(12, "look at well-known x"), ["look at ", "well-known x"]);
    // a long one starts where it stands, if a piece worth it fits
    assert_eq!(line_screen(24, "see http://a.example/b/c/d/e/f/g"), ["see http://a.example/b/", "c/d/e/f/g"]);
    assert_eq!(line_screen(20, "see http://a.example/b/c/d/e/f/g"), ["see ", "http://a.example/b/", "c/d/e/f/g"]);
    assert_eq!(line_screen(20, "seventeen columns http://a.example/b/c/d/e/f/g")[0], "seventeen columns ");
    assert_eq!(line_screen(4, "abcdefghij"), ["abcd", "efgh", "ij"]);
    assert_eq!(line_screen(8, "----------------"), ["--------", "--------"]);
    // an indent does not drive a long word off its line
    assert_eq!(line_screen(8, "  abcdefghij"), ["  abcdef", "  ghij"]);
}

#[test]
fn wide_characters_are_never_split() {
    assert_eq!(line_screen(5, "日本語文字"), ["日本", "語文", "字"]);
    assert_eq!(line_screen(1, "日本a"), ["日", "本", "a"]);
    assert_eq!(line_screen(6, "ab 日本語"), ["ab 日", "本語"]);
    // no line begins with a full stop or ends with an opening bracket
    assert_eq!(line_screen(6, "日本語。文"), ["日本", "語。文"]);
    assert_eq!(line_screen(6, "日本「語文"), ["日本", "「語文"]);
}

#[test]
fn graphemes_stay_whole() {
    let family = "👩\u{200d}👩\u{200d}👧";
    assert_eq!(line_screen(2, &format!("{family}{family}")), [family, family]);
    assert_eq!(line_screen(2, "e\u{301}e\u{301}e\u{301}"), ["e\u{301}e\u{301}", "e\u{301}"]);
    assert_eq!(line_screen(1, "\u{200b}a\u{200b}b").concat(), "\u{200b}a\u{200b}b");
    assert_eq!(line_screen(2, "🇩🇪🇫🇷"), ["🇩🇪", "🇫🇷"]);
    for width in 1..=3 {
        let lines = line_screen(width, "a 日\t👩\u{200d}👧  \u{301}\t\tb-c/d x");
        assert!(lines.len() < 20, "{lines:?}");
    }
}

#[test]
fn a_look_never_cuts_a_grapheme() {
    let mut builder = Builder::new();
    builder.block(BlockKind::Line, Role::Text);
    builder.text("cafe");
    builder.styled("\u{301} au", Role::Strong);
    builder.text(" lait");
    let document = builder.finish();
    let line = &layout(40).lines(&document, Anchor::default(), 1)[0];
    let texts: Vec<&str> = line.segments.iter().map(|s| s.text.as_ref()).collect();
    assert_eq!(texts, ["cafe\u{301}", " au", " lait"]);
}

#[test]
fn tabs_stop_at_every_eighth_column() {
    assert_eq!(line_screen(40, "a\tb"), ["a       b"]);
    assert_eq!(line_screen(40, "\ta\t\tb"), ["        a               b"]);
    assert_eq!(line_screen(40, "日本\tb"), ["日本    b"]);
    assert_eq!(line_screen(10, "abcdefg\tabcdefg\tx"), ["abcdefg ", "abcdefg x"]);
    assert_eq!(line_screen(5, "\tx"), ["     ", "x"]);
    let mut builder = Builder::new();
    builder.marked(BlockKind::Line, Role::Info, Marker::Blank, 0);
    builder.text("a\tb");
    assert_eq!(screen(layout(60), &builder.finish()), ["      a       b"]);
}

#[test]
fn markers_stand_in_the_margin_and_text_hangs_under_itself() {
    let document = menu(&[(Marker::Menu, "Search engines"), (Marker::Blank, "text"), (Marker::Other, "odd")]);
    assert_eq!(screen(layout(60), &document), ["(DIR) Search engines", "      text", "(???) odd"]);
    let glyphs = Layout { marks: Marks::Glyphs, ..layout(60) };
    assert_eq!(screen(glyphs, &document), ["/ Search engines", "  text", "· odd"]);
    assert_eq!(screen(layout(30), &document), ["DIR Search engines", "    text", "??? odd"]);
    assert_eq!(screen(layout(12), &document), ["D Search", "  engines", "  text", "? odd"]);
    assert_eq!(screen(layout(4), &document)[0], "Sear");
    let bullet = menu(&[(Marker::Bullet, "one two three")]);
    assert_eq!(screen(layout(10), &bullet), ["• one two", "  three"]);
    // Who copies a text has what can be typed, who listens no picture.
    for layout in [Layout { wrap: Wrap::WholeUrls, ..layout(10) }, Layout { marks: Marks::Plain, ..layout(10) }] {
        assert_eq!(screen(layout, &bullet), ["* one two", "  three"]);
    }
}

#[test]
fn deep_indents_leave_room_for_text() {
    let mut builder = Builder::new();
    builder.marked(BlockKind::Paragraph, Role::Text, Marker::None, 2);
    builder.text("one two three");
    builder.marked(BlockKind::Paragraph, Role::Text, Marker::None, 200);
    builder.text("one two three");
    let document = builder.finish();
    let indent = " ".repeat(10);
    assert_eq!(
        screen(layout(20), &document),
        ["    one two three".to_owned(), format!("{indent}one two"), format!("{indent}three")]
    );
    assert_eq!(screen(layout(5), &document)[0], "one");
}

fn listing() -> Document {
    let mut builder = Builder::new();
    let column = |width, align, role, needs| Column { title: String::new(), width, align, role, needs };
    builder.document_mut().columns = vec![
        column(0, Align::Left, Role::Text, 0),
        column(8, Align::Right, Role::Size, 0),
        column(10, Align::Left, Role::Date, 40),
    ];
    for (name, rest) in [("Gopher+/", "\tdir\t1994-03-24"), ("日本語のとても長い名前.txt", "\t31.2 kB\t1991-12-02")]
    {
        builder.block(BlockKind::Row, Role::Text);
        builder.link(name, Role::Link, name);
        builder.text(rest);
    }
    builder.finish()
}

#[test]
fn rows_stand_in_columns() {
    let document = listing();
    assert_eq!(
        screen(layout(40), &document),
        ["Gopher+/                 dir  1994-03-24", "日本語のとても長い…  31.2 kB  1991-12-02"]
    );
    // too narrow for the date
    assert_eq!(screen(layout(30), &document), ["Gopher+/                   dir", "日本語のとても長い名…  31.2 kB"]);
    // the name comes before the size
    assert_eq!(screen(layout(12), &document), ["Gopher+/", "日本語のと…"]);
    for width in 1..60 {
        assert!(screen(layout(width), &document).iter().all(|line| columns(line) <= usize::from(width)), "{width}");
    }
    let lines = layout(40).lines(&document, Anchor::default(), 9);
    let cut = lines[1].segments.iter().find(|s| s.text == "…").unwrap();
    assert_eq!((cut.link, cut.at), (Some(LinkId(1)), None));
    assert_eq!(screen(layout(12), &self::document(BlockKind::Row, &["ab\tcd\tefghij"])), ["ab  cd  efg…"]);
}

/// At 160 columns no hundred blanks stand between name and size, and an empty column costs the others nothing.
#[test]
fn columns_are_as_wide_as_they_need() {
    let wide = screen(layout(160), &listing());
    assert_eq!(
        wide,
        ["Gopher+/                          dir  1994-03-24", "日本語のとても長い名前.txt    31.2 kB  1991-12-02"]
    );
    let mut builder = Builder::new();
    let column = |width, needs| Column { title: String::new(), width, align: Align::Left, role: Role::Text, needs };
    builder.document_mut().columns = vec![column(0, 0), column(20, 60), column(0, 60)];
    for row in ["short\t\ta description that is so long that it was cut", "name\t\tx"] {
        builder.block(BlockKind::Row, Role::Text);
        builder.text(row);
    }
    let document = builder.finish();
    assert_eq!(screen(layout(64), &document)[0], "short    a description that is so long that it was cut");
    assert_eq!(screen(layout(50), &document)[0], "short");
    // Where there is not enough for all, none has more than another that wants more.
    let mut builder = Builder::new();
    builder.document_mut().columns = vec![column(0, 0), column(0, 0)];
    builder.block(BlockKind::Row, Role::Text);
    builder.text("a name of forty columns or a little more\ta description of forty columns and more, too");
    assert_eq!(screen(layout(32), &builder.finish()), ["a name of fort…  a description …"]);
}

/// Cells of a row stood side by side, with the blanks of TABs between them, and later one below the other.
#[test]
fn a_row_whose_columns_have_names_is_one_line_for_who_listens() {
    let plain = Layout { marks: Marks::Plain, ..layout(30) };
    let document = listing();
    let told = ["Gopher+/, dir, 1994-03-24", "日本語のとても長い名前.txt", "31.2 kB, 1991-12-02"];
    assert_eq!(screen(plain, &document), told);
    let wide = Layout { width: 60, ..plain };
    assert_eq!(
        screen(wide, &document),
        ["Gopher+/, dir, 1994-03-24", "日本語のとても長い名前.txt, 31.2 kB, 1991-12-02"]
    );
    let narrow = Layout { width: 12, ..plain };
    assert_eq!(screen(narrow, &document)[..4], ["Gopher+/", "dir", "1994-03-24", "日本語のと"]);
    // Wherever a line is asked for, it is the same one.
    for (count, line) in told.iter().enumerate() {
        let from = plain.down(&document, Anchor::default(), count);
        assert_eq!(shown(&plain.lines(&document, from, 1)[0]), *line);
        assert_eq!(plain.up(&document, from, count), Anchor::default());
    }
    // An empty cell is nothing.
    let rows = self::document(BlockKind::Row, &["ab\t\tcd\t", "\tx\ty", ""]);
    assert_eq!(screen(plain, &rows).iter().map(|line| line.trim()).collect::<Vec<_>>(), ["ab", "cd", "x", "y", ""]);
}

#[test]
fn a_rule_is_as_wide_as_the_page() {
    assert_eq!(screen(layout(7), &document(BlockKind::Rule, &[""])), ["───────"]);
}

#[test]
fn lines_that_run_on_are_shown_from_a_column() {
    let text = "ab日本\tx\tthe end";
    let document = document(BlockKind::Line, &[text, "short"]);
    let off = Layout { wrap: Wrap::Off, ..layout(10) };
    let at = |column| -> Vec<String> {
        off.lines_scrolled(&document, Anchor::default(), 9, column).iter().map(shown).collect()
    };
    assert_eq!(at(0), ["ab日本  x ", "short"]);
    assert_eq!(at(2), ["日本  x   ", "ort"]);
    // half a character is a space
    assert_eq!(at(3), [" 本  x    ", "rt"]);
    assert_eq!(at(7), [" x       t", ""]);
    assert_eq!(at(12), ["    the en", ""]);
    assert_eq!(at(60), ["", ""]);
    assert_eq!(off.widest(&document, Anchor::default(), 9), 23);
    assert_eq!(off.widest(&document, Anchor { block: 1, offset: 0 }, 9), 5);
    // wide characters at the right edge
    let document = self::document(BlockKind::Line, &["a日本e\u{301}"]);
    let at = |width, column| {
        let layout = Layout { width, ..off };
        shown(&layout.lines_scrolled(&document, Anchor::default(), 1, column)[0])
    };
    assert_eq!(at(4, 0), "a日");
    assert_eq!(at(4, 2), " 本e\u{301}");
    assert_eq!(at(1, 4), " ");
    assert_eq!(at(1, 5), "e\u{301}");
}

#[test]
fn links_go_on_over_lines() {
    let mut builder = Builder::new();
    builder.block(BlockKind::Paragraph, Role::Text);
    builder.text("See ");
    builder.link("the long name of it", Role::Link, "a");
    builder.text(" or ");
    builder.link("this", Role::Link, "b");
    let document = builder.finish();
    let lines = layout(12).lines(&document, Anchor::default(), 9);
    assert_eq!(lines.iter().map(shown).collect::<Vec<_>>(), ["See the long", "name of it", "or this"]);
    for segment in lines.iter().flat_map(|line| &line.segments) {
        assert_eq!(&document.text()[segment.range().unwrap()], segment.text);
    }
    assert_eq!(lines[1].range().unwrap(), 13..23);
}

#[test]
fn columns_are_ratatuis() {
    let mut texts: Vec<String> =
        vec!["👩\u{200d}👩\u{200d}👧x".into(), "e\u{301}\u{302}".into(), "ｶﾞﾊﾟ".into(), "☎\u{fe0f}".into()];
    texts.extend(
        ["🇩🇪🇫🇷🇩", "नमस्ते", "ك\u{64e}تاب", "각\u{11a8}", "\u{200b}", "a\u{200d}b", "©\u{fe0f}"].map(String::from),
    );
    // every character, alone and between letters
    for c in (' '..='\u{33ff}').chain('\u{a000}'..='\u{d7ff}').chain('\u{f900}'..='\u{1fbff}') {
        if !c.is_control() {
            texts.push(format!("{c}"));
            texts.push(format!("a{c}я{c}日"));
        }
    }
    for text in texts {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 40, 1));
        let (end, _) = buffer.set_stringn(0, 0, &text, 40, ratatui::style::Style::default());
        assert_eq!(columns(&text), usize::from(end), "{text:?}");
    }
}

#[test]
fn no_glyph_looks_like_the_pointer() {
    for marker in [Marker::Menu, Marker::Text, Marker::Search, Marker::Telnet, Marker::Url, Marker::Other, Marker::Form]
    {
        assert_ne!(marker.glyph(), "▸", "{}", marker.word());
    }
}
