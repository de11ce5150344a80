-- Fences: the lowest epoch that may still write, and whether anybody may.
CREATE TABLE IF NOT EXISTS fences (
  scope   TEXT    PRIMARY KEY,
  boot    INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  closed  INTEGER NOT NULL
) WITHOUT ROWID;
