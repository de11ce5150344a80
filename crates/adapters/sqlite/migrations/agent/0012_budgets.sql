-- What agents spent, by the person's local day.
CREATE TABLE IF NOT EXISTS budgets (
  agent_id    TEXT    NOT NULL,
  day         TEXT    NOT NULL,
  tokens      INTEGER NOT NULL,
  cost_micros INTEGER NOT NULL,
  tool_calls  INTEGER NOT NULL,
  runtime_ms  INTEGER NOT NULL,
  PRIMARY KEY (agent_id, day)
) WITHOUT ROWID;
-- What runs under way have set aside. One that is still here when its run is taken up again counts as
-- spent.
CREATE TABLE IF NOT EXISTS reservations (
  agent_id    TEXT    NOT NULL,
  run_key     BLOB    NOT NULL,
  day         TEXT    NOT NULL,
  tokens      INTEGER NOT NULL,
  cost_micros INTEGER NOT NULL,
  tool_calls  INTEGER NOT NULL,
  runtime_ms  INTEGER NOT NULL,
  PRIMARY KEY (agent_id, run_key)
) WITHOUT ROWID;
