-- A small database with the schema of engram. Make it with
--   sqlite3 engram.db <engram.sql
PRAGMA page_size = 512;
CREATE TABLE IF NOT EXISTS sessions (
  id         TEXT PRIMARY KEY,
  project    TEXT NOT NULL,
  directory  TEXT NOT NULL,
  started_at TEXT NOT NULL DEFAULT (datetime('now')),
  ended_at   TEXT,
  summary    TEXT
);
CREATE TABLE IF NOT EXISTS observations (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT    NOT NULL,
  type       TEXT    NOT NULL,
  title      TEXT    NOT NULL,
  content    TEXT    NOT NULL,
  tool_name  TEXT,
  project    TEXT,
  scope      TEXT    NOT NULL DEFAULT 'project',
  topic_key  TEXT,
  normalized_hash TEXT,
  revision_count INTEGER NOT NULL DEFAULT 1,
  duplicate_count INTEGER NOT NULL DEFAULT 1,
  last_seen_at TEXT,
  created_at TEXT    NOT NULL DEFAULT (datetime('now')),
  updated_at TEXT    NOT NULL DEFAULT (datetime('now')),
  deleted_at TEXT,
  FOREIGN KEY (session_id) REFERENCES sessions(id)
);
CREATE TABLE IF NOT EXISTS user_prompts (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT    NOT NULL,
  content    TEXT    NOT NULL,
  project    TEXT,
  created_at TEXT    NOT NULL DEFAULT (datetime('now')),
  FOREIGN KEY (session_id) REFERENCES sessions(id)
);
INSERT INTO sessions VALUES
  ('session-9', 'harbour', '/home/dev/harbour', '2026-04-01 08:00:00', '2026-04-01 09:30:00', 'Tide tables are parsed
Open: leap seconds'),
  ('manual-save-lighthouse', 'lighthouse', '', '2026-04-02 08:00:00', NULL, NULL);
INSERT INTO observations (session_id, type, title, content, tool_name, project, scope, topic_key, revision_count, last_seen_at, created_at, updated_at, deleted_at) VALUES
  ('session-9', 'architecture', 'Tide tables are read once a day', '**Why**: the office prints them at noon', NULL, 'harbour', 'project', 'architecture/tides', 2, '2026-04-03 07:00:00', '2026-04-01 08:10:00', '2026-04-03 07:00:00', NULL),
  ('manual-save-lighthouse', 'preference', 'Short commit subjects', 'The user wants subjects under 50 characters', NULL, 'lighthouse', 'personal', NULL, 1, '2026-04-02 08:00:00', '2026-04-02 08:00:00', '2026-04-02 08:00:00', NULL),
  ('manual-save-lighthouse', 'manual', 'The lamp is off on Sundays', 'Maintenance has the key then', 'bash', 'lighthouse', 'project', NULL, 1, '2026-04-02 08:01:00', '2026-04-02 08:01:00', '2026-04-02 08:01:00', NULL),
  ('session-9', 'bugfix', 'Thrown away', 'It was deleted', NULL, 'harbour', 'project', NULL, 1, NULL, '2026-04-01 08:20:00', '2026-04-01 08:20:00', '2026-04-01 08:30:00');
INSERT INTO user_prompts (session_id, content, project, created_at) VALUES ('session-9', 'parse the tide tables', 'harbour', '2026-04-01 08:00:05');
