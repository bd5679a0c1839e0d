package regular

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	file, link, loop := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "loop")
	if err := os.WriteFile(file, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{link: file, loop: loop} {
		if err := os.Symlink(to, from); err != nil {
			t.Skip(err) // Windows lets not everybody
		}
	}
	for _, tt := range []struct {
		name, path string
		limit      int64
		want, err  string
	}{
		{"fits", file, 5, "12345", ""},
		{"too large", file, 4, "", "has more than 4 bytes"},
		{"link", link, 1 << 20, "12345", ""},
		{"link to itself", loop, 1 << 20, "", "loop"},
		{"folder", dir, 1 << 20, "", "is a folder, not a file"},
		{"missing", filepath.Join(dir, "no"), 1 << 20, "", "no"},
		{"device", os.DevNull, 1 << 20, "", "not a file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := Read(tt.path, tt.limit)
			if string(b) != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("Read(%s, %d) = %q, %v, want %q and an error with %q", tt.path, tt.limit, b, err, tt.want, tt.err)
			}
		})
	}
}

// Nobody writes to the pipe, so that to open it would wait for ever.
func TestPipes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "pipe")
	makePipe(t, path)
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, open := range map[string]func() (*os.File, error){
		"Open":     func() (*os.File, error) { return Open(path) },
		"OpenFile": func() (*os.File, error) { return OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600) },
		"OpenIn":   func() (*os.File, error) { return OpenIn(root, "pipe") },
		"swapped meanwhile": func() (*os.File, error) {
			return open(path, func(string) (os.FileInfo, error) { return nil, os.ErrNotExist }, func() (*os.File, error) { return os.OpenFile(path, os.O_RDONLY|noWait, 0) })
		},
	} {
		if f, err := open(); err == nil || !strings.Contains(err.Error(), "is a named pipe, not a file") {
			t.Errorf("%s: got %v, %v, want an error that names the pipe", name, f, err)
		}
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	for _, tt := range []struct {
		name, text string
		want       []Line
	}{
		{"none", "", nil},
		{"ended", "a\n\nb\n", []Line{{[]byte("a"), 1, 0, true, false}, {nil, 2, 2, true, false}, {[]byte("b"), 3, 3, true, false}}},
		{"not ended", "a\nb", []Line{{[]byte("a"), 1, 0, true, false}, {[]byte("b"), 2, 2, false, false}}},
		{"too long", long + "1\nb", []Line{{nil, 1, 0, true, true}, {[]byte("b"), 2, 200<<10 + 2, false, false}}},
		{"as long as allowed", long + "\n", []Line{{[]byte(long), 1, 0, true, false}}},
		{"endless", long + long, []Line{{nil, 1, 0, false, true}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []Line
			lines := NewLines(strings.NewReader(tt.text), 200<<10)
			for {
				line, err := lines.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				line.Text = append([]byte(nil), line.Text...)
				got = append(got, line)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("lines differ (-want +got):\n%s", d)
			}
		})
	}
}

func TestFiles(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"b.txt", "a.txt", "other.md", "in/c.txt", "left/d.txt"} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	text := func(path string, isRoot bool) bool { return isRoot || filepath.Ext(path) == ".txt" }
	left := func(folder string) bool { return folder == "left" }
	tests := []struct {
		name string
		want []string
	}{
		{".", []string{"a.txt", "b.txt", "in/c.txt"}},
		{"left", []string{"left/d.txt"}}, // named, so it is not left out
		{"other.md", []string{"other.md"}},
	}
	for _, tt := range tests {
		got, err := Files(filepath.Join(root, tt.name), text, left)
		var want []string
		for _, name := range tt.want {
			want = append(want, filepath.Join(root, filepath.FromSlash(name)))
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("Files(%s) = %q, %v; want %q", tt.name, got, err, want)
		}
	}
	if _, err := Files(filepath.Join(root, "gone"), text, left); err == nil {
		t.Error("a folder that is not there: no error")
	}
	if _, err := Files(filepath.Join(root, "other.md"), func(string, bool) bool { return false }, left); err == nil {
		t.Error("a file that is not wanted: no error")
	}
}

// The path of a folder is no pattern.
func TestEnding(t *testing.T) {
	for _, name := range []string{"plain", "a[b]c", "[x", "*", "a?b", `back\slash`, "{a,b}", "[!a-z]", "**", "sp ace"} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Skip(err)
		}
		for _, file := range []string{"b.idx", "a.idx", "c.pack"} {
			if err := os.WriteFile(filepath.Join(dir, file), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := Ending(dir, ".idx"); len(got) != 2 || got[0] != filepath.Join(dir, "a.idx") || got[1] != filepath.Join(dir, "b.idx") {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := Ending(filepath.Join(t.TempDir(), "gone"), ".idx"); got != nil {
		t.Errorf("a folder that is not there has %q", got)
	}
}
