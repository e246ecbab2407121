//! Web pages from files: documentation as projects write it, and one that is more tags than words.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What stands on the first screen of both.
pub const MARKER: &str = "The first words";

const SECTIONS: usize = 1_150;
const SPANS: usize = 26_000;

/// Writes both pages, about 1 MB each.
pub fn write(folder: &Path) -> io::Result<[PathBuf; 2]> {
    let paths = ["documentation.html", "tags.html"].map(|name| folder.join(name));
    std::fs::write(&paths[0], documentation())?;
    std::fs::write(&paths[1], tags())?;
    Ok(paths)
}

/// Pages that come with the compiler, where its documentation is installed: name, file, and what stands on the first screen.
pub fn shipped() -> Vec<(&'static str, PathBuf, &'static str)> {
    const PAGES: &[(&str, &str, &str)] = &[
        ("std's Iterator", "html/std/iter/trait.Iterator.html", "Skip to main content"),
        ("the Reference on one page", "html/reference/print.html", "to navigate between chapters"),
        ("COPYRIGHT", "COPYRIGHT.html", "Short version for non-lawyers"),
    ];
    let asked = Command::new("rustc").args(["--print", "sysroot"]).output().ok();
    let Some(asked) = asked.and_then(|output| String::from_utf8(output.stdout).ok()) else { return Vec::new() };
    let folder = Path::new(asked.trim()).join("share/doc/rust");
    let pages = PAGES.iter().map(|(name, page, marker)| (*name, folder.join(page), *marker));
    pages.filter(|(_, page, _)| page.is_file()).collect()
}

fn documentation() -> String {
    let mut page = format!(
        "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Manual</title></head><body>\n<p>{MARKER}\n"
    );
    for n in 0..SECTIONS {
        let _ = write!(
            page,
            "<section id=\"item-{n}\"><h2>Item {n}</h2>\n<p>Returns the <a href=\"#item-{other}\">item {other}</a> of the \
             collection, or <code>None</code> if there is none; see <a href=\"struct.Item{n}.html\"><code>Item{n}</code></a> \
             for what it &mdash; in <em>most</em> cases &mdash; costs. This does not allocate, whatever <b>others</b> say, \
             and it can be called as often as one likes.</p>\n\
             <ul><li>takes <code>&amp;self</code></li><li>never panics</li><li>is <a href=\"stable.html\">stable</a></li></ul>\n\
             <pre><code>let item = collection.item({n});\nassert_eq!(item.map(|i| i.len()), Some({other}));\n</code></pre>\n",
            other = n * 7 % SECTIONS,
        );
        if n % 10 == 0 {
            page.push_str("<table><tr><th>name<th>cost</tr>");
            let _ = (0..5).try_for_each(|row| write!(page, "<tr><td><code>item_{row}</code><td>O({row})</tr>"));
            page.push_str("</table>\n");
        }
        page.push_str("</section>\n");
    }
    page + "</body></html>\n"
}

fn tags() -> String {
    let mut page = format!("<!DOCTYPE html><title>Tags</title><p>{MARKER}\n<div>");
    for n in 0..SPANS {
        let _ = write!(page, "<span class=k><b>w{n}</b></span> <i></i>");
        if n % 12 == 11 {
            page.push_str("</div>\n<div>");
        }
    }
    page + "</div>\n"
}
