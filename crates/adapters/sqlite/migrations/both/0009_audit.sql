-- The audit chain. SQL itself refuses to change or remove an entry.
CREATE TABLE IF NOT EXISTS audit (
  number  INTEGER PRIMARY KEY,
  at      INTEGER NOT NULL,
  actor   TEXT    NOT NULL,
  action  TEXT    NOT NULL,
  subject TEXT    NOT NULL,
  detail  TEXT    NOT NULL,
  hash    BLOB    NOT NULL
);
CREATE TRIGGER IF NOT EXISTS audit_is_never_changed BEFORE UPDATE ON audit
BEGIN
  SELECT RAISE(ABORT, 'audit entries are never changed');
END;
CREATE TRIGGER IF NOT EXISTS audit_is_never_removed BEFORE DELETE ON audit
BEGIN
  SELECT RAISE(ABORT, 'audit entries are never removed');
END;
-- A REPLACE removes without asking the trigger above, so nothing is put where something was.
CREATE TRIGGER IF NOT EXISTS audit_only_grows BEFORE INSERT ON audit
WHEN NEW.number <> (SELECT COALESCE(MAX(number), 0) + 1 FROM audit)
BEGIN
  SELECT RAISE(ABORT, 'audit entries are never replaced or skipped');
END;
