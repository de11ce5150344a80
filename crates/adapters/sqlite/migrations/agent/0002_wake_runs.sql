-- The run log: every wake, from queued to its end.
CREATE TABLE IF NOT EXISTS wake_runs (
  n                  INTEGER PRIMARY KEY,
  run_key            BLOB    NOT NULL UNIQUE,
  agent_id           TEXT    NOT NULL,
  reason             TEXT    NOT NULL,
  reason_id          TEXT,
  thread_id          TEXT    NOT NULL,
  logical_change_key BLOB,
  status             TEXT    NOT NULL,
  attempt            INTEGER NOT NULL DEFAULT 0,
  not_before         INTEGER,
  merged_into        BLOB,
  created_at         INTEGER NOT NULL,
  started_at         INTEGER,
  completed_at       INTEGER,
  error_code         TEXT,
  error_message      TEXT,
  model_calls        INTEGER NOT NULL DEFAULT 0,
  tokens_in          INTEGER NOT NULL DEFAULT 0,
  tokens_out         INTEGER NOT NULL DEFAULT 0,
  receipt            TEXT
);
CREATE INDEX IF NOT EXISTS wake_runs_by_agent ON wake_runs (agent_id, created_at);
CREATE INDEX IF NOT EXISTS wake_runs_queued ON wake_runs (n) WHERE status = 'queued';
CREATE INDEX IF NOT EXISTS wake_runs_started ON wake_runs (n) WHERE status = 'started';
