-- When a clock was set, by the clock of then: what one that was ahead has set is found by it. Of those that were set
-- before this nobody knows when: each counts as set when it comes round, and is looked at until it has.
CREATE TABLE armings_with_time (
  schedule_id TEXT PRIMARY KEY,
  agent_id    TEXT    NOT NULL,
  last_slot   TEXT,
  next_at     INTEGER,
  local_zone  TEXT,
  set_at      INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO armings_with_time (schedule_id, agent_id, last_slot, next_at, local_zone, set_at)
SELECT schedule_id, agent_id, last_slot, next_at, local_zone, coalesce(next_at, 0)
FROM armings;
DROP TABLE armings;
ALTER TABLE armings_with_time RENAME TO armings;
CREATE INDEX armings_due ON armings (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX armings_local ON armings (local_zone) WHERE local_zone IS NOT NULL;
CREATE INDEX armings_set ON armings (set_at) WHERE next_at IS NOT NULL;
