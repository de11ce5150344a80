-- The farthest cursor of a log, for the look before a file is opened: without it that look would read
-- the cursors of all agents.
CREATE INDEX IF NOT EXISTS cursors_by_position ON cursors (log, position);
