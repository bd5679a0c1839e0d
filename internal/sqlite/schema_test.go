package sqlite

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseTable(t *testing.T) {
	for _, tt := range []struct {
		name  string
		sql   string
		want  []string
		rowid int
	}{
		{"plain", `CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT, b)`, []string{"id", "a", "b"}, 0},
		{"not the rowid", `CREATE TABLE t (id INT PRIMARY KEY, a TEXT PRIMARY KEY)`, []string{"id", "a"}, -1},
		{"quotes", "CREATE TABLE IF NOT EXISTS \"t (x\" (\"a \"\"b\"\"\", [c, d], `e`)", []string{`a "b"`, "c, d", "e"}, -1},
		{"a column named like a constraint", `CREATE TABLE t ("primary" TEXT, "check")`, []string{"primary", "check"}, -1},
		{"constraints", `create table t (a, b text check(b in ('x', 'y,')), unique(a,b), constraint c foreign key (a) references z(a) on delete cascade)`, []string{"a", "b"}, -1},
		{"comments", "CREATE TABLE t (a, -- b, c\n d /* , e */, f)", []string{"a", "d", "f"}, -1},
		{"defaults", `CREATE TABLE t (a DEFAULT (datetime('now')), b DECIMAL(10,5) DEFAULT ',', c)`, []string{"a", "b", "c"}, -1},
		{"virtual", `CREATE VIRTUAL TABLE t USING fts5(a, content='b')`, []string{"a", "content="}, -1},
		{"open", `CREATE TABLE t (a, 'b`, []string{"a"}, -1},
		{"none", ``, nil, -1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := parseTable(tt.sql)
			if d := cmp.Diff(tt.want, got.columns); d != "" {
				t.Errorf("columns (-want +got):\n%s", d)
			}
			if got.rowid != tt.rowid || got.err != nil {
				t.Errorf("rowid %d, error %v, want %d and none", got.rowid, got.err, tt.rowid)
			}
		})
	}
}
