-- By which words a live record is found besides its id and its owner: an open task, a day, a name.
CREATE TABLE IF NOT EXISTS marks (
  type TEXT NOT NULL,
  mark TEXT NOT NULL,
  id   TEXT NOT NULL,
  PRIMARY KEY (type, mark, id)
) WITHOUT ROWID;
-- What a home from before this table holds: categories by their names, tasks that are open.
INSERT OR IGNORE INTO marks (type, mark, id)
SELECT type, 'name=' || LOWER(TRIM(json_extract(body, '$.name'))), id
FROM entities
WHERE type = 'category' AND deleted_at IS NULL;
INSERT OR IGNORE INTO marks (type, mark, id)
SELECT type, 'open', id
FROM entities
WHERE type = 'task' AND subtype IN ('open', 'in_progress') AND deleted_at IS NULL;
INSERT OR IGNORE INTO marks (type, mark, id)
SELECT type, 'open=' || owner, id
FROM entities
WHERE type = 'task' AND subtype IN ('open', 'in_progress') AND deleted_at IS NULL;
