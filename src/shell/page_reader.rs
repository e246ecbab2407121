//! Pages that are read while they arrive, each on a thread of its own: octets go in piece by piece, what has grown of the page
//! comes out as messages.
//!
//! The thread waits while no octets come, and the fetch while the thread is busy, so that a server is read no faster than its
//! page. What comes of a page is shown at once where it is short; a long page is copied for that no more often than that
//! copying takes a small part of the time. What is held back, to be judged or wrapped with what follows, is shown as it is once
//! nothing comes, or so little that nothing is to be seen of it.

use super::copies::Keeping;
use crate::app::{JobId, Msg};
use crate::format::{Grown, Intake, Reader};
use crate::proto::{End, FetchError};
use crate::stop::Stop;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// Pieces that wait to be read.
const DEPTH: usize = 2;
/// One part in so many of the time goes into copies of what has grown.
const SHARE: u32 = 16;
/// While octets come without end a page is shown again after so long at the latest, if its copies have their share.
const LATEST: Duration = Duration::from_millis(100);
/// A page of more octets than this takes twice the memory when it is copied, which is done
const LARGE: usize = 16 << 20;
/// no more often than this. What comes fast is whole before.
const SELDOM: Duration = Duration::from_secs(2);
/// Octets of which nothing is to be seen for so long are shown as if nothing more came, while more do.
const PATIENCE: Duration = Duration::from_millis(300);
/// What was so much, in octets, before anything was to be seen of it comes fast, and is not read twice for that.
const TRICKLE: u64 = 1 << 20;
/// So much, in octets, is read again in no time.
const LITTLE: u64 = 8 << 10;

/// What is said to the thread.
#[derive(Debug)]
pub(super) enum Piece {
    /// The next octets.
    Octets(Vec<u8>),
    /// Nothing has come for a while.
    Pause,
    /// Nothing has come for so long that the reader should see what there is.
    Silence,
    /// All is to be read in this way, from the beginning.
    Again(Box<Intake>),
    /// What has come is enough for the reader.
    Enough,
    /// Nothing more will come.
    End(Result<End, FetchError>),
}

/// Who is told of the page.
#[derive(Debug, Clone)]
pub(super) struct Teller {
    pub id: JobId,
    pub started: Instant,
    pub messages: mpsc::Sender<Msg>,
    /// Who keeps a copy of it once it is whole.
    pub keeping: Option<Keeping>,
}

/// Begins to read a page. It ends when all that was said to it is read, or soon after it is given up.
pub(super) fn begin(intake: Intake, teller: Teller, stop: Stop) -> mpsc::Sender<Piece> {
    let (pieces, inbox) = mpsc::channel(DEPTH);
    tokio::task::spawn_blocking(move || read(intake, inbox, PATIENCE, &teller, &stop));
    pieces
}

fn read(intake: Intake, mut pieces: mpsc::Receiver<Piece>, patience: Duration, teller: &Teller, stop: &Stop) {
    let Some(mut reader) = Reader::new(intake) else { return };
    let (mut pace, mut silences, mut unseen) = (Pace::default(), Pace::default(), Unseen::default());
    while let Some(piece) = pieces.blocking_recv() {
        if stop.is_given_up() {
            return;
        }
        let mut silent = matches!(piece, Piece::Silence);
        let mut shows = match piece {
            Piece::Octets(octets) => {
                reader.take(&octets);
                if reader.is_over() {
                    // Whoever goes on sending finds nobody.
                    return teller.whole(reader, Ok(End::default()), stop);
                }
                silent = unseen.is_for(patience, &reader);
                let large = reader.size() > LARGE;
                reader.is_due() && !large || reader.is_fresh() && pace.allows(pieces.is_empty(), large)
            }
            Piece::Pause => reader.is_fresh() && (reader.size() <= LARGE || pace.allows(true, true)),
            Piece::Silence => false,
            Piece::Again(intake) => reader.begin_again(*intake),
            Piece::Enough => {
                let cut = Teller { keeping: None, ..teller.clone() };
                return cut.whole(reader, Ok(End::default()), stop);
            }
            Piece::End(end) => return teller.whole(reader, end, stop),
        };
        if silent {
            let may = reader.received() <= LITTLE || silences.allows(true, false);
            let so_far = if may { silences.take(|| reader.tentative()) } else { None };
            if let Some(page) = so_far {
                if stop.is_given_up() || !teller.tell(page) {
                    return;
                }
                continue;
            }
            shows |= reader.is_fresh();
        }
        if shows && !stop.is_given_up() && !teller.tell(pace.take(|| reader.grown())) {
            return;
        }
    }
}

impl Teller {
    /// Tells that it has come to its end.
    fn whole(&self, reader: Reader, end: Result<End, FetchError>, stop: &Stop) {
        let page = Box::new(reader.finish());
        let end = match &page.cut {
            Some(cut) => Ok(End { cut: Some(cut.clone()) }),
            None => end,
        };
        let elapsed = self.started.elapsed();
        let keeping = self.keeping.as_ref().filter(|_| matches!(end, Ok(End { cut: None })));
        let seen = keeping.and_then(|keeping| Some((keeping, keeping.seen(&page)?)));
        if !stop.is_given_up() {
            // When the browser has gone there is nobody to tell.
            let _ = self.messages.blocking_send(Msg::Whole { id: self.id, elapsed, page, end });
        }
        // What of it is new comes after it.
        if let Some((keeping, seen)) = seen {
            keeping.keep(seen, Some(self.messages.clone()));
        }
    }

    /// Tells how far it has come; false when the browser has gone.
    fn tell(&self, page: Grown) -> bool {
        let elapsed = self.started.elapsed();
        self.messages.blocking_send(Msg::Grown { id: self.id, elapsed, page: Box::new(page) }).is_ok()
    }
}

/// When the page was copied last, and how long that took.
#[derive(Debug, Default)]
struct Pace {
    last: Option<Instant>,
    cost: Duration,
}

impl Pace {
    fn take<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let done = work();
        (self.last, self.cost) = (Some(Instant::now()), began.elapsed());
        done
    }

    /// Whether another copy may be made; `quiet` when nothing more has come so far, `large` when it is a large one.
    fn allows(&self, quiet: bool, large: bool) -> bool {
        let least = match large {
            true => SELDOM,
            false if quiet => Duration::ZERO,
            false => LATEST,
        };
        self.last.is_none_or(|last| last.elapsed() >= least.max(self.cost * SHARE))
    }
}

/// Since when octets have come of which the page shows nothing.
#[derive(Debug, Default)]
struct Unseen {
    since: Option<Instant>,
    /// How much of the page was written, in octets of text and in blocks, when octets came last.
    written: (usize, usize),
}

impl Unseen {
    /// Octets have come: whether nothing was to be seen of them for so long, and it is time again to show what there is.
    fn is_for(&mut self, patience: Duration, reader: &Reader) -> bool {
        let written = (reader.document().text().len(), reader.document().blocks().len());
        if std::mem::replace(&mut self.written, written) != written {
            self.since = None;
        }
        let long = self.since.get_or_insert_with(Instant::now).elapsed() >= patience && reader.received() <= TRICKLE;
        if long {
            self.since = None;
        }
        long
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Input, media};
    use crate::url::Url;

    fn intake(media: &str, charset: Option<&str>) -> Intake {
        let url = Url::parse("http://h/").unwrap();
        let input = Input {
            media: media.into(),
            charset: charset.map(Into::into),
            url,
            groups: Default::default(),
            notices: Vec::new(),
        };
        Intake { input, title: Some("A title".into()), keep: 1 << 20, memory: 4 << 20 }
    }

    fn teller(messages: mpsc::Sender<Msg>) -> Teller {
        Teller { id: JobId(7), started: Instant::now(), messages, keeping: None }
    }

    /// Everything that is told of a page, the last message first.
    async fn told(mut inbox: mpsc::Receiver<Msg>) -> Vec<Msg> {
        let mut all = Vec::new();
        while let Some(message) = inbox.recv().await {
            all.insert(0, message);
        }
        all
    }

    #[tokio::test]
    async fn a_page_grows_and_is_whole_at_its_end() {
        let (messages, inbox) = mpsc::channel(4);
        let pieces = begin(intake(media::PLAIN, None), teller(messages), Stop::new());
        let told = tokio::spawn(told(inbox));
        for number in 0..1000 {
            let line = format!("This is line {number} of a long page.\n");
            pieces.send(Piece::Octets(line.into_bytes())).await.unwrap();
        }
        pieces.send(Piece::End(Ok(End::default()))).await.unwrap();
        let told = told.await.unwrap();
        let Msg::Whole { id: JobId(7), page, end: Ok(_), .. } = &told[0] else { panic!("{:?}", told[0]) };
        assert_eq!(page.page.document.blocks().len(), 1000);
        assert_eq!(page.source.as_ref().unwrap().len() as u64, page.page.received);
        assert_eq!(page.page.document.title.as_deref(), Some("A title"));
        let whole = page.page.document.text().to_owned();
        assert!(told.len() > 5, "{} messages", told.len());
        for message in &told[1..] {
            let Msg::Grown { page, .. } = message else { panic!("{message:?}") };
            assert!(whole.starts_with(page.document.text()));
        }
    }

    #[test]
    fn a_large_page_that_comes_fast_is_not_copied_on_its_way() {
        let now = Pace { last: Some(Instant::now()), cost: Duration::ZERO };
        assert!(now.allows(true, false), "a small one, as soon as nothing more has come");
        assert!(!now.allows(true, true), "a large one, which is twice the memory");
        let before = Instant::now().checked_sub(SELDOM).expect("a clock that began before");
        assert!(Pace { last: Some(before), ..now }.allows(false, true), "but when it comes slowly");
    }

    #[tokio::test]
    async fn a_page_that_holds_too_much_memory_is_cut_and_its_server_stopped() {
        let (messages, inbox) = mpsc::channel(4);
        let pieces = begin(intake(media::PLAIN, None), teller(messages), Stop::new());
        let told = tokio::spawn(told(inbox));
        let mut sent = 0;
        // Without end, if it were for the server.
        while pieces.send(Piece::Octets(b"a line\n".repeat(8192))).await.is_ok() {
            sent += 1;
            assert!(sent < 1000, "it takes all that comes");
        }
        let told = told.await.unwrap();
        let Msg::Whole { page, end: Ok(End { cut: Some(cut) }), .. } = &told[0] else { panic!("{:?}", told[0]) };
        assert!(cut.contains("4.2 MB of memory"), "{cut}");
        let held = page.page.document.memory();
        assert!((2 << 20..8 << 20).contains(&held), "{held}");
    }

    #[tokio::test]
    async fn what_has_come_is_shown_when_nothing_more_comes() {
        let (messages, mut inbox) = mpsc::channel(4);
        let pieces = begin(intake(media::PLAIN, None), teller(messages), Stop::new());
        pieces.send(Piece::Octets(b"one\ntwo".to_vec())).await.unwrap();
        let Some(Msg::Grown { page, .. }) = inbox.recv().await else { panic!("nothing came") };
        assert_eq!(page.document.text(), "one");
        pieces.send(Piece::Octets(b"\nthree\n".to_vec())).await.unwrap();
        pieces.send(Piece::Pause).await.unwrap();
        let Some(Msg::Grown { page, .. }) = inbox.recv().await else { panic!("nothing came") };
        assert_eq!(page.document.text(), "onetwothree");
    }

    #[tokio::test]
    async fn a_small_page_without_a_charset_is_shown_when_it_stalls() {
        let (messages, inbox) = mpsc::channel(4);
        let pieces = begin(intake(media::HTML, None), teller(messages), Stop::new());
        let told = tokio::spawn(told(inbox));
        pieces.send(Piece::Octets("<p>coffee</p>".repeat(10).into())).await.unwrap();
        pieces.send(Piece::Pause).await.unwrap();
        pieces.send(Piece::Silence).await.unwrap();
        pieces.send(Piece::Octets(b"<p>more".to_vec())).await.unwrap();
        pieces.send(Piece::End(Ok(End::default()))).await.unwrap();
        let told = told.await.unwrap();
        let Msg::Whole { page, .. } = &told[0] else { panic!("{:?}", told[0]) };
        assert_eq!(page.page.document.text(), "coffee".repeat(10) + "more");
        let shown = |message: &Msg| matches!(message, Msg::Grown { page, .. } if page.received < 150 && page.document.text().contains("coffee"));
        assert!(told.iter().any(shown), "nothing was shown while it stalled");
    }

    /// A server that sends a line now and then is never silent.
    #[tokio::test]
    async fn a_page_that_trickles_in_is_shown_whatever_letters_it_begins_with() {
        let plain = "<title>Tea</title>".to_string();
        for (charset, title) in [
            (None, &plain),
            (None, &plain.replace('a', "\u{e9}")),
            (Some("utf-8"), &plain.replace('a', "\u{e9}")),
            (Some("utf-8"), &plain.replace('a', "\u{202e}")),
            (Some("iso-8859-1"), &plain.replace('a', "\u{e9}")),
        ] {
            let (messages, inbox) = mpsc::channel(4);
            let (pieces, waiting) = mpsc::channel(DEPTH);
            let (page, teller) = (intake(media::HTML, charset), teller(messages));
            tokio::task::spawn_blocking(move || read(page, waiting, Duration::ZERO, &teller, &Stop::new()));
            let (shown, mut is_shown) = tokio::sync::oneshot::channel();
            let looked = tokio::spawn(looked(inbox, shown));
            pieces.send(Piece::Octets(title.clone().into())).await.unwrap();
            let mut rows = 0;
            // It comes for as long as nothing of it is to be seen.
            while is_shown.try_recv().is_err() {
                assert!(rows < 50, "{title} in {charset:?}: nothing was shown while it came");
                rows += 1;
                pieces.send(Piece::Octets(format!("<p>row {rows}</p>").into())).await.unwrap();
                pieces.send(Piece::Pause).await.unwrap();
            }
            pieces.send(Piece::End(Ok(End::default()))).await.unwrap();
            let whole = looked.await.unwrap();
            assert!(whole.ends_with(&format!("row {rows}")), "{title} in {charset:?}: {whole}");
        }
    }

    /// Says when a row of a page is shown, and gives the text of all of it.
    async fn looked(mut inbox: mpsc::Receiver<Msg>, shown: tokio::sync::oneshot::Sender<()>) -> String {
        let mut shown = Some(shown);
        loop {
            match inbox.recv().await {
                Some(Msg::Grown { page, .. }) if page.document.text().contains("row 1") => {
                    shown.take().map(|shown| shown.send(()));
                }
                Some(Msg::Whole { page, .. }) => return page.page.document.text().to_owned(),
                Some(_) => {}
                None => return String::new(),
            }
        }
    }

    /// What of a page is not written before its end has come is there while nothing comes, and does not go again.
    #[tokio::test]
    async fn a_page_that_stalls_in_a_paragraph_shows_all_that_has_come() {
        for (kind, begin, more) in [
            (media::HTML, "<p>first</p><p>an <b>unfinished paragraph", " goes on</b> with words<p>more"),
            (media::PLAIN, "first\nan unfinished line", " goes on\nmore\n"),
            (media::PLAIN, "first\nsee http://h/\nand an unfinished line", " goes on\n\nmore\n"),
            (media::GEMTEXT, "first\nan unfinished line", " goes on\nmore\n"),
        ] {
            let (messages, inbox) = mpsc::channel(4);
            let pieces = begin_utf8(kind, messages);
            let told = tokio::spawn(told(inbox));
            let say = async |piece: Piece| pieces.send(piece).await.unwrap();
            say(Piece::Octets(begin.into())).await;
            say(Piece::Pause).await;
            say(Piece::Silence).await;
            let (one, two) = more.split_at(5);
            say(Piece::Octets(one.into())).await;
            say(Piece::Pause).await;
            say(Piece::Octets(two.into())).await;
            say(Piece::Pause).await;
            say(Piece::End(Ok(End::default()))).await;
            let mut told = told.await.unwrap();
            told.reverse();
            let shown = |message: &Msg| match message {
                Msg::Grown { page, .. } => page.document.text().contains("unfinished"),
                Msg::Whole { page, .. } => page.page.document.text().contains("goes on"),
                _ => false,
            };
            let first = told.iter().position(shown).unwrap();
            assert!(first + 1 < told.len(), "{kind}: it is there before the end");
            assert!(told[first..].iter().all(shown), "{kind}: what was shown goes again: {told:?}");
        }
    }

    fn begin_utf8(kind: &str, messages: mpsc::Sender<Msg>) -> mpsc::Sender<Piece> {
        begin(intake(kind, Some("utf-8")), teller(messages), Stop::new())
    }

    #[tokio::test]
    async fn a_page_is_read_again_in_another_way_while_it_comes() {
        let (messages, inbox) = mpsc::channel(8);
        let pieces = begin(intake(media::PLAIN, Some("iso-8859-1")), teller(messages), Stop::new());
        let told = tokio::spawn(told(inbox));
        pieces.send(Piece::Octets(b"caf\xc3\xa9\n".to_vec())).await.unwrap();
        pieces.send(Piece::Again(Box::new(intake(media::PLAIN, Some("utf-8"))))).await.unwrap();
        pieces.send(Piece::Octets(b"th\xc3\xa9\n".to_vec())).await.unwrap();
        pieces.send(Piece::End(Ok(End { cut: Some("short".into()) }))).await.unwrap();
        let told = told.await.unwrap();
        let Msg::Whole { page, end, .. } = &told[0] else { panic!("{:?}", told[0]) };
        assert_eq!((page.page.document.text(), end.clone().unwrap().cut.as_deref()), ("caféthé", Some("short")));
        assert_eq!(page.page.received, 11);
    }

    #[tokio::test]
    async fn a_page_that_is_given_up_ends_and_says_nothing_more() {
        let (messages, mut inbox) = mpsc::channel(8);
        let stop = Stop::new();
        let pieces = begin(intake(media::PLAIN, None), teller(messages), stop.clone());
        pieces.send(Piece::Octets(b"one\n".to_vec())).await.unwrap();
        assert!(inbox.recv().await.is_some());
        stop.give_up();
        pieces.send(Piece::End(Ok(End::default()))).await.unwrap();
        pieces.closed().await;
        assert_eq!(inbox.recv().await, None);
    }

    #[tokio::test]
    async fn a_thread_whose_fetch_has_gone_ends() {
        let (messages, mut inbox) = mpsc::channel(8);
        let pieces = begin(intake(media::PLAIN, None), teller(messages), Stop::new());
        pieces.send(Piece::Octets(b"one\n".to_vec())).await.unwrap();
        drop(pieces);
        assert!(matches!(inbox.recv().await, Some(Msg::Grown { .. })));
        assert_eq!(inbox.recv().await, None);
    }

    #[tokio::test]
    async fn octets_wait_while_the_page_is_not_taken() {
        let (messages, mut inbox) = mpsc::channel(1);
        let pieces = begin(intake(media::PLAIN, None), teller(messages), Stop::new());
        let mut sent = 0;
        // Each piece is a message, as it doubles the page; nobody takes them.
        let line = |number: u32| "x".repeat(4096 << number) + "\n";
        while let Ok(permit) = pieces.try_reserve() {
            permit.send(Piece::Octets(line(sent).into_bytes()));
            sent += 1;
            assert!(sent < 12, "the fetch goes on without end");
            tokio::task::yield_now().await;
        }
        let more = tokio::spawn(async move { pieces.send(Piece::Octets(b"more\n".to_vec())).await });
        while inbox.recv().await.is_some() {}
        assert!(more.await.unwrap().is_ok());
    }
}
