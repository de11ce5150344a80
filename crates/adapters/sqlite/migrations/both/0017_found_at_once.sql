-- The same words about subjects of one family had one number: with a thousand agents that were made within
-- seconds, each word was sought among a thousand.
UPDATE contents SET key = content_key(subject, hash);

-- What was removed stands on shelves of its own: a list that was cleared a hundred times is read as quickly as
-- a new one.
DROP INDEX IF EXISTS entities_by_shelf;
CREATE INDEX entities_by_shelf ON entities (shelf, shelf_at) WHERE shelf IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS entities_removed ON entities (shelf, shelf_at)
WHERE shelf IS NOT NULL AND deleted_at IS NOT NULL;
