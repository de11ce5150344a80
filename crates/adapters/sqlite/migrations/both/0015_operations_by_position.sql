-- Operations in the order in which they were done, and those of one run: history and undo read them.
CREATE INDEX IF NOT EXISTS operations_by_position ON operations (position);
CREATE INDEX IF NOT EXISTS operations_by_run ON operations (run_key) WHERE run_key IS NOT NULL;
