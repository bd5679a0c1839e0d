package teams

import (
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

func TestChoices(t *testing.T) {
	home := t.TempDir()
	open := func() *choices { return openChoices(home, slog.New(slog.DiscardHandler)) }
	a := open()
	a.read["/app"] = reading{stamp: "1"}
	if err := a.recordReject("/app", []string{"d1", "d2"}, false); err != nil {
		t.Fatal(err)
	}
	if _, ok := a.read["/app"]; ok {
		t.Error("after a rejection the files are not read anew")
	}
	if err := a.recordLook("/app", map[string]string{"a.md": "d1"}); err != nil {
		t.Fatal(err)
	}
	if err := a.recordReject("/app", []string{"d2"}, true); err != nil {
		t.Fatal(err)
	}
	b := open()
	if !b.isRejected("/app", "d1") || b.isRejected("/app", "d2") || b.isRejected("/other", "d1") {
		t.Error("another daemon knows other rejections")
	}
	if got := b.seenFiles("/app"); !maps.Equal(got, map[string]string{"a.md": "d1"}) || b.seenFiles("/other") != nil {
		t.Errorf("seen %v, elsewhere %v", got, b.seenFiles("/other"))
	}
	if err := b.recordReject("/app", make([]string, maxRejected+1), false); err == nil {
		t.Error("rejections have no bound")
	}

	path := filepath.Join(home, "team.json")
	const newer = `{"v": 2, "projects": {}}`
	if err := os.WriteFile(path, []byte(newer), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := open().recordReject("/app", []string{"d3"}, false); err == nil {
		t.Error("what a newer version wrote is replaced")
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != newer {
		t.Errorf("the newer file is %q, %v", text, err)
	}
}
