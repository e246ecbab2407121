//! Archives, as liars make them.

use super::{Row, Work, row};
use std::hint::black_box;
use std::io::{Cursor, Read};
use wayfarer::archive::Archive;
use wayfarer::stop::Stop;

#[allow(clippy::unwrap_used, dead_code)]
#[path = "../../tests/it/archive/made.rs"]
mod made;

/// Large enough that what a list of members always takes is little beside it.
const SIZE: usize = 256 * 1024;

pub fn rows() -> Vec<Row> {
    vec![
        row("archive: tar, small members", SIZE, |octets| {
            read(made::tar(&[made::tar_member(b'0', "x", "", b"text").repeat(octets / 1024)]))
        }),
        row("archive: tar, maps of sparse files", SIZE / 2, |octets| {
            let record = format!("{octets} GNU.sparse.map={}", "0,1,".repeat(octets / 4));
            read(made::tar(&[
                made::tar_member(b'x', "pax", "", record.as_bytes()),
                made::tar_member(b'0', "x", "", b""),
            ]))
        }),
        row("archive: zip, members", SIZE, |octets| {
            let one = made::zipped("name", b"");
            let members = (0..octets / 100).map(|n| made::Zipped { name: format!("{n}").into(), ..one.clone() });
            read(made::zip(&members.collect::<Vec<_>>()))
        }),
        row("archive: zip, members that share octets", SIZE, |octets| {
            let one = made::Zipped { at: Some(0), ..made::zipped("name", b"") };
            let members = [vec![made::zipped("name", b"")], vec![one; octets / 100]];
            read(made::zip(&members.concat()))
        }),
        row("archive: ar, one table of names for all", SIZE, |octets| {
            let table = vec![b'x'; octets / 2];
            let mut out = made::ar(&[("//", &table)]);
            out.extend(made::ar(&[("/0", b"")])[8..].repeat(octets / 2 / 60));
            read(out)
        }),
        row("archive: warc, records of one page", SIZE, |octets| {
            let one = made::response("http://h/", "HTTP/1.1 200 OK\r\nContent-Type: text/html", b"<p>x");
            read(one.repeat(octets / one.len()))
        }),
        row("archive: epub, a long order of reading", SIZE, |octets| {
            let items = "<item id='a' href='a'/><itemref idref='a'/>".repeat(octets / 50);
            read(made::epub(&format!("<package>{items}</package>"), &[("OPS/a", "x")]))
        }),
        row("archive: epub, one label for a whole table", SIZE, |octets| {
            let package = "<package><item id='t' href='t'/><item id='a' href='a'/><spine toc='t'/></package>";
            let (label, content) = ("a b ".repeat(octets / 8), "<content src='a'/>".repeat(octets / 36));
            let table = format!("<ncx><navLabel><text>{label}</text></navLabel>{content}</ncx>");
            read(made::epub(package, &[("OPS/a", "x"), ("OPS/t", &table)]))
        }),
        row("archive: disc, folders that share octets", SIZE, |octets| {
            let sectors = octets / 2048 + 40;
            let size = |sector: usize| u32::try_from((sectors - sector) * 2048).unwrap_or_default();
            let folder = |sector: usize| {
                let at = u32::try_from(sector).unwrap_or_default();
                let mut out = made::record(format!("F{sector}").as_bytes(), at, size(sector), true, b"");
                // No record goes over the end of a sector.
                out.resize(out.len().next_multiple_of(64), 0);
                out
            };
            read(made::disc_of(sectors, &(40..sectors).map(folder).collect::<Vec<_>>(), &[]))
        }),
    ]
}

/// What is in it, and the beginning of each member.
fn read(octets: Vec<u8>) -> Work {
    Box::new(move || {
        let now = jiff::civil::date(2026, 11, 20).at(12, 0, 0, 0);
        let Ok(archive) = Archive::read(&mut Cursor::new(&octets), now, &Stop::new()) else { return };
        black_box((archive.listing(b""), archive.begins()));
        for member in archive.members().iter().take(8) {
            let Ok(found) = archive.open(member, Box::new(Cursor::new(octets.clone())), &Stop::new()) else { continue };
            black_box(found.take(64).read_to_end(&mut Vec::new()).is_ok());
        }
    })
}
