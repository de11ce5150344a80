-- One typed table for every kind of record. A new kind needs no migration.
CREATE TABLE IF NOT EXISTS entities (
  n              INTEGER PRIMARY KEY,
  id             TEXT    NOT NULL UNIQUE,
  type           TEXT    NOT NULL,
  subtype        TEXT    NOT NULL,
  owner          TEXT    NOT NULL,
  revision       INTEGER NOT NULL,
  clock          TEXT    NOT NULL,
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL,
  deleted_at     INTEGER,
  schema_version INTEGER NOT NULL DEFAULT 1,
  body           TEXT    NOT NULL
);
CREATE INDEX IF NOT EXISTS entities_by_owner ON entities (owner, type, subtype, created_at);
