//! Whether the marks say what the records say.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::IgnoredAny;
use types::Body;
use vfs::Connection;

use crate::fault::Fault;
use crate::rows::Cells;

use super::indexes::each;

/// What contradicts: a live record that is not found by its marks, or is found by another.
pub(super) fn check(connection: &Connection) -> Result<Vec<String>, Fault> {
    let mut findings = unfound(connection)?;
    findings.extend(of_nobody(connection)?);
    Ok(findings)
}

fn unfound(connection: &Connection) -> Result<Vec<String>, Fault> {
    // There is no index from a record to its marks, so they are all read first: some bytes for each
    // record that bears any.
    let mut borne: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut statement = connection.prepare("SELECT id, mark FROM marks")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        borne.entry(row.get(0)?).or_default().insert(row.get(1)?);
    }
    let sql = "SELECT id, type, body, deleted_at, shelf IS NULL FROM entities";
    each(connection, sql, |row| {
        let id: String = row.get(0)?;
        let cells = Cells(row);
        let body = match cells.unpacked(2) {
            Ok(text) => Body::decode(cells.seen(1)?, text),
            Err(why) => return Ok(Some(format!("a record cannot be read, record {id}: {why}"))),
        };
        // A body of a newer version is not judged, as long as it is one.
        if let Body::Unknown { raw, .. } = &body {
            let broken = serde_json::from_str::<IgnoredAny>(raw).is_err();
            return Ok(
                broken.then(|| format!("a record cannot be read, record {id}: it is no JSON"))
            );
        }
        if row.get(4)? && body.body_type().is_some_and(rules::listing::is_listed) {
            return Ok(Some(format!("a record is not where it is looked for, record {id}")));
        }
        let lives = row.get::<_, Option<i64>>(3)?.is_none();
        let wanted = if lives { rules::mark::of(&body) } else { vec![] };
        let differs = borne.remove(&id).unwrap_or_default() != wanted.into_iter().collect();
        Ok(differs.then(|| format!("a record is not found by what it is, record {id}")))
    })
}

fn of_nobody(connection: &Connection) -> Result<Vec<String>, Fault> {
    let sql = "SELECT m.id FROM marks AS m
               WHERE NOT EXISTS (
                 SELECT 1 FROM entities AS e
                 WHERE e.id_key = key_of(m.id) AND e.id = m.id AND e.type = m.type
               )";
    each(connection, sql, |row| {
        let id: String = row.get(0)?;
        Ok(Some(format!("a mark stands for no record, record {id}")))
    })
}

#[cfg(test)]
mod tests {
    use rusqlite::params;
    use store::{Store, wait};
    use types::{At, Author, Commit, Domain, RecordDraft, RecordId, Task, Write};

    use crate::config::Config;
    use crate::{Home, connection};

    #[test]
    fn a_mark_that_is_missing_or_stray_and_a_record_that_is_none_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let config = Config::default();
        let host = "host_a".parse().unwrap();
        let store = home.open(home.lock().unwrap(), &host, &config).unwrap();
        let id: RecordId = "task_a".parse().unwrap();
        let task = Task::new("ferns", "category_home".parse().unwrap());
        let writes = vec![Write::Record(RecordDraft::live(id, task))];
        let commit = Commit::new(Domain::Journal, Author::Operator, At::EPOCH, writes);
        wait(store.commit(commit)).unwrap();
        drop(store);
        let path = home.path(Domain::Journal);
        let findings = || crate::check::check(&path, Domain::Journal, &config).unwrap().findings;
        assert_eq!(findings(), Vec::<String>::new());
        let writer = connection::open_writer(&path, &config).unwrap();
        writer.execute("DELETE FROM marks WHERE mark = 'open'", []).unwrap();
        let sql = "INSERT INTO marks (type, mark, id) VALUES ('task', 'open', ?1)";
        writer.execute(sql, params!["task_nobody"]).unwrap();
        drop(writer);
        assert_eq!(
            findings(),
            [
                "a record is not found by what it is, record task_a",
                "a mark stands for no record, record task_nobody"
            ]
        );
        let writer = connection::open_writer(&path, &config).unwrap();
        writer.execute("UPDATE entities SET shelf = NULL", []).unwrap();
        assert_eq!(findings()[0], "a record is not where it is looked for, record task_a");
        writer.execute("UPDATE entities SET body = '{\"title\": \"fer'", []).unwrap();
        drop(writer);
        let found = findings();
        assert_eq!(found[0], "a record cannot be read, record task_a: it is no JSON");
    }
}
