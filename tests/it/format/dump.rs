//! A document as text, for golden tests: every block, span, link and fact, one a line.

use std::fmt::Write;
use wayfarer::doc::{Document, LinkId};

/// `Kind role Marker indent|text`, pieces with a look of their own as `{role text}`, links as `{role #1 text}`.
pub fn dump(document: &Document) -> String {
    let mut out = String::new();
    if let Some(title) = &document.title {
        writeln!(out, "title {title}").unwrap();
    }
    if let Some(title) = &document.guessed_title {
        writeln!(out, "guessed title {title}").unwrap();
    }
    for column in &document.columns {
        writeln!(out, "column {} {} {:?} {}", column.title, column.width, column.align, column.role.name()).unwrap();
    }
    for (number, block) in document.blocks().iter().enumerate() {
        let range = document.block_range(number as u32);
        write!(out, "{:?} {} {:?} {}|", block.kind, block.role.name(), block.marker, block.indent).unwrap();
        let mut at = range.start;
        for span in document.spans_in(range.clone()) {
            let (start, end) = ((span.start as usize).max(range.start), (span.end as usize).min(range.end));
            let link = span.link.map(|link| format!(" #{}", link.0)).unwrap_or_default();
            let piece = format!("{{{}{link} {}}}", span.role.name(), &document.text()[start..end]);
            write!(out, "{}{piece}", &document.text()[at..start]).unwrap();
            at = end;
        }
        writeln!(out, "{}|", &document.text()[at..range.end]).unwrap();
    }
    for link in (0..document.link_count()).map(LinkId) {
        let plus = if document.has_attributes(link) { " (attributes)" } else { "" };
        writeln!(out, "#{} {}{plus}", link.0, document.reference(link).unwrap()).unwrap();
        for mirror in document.mirrors_of(link) {
            writeln!(out, "#{} or {mirror}", link.0).unwrap();
        }
    }
    for (name, anchor) in document.anchors() {
        writeln!(out, "anchor {name} {}+{}", anchor.block, anchor.offset).unwrap();
    }
    for fold in &document.folds {
        let way = if fold.open { "open" } else { "closed" };
        writeln!(out, "fold {:?} #{} blocks {}..{} {way}", fold.kind, fold.head.0, fold.first, fold.end).unwrap();
    }
    for table in &document.tables {
        let columns: Vec<_> = table.columns.iter().map(|c| format!("{}-{}", c.least, c.most)).collect();
        writeln!(out, "table {} indent {} {:?}", columns.join(" "), table.indent, table.align).unwrap();
        for cells in table.rows() {
            let span = |count: u16, way: char| if count > 1 { format!("{way}{count}") } else { String::new() };
            let cells = cells.iter().map(|cell| {
                format!(
                    " {}{}{} from {}",
                    cell.column,
                    span(cell.columns, '→'),
                    span(cell.rows.into(), '↓'),
                    cell.first
                )
            });
            writeln!(out, "  row{}", cells.collect::<Vec<_>>().join(",")).unwrap();
        }
    }
    for form in &document.forms {
        writeln!(out, "form {:?} {:?} {} {}", form.method, form.encoding, form.action, form.charsets).unwrap();
    }
    for field in &document.fields {
        let link = field.link.map(|link| format!("#{}", link.0)).unwrap_or_default();
        let on = |on: bool, word: &'static str| if on { word } else { "" };
        let flags = [on(field.disabled, " disabled"), on(field.readonly, " readonly"), on(field.required, " required")];
        let longest = field.longest.map(|n| format!(" at most {n}")).unwrap_or_default();
        let (form, name, hint) = (field.form, &field.name, &field.hint);
        writeln!(out, "field {link} of {form:?} {name}: {:?}{}{longest} {hint}", field.kind, flags.concat()).unwrap();
    }
    if let Some(base) = &document.base {
        writeln!(out, "base {base}").unwrap();
    }
    for note in &document.notes {
        writeln!(out, "note {note}").unwrap();
    }
    out.replace('\t', "→")
}
