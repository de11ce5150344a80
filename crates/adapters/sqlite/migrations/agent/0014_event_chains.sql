-- Each event names the one before it of its agent, and the newest is known: a follower goes back from there.
-- An index of all events by agent cost a page for each commit of a turn; this one has every thirty-second.
CREATE TABLE events_chained (
  n         INTEGER PRIMARY KEY,
  agent_id  TEXT    NOT NULL,
  agent_key INTEGER NOT NULL,
  event_seq INTEGER NOT NULL,
  before    INTEGER,
  kind      TEXT    NOT NULL,
  at        INTEGER NOT NULL,
  body      TEXT    NOT NULL
);
INSERT INTO events_chained
SELECT n, agent_id, key_of(agent_id), event_seq,
       LAG(n) OVER (PARTITION BY agent_id ORDER BY event_seq), kind, at, body
FROM events;
DROP TABLE events;
ALTER TABLE events_chained RENAME TO events;
CREATE INDEX events_by_agent ON events (agent_key, event_seq) WHERE event_seq % 32 = 0;
CREATE TABLE IF NOT EXISTS event_heads (
  agent_id  TEXT    PRIMARY KEY,
  n         INTEGER NOT NULL,
  event_seq INTEGER NOT NULL
) WITHOUT ROWID;
INSERT OR REPLACE INTO event_heads
SELECT agent_id, n, MAX(event_seq) FROM events GROUP BY agent_id;
