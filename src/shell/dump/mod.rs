//! Pages as text on standard output: `--dump`, `--source`, `--head`, `--links`; no terminal needed.

mod printing;

pub(super) use printing::bases;

use printing::{Page, Printing, Set};

use super::cli::{Cli, FAILED, SHOWN, complain};
use super::fetch::World;
use super::heading::{Heading, said};
use super::setup::Setup;
use super::{compose, once, stdin};
use crate::app::{
    Machine, Veil, default_order, gateway, is_service, redirect, schemes_page, service_page, unopened_page,
};
use crate::archive;
use crate::config::{MarkStyle, Settings};
use crate::doc::{Layout, Marks, Wrap, sanitise};
use crate::format::{Input, Intake, Reader, is_page, media, packed};
use crate::proto::{Exchange, FetchEvent, Head, KeptCopy, Moved, Request, Verdict, Within};
use crate::url::scheme::archive::Archive as Named;
use crate::url::scheme::{self, Act, Ask, explain, mid::Mid, news};
use crate::url::{BaseStack, Layer, Url, UrlError};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::Arc;

/// Prints the places one after the other; the exit status is the worst of theirs.
pub(super) fn run(cli: &Cli, setup: &Setup, places: &[Url]) -> u8 {
    once::run(setup, places, async |world| {
        let out = BufWriter::with_capacity(1 << 16, io::stdout());
        let settings = &setup.loaded.settings;
        let set = Set { layout: layout(cli.width, settings), wraps: settings.wrap };
        let mut dump = Dump { cli, setup, set, out, world, veil: Veil::default() };
        let mut status = SHOWN;
        for place in places {
            status = status.max(dump.place(place).await?);
        }
        dump.out.flush().map(|()| status)
    })
}

fn layout(width: u16, settings: &Settings) -> Layout {
    let marks = match settings.marks {
        MarkStyle::Words => Marks::Words,
        MarkStyle::Glyphs => Marks::Glyphs,
    };
    Layout { width, measure: None, wrap: Wrap::WholeUrls, marks }
}

/// Octets of a page that are kept, to be read again where it says late in which charset it is.
const LATE: usize = 64 << 10;
/// Octets of a page that are kept to tell in which line a link stands.
const SOURCE: usize = 16 << 20;

struct Dump<'a> {
    cli: &'a Cli,
    setup: &'a Setup,
    set: Set,
    world: Arc<World>,
    out: BufWriter<io::Stdout>,
    /// The password of the address: whoever was sent it may lead to a place that is called so.
    veil: Veil,
}

impl Dump<'_> {
    fn complain(&self, sentence: &str) -> u8 {
        complain(&self.veil.over(sentence.to_owned()))
    }

    async fn place(&mut self, place: &Url) -> io::Result<u8> {
        self.veil = Veil::default();
        self.veil.add_login_of(place);
        let (mut asked, mut target) = match reachable(place, &self.setup.loaded.settings) {
            Ok(reached) => reached,
            Err(sentence) => {
                // As in the browser it is told what can be done all the same.
                if let Some(text) = unopened_page(place) {
                    self.own(place, &text)?;
                    self.out.flush()?;
                }
                return Ok(self.complain(&sentence));
            }
        };
        if let Some(text) = schemes_page(&self.setup.loaded.settings, &target) {
            return self.own(&target, &text);
        }
        if self.setup.loaded.settings.http.proxies.of(&target).is_none() && is_service(&target) {
            return self.service(&target);
        }
        for hops in 0..=redirect::MOST {
            match self.answer(place, asked.as_ref(), &target).await? {
                Answer::Ended(status) => return Ok(status),
                Answer::Inside(inside) => (asked, target) = (None, *inside),
                Answer::Moved(moved) if hops == redirect::most(&moved.from) => break,
                Answer::Moved(moved) => match self.onward(&moved, &target) {
                    Ok(url) => (asked, target) = (None, url),
                    Err(sentence) => return Ok(self.complain(&sentence)),
                },
            }
        }
        Ok(self.complain(&format!("{}: it leads from one address to the next without end", place.redacted())))
    }

    /// Fetches one URL and prints what comes. `asked` is what it has as a gateway.
    async fn answer(&mut self, place: &Url, asked: Option<&Url>, target: &Url) -> io::Result<Answer> {
        let (exchange, mut events, verdict) = Exchange::new(4);
        let mut request = Request::new(target.clone());
        request.media.clone_from(&self.cli.media);
        request.kept = if self.setup.offline { KeptCopy::Only } else { request.kept };
        let world = Arc::clone(&self.world);
        let fetch = tokio::spawn(async move { super::fetch::run(request, exchange, &world).await });
        let mut verdict = Some(verdict);
        let mut page: Option<Printing> = None;
        let mut status: Option<String> = None;
        while let Some(mut event) = events.recv().await {
            event.conceal(self.veil.secrets());
            match event {
                FetchEvent::Stage(_) | FetchEvent::Sent(_) | FetchEvent::Unchanged => {}
                FetchEvent::Moved(moved) => return Ok(Answer::Moved(moved)),
                FetchEvent::Head(head) => {
                    if !self.cli.head {
                        status.clone_from(&head.status);
                    }
                    if let Some(inside) = self.inside(&head) {
                        // Its connection may serve for the archive.
                        let _ = verdict.take().map(|verdict| verdict.send(Verdict::Refuse));
                        drop(events);
                        let _ = fetch.await;
                        return Ok(Answer::Inside(Box::new(inside)));
                    }
                    let Some(printing) = self.printing(place, asked, *head) else {
                        fetch.abort();
                        return Ok(Answer::Ended(FAILED));
                    };
                    if printing.is_over() {
                        fetch.abort();
                        printing.finish(self.set, &mut self.out)?;
                        return Ok(Answer::Ended(SHOWN));
                    }
                    page = Some(printing);
                    if let Some(verdict) = verdict.take() {
                        // A fetch that has just failed says so next.
                        let _ = verdict.send(Verdict::Accept);
                    }
                }
                FetchEvent::Body(octets) => {
                    let Some(printing) = &mut page else { continue };
                    printing.feed(&octets, self.set, &mut self.out)?;
                    if printing.is_over()
                        && let Some(page) = page.take()
                    {
                        fetch.abort();
                        return match page.finish(self.set, &mut self.out)? {
                            Some(cut) => self.cut(target, &cut),
                            None => Ok(Answer::Ended(SHOWN)),
                        };
                    }
                }
                FetchEvent::End(end) => {
                    let name = target.fragment().filter(|name| place.is("mbox") && !name.is_empty());
                    if let Some((name, Some(Printing::Text(page)))) = name.map(|name| (name, &page)) {
                        return match page.message(name) {
                            Some(message) => Ok(Answer::Inside(Box::new(message))),
                            None => self.cut(place, &format!("there is no message \"{}\" in it", sanitise(name))),
                        };
                    }
                    let cut = match page.take() {
                        Some(page) => page.finish(self.set, &mut self.out)?,
                        None => None,
                    };
                    // A page that says why there is no page is printed, but is not what was asked for.
                    return match cut.or(end.cut).or(status) {
                        Some(remark) => self.cut(target, &remark),
                        None => Ok(Answer::Ended(SHOWN)),
                    };
                }
                FetchEvent::Failed(error) => {
                    if let Some(page) = page.take() {
                        page.finish(self.set, &mut self.out)?;
                    }
                    self.out.flush()?;
                    let stop = if error.detail.ends_with(['.', '!', '?']) { "" } else { "." };
                    let hint = error.hint.map(|hint| format!("{stop} {hint}")).unwrap_or_default();
                    return Ok(Answer::Ended(self.complain(&format!("{}: {}{hint}", target.redacted(), error.detail))));
                }
            }
        }
        Ok(Answer::Ended(FAILED))
    }

    /// What is in an archive that was asked for as a page: it opens as it does in the browser.
    fn inside(&self, head: &Head) -> Option<Url> {
        let as_is = self.cli.head || self.cli.source || self.cli.media.is_some() || head.status.is_some();
        let name = head.filename.clone().unwrap_or_else(|| packed::name_of(&head.url));
        let held = scheme::place(&head.url).is("file") || head.length.is_none_or(|length| length <= self.most());
        let opens = !as_is && held && !is_page(&head.media) && archive::is_named(&head.media, &name);
        Named::url(&head.url, b"").ok().filter(|url| opens && scheme::plan(url).is_ok())
    }

    /// Octets of an archive that is held.
    fn most(&self) -> u64 {
        self.setup.loaded.settings.limits.memory as u64
    }

    /// Prints the page of a service that a program opens. Nothing is started.
    fn service(&mut self, url: &Url) -> io::Result<u8> {
        let settings = &self.setup.loaded.settings;
        let missing = compose::missing(settings);
        let machine = Machine { missing: &missing, safe: self.setup.safe, attended: false };
        let text = service_page(settings, url, machine);
        self.own(url, &text)
    }

    /// Prints a page of the program's own.
    fn own(&mut self, url: &Url, text: &str) -> io::Result<u8> {
        let head = Head { charset: Some("utf-8".into()), ..Head::new(url.without_fragment(), media::OWN) };
        let Some(mut printing) = self.printing(url, None, head) else { return Ok(FAILED) };
        printing.feed(text.as_bytes(), self.set, &mut self.out)?;
        printing.finish(self.set, &mut self.out)?;
        Ok(SHOWN)
    }

    /// What was printed is not what was asked for.
    fn cut(&mut self, target: &Url, remark: &str) -> io::Result<Answer> {
        self.out.flush()?;
        Ok(Answer::Ended(self.complain(&format!("{}: {remark}", target.redacted()))))
    }

    /// How this response will be printed; a complaint when it cannot be.
    fn printing(&self, place: &Url, asked: Option<&Url>, head: Head) -> Option<Printing> {
        if self.cli.head {
            // The body's beginning says by which charset it would be read.
            return Some(Printing::Head(Box::new(Heading::new(head, self.cli, &self.setup.loaded.settings))));
        }
        if self.cli.source {
            return Some(Printing::Source { raw: !io::stdout().is_terminal() });
        }
        let retrieved = asked.map_or_else(|| head.url.clone(), |asked| BaseStack::through_gateway(asked, &head.url));
        let bases = outer_bases(retrieved, head.within.as_deref(), self.setup.base.as_ref());
        let name = head.filename.clone().unwrap_or_else(|| packed::name_of(&head.url));
        let media = packed::of(&head.media, &name).map_or_else(|| head.media.clone(), Into::into);
        let input = Input {
            media,
            charset: said(self.cli, &self.setup.loaded.settings, &head),
            url: head.url,
            groups: self.setup.loaded.settings.charset.groups.as_slice().into(),
            notices: head.notices,
        };
        let (media, order) = (input.media.clone(), default_order(&self.setup.loaded.settings, &input.media));
        let Some(reader) = Reader::new(Intake {
            input,
            title: None,
            keep: if self.cli.links { SOURCE } else { LATE },
            memory: self.setup.loaded.settings.limits.memory,
        }) else {
            self.complain(&format!("{}: {media} cannot be shown as text; --source prints it", place.redacted()));
            return None;
        };
        let text = !self.cli.links || self.cli.dump;
        Some(Printing::Text(Box::new(Page {
            reader,
            order,
            printed: 0,
            bases,
            veil: self.veil.clone(),
            text,
            links: self.cli.links,
            numbered: self.setup.loaded.settings.numbers,
            linked: io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb"),
        })))
    }
}

impl Dump<'_> {
    /// Where a redirect leads, if it is followed without a question.
    fn onward(&self, moved: &Moved, asked: &Url) -> Result<Url, String> {
        let to = redirect::target(moved, asked.fragment()).map_err(|error| error.detail)?;
        let refusal =
            |why: String| format!("{} leads to {}. {why} Give that address itself", asked.redacted(), to.redacted());
        if !redirect::is_ordinary(&moved.from, &to) {
            return Err(refusal("That is another space.".into()));
        }
        match self.setup.loaded.settings.http.proxies.plan(&to) {
            Ok(plan) => plan.confirm.map_or(Ok(to.clone()), |why| Err(refusal(why))),
            Err(error) => Err(format!("{}: {error}", to.redacted())),
        }
    }
}

/// The bases of a page by where it is from. What comes from standard input was not retrieved: the default base is the only one.
pub(super) fn outer_bases(retrieved: Url, within: Option<&Within>, default: Option<&Url>) -> BaseStack {
    let default = default.cloned();
    let mut bases = match within {
        Some(within) => within.bases(default),
        None => BaseStack::retrieved(retrieved, default),
    };
    if bases.get(Layer::Retrieval).is_some_and(|url| url.as_str() == stdin::URL) {
        bases.set(Layer::Retrieval, None);
    }
    bases
}

/// The URL to fetch, by the same rules that the browser follows, and the one that it has as a gateway; what needs an answer from
/// the reader is refused.
fn reachable(place: &Url, settings: &Settings) -> Result<(Option<Url>, Url), String> {
    if place.as_str() == stdin::URL {
        return Ok((None, place.clone()));
    }
    let (mut asked, mut url) = (None, place.clone());
    for _ in 0..2 {
        let plan = settings.http.proxies.plan(&url).map_err(|error| match error {
            UrlError::Unsupported(_) => format!("{}: {}", url.redacted(), explain(url.scheme())),
            error => format!("{}: {error}", url.redacted()),
        })?;
        if let Some(gateway) = gateway(settings, &url) {
            let at = Url::parse(gateway).map_err(|error| error.to_string())?;
            asked = Some(std::mem::replace(&mut url, at));
            continue;
        }
        // What was typed is meant so; where it leads was said by somebody else.
        let led = url != *place && !scheme::is_spelling(place);
        if let Some(why) = plan.confirm.filter(|_| led) {
            return Err(format!("{} leads to {}. {why} Give that address itself", place.redacted(), url.redacted()));
        }
        match plan.act {
            Act::File(_) if led => {
                return Err(format!("{} leads to a file of this machine; give its name itself", place.redacted()));
            }
            Act::Open(other) => url = other,
            Act::Ask(Ask::File) => return Err(format!("{}: it is a place for a file", url.redacted())),
            Act::Ask(Ask::Search) if url.is("spartan") => {
                return Err(format!("{}: it asks for words; add them behind the question mark", url.redacted()));
            }
            Act::Ask(Ask::Search) => {
                let example = scheme::with_words(&url, b"words").map_or_else(|_| String::new(), |url| url.redacted());
                return Err(format!("{}: it asks for words; give them as in {example}", url.redacted()));
            }
            Act::Ask(Ask::PhoneBook) => {
                return Err(format!("{}: it asks for a name; add %09 and the name", url.redacted()));
            }
            Act::Handler(_) if url.is("mid") => url = article(&url)?,
            Act::Handler(_) if is_service(&url) => return Ok((asked, url)),
            Act::Handler(_) => return Err(format!("{}: {}", url.redacted(), explain(url.scheme()))),
            _ => return Ok((asked, url)),
        }
    }
    Err(format!("{}: it leads from one address to the next without end", url.redacted()))
}

/// The article that a `mid:` URL names; its parts are opened in the browser only.
fn article(url: &Url) -> Result<Url, String> {
    let wrong = |error: crate::url::UrlError| format!("{}: {error}", url.redacted());
    match Mid::of(url).map_err(wrong)? {
        Mid { message: Some(id), content: None } => news::article_url(&id).map_err(wrong),
        _ => Err(format!("{}: a part of a message is not printed; print the message itself", url.redacted())),
    }
}

/// How one request ended.
enum Answer {
    /// With this exit status.
    Ended(u8),
    /// It is elsewhere.
    Moved(Box<Moved>),
    /// It is an archive, or a mailbox: what is in it is printed.
    Inside(Box<Url>),
}
