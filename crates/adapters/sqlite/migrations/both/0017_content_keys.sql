-- The same words about subjects of one family had one number: with a thousand agents that were made within
-- seconds, each word was sought among a thousand.
UPDATE contents SET key = content_key(subject, hash);
