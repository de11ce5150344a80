-- The change log: one row per commit that others have to know of, and an index by token.
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
CREATE TABLE IF NOT EXISTS change_tokens (
  token    TEXT    NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (token, position)
) WITHOUT ROWID;
