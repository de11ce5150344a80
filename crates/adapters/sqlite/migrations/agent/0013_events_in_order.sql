-- Events lie in the order they happened, all agents' together, with an index of each agent's own. Kept
-- apart by agent, each of a turn's events cost two pages of the log; now a group of commits shares them.
CREATE TABLE events_in_order (
  n         INTEGER PRIMARY KEY,
  agent_id  TEXT    NOT NULL,
  event_seq INTEGER NOT NULL,
  kind      TEXT    NOT NULL,
  at        INTEGER NOT NULL,
  body      TEXT    NOT NULL
);
INSERT INTO events_in_order (agent_id, event_seq, kind, at, body)
  SELECT agent_id, event_seq, kind, at, body FROM events ORDER BY at, agent_id, event_seq;
DROP TABLE events;
ALTER TABLE events_in_order RENAME TO events;
CREATE UNIQUE INDEX events_by_agent ON events (agent_id, event_seq);
