-- Open waits, by agent, by what they wait for and by deadline. The record says the rest.
CREATE TABLE IF NOT EXISTS waits (
  wait_id  TEXT    PRIMARY KEY,
  agent_id TEXT    NOT NULL,
  source   TEXT    NOT NULL,
  deadline INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS waits_by_agent ON waits (agent_id);
CREATE INDEX IF NOT EXISTS waits_by_source ON waits (source);
CREATE INDEX IF NOT EXISTS waits_by_deadline ON waits (deadline);
