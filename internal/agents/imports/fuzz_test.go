package imports

import (
	"os"
	"path/filepath"
	"testing"

	"recollect/internal/memory"
	"recollect/internal/memory/clean"
)

// take reads what a program left at path; every memory of it can be stored.
func take(t *testing.T, program, path string) {
	t.Helper()
	n := 0
	_ = readHere(t.Context(), program, path, func(string) memory.Project { return memory.Project{Name: "p"} }, func(d memory.Draft, _ error) error {
		if n++; n > 100_000 {
			t.Fatal("the file has no end")
		}
		if d.Title+d.Body() == "" {
			return nil
		}
		_, _ = clean.Draft(d)
		return nil
	})
}

func FuzzDatabase(f *testing.F) {
	databases := []string{"claude-mem", "engram", "episodic-memory"}
	for i, name := range databases {
		b, err := os.ReadFile(filepath.Join("testdata", name+".db"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), b, []byte(nil))
		f.Add(uint8(i), b, b[:100])
		f.Add(uint8(i), b[:len(b)/2], []byte("x"))
	}
	f.Fuzz(func(t *testing.T, program uint8, db, wal []byte) {
		dir := t.TempDir()
		path := filepath.Join(dir, "x.db")
		for name, b := range map[string][]byte{path: db, path + "-wal": wal} {
			if len(b) == 0 {
				continue
			}
			if err := os.WriteFile(name, b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		take(t, databases[int(program)%len(databases)], path)
	})
}

func FuzzLocalRecall(f *testing.F) {
	f.Add([]byte(`{"action":"add","id":"1","subject":"a","keywords":["b"],"occurred_at":"2026-01-01"}`+"\n"+`{"action":"delete","id":"1"}`), []byte("---\nid: x\n---\ntext"))
	f.Add([]byte("{\"action\":1}\n\n{"), []byte("---\n"))
	f.Fuzz(func(t *testing.T, log, file []byte) {
		dir := t.TempDir()
		folder := filepath.Join(dir, "episodic-memory")
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		for name, b := range map[string][]byte{"1.jsonl": log, "2.jsonl": log, "a.md": file} {
			if err := os.WriteFile(filepath.Join(folder, name), b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		take(t, "local-recall", dir)
	})
}

func FuzzAutoMemory(f *testing.F) {
	f.Add("fact.md", []byte("---\nname: a\ndescription: b\nmetadata:\n  type: user\n---\nText.\n"), []byte(`{"type":"user","cwd":"/x"}`))
	f.Add("MEMORY.md", []byte("# A\n- [x](x.md) says\nwords\n## B\nmore\n"), []byte("{"))
	f.Fuzz(func(t *testing.T, name string, file, transcript []byte) {
		if filepath.Base(name) != name {
			return
		}
		dir := filepath.Join(t.TempDir(), "-x")
		if err := os.MkdirAll(filepath.Join(dir, "memory"), 0o700); err != nil {
			t.Fatal(err)
		}
		if os.WriteFile(filepath.Join(dir, "memory", name), file, 0o600) != nil {
			return // no name of a file
		}
		if err := os.WriteFile(filepath.Join(dir, "s1.jsonl"), transcript, 0o600); err != nil {
			t.Fatal(err)
		}
		take(t, "memory-md", filepath.Join(dir, "memory"))
	})
}
