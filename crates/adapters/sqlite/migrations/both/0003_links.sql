-- Links between records, one per pair and relation.
CREATE TABLE IF NOT EXISTS links (
  n              INTEGER PRIMARY KEY,
  id             TEXT    NOT NULL,
  from_id        TEXT    NOT NULL,
  to_id          TEXT    NOT NULL,
  type           TEXT    NOT NULL,
  hidden         INTEGER NOT NULL,
  clock          TEXT    NOT NULL,
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL,
  deleted_at     INTEGER,
  schema_version INTEGER NOT NULL DEFAULT 1,
  body           TEXT    NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS links_from ON links (from_id, type, to_id);
CREATE INDEX IF NOT EXISTS links_to ON links (to_id, type, created_at);
