//! From lines to tasks with items.

use std::collections::BTreeMap;

/// A task as it was jotted down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Jotted {
    /// The lines it comes from, the first and the last, counted from 1.
    pub(super) lines: (usize, usize),
    /// What is to be done.
    pub(super) title: String,
    /// It is done.
    pub(super) done: bool,
    /// What stood indented under it, and whether that is done.
    pub(super) items: Vec<(String, bool)>,
}

/// Reads lines. Each is a task; those that are indented are items of the task above. Bullets and boxes
/// are taken off, and lines that say nothing are left out.
pub(super) fn read(text: &str) -> Vec<Jotted> {
    let mut tasks: Vec<Jotted> = Vec::new();
    for (place, line) in text.lines().enumerate() {
        let (title, done) = plain(line);
        if title.is_empty() {
            continue;
        }
        let (number, title) = (place + 1, title.to_owned());
        match tasks.last_mut().filter(|_| line.starts_with([' ', '\t'])) {
            Some(task) => {
                task.items.push((title, done));
                task.lines.1 = number;
            }
            None => tasks.push(Jotted { lines: (number, number), title, done, items: vec![] }),
        }
    }
    tasks
}

/// What a line says without its bullet and box, and whether the box is checked.
fn plain(line: &str) -> (&str, bool) {
    let line = line.trim();
    let after_bullet = ['-', '*', '+'].into_iter().find_map(|bullet| {
        let rest = line.strip_prefix(bullet)?;
        (rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| rest.trim_start())
    });
    let line = after_bullet.unwrap_or(line);
    for (mark, done) in [("[ ]", false), ("[]", false), ("[x]", true), ("[X]", true)] {
        if let Some(rest) = line.strip_prefix(mark)
            && (rest.is_empty() || rest.starts_with([' ', '\t']))
        {
            return (rest.trim_start(), done);
        }
    }
    (line, false)
}

/// A name for each task by what it says, the same whenever the same is jotted down: a request that is
/// repeated finds it again even if other lines came or went.
pub(super) fn names(tasks: &[Jotted]) -> Vec<String> {
    let mut seen: BTreeMap<u64, usize> = BTreeMap::new();
    let name = |task: &Jotted| {
        let print = fingerprint(task);
        let nth = seen.entry(print).or_default();
        *nth += 1;
        format!("{print:016x}.{nth}")
    };
    tasks.iter().map(name).collect()
}

/// FNV-1a over all that the task says: stable from version to version, as the names of requests are
/// kept.
fn fingerprint(task: &Jotted) -> u64 {
    let parts = std::iter::once((&task.title, task.done))
        .chain(task.items.iter().map(|(title, done)| (title, *done)));
    let bytes = parts.flat_map(|(title, done)| title.bytes().chain([0, u8::from(done)]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |print, byte| {
        (print ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(lines: (usize, usize), title: &str, done: bool, items: &[(&str, bool)]) -> Jotted {
        let items = items.iter().map(|(title, done)| ((*title).to_owned(), *done)).collect();
        Jotted { lines, title: title.to_owned(), done, items }
    }

    #[test]
    fn bullets_and_boxes_go_and_indented_lines_belong_to_the_task_above() {
        let text = "  early bird\n\n- [ ] ferns\n  - [x] water\n\t* repot\r\n* [X] moss\n+ soil\n\
                    -5 degrees\n- \n[ ] bare\n**bold**\n- [y] kept";
        let expected = [
            task((1, 1), "early bird", false, &[]),
            task((3, 5), "ferns", false, &[("water", true), ("repot", false)]),
            task((6, 6), "moss", true, &[]),
            task((7, 7), "soil", false, &[]),
            task((8, 8), "-5 degrees", false, &[]),
            task((10, 10), "bare", false, &[]),
            task((11, 11), "**bold**", false, &[]),
            task((12, 12), "[y] kept", false, &[]),
        ];
        assert_eq!(read(text), expected);
        assert!(read(" \n\n").is_empty());
    }

    #[test]
    fn a_task_keeps_its_name_when_lines_before_it_come_and_go() {
        let names = |text: &str| names(&read(text));
        let (before, after) = (names("milk\nbread\nmilk"), names("eggs\nmilk\nbread\nmilk"));
        assert_eq!(before, after[1..]);
        assert_ne!(before[0], before[2], "the same line twice is two tasks");
        assert_ne!(names("- [ ] milk"), names("- [x] milk"));
        assert_eq!(names("milk"), ["4068e6d01f07ce92.1"], "names of requests are kept for good");
    }
}
