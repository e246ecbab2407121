//! What is kept beside the files of the reader's own: certificates that are trusted, what is forgotten of the web, what came of
//! downloads that are not wanted any more.

use super::Browser;
use crate::app::{Gone, JobId, KeptDownload, Known, Msg};
use crate::disk::Asked;
use crate::proto::Certificate;
use crate::shell::outside::Outside;
use crate::shell::place;
use crate::store::Forgotten;
use crate::visits::Forget;
use std::io;
use std::path::Path;

impl Browser {
    /// The reader trusts a certificate.
    pub(super) fn trust(&self, server: &str, certificate: &Certificate, pinned: bool, private: bool) {
        // Private tabs read the file of the others.
        let of_others = (!private).then_some(&self.world.context.tls);
        for tls in of_others.into_iter().chain([&self.world.private.tls]) {
            match pinned {
                true => tls.pin(server, certificate),
                false => tls.trust(server, &certificate.fingerprint),
            }
        }
    }

    /// Pages that were kept, cookies, and which hosts want TLS alone.
    pub(super) fn forget_of_web(&self, what: &Forget) {
        self.world.pages.wake();
        self.world.later.forget(what);
        let messages = self.sender.clone();
        self.world.pages.forget(what, move |Forgotten { copies, later, found }| {
            let known = Known::Forgotten(Gone { copies, later, fresh: found });
            // When the browser has gone there is nobody to tell.
            let _ = messages.blocking_send(Msg::Known { known, remark: None });
        });
        let (web, news) = (&self.world.context.http, &self.world.context.kept);
        match what {
            Forget::Host(host) => {
                web.cookies.forget(host);
                web.strict.forget(host);
                news.forget(Some(host), None);
            }
            Forget::All => {
                web.cookies.forget_all();
                web.strict.forget_all();
                news.forget(None, None);
            }
            // Nobody knows when cookies came.
            Forget::Since(since) => news.forget(None, Some(*since)),
            Forget::Page(url) => news.forget_page(url),
        }
    }

    /// Deletes what came of a download, as soon as its fetch has let go of it.
    pub(super) fn discard(&self, kept: &KeptDownload) {
        let Some(Outside { folder, .. }) = &self.outside else { return };
        let (path, origin, sender) = (folder.join(place::expand(&kept.path)), kept.url.clone(), self.sender.clone());
        tokio::spawn(async move {
            if let Err(error) = place::discard(path.clone(), origin).await {
                let sentence = format!("what came of {} is still there: {error}", path.display());
                // When the browser has gone there is nobody to tell.
                let _ = sender.send(Msg::Complaint(sentence)).await;
            }
        });
    }

    /// Takes a file away where files are written: the keyboard waits for no disk, and whoever leaves waits for it.
    pub(super) fn remove(&self, id: JobId, path: String) {
        let (file, safe, messages) = (place::expand(&path), self.safe, self.sender.clone());
        self.world.writer.write(&file.clone(), Asked::ByNobody, move || {
            let removed = if safe { Ok(()) } else { delete(&file) };
            let result = removed.map_err(|error| format!("{path} is still there: {error}."));
            // When the browser has gone there is nobody to tell.
            let _ = messages.blocking_send(Msg::Removed { id, result });
            Ok(())
        });
    }
}

/// Takes a file away; what is not there is away.
fn delete(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use super::delete;

    /// A list whose signature was not looked at after all was "still there: no such file", over what came of the check.
    #[test]
    fn what_is_not_there_is_not_still_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sums-1");
        std::fs::write(&path, "").unwrap();
        assert!(delete(&path).is_ok() && delete(&path).is_ok() && delete(folder.path()).is_err());
    }
}
