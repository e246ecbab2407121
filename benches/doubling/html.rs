//! Every element of HTML: long in one piece, many beside each other, many inside each other.

use super::page::{self, Shape};
use super::{Row, row, text};
use wayfarer::format::media;

/// The smallest page of those that are all text, and of those that are all tags.
const TEXT: usize = 32 * 1024;
const TAGS: usize = 16 * 1024;

/// Elements that hold text, each with what it stands in.
const HOLDERS: &[(&str, &str)] = &[
    ("title", ""), ("style", ""), ("script", ""), ("noscript", ""), ("template", ""), ("body", ""), ("p", ""), ("h1", ""), ("h2", ""), ("h6", ""),
    ("div", ""), ("span", ""), ("pre", ""), ("listing", ""), ("xmp", ""), ("plaintext", ""), ("blockquote", ""), ("address", ""), ("center", ""),
    ("a", ""), ("b", ""), ("i", ""), ("u", ""), ("em", ""), ("strong", ""), ("code", ""), ("tt", ""), ("font", ""), ("small", ""), ("big", ""), ("sub", ""), ("sup", ""), ("q", ""), ("cite", ""), ("abbr", ""), ("del", ""), ("ins", ""), ("mark", ""), ("nobr", ""), ("bdo", ""),
    ("ruby", ""), ("rt", "<ruby>"), ("rp", "<ruby>"), ("li", "<ul>"), ("li", "<ol>"), ("dt", "<dl>"), ("dd", "<dl>"), ("menu", ""), ("dir", ""),
    ("table", ""), ("caption", "<table>"), ("td", "<table><tr>"), ("th", "<table><tr>"), ("td nowrap", "<table><tr>"),
    ("form", ""), ("fieldset", "<form>"), ("legend", "<form><fieldset>"), ("label", "<form>"), ("button", "<form>"), ("textarea", "<form>"), ("option", "<form><select>"), ("optgroup", "<form><select>"), ("select", "<form>"), ("datalist", "<form>"), ("output", "<form>"), ("progress", ""), ("meter", ""),
    ("math", ""), ("mi", "<math>"), ("mtext", "<math>"), ("mfrac", "<math>"), ("msqrt", "<math>"), ("msup", "<math>"), ("mtable", "<math>"), ("annotation", "<math><semantics>"), ("svg", ""), ("text", "<svg>"), ("title", "<svg>"), ("desc", "<svg>"), ("foreignobject", "<svg>"),
    ("iframe", ""), ("noframes", ""), ("frameset", ""), ("object", ""), ("video", ""), ("audio", ""), ("canvas", ""), ("map", ""), ("figure", ""), ("figcaption", "<figure>"), ("details", ""), ("summary", "<details>"), ("dialog", ""), ("nav", ""), ("main", ""), ("marquee", ""), ("x-own", ""),
];

/// Attributes with a long value.
const VALUES: &[(&str, &str)] = &[
    ("a href", "<a href='"), ("a rel", "<a href=x rel='"), ("a name", "<a name='"), ("p id", "<p id='"), ("p title", "<p title='"), ("p class", "<p class='"), ("p style", "<p style='"), ("img alt", "<img alt='"), ("img src", "<img src='"), ("img srcset", "<img srcset='"),
    ("input value", "<form><input value='"), ("input name", "<form><input name='"), ("input placeholder", "<form><input placeholder='"), ("input pattern", "<form><input pattern='"), ("input submit", "<form><input type=submit value='"), ("input hidden", "<form><input type=hidden name=x value='"), ("form action", "<form action='"), ("form accept-charset", "<form accept-charset='"), ("option value", "<form><select><option value='"), ("option label", "<form><select><option label='"), ("optgroup label", "<form><select><optgroup label='"),
    ("base href", "<base href='"), ("meta refresh", "<meta http-equiv=refresh content='0;url="), ("meta description", "<meta name=description content='"), ("meta charset", "<meta charset='"), ("link title", "<link rel=next href=x title='"), ("link rel", "<link href=x rel='"), ("iframe src", "<iframe src='"), ("frame src", "<frameset><frame src='"), ("area alt", "<map><area href=x alt='"), ("td abbr", "<table><td abbr='"), ("td colspan", "<table><td colspan='"), ("ol start", "<ol start='"), ("math alttext", "<math alttext='"), ("html lang", "<html lang='"), ("font color", "<font color='"), ("object data", "<object data='"), ("video src", "<video src='"), ("blockquote cite", "<blockquote cite='"), ("unknown", "<p x='"),
];

/// Many of a kind.
const MANY: &[Shape] = &[
    ("titles", TAGS, "", "<title>x</title>", ""),
    ("headings", TAGS, "", "<h2>x</h2>", ""),
    ("paragraphs", TAGS, "", "<p>x</p>", ""),
    ("paragraphs that no tag ends", TAGS, "", "<p>x", ""),
    ("line breaks", TAGS, "", "x<br>", ""),
    ("rules", TAGS, "", "<hr>", ""),
    ("wbr", TAGS, "", "x<wbr>", ""),
    ("links", TAGS, "", "<a href=/x/{}>x</a> ", ""),
    ("links that no tag ends", TAGS, "", "<a href=x>", ""),
    ("named places", TAGS, "", "<a name=x{}>x</a>", ""),
    ("places of one name", TAGS, "", "<p id=x>x", ""),
    ("related pages", TAGS, "", "<link rel=next href=x{}>", ""),
    ("related anchors", TAGS, "", "<a rel=next href=x{}>x</a>", ""),
    ("metas", TAGS, "", "<meta name=x{} content=y>", ""),
    ("refreshes", TAGS, "", "<meta http-equiv=refresh content='{};url=x'>", ""),
    ("bases", TAGS, "", "<base href=/x{}/>", ""),
    ("images", TAGS, "", "<img alt=x src=y{}.png>", ""),
    ("images without words", TAGS, "", "<img src=y{}.png>", ""),
    ("items", TAGS, "<ul>", "<li>x", ""),
    ("numbered items", TAGS, "<ol>", "<li>x", ""),
    ("items that count back", TAGS, "<ol reversed>", "<li>x", ""),
    ("items with values", TAGS, "<ol>", "<li value={}>x", ""),
    ("numbered lists", TAGS, "", "<ol><li>x</ol>", ""),
    ("terms", TAGS, "<dl>", "<dt>x<dd>y", ""),
    ("rows", TAGS, "<table>", "<tr><td>x<td>y", ""),
    ("rows of headers", TAGS, "<table>", "<tr><th>x<td>y", ""),
    ("columns", TAGS, "<table><tr>", "<td>x", ""),
    ("columns in two rows", TAGS, "<table><tr><td>x<tr>", "<td>x", ""),
    ("rows that span columns", TAGS, "<table>", "<tr><td colspan=1000>x<td>y", ""),
    ("cells that span rows", TAGS, "<table>", "<tr><td rowspan=65534>x<td>y", ""),
    ("rows whose spans grow", TAGS, "<table>", "<tr><td colspan={}>x", ""),
    ("cells below each other's spans", TAGS, "<table>", "<tr><td rowspan={}>x<td colspan={}>y<td>z", ""),
    ("cells wide and high", TAGS, "<table>", "<td rowspan=1000 colspan=1000>x", ""),
    ("column groups", TAGS, "<table>", "<col span=1000>", ""),
    ("bodies of a table", TAGS, "<table>", "<tbody><tr><td>x", ""),
    ("tables", TAGS, "", "<table><tr><td>x</table>", ""),
    ("captions", TAGS, "", "<table><caption>x</caption></table>", ""),
    ("text before the cells", TAGS, "<table>", "x<tr>", ""),
    ("tables of words", TAGS, "<table>", "<tr><td>some words that are longer than the column<td>and some more of them", ""),
    ("fields", TAGS, "<form>", "<input name=x{}>", ""),
    ("fields without a form", TAGS, "", "<input name=x{}>", ""),
    ("fields with labels", TAGS, "<form>", "<label for=x{}>y</label><input id=x{}>", ""),
    ("labels of one field", TAGS, "<form><input id=x>", "<label for=x>y</label>", ""),
    ("labels without a field", TAGS, "<form>", "<label for=x{}>y</label>", ""),
    ("fields of one id", TAGS, "<form>", "<input id=x>", ""),
    ("hidden fields", TAGS, "<form>", "<input type=hidden name=x{} value=y>", ""),
    ("checks", TAGS, "<form>", "<input type=checkbox name=x>y", ""),
    ("radio buttons of one name", TAGS, "<form>", "<input type=radio name=x value={}>", ""),
    ("radio buttons of many names", TAGS, "<form>", "<input type=radio name=x{}>", ""),
    ("buttons", TAGS, "<form>", "<button>x</button>", ""),
    ("text areas", TAGS, "<form>", "<textarea name=x>y</textarea>", ""),
    ("options", TAGS, "<form><select>", "<option>x{}", ""),
    ("options of many", TAGS, "<form><select multiple>", "<option selected>x{}", ""),
    ("groups of options", TAGS, "<form><select>", "<optgroup label=x{}><option>y", ""),
    ("choices", TAGS, "<form>", "<select><option>x</select>", ""),
    ("forms", TAGS, "", "<form action=x{}><input></form>", ""),
    ("forms that no tag ends", TAGS, "", "<form>", ""),
    ("fields of forms elsewhere", TAGS, "<form id=x0></form>", "<input form=x{}>", ""),
    ("fieldsets", TAGS, "<form>", "<fieldset><legend>x</legend>", ""),
    ("datalists", TAGS, "<form><datalist id=d>", "<option value=x{}>", ""),
    ("fields with one datalist", TAGS, "<form><datalist id=d><option value=x></datalist>", "<input list=d>", ""),
    ("fields with a datalist each", TAGS, "<form>", "<input list=d{}><datalist id=d{}><option value=x></datalist>", ""),
    ("formulas", TAGS, "", "<math><mi>x</mi></math>", ""),
    ("rows of a formula", TAGS, "<math>", "<mrow><mi>x</mi></mrow>", ""),
    ("fractions", TAGS, "<math>", "<mfrac><mi>x</mi><mi>y</mi></mfrac>", ""),
    ("formula tables", TAGS, "<math><mtable>", "<mtr><mtd>x</mtd></mtr>", ""),
    ("drawings", TAGS, "", "<svg><title>x</title></svg>", ""),
    ("titles in a drawing", TAGS, "<svg>", "<title>x</title>", ""),
    ("paths in a drawing", TAGS, "<svg>", "<path d='M0'/>", ""),
    ("ruby", TAGS, "", "<ruby>x<rt>y</ruby>", ""),
    ("sub and sup", TAGS, "", "x<sub>y</sub><sup>z</sup>", ""),
    ("frames", TAGS, "<frameset>", "<frame src=x{}>", ""),
    ("iframes", TAGS, "", "<iframe src=x{}></iframe>", ""),
    ("areas", TAGS, "<map>", "<area href=x{} alt=y>", ""),
    ("maps and images", TAGS, "", "<img usemap=#m{}><map name=m{}><area href=x></map>", ""),
    ("details", TAGS, "", "<details><summary>x</summary>y</details>", ""),
    ("details that no tag ends", TAGS, "", "<details>x", ""),
    ("objects", TAGS, "", "<object data=x{}>y</object>", ""),
    ("videos", TAGS, "", "<video src=x{}></video>", ""),
    ("sources", TAGS, "<video>", "<source src=x{}>", ""),
    ("comments", TAGS, "", "<!--x-->", ""),
    ("declarations", TAGS, "", "<!doctype x>", ""),
    ("processing", TAGS, "", "<?x?>", ""),
    ("styles", TAGS, "", "<style>x</style>", ""),
    ("scripts", TAGS, "", "<script>x</script>", ""),
    ("noscripts", TAGS, "", "<noscript>x</noscript>", ""),
    ("templates", TAGS, "", "<template>x</template>", ""),
    ("ends without beginnings", TAGS, "", "</b></p></td>", ""),
    ("ends of br and p", TAGS, "", "</br></p>", ""),
    ("bodies", TAGS, "", "<body x{}=y>", ""),
    ("attributes", TAGS, "<p ", "x{}=y ", ""),
    ("attributes that are kept", TAGS, "<p ", "id=x{} ", ""),
    ("one attribute again", TAGS, "<a ", "href=x ", ""),
    ("tags in tags", TAGS, "", "<p <p ", ""),
    ("less-than signs", TAGS, "", "<", ""),
    ("less-than and letters", TAGS, "", "<a", ""),
    ("slashes in a tag", TAGS, "<p", "/", ""),
    ("quotes in a tag", TAGS, "<p ", "\"", ""),
    ("entities", TAGS, "", "&amp;", ""),
    ("entities without a semicolon", TAGS, "", "&amp", ""),
    ("unknown entities", TAGS, "", "&xyzzy;", ""),
    ("ampersands", TAGS, "", "&", ""),
    ("a long entity", TAGS, "&", "a", ""),
    ("numeric entities", TAGS, "", "&#{};", ""),
    ("a long number", TAGS, "&#", "9", ""),
    ("NULs", TAGS, "<p>", "\0", ""),
    ("newlines", TAGS, "<p>", "\n", ""),
    ("newlines in pre", TAGS, "<pre>", "\n", ""),
    ("tabs in pre", TAGS, "<pre>", "\t", ""),
    ("bold that no tag ends", TAGS, "", "<b>x", ""),
    ("bold paragraphs", TAGS, "", "<p><b id=x{}><i><u>x", ""),
    ("bold and italic crossed", TAGS, "", "<b><i>x</b>y</i>", ""),
    ("anchors across blocks", TAGS, "", "<a href=x><div>y</a>z", ""),
    ("fonts across paragraphs", TAGS, "", "<p><font>x</p>y", ""),
    ("crossed in a table", TAGS, "<table>", "<b><tr><td>x</b>", ""),
    ("nobr", TAGS, "", "<nobr>x", ""),
    ("buttons in buttons", TAGS, "<form>", "<button>", ""),
    ("tables in cells, closed", TAGS, "", "<table><tr><td><table><tr><td>x</table></table>", ""),
    ("hidden", TAGS, "", "<p hidden>x</p>", ""),
    ("styled", TAGS, "", "<p style='display:none'>x</p>", ""),
    ("aligned", TAGS, "", "<p align=right>x</p>", ""),
    ("languages", TAGS, "", "<p lang=x{}>y</p>", ""),
    ("empty", TAGS, "", "<p></p><div></div><span></span>", ""),
];

/// Something long, and many that it may be copied for: half of the page is each.
const CROSSED: &[(&str, &str, &str, &str, &str)] = &[
    ("a group's label and its choices", "<form><select><optgroup label='", "x", "'>", "<option>y"),
    ("a suggestion and its fields", "<form><datalist id=d><option value='", "x", "'></datalist>", "<input list=d>"),
    ("suggestions and their fields", "<form><datalist id=d>", "<option value=x>", "</datalist>", "<input list=d>"),
    ("a form's action and its fields", "<form action='", "x", "'>", "<input name=x>"),
    ("a form's charsets and its fields", "<form accept-charset='", "x", "'>", "<input name=x>"),
    ("a form's name and its fields", "<form id='x", "x", "'></form>", "<input form=x>"),
    ("a reference and its pieces", "<a href='", "x", "'>", "y<b>z</b>"),
    ("a reference and the blocks in it", "<a href='", "x", "'>", "<div>y</div>"),
    ("a base and related pages", "<base href='http://h/", "x", "'>", "<link rel=next href=y>"),
    ("a title and its abbreviations", "<p>", "words ", "", "<abbr title='some words'>sw</abbr>"),
    ("formats and paragraphs", "", "<b>", "", "<p>x"),
    ("formats and cells", "<table><tr><td>", "<i>", "", "<td>x"),
    ("depth and text", "", "<div>", "", "<p>x</p>"),
    ("lists and items", "", "<ul>", "", "<li>x"),
    ("columns and rows", "<table><tr>", "<td>x", "", "<tr><td>y"),
    ("rows and columns", "<table>", "<tr><td>x", "<tr>", "<td>y"),
    ("a wide cell and rows", "<table><tr><td>", "words ", "", "<tr><td>y<td>z"),
    ("a high cell and rows", "<table><tr><td>", "<p>x", "<td>y", "<tr><td>y<td>z"),
    ("tables and cells", "", "<table><tr><td>", "", "<td>x"),
    ("details and text", "", "<details>", "", "<p>x"),
    ("links that are open and text", "", "<a href=x><div>", "", "<p>x"),
    ("labels and fields", "<form>", "<label>", "", "<input>"),
    ("a caption and rows", "<table><caption>", "words ", "</caption>", "<tr><td>x"),
    ("a head and rows", "<table><thead><tr><th>", "words ", "</thead>", "<tr><td>x"),
];

/// Runs of text that programs stumble over.
const RUNS: &[(&str, &str)] = &[("letters", "x"), ("words", "some words "), ("blanks", " "), ("marks", "e\u{301}"), ("only marks", "\u{301}"), ("wide", "漢"), ("emoji", "👩\u{200d}"), ("soft hyphens", "a\u{ad}"), ("flags", "\u{1f1e9}")];

/// All of them.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (tag, around) in HOLDERS {
        rows.push(row(format!("html: long {around}<{tag}>"), TEXT, move |octets| {
            page::read(media::HTML, text(octets, &format!("{around}<{tag}>"), "some words ", "").into_bytes())
        }));
        rows.push(row(format!("html: nested {around}<{tag}>"), TAGS, move |octets| {
            let name = tag.split(' ').next().unwrap_or_default();
            let tags = text(octets, around, &format!("<{name}>x"), &format!("</{name}>"));
            page::read(media::HTML, tags.into_bytes())
        }));
        rows.push(row(format!("html: nested, not closed {around}<{tag}>"), TAGS, move |octets| {
            page::read(media::HTML, text(octets, "", &format!("{around}<{tag}>x"), "").into_bytes())
        }));
    }
    for (name, before) in VALUES {
        for (run, piece) in [("words", "some words "), ("x", "x"), ("&amp;", "&amp;"), ("../", "../")] {
            rows.push(row(format!("html: value {name} of {run}"), TEXT, move |octets| {
                page::read(media::HTML, (text(octets, before, piece, "") + "'>x").into_bytes())
            }));
        }
    }
    for (name, piece) in RUNS {
        for before in ["<p>", "<pre>", "<title>", "<table><tr><td>", "<form><textarea>", "<form><button>", "<form><select><option>", "<form><input value='", "<li>", "<math><mi>", "<h1>", "<a href=x>", "<form><label>"] {
            rows.push(row(format!("html: {before} of {name}"), TEXT, move |octets| {
                page::read(media::HTML, text(octets, before, piece, "").into_bytes())
            }));
        }
    }
    rows.extend(page::rows("html", media::HTML, MANY));
    for &(name, before, long, between, many) in CROSSED {
        rows.push(row(format!("html: {name}"), TEXT, move |octets| {
            let page = text(octets / 2, before, long, "") + between + &text(octets / 2, "", many, "");
            page::read(media::HTML, page.into_bytes())
        }));
    }
    rows
}
