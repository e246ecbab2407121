//! A recursive listing of this machine leads to what lies below its own folder, and nobody is asked for that. A link of the file
//! system may lead out of there all the same: then the reader is told where to, and asked.

use super::{failure, on_disk};
use crate::archive::is_catalogue;
use crate::format::packed;
use crate::proto::{Again, FetchError, Moved, Request};
use crate::url::Url;
use crate::url::scheme::archive::{Archive, beside};
use crate::url::scheme::{self, Act, Family, file};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The folder of the listing that led to a path below it.
fn folder(request: &Request, path: &Path) -> Option<PathBuf> {
    let led = request.led.as_ref().filter(|led| scheme::family(led) == Family::Archive)?;
    let listing = Archive::of(led).ok()?.file;
    let folder = beside(&listing).filter(|_| scheme::is_here(&listing) && is_catalogue(&packed::name_of(&listing)))?;
    let Act::File(octets) = scheme::plan(&folder).ok()?.act else { return None };
    // Without the slash at its end.
    let folder: PathBuf = super::path(octets).ok()?.components().collect();
    path.starts_with(&folder).then_some(folder)
}

/// Where a path really leads, if that is out of the folder of the listing that named it.
///
/// # Errors
/// It cannot be told, which is no reason to follow it.
pub(super) async fn out_of(
    request: &Request,
    path: &Path,
    from: &Url,
    patience: Duration,
) -> Result<Option<Moved>, FetchError> {
    let Some(folder) = folder(request, path) else { return Ok(None) };
    let (named, path, within) = (path, path.to_owned(), folder.clone());
    let real = on_disk(patience, move || match (path.canonicalize(), within.canonicalize()) {
        // What is not there leads nowhere, and is told of by whoever opens it.
        (Err(error), _) if error.kind() == ErrorKind::NotFound => Ok(None),
        (real, within) => Ok(Some((real?, within?))),
    });
    let real = real.await.map_err(|error| failure(named, &error).tried(named.display().to_string()))?;
    let Some((real, within)) = real else { return Ok(None) };
    if real.starts_with(within) {
        return Ok(None);
    }
    let to = file::File::url(real.as_os_str().as_encoded_bytes())?;
    let status = format!("a link leads out of {}, the folder of the listing", folder.display());
    Ok(Some(Moved { from: from.clone(), to: to.as_str().into(), status, again: Again::Get, unkept: false }))
}
