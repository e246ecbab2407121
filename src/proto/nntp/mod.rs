//! News on the wire: RFC 3977 with its companions for logins (4643), TLS (4642), counts (6048) and compression (8054).
//!
//! A URL is a list of groups, a group, or an article; what it means as commands is `url::scheme::{news, nntp}`'s knowledge.
//! Beyond those commands the server is asked for CAPABILITIES before long answers only, since counts and compression are
//! worth a question there, and for the format of its overviews only where its lines are not in the order that RFC 2980 and
//! RFC 3977 both fix. Connections are kept ([`Pool`]), and so are overviews and articles, on disk ([`Kept`]): what was known of a
//! group is not asked for again, and an article that is here opens without a server. All is octets; nothing is decoded here.
//! Refuses: clear text in place of TLS, reading an article's contents, transfer between servers (RFC 4644).

mod ahead;
mod article;
mod block;
mod collect;
mod command;
mod conversation;
mod group;
mod joined;
mod keeper;
mod kept;
mod known;
mod list;
mod lock;
mod login;
mod overview;
mod page;
mod pool;
mod post;
mod reply;
mod search;
mod server;
mod session;
mod slices;
mod stream;

pub use kept::{Kept, Most};
pub use lock::Locks;
pub use pool::Pool;
pub use post::TAKEN_BEFORE;

use self::ahead::{Ahead, Shown};
use self::server::Key;
use self::session::Session;
use super::net::Endpoint;
use super::{Context, End, Exchange, FetchError, Fetching, Head, Kind, Request, Stage};
use crate::url::Url;
use crate::url::scheme::news::{News, Range};
use crate::url::scheme::nntp::{self, Nntp};
use crate::url::scheme::sought::Sought;
use crate::url::scheme::{self, Act, Family};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// Fetches groups, a group or an article, or posts to a group what the request sends.
pub fn fetch<'a>(request: &'a Request, exchange: &'a mut Exchange, context: &'a Context) -> Fetching<'a> {
    Box::pin(run(request, exchange, context))
}

/// What is kept on disk of what a request wants, while nobody is to be asked ([`Request::kept`]); `None` where nothing is.
pub async fn offline(request: &Request, exchange: &mut Exchange, context: &Context) -> Option<Result<End, FetchError>> {
    let url = request.url.without_fragment();
    if !scheme::family(&url).is_news() || request.body.is_some() || request.articles.is_some() {
        return None;
    }
    if request.conversation.is_some() || request.parts.is_some() {
        return None;
    }
    let (wanted, keys) = (Wanted::of(&url).ok()?, keys(request, context).ok()?);
    if let Some(nntp) = nntp::sought(&url).filter(Nntp::is_of_kept) {
        return Some(search::kept(&nntp.group, nntp.sought?, keys.first()?, request, exchange, context).await);
    }
    for key in &keys {
        let error = FetchError::new(Kind::Stopped, "Nobody was asked.");
        let shown = known::without_server(&wanted, key, error, request, exchange, context).await;
        if shown.is_ok() || exchange.has_head() {
            return Some(shown);
        }
    }
    None
}

/// What a URL names.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Wanted {
    /// All groups, or those that fit a wildmat.
    Groups(Option<Vec<u8>>),
    /// A group, or some numbers of it.
    Group(Vec<u8>, Option<Range>),
    /// Words in the articles of a group.
    Words(Vec<u8>, Sought),
    /// An article by its number in a group.
    Number(Vec<u8>, u64),
    /// An article by its id, without `< >`.
    Article(Vec<u8>),
}

impl Wanted {
    fn of(url: &Url) -> Result<Wanted, FetchError> {
        if scheme::family(url) == Family::Nntp {
            let Nntp { group, number, range, sought } = Nntp::of(url)?;
            return Ok(match (number, sought) {
                (_, Some(sought)) => Wanted::Words(group, sought),
                (Some(number), None) => Wanted::Number(group, number),
                (None, None) => Wanted::Group(group, range),
            });
        }
        Ok(match News::of(url)? {
            News::All => Wanted::Groups(None),
            News::Groups(pattern) => Wanted::Groups(Some(pattern)),
            News::Group(group) => Wanted::Group(group, None),
            News::Part(group, range) => Wanted::Group(group, Some(range)),
            News::Article(id) => Wanted::Article(id),
        })
    }
}

async fn run(request: &Request, exchange: &mut Exchange, context: &Context) -> Result<End, FetchError> {
    let wanted = Wanted::of(&request.url.without_fragment())?;
    let keys = keys(request, context)?;
    if let (Some(ids), Some(key)) = (&request.articles, keys.first()) {
        collect::place(context, &key.name())?;
        let ids = Arc::clone(ids);
        let task: Task<'_, End> = Box::new(move |visit| {
            let ids = Arc::clone(&ids);
            Box::pin(async move { visit.collect(&ids).await })
        });
        return visit(key, request, exchange, context, task).await;
    }
    if let Some(ids) = &request.conversation {
        return conversation::fetch(ids, &keys, request, exchange, context).await;
    }
    if let Some(ids) = &request.parts {
        return joined::fetch(ids, &keys, request, exchange, context).await;
    }
    if let Wanted::Article(id) = &wanted
        && let Some(shown) = known::article(id, &keys, request, exchange, context).await
    {
        return shown;
    }
    if let Some(nntp) = nntp::sought(&request.url.without_fragment()).filter(Nntp::is_of_kept)
        && let (Some(sought), Some(key)) = (nntp.sought, keys.first())
    {
        return search::kept(&nntp.group, sought, key, request, exchange, context).await;
    }
    let shown = match ahead::shown(&wanted, &keys, request, exchange, context).await? {
        Ahead::Nothing => None,
        Ahead::Shown(shown) => Some(Arc::new(shown)),
        Ahead::Ended(end) => return Ok(end),
    };
    let mut failures: Vec<FetchError> = Vec::new();
    for key in &keys {
        let task: Task<'_, End> =
            Box::new(|visit| Box::pin(Visit { shown: shown.clone(), ..visit }.run(wanted.clone())));
        let outcome = match visit(key, request, exchange, context, task).await {
            Err(failure) if shown.is_some() => ahead::alone(failure),
            Err(failure) => known::without_server(&wanted, key, failure, request, exchange, context).await,
            outcome => outcome,
        };
        match outcome {
            Err(failure) if matches!(wanted, Wanted::Article(_)) => {
                failures.push(failure);
                // An article may be at the reader's next server, but a login must be asked for, and for the first only.
                if failures.len() == 1 && failures[0].kind == Kind::NeedsLogin {
                    break;
                }
            }
            other => return other,
        }
    }
    Err(article::nowhere(failures))
}

/// The servers to ask, once the URL was found safe.
fn keys(request: &Request, context: &Context) -> Result<Vec<Key>, FetchError> {
    let named = match scheme::plan(&request.url.without_fragment())?.act {
        Act::Commands { host: Some(host), port, .. } => Some(Endpoint { host, port }),
        _ => None,
    };
    server::keys(request, named, &context.news)
}

/// Asks one server after the other for what the first that has it gives, as long as nothing of it is shown: whether another may do
/// better than one that has failed says `may_go_on`. The task is told whether there is another.
async fn first_of<'t, T>(
    keys: &[Key],
    request: &Request,
    exchange: &mut Exchange,
    context: &Context,
    may_go_on: fn(&FetchError) -> bool,
    task: impl Fn(bool) -> Task<'t, T>,
) -> Result<T, FetchError> {
    let mut failure = FetchError::new(Kind::Unsupported, "There is no server to ask.");
    for (at, key) in keys.iter().enumerate() {
        match visit(key, request, exchange, context, task(at + 1 < keys.len())).await {
            Err(error) if !exchange.has_head() && may_go_on(&error) => failure = error,
            outcome => return outcome,
        }
    }
    Err(failure)
}

/// What is done in a visit. It may be done twice.
type Task<'t, T> = Box<dyn for<'v> Fn(Visit<'v>) -> Answer<'v, T> + Send + Sync + 't>;

/// A visit on its way.
type Answer<'v, T> = Pin<Box<dyn Future<Output = Result<T, FetchError>> + Send + 'v>>;

/// Visits a server on a kept connection or a new one. A kept one that turns out dead is replaced once.
async fn visit<T>(
    key: &Key,
    request: &Request,
    exchange: &mut Exchange,
    context: &Context,
    task: Task<'_, T>,
) -> Result<T, FetchError> {
    let tried = |error: FetchError, words: String| if error.tried.is_empty() { error.tried(words) } else { error };
    let endpoint = format!("{}{}", key.endpoint, key.channel.words());
    let mut borrowed =
        context.nntp.take(key, exchange, context).await.map_err(|error| tried(error, endpoint.clone()))?;
    loop {
        exchange.stage(Stage::Waiting).await?;
        let visit = Visit { session: &mut borrowed.session, request, exchange, context, shown: None };
        let outcome = task(visit).await;
        if outcome.is_err() && borrowed.session.is_dead() {
            borrowed = context
                .nntp
                .renew(borrowed, exchange, context)
                .await
                .map_err(|error| tried(error, endpoint.clone()))?;
            continue;
        }
        let said = borrowed.session.tried();
        context.nntp.keep(borrowed);
        return outcome.map_err(|error| tried(error, said));
    }
}

/// A session and all that the answer needs.
struct Visit<'a> {
    session: &'a mut Session,
    request: &'a Request,
    exchange: &'a mut Exchange,
    context: &'a Context,
    /// What was shown before the server was asked.
    shown: Option<Arc<Shown>>,
}

impl Visit<'_> {
    async fn run(self, wanted: Wanted) -> Result<End, FetchError> {
        match (wanted, &self.request.body) {
            (Wanted::Group(group, None), Some(content)) => self.post(&group, &content.octets).await,
            (_, Some(_)) => {
                Err(FetchError::new(Kind::Unsupported, "An article can be posted to a group and to nothing else."))
            }
            (Wanted::Groups(pattern), None) => self.groups(pattern.as_deref()).await,
            (Wanted::Group(group, range), None) => self.group(&group, range).await,
            (Wanted::Words(group, sought), None) => self.words(&group, &sought).await,
            (Wanted::Number(group, number), None) => self.number(&group, number).await,
            (Wanted::Article(id), None) => self.article(&id).await,
        }
    }

    /// The head of the answer, with all that was said so far.
    fn head(&mut self, media: &str, title: Option<String>) -> Head {
        let media = self.request.media.clone().unwrap_or_else(|| media.into());
        let (security, lines) = (self.session.security.clone(), self.session.log.take_lines());
        let unkept = self.session.key.login.is_some();
        Head { security, lines, title, unkept, ..Head::new(self.request.url.without_fragment(), media) }
    }
}
