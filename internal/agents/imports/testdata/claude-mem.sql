-- A small database with the schema of claude-mem 13. Make it with
--   sqlite3 claude-mem.db <claude-mem.sql
PRAGMA page_size = 512;
CREATE TABLE sdk_sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  content_session_id TEXT NOT NULL,
  memory_session_id TEXT UNIQUE,
  project TEXT NOT NULL,
  platform_source TEXT NOT NULL DEFAULT 'claude',
  user_prompt TEXT,
  started_at TEXT NOT NULL,
  started_at_epoch INTEGER NOT NULL,
  completed_at TEXT,
  completed_at_epoch INTEGER,
  status TEXT CHECK(status IN ('active', 'completed', 'failed')) NOT NULL DEFAULT 'active'
);
ALTER TABLE sdk_sessions ADD COLUMN custom_title TEXT;
CREATE TABLE IF NOT EXISTS "observations" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  memory_session_id TEXT NOT NULL,
  project TEXT NOT NULL,
  text TEXT,
  type TEXT NOT NULL,
  title TEXT,
  subtitle TEXT,
  facts TEXT,
  narrative TEXT,
  concepts TEXT,
  files_read TEXT,
  files_modified TEXT,
  prompt_number INTEGER,
  created_at TEXT NOT NULL,
  created_at_epoch INTEGER NOT NULL, discovery_tokens INTEGER DEFAULT 0, content_hash TEXT, generated_by_model TEXT, merged_into_project TEXT, agent_type TEXT, metadata TEXT, a_column_of_tomorrow TEXT,
  FOREIGN KEY(memory_session_id) REFERENCES sdk_sessions(memory_session_id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE TABLE IF NOT EXISTS "session_summaries" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  memory_session_id TEXT NOT NULL,
  project TEXT NOT NULL,
  request TEXT,
  investigated TEXT,
  learned TEXT,
  completed TEXT,
  next_steps TEXT,
  files_read TEXT,
  files_edited TEXT,
  notes TEXT,
  prompt_number INTEGER,
  created_at TEXT NOT NULL,
  created_at_epoch INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS "user_prompts" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_db_id INTEGER,
  content_session_id TEXT NOT NULL,
  prompt_number INTEGER NOT NULL,
  prompt_text TEXT NOT NULL,
  created_at TEXT NOT NULL,
  created_at_epoch INTEGER NOT NULL
);
CREATE TABLE tool_uses (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tool_use_id TEXT NOT NULL,
  content_session_id TEXT NOT NULL,
  cwd TEXT,
  UNIQUE(content_session_id, tool_use_id)
);
INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, started_at, started_at_epoch, custom_title) VALUES
  ('session-1', 'mem-1', 'harbour', '2026-03-03T10:00:00.000Z', 1772532000000, 'Crane lights'),
  ('session-2', 'mem-2', 'lighthouse/fog', '2026-03-04T10:00:00.000Z', 1772618400000, NULL);
INSERT INTO tool_uses (tool_use_id, content_session_id, cwd) VALUES ('t1', 'session-1', '/home/dev/harbour/cranes');
INSERT INTO observations (memory_session_id, project, type, title, subtitle, facts, narrative, concepts, files_read, files_modified, prompt_number, created_at, created_at_epoch, generated_by_model, agent_type, metadata) VALUES
  ('mem-1', 'harbour', 'decision', 'Cranes are polled, not pushed to', 'The controllers drop connections', '["polled every 2 s","a timeout is no outage"]', 'Controllers close idle sockets, so each crane is asked in turn.', '["trade-off"]', '["/home/dev/harbour/docs/cranes.md"]', '["cranes/poll.go"]', 2, '2026-03-03T10:01:00.000Z', 1772532060000, 'model-x', 'Explore', '{"ticket":"HB-7"}'),
  ('mem-1', 'harbour', 'bugfix', 'Lights stay on after a restart', NULL, '[]', 'The relay state is read back before the first write.', '[]', '[]', '["cranes/lights.go"]', 2, '2026-03-03T10:02:00.000Z', 1772532120000, NULL, NULL, NULL),
  ('mem-2', 'lighthouse/fog', 'discovery', 'Fog is measured in lux', NULL, NULL, NULL, '["how-it-works"]', NULL, NULL, 1, '2026-03-04T10:01:00.000Z', 1772618460000, NULL, NULL, NULL);
INSERT INTO observations (memory_session_id, project, text, type, created_at, created_at_epoch) VALUES
  ('mem-2', 'lighthouse/fog', 'Old versions kept a text alone.', 'change', '2026-03-04T10:02:00.000Z', 1772618520000);
INSERT INTO session_summaries (memory_session_id, project, request, investigated, learned, completed, next_steps, files_read, files_edited, notes, prompt_number, created_at, created_at_epoch) VALUES
  ('mem-1', 'harbour', 'Make the crane lights reliable', 'relay wiring', 'the relay forgets its state', 'state is read back', 'try it on crane 4', '["docs/relay.md"]', '["cranes/lights.go"]', 'needs a night shift', 2, '2026-03-03T10:05:00.000Z', 1772532300000);
INSERT INTO user_prompts (session_db_id, content_session_id, prompt_number, prompt_text, created_at, created_at_epoch) VALUES
  (1, 'session-1', 1, 'why do the crane lights stay on?', '2026-03-03T10:00:00.000Z', 1772532000000),
  (2, 'session-2', 1, 'how is fog measured', '2026-03-04T10:00:00.000Z', 1772618400000);
