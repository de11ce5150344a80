-- People name a record by the end of its id, at least four characters of it.
CREATE INDEX IF NOT EXISTS entities_by_ending ON entities (substr(id, -4));
