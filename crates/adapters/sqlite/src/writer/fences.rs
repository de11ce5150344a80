//! Fences as the writer knows them. Nobody else moves any, so what it has read or written once still stands.

use std::cell::RefCell;
use std::collections::HashMap;

use rusqlite::params;
use types::{Fence, FenceMove, FenceScope};
use vfs::Connection;

use crate::fault::Fault;
use crate::reads;

/// Fences that are kept in mind: as many as there are agents at work, and some.
const KNOWN_MAX: usize = 256;

/// Some of the fences of a file.
#[derive(Default)]
pub(super) struct KnownFences(RefCell<HashMap<FenceScope, Fence>>);

impl KnownFences {
    /// A fence as it stands.
    pub(super) fn get(&self, connection: &Connection, scope: &FenceScope) -> Result<Fence, Fault> {
        if let Some(fence) = self.0.borrow().get(scope) {
            return Ok(*fence);
        }
        let fence = reads::fence(connection, scope)?;
        let mut known = self.0.borrow_mut();
        if known.len() >= KNOWN_MAX {
            known.clear();
        }
        known.insert(scope.clone(), fence);
        Ok(fence)
    }

    /// Moves a fence.
    pub(super) fn put(&self, connection: &Connection, fence: &FenceMove) -> Result<(), Fault> {
        self.0.borrow_mut().remove(&fence.scope);
        let sql = "INSERT INTO fences (scope, boot, attempt, closed)
                   VALUES (?1, ?2, ?3, ?4)
                   ON CONFLICT (scope) DO UPDATE
                   SET boot = excluded.boot, attempt = excluded.attempt, closed = excluded.closed";
        let (scope, epoch) = (fence.scope.to_string(), fence.epoch);
        let params = params![scope, epoch.boot, epoch.attempt, fence.closed];
        connection.prepare_cached(sql)?.execute(params)?;
        Ok(())
    }

    /// What was read or moved may have been rolled back.
    pub(super) fn forget(&self) {
        self.0.borrow_mut().clear();
    }
}
