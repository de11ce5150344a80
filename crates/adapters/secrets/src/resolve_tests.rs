use super::*;

fn resolved(place: &str) -> Result<Secret, Unavailable> {
    resolve(&place.parse().unwrap())
}

fn of_file(bytes: impl AsRef<[u8]>) -> Result<Secret, Unavailable> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    fs::write(&path, bytes).unwrap();
    resolve(&SecretRef::File(path))
}

#[test]
fn a_variable_is_read_when_it_is_needed() {
    // Cargo sets it for every test.
    assert_eq!(resolved("env:CARGO_PKG_NAME").unwrap().expose(), "secrets");
    let missing = resolved("env:DORMOUSE_NO_SUCH_VARIABLE").unwrap_err();
    assert!(matches!(missing, Unavailable::Missing { .. }), "{missing}");
}

#[test]
fn the_first_line_of_a_file_is_the_secret_without_the_space_around_it() {
    assert_eq!(of_file("  sk-1 \r\nsecond\n").unwrap().expose(), "sk-1");
    assert_eq!(of_file("sk-1").unwrap().expose(), "sk-1");
}

#[test]
fn a_changed_file_counts_at_the_next_call() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    let place = SecretRef::File(path.clone());
    for key in ["one", "two"] {
        fs::write(&path, key).unwrap();
        assert_eq!(resolve(&place).unwrap().expose(), key);
    }
    fs::remove_file(&path).unwrap();
    assert!(matches!(resolve(&place), Err(Unavailable::Missing { .. })));
}

#[test]
fn what_is_no_secret_is_refused_and_not_repeated() {
    let long = "hush".repeat(SECRET_BYTES_MAX);
    for bytes in
        ["", "\nhush", "   ", "hush hush", "hush\u{e4}", "hush\u{7}", "hush\"", "\\hush", &long]
    {
        let refused = of_file(bytes).unwrap_err();
        assert!(matches!(refused, Unavailable::Unusable { .. }), "{refused}");
        assert!(!format!("{refused} {refused:?}").contains("hush"), "{refused}");
    }
    assert!(matches!(of_file([0xff, 0xfe]), Err(Unavailable::Unusable { .. })));
}

#[test]
fn a_folder_and_a_keychain_hold_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let refused = resolve(&SecretRef::File(folder.path().to_owned()));
    assert!(matches!(refused, Err(Unavailable::Unusable { .. })));
    assert!(matches!(resolved("keychain:x"), Err(Unavailable::Unsupported { .. })));
}
