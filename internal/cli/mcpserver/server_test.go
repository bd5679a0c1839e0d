package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"recollect"
	"recollect/internal/api"
	"recollect/internal/cli/app"
	"recollect/internal/daemon"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
)

var anID = regexp.MustCompile(`[a-z]+-[0-9a-f]{12}`)

// serve runs a daemon over an empty data folder, and returns a client of it.
func serve(t *testing.T) *api.Client {
	t.Helper()
	home, err := os.MkdirTemp("", "re")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("RECOLLECT_HOME", home)
	t.Setenv("RECOLLECT_DISABLE", "")
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- daemon.Run(ctx, home, recollect.Version(), slog.New(slog.DiscardHandler)) }()
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-ended, os.RemoveAll(home)); err != nil {
			t.Error(err)
		}
	})
	client := &api.Client{Home: home}
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		if _, err := client.Health(ctx); err == nil {
			return client
		} else if time.Now().After(end) {
			t.Fatalf("the daemon does not answer: %v", err)
		}
	}
}

// patience is how long a daemon may take to start, which takes milliseconds.
const patience = 10 * time.Second

// mcpSession is a client of our server, which runs in the project at dir
// and asks a real daemon.
func mcpSession(t *testing.T, dir string) (*mcp.ClientSession, *api.Client) {
	t.Helper()
	client := serve(t)
	t.Setenv("CLAUDE_PROJECT_DIR", dir)
	t.Setenv("CLAUDE_CODE_SESSION_ID", "s1")
	server := newServer(&app.App{Terminal: app.Terminal{Out: io.Discard, Err: io.Discard}, Version: recollect.Version()})
	ours, theirs := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), ours, nil); err != nil {
		t.Fatal(err)
	}
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, client
}

// call calls a tool and returns what it says, and whether that is an error.
func call(t *testing.T, s *mcp.ClientSession, tool string, args map[string]any) (string, bool) {
	t.Helper()
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s(%v): %v", tool, args, err)
	}
	if len(res.Content) != 1 {
		t.Fatalf("%s(%v): %d contents, want 1", tool, args, len(res.Content))
	}
	return res.Content[0].(*mcp.TextContent).Text, res.IsError
}

// mustCall is call for a tool that must not return an error.
func mustCall(t *testing.T, s *mcp.ClientSession, tool string, args map[string]any) string {
	t.Helper()
	text, isError := call(t, s, tool, args)
	if isError {
		t.Fatalf("%s(%v): error %q", tool, args, text)
	}
	if n := utf8.RuneCountInString(text); n > block.MaxUnits {
		t.Errorf("%s(%v): %d characters, want at most %d", tool, args, n, block.MaxUnits)
	}
	return text
}

func wantParts(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s: got %q, want it to hold %q", what, text, part)
		}
	}
}

// Claude is told what was redacted of what it stores.
func TestMCPRedacts(t *testing.T) {
	s, _ := mcpSession(t, t.TempDir())
	got := mustCall(t, s, "memory_remember", map[string]any{"text": "staging: the password is h" + "unter2!x"})
	wantParts(t, "memory_remember", got, "Remembered as note-", "secrets are not stored: 1 password.")
}

// A memory is stored, recalled, found, shown, read by its address and
// forgotten, all through the protocol.
func TestMCPRoundTrip(t *testing.T) {
	s, client := mcpSession(t, t.TempDir())
	remembered := mustCall(t, s, "memory_remember", map[string]any{
		"source": "journal", "title": "The orders pool has 25 connections", "text": "It ran dry at noon with 5.",
		"fields": map[string]any{"rationale": "three pods share 100", "alternatives": "pgbouncer, one more thing to run"},
		"files":  []string{"config/orders.toml"}, "importance": "high", "tags": []string{"database"},
	})
	id := anID.FindString(remembered)
	if !strings.HasPrefix(id, "dec-") {
		t.Fatalf("memory_remember: got %q, want a decision's id", remembered)
	}
	stored, err := client.Memory(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if stored.Origin != memory.OriginAssistant || stored.Session != "s1" || stored.Importance != memory.High {
		t.Errorf("stored %+v, want it from the assistant, of session s1, important", stored.Memory)
	}

	recalled := mustCall(t, s, "memory_recall", map[string]any{"query": "how many connections does the orders pool have, and why?"})
	wantParts(t, "memory_recall", recalled, "<memory-data", id, "It ran dry at noon", "Why:\n- "+id+": relevance ", ", needs 0.", "words ")
	wantParts(t, "memory_search", mustCall(t, s, "memory_search", map[string]any{"query": "pgbouncer"}), id, "relevance ", "three pods")
	whole := mustCall(t, s, "memory_expand", map[string]any{"ids": []string{id}})
	wantParts(t, "memory_expand", whole, "[decision] The orders pool has 25 connections", "Rationale: three pods share 100",
		"Alternatives: pgbouncer", "- files: config/orders.toml", "- tags: database", "- origin: assistant", "- importance: high")
	if strings.Contains(whole, "from project") {
		t.Errorf("memory_expand: %q names another project", whole)
	}
	res, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: memoryURI + id})
	if err != nil {
		t.Fatal(err)
	}
	wantParts(t, "resource", res.Contents[0].Text, "Rationale: three pods share 100")

	if got, want := mustCall(t, s, "memory_forget", map[string]any{"id": id}), "Deleted memory: The orders pool has 25 connections"; got != want {
		t.Errorf("memory_forget: got %q, want %q", got, want)
	}
	if got, want := mustCall(t, s, "memory_search", map[string]any{"query": "pgbouncer"}), "Nothing found."; got != want {
		t.Errorf("memory_search afterwards: got %q, want %q", got, want)
	}
}

// Every project is open; what is another's says so, and deleting it warns.
func TestMCPOtherProjects(t *testing.T) {
	s, client := mcpSession(t, t.TempDir())
	text := "gRPC deadlines are 800 ms"
	done, err := client.Remember(t.Context(), api.Remember{Memories: memory.Drafts([]memory.Memory{
		{Source: memory.Patterns, Text: text, Project: "billing", ProjectPath: "/home/dev/src/billing"},
	}...)})
	if err != nil {
		t.Fatal(err)
	}
	id := done.IDs[0]
	wantParts(t, "memory_search", mustCall(t, s, "memory_search", map[string]any{"query": "deadlines"}), "[pattern] "+text, "from project billing", id)
	wantParts(t, "memory_search in billing", mustCall(t, s, "memory_search", map[string]any{"query": "deadlines", "project": "billing"}), id)
	wantParts(t, "memory_search elsewhere", mustCall(t, s, "memory_search", map[string]any{"query": "deadlines", "project": "orders"}), "Nothing found in project 'orders'.")
	wantParts(t, "memory_search of goals", mustCall(t, s, "memory_search", map[string]any{"query": "deadlines", "source": "goals"}), "Nothing found among goals.")
	wantParts(t, "memory_expand", mustCall(t, s, "memory_expand", map[string]any{"ids": []string{id}}), "from project billing")
	question := "what are the gRPC deadlines?"
	wantParts(t, "memory_recall", mustCall(t, s, "memory_recall", map[string]any{"query": question}), "from project billing")
	for _, project := range []string{"billing", "/home/dev/src/billing"} {
		wantParts(t, "memory_recall in "+project, mustCall(t, s, "memory_recall", map[string]any{"query": question, "project": project}), id, text)
	}
	wantParts(t, "memory_recall elsewhere", mustCall(t, s, "memory_recall", map[string]any{"query": question, "project": "orders"}), "Nothing in project 'orders' is relevant enough.")
	wantParts(t, "memory_forget", mustCall(t, s, "memory_forget", map[string]any{"id": id}), "Deleted memory from project 'billing': "+text, "\nWarning: ")
}

// What is wrong with a call is the tool's answer, in words that help.
func TestMCPErrors(t *testing.T) {
	s, client := mcpSession(t, t.TempDir())
	done, err := client.Remember(t.Context(), api.Remember{Memories: memory.Drafts([]memory.Memory{{Source: memory.Inbox, Text: "the staging cluster is called heron"}}...)})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, tool string
		args       map[string]any
		want       string
	}{
		{"no query", "memory_recall", map[string]any{"query": " "}, "query: must not be empty"},
		{"no query at all", "memory_search", map[string]any{}, `missing properties: ["query"]`},
		{"empty search", "memory_search", map[string]any{"query": ""}, "query: must not be empty"},
		{"wrong source", "memory_search", map[string]any{"query": "x", "source": "dreams"}, `source "dreams": must be one of patterns`},
		{"limit", "memory_search", map[string]any{"query": "x", "limit": 1000}, "limit 1000: must be 1 to 50"},
		{"negative limit", "memory_search", map[string]any{"query": "x", "limit": -1}, "limit -1: must be 1 to 50"},
		{"no ids", "memory_expand", map[string]any{"ids": []string{}}, "ids: 0 given, must be 1 to 10"},
		{"unknown id", "memory_expand", map[string]any{"ids": []string{"dec-000000000000"}}, "no such memory; memory_search finds ids"},
		{"unknown ids", "memory_expand", map[string]any{"ids": []string{"a", "b"}}, "b: no such memory"},
		{"nothing to remember", "memory_remember", map[string]any{"text": " "}, "text: must not be empty"},
		{"source to remember", "memory_remember", map[string]any{"text": "x", "source": "dreams"}, `source "dreams": must be one of patterns`},
		{"importance", "memory_remember", map[string]any{"text": "x", "importance": "urgent"}, "must be low, normal or high"},
		{"unknown argument", "memory_remember", map[string]any{"text": "x", "colour": "red"}, "colour"},
		{"nothing to forget", "memory_forget", map[string]any{"id": "dec-000000000000"}, "no such memory"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, isError := call(t, s, tt.tool, tt.args)
			if !isError || !strings.Contains(text, tt.want) {
				t.Errorf("%s(%v) = %q, error %v, want an error with %q", tt.tool, tt.args, text, isError, tt.want)
			}
		})
	}
	// one that is unknown does not keep the others back
	wantParts(t, "memory_expand", mustCall(t, s, "memory_expand", map[string]any{"ids": []string{"dec-000000000000", done.IDs[0]}}),
		"heron", "dec-000000000000: no such memory")
	if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: memoryURI + "dec-000000000000"}); err == nil {
		t.Error("resource of an unknown id: no error")
	}
}

// That no memory is relevant to a query is an answer too.
func TestMCPNothingRelevant(t *testing.T) {
	s, client := mcpSession(t, t.TempDir())
	_, err := client.Remember(t.Context(), api.Remember{Memories: memory.Drafts([]memory.Memory{{Source: memory.Inbox, Text: "the staging cluster is called heron"}}...)})
	if err != nil {
		t.Fatal(err)
	}
	got := mustCall(t, s, "memory_recall", map[string]any{"query": "what is another word for a cluster of grapes?"})
	if !strings.HasPrefix(got, "Nothing is relevant enough.") || strings.Contains(got, "<memory-data") {
		t.Errorf("memory_recall: got %q, want it to say that nothing is relevant", got)
	}
	wantParts(t, "memory_recall of nothing", mustCall(t, s, "memory_recall", map[string]any{"query": "yes, do it"}), "Nothing was searched for: ")
	for _, query := range []string{"ok, go on", "where were we?"} {
		got := mustCall(t, s, "memory_recall", map[string]any{"query": query})
		wantParts(t, "memory_recall where there is no past", got, "The prompt asks about past work: ", "Nothing of that is known.")
		if strings.Contains(got, "heron") || strings.Contains(got, "Why:") {
			t.Errorf("memory_recall(%q) = %q, want no memory and no reasons", query, got)
		}
	}
}

// A daemon that cannot be reached is an error that says what to do.
func TestMCPWithoutDaemon(t *testing.T) {
	s, client := mcpSession(t, t.TempDir())
	if err := errors.Join(client.Shutdown(t.Context()), daemon.WaitForEnd(t.Context(), client.Home)); err != nil {
		t.Fatal(err)
	}
	text, isError := call(t, s, "memory_search", map[string]any{"query": "x"})
	// Beside this test's executable there is no daemon to start.
	if !isError || !strings.Contains(text, "find daemon") || !strings.Contains(text, "recollect daemon run") {
		t.Errorf("memory_search = %q, error %v, want an error that names recollect daemon run", text, isError)
	}
}

// What the client reads of every session is short, and its hints are true.
func TestMCPOffers(t *testing.T) {
	s, _ := mcpSession(t, t.TempDir())
	if n := utf8.RuneCountInString(s.InitializeResult().Instructions); n == 0 || n > 1000 {
		t.Errorf("instructions have %d characters, want 1 to 1000", n)
	}
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, tool := range tools.Tools {
		a := tool.Annotations
		got[tool.Name] = fmt.Sprintf("read only %v, destructive %v, idempotent %v, open %v", a.ReadOnlyHint, *a.DestructiveHint, a.IdempotentHint, *a.OpenWorldHint)
	}
	want := map[string]string{
		"memory_recall":   "read only true, destructive false, idempotent true, open false",
		"memory_search":   "read only true, destructive false, idempotent true, open false",
		"memory_expand":   "read only true, destructive false, idempotent true, open false",
		"memory_remember": "read only false, destructive false, idempotent true, open false",
		"memory_forget":   "read only false, destructive true, idempotent true, open false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	templates, err := s.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 1 || templates.ResourceTemplates[0].URITemplate != "recollect://memory/{id}" {
		t.Errorf("resource templates %+v, %v", templates, err)
	}
	prompt, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "handoff", Arguments: map[string]string{"focus": "the release"}})
	if err != nil {
		t.Fatal(err)
	}
	wantParts(t, "handoff", prompt.Messages[0].Content.(*mcp.TextContent).Text, "memory_remember", "done", "open", "next", "the release")
}
