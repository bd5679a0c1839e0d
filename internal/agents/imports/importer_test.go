package imports

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/agents/imports/record"
	"recollect/internal/memory"
)

// behaviour is the variable that has this program behave as an importer of that name.
const behaviour = "RECOLLECT_TEST_IMPORTER"

func TestMain(m *testing.M) {
	if behave := importers[os.Getenv(behaviour)]; behave != nil {
		behave()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const begin = `{"format":1}` + "\n"

// importers are how the executable that reads databases may behave.
var importers = map[string]func(){
	"silent": func() {},
	"dying": func() {
		fmt.Print(begin, `{"unread":"a row"}`, "\n")
		fmt.Fprintln(os.Stderr, "fatal error: out of memory\n\ngoroutine 1")
		os.Exit(3)
	},
	"other": func() { fmt.Print(`{"format":2}`, "\n") },
	"noisy": func() { fmt.Print(begin, "no JSON\n") },
	"failing": func() {
		fmt.Print(begin, `{"end":{"error":"not an SQLite database"}}`, "\n")
		os.Exit(1)
	},
	"endless": func() {
		fmt.Print(begin)
		for {
			if _, err := fmt.Println(`{"unread":"a row"}`); err != nil {
				return
			}
		}
	},
	"waiting": func() { // says in a file that it saw the end of its input
		fmt.Print(begin, `{"unread":"a row"}`, "\n")
		io.Copy(io.Discard, os.Stdin)
		os.WriteFile(os.Args[1], nil, 0o600)
	},
}

func TestRunProcess(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	for _, tt := range []struct {
		name, want string
		line       error // of the first line
		is         error
	}{
		{"silent", "ended early", nil, record.ErrCut},
		{"dying", "ended early: exit status 3: fatal error: out of memory", nil, record.ErrCut},
		{"other", "is of another version", nil, ErrNoImporter},
		{"noisy", "line 2", nil, record.ErrCut},
		{"failing", "not an SQLite database", nil, nil},
		{"endless", "stop", stop, stop},
		{"waiting", "stop", stop, stop},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(behaviour, tt.name)
			saw := filepath.Join(t.TempDir(), "saw")
			err := runProcess(t.Context(), exe, []string{saw}, func(record.Line) error { return tt.line })
			if err == nil || !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("error %v, want %q and %v", err, tt.want, tt.is)
			}
			if _, err := os.Stat(saw); (err == nil) != (tt.name == "waiting") {
				t.Errorf("it ended with its input: %v", err)
			}
		})
	}
	t.Run("interrupted", func(t *testing.T) {
		t.Setenv(behaviour, "waiting")
		ctx, cancel := context.WithCancel(t.Context())
		saw := filepath.Join(t.TempDir(), "saw")
		err := runProcess(ctx, exe, []string{saw}, func(record.Line) error { cancel(); return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want that of the context", err)
		}
		if _, err := os.Stat(saw); err != nil {
			t.Errorf("it had no time to clean up: %v", err)
		}
	})
}

func TestNoImporter(t *testing.T) {
	err := Read(t.Context(), "engram", "testdata/engram.db", project, func(memory.Draft, error) error { return nil })
	if !errors.Is(err, ErrNoImporter) || !strings.Contains(err.Error(), "there is no ") || !strings.Contains(err.Error(), importerName) {
		t.Errorf("error %v, want that it is missing, and its path", err)
	}
	if _, err := UnpackOpenCode(t.Context(), "testdata/opencode.db", t.TempDir(), func(error) {}); !errors.Is(err, ErrNoImporter) {
		t.Errorf("error %v, want %v", err, ErrNoImporter)
	}
}
