package capture

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever is in a file, its values come to an end, and each is JSON that can
// be read as a memory or cannot.
func FuzzExport(f *testing.F) {
	lines := exports(2)
	f.Add([]byte(strings.Join(lines, "\n")))
	f.Add([]byte("[" + strings.Join(lines, ",\n") + "]"))
	f.Add([]byte("\ufeff" + reformat(lines[0], "", " ") + "\n" + reformat(lines[1], "", "\t")))
	f.Add([]byte(lines[0][:50] + "\n" + lines[1]))
	f.Add([]byte(`{"id":"note-1","source":"inbox","v":2,"text":{}}`))
	f.Add([]byte("\xff\xfe{\x00"))
	f.Add([]byte("[{},[],1,null,"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "x.jsonl")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		isExport(file)
		values, err := newValues(file)
		for n := 0; err == nil || errors.Is(err, errNoValue); n++ {
			if n > len(text) {
				t.Fatalf("%q has no end", text)
			}
			var value []byte
			if value, err = values.next(); err != nil {
				continue
			}
			if d, err := parseRecord(value); err == nil && d.V > 1 {
				t.Errorf("%q was taken", value)
			}
		}
		if errors.Is(err, io.EOF) && err != io.EOF {
			t.Errorf("%q: the end is %v", text, err)
		}
	})
}
