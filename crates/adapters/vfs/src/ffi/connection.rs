//! A connection that keeps its statements prepared.
//!
//! What is asked is written in the program, so a statement is known by where its text lies. rusqlite, which cannot
//! know that, copies the text and hashes it twice whenever a statement is used.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::mem::transmute;
use std::ops::{Deref, DerefMut};
use std::ptr::{self, NonNull};
use std::sync::Arc;

use rusqlite::ffi::{SQLITE_FCNTL_FILE_POINTER, SQLITE_OK, sqlite3_file, sqlite3_file_control};
use rusqlite::{PrepFlags, Statement};

use super::file::view_of;
use super::pages::{Sight, made_for};
use crate::index::View;

/// A connection, and the statements that were prepared on it.
pub struct Connection {
    statements: RefCell<Statements<'static>>,
    /// Owned, and never moved: statements hold its address.
    connection: NonNull<rusqlite::Connection>,
}

/// Statements by where their text begins and how long it is; nothing in place of one that is in use.
type Statements<'a> = HashMap<(usize, usize), Option<Statement<'a>>, BuildHasherDefault<Spread>>;

// SAFETY: a connection may be sent, and its statements go with it: none is in use, since who uses one holds a
// reference.
unsafe impl Send for Connection {}

impl From<rusqlite::Connection> for Connection {
    fn from(connection: rusqlite::Connection) -> Connection {
        let connection = NonNull::from(Box::leak(Box::new(connection)));
        Connection { statements: RefCell::default(), connection }
    }
}

impl Connection {
    /// Opens a connection that only reads. It keeps pages that nobody has written meanwhile, if its file's layer
    /// knows which those are.
    ///
    /// # Errors
    /// What SQLite says of the file.
    pub fn reading(
        open: impl FnOnce() -> rusqlite::Result<rusqlite::Connection>,
    ) -> rusqlite::Result<Connection> {
        let sight = Sight::default();
        let connection = made_for(Arc::clone(&sight), open)?;
        if let Some(view) = view(&connection) {
            let _ = sight.set(view);
        }
        Ok(connection.into())
    }

    /// A statement, prepared if it was not before. It is kept when it is dropped.
    ///
    /// # Errors
    /// What SQLite says against it.
    pub fn prepare_cached(&self, sql: &'static str) -> rusqlite::Result<Prepared<'_>> {
        let kept = self.statements.borrow_mut().get_mut(&place(sql)).and_then(Option::take);
        let statement = match kept {
            Some(statement) => statement,
            None => self.prepare_with_flags(sql, PrepFlags::SQLITE_PREPARE_PERSISTENT)?,
        };
        Ok(Prepared { statement: Some(statement), sql, of: self })
    }

    /// Drops the statements that it keeps.
    pub fn forget_statements(&self) {
        self.statements.take();
    }

    fn keep(&self, sql: &'static str, statement: Statement<'_>) {
        // SAFETY: only the lifetime changes. A kept statement is dropped before the connection that it holds
        // the address of, and given out for no longer than that is borrowed.
        let statement = unsafe { transmute::<Statement<'_>, Statement<'static>>(statement) };
        self.statements.borrow_mut().insert(place(sql), Some(statement));
    }
}

/// What the layer keeps in common for the file of a connection, if it does.
fn view(connection: &rusqlite::Connection) -> Option<Arc<View>> {
    let mut file: *mut sqlite3_file = ptr::null_mut();
    // SAFETY: the connection is open, and SQLite writes the address of its file, which is open as long.
    unsafe {
        let wanted = (&raw mut file).cast();
        let main = c"main".as_ptr();
        let code =
            sqlite3_file_control(connection.handle(), main, SQLITE_FCNTL_FILE_POINTER, wanted);
        if code != SQLITE_OK || file.is_null() || (*file).pMethods.is_null() {
            return None;
        }
        view_of(file)
    }
}

fn place(sql: &'static str) -> (usize, usize) {
    (sql.as_ptr().addr(), sql.len())
}

impl Deref for Connection {
    type Target = rusqlite::Connection;

    fn deref(&self) -> &rusqlite::Connection {
        // SAFETY: it lives as long as this does.
        unsafe { self.connection.as_ref() }
    }
}

impl DerefMut for Connection {
    fn deref_mut(&mut self) -> &mut rusqlite::Connection {
        self.forget_statements();
        // SAFETY: it lives as long as this does, and no statement holds a reference any more.
        unsafe { self.connection.as_mut() }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.forget_statements();
        // SAFETY: it was leaked from a box, and nobody holds a reference any more.
        drop(unsafe { Box::from_raw(self.connection.as_ptr()) });
    }
}

/// A statement in use.
pub struct Prepared<'a> {
    /// There until it is dropped.
    statement: Option<Statement<'a>>,
    sql: &'static str,
    of: &'a Connection,
}

const IN_USE: &str = "a statement is there until it is dropped";

impl<'a> Deref for Prepared<'a> {
    type Target = Statement<'a>;

    fn deref(&self) -> &Statement<'a> {
        self.statement.as_ref().expect(IN_USE)
    }
}

impl<'a> DerefMut for Prepared<'a> {
    fn deref_mut(&mut self) -> &mut Statement<'a> {
        self.statement.as_mut().expect(IN_USE)
    }
}

impl Drop for Prepared<'_> {
    fn drop(&mut self) {
        if let Some(statement) = self.statement.take() {
            self.of.keep(self.sql, statement);
        }
    }
}

/// Spreads addresses, which nobody chooses who could mean harm.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_usize(usize::from(*byte));
        }
    }

    fn write_usize(&mut self, number: usize) {
        self.0 = (self.0.rotate_left(5) ^ number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "this is about SQLite itself")]
mod tests {
    use super::*;

    fn connection() -> Connection {
        let connection = Connection::from(rusqlite::Connection::open_in_memory().unwrap());
        connection.execute_batch("CREATE TABLE a (b); INSERT INTO a VALUES (1), (2), (3)").unwrap();
        connection
    }

    const ALL: &str = "SELECT b FROM a WHERE b > ?1 ORDER BY b";

    fn sum(connection: &Connection, above: i64) -> i64 {
        let mut statement = connection.prepare_cached(ALL).unwrap();
        let rows = statement.query_map([above], |row| row.get::<_, i64>(0)).unwrap();
        rows.map(Result::unwrap).sum()
    }

    #[test]
    fn a_statement_is_kept_and_used_again() {
        let connection = connection();
        assert_eq!((sum(&connection, 0), sum(&connection, 1)), (6, 5));
        assert_eq!(connection.statements.borrow().len(), 1);
        connection.forget_statements();
        assert_eq!((sum(&connection, 2), connection.statements.borrow().len()), (3, 1));
    }

    #[test]
    fn a_statement_that_is_in_use_is_prepared_once_more() {
        let connection = connection();
        let mut outer = connection.prepare_cached(ALL).unwrap();
        let mut rows = outer.query([0]).unwrap();
        let mut found = 0;
        while let Some(row) = rows.next().unwrap() {
            found += row.get::<_, i64>(0).unwrap() * sum(&connection, 0);
        }
        assert_eq!(found, 36);
    }

    #[test]
    fn one_that_was_left_half_way_begins_anew() {
        let connection = connection();
        {
            let mut statement = connection.prepare_cached(ALL).unwrap();
            let mut rows = statement.query([0]).unwrap();
            assert!(rows.next().unwrap().is_some());
        }
        assert_eq!(sum(&connection, 0), 6);
    }

    #[test]
    fn a_connection_that_moves_to_another_thread_takes_its_statements_along() {
        let connection = connection();
        assert_eq!(sum(&connection, 0), 6);
        let other = std::thread::spawn(move || {
            let found = sum(&connection, 1);
            (connection, found)
        });
        let (mut connection, found) = other.join().unwrap();
        assert_eq!(found, 5);
        // Whoever may do anything to it finds no statement left.
        connection.progress_handler(100, None::<fn() -> bool>).unwrap();
        assert!(connection.statements.borrow().is_empty());
        assert_eq!(sum(&connection, 2), 3);
    }

    #[test]
    fn what_cannot_be_prepared_is_refused_and_not_kept() {
        let connection = connection();
        assert!(connection.prepare_cached("SELECT nothing FROM nowhere").is_err());
        assert!(connection.statements.borrow().is_empty());
    }
}
