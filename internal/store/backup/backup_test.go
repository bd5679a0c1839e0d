package backup

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var made = time.Date(2026, 11, 23, 1, 2, 3, 0, time.UTC)

// folder makes a data folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	home := t.TempDir()
	for name, text := range files {
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// content returns the files of a folder.
func content(t *testing.T, home string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(home, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, _ := filepath.Rel(home, path)
		b, err := os.ReadFile(path)
		out[filepath.ToSlash(name)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// archived returns a backup of a folder.
func archived(t *testing.T, home string) []byte {
	t.Helper()
	s, err := Open(home)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var b bytes.Buffer
	if _, err := s.Write(t.Context(), &b, Manifest{Recollect: "1.2.3", Made: made, Memories: 2}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var kept = map[string]string{
	"memories/journal.jsonl":    "one\ntwo\n",
	"memories/inbox.jsonl.torn": "{\"id",
	"config.toml":               "[recall]\n",
	"usage.jsonl":               "used\n",
	"stats.json":                "{}",
}

var left = map[string]string{
	"index/1/store":        "derived",
	"sessions/s1.json":     "derived",
	"daemon.log":           "log",
	".config.toml.good":    "copy",
	"notes.txt":            "somebody's",
	"memories/.new-1":      "temporary",
	"usage.jsonl.foreign":  "another user's",
	"memories/x/y.jsonl":   "deep",
	"manifest.json":        "no part of it",
	"recollections/x.json": "derived",
}

func TestRoundTrip(t *testing.T) {
	all := map[string]string{}
	for _, files := range []map[string]string{kept, left} {
		for name, text := range files {
			all[name] = text
		}
	}
	archive := archived(t, folder(t, all))
	m, err := Verify(t.Context(), bytes.NewReader(archive))
	if err != nil || m.Memories != 2 || !m.Made.Equal(made) || len(m.Files) != len(kept) {
		t.Fatalf("Verify = %+v, %v", m, err)
	}
	home := folder(t, map[string]string{
		"memories/journal.jsonl": "old\n", "memories/goals.jsonl": "older\n", "synonyms.toml": "old", "index/2/x": "old", "daemon.lock": "", "notes.txt": "mine",
	})
	if holds, err := Holds(home); err != nil || !holds {
		t.Errorf("Holds = %v, %v", holds, err)
	}
	if _, err := Stage(t.Context(), bytes.NewReader(archive), home); err != nil {
		t.Fatal(err)
	}
	if err := Swap(home); err != nil {
		t.Fatal(err)
	}
	if interrupted, done := Left(home); interrupted || !done {
		t.Errorf("Left = %v, %v", interrupted, done)
	}
	if err := Finish(home); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"daemon.lock": "", "notes.txt": "mine"}
	for name, text := range kept {
		want[name] = text
	}
	if diff := cmp.Diff(want, content(t, home)); diff != "" {
		t.Errorf("restored (-want +got):\n%s", diff)
	}
}

// What is appended or replaced after a set was opened is no part of it.
func TestSetIsOfItsTime(t *testing.T) {
	home := folder(t, kept)
	s, err := Open(home)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	journal := filepath.Join(home, "memories", "journal.jsonl")
	f, err := os.OpenFile(journal, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("three\n")
	f.Close()
	var b bytes.Buffer
	m, err := s.Write(t.Context(), &b, Manifest{Made: made})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Files {
		if f.Name == "memories/journal.jsonl" && f.Size != int64(len(kept[f.Name])) {
			t.Errorf("%s has %d bytes, was opened with %d", f.Name, f.Size, len(kept[f.Name]))
		}
	}
	if _, err := Verify(t.Context(), &b); err != nil {
		t.Error(err)
	}
}

// However far a restore came, what was there before can be put back.
func TestUndo(t *testing.T) {
	archive := archived(t, folder(t, kept))
	before := map[string]string{"memories/goals.jsonl": "older\n", "synonyms.toml": "old", "index/2/x": "old", "daemon.lock": ""}
	replacedAll := func(string) bool { return true }
	steps := map[string]func(home, dir string) error{
		"staged": func(string, string) error { return nil },
		"half moved aside": func(home, dir string) error {
			return moveAll(home, filepath.Join(dir, movingFolder), func(name string) bool { return name == "memories" })
		},
		"moved aside": func(home, dir string) error {
			if err := moveAll(home, filepath.Join(dir, movingFolder), replaced); err != nil {
				return err
			}
			return os.Rename(filepath.Join(dir, movingFolder), filepath.Join(dir, oldFolder))
		},
		"half in place": func(home, dir string) error {
			if err := moveAll(home, filepath.Join(dir, movingFolder), replaced); err != nil {
				return err
			}
			if err := os.Rename(filepath.Join(dir, movingFolder), filepath.Join(dir, oldFolder)); err != nil {
				return err
			}
			return moveAll(filepath.Join(dir, newFolder), home, func(name string) bool { return name < "m" })
		},
		"all in place": func(home, dir string) error {
			if err := moveAll(home, filepath.Join(dir, movingFolder), replaced); err != nil {
				return err
			}
			if err := os.Rename(filepath.Join(dir, movingFolder), filepath.Join(dir, oldFolder)); err != nil {
				return err
			}
			return moveAll(filepath.Join(dir, newFolder), home, replacedAll)
		},
	}
	for name, step := range steps {
		t.Run(name, func(t *testing.T) {
			home := folder(t, before)
			if _, err := Stage(t.Context(), bytes.NewReader(archive), home); err != nil {
				t.Fatal(err)
			}
			if err := step(home, filepath.Join(home, unfinished)); err != nil {
				t.Fatal(err)
			}
			if _, err := Stage(t.Context(), bytes.NewReader(archive), home); err != ErrUnfinished {
				t.Errorf("Stage = %v, want %v", err, ErrUnfinished)
			}
			if err := Undo(home); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, content(t, home)); diff != "" {
				t.Errorf("undone (-want +got):\n%s", diff)
			}
		})
	}
}

// A part is a member of an archive that a test makes.
type part struct {
	name string
	kind byte
	text string
}

// packed makes an archive with a manifest for what it says it has.
func packed(t *testing.T, says []File, parts ...part) []byte {
	t.Helper()
	m, err := json.Marshal(Manifest{Format: format, V: version, Files: says})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, p := range append(parts, part{manifestName, tar.TypeReg, string(m)}) {
		h := &tar.Header{Name: p.name, Typeflag: p.kind, Mode: 0o600}
		if p.kind == tar.TypeReg {
			h.Size = int64(len(p.text))
		} else {
			h.Linkname = p.text
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if p.kind == tar.TypeReg {
			w.Write([]byte(p.text))
		}
	}
	w.Close()
	z.Close()
	return b.Bytes()
}

func TestHostileArchives(t *testing.T) {
	good := archived(t, folder(t, kept))
	journal := part{"memories/journal.jsonl", tar.TypeReg, "x"}
	sumOfX := "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
	says := []File{{journal.name, 1, sumOfX}}
	flipped := bytes.Clone(good)
	flipped[len(flipped)/2] ^= 0x40
	tests := []struct {
		name    string
		archive []byte
		want    string // "" if it is a backup
	}{
		{"good", packed(t, says, journal), ""},
		{"no archive", []byte("hello"), "it is no backup"},
		{"empty", nil, "it is no backup"},
		{"cut off", good[:len(good)/2], "it "},
		{"without its last byte", good[:len(good)-1], "damaged"},
		{"a bit flipped", flipped, "it "},
		{"another digest", packed(t, []File{{journal.name, 1, strings.Repeat("0", 64)}}, journal), "is not what the manifest says"},
		{"a file more", packed(t, says, journal, part{"config.toml", tar.TypeReg, "x"}), "names 1 files, and it has 2"},
		{"a file less", packed(t, says), "names 1 files, and it has 0"},
		{"twice", packed(t, append(says, says...), journal, journal), "there twice"},
		{"a path up", packed(t, says, part{"../evil.json", tar.TypeReg, "x"}), "no file of a data folder"},
		{"an absolute path", packed(t, says, part{"/etc/evil.json", tar.TypeReg, "x"}), "no file of a data folder"},
		{"a path through", packed(t, says, part{"memories/../../evil.jsonl", tar.TypeReg, "x"}), "no file of a data folder"},
		{"a backslash", packed(t, says, part{`memories\\evil.jsonl`, tar.TypeReg, "x"}), "no file of a data folder"},
		{"an executable", packed(t, says, part{"recollect.sock", tar.TypeReg, "x"}), "no file of a data folder"},
		{"a link", packed(t, says, part{journal.name, tar.TypeSymlink, "/etc/passwd"}), "no regular file"},
		{"a hard link", packed(t, says, part{journal.name, tar.TypeLink, "/etc/passwd"}), "no regular file"},
		{"a pipe", packed(t, says, part{journal.name, tar.TypeFifo, ""}), "no regular file"},
		{"a folder", packed(t, says, part{"memories/", tar.TypeDir, ""}), "no file of a data folder"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := folder(t, map[string]string{"config.toml": "mine"})
			_, err := Stage(t.Context(), bytes.NewReader(tt.archive), home)
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Stage = %v, want %q", err, tt.want)
			}
			if diff := cmp.Diff(map[string]string{"config.toml": "mine"}, content(t, home)); diff != "" {
				t.Errorf("the folder was touched (-want +got):\n%s", diff)
			}
		})
	}
}

// A small archive may say that it unpacks to any amount.
func TestHugeMember(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: "usage.jsonl", Typeflag: tar.TypeReg, Mode: 0o600, Size: maxMember + 1}); err != nil {
		t.Fatal(err)
	}
	z.Close() // the content would follow
	if _, err := Verify(t.Context(), &b); err == nil || !strings.Contains(err.Error(), "more than a backup holds") {
		t.Errorf("Verify = %v", err)
	}
}
