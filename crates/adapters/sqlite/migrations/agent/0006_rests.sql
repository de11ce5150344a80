-- How each agent that ever woke here last went to sleep, and its pace.
CREATE TABLE IF NOT EXISTS rests (
  agent_id TEXT PRIMARY KEY,
  body     TEXT NOT NULL
) WITHOUT ROWID;
