-- Messages are read in the order in which they were written, whatever the clock said meanwhile: behind
-- the columns of an index stands the row's own number.
CREATE INDEX IF NOT EXISTS messages_by_thread ON entities (owner, subtype)
  WHERE type = 'agentMessage';
