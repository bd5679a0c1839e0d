//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What Claude itself picks for a prompt, asked through the client's command, comes with a later call of the turn, once.
func TestReader(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	w := newWorld(t, k)
	bin := t.TempDir()
	if err := os.Symlink(k.client, filepath.Join(bin, "claude")); err != nil {
		t.Skip(err)
	}
	w.client.extra = append(w.client.extra, "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	writeFile(t, filepath.Join(w.client.data(), "config.toml"), []byte("[recall]\nmin_worth = 1.0\n[hooks]\noff = [\"SessionStart\"]\n"), 0o600)
	inSettings, err := json.Marshal(map[string]any{"env": map[string]string{"ANTHROPIC_BASE_URL": w.client.apiURL, "ANTHROPIC_API_KEY": apiKey}})
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(w.client.config(), "settings.json"), inSettings, 0o600) // the daemon passes on no key
	w.must(t, w.recollect(), "import", w.samples(t))
	w.api.choose = []string{"8443", "max_open_conns"}
	if got := w.must(t, w.recollect(), "reader", "use", "claude"); !strings.Contains(got.stdout, "claude haiku answered") {
		t.Fatalf("reader use printed %q", got.stdout)
	}
	if req := w.api.asked[0]; !strings.Contains(req.Model, "haiku") || len(req.Tools) > 0 || w.transcripts(t) != "" {
		t.Errorf("the question went to %s with %d tools, and left %q", req.Model, len(req.Tools), w.transcripts(t))
	}

	const prompt = "why did requests hang at lunchtime, and how big should the database connection pool be?"
	req := w.ask(t, prompt, []turn{bash("sleep 6"), bash("ls"), bash("pwd"), {text: "It is 25."}})
	if got := block(req); got != "" {
		t.Errorf("the prompt got %q before the model had answered", got)
	}
	last, _ := w.api.seen()
	if got := strings.Count(last.text(), callMark); got != 1 || !strings.Contains(last.text(), "max_open_conns") {
		t.Errorf("%d of three calls were told something, want one to be told what the model chose\n%s", got, last.text())
	}
	if got := w.hookTroubles(t); got != nil {
		t.Errorf("transcripts tell of hooks: %s", got)
	}
}
