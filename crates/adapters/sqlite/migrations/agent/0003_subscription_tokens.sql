-- Who listens for what. Only active, living subscriptions have rows.
CREATE TABLE IF NOT EXISTS subscription_tokens (
  token           TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  agent_id        TEXT NOT NULL,
  PRIMARY KEY (token, subscription_id)
) WITHOUT ROWID;
