-- The clocks of schedules: what was dealt with, and when to look again.
CREATE TABLE IF NOT EXISTS armings (
  schedule_id TEXT PRIMARY KEY,
  agent_id    TEXT NOT NULL,
  last_slot   TEXT,
  next_at     INTEGER,
  local_zone  TEXT
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS armings_due ON armings (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS armings_local ON armings (local_zone) WHERE local_zone IS NOT NULL;
