-- Durable named cursors over a change log, this file's or the other's.
CREATE TABLE IF NOT EXISTS cursors (
  name     TEXT    NOT NULL,
  log      TEXT    NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (name, log)
) WITHOUT ROWID;
