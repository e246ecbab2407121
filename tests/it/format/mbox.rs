//! Mailboxes in one file: where messages begin, what is quoted, however the octets are cut.

use wayfarer::format::mbox::{Overviews, Single, is_envelope, is_mbox, write};

const BOX: &[u8] = b"From ann@h Thu Jan  2 10:00:00 2025\nFrom: Ann <ann@h>\nSubject: One\n two\nMessage-ID: <1@h>\n\n\
    >From here\n>>From there\nFrom what follows nothing begins 10:00 2025\n\nFrom nobody\n\n\
    From b@h Thu Jan  2 10:01 2025 remote from here\r\nfrom: Bob\r\nsubject:\tTwo\r\nSubject: no\r\nIn-Reply-To: <1@h>\r\n\r\nx\r\n\r\n";

fn overviews(octets: &[u8], step: usize) -> String {
    let (mut found, mut out) = (Overviews::new(), Vec::new());
    let place = |at: u64| format!("file:///b?message={at}");
    octets.chunks(step).for_each(|chunk| found.feed(chunk, &place, &mut out));
    found.finish(&place, &mut out);
    String::from_utf8(out).unwrap()
}

fn single(octets: &[u8], step: usize) -> Option<Vec<u8>> {
    let (mut message, mut out) = (Single::default(), Vec::new());
    octets.chunks(step).for_each(|chunk| message.feed(chunk, &mut out));
    message.finish(&mut out);
    (!message.is_wrong()).then_some(out)
}

#[test]
fn a_mailbox_is_known_by_its_first_lines() {
    assert!(is_mbox(BOX));
    for no in [
        "From what I know, 10:00 is late in 2025\nSubject to change.\n",
        "From: Ann\nSubject: x\n",
        "From ann@h Thu Jan  2 2025\nSubject: x\n",
        "From ann@h Thu Jan  2 10:00:00 2025",
        "",
    ] {
        assert!(!is_mbox(no.as_bytes()), "{no}");
    }
    assert!(is_envelope(b"From - Thu Jan  2 10:00:00 2025"));
    assert!(is_envelope(b"From MAILER-DAEMON Thu Jan 02 10:00:00 +0100 2025"));
}

#[test]
fn messages_are_listed_however_the_octets_are_cut() {
    let whole = overviews(BOX, BOX.len());
    let second = BOX.windows(9).position(|w| w == b"From b@h ").unwrap();
    let rows: Vec<Vec<&str>> = whole.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 2, "{whole}");
    assert_eq!(rows[0][..6], ["1", "One two", "Ann <ann@h>", "", "<1@h>", ""]);
    assert_eq!(rows[1][..6], [&(second + 1).to_string(), "Two", "Bob", "", "", "<1@h>"]);
    assert_eq!(rows[1][8], format!("file:///b?message={second}"));
    for step in [1, 7, 64] {
        assert_eq!(overviews(BOX, step), whole, "by {step}");
    }
}

#[test]
fn a_message_ends_where_the_next_begins_and_its_lines_are_its_own_again() {
    let first = single(BOX, BOX.len()).unwrap();
    let text = String::from_utf8(first.clone()).unwrap();
    assert!(text.starts_with("From: Ann <ann@h>\n"), "{text}");
    assert!(
        text.ends_with("\nFrom here\n>From there\nFrom what follows nothing begins 10:00 2025\n\nFrom nobody\n"),
        "{text}"
    );
    for step in [1, 7, 64] {
        assert_eq!(single(BOX, step), Some(first.clone()), "by {step}");
    }
    assert_eq!(single(&BOX[1..], 7), None, "no message begins there");
    let long = [
        &b"From a Thu Jan  2 10:00:00 2025\nSubject: x\n\n"[..],
        &b"y".repeat(100_000),
        b"\n\nFrom a Thu Jan  2 10:00:00 2025\n",
    ]
    .concat();
    for step in [1, 1000, 200_000] {
        assert_eq!(single(&long, step).unwrap().len(), "Subject: x\n\n\n".len() + 100_000, "by {step}");
    }
}

/// What is written comes back, whatever lines it has.
#[test]
fn what_is_written_is_read_again() {
    let messages: [&[u8]; 4] = [
        b"Subject: a\n\nFrom ann@h Thu Jan  2 10:00:00 2025\nSubject: no message\n",
        b"Subject: b\n\n>From x\n>>From y\nFrom z\n\n\nFrom ann@h Thu Jan  2 10:00:00 2025\n",
        b"Subject: c\n\n\n",
        b"Subject: d\n\nx",
    ];
    let mut all = Vec::new();
    let mut starts = Vec::new();
    for message in messages {
        starts.push(all.len());
        write(message, "a b\nFrom c", "Thu Jan  2 10:00:00 2025", &mut all);
    }
    assert_eq!(overviews(&all, 7).lines().count(), messages.len(), "{}", String::from_utf8_lossy(&all));
    for (start, message) in starts.into_iter().zip(messages) {
        let read = single(&all[start..], 7).unwrap();
        assert_eq!(read.trim_ascii_end(), message.trim_ascii_end(), "{}", String::from_utf8_lossy(message));
    }
}

#[test]
fn a_header_without_end_is_not_held() {
    let header = [&b"From a Thu Jan  2 10:00:00 2025\nSubject: "[..], &b"x".repeat(1 << 20), b"\n\nbody\n"].concat();
    let line = overviews(&header, 4096);
    assert!(line.len() < 20_000, "{}", line.len());
    let folded = [&b"From a Thu Jan  2 10:00:00 2025\nSubject: x\n"[..], &b" y\n".repeat(1 << 20)].concat();
    assert!(overviews(&folded, 4096).len() < 20_000);
}
