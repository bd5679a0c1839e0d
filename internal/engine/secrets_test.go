package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// secrets are one of each common kind, put together here so that no scanner
// takes this file for a leak. What is left of one is looked for by its core.
func secrets() (secrets, cores map[string]string) {
	const core = "q7Zp2Lk9Xw4Rt6Bn8Vc3"
	upper := strings.ToUpper(core)
	secrets, cores = map[string]string{}, map[string]string{}
	for i, s := range []struct{ kind, before, core, after string }{
		{"aws", "AK" + "IA", upper[:16], ""},
		{"github", "gh" + "p_", core, "aB3dE6gH1jK4mN7p"},
		{"gitlab", "gl" + "pat-", core, ""},
		{"slack", "xo" + "xb-", "123456789012-123456789012-" + core, "aB3d"},
		{"stripe", "sk_" + "live_", core, "aB3d"},
		{"openai", "sk-" + "proj-", core, "aB3dE6gH1jK4mN7pQ0sT2vW5"},
		{"anthropic", "sk-" + "ant-api03-", core, "aB3dE6gH1jK4mN7pQ0sT2vW5"},
		{"google", "AI" + "za", core, "aB3dE6gH1jK4mN7"},
		{"npm", "np" + "m_", core, "aB3dE6gH1jK4mN7p"},
		{"jwt", "ey" + "JhbGciOiJIUzI1NiJ9." + "ey" + "JzdWIiOiIxIn0.", core, "aB3dE6gH"},
		{"sendgrid", "SG" + ".", core + "aB.", core + "aB3dE6gH1jK4mN7pQ0sT2vW"},
		{"database", "postgres://ada:", core, "@db.example.com/app"},
		{"password", "DB_PASSWORD=", core, ""},
		{"key", "-----BEGIN " + "PRIVATE KEY-----\n", "MIIEvQIBADANBgkq" + core + "\n" + core, "\n-----END " + "PRIVATE KEY-----"},
	} {
		mine := strings.ReplaceAll(s.core, "7Z", fmt.Sprintf("7Z%c", 'A'+i))
		if s.kind == "aws" {
			mine = mine[:16]
		}
		unique := strings.Index(mine, "7Z")
		secrets[s.kind], cores[s.kind] = s.before+mine+s.after, mine[unique:unique+12]
	}
	return secrets, cores
}

// A lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// secretTranscript is a session in which each secret is typed, printed by a
// command that works and by one that fails, thought of, and answered. Each has
// a command that puts a word, confidential, into an ignored file.
func secretTranscript(secrets map[string]string) string {
	var b strings.Builder
	n := 0
	line := func(role string, content any) {
		n++
		rec, err := json.Marshal(map[string]any{
			"type": role, "uuid": fmt.Sprintf("u%d", n), "sessionId": "s1", "cwd": "/home/dev/app", "timestamp": "2026-08-24T08:12:40.000Z",
			"message": map[string]any{"role": role, "id": fmt.Sprintf("m%d", n), "content": content},
		})
		if err != nil {
			panic(err) // maps of strings
		}
		b.Write(append(rec, '\n'))
	}
	for kind, s := range secrets {
		line("user", "Always deploy the "+kind+" service with "+s+" as the credential, then check that the upload still works.")
		line("assistant", []any{map[string]any{"type": "thinking", "thinking": "The credential " + s + " is rejected, so the cause must be the scope rather than the key, because the call itself works."}})
		for i, failed := range []bool{true, false} {
			id := fmt.Sprintf("t-%s-%d", kind, i)
			line("assistant", []any{map[string]any{"type": "tool_use", "id": id, "name": "Bash", "input": map[string]any{"command": "deploy " + kind + " --with '" + s + "'"}}})
			line("user", []any{map[string]any{"type": "tool_result", "tool_use_id": id, "is_error": failed, "content": "Exit code 1\nError: cannot use " + s + "\n" + strings.Repeat("x\n", 5000) + s + "\nError: " + s + " was refused"}})
		}
		line("assistant", []any{map[string]any{"type": "tool_use", "id": "t-" + kind, "name": "Bash", "input": map[string]any{"command": "npm run set -- --file=.env confidential"}}})
		line("assistant", []any{map[string]any{"type": "text", "text": "I decided to keep " + s + " in the vault instead of the repository, because it leaked before. The " + kind + " service is deployed."}})
	}
	return b.String()
}

// No secret reaches the disk or the log, whichever way it comes.
func TestNoSecretIsStored(t *testing.T) {
	secrets, cores := secrets()
	home, elsewhere := newHome(t), t.TempDir()
	var log lockedBuffer
	r := startWith(t, home, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))

	write := func(name, text string) string {
		path := filepath.Join(elsewhere, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	transcript := write("s1.jsonl", secretTranscript(secrets))
	if err := r.Flush(t.Context(), api.Flush{SessionID: "s1", TranscriptPath: transcript, Reason: "SessionEnd"}); err != nil {
		t.Fatal(err)
	}
	for kind, s := range secrets {
		m := memory.Memory{
			Source: memory.Failures, Title: kind + " " + s, Text: "It was " + s + ".", AppliesTo: "*/" + s, Agent: s, Evidence: s,
			Fields: map[string]string{"fix": "use " + s}, Keywords: []string{s}, Files: []string{"a/" + s}, Tags: []string{s},
		}
		if _, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(m), Cwd: "/home/dev/app"}); err != nil {
			t.Fatal(err)
		}
		exported, err := json.Marshal(memory.Memory{V: memory.Version, ID: "note-" + kind, Source: memory.Inbox, Title: kind, Text: "exported " + s})
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{write(kind+".md", "# "+kind+" service\n\nIt wants "+s+" to start.\n"), write(kind+".jsonl", string(exported)+"\n")} {
			if _, err := r.Import(t.Context(), api.Import{Path: path}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := r.Recollect(t.Context(), api.Prompt{SessionID: "p-" + kind, Prompt: "the " + kind + " service wants " + s + " to start <private>a confidential word</private>", Cwd: "/home/dev/app"}); err != nil {
			t.Fatal(err)
		}
	}
	r.settled()
	if n := r.count(); n < 4*len(secrets) {
		t.Errorf("%d memories, want at least four for each secret", n)
	}
	r.end()
	for kind, core := range cores {
		if strings.Contains(log.String(), core) {
			t.Errorf("the log has the %s secret", kind)
		}
	}
	cores["private"] = "confidential"
	grep(t, home, cores)
}

// grep fails for each file below dir that has one of the words.
func grep(t *testing.T, dir string, words map[string]string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was replaced meanwhile
		}
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		files++
		b, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		lower := bytes.ToLower(b)
		for kind, word := range words {
			if i := bytes.Index(lower, bytes.ToLower([]byte(word))); i >= 0 {
				t.Errorf("%s has the %s secret: …%q…", path, kind, b[max(0, i-120):min(len(b), i+60)])
			}
		}
		return nil
	})
	if err != nil || files < 5 {
		t.Errorf("looked through %d files: %v", files, err)
	}
}

// Names, paths, branches and ids are text too: none of them carries a secret
// or a hidden character into a memory, whichever way it comes.
func TestNoSecretIsStoredInNames(t *testing.T) {
	home, elsewhere := newHome(t), t.TempDir()
	r := start(t, home)
	write := func(name string, content any) string {
		text, ok := content.(string)
		if !ok {
			b, err := json.Marshal(content)
			if err != nil {
				t.Fatal(err)
			}
			text = string(b) + "\n"
		}
		path := filepath.Join(elsewhere, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if err := os.Mkdir(filepath.Join(elsewhere, "memory"), 0o700); err != nil {
		t.Fatal(err)
	}
	secrets, cores := secrets()
	for _, kind := range []string{"github", "gitlab", "slack", "openai", "npm", "password"} {
		name := "x\u202e " + secrets[kind]
		named := memory.Memory{
			V: memory.Version, ID: "note-" + kind, Source: memory.Inbox, Title: kind, Project: name, ProjectPath: "/home/" + name, ProjectRemote: "host/" + name,
			Session: name, Turn: name, Agent: name, Origin: name, AppliesTo: "file:" + name, Files: []string{name}, Tags: []string{name},
			Supersedes: []string{name}, ConfirmedBy: []string{name}, Fields: map[string]string{name: "a field"},
		}
		session := namedTranscript(t, name)
		if err := r.Flush(t.Context(), api.Flush{SessionID: name, TranscriptPath: write(kind+"1.jsonl", session), Reason: "SessionEnd"}); err != nil {
			t.Fatal(err)
		}
		front := fmt.Sprintf("project: %q\nproject_path: %[1]q\nsession: %[1]q\nturn: %[1]q\nagent: %[1]q\nfiles: [%[1]q]\ntags: [%[1]q]\nfields: {%[1]q: a}\n", name)
		for _, in := range []api.Import{
			{Path: write(kind+"2.jsonl", strings.ReplaceAll(session, "u1", "u2"))},
			{Path: write(kind+"3.jsonl", named)},
			{Path: write(kind+".md", "---\nsubject: "+kind+"\n"+front+"---\nA note.\n")},
			{From: "memory-md", Path: filepath.Dir(write("memory/"+kind+".md", fmt.Sprintf("---\nname: %q\ndescription: A fact of %s\ntype: %[1]q\noriginSessionId: %[1]q\n---\nA fact.\n", name, kind)))},
		} {
			if _, err := r.Import(t.Context(), in); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(named, memory.Memory{Source: memory.Inbox, Title: "of the folder of " + kind}), Cwd: "/home/dev/" + name}); err != nil {
			t.Fatal(err)
		}
	}
	r.settled()
	logs, err := filepath.Glob(filepath.Join(home, "memories", "*.jsonl"))
	if err != nil || len(logs) < 3 {
		t.Fatalf("%d logs, %v, want those of notes, episodes and handoffs", len(logs), err)
	}
	for _, path := range logs {
		log, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(log) {
			for kind, core := range cores {
				if bytes.Contains(bytes.ToLower(line), []byte(strings.ToLower(core))) {
					t.Errorf("the %s secret is in %s", kind, line)
				}
			}
			if bytes.ContainsRune(line, '\u202e') || bytes.Contains(line, []byte(`\u202e`)) {
				t.Errorf("a hidden character is in %s", line)
			}
		}
	}
}

// namedTranscript is a session in which a file is edited, and every name is the
// same.
func namedTranscript(t *testing.T, name string) string {
	t.Helper()
	var b strings.Builder
	for i, record := range []map[string]any{
		{"type": "user", "message": map[string]any{"role": "user", "content": "Make the upload of archives try again three times."}},
		{"type": "assistant", "message": map[string]any{"role": "assistant", "id": "m1", "content": []any{
			map[string]any{"type": "tool_use", "id": "t1", "name": "Edit", "input": map[string]any{"file_path": "/home/dev/" + name + "/a " + name, "old_string": "a", "new_string": "b"}}}}},
		{"type": "user", "message": map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}}}},
		{"type": "assistant", "message": map[string]any{"role": "assistant", "id": "m2", "content": []any{map[string]any{"type": "text", "text": "The upload tries again three times now."}}}},
	} {
		record["uuid"], record["sessionId"], record["cwd"], record["gitBranch"] = fmt.Sprint("u", i+1, name), name, "/home/dev/"+name, name
		record["timestamp"] = "2026-08-24T08:12:40.000Z"
		line, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return b.String()
}
