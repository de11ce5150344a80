-- All contents in one place, so that erasure has one place to go. Every other row holds the hash.
CREATE TABLE IF NOT EXISTS contents (
  n          INTEGER PRIMARY KEY,
  subject    TEXT    NOT NULL,
  hash       BLOB    NOT NULL,
  label      TEXT    NOT NULL,
  bytes      BLOB    NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS contents_by_subject ON contents (subject, hash);
