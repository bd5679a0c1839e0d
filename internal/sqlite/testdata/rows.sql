-- Rows that need several levels of pages, overflow pages and every type. The
-- three databases of this folder hold the same:
--   sqlite3 utf8.db <rows.sql
--   (echo "PRAGMA encoding = 'UTF-16le';"; cat rows.sql) | sqlite3 utf16.db
--   (echo "PRAGMA page_size = 512; PRAGMA journal_mode = WAL;"; cat rows.sql; echo ".shell cp log.db-wal kept; cp log.db kept.db") | sqlite3 log.db
--   mv kept.db log.db; mv kept log.db-wal
PRAGMA page_size = 512;
CREATE TABLE "the rows" (
  n INTEGER PRIMARY KEY, -- the rowid, not stored
  [a text] TEXT NOT NULL DEFAULT ('x, y)'),
  "number" CHECK ("number" <> 7), /* of any size */
  real REAL,
  raw BLOB,
  UNIQUE (n, raw)
);
WITH RECURSIVE up(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM up WHERE i < 300)
INSERT INTO "the rows" SELECT i, 'row ' || i || CASE WHEN i % 100 = 0 THEN replace(printf('%.*c', 700, 'x'), 'x', 'é漢𝄞') ELSE '' END,
  CASE i WHEN 1 THEN NULL WHEN 2 THEN 0 WHEN 3 THEN 1 WHEN 4 THEN -1 WHEN 5 THEN -32768 WHEN 6 THEN 8388607 WHEN 8 THEN 1 << 40 WHEN 9 THEN -9223372036854775808 ELSE i * i END,
  i + 0.5, CASE WHEN i % 2 THEN x'00ff' END FROM up;
DELETE FROM "the rows" WHERE n = 150;
ALTER TABLE "the rows" ADD COLUMN late TEXT DEFAULT 'later';
INSERT INTO "the rows" (n, late) VALUES (1000, 'now');
CREATE TABLE keyed (k TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE made (a, b AS (a + 1));
CREATE TABLE empty (a);
