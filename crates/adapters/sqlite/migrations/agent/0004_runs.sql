-- The run log, now with rank, gate and envelope. A run's rank orders the queue and never changes.
-- The first line makes this safe to run twice.
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
CREATE TABLE IF NOT EXISTS runs (
  n                  INTEGER PRIMARY KEY,
  run_key            BLOB    NOT NULL,
  agent_id           TEXT    NOT NULL,
  reason             TEXT    NOT NULL,
  reason_id          TEXT,
  thread_id          TEXT    NOT NULL,
  logical_change_key BLOB,
  priority           INTEGER NOT NULL,
  rank               INTEGER NOT NULL,
  envelope_id        TEXT,
  insist             INTEGER NOT NULL DEFAULT 0,
  status             TEXT    NOT NULL,
  attempt            INTEGER NOT NULL DEFAULT 0,
  failures           INTEGER NOT NULL DEFAULT 0,
  not_before         INTEGER,
  held               INTEGER NOT NULL DEFAULT 0,
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
INSERT OR IGNORE INTO runs (n, run_key, agent_id, reason, reason_id, thread_id,
                            logical_change_key, priority, rank, status, attempt, not_before,
                            merged_into, created_at, started_at, completed_at, error_code,
                            error_message, model_calls, tokens_in, tokens_out, receipt)
SELECT n, run_key, agent_id, reason, reason_id, thread_id, logical_change_key, 2, n, status,
       attempt, not_before, merged_into, created_at, started_at, completed_at, error_code,
       error_message, model_calls, tokens_in, tokens_out, receipt
FROM wake_runs;
DROP TABLE wake_runs;
CREATE UNIQUE INDEX IF NOT EXISTS runs_by_key ON runs (run_key);
CREATE INDEX IF NOT EXISTS runs_by_agent ON runs (agent_id, n);
-- What has not ended, by agent: the oldest queued, the one begun, the mailbox.
CREATE INDEX IF NOT EXISTS runs_open ON runs (agent_id, rank)
  WHERE completed_at IS NULL AND merged_into IS NULL;
-- What could begin now, in the order of the queue.
CREATE INDEX IF NOT EXISTS runs_ready ON runs (rank)
  WHERE status = 'queued' AND merged_into IS NULL AND not_before IS NULL AND held = 0;
-- What could begin later, by time.
CREATE INDEX IF NOT EXISTS runs_gated ON runs (not_before)
  WHERE status = 'queued' AND merged_into IS NULL AND not_before IS NOT NULL AND held = 0;
CREATE INDEX IF NOT EXISTS runs_begun ON runs (n) WHERE status = 'started';
CREATE INDEX IF NOT EXISTS runs_merged ON runs (merged_into) WHERE merged_into IS NOT NULL;
