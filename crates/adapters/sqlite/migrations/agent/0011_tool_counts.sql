-- How often agents called tools that have a quota. A span is a session, by its thread, or the day, which
-- has no name: one row that opens anew with the first call after its 24 hours.
CREATE TABLE IF NOT EXISTS tool_counts (
  agent_id  TEXT    NOT NULL,
  tool      TEXT    NOT NULL,
  span      TEXT    NOT NULL,
  opened_at INTEGER NOT NULL,
  count     INTEGER NOT NULL,
  PRIMARY KEY (agent_id, tool, span)
) WITHOUT ROWID;
-- The calls that were counted: none counts twice.
CREATE TABLE IF NOT EXISTS tool_counted (
  call_id TEXT PRIMARY KEY
) WITHOUT ROWID;
