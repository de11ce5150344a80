-- Which records of which host's commits were seen here: gaps are found and filled by it.
CREATE TABLE IF NOT EXISTS sequence_log (
  host         TEXT    NOT NULL,
  counter      INTEGER NOT NULL,
  payload_type TEXT    NOT NULL,
  payload_id   TEXT    NOT NULL,
  PRIMARY KEY (host, counter, payload_type, payload_id)
) WITHOUT ROWID;
