package crash

import (
	"errors"
	"strings"
	"testing"
)

func TestCatch(t *testing.T) {
	var none []int
	var nothing map[string]int
	var pointer *struct{ n int }
	broken := errors.New("broken")
	tests := []struct {
		name string
		f    func() error
		want string // in the error; "" for none
	}{
		{"fine", func() error { return nil }, ""},
		{"an error", func() error { return broken }, "broken"},
		{"the last of an empty list", func() error { none[len(none)-1]++; return nil }, "index out of range [-1], in crash.TestCatch"},
		{"a slice that ends before it begins", func() error { n := 3; _ = "abc"[n:len(none)]; return nil }, "slice bounds out of range [3:0], in crash."},
		{"a map that is none", func() error { nothing["a"] = 1; return nil }, "assignment to entry in nil map, in crash."},
		{"a pointer to nothing", func() error { pointer.n++; return nil }, "nil pointer dereference, in crash."},
		{"a division", func() error { n := len(none); _ = 1 / n; return nil }, "divide by zero"},
		{"a negative count", func() error { _ = strings.Repeat("a", len(none)-1); return nil }, "negative Repeat count, in strings.Repeat"},
		{"an error of our own", func() error { panic(broken) }, "panic: broken, in crash."},
		{"words over several lines", func() error { panic("one\n\ntwo") }, "panic: one two, in crash."},
		{"many words", func() error { panic(strings.Repeat("ä", 9000)) }, "…, in crash."},
		{"nil", func() error { panic(nil) }, "panic called with nil argument"},
		{"in a panic", func() error {
			defer func() { panic("second") }()
			panic("first")
		}, "second"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Catch(tt.f)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v, want %q", err, tt.want)
			}
			var caught *Error
			if !errors.As(err, &caught) {
				return
			}
			if len(err.Error()) > 400 || strings.Contains(err.Error(), "\n") || !strings.Contains(caught.Stack, "goroutine") {
				t.Errorf("%d bytes: %q, stack %.80q", len(err.Error()), err, caught.Stack)
			}
		})
	}
}
