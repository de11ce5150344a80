-- What an agent's followers are shown, numbered per agent.
CREATE TABLE IF NOT EXISTS events (
  agent_id  TEXT    NOT NULL,
  event_seq INTEGER NOT NULL,
  kind      TEXT    NOT NULL,
  at        INTEGER NOT NULL,
  body      TEXT    NOT NULL,
  PRIMARY KEY (agent_id, event_seq)
) WITHOUT ROWID;
