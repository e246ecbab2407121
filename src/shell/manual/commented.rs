//! Commented TOML as manual text: the embedded files explain themselves, and so are the manual of what they hold.

use super::{roff, row};
use std::io::{self, Write};

/// The comment that a file begins with.
pub(super) fn head(text: &str, out: &mut impl Write) -> io::Result<()> {
    let lines: Vec<&str> = text.lines().map_while(|line| line.strip_prefix('#')).collect();
    words(&lines, out)
}

/// A whole file: what stands above a table or a row explains it, or what stands beside it.
pub(super) fn whole(text: &str, out: &mut impl Write) -> io::Result<()> {
    let (mut above, mut table): (Vec<&str>, &str) = (Vec::new(), "");
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(comment) = line.strip_prefix('#').filter(|comment| comment.is_empty() || comment.starts_with(' ')) {
            above.push(comment);
        } else if let Some(name) = line.strip_prefix('[') {
            table = name.trim_end_matches(']');
            writeln!(out, ".SS {}", roff(line))?;
            words(&std::mem::take(&mut above), out)?;
        } else if line.is_empty() {
            // What belongs to no row is about the file or the table.
            words(&std::mem::take(&mut above), out)?;
        } else {
            let (set, beside) = line.split_once("  #").unwrap_or((line, ""));
            let mut meaning = above.drain(..).chain([beside]).map(str::trim).collect::<Vec<_>>().join(" ");
            while let Some(more) = lines.next_if(|next| next.starts_with(' ')) {
                meaning = format!("{meaning} {}", more.trim_start_matches([' ', '#']));
            }
            let dot = if table.is_empty() { "" } else { "." };
            let name = match set.strip_prefix('#') {
                Some(example) => format!("{table}{dot}{} (an example)", example.trim()),
                None => format!("{table}{dot}{}", set.trim()),
            };
            row(&name, meaning.trim(), out)?;
        }
    }
    Ok(())
}

/// Comments as paragraphs; lines further to the right, as `name   meaning`, as rows.
fn words(lines: &[&str], out: &mut impl Write) -> io::Result<()> {
    let mut begun = false;
    for line in lines {
        match line.strip_prefix("   ") {
            Some(indented) => {
                let (name, meaning) = indented.split_once("   ").unwrap_or((indented, ""));
                row(name.trim(), meaning.trim(), out)?;
                begun = false;
            }
            None if line.trim().is_empty() => begun = false,
            None => {
                if !begun {
                    writeln!(out, ".PP")?;
                }
                writeln!(out, "{}", roff(line.trim()))?;
                begun = true;
            }
        }
    }
    Ok(())
}
