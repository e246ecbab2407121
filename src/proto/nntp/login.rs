//! Logging in: AUTHINFO USER and PASS (RFC 4643).

use super::command::{AUTHINFO_PASS, AUTHINFO_USER};
use super::reply::text;
use super::server::Identity;
use super::session::Session;
use crate::proto::{FetchError, Kind};

/// Says who we are. A server that knows no logins, or knows us already by our address, is left at that: what it does not let
/// anybody see it will say.
pub(super) async fn login(session: &mut Session, identity: &Identity) -> Result<(), FetchError> {
    session.send(&AUTHINFO_USER, &identity.user).await?;
    let reply = match session.listen(&AUTHINFO_USER).await? {
        Ok(reply) => reply,
        Err(reply) if matches!(reply.code, 500..=503) => return Ok(()),
        Err(reply) => return Err(session.refused(&AUTHINFO_USER, &reply, "")),
    };
    if reply.code == 281 {
        return Ok(());
    }
    let Some(password) = &identity.password else {
        let (endpoint, user) = (&session.key.endpoint, text(&identity.user));
        return Err(FetchError::new(Kind::NeedsLogin, format!("{endpoint} asks for the password of \"{user}\".")));
    };
    session.send(&AUTHINFO_PASS, password).await?;
    let heard = session.listen(&AUTHINFO_PASS).await?;
    session.good(&AUTHINFO_PASS, heard, "").map(drop)
}
