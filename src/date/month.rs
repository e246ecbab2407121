//! The names of months: in English, as the internet's dates have them, and in the languages that servers were seen to speak.

/// The number of a month by its English name, of which three letters count: `Sep`, `Sept`, `september`.
pub(super) fn english(word: &[u8]) -> Option<i8> {
    let &[a, b, c] = word.first_chunk::<3>()?;
    let begins = [a, b, c].map(|b| b.to_ascii_lowercase());
    number(|month| month.english == begins)
}

/// The number of a month, from its name or abbreviation in any language; a full stop or comma after it does not count.
pub fn month(word: &[u8]) -> Option<i8> {
    let end = word.iter().rposition(|b| !matches!(b, b'.' | b',')).map_or(0, |at| at + 1);
    let word = &word[..end];
    match word.len() {
        3 if word.is_ascii() => english(word).or_else(|| named(word)),
        2..=24 if !word[0].is_ascii_digit() => named(word),
        _ => None,
    }
}

/// By one of the names that are longer than three letters, or not English.
fn named(word: &[u8]) -> Option<i8> {
    if word.is_ascii() {
        let is_meant = |name: &&str| name.len() == word.len() && name.as_bytes().eq_ignore_ascii_case(word);
        return number(|month| month.names.iter().any(is_meant));
    }
    let text = match std::str::from_utf8(word) {
        Ok(text) => text.to_lowercase(),
        // Latin-1, or an octet set whose letters stand in the table by the Latin-1 letters in their places.
        Err(_) => word.iter().copied().map(char::from).flat_map(char::to_lowercase).collect(),
    };
    number(|month| month.names.contains(&text.as_str()))
}

/// The number of the first month that is meant.
fn number(is_meant: impl Fn(&Month) -> bool) -> Option<i8> {
    i8::try_from(MONTHS.iter().position(is_meant)? + 1).ok()
}

/// What a month is called.
struct Month {
    /// By three letters, in English.
    english: [u8; 3],
    /// Otherwise.
    names: &'static [&'static str],
}

const fn row(english: &[u8; 3], names: &'static [&'static str]) -> Month {
    Month { english: *english, names }
}

/// A row for each month: English, German, French, Italian, Spanish, Portuguese, Dutch, the northern languages, Polish,
/// Czech, Slovene, Hungarian, Turkish, Russian (UTF-8, then Windows-1251 as its octets look in Latin-1). `jui` is July on
/// French VMS, which cuts at three letters and has June as `JUN`.
const MONTHS: [Month; 12] = [
    row(
        b"jan",
        &[
            "january",
            "jan1",
            "januar",
            "jän",
            "jänner",
            "janv",
            "janvier",
            "gen",
            "gennaio",
            "ene",
            "enero",
            "janeiro",
            "januari",
            "sty",
            "stycznia",
            "led",
            "tammi",
            "oca",
            "янв",
            "января",
            "ÿíâ",
        ],
    ),
    row(
        b"feb",
        &[
            "february",
            "feb2",
            "februar",
            "fév",
            "févr",
            "février",
            "fev",
            "fevr",
            "febbraio",
            "febrero",
            "fbro",
            "fevereiro",
            "februari",
            "lut",
            "lutego",
            "úno",
            "helmi",
            "şub",
            "фев",
            "февр",
            "февраля",
            "ôåâ",
        ],
    ),
    row(
        b"mar",
        &[
            "march",
            "mar3",
            "mär",
            "märz",
            "mrz",
            "maerz",
            "mars",
            "mrs",
            "marzo",
            "mzo",
            "março",
            "mrt",
            "maart",
            "marca",
            "bře",
            "maalis",
            "már",
            "márc",
            "марта",
            "мар",
            "ìàð",
        ],
    ),
    row(
        b"apr",
        &[
            "april",
            "apr4",
            "avr",
            "avril",
            "abr",
            "abril",
            "aprile",
            "kwi",
            "kwietnia",
            "dub",
            "huhti",
            "ápr",
            "nis",
            "апр",
            "апреля",
            "àïð",
        ],
    ),
    row(
        b"may",
        &[
            "may5", "mai", "mag", "maggio", "mayo", "maio", "mei", "maj", "maja", "kvě", "touko", "máj", "май", "мая",
            "ìàé",
        ],
    ),
    row(
        b"jun",
        &[
            "june", "jun6", "juni", "juin", "giu", "giugno", "junio", "junho", "cze", "czerwca", "čer", "kesä", "jún",
            "haz", "июн", "июня", "èþí",
        ],
    ),
    row(
        b"jul",
        &[
            "july", "jul7", "juli", "juil", "jui", "juillet", "lug", "luglio", "julio", "julho", "lip", "lipca", "čec",
            "heinä", "júl", "tem", "июл", "июля", "èþë",
        ],
    ),
    row(
        b"aug",
        &[
            "august",
            "aug8",
            "aoû",
            "août",
            "aout",
            "ago",
            "agosto",
            "agto",
            "augustus",
            "augusti",
            "sie",
            "sierpnia",
            "srp",
            "avg",
            "elo",
            "ağu",
            "авг",
            "августа",
            "àâã",
        ],
    ),
    row(
        b"sep",
        &[
            "september",
            "sept",
            "sep9",
            "sept9",
            "septembre",
            "set",
            "settembre",
            "septiembre",
            "sbre",
            "setembro",
            "wrz",
            "września",
            "zář",
            "syys",
            "szept",
            "eyl",
            "сен",
            "сент",
            "сентября",
            "ñåí",
        ],
    ),
    row(
        b"oct",
        &[
            "october",
            "oct0",
            "okt",
            "oktober",
            "octobre",
            "ott",
            "ottobre",
            "octubre",
            "obre",
            "out",
            "outubro",
            "paź",
            "października",
            "říj",
            "loka",
            "eki",
            "окт",
            "октября",
            "îêò",
        ],
    ),
    row(
        b"nov",
        &[
            "november",
            "nov1",
            "novembre",
            "noviembre",
            "nbre",
            "novembro",
            "lis",
            "listopada",
            "marras",
            "kas",
            "ноя",
            "нояб",
            "ноября",
            "íîÿ",
        ],
    ),
    row(
        b"dec",
        &[
            "december",
            "dec2",
            "dez",
            "dezember",
            "déc",
            "décembre",
            "dic",
            "dicembre",
            "diciembre",
            "dbre",
            "dezembro",
            "des",
            "gru",
            "grudnia",
            "pro",
            "joulu",
            "ara",
            "дек",
            "декабря",
            "äåê",
        ],
    ),
];
