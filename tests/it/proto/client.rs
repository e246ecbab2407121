//! The owner of a fetch, as a test needs it: collects everything, and may act between two events.

use std::time::Duration;
use wayfarer::proto::{
    self, Context, Dispatch, End, Exchange, FetchError, FetchEvent, Head, Moved, Request, Stage, Verdict,
};
use wayfarer::url::Url;

/// All that a fetch said.
#[derive(Debug, Default)]
pub struct Outcome {
    pub stages: Vec<Stage>,
    /// All that left this machine.
    pub sent: Vec<Dispatch>,
    pub head: Option<Head>,
    pub body: Vec<u8>,
    pub end: Option<End>,
    pub moved: Option<Moved>,
    pub unchanged: bool,
    pub failure: Option<FetchError>,
}

impl Outcome {
    pub fn head(&self) -> &Head {
        self.head.as_ref().unwrap_or_else(|| panic!("no head: {:?}", self.failure))
    }

    pub fn media(&self) -> &str {
        &self.head().media
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn cut(&self) -> Option<&str> {
        self.end.as_ref().unwrap_or_else(|| panic!("no end: {:?}", self.failure)).cut.as_deref()
    }

    pub fn failure(&self) -> &FetchError {
        self.failure.as_ref().unwrap_or_else(|| panic!("no failure: {:?} {}", self.head, self.text()))
    }

    /// All of the failure's words in one.
    pub fn words(&self) -> String {
        let failure = self.failure();
        format!("{}|{}|{}", failure.detail, failure.tried, failure.hint.as_deref().unwrap_or_default())
    }
}

/// Limits long enough for a loaded machine, so that nothing but a hang reaches them.
pub fn context() -> Context {
    let mut context = Context::default();
    context.limits.connect = Duration::from_secs(30);
    context.limits.silence = Duration::from_secs(30);
    context
}

/// A context whose servers are given up soon.
pub fn impatient() -> Context {
    let mut context = context();
    context.limits.silence = Duration::from_millis(200);
    context
}

pub fn get(url: &str) -> Outcome {
    fetch(&request(url), &context())
}

pub fn request(url: &str) -> Request {
    Request::new(Url::parse(url).unwrap())
}

pub fn fetch(request: &Request, context: &Context) -> Outcome {
    watch(request, context, |_| {})
}

/// Fetches; `between` sees every event when it comes.
pub fn watch(request: &Request, context: &Context, between: impl FnMut(&FetchEvent)) -> Outcome {
    talk(request, context, Verdict::Accept, between)
}

/// Fetches the head only.
pub fn refuse(request: &Request, context: &Context) -> Outcome {
    talk(request, context, Verdict::Refuse, |_| {})
}

fn talk(request: &Request, context: &Context, answer: Verdict, between: impl FnMut(&FetchEvent)) -> Outcome {
    in_one(converse(request, context, answer, between))
}

/// Runs what several fetches have in common.
pub fn in_one<T>(fetches: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(fetches)
}

/// The text of a body, on a runtime that is there already.
pub async fn read(request: &Request, context: &Context) -> String {
    converse(request, context, Verdict::Accept, |_| {}).await.text()
}

/// Fetches, as one of several.
pub async fn converse(
    request: &Request,
    context: &Context,
    answer: Verdict,
    mut between: impl FnMut(&FetchEvent),
) -> Outcome {
    let (mut exchange, mut events, verdict) = Exchange::new(1);
    let running = async {
        let result = proto::fetch(request, &mut exchange, context).await;
        exchange.close(result).await;
    };
    let mut verdict = Some(verdict);
    let mut outcome = Outcome::default();
    let owner = async {
        while let Some(event) = events.recv().await {
            between(&event);
            match event {
                FetchEvent::Stage(stage) => outcome.stages.push(stage),
                FetchEvent::Sent(sent) => outcome.sent = sent,
                FetchEvent::Head(head) => {
                    let ahead = outcome.head.replace(*head).is_none_or(|head| head.ahead.is_some());
                    assert!(ahead, "one head only, unless it came ahead of the answer");
                    if let Some(verdict) = verdict.take() {
                        verdict.send(answer).unwrap();
                    }
                }
                FetchEvent::Body(octets) => {
                    assert!(outcome.head.is_some(), "a body before its head");
                    assert!(!octets.is_empty() && octets.len() <= 256 * 1024, "{} octets at once", octets.len());
                    outcome.body.extend(octets);
                }
                FetchEvent::Moved(moved) => outcome.moved = Some(*moved),
                FetchEvent::Unchanged => outcome.unchanged = true,
                FetchEvent::End(end) => outcome.end = Some(end),
                FetchEvent::Failed(failure) => outcome.failure = Some(failure),
            }
        }
        outcome
    };
    tokio::join!(running, owner).1
}

/// Fetches one after the other, on connections that may be kept.
pub fn fetch_all(requests: &[Request], context: &Context) -> Vec<Outcome> {
    in_one(async {
        let mut outcomes = Vec::new();
        for request in requests {
            outcomes.push(converse(request, context, Verdict::Accept, |_| {}).await);
        }
        outcomes
    })
}
