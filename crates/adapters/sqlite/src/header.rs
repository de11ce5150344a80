//! A look at a file before SQLite touches it, so that what is not ours stays as it is.

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;

use store::StoreError;
use types::Domain;

use crate::schema;

const MAGIC: &[u8; 16] = b"SQLite format 3\0";
const HEADER_BYTES: usize = 100;

/// What is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing yet.
    Nothing,
    /// Our database.
    Ours,
}

/// Looks at the first bytes of a file.
pub(crate) fn look(path: &Path, domain: Domain) -> Result<Found, StoreError> {
    // To open one that nobody writes to would wait for ever.
    if fs::metadata(path).is_ok_and(|is| is.file_type().is_fifo()) {
        let cause = "it is a pipe and not a file".to_owned();
        return Err(StoreError::Inaccessible { path: path.to_owned(), cause });
    }
    let mut header = Vec::with_capacity(HEADER_BYTES);
    let read =
        File::open(path).and_then(|file| file.take(HEADER_BYTES as u64).read_to_end(&mut header));
    match read {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => {
            return Err(StoreError::Inaccessible {
                path: path.to_owned(),
                cause: error.to_string(),
            });
        }
        // A file that was made and never written, by a process that died early.
        Ok(0) => return Ok(Found::Nothing),
        Ok(_) => {}
    }
    judge(&header, path, domain)
}

fn judge(header: &[u8], path: &Path, domain: Domain) -> Result<Found, StoreError> {
    let file = path.to_owned();
    if header.len() < HEADER_BYTES || &header[..MAGIC.len()] != MAGIC {
        let what = "it does not start like a SQLite database".to_owned();
        return Err(StoreError::Corrupt { file, what });
    }
    let application = field(header, 68);
    if application != schema::application_id(domain) {
        let ours = Domain::ALL.into_iter().find(|d| schema::application_id(*d) == application);
        let what = match ours {
            Some(other) => format!("it is Dormouse's {other} file"),
            None => format!("it was made by another program (application id {application:#x})"),
        };
        return Err(StoreError::Foreign { file, expected: domain.as_str(), what });
    }
    let found = field(header, 60);
    let known = schema::newest(domain);
    if found > known {
        return Err(StoreError::Newer { file, found, known });
    }
    Ok(Found::Ours)
}

fn field(header: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_pipe_in_place_of_a_file_is_refused_and_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("journal.db");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let cause = "it is a pipe and not a file".to_owned();
        let refused = StoreError::Inaccessible { path: pipe.clone(), cause };
        assert_eq!(look(&pipe, Domain::Journal), Err(refused));
    }
}
