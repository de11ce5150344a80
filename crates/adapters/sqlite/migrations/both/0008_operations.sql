-- Mutating calls that were done: the answer to a repetition, and the way back.
CREATE TABLE IF NOT EXISTS operations (
  operation_id BLOB    PRIMARY KEY,
  verb         TEXT    NOT NULL,
  subject      TEXT    NOT NULL,
  run_key      BLOB,
  author       TEXT    NOT NULL,
  at           INTEGER NOT NULL,
  position     INTEGER,
  result       BLOB    NOT NULL,
  pre_image    BLOB
) WITHOUT ROWID;
