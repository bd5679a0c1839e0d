package toolcall

import "testing"

func TestSameError(t *testing.T) {
	const pasted = "$ make ferry\ncompiling 12 files\nferry: error: harbour socket already closed\nmake: *** [ferry] Error 1"
	shown := ErrorIn(pasted)
	if want := "ferry: error: harbour socket already closed"; shown != want {
		t.Fatalf("ErrorIn = %q, want %q", shown, want)
	}
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"quoted", `The old driver stops with "harbour socket already closed".`, true},
		{"inflected and in another order", "Sockets of the harbour were closed already.", true},
		{"another error", "The table of the harbour has no such pier.", false},
		{"nothing", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := SameError(tt.text, shown); got != tt.want {
				t.Errorf("SameError(%q) = %t, want %t", tt.text, got, tt.want)
			}
		})
	}
	if SameError("anything", "") {
		t.Error("a text is about an error that is not there")
	}
}
