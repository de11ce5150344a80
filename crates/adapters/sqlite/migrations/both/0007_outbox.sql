-- Local changes that other hosts have not confirmed.
CREATE TABLE IF NOT EXISTS outbox (
  position INTEGER PRIMARY KEY
);
