//! What was asked for at one time is answered in any order, and the same comes of it.

use super::random::Random;
use crate::app::journey::{Journey, menu};
use std::collections::VecDeque;
use wayfarer::app::{Effect, JobId};
use wayfarer::format::media;
use wayfarer::proto::{End, FetchEvent, Head, Request};

const MENU: &[&str] = &["0|A text|/text", "1|A menu|/menu", "h|A page|/page.html", "0|Lost|/lost"];

fn events(request: &Request) -> VecDeque<FetchEvent> {
    let path = request.url.path();
    let head = |kind: &str| FetchEvent::Head(Box::new(Head::new(request.url.clone(), kind)));
    let (kind, body) = match path {
        _ if path.ends_with("text") => (media::PLAIN, b"One line.\nTwo lines.\nhttp://w.example/\n".to_vec()),
        _ if path.ends_with("menu") => (media::MENU, menu("h", &["0|Deep|/deep", "i|words"])),
        _ if path.ends_with("html") => (media::HTML, b"<title>T</title><h1>One</h1><p>words <a href=x>x</a>".to_vec()),
        _ => {
            let error = wayfarer::proto::FetchError::new(wayfarer::proto::Kind::NotFound, "It is not there.");
            return [FetchEvent::Failed(error)].into();
        }
    };
    let pieces = body.chunks(7).map(|piece| FetchEvent::Body(piece.to_vec()));
    [head(kind)].into_iter().chain(pieces).chain([FetchEvent::End(End::default())]).collect()
}

/// Three links are opened behind and one in front, and then all is answered in the order that `next` gives.
fn pages(mut next: impl FnMut(usize) -> usize) -> Vec<String> {
    let j = Journey::new().open("gopher://h/").answer(media::MENU, &menu("h", MENU));
    let first = j.fetches.len();
    let mut j = j.keys("T Down T Down T Down Enter");
    let mut open: Vec<(JobId, VecDeque<FetchEvent>)> =
        j.fetches[first..].iter().map(|(id, request)| (*id, events(request))).collect();
    assert_eq!(open.len(), 4, "{:?}", j.fetches);
    while !open.is_empty() {
        let at = next(open.len()) % open.len();
        let (id, says) = &mut open[at];
        let (id, event) = (*id, says.pop_front());
        match event {
            Some(event) => j = j.event_of(id, event),
            None => drop(open.remove(at)),
        }
    }
    assert!(!j.effects.iter().any(|effect| matches!(effect, Effect::Cancel(_))));
    let text = |tab: &wayfarer::app::Tab| {
        let entry = tab.entry().unwrap();
        let document = entry.document().unwrap();
        let blocks: Vec<&str> = (0..document.blocks().len() as u32).map(|block| document.block_text(block)).collect();
        format!("{} {:?} {:?} {}", entry.url, entry.top, entry.focus, blocks.join("\n"))
    };
    j.app.tabs().map(text).collect()
}

#[test]
fn answers_in_any_order_give_the_same_pages() {
    let in_order = pages(|_| 0);
    assert_eq!(in_order.len(), 4);
    for seed in 0..200 {
        let mut random = Random::new(seed);
        assert_eq!(pages(|count| random.below(count)), in_order, "seed {seed}");
    }
}
