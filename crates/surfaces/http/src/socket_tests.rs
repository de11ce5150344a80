use super::*;

fn bind(socket: &Path, link: Option<&Path>) -> Result<LocalSocket, Problem> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    let _inside = runtime.enter();
    LocalSocket::bind(socket, link)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_socket_is_its_owners_and_goes_when_it_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dormouse.sock");
    let socket = bind(&path, None).unwrap();
    assert_eq!(mode(&path), 0o600);
    drop(socket);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_a_killed_server_left_is_replaced_and_anything_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dormouse.sock");
    std::mem::forget(bind(&path, None).unwrap());
    assert!(path.exists());
    drop(bind(&path, None).unwrap());
    fs::write(&path, "a letter").unwrap();
    assert_eq!(bind(&path, None).unwrap_err().code, Code::CannotListen);
    assert_eq!(fs::read_to_string(&path).unwrap(), "a letter");
}

#[test]
fn a_socket_elsewhere_has_a_private_folder_and_a_link_that_leads_there() {
    let folder = tempfile::tempdir().unwrap();
    let (link, private) = (folder.path().join("link"), folder.path().join("private"));
    let path = private.join("dormouse.sock");
    for killed in [true, false] {
        let socket = bind(&path, Some(&link)).unwrap();
        assert_eq!((mode(&private), fs::read_link(&link).unwrap()), (0o700, path.clone()));
        if killed {
            std::mem::forget(socket);
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_that_is_a_link_is_not_taken_for_our_own() {
    let folder = tempfile::tempdir().unwrap();
    let (link, private) = (folder.path().join("link"), folder.path().join("private"));
    let elsewhere = folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, &private).unwrap();
    let refused = bind(&private.join("dormouse.sock"), Some(&link)).unwrap_err();
    assert_eq!(refused.code, Code::CannotListen);
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}
