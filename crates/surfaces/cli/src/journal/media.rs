//! Files that notes refer to.

use std::path::Path;

use api_types::ProblemReply;

/// A file, as a note refers to it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Media {
    /// Where it lies, from the root, or its address.
    pub(crate) uri: Option<String>,
    /// What it is, as far as its name tells.
    pub(crate) media_type: Option<String>,
}

/// Kinds of files by the ends of their names.
const KINDS: [(&str, &str); 15] = [
    ("aac", "audio/aac"),
    ("flac", "audio/flac"),
    ("m4a", "audio/mp4"),
    ("mp3", "audio/mpeg"),
    ("ogg", "audio/ogg"),
    ("opus", "audio/opus"),
    ("wav", "audio/wav"),
    ("weba", "audio/webm"),
    ("avif", "image/avif"),
    ("gif", "image/gif"),
    ("heic", "image/heic"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("png", "image/png"),
    ("webp", "image/webp"),
];

/// A file that is there, or an address.
pub(crate) fn found(path: &str) -> Result<Media, ProblemReply> {
    let ending = Path::new(path).extension().and_then(|ending| ending.to_str());
    let ending = ending.unwrap_or_default().to_lowercase();
    let known = KINDS.iter().find(|(known, _)| *known == ending);
    let media_type = known.map(|(_, kind)| (*kind).to_owned());
    if path.contains("://") {
        return Ok(Media { uri: Some(path.to_owned()), media_type });
    }
    let missing = |why: &str| ProblemReply {
        code: "invalid_record".to_owned(),
        message: format!("{path:?} {why}"),
        hint: "name a file that is there; nothing was noted".to_owned(),
    };
    if !Path::new(path).is_file() {
        return Err(missing("is not a file"));
    }
    let whole = std::path::absolute(path).map_err(|error| missing(&error.to_string()))?;
    let uri = whole.to_str().ok_or_else(|| missing("has a name that is not UTF-8"))?.to_owned();
    Ok(Media { uri: Some(uri), media_type })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_kept_and_a_file_has_to_be_there() {
        let media = found("https://example.org/a/Photo.JPG").unwrap();
        assert_eq!(media.media_type.as_deref(), Some("image/jpeg"));
        assert_eq!(media.uri.as_deref(), Some("https://example.org/a/Photo.JPG"));
        assert_eq!(found("no/such/file.ogg").unwrap_err().code, "invalid_record");
        let here = found("Cargo.toml").unwrap();
        assert!(here.uri.unwrap().starts_with('/') && here.media_type.is_none());
    }
}
