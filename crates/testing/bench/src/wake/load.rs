//! Loading copies of an agent's rows, in one transaction that waits for no disk.

use std::path::Path;

use rusqlite::{Connection, Statement, params};
use types::{AgentId, Body};

use super::size::{self, Size};

/// The rows of the agent that is copied.
struct Rows {
    agent: String,
    state: String,
    /// Clock and time of its records.
    clock: String,
    at: i64,
    identity_subtype: String,
    identity: String,
    state_subtype: String,
    state_body: String,
    link: (String, bool, String),
    cursors: Vec<(String, i64)>,
    rest: String,
}

/// Puts copies of an agent into a closed file. Their ids, and what they listen for, are their own.
#[expect(clippy::disallowed_methods, reason = "a fleet is loaded around the store")]
pub(super) fn copies(path: &Path, first: &AgentId, size: Size) {
    let connection = Connection::open(path).expect("the file opens");
    sqlite::teach(&connection).expect("it takes functions");
    let pragma = |name: &str, value: &str| {
        let taken = connection.pragma_update_and_check(None, name, value, |_| Ok(()));
        taken.or_else(|_| connection.pragma_update(None, name, value)).expect("it is taken");
    };
    pragma("journal_mode", "DELETE");
    pragma("journal_mode", "OFF");
    pragma("synchronous", "OFF");
    pragma("cache_size", "-1000000");
    let rows = Rows::of(&connection, first).expect("the first agent has its rows");
    let loaded = || -> rusqlite::Result<()> {
        connection.execute_batch("BEGIN IMMEDIATE")?;
        let mut load = Load::new(&connection)?;
        for n in 0..size.agents {
            load.agent(&rows, n)?;
            load.subscription(&rows, n, size)?;
        }
        connection.execute_batch("COMMIT")
    };
    loaded().expect("the copies are written");
    pragma("journal_mode", "WAL");
}

impl Rows {
    fn of(connection: &Connection, first: &AgentId) -> rusqlite::Result<Rows> {
        let agent = first.to_string();
        let (clock, at, identity_subtype, identity) = connection.query_row(
            "SELECT clock, created_at, subtype, unpacked(body) FROM entities
             WHERE id_key = key_of(?1) AND id = ?1",
            params![agent],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
        )?;
        let (state, state_subtype, state_body) = connection.query_row(
            "SELECT id, subtype, unpacked(body) FROM entities
             WHERE owner = ?1 AND type = 'agentState'",
            params![agent],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )?;
        let link = connection.query_row(
            "SELECT type, hidden, body FROM links WHERE from_id = ?1",
            params![agent],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )?;
        let cursors = connection
            .prepare("SELECT log, position FROM cursors WHERE name = ?1")?
            .query_map(params![agent], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        let rest = connection.query_row(
            "SELECT body FROM rests WHERE agent_id = ?1",
            [&agent],
            |row| row.get(0),
        )?;
        Ok(Rows {
            agent,
            state,
            clock,
            at,
            identity_subtype,
            identity,
            state_subtype,
            state_body,
            link,
            cursors,
            rest,
        })
    }

    /// A text of the first agent as it stands with another.
    fn copy(&self, text: &str, agent: &str, state: &str) -> String {
        text.replace(&self.agent, agent).replace(&self.state, state)
    }
}

/// The statements that load.
struct Load<'a> {
    entity: Statement<'a>,
    link: Statement<'a>,
    listener: Statement<'a>,
    cursor: Statement<'a>,
    rest: Statement<'a>,
}

impl Load<'_> {
    fn new(connection: &Connection) -> rusqlite::Result<Load<'_>> {
        Ok(Load {
            entity: connection.prepare(
                "INSERT INTO entities (id, id_key, shelf, shelf_at, type, subtype, owner, revision,
                                       clock, created_at, updated_at, deleted_at, body)
                 VALUES (?1, key_of(?1), shelf_of(?4, ?2, ?3), ?6, ?2, ?3, ?4, 1, ?5, ?6, ?6, NULL,
                         packed(?7))",
            )?,
            link: connection.prepare(
                "INSERT INTO links (id, from_id, to_id, from_key, to_key, type, hidden, clock,
                                    created_at, updated_at, deleted_at, body)
                 VALUES (?1, ?2, ?3, key_of(?2), key_of(?3), ?4, ?5, ?6, ?7, ?7, NULL, ?8)",
            )?,
            listener: connection.prepare(
                "INSERT INTO listeners (token, subscription_id, agent_id, plain)
                 VALUES (?1, ?2, ?3, ?4)",
            )?,
            cursor: connection.prepare("INSERT INTO cursors VALUES (?1, ?2, ?3)")?,
            rest: connection.prepare("INSERT INTO rests (agent_id, body) VALUES (?1, ?2)")?,
        })
    }

    fn agent(&mut self, rows: &Rows, n: u64) -> rusqlite::Result<()> {
        let (agent, state) = (size::agent_id(n), size::state_id(n));
        let (agent, state) = (agent.as_str(), state.as_str());
        let copy = |text: &str| rows.copy(text, agent, state);
        let (clock, at) = (&rows.clock, rows.at);
        let (subtype, body) = (&rows.identity_subtype, copy(&rows.identity));
        self.entity.execute(params![agent, "agent", subtype, "agents", clock, at, body])?;
        let (subtype, body) = (&rows.state_subtype, copy(&rows.state_body));
        self.entity.execute(params![state, "agentState", subtype, agent, clock, at, body])?;
        let id = format!("link_{}", size::ulid(n));
        let (relation, hidden, body) = &rows.link;
        self.link.execute(params![id, agent, state, relation, hidden, clock, at, body])?;
        for (log, position) in &rows.cursors {
            self.cursor.execute(params![agent, log, position])?;
        }
        self.rest.execute(params![agent, copy(&rows.rest)])?;
        Ok(())
    }

    /// What the n-th agent listens for, with the rows under which the product finds it.
    fn subscription(&mut self, rows: &Rows, n: u64, size: Size) -> rusqlite::Result<()> {
        let agent = size::agent_id(n);
        let (subscription, target) = size.subscription(n, agent.clone());
        let id = rules::run_key::subscription_id(&agent, "watch", &target);
        let plain = rules::matching::is_plain(&subscription);
        for token in rules::matching::index_tokens(&subscription) {
            self.listener.execute(params![token.key(), id.as_str(), agent.as_str(), plain])?;
        }
        let body = Body::AgentSubscription(subscription);
        let (kind, subtype, owner) = (body.kind(), body.subtype(), body.owner());
        let (clock, at, text) = (&rows.clock, rows.at, body.encode());
        self.entity.execute(params![id.as_str(), kind, subtype, owner, clock, at, text])?;
        Ok(())
    }
}
