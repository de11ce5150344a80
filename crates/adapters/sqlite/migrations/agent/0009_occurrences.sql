-- What became of every slot of every schedule; consecutive missed slots are one row.
CREATE TABLE IF NOT EXISTS occurrences (
  n           INTEGER PRIMARY KEY,
  schedule_id TEXT    NOT NULL,
  first_slot  TEXT    NOT NULL,
  last_slot   TEXT    NOT NULL,
  count       INTEGER NOT NULL,
  due_at      INTEGER NOT NULL,
  source      TEXT    NOT NULL,
  decision    TEXT,
  run_key     BLOB,
  state       TEXT    NOT NULL,
  skip_reason TEXT,
  started_at  INTEGER NOT NULL,
  ended_at    INTEGER
);
CREATE INDEX IF NOT EXISTS occurrences_by_schedule ON occurrences (schedule_id, n);
CREATE UNIQUE INDEX IF NOT EXISTS occurrences_by_slot ON occurrences (schedule_id, last_slot);
CREATE INDEX IF NOT EXISTS occurrences_in_flight ON occurrences (schedule_id)
  WHERE ended_at IS NULL;
CREATE INDEX IF NOT EXISTS occurrences_by_run ON occurrences (run_key)
  WHERE ended_at IS NULL AND run_key IS NOT NULL;
