//! The file of a recording: made anew, for its owner's eyes, and written by the thread that writes all files.

use crate::disk::{self, Asked, Writer};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where the lines of a recording go.
pub(in crate::shell) struct RecordFile {
    path: PathBuf,
    file: Arc<File>,
    writer: Arc<Writer>,
}

impl RecordFile {
    /// A new file with its first line.
    ///
    /// # Errors
    /// There is one already, or none can be made.
    pub(in crate::shell) fn new(path: &Path, writer: Arc<Writer>, header: String) -> io::Result<RecordFile> {
        let file = OpenOptions::new().append(true).create_new(true).mode(0o600).open(path);
        let file =
            file.map_err(|error| io::Error::new(error.kind(), format!("--record {}", disk::wrong(path, &error))))?;
        let file = RecordFile { path: path.into(), file: Arc::new(file), writer };
        file.add(header);
        Ok(file)
    }

    /// Has a line written soon.
    pub(in crate::shell) fn add(&self, line: String) {
        let (file, path) = (Arc::clone(&self.file), self.path.clone());
        let mut written = 0;
        self.writer.write(&self.path, Asked::ByNobody, move || {
            let octets = line.as_bytes();
            while written < octets.len() {
                match (&*file).write(&octets[written..]) {
                    Ok(0) => return Err(disk::wrong(&path, &ErrorKind::WriteZero.into())),
                    Ok(count) => written += count,
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) => return Err(disk::wrong(&path, &error)),
                }
            }
            Ok(())
        });
    }
}
