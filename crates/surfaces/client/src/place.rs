//! Where the local socket of a home's server lies.
//!
//! In the home, as `dormouse.sock`. The system takes only short paths for sockets, so that of a home
//! deep down lies in a private folder elsewhere, and `dormouse.sock` is a link that leads there.

use std::fmt::Write;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

const NAME: &str = "dormouse.sock";

/// Bytes of a socket's path: 108 on Linux and 104 on macOS, each with a zero at the end.
const PATH_BYTES_MAX: usize = 103;

/// Where a server puts its socket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SocketPlace {
    /// The socket.
    pub socket: PathBuf,
    /// A link in the home that leads there, if it lies elsewhere.
    pub link: Option<PathBuf>,
}

impl SocketPlace {
    /// The place for a home, which is named from the root; `elsewhere` is for sockets whose path in
    /// the home would be too long.
    #[must_use]
    pub fn of(home: &Path, elsewhere: &Path) -> SocketPlace {
        let socket = home.join(NAME);
        if fits(&socket) {
            return SocketPlace { socket, link: None };
        }
        let mut folder = "dormouse-".to_owned();
        for byte in &Sha256::digest(home.as_os_str().as_bytes())[..8] {
            let _ = write!(folder, "{byte:02x}");
        }
        SocketPlace { socket: elsewhere.join(folder).join(NAME), link: Some(socket) }
    }
}

/// The socket of the server of a home, if there is one that can be trusted; whether anybody listens is
/// seen when it is spoken to.
pub(crate) fn find(home: &Path) -> Option<PathBuf> {
    let home = home.canonicalize().ok()?;
    let path = home.join(NAME);
    let Ok(socket) = fs::read_link(&path) else {
        return fits(&path).then_some(path);
    };
    // It lies where everybody may make folders, and this one may have been made by anybody since.
    let owner = fs::metadata(&home).ok()?.uid();
    let folder = fs::symlink_metadata(socket.parent()?).ok()?;
    let trusted = folder.is_dir() && is_trusted(folder.uid(), owner);
    trusted.then_some(socket)
}

/// Whether what somebody owns may be taken for the home's: its owner is who the home is of, or may do
/// everything anyway.
const fn is_trusted(owner: u32, home_owner: u32) -> bool {
    owner == home_owner || owner == 0
}

fn fits(path: &Path) -> bool {
    path.as_os_str().len() <= PATH_BYTES_MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_socket_lies_in_the_home_as_long_as_its_path_is_short_enough() {
        let elsewhere = Path::new("/run/user/7");
        let home = |len: usize| PathBuf::from(format!("/{}", "h".repeat(len - 1)));
        let short = home(PATH_BYTES_MAX - NAME.len() - 1);
        let near = SocketPlace::of(&short, elsewhere);
        assert_eq!(near, SocketPlace { socket: short.join(NAME), link: None });
        assert_eq!(near.socket.as_os_str().len(), PATH_BYTES_MAX);
        let long = home(PATH_BYTES_MAX - NAME.len());
        let far = SocketPlace::of(&long, elsewhere);
        assert_eq!(far.link, Some(long.join(NAME)));
        assert!(far.socket.starts_with(elsewhere) && fits(&far.socket), "{far:?}");
        let other = SocketPlace::of(&home(200), elsewhere);
        assert_ne!(far.socket, other.socket, "two homes have two sockets");
    }

    #[test]
    fn a_link_is_followed_only_to_what_the_owner_of_the_home_made() {
        let folder = tempfile::tempdir().unwrap();
        let (home, private) = (folder.path().join("home"), folder.path().join("private"));
        fs::create_dir(&home).unwrap();
        let here = home.canonicalize().unwrap().join(NAME);
        assert_eq!(find(&home), Some(here));
        symlink(private.join(NAME), home.join(NAME)).unwrap();
        assert_eq!(find(&home), None, "the folder is not there");
        fs::create_dir(&private).unwrap();
        assert_eq!(find(&home), Some(private.join(NAME)));
        assert!(is_trusted(7, 7) && is_trusted(0, 7) && !is_trusted(8, 7));
        assert_eq!(find(&folder.path().join("nowhere")), None);
    }
}
