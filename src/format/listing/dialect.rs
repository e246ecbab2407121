//! The forms of listings, a row for each, in the order in which they are tried; and the lines that belong to none.

use super::date::Dates;
use super::words::Words;
use super::{Entry, dos, mainframe, midrange, mlsd, plain, unix, vms};

/// How a form of listing is read.
pub(super) struct Dialect {
    /// What it is called.
    pub name: &'static str,
    /// Reads a line.
    pub read: for<'a> fn(&Dates, &'a [u8]) -> Option<Entry<'a>>,
    /// Whether an entry may take two lines.
    pub wraps: bool,
    /// Whether every name has a version, so that a word without one is no name.
    pub versions: bool,
    /// Whether much else looks like it, so that it is only thought of when nothing else fits.
    pub weak: bool,
}

const fn row(name: &'static str, read: for<'a> fn(&Dates, &'a [u8]) -> Option<Entry<'a>>) -> Dialect {
    Dialect { name, read, wraps: false, versions: false, weak: false }
}

/// Every form, the ones that are surest to tell first.
pub(super) const DIALECTS: &[Dialect] = &[
    row("EPLF", plain::eplf),
    row("MLSD", mlsd::listed),
    row("unix", unix::unix),
    row("unix, numeric", unix::numeric),
    row("NetWare", unix::netware),
    row("DOS", dos::dos),
    Dialect { wraps: true, versions: true, ..row("VMS", vms::vms) },
    row("AS/400", midrange::as400),
    row("MVS", mainframe::data_set),
    row("MVS member", mainframe::member),
    row("MVS load module", mainframe::load_module),
    row("z/VM", mainframe::zvm),
    row("JES", mainframe::job),
    row("NonStop", midrange::nonstop),
    row("HP 3000", midrange::hp3000),
    row("OS-9", dos::os9),
    row("size first", dos::size_first),
    row("name first", dos::name_first),
    row("Chameleon", dos::chameleon),
    Dialect { wraps: true, weak: true, ..row("dls", plain::dls) },
];

/// How headings begin, blank by blank.
const HEADINGS: &[&[&str]] = &[
    &["Total", "of"],
    &["Grand", "total", "of"],
    &["Volume", "Unit"],
    &["Volume", "in", "drive"],
    &["Volume", "Serial", "Number"],
    &["Name", "VV.MM"],
    &["Name", "Size", "TTR"],
    &["File", "Code", "EOF"],
    &["Owner", "Last", "modified"],
    &["FILENAME", "FILETYPE"],
    &["Filename", "FileType"],
    &["Filename", "Filetype"],
    &["JOBNAME", "JOBID"],
    &["ACCOUNT="],
    &["FILENAME", "CODE"],
    &["SIZE", "TYP"],
];

/// The word before the count of blocks, in the languages that `ls` speaks.
const TOTALS: &[&str] = &[
    "total",
    "insgesamt",
    "gesamt",
    "totale",
    "totaal",
    "totalt",
    "yhteensä",
    "razem",
    "celkem",
    "összesen",
    "toplam",
    "итого",
    "合計",
    "合计",
    "总用量",
    "總計",
    "합계",
];

/// Whether a line is a heading, a count or empty: nothing that a reader misses.
pub(super) fn is_noise(line: &[u8]) -> bool {
    let mut words = Words::new(line);
    let Some(first) = words.next() else { return true };
    if TOTALS.iter().any(|total| total.as_bytes() == first) {
        return words.next().is_some_and(|count| count[0].is_ascii_digit()) && words.next().is_none();
    }
    // `ACA:[ANONYMOUS]`: VMS, without the word.
    if first.ends_with(b"]") && memchr::memmem::find(first, b":[").is_some() && words.peek().is_none() {
        return true;
    }
    // `Directory DISK$PCSA:[ANONYM]`, `Directory of C:\`
    if first == b"Directory" {
        return words.last().is_some_and(|place| place.ends_with(b"]") || place.contains(&b':'));
    }
    HEADINGS.iter().any(|heading| {
        let mut words = Words::new(line);
        heading.iter().all(|word| words.next() == Some(word.as_bytes()))
    })
}
