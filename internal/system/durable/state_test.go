package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestState(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		newer      bool
		damaged    bool
		want       map[string]int
	}{
		{"ours", `{"a":1}`, false, false, map[string]int{"a": 1}},
		{"our version", `{"v":1,"a":1}`, false, false, map[string]int{"v": 1, "a": 1}},
		{"later version", `{"v":2,"a":1}`, true, false, nil},
		{"version of another form", `{"v":"2026-01"}`, true, false, nil},
		{"other form", `[1,2]`, true, false, nil},
		{"other member", `{"a":{"b":1}}`, true, false, nil},
		{"cut", `{"a":1`, false, true, nil},
		{"empty", ``, false, true, nil},
		{"zeros", "\x00\x00\x00", false, true, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "state.json")
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			s := NewState(path)
			var got map[string]int
			err := s.Read(&got)
			if errors.Is(err, ErrNewer) != tt.newer || (err != nil) != (tt.newer || tt.damaged) || (s.Newer() != nil) != tt.newer {
				t.Fatalf("Read: %v, Newer %v", err, s.Newer())
			}
			if err := s.Write(map[string]int{"b": 2}); err != nil {
				t.Fatal(err)
			}
			want := `{"b":2}`
			if tt.newer {
				want = tt.text
			}
			if b, err := os.ReadFile(path); err != nil || string(b) != want {
				t.Errorf("the file has %q, %v, want %q", b, err, want)
			}
		})
	}
}

func TestStateWithoutFile(t *testing.T) {
	s := NewState(filepath.Join(t.TempDir(), "new", "state.json"))
	var got map[string]int
	if err := s.Read(&got); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read: %v, want that there is no file", err)
	}
	if err := s.Write(map[string]int{"a": 1}); err != nil {
		t.Fatal(err)
	}
	if err := s.Read(&got); err != nil || got["a"] != 1 {
		t.Errorf("read %v, %v", got, err)
	}
}

// What cannot be read is either replaced or left alone, never read in part.
func FuzzState(f *testing.F) {
	for _, text := range []string{`{"v":1,"a":["b"]}`, `{"v":2}`, `{"v":1e9}`, `{"V":3}`, `[]`, `null`, `{"a":1`, "\xff", `{"v":1}{"v":2}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "state.json")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		s := NewState(path)
		var got struct{ A []string }
		err := s.Read(&got)
		if werr := s.Write(got); werr != nil {
			t.Fatal(werr)
		}
		b, rerr := os.ReadFile(path)
		if rerr != nil {
			t.Fatal(rerr)
		}
		if kept := string(b) == string(text); errors.Is(err, ErrNewer) && !kept {
			t.Errorf("%q became %q", text, b)
		}
		if err := NewState(path).Read(&got); err != nil && !errors.Is(err, ErrNewer) {
			t.Errorf("what was written over %q cannot be read: %v", text, err)
		}
	})
}
