//! The site: a page for each thing that a page can do.

use std::fs;
use std::path::Path;

/// Octets of the file to download; its own numbers, so that no piece is like another.
pub const BINARY: usize = 1_500_000;

/// The file to download.
pub fn binary() -> Vec<u8> {
    (0u32..).flat_map(u32::to_be_bytes).take(BINARY).collect()
}

/// A page with a table whose cells are links.
const TABLE: &str = "<title>Timetable</title><h1>Timetable</h1>\n\
    <table><caption>Ferries</caption><tr><th>From<th>To<th align=right>Minutes\n\
    <tr><td>North<td><a href=\"../plain.txt\">Quay</a><td align=right>25\n\
    <tr><td>South<td><a href=\"../echo\">Mill</a><td align=right>140</table>\n\
    <p>Back to <a href=\"../\">the start</a>.\n";

const START: &str = "<title>Wayfarer test site</title><h1>Wayfarer test site</h1>\n\
    <p><a href=\"plain.txt\">A text</a>, <a href=\"table/\">a table</a>, <a href=\"form.html\">a form</a>,\n\
    <a href=\"long.html#line90\">far down</a>, <a href=\"r/302\">moved</a>, <a href=\"none.html\">nothing</a>\n";

const FORM: &str = "<title>Form</title><form action=search><p>Words: <input name=q>\n\
    <p><input type=checkbox name=old value=yes checked> old ones too\n\
    <p><select name=in><option value=a>Names<option value=b selected>Texts</select>\n\
    <p><input type=submit value=Find></form>\n\
    <form action=post method=post><p>Note: <input name=note value=hello><input type=submit value=Leave></form>\n";

/// A page whose references do not begin where it lies.
const BASED: &str = "<title>Based</title><base href=\"/table/\"><p>First <a href=\"../plain.txt\">By the base</a>\n\
    then <a href=\"#below\">Below</a><p id=below>Here.\n";

const FRAMES: &str = "<title>Frames</title><frameset cols=\"*,*\"><frame name=menu src=plain.txt><frame name=main src=table/>\n\
    <noframes>Only without frames.</noframes></frameset>\n";

const NESTED: &str = "<title>Nested</title><table border=1><tr><td>Outer left<td><table border=1><tr><td>Inner one<td>Inner two\n\
    </table><tr><td colspan=2>Across both</table>\n";

/// Writes the files below a folder.
pub fn write(folder: &Path) {
    let put = |name: &str, octets: &[u8]| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, octets).unwrap();
    };
    put("index.html", START.as_bytes());
    put("plain.txt", b"A plain text.\n");
    put("table/index.html", TABLE.as_bytes());
    put("form.html", FORM.as_bytes());
    put("based.html", BASED.as_bytes());
    put("frames.html", FRAMES.as_bytes());
    put("nested.html", NESTED.as_bytes());
    let slow: String = (1..=80_000).map(|n| format!("<p>Slowly, line {n}.\n")).collect();
    put("slow/page.html", format!("<title>Slow</title>{slow}").as_bytes());
    put("auth/secret.html", b"<title>Secret</title><p>You are in. <a href=\"more.html\">More</a>\n");
    put("auth/more.html", b"<title>More</title><p>Still in.\n");
    put("gz/index.html", b"<title>Packed</title><p>This came packed.\n");
    put("chunked/index.html", b"<title>Pieces</title><p>This came in pieces.<!--# echo var=\"none\" -->\n");
    let long: String = (1..=100).map(|n| format!("<p id=line{n}>This is line {n}.\n")).collect();
    put("long.html", format!("<title>Long</title>{long}").as_bytes());
    // By meta alone, by the header against what meta says, by the header alone, by nothing but a guess.
    put("charset/koi8.html", b"<meta charset=koi8-r><p>\xf0\xd2\xc9\xd7\xc5\xd4\n");
    put("charset/lie.html", "<meta charset=iso-8859-1><p>Café\n".as_bytes());
    put("charset/sjis.html", b"<p>\x93\xfa\x96\x7b\x8c\xea\n");
    put("charset/latin1.html", b"<p>Caf\xe9 cr\xe8me\n");
    put("slow/data.bin", &binary());
}
