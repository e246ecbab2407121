//! How far a request has come that the library makes: it dials and asks in one go, and only its resolver and its connector know what
//! it is at. A connection that was kept asks neither.

use crate::proto::exchange::Gone;
use crate::proto::{Exchange, Stage};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tower_layer::Layer;
use tower_service::Service;

tokio::task_local! {
    /// Of the request that is being made.
    static STAGE: UnboundedSender<Stage>;
}

fn is_at(stage: Stage) {
    // A connection may be finished for a request that has found another one meanwhile: nobody is told then.
    let _ = STAGE.try_with(|stages| stages.send(stage));
}

/// Awaits a request and says its stages meanwhile.
pub(super) async fn said<F: Future>(exchange: &mut Exchange, asked: F) -> Result<F::Output, Gone> {
    exchange.stage(Stage::Asking).await?;
    let (stages, mut reached) = unbounded_channel();
    let mut asked = pin!(STAGE.scope(stages, asked));
    loop {
        let stage = tokio::select! {
            biased;
            answer = &mut asked => return Ok(answer),
            Some(stage) = reached.recv() => stage,
        };
        // A connector begins, and where there is a name it begins with that.
        let begun = (stage == Stage::Connecting).then(|| reached.try_recv().ok()).flatten();
        for stage in [stage].into_iter().filter(|_| begun != Some(Stage::Resolving)).chain(begun) {
            exchange.stage(stage).await?;
        }
    }
}

/// The system's resolver.
#[derive(Debug)]
pub(super) struct Resolver;

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            is_at(Stage::Resolving);
            let addresses: Vec<_> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            is_at(Stage::Connecting);
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

/// Round the library's connector.
#[derive(Debug, Clone)]
pub(super) struct Stages;

impl<S> Layer<S> for Stages {
    type Service = Dial<S>;

    fn layer(&self, connector: S) -> Dial<S> {
        Dial(connector)
    }
}

/// A connector that says when it has begun and when it has done.
#[derive(Debug, Clone)]
pub(super) struct Dial<S>(S);

impl<S, R> Service<R> for Dial<S>
where
    S: Service<R>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, place: R) -> Self::Future {
        let dialled = self.0.call(place);
        Box::pin(async move {
            is_at(Stage::Connecting);
            let dialled = dialled.await?;
            is_at(Stage::Waiting);
            Ok(dialled)
        })
    }
}
