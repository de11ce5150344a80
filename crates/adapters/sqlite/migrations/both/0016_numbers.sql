-- Rows are found by numbers of eight bytes instead of texts of forty to a hundred: what an index holds was
-- most of what a turn wrote. The texts stay in the rows, and whoever finds one compares them.
CREATE TABLE entities_numbered (
  n              INTEGER PRIMARY KEY,
  id             TEXT    NOT NULL,
  id_key         INTEGER NOT NULL,
  shelf          INTEGER,
  shelf_at       INTEGER,
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
INSERT INTO entities_numbered
SELECT n, id, key_of(id),
       CASE WHEN type NOT IN ('agentEnvelope', 'agentTurn')
            THEN shelf_of(owner, type, subtype)
       END,
       CASE WHEN type <> 'agentMessage' THEN created_at END,
       type, subtype, owner, revision, clock, created_at, updated_at, deleted_at, schema_version, body
FROM entities;
DROP TABLE entities;
ALTER TABLE entities_numbered RENAME TO entities;
CREATE INDEX entities_by_key ON entities (id_key);
-- What somebody lists by its owner. Agents' envelopes and turns are found by their runs.
-- Messages stand there in the order in which they were written, whatever the clock said meanwhile.
CREATE INDEX entities_by_shelf ON entities (shelf, shelf_at) WHERE shelf IS NOT NULL;

CREATE TABLE links_numbered (
  n              INTEGER PRIMARY KEY,
  id             TEXT    NOT NULL,
  from_id        TEXT    NOT NULL,
  to_id          TEXT    NOT NULL,
  from_key       INTEGER NOT NULL,
  to_key         INTEGER NOT NULL,
  type           TEXT    NOT NULL,
  hidden         INTEGER NOT NULL,
  clock          TEXT    NOT NULL,
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL,
  deleted_at     INTEGER,
  schema_version INTEGER NOT NULL DEFAULT 1,
  body           TEXT    NOT NULL
);
INSERT INTO links_numbered
SELECT n, id, from_id, to_id, key_of(from_id), key_of(to_id), type, hidden, clock, created_at, updated_at,
       deleted_at, schema_version, body
FROM links;
DROP TABLE links;
ALTER TABLE links_numbered RENAME TO links;
CREATE INDEX links_from ON links (from_key);
CREATE INDEX links_to ON links (to_key);

CREATE TABLE contents_numbered (
  n          INTEGER PRIMARY KEY,
  subject    TEXT    NOT NULL,
  hash       BLOB    NOT NULL,
  key        INTEGER NOT NULL,
  label      TEXT    NOT NULL,
  bytes      BLOB    NOT NULL,
  created_at INTEGER NOT NULL
);
INSERT INTO contents_numbered
SELECT n, subject, hash, content_key(subject, hash), label, bytes, created_at FROM contents;
DROP TABLE contents;
ALTER TABLE contents_numbered RENAME TO contents;
CREATE INDEX contents_by_key ON contents (key);

CREATE TABLE operations_numbered (
  n            INTEGER PRIMARY KEY,
  operation_id BLOB    NOT NULL,
  key          INTEGER NOT NULL,
  verb         TEXT    NOT NULL,
  subject      TEXT    NOT NULL,
  run_key      BLOB,
  author       TEXT    NOT NULL,
  at           INTEGER NOT NULL,
  position     INTEGER,
  result       BLOB    NOT NULL,
  pre_image    BLOB
);
INSERT INTO operations_numbered (operation_id, key, verb, subject, run_key, author, at, position, result,
                                 pre_image)
SELECT operation_id, digest_key(operation_id), verb, subject, run_key, author, at, position, result, pre_image
FROM operations
ORDER BY at, position;
DROP TABLE operations;
ALTER TABLE operations_numbered RENAME TO operations;
CREATE INDEX operations_by_key ON operations (key);
CREATE INDEX operations_by_position ON operations (position);
CREATE INDEX operations_by_run ON operations (run_key) WHERE run_key IS NOT NULL;

-- The words of a token stand in the change itself.
CREATE TABLE change_tokens_numbered (
  token_key INTEGER NOT NULL,
  position  INTEGER NOT NULL,
  PRIMARY KEY (token_key, position)
) WITHOUT ROWID;
INSERT OR IGNORE INTO change_tokens_numbered
SELECT key_of(token.value), change_log.position
FROM change_log
CROSS JOIN json_each(change_log.tokens) AS token;
DROP TABLE change_tokens;
ALTER TABLE change_tokens_numbered RENAME TO change_tokens;
