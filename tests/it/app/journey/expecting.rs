//! What a journey expects: the effects that a step had, and what is seen after it.

use super::Journey;
use wayfarer::app::{Effect, JobId, Kept, Overlay, PageState};
use wayfarer::doc::Anchor;
use wayfarer::proto::Verdict;

impl Journey {
    /// Takes the effect that is so.
    #[track_caller]
    fn expect_one(mut self, what: &str, is_so: impl Fn(&Effect) -> bool) -> Journey {
        let Some(at) = self.effects.iter().position(is_so) else {
            panic!("expected {what} among {:?}", self.effects);
        };
        self.effects.remove(at);
        self
    }

    #[track_caller]
    pub fn expect_read(self, of: &str) -> Journey {
        self.expect_one(&format!("{of} to be read"), |e| matches!(e, Effect::Read { path, .. } if path == of))
    }

    #[track_caller]
    pub fn expect_write(self, to: &str, what: &[u8], over: bool) -> Journey {
        let is_so = |e: &Effect| matches!(e, Effect::Write { path, content, replace, .. } if path == to && content == what && *replace == over);
        self.expect_one(&format!("{:?} to be written to {to}", String::from_utf8_lossy(what)), is_so)
    }

    #[track_caller]
    pub fn expect_remove(self, of: &str) -> Journey {
        self.expect_one(&format!("{of} to be removed"), |e| matches!(e, Effect::Remove { path, .. } if path == of))
    }

    #[track_caller]
    pub fn expect_run(self, program: &[&str]) -> Journey {
        self.expect_one(&format!("{program:?}"), |e| matches!(e, Effect::Run { arguments, .. } if arguments == program))
    }

    /// No more is wanted of a fetch, but what came of it.
    #[track_caller]
    pub fn expect_enough(self, fetch: usize) -> Journey {
        let id = self.fetches[fetch].0;
        self.expect(Effect::Enough(id))
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
        let of = self.last();
        self.expect_verdict_of(of, verdict)
    }

    #[track_caller]
    pub fn expect_verdict_of(self, of: JobId, verdict: Verdict) -> Journey {
        self.expect_one(&format!("{verdict:?}"), |effect| match effect {
            Effect::Verdict { id, verdict: said } => (*id, *said) == (of, verdict),
            // What is accepted as a page is.
            Effect::Parse { id, .. } => *id == of && verdict == Verdict::Accept,
            _ => false,
        })
    }

    /// Nothing was asked of the shell that was not expected.
    #[track_caller]
    pub fn quiet(self) -> Journey {
        let kept = |effect: &&Effect| {
            let news = matches!(effect, Effect::SyncNewsrc { .. });
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
        let note = self.app.hands.note.as_ref().map(|note| note.text.clone()).unwrap_or_default();
        assert!(note.contains(words), "{words:?} is not in the note {note:?}");
        self
    }

    #[track_caller]
    pub fn asks(self, words: &str) -> Journey {
        match self.app.hands.overlays().last() {
            Some(Overlay::Question { text, .. }) => {
                assert!(text.join("\n").contains(words), "{words:?} is not in the question {text:?}");
            }
            other => panic!("expected a question with {words:?}, there is {other:?}"),
        }
        self
    }

    #[track_caller]
    pub fn prompts(self, label: &str, text: &str) -> Journey {
        let prompt = self.app.hands.prompt().expect("a prompt");
        assert_eq!((prompt.label.as_str(), prompt.input.value()), (label, text));
        self
    }

    /// What the prompt offers.
    pub fn offered(&self) -> Vec<&str> {
        self.app.hands.prompt().unwrap().completions.iter().map(|completion| completion.text.as_str()).collect()
    }

    /// Neither prompt nor overlay.
    #[track_caller]
    pub fn free(self) -> Journey {
        assert!(self.app.hands.prompt().is_none(), "{:?}", self.app.hands.prompt());
        assert!(self.app.hands.overlays().is_empty(), "{:?}", self.app.hands.overlays());
        self
    }

    /// The text of the topmost overlay.
    pub fn over(&self) -> String {
        match self.app.hands.overlays().last() {
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
