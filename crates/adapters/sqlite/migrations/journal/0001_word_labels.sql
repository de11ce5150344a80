-- Where the words of a record came from, if they are not the operator's alone. What agents wrote before
-- there was this table counts as theirs.
CREATE TABLE IF NOT EXISTS word_labels (
  record_id TEXT NOT NULL PRIMARY KEY,
  label     TEXT NOT NULL
) WITHOUT ROWID;
INSERT OR IGNORE INTO word_labels
SELECT DISTINCT json_extract(image.value, '$.id'), '{"trust":"untrusted","sources":["model"]}'
FROM change_log
CROSS JOIN json_each(change_log.images) AS image
WHERE json_extract(change_log.author, '$.by') = 'agent';
