-- The change log, now with what each change did to its records. The first line makes this safe to
-- run twice.
CREATE TABLE IF NOT EXISTS changes (
  position           INTEGER PRIMARY KEY,
  host               TEXT    NOT NULL,
  counter            INTEGER NOT NULL,
  origin             TEXT    NOT NULL,
  author             TEXT    NOT NULL,
  at                 INTEGER NOT NULL,
  logical_change_key BLOB    NOT NULL,
  tokens             TEXT    NOT NULL
);
CREATE TABLE IF NOT EXISTS change_log (
  position           INTEGER PRIMARY KEY,
  host               TEXT    NOT NULL,
  counter            INTEGER NOT NULL,
  origin             TEXT    NOT NULL,
  author             TEXT    NOT NULL,
  at                 INTEGER NOT NULL,
  logical_change_key BLOB    NOT NULL,
  tokens             TEXT    NOT NULL,
  images             TEXT    NOT NULL
);
INSERT OR IGNORE INTO change_log
SELECT position, host, counter, origin, author, at, logical_change_key, tokens, '[]'
FROM changes;
DROP TABLE changes;
