package app

import (
	"strings"
	"testing"
)

func TestConfirm(t *testing.T) {
	tests := []struct {
		answer string
		want   bool
	}{
		{"y\n", true}, {"Yes \n", true}, {"yes", true},
		{"\n", false}, {"", false}, {"n\n", false}, {"yesterday\n", false},
	}
	for _, tt := range tests {
		var asked strings.Builder
		a := App{Terminal: Terminal{In: strings.NewReader(tt.answer), Err: &asked}}
		if got := a.Confirm("sure?"); got != tt.want || !strings.HasPrefix(asked.String(), "sure? [y/N] ") {
			t.Errorf("answer %q: confirmed %v, want %v; asked %q", tt.answer, got, tt.want, asked.String())
		}
		if a.CanAsk() {
			t.Error("there is somebody to ask")
		}
	}
}
