-- Who listens for what, and whether the token alone decides. Only active, living subscriptions have
-- rows. Subscriptions of an older layout had no predicates, so their tokens alone decide. The first
-- line makes this safe to run twice.
CREATE TABLE IF NOT EXISTS subscription_tokens (
  token           TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  agent_id        TEXT NOT NULL,
  PRIMARY KEY (token, subscription_id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS listeners (
  token           TEXT    NOT NULL,
  subscription_id TEXT    NOT NULL,
  agent_id        TEXT    NOT NULL,
  plain           INTEGER NOT NULL,
  PRIMARY KEY (token, subscription_id)
) WITHOUT ROWID;
INSERT OR IGNORE INTO listeners
SELECT token, subscription_id, agent_id, 1
FROM subscription_tokens;
DROP TABLE subscription_tokens;
