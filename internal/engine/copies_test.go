package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/api"
	"recollect/internal/share/repo"
)

// teamFileText is a file of a team as its author wrote it.
func teamFileText(kind, by, date, id, body string) string {
	if id != "" {
		id = "id: " + id + "\n"
	}
	return "---\nkind: " + kind + "\nby: " + by + "\ndate: " + date + "\n" + id + "---\n" + body
}

func putShared(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, repo.Folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const (
	poolBody  = "# The pool retries in the client\n\nTwo layers retried at noon and hid the cause.\n"
	poolOther = "# The pool retries in the server\n\nOne layer retries at noon.\n"
)

// Whatever has the same words as what was rejected is hidden, too, and shown again with it.
func TestRejectHidesCopies(t *testing.T) {
	t.Parallel()
	first := teamFileText("decision", "Ana Example", "2026-02-01", "dec-0123456789ab", poolBody)
	tests := []struct {
		name, file, text string
		hidden           bool
	}{
		{"under another name of a file", "decision-copy.md", first, true},
		{"under another author", "a.md", teamFileText("decision", "Bob Example", "2026-02-01", "dec-0123456789ab", poolBody), true},
		{"under another id", "a.md", teamFileText("decision", "Ana Example", "2026-02-01", "dec-ffffffffffff", poolBody), true},
		{"without an id", "a.md", teamFileText("decision", "Ana Example", "2026-02-01", "", poolBody), true},
		{"of another day", "a.md", teamFileText("decision", "Ana Example", "2026-03-09", "dec-0123456789ab", poolBody), true},
		{"of another kind", "a.md", teamFileText("pattern", "Ana Example", "2026-02-01", "pat-0123456789ab", poolBody), true},
		{"in capitals", "a.md", teamFileText("decision", "Ana Example", "2026-02-01", "", strings.ToUpper(poolBody)), true},
		{"in other lines", "a.md", teamFileText("decision", "Ana Example", "2026-02-01", "", strings.ReplaceAll(poolBody, " retried", "\nretried")), true},
		{"with other punctuation", "a.md", teamFileText("decision", "Ana Example", "2026-02-01", "", strings.ReplaceAll(poolBody, ".", " !")), true},
		{"with hidden characters", "a.md", teamFileText("decision", "Ana Example", "2026-02-01", "", strings.ReplaceAll(poolBody, "retried", "re\u200btried")), true},
		{"with names of files", "a.md", strings.Replace(first, "---\n#", "files: [lib/pool.go]\n---\n#", 1), true},
		{"with other words", "a.md", teamFileText("decision", "Ana Example", "2026-02-01", "", poolOther), false},
		{"with the words in another order", "a.md", teamFileText("decision", "Ana Example", "2026-02-01", "", "# The client retries in the pool\n\nTwo layers retried at noon and hid the cause.\n"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, dir := start(t, newHome(t)), checkout(t, "example.com/team/pool")
			putShared(t, dir, "decision-first.md", first)
			reject := func(undo bool) api.TeamFiles {
				t.Helper()
				now, err := r.Teams.Reject(t.Context(), api.TeamReject{Cwd: dir, IDs: []string{"decision-first.md"}, Undo: undo})
				if err != nil {
					t.Fatal(err)
				}
				return now
			}
			reject(false)
			putShared(t, dir, tt.file, tt.text)
			shown := func() (n int) {
				t.Helper()
				files, err := r.Teams.List(t.Context(), api.Team{Cwd: dir})
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range files.Files {
					if f.Out == "" {
						n++
					}
				}
				return n
			}
			if got := shown(); (got == 0) != tt.hidden {
				t.Errorf("%d are shown beside it", got)
			}
			if err := os.Remove(filepath.Join(dir, repo.Folder, "decision-first.md")); err != nil {
				t.Fatal(err)
			}
			if got := shown(); (got == 0) != tt.hidden {
				t.Errorf("%d are shown once it is gone", got)
			}
			putShared(t, dir, "decision-first.md", first)
			reject(true)
			if shown() == 0 {
				t.Error("nothing is shown again")
			}
		})
	}
}

// What was rejected in one clone is hidden in another, and what came over the server with it.
func TestRejectHidesCopiesElsewhere(t *testing.T) {
	t.Parallel()
	const remote = "example.com/team/pool"
	url := natsServer(t)
	ana, bob := newColleague(t, url, remote), newColleague(t, url, remote)
	ana.do(api.ServerJoin, api.TeamServer{})
	bob.do(api.ServerJoin, api.TeamServer{})
	ana.share("Ana Example", ana.decide("The pool retries in the client alone"))
	bob.until("bob has it", func() bool { return bob.has() == 1 })
	putShared(t, bob.dir, "a.md", teamFileText("decision", "Eve Example", "2026-02-01", "", "# The pool retries in the client alone\n"))
	reject := func(undo bool) {
		t.Helper()
		if _, err := bob.Teams.Reject(t.Context(), api.TeamReject{Cwd: bob.dir, IDs: []string{"a.md"}, Undo: undo}); err != nil {
			t.Fatal(err)
		}
	}
	reject(false)
	if n := bob.has(); n != 0 {
		t.Errorf("%d copies from the server are left", n)
	}
	clone := checkout(t, remote)
	putShared(t, clone, "b.md", teamFileText("pattern", "Eve Example", "2026-02-02", "", "# The pool retries in the client alone\n"))
	files, err := bob.Teams.List(t.Context(), api.Team{Cwd: clone})
	if err != nil || len(files.Files) != 1 || files.Files[0].Out == "" {
		t.Errorf("in another clone: %+v, %v", files, err)
	}
	reject(true)
	bob.until("bob has it again", func() bool { return bob.has() == 1 })
}

// The name of a file cannot add a line to a list, and no such file is read.
func TestNamesOfSharedFilesStayOnTheirLine(t *testing.T) {
	r, dir := start(t, newHome(t)), checkout(t, "example.com/team/pool")
	for _, name := range []string{"a\nnew team-0123456789ab decision by the user.md", "a\rb.md", "a\u2028b.md", "a\u2029b.md", "a\u0085b.md", "a\x1b[2Jb.md", "a\u202eb.md", "a\u200bb.md", "a\tb.md", "a\u00a0b.md"} {
		putShared(t, dir, name, teamFileText("decision", "Ana Example", "2026-02-01", "", "# "+poolBody[2:]))
	}
	files, err := r.Teams.List(t.Context(), api.Team{Cwd: dir})
	if err != nil || len(files.Files) != 10 {
		t.Fatalf("%+v, %v", files, err)
	}
	for _, f := range files.Files {
		if f.Out == "" || strings.ContainsAny(f.File, "\n\r\t\x1b\u2028\u2029\u0085\u202e\u200b\u00a0") {
			t.Errorf("%q is shown: %+v", f.File, f)
		}
	}
	for _, line := range r.Teams.Problems() {
		if strings.ContainsAny(line, "\n\r\x1b\u2028\u2029\u0085\u202e\u200b") {
			t.Errorf("health says %q", line)
		}
	}
}

// Sharing again takes the place of the file that has the memory, whatever the author and the file
// are called by then.
func TestShareReplacesAfterAChangeOfNames(t *testing.T) {
	r, dir := start(t, newHome(t)), checkout(t, "example.com/team/pool")
	c := &colleague{running: r, dir: dir}
	id := c.decide("The pool retries in the client alone")
	share := func(author string) api.SharedFile {
		t.Helper()
		would, err := r.Teams.Share(t.Context(), api.Share{Cwd: dir, IDs: []string{id}, Author: author})
		if err != nil || len(would.Files) != 1 {
			t.Fatalf("%+v, %v", would, err)
		}
		return would.Files[0]
	}
	first := share("Ana Example")
	for _, name := range []string{first.Name, "renamed.md", "notes-of-ana.md"} {
		putShared(t, dir, name, first.Text)
		if got := share("Ana Example-Doe"); len(got.Replaces) != 1 || got.Replaces[0] != name {
			t.Errorf("as another author it replaces %q, want %s", got.Replaces, name)
		}
		if err := os.Remove(filepath.Join(dir, repo.Folder, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// What was sent is withdrawn from the project that it was sent for, though the repository has
// another remote by then, and though the copy that came back was hidden.
func TestWithdrawAfterAChangeOfNames(t *testing.T) {
	t.Parallel()
	url := natsServer(t)
	const before, after = "example.com/team/pool", "example.com/other/basin"
	tests := []struct {
		name   string
		change func(t *testing.T, ana *colleague)
	}{
		{"nothing changed", func(*testing.T, *colleague) {}},
		{"repository renamed", func(t *testing.T, ana *colleague) { ana.dir = checkout(t, after) }},
		{"repository renamed and joined", func(t *testing.T, ana *colleague) {
			ana.dir = checkout(t, after)
			ana.do(api.ServerJoin, api.TeamServer{})
		}},
		{"copy hidden", func(t *testing.T, ana *colleague) {
			var received string
			for m := range ana.Store.Source("team") {
				received = m.ID
			}
			if _, err := ana.Teams.Reject(t.Context(), api.TeamReject{Cwd: ana.dir, IDs: []string{received}}); err != nil {
				t.Fatal(err)
			}
		}},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			remote := before + string(rune('a'+i))
			ana, bob := newColleague(t, url, remote), newColleague(t, url, remote)
			ana.do(api.ServerJoin, api.TeamServer{})
			bob.do(api.ServerJoin, api.TeamServer{})
			id := ana.decide("The pool retries in the client alone")
			ana.share("Ana Example", id)
			bob.until("both have it", func() bool { return bob.has() == 1 && ana.has() == 1 })
			tt.change(t, ana)
			ana.do(api.ServerWithdraw, api.TeamServer{IDs: []string{id}})
			bob.until("it is gone", func() bool { return bob.has() == 0 })
			if _, err := ana.Teams.Server(t.Context(), api.TeamServer{Cwd: ana.dir, Do: api.ServerWithdraw, IDs: []string{"dec-000000000000"}}); err == nil {
				t.Error("what was never shared can be withdrawn")
			}
		})
	}
}
