//! Articles for later, where there may be no server: what is unread of a group, or a thread, is fetched to be kept on disk.

use super::held::held;
use super::{Name, mailbox, marks};
use crate::app::state::Cx;
use crate::app::state::jobs::{Errand, Later};
use crate::app::{Effect, JobId, Sight};
use crate::format::count;
use crate::proto::{FetchEvent, Request, Verdict};
use crate::url::Url;

/// `fetch`: what is unread of the group in view; `fetch thread`: the thread under focus.
pub(in crate::app) fn fetch(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    let thread = match words.trim() {
        "" => false,
        "thread" => true,
        _ => {
            cx.say("fetch takes what is unread; fetch thread takes the thread under focus");
            return Vec::new();
        }
    };
    if cx.tab.private {
        cx.say("nothing of a private tab is kept");
        return Vec::new();
    }
    if coming(cx.sight()).is_some() {
        cx.say("articles are being fetched; stop ends that");
        return Vec::new();
    }
    let Some(held) = held(cx).filter(|_| !mailbox::is_here(cx.sight())) else {
        cx.say("no newsgroup is in view");
        return Vec::new();
    };
    let newsrc = held.server.as_deref().and_then(|server| cx.news.newsrc(server)).cloned();
    let here = held.here.map(|here| held.articles[here].thread);
    let wanted = |at: &usize| match thread {
        true => Some(held.articles[*at].thread) == here,
        false => held.is_unread(newsrc.as_deref(), *at),
    };
    let page = cx.tab.history.get(held.at).and_then(|entry| entry.page.as_deref());
    let id = |at: usize| {
        let reference = page?.given().reference(held.articles[at].link)?;
        match Name::of(&Url::parse(reference).ok()?)? {
            Name::Id(id) => Some(id),
            Name::Number(..) | Name::Place(_) => None,
        }
    };
    let ids: Vec<Vec<u8>> = (0..held.articles.len()).filter(wanted).filter_map(id).collect();
    if ids.is_empty() {
        cx.say(if thread { "no thread is under focus" } else { "nothing is unread here" });
        return Vec::new();
    }
    let request = Request {
        login: cx.sight().login_for(&held.url),
        articles: Some(ids.into()),
        ..Request::new(held.url.clone())
    };
    let group = marks::shown_name(&held.group);
    let id = cx.job(Errand::Later(Box::new(Later { group, line: String::new(), sum: [0; 5] })));
    vec![Effect::Fetch { id, request }]
}

/// Those on their way for the tab in view.
fn coming(sight: Sight<'_>) -> Option<JobId> {
    sight.jobs.find(sight.tab.id, |errand| matches!(errand, Errand::Later(_)))
}

/// The reader does not want to wait for them. What has come is kept.
pub(in crate::app) fn give_up(cx: &mut Cx<'_>) -> Option<Effect> {
    let id = coming(cx.sight())?;
    if let Some(Errand::Later(later)) = cx.jobs.errand_mut(id) {
        let words = format!("stopped: {}", later.words());
        cx.say(words);
    }
    Some(Effect::Cancel(id))
}

/// Takes what the fetch says.
pub(in crate::app) fn event(cx: &mut Cx<'_>, id: JobId, event: FetchEvent) -> Vec<Effect> {
    let Some(Errand::Later(later)) = cx.jobs.errand_mut(id) else { return Vec::new() };
    match event {
        FetchEvent::Head(_) => return vec![Effect::Verdict { id, verdict: Verdict::Accept }],
        FetchEvent::Body(octets) => {
            later.take(&octets);
            let words = format!("fetching: {}", later.words());
            cx.say(words);
        }
        FetchEvent::End(end) => {
            let words = later.words();
            match end.cut {
                None => cx.say(format!("done: {words}")),
                Some(why) => cx.complain(format!("{words}; then: {why}")),
            }
        }
        FetchEvent::Failed(error) => cx.complain(error.in_one()),
        FetchEvent::Moved(_) | FetchEvent::Unchanged | FetchEvent::Stage(_) | FetchEvent::Sent(_) => {}
    }
    Vec::new()
}

impl Later {
    /// Takes what comes; each line says how far it is.
    fn take(&mut self, octets: &[u8]) {
        for octet in octets {
            if *octet != b'\n' {
                self.line.push(char::from(*octet));
                continue;
            }
            let line = std::mem::take(&mut self.line);
            for (place, number) in self.sum.iter_mut().zip(line.split(' ')) {
                *place = number.parse().unwrap_or(*place);
            }
        }
    }

    /// How far it is.
    fn words(&self) -> String {
        let [done, of, kept, there, missing] = self.sum.map(count);
        let mut words = format!("{done} of {of} articles of {} looked for, {kept} kept", self.group);
        if self.sum[3] > 0 {
            words.push_str(&format!(", {there} were here"));
        }
        if self.sum[4] > 0 {
            words.push_str(&format!(", {missing} the server does not have"));
        }
        words
    }
}
