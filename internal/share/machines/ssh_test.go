package machines

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fakeSSH puts an ssh on PATH that runs on this machine what it should run on another.
func fakeSSH(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	bin := t.TempDir()
	script := "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift 2\nexec sh -c \"$*\"\n"
	if err := os.WriteFile(filepath.Join(bin, "ssh"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

func TestSSH(t *testing.T) {
	fakeSSH(t)
	dir := filepath.Join(t.TempDir(), "it's here")
	to := "ssh://somebody@elsewhere:2222" + strings.ReplaceAll(filepath.ToSlash(dir), " ", "%20")
	a, b := newUser(t, 0), newUser(t, 0)
	sync := func(u *replicaUser) {
		t.Helper()
		if _, err := u.m.Sync(t.Context(), to, false); err != nil {
			t.Fatal(err)
		}
	}
	id := a.store(1, "first")
	b.store(2, "second")
	sync(a)
	sync(b)
	sync(a)
	if diff := cmp.Diff(a.live(), b.live()); diff != "" || len(a.live()) != 2 {
		t.Errorf("machines differ, or have not both memories:\n%s", diff)
	}
	a.forget(id)
	sync(a)
	sync(b)
	if m, err := b.m.Store.Newest(id); err != nil || !m.Deleted {
		t.Errorf("b has %+v, %v", m, err)
	}
	for name, content := range files(t, dir) {
		if strings.Contains(string(content), "first") {
			t.Errorf("%s still says what was forgotten", name)
		}
	}
	if err := a.m.Leave(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, top, a.m.Writer)); !os.IsNotExist(err) {
		t.Errorf("after leaving: %v", err)
	}
}

// A transfer that ends early leaves no segment.
func TestSSHWriteIsWhole(t *testing.T) {
	fakeSSH(t)
	dir := t.TempDir()
	r := remote{host: "elsewhere", dir: dir}
	s := Segment{Writer: "00112233445566ff", Name: checksum([]byte("whole"))}
	if _, err := r.run(t.Context(), 0, []byte("who"), sshWrite, s.Writer, s.Name, "5"); err == nil {
		t.Error("half a segment was accepted")
	}
	if found, err := r.list(t.Context()); err != nil || len(found) != 0 {
		t.Errorf("listed: %v, %v", found, err)
	}
	if err := r.write(t.Context(), s, []byte("whole")); err != nil {
		t.Fatal(err)
	}
	s.Size = 5
	found, err := r.list(t.Context())
	if diff := cmp.Diff([]Segment{s}, found); err != nil || diff != "" {
		t.Errorf("listed: %v\n%s", err, diff)
	}
}

func TestParseSSH(t *testing.T) {
	tests := []struct{ to, host, dir string }{
		{"ssh://desk", "desk", "./recollect-sync"},
		{"ssh://me@desk:22/srv/memories", "me@desk", "/srv/memories"},
		{"ssh://desk/~/memories", "desk", "./memories"},
		{"ssh://-oProxyCommand=touch", "", ""},
		{"ssh://-l@desk/x", "", ""},
		{"ssh://me:secret@desk/x", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.to, func(t *testing.T) {
			r, err := parseSSH(tt.to)
			if (err != nil) != (tt.host == "") || r.host != tt.host || r.dir != tt.dir {
				t.Errorf("host %q, folder %q, %v", r.host, r.dir, err)
			}
		})
	}
}
