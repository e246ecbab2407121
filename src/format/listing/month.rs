//! Names of months, as `ls` and its kin write them in the languages that servers were seen to speak.

/// The number of a month, from its name or abbreviation; a full stop or comma after it does not count.
pub(super) fn month(word: &[u8]) -> Option<i8> {
    let end = word.iter().rposition(|b| !matches!(b, b'.' | b',')).map_or(0, |at| at + 1);
    let word = &word[..end];
    match *word {
        [a, b, c] if word.is_ascii() => english([a, b, c]).or_else(|| foreign(word)),
        _ if (2..=24).contains(&word.len()) && !word[0].is_ascii_digit() => foreign(word),
        _ => None,
    }
}

fn english(word: [u8; 3]) -> Option<i8> {
    Some(match &word.map(|b| b.to_ascii_lowercase()) {
        b"jan" => 1,
        b"feb" => 2,
        b"mar" => 3,
        b"apr" => 4,
        b"may" => 5,
        b"jun" => 6,
        b"jul" => 7,
        b"aug" => 8,
        b"sep" => 9,
        b"oct" => 10,
        b"nov" => 11,
        b"dec" => 12,
        _ => return None,
    })
}

fn foreign(word: &[u8]) -> Option<i8> {
    let text = match std::str::from_utf8(word) {
        Ok(text) => text.to_lowercase(),
        // Latin-1, or an octet set whose letters stand in the table by the Latin-1 letters in their places.
        Err(_) => word.iter().copied().map(char::from).flat_map(char::to_lowercase).collect(),
    };
    let row = MONTHS.iter().position(|names| names.split(' ').any(|name| name == text))?;
    i8::try_from(row + 1).ok()
}

/// A row for each month. English, German, French, Italian, Spanish, Portuguese, Dutch, the northern languages, Polish,
/// Czech, Slovene, Hungarian, Turkish, Russian (UTF-8, then Windows-1251 as its octets look in Latin-1). `jui` is July on
/// French VMS, which cuts at three letters and has June as `JUN`.
const MONTHS: [&str; 12] = [
    "january jan1 januar jän jänner janv janvier gen gennaio ene enero janeiro januari sty stycznia led tammi oca янв января ÿíâ",
    "february feb2 februar fév févr février fev fevr febbraio febrero fbro fevereiro februari lut lutego úno helmi şub фев февр февраля ôåâ",
    "march mar3 mär märz mrz maerz mars mrs marzo mzo março mrt maart marca bře maalis már márc марта мар ìàð",
    "april apr4 avr avril abr abril aprile kwi kwietnia dub huhti ápr nis апр апреля àïð",
    "may5 mai mag maggio mayo maio mei maj maja kvě touko máj май мая ìàé",
    "june jun6 juni juin giu giugno junio junho cze czerwca čer kesä jún haz июн июня èþí",
    "july jul7 juli juil jui juillet lug luglio julio julho lip lipca čec heinä júl tem июл июля èþë",
    "august aug8 aoû août aout ago agosto agto augustus augusti sie sierpnia srp avg elo ağu авг августа àâã",
    "september sept sep9 sept9 septembre set settembre septiembre sbre setembro wrz września zář syys szept eyl сен сент сентября ñåí",
    "october oct0 okt oktober octobre ott ottobre octubre obre out outubro paź października říj loka eki окт октября îêò",
    "november nov1 novembre noviembre nbre novembro lis listopada marras kas ноя нояб ноября íîÿ",
    "december dec2 dez dezember déc décembre dic dicembre diciembre dbre dezembro des gru grudnia pro joulu ara дек декабря äåê",
];
