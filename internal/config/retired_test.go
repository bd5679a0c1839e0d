package config

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What an older version had as settings keeps nothing else from being used, in a file or in the environment,
// whatever its value is, and Retired says where it stands.
func TestRetired(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "config.toml")
	text := "[recall]\nterms = 99\nTopic_Gate = \"x\"\nodds_ratio = 4\n\n[rank]\nlatest_share = 0.5\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"RECOLLECT_RECALL_DUPLICATES=1", "RECOLLECT_BUDGET_ITEMS=3"}
	c, _, err := Load(home, env)
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Recall.OddsRatio, want.Budget.Items = 4, 3
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	const rule = " is not a setting any more and changes nothing: take it out"
	err = errors.Join(Retired(home, env)...)
	wantText := path + ":2: recall.terms" + rule + "\n" + path + ":3: recall.Topic_Gate" + rule + "\n" + path + ":7: rank.latest_share" + rule + "\n" +
		"RECOLLECT_RECALL_DUPLICATES:" + rule
	if err == nil || err.Error() != wantText {
		t.Errorf("Retired() = %v, want\n%s", err, wantText)
	}
	if got := Retired(t.TempDir(), nil); got != nil {
		t.Errorf("Retired() = %v without a file", got)
	}
}
