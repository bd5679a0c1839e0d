package bench

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"recollect/internal/memory"
)

// write makes a folder with files. Those that end in .gz are compressed.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".gz") {
			text = zip(t, text)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func zip(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	c, err := Read(write(t, map[string]string{
		"docs.jsonl.gz": `{"id":"a","text":"apples","why":"ignored"}` + "\n\n" + `{"id":"b","text":" "}` + "\n" + `{"id":"c","text":"cherries","time":"2023-05-08T13:56:00"}`,
		"queries.jsonl": `{"id":"1","text":"fruit","detail":"which fruit?","scope":"s"}` + "\n" + `{"id":"2","text":"nothing"}` + "\n",
		"qrels.jsonl": `{"query":"1","doc":"c"}` + "\n" + `{"query":"1","doc":"b"}` + "\n" + `{"query":"1","doc":"zz"}` + "\n" +
			`{"query":"9","doc":"a"}` + "\n",
		"queries_negative.jsonl.gz": `{"id":"n","text":"stars"}`,
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := &Collection{
		Name:      c.Name,
		Docs:      []Doc{{ID: "a", Text: "apples"}, {ID: "c", Text: "cherries", Time: moment{time.Date(2023, 5, 8, 13, 56, 0, 0, time.UTC)}}},
		Queries:   []Query{{ID: "1", Text: "fruit", Detail: "which fruit?", Scope: "s", Relevant: set("c")}},
		Negatives: []Query{{ID: "n", Text: "stars"}},
		Flaws: []string{
			c.Name + ": 1 documents are empty: left out",
			c.Name + ": 1 qrels name a query that is not there: left out",
			c.Name + ": 2 qrels name a document that is not there: left out",
			c.Name + ": 1 queries have no relevant document: left out",
		},
	}
	if diff := cmp.Diff(want, c, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestReadNamesWhatIsWrong(t *testing.T) {
	good := map[string]string{
		"docs.jsonl":    `{"id":"a","text":"apples"}`,
		"queries.jsonl": `{"id":"1","text":"fruit"}`,
		"qrels.jsonl":   `{"query":"1","doc":"a"}`,
	}
	for _, tt := range []struct{ name, file, text, want string }{
		{"no file", "docs.jsonl", "-", "neither docs.jsonl nor docs.jsonl.gz"},
		{"no JSON", "docs.jsonl", good["docs.jsonl"] + "\n{", "docs.jsonl:2: unexpected end"},
		{"a number for a text", "queries.jsonl", `{"id":"1","text":7}`, "queries.jsonl:1: json: cannot unmarshal number"},
		{"no id", "docs.jsonl", `{"text":"apples"}`, "docs.jsonl:1: id: must not be empty"},
		{"one id twice", "queries.jsonl", good["queries.jsonl"] + "\n" + good["queries.jsonl"], `queries.jsonl:2: id "1": occurs twice`},
		{"no question", "queries.jsonl", `{"id":"1"}`, "queries.jsonl:1: text: must not be empty"},
		{"no time", "docs.jsonl", `{"id":"a","text":"x","time":"yesterday"}`, `docs.jsonl:1: time "yesterday": must have the form`},
		{"no documents", "docs.jsonl", "", "it has no document"},
		{"no queries", "queries.jsonl", "", "it has no query with a relevant document"},
		{"no qrels", "qrels.jsonl", "", "it has no query with a relevant document"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{}
			for name, text := range good {
				files[name] = text
			}
			if files[tt.file] = tt.text; tt.text == "-" {
				delete(files, tt.file)
			}
			_, err := Read(write(t, files))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestReadNoGzip(t *testing.T) {
	dir := write(t, nil)
	if err := os.WriteFile(filepath.Join(dir, "docs.jsonl.gz"), []byte("plain text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "docs.jsonl.gz: gzip: invalid header") {
		t.Errorf("got %v", err)
	}
}

func TestPrompt(t *testing.T) {
	for _, tt := range []struct {
		name, text, detail, field, want string
	}{
		{"text", "short", "long", FieldText, "short"},
		{"detail below the text", "short", "long", FieldDetail, "short\nlong"},
		{"detail that repeats the text", "short", "short, and long", FieldDetail, "short, and long"},
		{"no detail", "short", "", FieldDetail, "short"},
	} {
		q := Query{Text: tt.text, Detail: tt.detail}
		if got := q.prompt(tt.field); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestMemories(t *testing.T) {
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	place := func(n int) *int { return &n }
	c := Collection{Docs: []Doc{
		{ID: "d", Text: "kept", Title: "K", Type: "decision", Scope: "p", Time: moment{at}, Speaker: "Ann", Aliases: []string{"hold"}},
		{ID: "f", Text: "broke", Type: "failures"},
		{ID: "s", Text: "said", Type: "evidence-turn", Session: "S", Seq: place(3), Time: moment{at}},
		{ID: "u", Text: "undated", Session: "S", Seq: place(4)},
		{ID: "n", Text: "plain", Type: "code"},
	}}
	want := []memory.Memory{
		{Source: memory.Journal, Turn: "d", Title: "K", Text: "kept", Project: "p", OccurredAt: at, Agent: "Ann", Keywords: []string{"hold"}},
		{Source: memory.Failures, Turn: "f", Text: "broke"},
		{Source: memory.Episodes, Turn: "s", Text: "said", Session: "S", OccurredAt: at.Add(3 * time.Microsecond)},
		{Source: memory.Episodes, Turn: "u", Text: "undated", Session: "S", OccurredAt: at.Add(4 * time.Microsecond)},
		{Source: memory.Journal, Turn: "n", Text: "plain"},
	}
	if diff := cmp.Diff(want, c.memories()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSettings(t *testing.T) {
	s, err := Settings([]string{"budget.items=9", "budget.items=7", "rank.kind = linear", `rank.linear.half_age="3d"`, "hooks.Stop.enabled=false"})
	if err != nil {
		t.Fatal(err)
	}
	if s.Budget.Items != 7 || s.Rank.Kind != "linear" || time.Duration(s.Rank.Linear.HalfAge) != 72*time.Hour || s.Hooks.On("Stop") {
		t.Errorf("got %+v", s.Config)
	}
	if s.Synonyms == nil || len(s.Synonyms.Concepts()) == 0 {
		t.Error("no synonyms")
	}
	for _, tt := range []struct{ change, want string }{
		{"budget.items", "must be key=value"},
		{"budget.items=", "must be key=value"},
		{"budget.itms=3", "budget.itms is not a setting"},
		{"budget.items=99", "budget.items = 99: must be between"},
		{"budget.items=many", "budget.items = \"many\": must be a whole number"},
	} {
		if _, err := Settings([]string{tt.change}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.change, err, tt.want)
		}
	}
}
