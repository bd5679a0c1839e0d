-- A small database with the tables of OpenCode 1.18.34 that have its sessions. Make it with
--   sqlite3 opencode.db <opencode.sql
PRAGMA page_size = 512;
CREATE TABLE `session` (
  `id` text PRIMARY KEY,
  `project_id` text NOT NULL,
  `workspace_id` text,
  `parent_id` text,
  `slug` text NOT NULL,
  `directory` text NOT NULL,
  `path` text,
  `title` text NOT NULL,
  `version` text NOT NULL,
  `share_url` text,
  `summary_additions` integer,
  `summary_deletions` integer,
  `summary_files` integer,
  `summary_diffs` text,
  `metadata` text,
  `cost` real DEFAULT 0 NOT NULL,
  `tokens_input` integer DEFAULT 0 NOT NULL,
  `tokens_output` integer DEFAULT 0 NOT NULL,
  `tokens_reasoning` integer DEFAULT 0 NOT NULL,
  `tokens_cache_read` integer DEFAULT 0 NOT NULL,
  `tokens_cache_write` integer DEFAULT 0 NOT NULL,
  `revert` text,
  `permission` text,
  `agent` text,
  `model` text,
  `time_created` integer NOT NULL,
  `time_updated` integer NOT NULL,
  `time_compacting` integer,
  `time_archived` integer
);
CREATE TABLE `message` (
  `id` text PRIMARY KEY,
  `session_id` text NOT NULL,
  `time_created` integer NOT NULL,
  `time_updated` integer NOT NULL,
  `data` text NOT NULL
);
CREATE TABLE `part` (
  `id` text PRIMARY KEY,
  `message_id` text NOT NULL,
  `session_id` text NOT NULL,
  `time_created` integer NOT NULL,
  `time_updated` integer NOT NULL,
  `data` text NOT NULL
);
INSERT INTO session (id, project_id, parent_id, slug, directory, title, version, time_created, time_updated) VALUES ('ses_df8d0b59cfferXHoaDnr1qJUQg', 'global', NULL, 'happy-rocket', '/src/orders', 'The pool never released a connection when the query failed; release is deferred now.', '1.18.34', 1795416869477, 1795416873769);
INSERT INTO session (id, project_id, parent_id, slug, directory, title, version, time_created, time_updated) VALUES ('ses_subagent', 'global', 'ses_df8d0b59cfferXHoaDnr1qJUQg', 'quiet-sea', '/src/orders', 'count files', '1.18.34', 1795416869477, 1795416873769);
INSERT INTO session (id, project_id, parent_id, slug, directory, title, version, time_created, time_updated) VALUES ('../../ses_bad', 'global', NULL, 'bad', '/src/orders', 'bad', '1.18.34', 1795416869477, 1795416873769);
INSERT INTO message VALUES ('msg_2072f4b29001ItecBUZWqu9O9n', 'ses_df8d0b59cfferXHoaDnr1qJUQg', 1795416869673, 1795416869673, '{"role":"user","time":{"created":1795416869673},"agent":"build","model":{"providerID":"openai","modelID":"gpt-5-mini"}}');
INSERT INTO part VALUES ('prt_2072f4b35001eRXxWfn4Gi76dx', 'msg_2072f4b29001ItecBUZWqu9O9n', 'ses_df8d0b59cfferXHoaDnr1qJUQg', 1795416869673, 1795416869673, '{"type":"text","text":"Why do the connection pool tests hang?"}');
INSERT INTO part VALUES ('prt_2072f4b35001eRXxWfn4Gi76dxr0', 'msg_2072f4b29001ItecBUZWqu9O9n', 'ses_df8d0b59cfferXHoaDnr1qJUQg', 1795416869673, 1795416869673, '{"type":"text","synthetic":true,"text":"<memory-data source=\"recollect\">\n[note] the pool has 40 connections\n</memory-data>"}');
INSERT INTO message VALUES ('msg_2072f5027001TxMzrgfZlbAsaX', 'ses_df8d0b59cfferXHoaDnr1qJUQg', 1795416870951, 1795416870951, '{"parentID":"msg_2072f4b29001ItecBUZWqu9O9n","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/src/orders","root":"/src/orders"},"modelID":"gpt-5-mini","providerID":"openai","time":{"created":1795416870951,"completed":1795416873036},"finish":"tool-calls"}');
INSERT INTO part VALUES ('prt_2072f56dc001ZyWyQjy165VTEQ', 'msg_2072f5027001TxMzrgfZlbAsaX', 'ses_df8d0b59cfferXHoaDnr1qJUQg', 1795416870951, 1795416870951, '{"snapshot":"8ac0575395249742cd091f70bb4f05fe91ae435e","type":"step-start"}');
INSERT INTO part VALUES ('prt_2072f56e2001wju4kSbfakHFVf', 'msg_2072f5027001TxMzrgfZlbAsaX', 'ses_df8d0b59cfferXHoaDnr1qJUQg', 1795416870951, 1795416870951, '{"type":"reasoning","text":"The pool may never release.","time":{"start":1795416872674,"end":1795416872678}}');
INSERT INTO part VALUES ('prt_2072f56ea001ZNzGeT6UBWalbK', 'msg_2072f5027001TxMzrgfZlbAsaX', 'ses_df8d0b59cfferXHoaDnr1qJUQg', 1795416870951, 1795416870951, '{"type":"tool","tool":"bash","callID":"call_1","state":{"status":"completed","input":{"command":"go test ./pool","description":"Run the tests"},"output":"panic: test timed out after 4s\nFAIL orders/pool 4.0s\n","metadata":{"output":"panic: test timed out after 4s\nFAIL orders/pool 4.0s\n","exit":1,"truncated":false},"title":"go test ./pool","time":{"start":1795416872718,"end":1795416872909}}}');
INSERT INTO message VALUES ('msg_2072f5851001zoLTd7ec4KNN1r', 'ses_df8d0b59cfferXHoaDnr1qJUQg', 1795416873041, 1795416873041, '{"parentID":"msg_2072f4b29001ItecBUZWqu9O9n","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/src/orders","root":"/src/orders"},"modelID":"gpt-5-mini","providerID":"openai","time":{"created":1795416873041,"completed":1795416873461},"finish":"tool-calls"}');
INSERT INTO part VALUES ('prt_2072f58fd001pDwNzxiEnmZJgh', 'msg_2072f5851001zoLTd7ec4KNN1r', 'ses_df8d0b59cfferXHoaDnr1qJUQg', 1795416873041, 1795416873041, '{"snapshot":"8ac0575395249742cd091f70bb4f05fe91ae435e","type":"step-start"}');
INSERT INTO part VALUES ('prt_2072f5909001O9kXvnyPmP2TZp', 'msg_2072f5851001zoLTd7ec4KNN1r', 'ses_df8d0b59cfferXHoaDnr1qJUQg', 1795416873041, 1795416873041, '{"type":"tool","tool":"edit","callID":"call_2","state":{"status":"completed","input":{"filePath":"/src/orders/pool/pool.go","oldString":"return c","newString":"defer p.release(c)"},"output":"Edit applied successfully.","metadata":{"truncated":false},"title":"pool/pool.go","time":{"start":1795416873234,"end":1795416873275}}}');
INSERT INTO part VALUES ('prt_2072f59ec001PZcnqzoHempL0o', 'msg_2072f5851001zoLTd7ec4KNN1r', 'ses_df8d0b59cfferXHoaDnr1qJUQg', 1795416873041, 1795416873041, '{"type":"patch","hash":"8ac0575395249742cd091f70bb4f05fe91ae435e","files":["/src/orders/pool/pool.go"]}');
INSERT INTO message VALUES ('msg_2072f59fe001v0EnuJ9VmfSrBK', 'ses_df8d0b59cfferXHoaDnr1qJUQg', 1795416873470, 1795416873470, '{"parentID":"msg_2072f4b29001ItecBUZWqu9O9n","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/src/orders","root":"/src/orders"},"modelID":"gpt-5-mini","providerID":"openai","time":{"created":1795416873470,"completed":1795416873743},"finish":"stop"}');
INSERT INTO part VALUES ('prt_2072f5a750015BibgtcU2zFqOA', 'msg_2072f59fe001v0EnuJ9VmfSrBK', 'ses_df8d0b59cfferXHoaDnr1qJUQg', 1795416873470, 1795416873470, '{"snapshot":"b3f51be68f45b7d946c735975b4ffb9569b4652b","type":"step-start"}');
INSERT INTO part VALUES ('prt_2072f5a7700156J7QCsBGySXdX', 'msg_2072f59fe001v0EnuJ9VmfSrBK', 'ses_df8d0b59cfferXHoaDnr1qJUQg', 1795416873470, 1795416873470, '{"type":"text","text":"The pool never released a connection when the query failed; release is deferred now.","time":{"start":1795416873591,"end":1795416873596}}');
INSERT INTO message VALUES ('msg_broken', 'ses_df8d0b59cfferXHoaDnr1qJUQg', 1, 1, '[]');
INSERT INTO part VALUES ('prt_broken', 'msg_broken', 'ses_df8d0b59cfferXHoaDnr1qJUQg', 1, 1, '{');
