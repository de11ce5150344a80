//! The file of the local socket.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use tokio::net::{UnixListener, UnixSocket};
use types::{Code, Problem};

/// Connections that wait until they are taken.
const BACKLOG: u32 = 128;

/// A local socket that only its owner can reach. Its files are removed when it is closed or dropped.
#[derive(Debug)]
pub struct LocalSocket {
    socket: PathBuf,
    link: Option<PathBuf>,
    pub(crate) listener: UnixListener,
}

impl LocalSocket {
    /// Listens at a path. With a link, the path lies in a folder of its own, which is made for it, and
    /// the link leads there. What a server that was killed has left is replaced, so the caller has to
    /// know that none is there; it has to be called on a tokio runtime.
    ///
    /// # Errors
    /// If something else is in the way, or the system refuses.
    pub fn bind(socket: &Path, link: Option<&Path>) -> Result<LocalSocket, Problem> {
        let listener = open(socket, link).map_err(|error| {
            let message = format!("cannot listen on {}: {error}", socket.display());
            let hint = "move away what is in its place, or choose another home with --home";
            Problem::new(Code::CannotListen, message, hint)
        })?;
        let (socket, link) = (socket.to_owned(), link.map(Path::to_owned));
        Ok(LocalSocket { socket, link, listener })
    }

    /// Takes the files away: whoever looks for a server from now on finds none, and whoever has found
    /// it is still heard.
    pub(crate) fn hide(&self) {
        // What is left is replaced at the next start.
        if let Some(link) = &self.link {
            let _ = fs::remove_file(link);
        }
        let _ = fs::remove_file(&self.socket);
        if let (Some(_), Some(folder)) = (&self.link, self.socket.parent()) {
            let _ = fs::remove_dir(folder);
        }
    }
}

impl Drop for LocalSocket {
    fn drop(&mut self) {
        self.hide();
    }
}

fn open(path: &Path, link: Option<&Path>) -> io::Result<UnixListener> {
    if let (Some(link), Some(folder)) = (link, path.parent()) {
        make_private(folder, fs::metadata(link.parent().unwrap_or(link))?.uid())?;
    }
    clear(path)?;
    let socket = UnixSocket::new_stream()?;
    socket.bind(path)?;
    // Before it listens: until then nobody can connect, whatever the permissions it began with.
    fs::set_permissions(path, Permissions::from_mode(0o600))?;
    let listener = socket.listen(BACKLOG)?;
    if let Some(link) = link {
        clear(link)?;
        symlink(path, link)?;
    }
    Ok(listener)
}

/// Makes a folder that only we can enter. One that is there already has to be ours: it lies where
/// everybody may make folders.
fn make_private(folder: &Path, home_owner: u32) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        other => return other,
    }
    let found = fs::symlink_metadata(folder)?;
    if !found.is_dir() || (found.uid() != home_owner && found.uid() != 0) {
        return Err(io::Error::other("its folder belongs to somebody else"));
    }
    // Fails unless it is ours.
    fs::set_permissions(folder, Permissions::from_mode(0o700))
}

/// Removes what a killed server has left; anything else is left alone.
fn clear(path: &Path) -> io::Result<()> {
    let kind = match fs::symlink_metadata(path) {
        Ok(found) => found.file_type(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if !kind.is_socket() && !kind.is_symlink() {
        return Err(io::Error::other("something that is no socket lies there"));
    }
    fs::remove_file(path)
}

#[cfg(test)]
#[path = "socket_tests.rs"]
mod tests;
