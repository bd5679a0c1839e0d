package crash

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"
)

// deaths are the ways in which the test binary dies when it is run as a process of its own.
var deaths = map[string]func(){
	"a panic":             func() { var none []int; none[len(none)-1]++ },
	"a panic of an error": func() { panic(errors.New("the disk is gone")) },
	"words in lines":      func() { panic("one\ntwo") },
	"in a goroutine":      func() { go func() { panic("elsewhere") }(); time.Sleep(time.Minute) },
	"a stack":             func() { debug.SetMaxStack(1 << 20); depth = overflow(1) },
	"a lock":              func() { var mu sync.Mutex; mu.Unlock() },
	"a nil map":           func() { unmade["a"] = 1 },
	"a repeated panic": func() {
		defer func() { panic("second") }()
		panic("first")
	},
	"no death":    func() { os.Exit(3) },
	"a clean end": func() {},
}

var (
	unmade map[string]int
	depth  int
)

//go:noinline
func overflow(n int) int {
	if n < 0 {
		return 0
	}
	return overflow(n+1) + 1
}

func TestMain(m *testing.M) {
	if way := os.Getenv("CRASH_TEST_DIES"); way != "" {
		if _, err := Watch(os.Getenv("CRASH_TEST_FILE"), "1.2.3"); err != nil {
			panic(err)
		}
		deaths[way]()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestWatch(t *testing.T) {
	tests := []struct{ way, reason, in string }{
		{"a panic", "panic: runtime error: index out of range [-1]", "in crash."},
		{"a panic of an error", "panic: the disk is gone", "in crash."},
		{"words in lines", "panic: one", "in crash."},
		{"in a goroutine", "panic: elsewhere", "in crash."},
		{"a stack", "fatal error: stack overflow", "in crash.overflow (watch_test.go:"},
		{"a lock", "fatal error: sync: unlock of unlocked mutex", "in sync."},
		{"a nil map", "panic: assignment to entry in nil map", "in crash."},
		{"a repeated panic", "panic: first", "in crash."},
		{"no death", "", ""},
		{"a clean end", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.way, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "crash")
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "CRASH_TEST_DIES="+tt.way, "CRASH_TEST_FILE="+path)
			log, _ := cmd.CombinedOutput()
			died := Last(path)
			if (died == nil) != (tt.reason == "") {
				t.Fatalf("died: %+v", died)
			}
			if died == nil {
				return
			}
			died.Explain("level=WARN msg=x\n" + string(log))
			if got := died.Reason(); !strings.HasPrefix(got, tt.reason) || !strings.Contains(got, tt.in) || strings.Contains(got, "\n") {
				t.Errorf("reason %q, want %q and %q", got, tt.reason, tt.in)
			}
			if died.Version != "1.2.3" || time.Since(died.At) > time.Minute {
				t.Errorf("version %s, at %v", died.Version, died.At)
			}
			if died.In("recollect/internal/system/crash") != (tt.way != "a deadlock") && tt.way != "a deadlock" {
				t.Errorf("not in this package: %s", died.Trace)
			}
			kept := filepath.Join(t.TempDir(), "died")
			if err := died.Write(kept, "level=INFO msg=serving\n"); err != nil {
				t.Fatal(err)
			}
			again := Last(kept)
			if again == nil || again.Reason() != died.Reason() || !again.At.Equal(died.At) || !strings.Contains(again.Trace, "msg=serving") {
				t.Errorf("kept as %+v", again)
			}
		})
	}
}

// What is no trace is none.
func TestLastOfOddFiles(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "a version": "1.2.3\n", "a line end": "\n", "spaces": "1.2.3\n  \n \n", "no line end": "1.2.3",
	} {
		path := filepath.Join(t.TempDir(), "crash")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if died := Last(path); died != nil {
			t.Errorf("%s: %+v", name, died)
		}
	}
	if died := Last(t.TempDir()); died != nil {
		t.Errorf("a folder: %+v", died)
	}
	for _, text := range []string{"1\n(", "1\n\ngoroutine 1", "1\npanic: \n\ngoroutine 1 [running]:\nx\ny\n", "1\ngoroutine \n\n\n", "1\nfatal error: x\n\ngoroutine 1 [running]:\n)\n"} {
		path := filepath.Join(t.TempDir(), "crash")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if died := Last(path); died != nil {
			died.Reason()
			died.In("x")
		}
	}
}
