//! The notation of the journeys: each step is a line, each expectation takes the effects that the step had.

use std::time::Duration;
use wayfarer::app::{
    App, Effect, FetchId, Kept, KeptDownload, Msg, Overlay, PageState, Screen, SiteChoice, Transfer, command_names,
    update,
};
use wayfarer::config::Settings;
use wayfarer::doc::Anchor;
use wayfarer::format::media;
use wayfarer::keys::{Code, Key, Keymap};
use wayfarer::proto::{End, FetchError, FetchEvent, Head, Request, Stage, Verdict};
use wayfarer::url::Url;

pub struct Journey {
    pub app: App,
    /// Effects that no expectation has taken yet.
    pub effects: Vec<Effect>,
    /// The fetches in the order in which they were asked for.
    pub fetches: Vec<(FetchId, Request)>,
    /// The downloads that were to be kept for the next run.
    pub kept: Vec<KeptDownload>,
}

pub fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

/// A gopher menu of rows `TYPE|text|selector`, all on one host.
pub fn menu(host: &str, rows: &[&str]) -> Vec<u8> {
    let mut out = String::new();
    for row in rows {
        let mut cells = row.splitn(3, '|');
        let (item, text, selector) = (cells.next().unwrap(), cells.next().unwrap_or(""), cells.next().unwrap_or(""));
        out.push_str(&format!("{item}{text}\t{selector}\t{host}\t70\r\n"));
    }
    out.push_str(".\r\n");
    out.into_bytes()
}

/// A menu of `count` texts, item N leading to /0/N.
pub fn long_menu(host: &str, count: usize) -> Vec<u8> {
    let rows: Vec<String> = (1..=count).map(|n| format!("0|Item number {n}|/{n}")).collect();
    menu(host, &rows.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Lines of text without links.
pub fn lines(count: usize) -> Vec<u8> {
    (1..=count).map(|n| format!("This is line {n}.\n")).collect::<String>().into_bytes()
}

pub fn head(of: &str, media: &str) -> Head {
    Head::new(url(of), media)
}

impl Journey {
    /// An 80×24 terminal with the default keys.
    pub fn new() -> Journey {
        Journey::sized(80, 24)
    }

    pub fn sized(columns: u16, rows: u16) -> Journey {
        let mut errors = Vec::new();
        let keymap = Keymap::preset("default", &command_names(), &mut errors).unwrap();
        let app = App::new(Settings::default(), keymap, Screen { columns, rows });
        Journey { app, effects: Vec::new(), fetches: Vec::new(), kept: Vec::new() }
    }

    /// A journey that has arrived at a menu of the host `h`.
    pub fn at(rows: &[&str]) -> Journey {
        Journey::new().open("gopher://h/").answer(media::MENU, &menu("h", rows)).quiet()
    }

    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if let Effect::Fetch { id, request } | Effect::Download { id, request, .. } = &effect {
                self.fetches.push((*id, request.clone()));
            }
            match effect {
                Effect::Keep(Kept::Download(kept)) => self.kept.push(*kept),
                effect => self.effects.push(effect),
            }
        }
    }

    pub fn send(mut self, message: Msg) -> Journey {
        let effects = update(&mut self.app, message);
        self.take(effects);
        self
    }

    pub fn open(mut self, text: &str) -> Journey {
        let effects = self.app.open(url(text));
        self.take(effects);
        self
    }

    /// A command by its name.
    pub fn run(mut self, line: &str) -> Journey {
        let effects = self.app.run(line);
        self.take(effects);
        self
    }

    /// Keys by their names, with spaces between.
    pub fn keys(mut self, names: &str) -> Journey {
        for name in names.split(' ') {
            let key = Key::named(name).unwrap_or_else(|| panic!("no key {name}"));
            self = self.send(Msg::Key(key));
        }
        self
    }

    /// Characters, each a key.
    pub fn text(mut self, text: &str) -> Journey {
        for c in text.chars() {
            self = self.send(Msg::Key(Key::plain(Code::Char(c))));
        }
        self
    }

    pub fn resize(self, columns: u16, rows: u16) -> Journey {
        self.send(Msg::Resize(columns, rows))
    }

    pub fn last(&self) -> FetchId {
        self.fetches.last().expect("a fetch").0
    }

    pub fn event(self, event: FetchEvent) -> Journey {
        let id = self.last();
        self.event_of(id, event)
    }

    pub fn event_of(self, id: FetchId, event: FetchEvent) -> Journey {
        self.send(Msg::Fetch { id, elapsed: Duration::from_millis(80), event })
    }

    pub fn stage(self, stage: Stage) -> Journey {
        self.event(FetchEvent::Stage(stage))
    }

    /// The head of the last fetch's own URL.
    pub fn head(self, media: &str) -> Journey {
        let of = self.fetches.last().expect("a fetch").1.url.as_str().to_owned();
        self.event(FetchEvent::Head(Box::new(head(&of, media))))
    }

    pub fn body(self, octets: &[u8]) -> Journey {
        self.event(FetchEvent::Body(octets.to_vec()))
    }

    pub fn end(self) -> Journey {
        self.event(FetchEvent::End(End::default()))
    }

    pub fn fail(self, error: FetchError) -> Journey {
        self.event(FetchEvent::Failed(error))
    }

    /// The whole of an answer: the fetch was sent, its head is accepted, its body comes and ends.
    pub fn answer(mut self, media: &str, octets: &[u8]) -> Journey {
        self.effects.retain(|effect| !matches!(effect, Effect::Fetch { .. }));
        let id = self.last();
        self.head(media).expect(Effect::Verdict { id, verdict: Verdict::Accept }).body(octets).end()
    }

    /// An answer that ends early.
    pub fn answer_cut(mut self, media: &str, octets: &[u8]) -> Journey {
        self.effects.retain(|effect| !matches!(effect, Effect::Fetch { .. }));
        let id = self.last();
        let whole = self.head(media).expect(Effect::Verdict { id, verdict: Verdict::Accept }).body(octets);
        whole.event(FetchEvent::End(End { cut: Some("broken off".into()) }))
    }

    pub fn transfer(self, transfer: Transfer) -> Journey {
        let id = self.last();
        self.send(Msg::Transfer { id, elapsed: Duration::from_secs(2), transfer })
    }

    /// Runs slices of work until there are none.
    pub fn settle(mut self) -> Journey {
        while let Some(at) = self.effects.iter().position(|effect| *effect == Effect::Slice) {
            self.effects.remove(at);
            self = self.send(Msg::Slice);
        }
        self
    }

    #[track_caller]
    pub fn expect(mut self, effect: Effect) -> Journey {
        let Some(at) = self.effects.iter().position(|e| *e == effect) else {
            panic!("expected {effect:?} among {:?}", self.effects);
        };
        self.effects.remove(at);
        self
    }

    #[track_caller]
    pub fn expect_fetch(mut self, of: &str) -> Journey {
        let found =
            self.effects.iter().position(|e| matches!(e, Effect::Fetch { request, .. } if request.url.as_str() == of));
        let Some(at) = found else { panic!("expected a fetch of {of} among {:?}", self.effects) };
        self.effects.remove(at);
        self
    }

    #[track_caller]
    pub fn expect_cancel(self, fetch: usize) -> Journey {
        let id = self.fetches[fetch].0;
        self.expect(Effect::Cancel(id))
    }

    #[track_caller]
    pub fn expect_verdict(self, verdict: Verdict) -> Journey {
        let id = self.last();
        self.expect(Effect::Verdict { id, verdict })
    }

    /// Nothing was asked of the shell that was not expected.
    #[track_caller]
    pub fn quiet(self) -> Journey {
        let kept = |effect: &&Effect| {
            let news = matches!(effect, Effect::Keep(Kept::Site { choice: SiteChoice::News { .. }, .. }));
            !news && !matches!(effect, Effect::Keep(Kept::Words { .. } | Kept::Visit { .. } | Kept::Session))
        };
        let left: Vec<&Effect> = self.effects.iter().filter(kept).collect();
        assert!(left.is_empty(), "unexpected: {left:?}");
        self
    }

    #[track_caller]
    pub fn at_url(self, of: &str) -> Journey {
        assert_eq!(self.app.entry().map(|entry| entry.url.as_str()), Some(of));
        self
    }

    #[track_caller]
    pub fn focus(self, link: impl Into<Option<u32>>) -> Journey {
        assert_eq!(self.app.entry().and_then(|entry| entry.focus).map(|link| link.0), link.into());
        self
    }

    #[track_caller]
    pub fn top(self, block: u32) -> Journey {
        assert_eq!(self.app.entry().map(|entry| entry.top), Some(Anchor { block, offset: 0 }));
        self
    }

    #[track_caller]
    pub fn state(self, state: PageState) -> Journey {
        assert_eq!(
            self.app.entry().and_then(|entry| entry.page.as_deref()).map(|page| page.state.clone()),
            Some(state)
        );
        self
    }

    /// The text of the page in view.
    pub fn page(&self) -> String {
        let document = self.app.entry().and_then(|entry| entry.document()).expect("a page");
        (0..document.blocks().len() as u32)
            .map(|block| format!("{}\n", document.block_text(block).replace('\u{a0}', " ")))
            .collect()
    }

    #[track_caller]
    pub fn shows(self, words: &str) -> Journey {
        let page = self.page();
        assert!(page.contains(words), "{words:?} is not in {page:?}");
        self
    }

    #[track_caller]
    pub fn notes(self, words: &str) -> Journey {
        let note = self.app.note.as_ref().map(|note| note.text.clone()).unwrap_or_default();
        assert!(note.contains(words), "{words:?} is not in the note {note:?}");
        self
    }

    #[track_caller]
    pub fn asks(self, words: &str) -> Journey {
        match self.app.overlays.last() {
            Some(Overlay::Question { text, .. }) => {
                assert!(text.join("\n").contains(words), "{words:?} is not in the question {text:?}");
            }
            other => panic!("expected a question with {words:?}, there is {other:?}"),
        }
        self
    }

    #[track_caller]
    pub fn prompts(self, label: &str, text: &str) -> Journey {
        let prompt = self.app.prompt.as_ref().expect("a prompt");
        assert_eq!((prompt.label.as_str(), prompt.input.value()), (label, text));
        self
    }

    /// What the prompt offers.
    pub fn offered(&self) -> Vec<&str> {
        self.app.prompt.as_ref().unwrap().completions.iter().map(|completion| completion.text.as_str()).collect()
    }

    /// Neither prompt nor overlay.
    #[track_caller]
    pub fn free(self) -> Journey {
        assert!(self.app.prompt.is_none(), "{:?}", self.app.prompt);
        assert!(self.app.overlays.is_empty(), "{:?}", self.app.overlays);
        self
    }

    /// The text of the topmost overlay.
    pub fn over(&self) -> String {
        match self.app.overlays.last() {
            Some(Overlay::Text { document, .. }) => {
                (0..document.blocks().len() as u32).map(|block| format!("{}\n", document.block_text(block))).collect()
            }
            other => panic!("expected a text, there is {other:?}"),
        }
    }

    /// The match the reader stands on, and of how many.
    pub fn count(&self) -> String {
        let (matches, found) = (self.app.tab.matches.as_ref().unwrap(), self.app.tab.found.as_ref().unwrap());
        let at = matches.starts.partition_point(|start| (*start as usize) <= found.start);
        format!("{at} of {}{}", matches.starts.len(), if matches.complete { "" } else { "+" })
    }

    /// Looks at the browser in the middle of a journey.
    #[track_caller]
    pub fn look(self, at: impl FnOnce(&Journey)) -> Journey {
        at(&self);
        self
    }
}
