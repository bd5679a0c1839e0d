package trial

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var now = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

func TestShare(t *testing.T) {
	trial, withheld := New(t.TempDir()), 0
	for i := range 2000 {
		is, err := trial.Withholds(fmt.Sprint("session-", i), 0.3, now)
		if err != nil {
			t.Fatal(err)
		}
		if is {
			withheld++
		}
	}
	if withheld < 540 || withheld > 660 {
		t.Errorf("%d of 2000 sessions are withheld, want about 600", withheld)
	}
}

// What a session was when it began it stays, also with another share and in another process.
func TestRecorded(t *testing.T) {
	home := t.TempDir()
	if is, err := New(home).Withholds("early", 0, now); is || err != nil {
		t.Errorf("without a trial: %v, %v", is, err)
	}
	if _, err := os.Stat(filepath.Join(home, Name)); err == nil {
		t.Error("a file was written without a trial")
	}
	if is, err := New(home).Withholds("all", 1, now); !is || err != nil {
		t.Errorf("at 1: %v, %v, want that it is withheld", is, err)
	}
	again := New(home)
	if is, _ := again.Withholds("all", 1e-9, now); !is {
		t.Error("with another share a session changed")
	}
	if is, _ := again.Withholds("all", 0, now); is {
		t.Error("memories are withheld after the end of the trial")
	}
	sessions, err := Read(home)
	if err != nil || len(sessions) != 1 || !sessions["all"] {
		t.Errorf("read %v, %v, want the one session", sessions, err)
	}
}

func TestDamagedFile(t *testing.T) {
	home := t.TempDir()
	text := "{\"session\":\"a\",\"withheld\":true}\nnoise\n" + strings.Repeat("x", 2*maxLine) + "\n{\"session\":\"b\"}\n{\"sess"
	if err := os.WriteFile(filepath.Join(home, Name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if sessions, err := Read(home); err != nil || len(sessions) != 2 || !sessions["a"] || sessions["b"] {
		t.Errorf("read %v, %v, want a, which is withheld, and b", sessions, err)
	}
}
