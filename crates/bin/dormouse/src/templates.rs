//! The templates of a home: those that are built in, and the files of its folder `templates`.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use runtime::{BadTemplate, Template, Templates};
use types::limits;

/// Where a home's own templates lie.
pub(crate) const FOLDER: &str = "templates";

/// Reads the templates of a home. One that is not understood is refused, and so is the whole home:
/// agents that were made from it could not work. An empty file is no template yet.
pub(crate) fn of_home(home: &Path) -> Result<Templates, BadTemplate> {
    let folder = home.join(FOLDER);
    let mut own = Vec::new();
    for file in files(&folder)? {
        let (shown, text) = (file.display().to_string(), text(&file)?);
        // A shell makes the file before `template show` runs whose output goes there.
        if !text.trim().is_empty() {
            own.push(Template::parse(Some(&shown), &text)?);
        }
    }
    Templates::builtin().with(own)
}

/// The files of a folder, by name; none if there is no folder.
fn files(folder: &Path) -> Result<Vec<PathBuf>, BadTemplate> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(vec![]),
        Err(error) => return Err(unread(folder, &error.to_string())),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| unread(folder, &error.to_string()))?.path();
        let named = path.extension().is_some_and(|extension| extension == "toml");
        if named && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn text(path: &Path) -> Result<String, BadTemplate> {
    let mut text = String::new();
    let most = limits::TEMPLATE_FILE_BYTES_MAX;
    let file = fs::File::open(path).map_err(|error| unread(path, &error.to_string()))?;
    let read = file.take(most as u64 + 1).read_to_string(&mut text);
    match read.map_err(|error| unread(path, &error.to_string()))? {
        bytes if bytes > most => Err(unread(path, &format!("it is longer than {most} bytes"))),
        _ => Ok(text),
    }
}

fn unread(path: &Path, why: &str) -> BadTemplate {
    let (file, reason) = (path.display().to_string(), format!("it cannot be read: {why}"));
    BadTemplate { file, line: None, reason }
}
