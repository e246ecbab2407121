//! Any keys, any events, any sizes, in any order: the browser stays whole.

use super::journey::{Journey, head, lines, long_menu, menu};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;
use wayfarer::app::{App, Effect, FetchId, Msg, Overlay, Transfer, status};
use wayfarer::format::media;
use wayfarer::keys::{Code, Key, Mode};
use wayfarer::proto::{End, FetchError, FetchEvent, Kind, Stage, Verdict};

/// One thing that happens; numbers choose among what there is then.
#[derive(Debug, Clone)]
enum Step {
    Bound(u8, usize),
    Char(char),
    Resize(u16, u16),
    Event(usize, u8),
    Transfer(usize, u8),
    Paste,
    Slice,
    Ran,
    Wrote(bool),
    Read(bool),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0u8..3, any::<usize>()).prop_map(|(mode, n)| Step::Bound(mode, n)),
        3 => prop_oneof![Just('y'), Just('s'), Just('o'), Just('r'), Just('n'), Just('t'), Just('1'), Just('a'), any::<char>()]
            .prop_map(Step::Char),
        1 => (0u16..120, 0u16..50).prop_map(|(columns, rows)| Step::Resize(columns, rows)),
        6 => (any::<usize>(), any::<u8>()).prop_map(|(fetch, what)| Step::Event(fetch, what)),
        1 => (any::<usize>(), any::<u8>()).prop_map(|(fetch, what)| Step::Transfer(fetch, what)),
        1 => Just(Step::Paste),
        1 => Just(Step::Slice),
        1 => Just(Step::Ran),
        1 => any::<bool>().prop_map(Step::Wrote),
        1 => any::<bool>().prop_map(Step::Read),
    ]
}

fn event(of: &str, what: u8) -> FetchEvent {
    let rows = [
        "i|words",
        "1|Sub|/s",
        "0|Text|/t",
        "7|Find|/f",
        "9|Bin|/b.bin",
        "8|Tel|x",
        "h|U|URL:file:///etc/x",
        "0|F|/f\t?",
    ];
    let medias =
        [media::MENU, media::PLAIN, "application/zip", media::FORM, media::OWN, "image/png", media::ATTRIBUTES];
    match what % 10 {
        0 => FetchEvent::Stage(Stage::Waiting),
        1..=3 => FetchEvent::Head(Box::new(head(of, medias[usize::from(what / 10) % medias.len()]))),
        4 => FetchEvent::Body(menu("h", &rows)),
        5 => FetchEvent::Body(long_menu("h", usize::from(what))),
        6 => FetchEvent::Body(lines(usize::from(what))),
        7 => FetchEvent::Body(
            b"+ASK:\r\n Ask: Name?\tN\r\n AskP: P?\r\n AskL: L?\r\n Choose: C?\ta\tb\r\n Select: S?:1\r\n ChooseF: F?\r\n AskF: K?\r\n".to_vec(),
        ),
        8 => FetchEvent::End(End { cut: (what > 128).then(|| "cut".into()) }),
        _ => FetchEvent::Failed(FetchError::new(Kind::Broken, "broken")),
    }
}

fn message(j: &Journey, step: &Step) -> Option<Msg> {
    let fetch = |n: usize| (!j.fetches.is_empty()).then(|| &j.fetches[n % j.fetches.len()]);
    let elapsed = Duration::from_millis(40);
    Some(match step {
        Step::Bound(mode, n) => {
            let keys: Vec<Key> = j
                .app
                .keymap
                .bindings()
                .iter()
                .filter(|(m, ..)| *m == Mode::ALL[usize::from(*mode)])
                .map(|(_, keys, _)| keys[0])
                .collect();
            Msg::Key(keys[n % keys.len()])
        }
        Step::Char(c) => Msg::Key(Key::plain(Code::Char(*c))),
        Step::Resize(columns, rows) => Msg::Resize(*columns, *rows),
        Step::Event(n, what) => {
            let (id, request) = fetch(*n)?;
            Msg::Fetch { id: *id, elapsed, event: event(request.url.as_str(), *what) }
        }
        Step::Transfer(n, what) => {
            let transfer = match what % 8 {
                0 => Transfer::Progress(u64::from(*what) * 1000),
                1 => Transfer::Done("/tmp/x".into(), None),
                2 => Transfer::Exists("~/x".into()),
                3 => Transfer::Partial,
                4 => Transfer::Begun(u64::from(*what), (*what > 128).then(|| "begun again".into())),
                5 => Transfer::Cut("broke off".into()),
                6 => Transfer::Present("/tmp/x".into()),
                _ => Transfer::Failed("no room".into()),
            };
            Msg::Transfer { id: fetch(*n)?.0, elapsed, transfer }
        }
        Step::Paste => Msg::Paste("gopher://h/0pasted\n".into()),
        Step::Slice => Msg::Slice,
        Step::Ran => Msg::Ran(Ok(())),
        Step::Read(true) => Msg::Read(Ok(b"a file\n".to_vec())),
        Step::Read(false) => Msg::Read(Err("no such file".into())),
        Step::Wrote(true) => Msg::Wrote(Ok("/tmp/x".into())),
        Step::Wrote(false) => Msg::Wrote(Err(Transfer::Exists("/tmp/x".into()))),
    })
}

fn whole(app: &App) {
    assert!(app.tab_at() < app.tab_count());
    assert!(app.tabs().all(|tab| tab.history.is_empty() || tab.at < tab.history.len()));
    for entry in app.tabs().flat_map(|tab| &tab.history) {
        let Some(document) = entry.document() else { continue };
        assert!(entry.focus.is_none_or(|link| link.0 < document.link_count()), "focus without a link");
        assert!(entry.top.block == 0 || (entry.top.block as usize) < document.blocks().len(), "top beyond the end");
    }
    for overlay in &app.overlays {
        match overlay {
            Overlay::List { selected, .. } => assert!(*selected == 0 || *selected < overlay.passing().len()),
            Overlay::Form(form) => assert!(form.focus <= form.fields.len()),
            Overlay::Question { choices, .. } => assert!(!choices.is_empty()),
            Overlay::Text { .. } => {}
        }
    }
    let _ = status::parts(app);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_breaks_the_browser(steps in prop::collection::vec(step(), 1..120)) {
        let mut j = Journey::new().open("gopher://h/").head(media::MENU).body(&menu("h", &["1|Sub|/s", "7|Find|/f", "9|B|/b"]));
        j.app.settings.cache = 60_000;
        j.effects.clear();
        let mut answers: BTreeMap<FetchId, u32> = BTreeMap::new();
        let mut piped: Vec<FetchId> = Vec::new();
        for step in &steps {
            let Some(message) = message(&j, step) else { continue };
            j = j.send(message);
            whole(&j.app);
            for effect in std::mem::take(&mut j.effects) {
                match effect {
                    Effect::Verdict { id, verdict: Verdict::Accept } => {
                        let count = answers.entry(id).or_default();
                        *count += 1;
                        prop_assert_eq!(*count, 1, "a body was accepted twice");
                    }
                    Effect::Verdict { id, .. } | Effect::Save { id, .. } | Effect::Cancel(id) => {
                        prop_assert!(piped.contains(&id) || j.fetches.iter().any(|(known, _)| *known == id));
                    }
                    Effect::Pipe { id, .. } => piped.push(id),
                    Effect::Run(arguments) => prop_assert!(!arguments.is_empty()),
                    Effect::Fetch { request, .. } => prop_assert!(wayfarer::url::scheme::plan(&request.url).is_ok()),
                    _ => {}
                }
            }
        }
    }
}
