//! Files in parts: each part looked over before it is believed, and the whole at its end.

use super::{input, parse_in};
use wayfarer::doc::LinkId;
use wayfarer::format::media;
use wayfarer::format::message::joined::Joiner;

fn crc(octets: &[u8]) -> u32 {
    !octets.iter().fold(u32::MAX, |crc, octet| {
        (0..8).fold(crc ^ u32::from(*octet), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 })
    })
}

fn encoded(octets: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for line in octets.chunks(128) {
        for octet in line {
            match octet.wrapping_add(42) {
                critical @ (0 | b'\n' | b'\r' | b'=') => out.extend([b'=', critical.wrapping_add(64)]),
                plain => out.push(plain),
            }
        }
        out.extend(b"\r\n");
    }
    out
}

fn article(subject: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("From: a@x\r\nSubject: {subject}\r\nMessage-ID: <{}@x>\r\n\r\n", subject.len());
    [head.as_bytes(), b"Some words.\r\n\r\n", body, b"-- \r\nSigned\r\n"].concat()
}

/// An article with a part as its poster wrote it; `change` makes it another one.
fn part(whole: &[u8], number: usize, of: usize, change: impl Fn(String) -> String) -> Vec<u8> {
    let size = whole.len().div_ceil(of);
    let (from, to) = ((number - 1) * size, (number * size).min(whole.len()));
    let begin = format!("=ybegin part={number} total={of} line=128 size={} name=photo.jpg\r\n", whole.len());
    let place = format!("=ypart begin={} end={to}\r\n", from + 1);
    let own = &whole[from..to];
    let last = if number == of { format!(" crc32={:08x}", crc(whole)) } else { String::new() };
    let end = format!("=yend size={} part={number} pcrc32={:08x}{last}\r\n", own.len(), crc(own));
    let body = [change(begin + &place).into_bytes(), encoded(own), change(end).into_bytes()].concat();
    article(&format!("photo.jpg ({number}/{of})"), &body)
}

fn photo() -> Vec<u8> {
    (0..1000_u32).flat_map(|n| (n * n).to_le_bytes()).collect()
}

fn joined(articles: &[Vec<u8>]) -> Result<Vec<u8>, String> {
    let mut joiner = Joiner::new(articles.len() as u64)?;
    let mut out = Vec::new();
    for article in articles {
        out.extend(joiner.part(article)?);
    }
    joiner.finish().map(|()| out)
}

#[test]
fn parts_of_yenc_come_together_and_tell_what_they_are() {
    let whole = photo();
    let all: Vec<_> = (1..=7).map(|number| part(&whole, number, 7, |line| line)).collect();
    assert_eq!(joined(&all), Ok(whole.clone()));
    let mut joiner = Joiner::new(7).unwrap();
    joiner.part(&all[0]).unwrap();
    let facts = joiner.facts().unwrap();
    assert_eq!((facts.name.as_str(), facts.media.as_str(), facts.size), ("photo.jpg", "image/jpeg", Some(4000)));
}

#[test]
fn parts_that_lie_are_refused_with_a_sentence() {
    let whole = photo();
    type Change = fn(String) -> String;
    let rows: &[(usize, Change, &str)] = &[
        (2, |l| l.replace("part=2", "part=3"), "Part 2 of 3 cannot be joined: it says that it is part 3."),
        (2, |l| l.replace("total=3", "total=4"), "it says that there are 4 parts"),
        (2, |l| l.replace("name=photo", "name=other"), "it is of another file"),
        (2, |l| l.replace("size=4000", "size=4001"), "it is of another file"),
        (2, |l| l.replace("begin=1335", "begin=1000"), "begins at octet 1000 and not at 1335: the parts overlap"),
        (2, |l| l.replace("begin=1335", "begin=1400"), "the parts leave a hole"),
        (2, |l| l.replace("end=2668", "end=9999"), "it goes on behind the end of the file"),
        (2, |l| l.replace("end=2668", "end=2669"), "its size is not what it says"),
        (2, |l| l.replace("=ypart", "=ypert"), "it does not say where in the file it belongs"),
        (2, |l| l.replace("pcrc32=", "pcrc32=1 x="), "its checksum is wrong"),
        (2, |l| l.replace("=yend", "=yand"), "its end is missing"),
        (1, |l| l.replace("size=4000", "size=99999999999"), "more octets than so many parts can hold"),
        (1, |l| l.replace("=ybegin part=1 total=3", "=ybegin"), "it says that it is a file of its own"),
        (3, |l| l.replace(" crc32=", " crc32=1 x="), "The checksum of the whole file is wrong"),
    ];
    for (wrong, change, why) in rows {
        let all: Vec<_> =
            (1..=3).map(|n| if n == *wrong { part(&whole, n, 3, change) } else { part(&whole, n, 3, |l| l) }).collect();
        let said = joined(&all).unwrap_err();
        assert!(said.contains(why), "{why}: {said}");
    }
    let short: Vec<_> = (1..=3).map(|n| part(&whole, n, 4, |l| l.replace("total=4", "total=3"))).collect();
    assert!(joined(&short).unwrap_err().contains("The file has 3,000 octets and says that it has 4,000"));
    let said = Joiner::new(1_000_000_000).err().unwrap();
    assert_eq!(said, "A file in 1000000000 parts is not joined: 2000 are the most.");
    assert!(joined(&[article("photo (1/2)", b"no file\r\n")]).unwrap_err().contains("no file that is known"));
}

/// As `uuencode` writes it.
fn uu(octets: &[u8]) -> Vec<String> {
    let letter = |six: u32| char::from(b' ' + u8::try_from(six & 63).unwrap()).to_string().replace(' ', "`");
    let line = |line: &[u8]| {
        let groups = line.chunks(3).map(|group| {
            let bits = group.iter().chain([&0, &0]).take(3).fold(0, |bits, octet| bits << 8 | u32::from(*octet));
            [18, 12, 6, 0].map(|shift| letter(bits >> shift)).concat()
        });
        letter(u32::try_from(line.len()).unwrap()) + &groups.collect::<String>()
    };
    octets.chunks(45).map(line).collect()
}

#[test]
fn parts_of_a_uuencoded_file_come_together() {
    let whole = photo();
    let mut lines = vec!["begin 644 photo.jpg".to_owned()];
    lines.extend(uu(&whole));
    lines.extend(["`".to_owned(), "end".to_owned()]);
    for cut in [30, lines.len() - 3, lines.len() - 1] {
        let (one, other) = lines.split_at(cut);
        let text = |lines: &[String]| lines.iter().map(|line| format!("{line}\r\n")).collect::<String>();
        let articles =
            [article("photo.jpg (1/2)", text(one).as_bytes()), article("photo.jpg (2/2)", text(other).as_bytes())];
        assert_eq!(joined(&articles), Ok(whole.clone()), "{cut}");
        assert_eq!(joined(&articles[..1]), Err("The end of the file is missing.".into()));
    }
}

#[test]
fn the_page_of_a_part_leads_to_the_file_in_one_piece() {
    let page = |octets: &[u8]| parse_in(&input(media::MESSAGE, "news:1@x"), octets, octets.len());
    let whole = photo();
    let document = page(&part(&whole, 2, 7, |l| l));
    assert!(document.text().contains("photo.jpg  image/jpeg, 572 B, yEnc, part 2 of 7"), "{}", document.text());
    assert!(document.text().contains("join all 7 parts: photo.jpg  4.0 kB"), "{}", document.text());
    let links: Vec<_> = (0..document.link_count()).filter_map(|n| document.reference(LinkId(n))).collect();
    assert!(links.contains(&"mid:15@x/joined"), "{links:?}");
    // The middle of a uuencoded file is no text.
    let middle = uu(&whole)[10..40].join("\r\n") + "\r\n";
    let document = page(&article("photo.jpg (2/7)", middle.as_bytes()));
    assert!(document.text().contains("uuencoded") && document.text().contains("join all 7 parts"));
    assert!(!document.text().contains(&uu(&whole)[12]), "{}", document.text());
    // So many are not offered, nor one that is whole.
    let many = page(&part(&whole, 2, 7, |l| l.replace("total=7", "total=1000000000")));
    assert!(many.text().contains("part 2 of 1000000000") && !many.text().contains("join all"), "{}", many.text());
    let alone = page(&article("photo.jpg", b"begin 644 x\r\n#0V%T\r\n`\r\nend\r\n"));
    assert!(!alone.text().contains("join all"), "{}", alone.text());
}
