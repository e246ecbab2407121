//! Logging in: as whom, and what refusals mean (FTP-02 … FTP-06).

use super::reply::{Reply, line, text};
use super::session::Session;
use crate::config;
use crate::proto::{FetchError, Kind, Login};
use crate::url::Url;
use crate::url::scheme::ftp::Ftp;

/// Who we are for a server.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Identity {
    user: Vec<u8>,
    /// Said only when the server asks (FTP-04); `None` must be asked for.
    password: Option<Vec<u8>>,
    /// Said only when the server asks, too.
    account: Option<Vec<u8>>,
    anonymous: bool,
}

impl Identity {
    /// The reader's answer first, then the URL's words, else `anonymous`.
    pub fn of(answer: Option<&Login>, ftp: &Ftp, settings: &config::Ftp) -> Result<Identity, FetchError> {
        if let Some(Login { user, password, account }) = answer {
            if [user, password]
                .into_iter()
                .chain(account)
                .any(|octets| octets.iter().any(|b| matches!(b, b'\r' | b'\n' | 0)))
            {
                let detail = "A user, a password or an account with a line break or a NUL is not sent.";
                return Err(FetchError::new(Kind::Unsafe, detail));
            }
            let (user, password, account) = (user.clone(), Some(password.clone()), account.clone());
            return Ok(Identity { user, password, account, anonymous: false });
        }
        let user = ftp.user.clone().unwrap_or_else(|| b"anonymous".to_vec());
        let anonymous = matches!(user.to_ascii_lowercase().as_slice(), b"anonymous" | b"ftp");
        let own = || anonymous.then(|| settings.anonymous_password.as_bytes().to_vec());
        Ok(Identity { password: ftp.password.clone().or_else(own), user, account: None, anonymous })
    }

    /// Whether it says nothing of the reader.
    pub fn is_anonymous(&self) -> bool {
        self.anonymous
    }
}

/// USER, and PASS and ACCT where the server wants them.
pub(super) async fn login(session: &mut Session, identity: &Identity, url: &Url) -> Result<(), FetchError> {
    let mut reply = session.ask(&line("USER", &identity.user)).await?;
    let asked = reply.code == 331;
    if asked {
        let Some(password) = &identity.password else {
            let (endpoint, user) = (session.endpoint(), text(&identity.user));
            return Err(FetchError::new(Kind::NeedsLogin, format!("{endpoint} asks for the password of \"{user}\".")));
        };
        reply = session.ask(&line("PASS", password)).await?;
    }
    if matches!(reply.code, 332 | 532) {
        let Some(account) = &identity.account else {
            let detail = format!("{} asks for an account besides user and password.", session.endpoint());
            return Err(FetchError::new(Kind::NeedsAccount, detail));
        };
        reply = session.ask(&line("ACCT", account)).await?;
        if (500..600).contains(&reply.code) && !reply.is_crowded() {
            let (endpoint, words) = (session.endpoint(), reply.words());
            let detail = format!("{endpoint} does not accept \"{}\" with that account: {words}", text(&identity.user));
            return Err(FetchError::new(Kind::NeedsAccount, detail));
        }
    }
    match reply.code {
        // ACCT may be one too many for a server (RFC 959, 4.1.1: 202).
        200..300 => {
            session.notices.greet(&reply);
            Ok(())
        }
        _ => Err(refused(session, identity, asked, url, &reply)),
    }
}

fn refused(session: &Session, identity: &Identity, asked: bool, url: &Url, reply: &Reply) -> FetchError {
    let (endpoint, words, user) = (session.endpoint(), reply.words(), text(&identity.user));
    if reply.is_crowded() {
        return FetchError::new(Kind::Crowded, format!("{endpoint} has too many visitors now: {words}"))
            .hint("Reload in a minute or two.");
    }
    if reply.wants_tls() && session.security.is_none() {
        let secure = url.without_fragment().redacted().replacen("ftp:", "ftps:", 1);
        return FetchError::new(Kind::Secure, format!("{endpoint} lets nobody in without TLS: {words}"))
            .hint(format!("The same over TLS is {secure}"));
    }
    if identity.anonymous {
        let detail = format!("{endpoint} does not let anonymous visitors in: {words}");
        return FetchError::new(Kind::NeedsLogin, detail).hint("A user may stand before the host: ftp://user@host/");
    }
    if (500..600).contains(&reply.code) || reply.code == 430 {
        let with = if asked { " with that password" } else { "" };
        let detail = format!("{endpoint} does not accept the user \"{user}\"{with}: {words}");
        return FetchError::new(Kind::NeedsLogin, detail);
    }
    FetchError::new(Kind::Said, format!("{endpoint} did not log \"{user}\" in: {words}"))
}
