-- A run may be for another model than its agent has.
CREATE TABLE runs_with_model (
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
  receipt            TEXT,
  model              TEXT
);
INSERT INTO runs_with_model (n, run_key, agent_id, reason, reason_id, thread_id, logical_change_key, priority, rank,
                             envelope_id, insist, status, attempt, failures, not_before, held, merged_into,
                             created_at, started_at, completed_at, error_code, error_message, model_calls, tokens_in,
                             tokens_out, receipt)
SELECT n, run_key, agent_id, reason, reason_id, thread_id, logical_change_key, priority, rank, envelope_id, insist,
       status, attempt, failures, not_before, held, merged_into, created_at, started_at, completed_at, error_code,
       error_message, model_calls, tokens_in, tokens_out, receipt
FROM runs;
DROP TABLE runs;
ALTER TABLE runs_with_model RENAME TO runs;
CREATE UNIQUE INDEX runs_by_key ON runs (run_key);
CREATE INDEX runs_by_agent ON runs (agent_id, n);
CREATE INDEX runs_open ON runs (agent_id, rank)
  WHERE completed_at IS NULL AND merged_into IS NULL;
CREATE INDEX runs_ready ON runs (rank)
  WHERE status = 'queued' AND merged_into IS NULL AND not_before IS NULL AND held = 0;
CREATE INDEX runs_gated ON runs (not_before)
  WHERE status = 'queued' AND merged_into IS NULL AND not_before IS NOT NULL AND held = 0;
CREATE INDEX runs_begun ON runs (n) WHERE status = 'started';
CREATE INDEX runs_merged ON runs (merged_into) WHERE merged_into IS NOT NULL;
