package imports

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/sync/errgroup"

	"recollect/internal/agents/imports/database"
	"recollect/internal/agents/imports/record"
	"recollect/internal/memory"
)

func project(dir string) memory.Project { return memory.FindProject(dir, "/home/dev") }

// readAll reads what a program keeps at path; every memory must be one that
// can be stored, with an id of its own.
func readAll(t *testing.T, program, path string) ([]memory.Memory, error) {
	t.Helper()
	out, unread, err := readSome(t, program, path)
	return out, errors.Join(append(unread, err)...)
}

// readSome is readAll, with what could not be read.
func readSome(t *testing.T, program, path string) (out []memory.Memory, unread []error, err error) {
	t.Helper()
	ids := map[string]bool{}
	err = readHere(t.Context(), program, path, project, func(m memory.Draft, why error) error {
		if why != nil {
			unread = append(unread, why)
			return nil
		}
		if err := m.Normalize(); err != nil {
			t.Errorf("%s: %v", m.Turn, err)
		}
		if ids[m.ID] {
			t.Errorf("%s: id %s is there already", m.Turn, m.ID)
		}
		ids[m.ID] = true
		out = append(out, m.Memory)
		return nil
	})
	return out, unread, err
}

// readHere is Read, but a database is read in this process.
func readHere(ctx context.Context, program, path string, project func(string) memory.Project, yield func(memory.Draft, error) error) error {
	fi, err := os.Stat(path)
	ofDatabase := program == "claude-mem" || program == "engram" || program == "episodic-memory" && err == nil && !fi.IsDir()
	if !ofDatabase {
		return Read(ctx, program, path, project, yield)
	}
	r := reader{program: program, path: path, project: project, yield: yield}
	return hereTo(ctx, program, path, r.line)
}

// hereTo passes the lines of a database to f.
func hereTo(ctx context.Context, program, path string, f func(record.Line) error) error {
	out, in := io.Pipe()
	var reading errgroup.Group
	reading.Go(func() error {
		database.Read(ctx, program, path, record.NewWriter(in))
		return in.Close()
	})
	err := record.Read(out, f)
	out.Close()
	return errors.Join(err, reading.Wait())
}

// compare compares without what is computed.
func compare(t *testing.T, want, got []memory.Memory) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.IgnoreFields(memory.Memory{}, "V", "ID", "ContentHash"), cmpopts.EquateEmpty()); d != "" {
		t.Errorf("memories (-want +got):\n%s", d)
	}
}

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t
}

func TestClaudeMem(t *testing.T) {
	got, err := readAll(t, "claude-mem", "testdata/claude-mem.db")
	if err != nil {
		t.Fatal(err)
	}
	harbour := func(m memory.Memory) memory.Memory {
		m.Project, m.ProjectPath, m.Session, m.Origin = "harbour", "/home/dev/harbour", "session-1", memory.OriginAssistant
		return m
	}
	fog := func(m memory.Memory) memory.Memory {
		m.Project, m.Session, m.Origin = "lighthouse", "session-2", memory.OriginAssistant
		return m
	}
	asked := harbour(memory.Memory{Source: memory.Episodes, Turn: "claude-mem/user_prompts/1", Title: "why do the crane lights stay on?", Tags: []string{"session:Crane lights", "prompt:1"}, OccurredAt: at("2026-03-03T10:00:00Z")})
	asked.Origin = memory.OriginUser
	askedFog := fog(memory.Memory{Source: memory.Episodes, Turn: "claude-mem/user_prompts/2", Title: "how is fog measured", Tags: []string{"prompt:1", "worktree:fog"}, OccurredAt: at("2026-03-04T10:00:00Z")})
	askedFog.Origin, askedFog.Project, askedFog.Tags = memory.OriginUser, "lighthouse", []string{"prompt:1", "worktree:fog"}
	compare(t, []memory.Memory{
		harbour(memory.Memory{
			Source: memory.Journal, Turn: "claude-mem/observations/1", Agent: "Explore",
			Title: "Cranes are polled, not pushed to",
			Text: "The controllers drop connections\nControllers close idle sockets, so each crane is asked in turn.\n" +
				"- polled every 2 s\n- a timeout is no outage\nMetadata: {\"ticket\":\"HB-7\"}",
			Files: []string{"cranes/poll.go", "docs/cranes.md"}, Tags: []string{"decision", "trade-off", "session:Crane lights", "prompt:2", "model:model-x"},
			OccurredAt: at("2026-03-03T10:01:00Z"),
		}),
		harbour(memory.Memory{
			Source: memory.Failures, Turn: "claude-mem/observations/2",
			Title: "Lights stay on after a restart", Text: "The relay state is read back before the first write.",
			Files: []string{"cranes/lights.go"}, Tags: []string{"bugfix", "session:Crane lights", "prompt:2"},
			OccurredAt: at("2026-03-03T10:02:00Z"),
		}),
		fog(memory.Memory{
			Source: memory.Inbox, Turn: "claude-mem/observations/3", Title: "Fog is measured in lux",
			Tags: []string{"discovery", "how-it-works", "prompt:1", "worktree:fog"}, OccurredAt: at("2026-03-04T10:01:00Z"),
		}),
		fog(memory.Memory{
			Source: memory.Episodes, Turn: "claude-mem/observations/4", Title: "Old versions kept a text alone.", Text: "Old versions kept a text alone.",
			Tags: []string{"change", "worktree:fog"}, OccurredAt: at("2026-03-04T10:02:00Z"),
		}),
		harbour(memory.Memory{
			Source: memory.Handoffs, Turn: "claude-mem/session_summaries/1", Title: "Make the crane lights reliable",
			Text:   "Investigated: relay wiring\nLearned: the relay forgets its state\nNotes: needs a night shift",
			Fields: map[string]string{"done": "state is read back", "next": "try it on crane 4"},
			Files:  []string{"cranes/lights.go", "docs/relay.md"}, Tags: []string{"session:Crane lights", "prompt:2"}, OccurredAt: at("2026-03-03T10:05:00Z"),
		}),
		asked, askedFog,
	}, got)
}

func TestEngram(t *testing.T) {
	got, err := readAll(t, "engram", "testdata/engram.db")
	if err != nil {
		t.Fatal(err)
	}
	compare(t, []memory.Memory{
		{
			Source: memory.Handoffs, Turn: "engram/sessions/session-9", Session: "session-9", Project: "harbour", ProjectPath: "/home/dev/harbour",
			Title: "Tide tables are parsed", Text: "Open: leap seconds", OccurredAt: at("2026-04-01T09:30:00Z"), Origin: memory.OriginAssistant,
		},
		{
			Source: memory.Journal, Turn: "engram/observations/1", Session: "session-9", Project: "harbour", ProjectPath: "/home/dev/harbour",
			Title: "Tide tables are read once a day", Text: "**Why**: the office prints them at noon", Tags: []string{"architecture", "topic:architecture/tides"},
			OccurredAt: at("2026-04-01T08:10:00Z"), LastSeen: at("2026-04-03T07:00:00Z"), Origin: memory.OriginAssistant,
		},
		{
			Source: memory.Preferences, Turn: "engram/observations/2", Session: "manual-save-lighthouse", Project: "lighthouse", AppliesTo: "global",
			Title: "Short commit subjects", Text: "The user wants subjects under 50 characters", Tags: []string{"preference"},
			OccurredAt: at("2026-04-02T08:00:00Z"), Origin: memory.OriginAssistant,
		},
		{
			Source: memory.Inbox, Turn: "engram/observations/3", Session: "manual-save-lighthouse", Project: "lighthouse",
			Title: "The lamp is off on Sundays", Text: "Maintenance has the key then", Tags: []string{"manual", "tool:bash"},
			OccurredAt: at("2026-04-02T08:01:00Z"), Origin: memory.OriginAssistant,
		},
		{
			Source: memory.Episodes, Turn: "engram/user_prompts/1", Session: "session-9", Project: "harbour", ProjectPath: "/home/dev/harbour",
			Title: "parse the tide tables", OccurredAt: at("2026-04-01T08:00:05Z"), Origin: memory.OriginUser,
		},
	}, got)
}

func TestEpisodicMemory(t *testing.T) {
	got, err := readAll(t, "episodic-memory", "testdata/episodic-memory.db")
	if err != nil {
		t.Fatal(err)
	}
	compare(t, []memory.Memory{
		{
			Source: memory.Episodes, Turn: "episodic-memory/exchanges/ex-1", Session: "session-5", Project: "harbour", ProjectPath: "/home/dev/harbour",
			Title: "rename the berth field", Text: "The field is called mooring now, in the schema and in both clients.",
			Tags: []string{"branch:main", "tool:Edit"}, OccurredAt: at("2026-05-01T12:00:00Z"), Origin: memory.OriginAssistant,
		},
		{
			Source: memory.Episodes, Turn: "episodic-memory/exchanges/ex-2", Project: "-home-dev-other",
			Title: "list open tickets", Text: "There are three.", OccurredAt: at("2026-05-02T12:00:00Z"), Origin: memory.OriginAssistant,
		},
	}, got)
}

func TestEpisodicMemoryArchive(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "conversation-archive", "-home-dev-harbour")
	write(t, filepath.Join(dir, "s7.jsonl"), `{"type":"user","uuid":"a1","sessionId":"s7","cwd":"/home/dev/harbour/berths","timestamp":"2026-05-01T10:00:00Z","message":{"role":"user","content":"count the berths"}}`+"\n")
	write(t, filepath.Join(dir, "s7-summary.txt"), "Berths were counted\nThere are 14, two of them closed.")
	got, err := readAll(t, "episodic-memory", filepath.Dir(filepath.Dir(dir)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		got[i].OccurredAt = time.Time{} // that of the file
	}
	compare(t, []memory.Memory{{
		Source: memory.Episodes, Turn: "episodic-memory/summaries/s7", Session: "s7", Project: "harbour", ProjectPath: "/home/dev/harbour",
		Title: "Berths were counted", Text: "There are 14, two of them closed.", Tags: []string{"summary"}, Origin: memory.OriginAssistant,
	}}, got)
}

func TestLocalRecall(t *testing.T) {
	root := filepath.Join(t.TempDir(), "harbour")
	if err := os.CopyFS(filepath.Join(root, "local-recall"), os.DirFS("testdata/local-recall")); err != nil {
		t.Fatal(err)
	}
	want := []memory.Memory{
		{
			Source: memory.Episodes, Turn: "local-recall/episodes/1b4e28ba-2fa1-41d2-883f-0016d3cca427", Project: "harbour", ProjectPath: root,
			Title: "The berth planner sorts ships by draught before it looks at length", Text: "Deep ships have fewer berths, so they choose first.",
			Keywords: []string{"berth planner", "draught"}, AppliesTo: "file:plan/sort.go", Files: []string{"plan/sort.go"},
			OccurredAt: time.Date(2026, 2, 3, 11, 21, 38, 418e6, time.UTC), Origin: memory.OriginAssistant,
		},
		{
			Source: memory.Thinking, Turn: "local-recall/thinking/11111111-0000-4000-8000-000000000001", Project: "harbour", ProjectPath: root,
			Title: "A lock per berth would do", Text: "One lock for all berths makes every ship wait.", AppliesTo: "area:planner",
			OccurredAt: at("2026-02-04T08:00:00Z"), Origin: memory.OriginAssistant,
		},
	}
	for _, path := range []string{root, filepath.Join(root, "local-recall")} {
		got, err := readAll(t, "local-recall", path)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, want, got)
	}
}

func TestAutoMemory(t *testing.T) {
	home := t.TempDir()
	repo := filepath.Join(home, "src", "my.app")
	slug := filepath.Join(home, "projects", slugOf(repo))
	dir := filepath.Join(slug, "memory")
	for name, text := range map[string]string{
		"tabs.md":   "---\nname: prefers-tabs\ndescription: Go code is indented with tabs\nmetadata:\n  type: feedback\n  originSessionId: s1\n---\nSpaces were turned down.\n\n**Why:** gofmt",
		"owner.md":  "---\nname: User is the owner\ndescription: The user maintains the planner\ntype: user\n---\nKnows Go well.",
		"where.md":  "---\nname: tickets\ndescription: Tickets are in Linear, project HB\nmetadata:\n  type: reference\n---\n",
		"MEMORY.md": "# Memory\n- [Tabs](tabs.md) — indented with tabs\n- [Owner](owner.md)\n\n## Builds\n- `make all` needs docker\n",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	write(t, filepath.Join(slug, "s1.jsonl"), `{"type":"user","uuid":"a1","sessionId":"s1","cwd":"`+repo+`","timestamp":"2026-05-01T10:00:00Z","message":{"role":"user","content":"hello"}}`+"\n")
	written := at("2026-06-01T00:00:00Z")
	for _, name := range []string{"tabs.md", "owner.md", "where.md", "MEMORY.md"} {
		if err := os.Chtimes(filepath.Join(dir, name), written, written); err != nil {
			t.Fatal(err)
		}
	}
	mine := func(m memory.Memory) memory.Memory {
		m.Project, m.ProjectPath, m.OccurredAt, m.Origin = "my.app", repo, written, memory.OriginAssistant
		return m
	}
	want := []memory.Memory{
		mine(memory.Memory{Source: memory.Inbox, Turn: "memory-md/index/Builds", Title: "Builds", Text: "- `make all` needs docker", Tags: []string{"MEMORY.md"}}),
		mine(memory.Memory{Source: memory.Preferences, Turn: "memory-md/facts/owner", Title: "The user maintains the planner", Text: "Knows Go well.", Tags: []string{"user", "name:User is the owner"}}),
		mine(memory.Memory{Source: memory.Preferences, Turn: "memory-md/facts/tabs", Session: "s1", Title: "Go code is indented with tabs", Text: "Spaces were turned down.\n\n**Why:** gofmt", Tags: []string{"feedback", "name:prefers-tabs"}}),
		mine(memory.Memory{Source: memory.Inbox, Turn: "memory-md/facts/where", Title: "Tickets are in Linear, project HB", Tags: []string{"reference", "name:tickets"}}),
	}
	for _, path := range []string{filepath.Join(home, "projects"), dir} {
		got, err := readAll(t, "memory-md", path)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, want, got)
	}
}

func TestUnslug(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "dev", "my-app.v2", "x")
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, "dev", "my"), 0o700); err != nil {
		t.Fatal(err)
	}
	for slug, want := range map[string]string{"-dev-my-app-v2-x": path, "-dev-my": filepath.Join(root, "dev", "my"), "-dev-other": "", "dev": ""} {
		if got := unslug(root, slug); got != want {
			t.Errorf("unslug(%q) = %q, want %q", slug, got, want)
		}
	}
}

// The id is the record's, whatever it says by now; what is longer than a
// memory may be is cut into several.
func TestEmit(t *testing.T) {
	ids := func(title, text string) (ids, texts []string) {
		r := reader{program: "engram", yield: func(m memory.Draft, _ error) error {
			if err := m.Normalize(); err != nil {
				t.Fatal(err)
			}
			ids, texts = append(ids, m.ID), append(texts, m.Text)
			return nil
		}}
		if err := r.emit(memory.Draft{Memory: memory.Memory{Source: memory.Inbox, Title: title, Text: text}}, "observations", "2026", "7"); err != nil {
			t.Fatal(err)
		}
		return ids, texts
	}
	short, _ := ids("a", "b")
	line := strings.Repeat("word ", 100) + "\n"
	long, texts := ids("c", strings.Repeat(line, 70))
	if len(long) != 3 || long[0] != short[0] || long[1] == long[0] || long[2] == long[1] {
		t.Errorf("ids %v and %v, want three, the first one the same", short, long)
	}
	if got, want := strings.Count(strings.Join(texts, "\n"), "word"), 7000; got != want {
		t.Errorf("%d words were kept, want %d", got, want)
	}
	_, texts = ids(strings.Repeat("long ", 40), "b")
	if want := strings.TrimSpace(strings.Repeat("long ", 40)) + "\n\nb"; texts[0] != want {
		t.Errorf("text %q, want the whole title in it", texts[0])
	}
	_, texts = ids("key", "the token is ghp_"+strings.Repeat("a1B2", 9))
	if strings.Contains(texts[0], "ghp_a1B2") {
		t.Errorf("text %q has a secret", texts[0])
	}
}

func TestReadErrors(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "text.db"), strings.Repeat("no database\n", 100))
	write(t, filepath.Join(dir, "empty.db"), "")
	write(t, filepath.Join(dir, "local-recall", "thinking-memory", "a.jsonl"), "{\n")
	for _, tt := range []struct{ name, program, path, want string }{
		{"no program", "mem0", dir, "must be one of claude-mem"},
		{"no file", "claude-mem", filepath.Join(dir, "none"), "no such file"},
		{"no database", "claude-mem", filepath.Join(dir, "text.db"), "not an SQLite database"},
		{"empty", "engram", filepath.Join(dir, "empty.db"), "no database of engram: it has no table sessions"},
		{"of another", "engram", "testdata/claude-mem.db", "no database of engram"},
		{"the other way round", "claude-mem", "testdata/engram.db", "no database of claude-mem"},
		{"no such folder", "local-recall", t.TempDir(), "no folder of local-recall"},
		{"a broken line", "local-recall", dir, "a.jsonl:1: "},
		{"no Markdown", "memory-md", t.TempDir(), "has no Markdown files"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := readAll(t, tt.program, tt.path); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want %q", err, tt.want)
			}
		})
	}
	stop := errors.New("stop")
	if err := readHere(t.Context(), "engram", "testdata/engram.db", project, func(memory.Draft, error) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got error %v, want that of yield", err)
	}
}

func TestNames(t *testing.T) {
	want := []string{"claude-mem", "engram", "local-recall", "episodic-memory", "memory-md"}
	if got := Names(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
