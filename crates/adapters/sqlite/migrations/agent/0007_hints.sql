-- Signals from outside that agents have not looked at yet.
CREATE TABLE IF NOT EXISTS hints (
  agent_id       TEXT    NOT NULL,
  trigger_id     TEXT    NOT NULL,
  at             INTEGER NOT NULL,
  count          INTEGER NOT NULL,
  source         TEXT,
  content_type   TEXT,
  payload        BLOB,
  correlation_id TEXT,
  causation_id   TEXT,
  PRIMARY KEY (agent_id, trigger_id)
) WITHOUT ROWID;
