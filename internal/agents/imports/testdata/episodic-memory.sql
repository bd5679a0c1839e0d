-- A small database with the schema of episodic-memory 1.4. Make it with
--   sqlite3 episodic-memory.db <episodic-memory.sql
PRAGMA page_size = 512;
CREATE TABLE exchanges (
  id TEXT PRIMARY KEY,
  project TEXT NOT NULL,
  timestamp TEXT NOT NULL,
  user_message TEXT NOT NULL,
  assistant_message TEXT NOT NULL,
  archive_path TEXT NOT NULL,
  line_start INTEGER NOT NULL,
  line_end INTEGER NOT NULL,
  embedding BLOB,
  is_sidechain BOOLEAN DEFAULT 0,
  session_id TEXT,
  cwd TEXT,
  git_branch TEXT,
  model TEXT
);
CREATE TABLE tool_calls (
  id TEXT PRIMARY KEY,
  exchange_id TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  tool_input TEXT,
  timestamp TEXT NOT NULL,
  FOREIGN KEY (exchange_id) REFERENCES exchanges(id) ON DELETE CASCADE
);
INSERT INTO exchanges (id, project, timestamp, user_message, assistant_message, archive_path, line_start, line_end, session_id, cwd, git_branch) VALUES
  ('ex-1', '-home-dev-harbour', '2026-05-01T12:00:00.000Z', 'rename the berth field', 'The field is called mooring now, in the schema and in both clients.', '/a.jsonl', 1, 9, 'session-5', '/home/dev/harbour', 'main'),
  ('ex-2', '-home-dev-other', '2026-05-02T12:00:00.000Z', 'list open tickets', 'There are three.', '/b.jsonl', 1, 9, NULL, NULL, NULL);
INSERT INTO tool_calls VALUES ('c1', 'ex-1', 'Edit', '{}', '2026-05-01T12:00:01.000Z'), ('c2', 'ex-1', 'Edit', '{}', '2026-05-01T12:00:02.000Z');
