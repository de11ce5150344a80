//! What a full check found, for people.

use std::path::Path;

use api_types::CheckReply;
use sqlite::CheckReport;
use store::StoreError;
use types::Problem;

/// What is said of a file that was read whole.
pub(crate) fn reply(path: &Path, result: Result<CheckReport, StoreError>) -> CheckReply {
    let file = path.display().to_string();
    match result {
        Ok(CheckReport { changes, audit_entries, findings, .. }) => {
            let ok = findings.is_empty();
            CheckReply { file, ok, changes, audit_entries, findings, problem: None }
        }
        Err(error) => {
            let (problem, findings) = (Some(Problem::from(error).into()), vec![]);
            CheckReply { file, ok: false, changes: 0, audit_entries: 0, findings, problem }
        }
    }
}
