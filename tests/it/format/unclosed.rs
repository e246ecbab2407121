//! Elements that hide what stands in them, when nobody closed them or somebody put more into them: nothing of that is lost.

use super::{dump::dump, input, parse};
use wayfarer::doc::{Document, FieldKind};
use wayfarer::format::media;

fn read(html: &str) -> Document {
    parse(&input(media::HTML, "http://home.example/folder/page.html"), html.as_bytes())
}

/// Its lines that are not blank.
fn lines(html: &str) -> String {
    let document = read(html);
    let blocks = (0..u32::try_from(document.blocks().len()).unwrap()).map(|block| document.block_text(block).trim());
    blocks.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" | ").replace('\u{a0}', " ")
}

fn links(html: &str) -> String {
    let document = read(html);
    let references = (0..document.link_count()).filter_map(|link| document.reference(wayfarer::doc::LinkId(link)));
    references.filter(|reference| !reference.is_empty()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_list_of_choices_that_is_never_closed_ends_with_its_words() {
    let page =
        "<p>before<form action=x><select name=a><option>one<option>two<p>after it <a href=l>link</a><p>end</form>";
    assert_eq!(lines(page), "before | [ one ▾] | after it link | end");
    assert_eq!(links(page), "l");
    let FieldKind::Select { options, .. } = &read(page).fields[0].kind else { panic!("{}", dump(&read(page))) };
    assert_eq!(options.iter().map(|option| option.label.as_str()).collect::<Vec<_>>(), ["one", "two"]);
    let grouped = "<form><select><optgroup label=g><option>one<option>two</optgroup><div>a <b>b</b></div>\
        <table><tr><td>c1<td>c2</table></form><p>end";
    assert_eq!(lines(grouped), "[ one ▾] | a b | c1 | c2 | end");
}

#[test]
fn what_stands_between_choices_is_shown_after_them() {
    let page = "<p>x <select name=a>stray <a href=l>lnk</a><option>one</option>text<option>two</option></select>, y";
    assert_eq!((lines(page).as_str(), links(page).as_str()), ("x [ one ▾] stray lnk text, y", "l"));
    // what belongs to the list is no stray
    let whole = "<p>x <select><button><selectedcontent></selectedcontent></button> <optgroup><legend>G</legend>\
        <option><div>one</div> <option selected>t<br>w<hr></optgroup> <option><img alt=i src=i> three</select>, y";
    assert_eq!(lines(whole), "x [ t w ▾], y");
    assert_eq!(links(whole), "");
    let FieldKind::Select { options, .. } = &read(whole).fields[0].kind else { panic!() };
    assert_eq!(options[0].group, "G");
}

#[test]
fn suggestions_are_folded_away_but_what_follows_an_unclosed_list_is_not() {
    let folded = "x y | hidden here (suggestions) | one two";
    assert_eq!(lines("<p>x <datalist id=d><option>one</option> <option>two</option></datalist> y"), folded);
    assert_eq!(lines("<p>x <datalist id=d><option>one<option>two</datalist> y"), folded);
    // What has a value and no words is said by no other browser either.
    assert_eq!(lines("<p>x <datalist id=d><option value=one><option value=two></datalist> y"), "x y");
    let instead = "<p>x <datalist id=d><label>or <select><option>z</select></label></datalist> y";
    assert_eq!(lines(instead), "x y | hidden here (suggestions) | or [ z ▾]");
    let unclosed = "<div>x <datalist id=d><option>one<option>two <p>end <a href=l>lnk</a><div>foo</div>";
    assert_eq!((lines(unclosed).as_str(), links(unclosed).as_str()), ("x one two | end lnk | foo", "l"));
}

#[test]
fn what_stands_in_for_films_and_sounds_is_shown() {
    let page = "<p>a <video src=v.mp4>no film <a href=v2>save</a></video> <audio><source src=s.ogg>no sound <a href=a2>it</a>\
        </audio> <canvas>c <a href=c2>cl</a></canvas> <object data=o>ob <a href=o2>ol</a></object>";
    assert_eq!(lines(page), "a [video: v.mp4] no film save [audio: s.ogg] no sound it c cl [object: o] ob ol");
    assert_eq!(links(page), "v.mp4 v2 s.ogg a2 c2 o o2");
    assert_eq!(lines("<p>a<video src=v><p>b <p>c"), "a [video: v] | b | c");
    let frame = "<p>a<iframe src=f>no frames <a href=n>here</a></iframe>b";
    assert_eq!((lines(frame).as_str(), links(frame).as_str()), ("a | [frame: f] | no frames here | b", "f n"));
    assert_eq!(lines("<p>a<iframe>b <b>c</b><p>d"), "a | b c | d");
    assert_eq!(lines("<embed src=e><noembed>no <a href=n>film</a></noembed> x"), "[embedded: e] | no film | x");
}

#[test]
fn drawings_say_their_text_and_lead_where_they_lead() {
    let page = "<p>a <svg>bare <g>not drawn</g><style>.x{}</style></svg> b";
    assert_eq!(lines(page), "a [bare] b");
    let page =
        "<p>a <svg><title>Map</title><text>t</text><a xlink:href=x1><text>one</text></a><a href=x2><path/></a></svg> b";
    assert_eq!((lines(page).as_str(), links(page).as_str()), ("a [Map: t] [one] [x2] b", "x1 x2"));
    assert_eq!(lines("<p><a href=o>a <svg><a href=i><text>in</text></a></svg></a>"), "a [in]");
}

#[test]
fn what_is_broken_in_a_button_does_not_touch() {
    assert_eq!(lines("<form><button>a<br>b <i>c</i>d</button>"), "[ a b cd ]");
}

#[test]
fn what_a_template_shows_at_once_is_shown() {
    let page = "<div>x<template shadowrootmode=open><style>p{}</style><p>shadow <a href=s>s</a></template></div>y<template>no</template>";
    assert_eq!((lines(page).as_str(), links(page).as_str()), ("x | shadow s | y | hidden here (a template) | no", "s"));
}

#[test]
fn what_a_script_would_make_of_a_template_stands_behind_a_fold() {
    let page = "<p>a<template id=t><p>in <a href=l>it</a><template>deep</template></template><p>b";
    let shown = "a | hidden here (a template) | in it | hidden here (a template) | deep | b";
    assert_eq!((lines(page).as_str(), links(page).as_str()), (shown, "l"));
    assert_eq!(lines("<p>a<template></template><template> <script>x</script></template><p>b"), "a | b");
    let table = "<table><tr><th>h<td>c<template><tr><td>row</template><tr><th>i<td>d</table>end";
    assert!(lines(table).ends_with("hidden here (a template) | row | end"), "{}", lines(table));
    // Whether it is written as HTML or as XML.
    let page = "<html xmlns='http://www.w3.org/1999/xhtml'><body><p>a</p><template><p>in</p></template></body></html>";
    assert_eq!(lines(page), "a | hidden here (a template) | in");
}

#[test]
fn names_are_found_where_they_stand() {
    let page = "<p id=one>The <b>words</b><p id=two>of it<p><a href=l aria-labelledby='one two'></a> \
        <form><button aria-labelledby=two></button>";
    assert_eq!(lines(page), "The words | of it | [The words of it] | [ of it ]");
    assert_eq!(lines("<p><a href=l aria-labelledby=none><i></i></a>"), "[l]");
}
