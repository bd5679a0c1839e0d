package sessions

import (
	"strings"
	"testing"
)

func TestSlug(t *testing.T) {
	tests := []struct{ path, want string }{
		{"/home/dev/app", "-home-dev-app"},
		{"/home/dev/My_app.v2 ü/x", "-home-dev-My-app-v2---x"},
		{"/" + strings.Repeat("a", 300), "-" + strings.Repeat("a", maxSlug-1)},
	}
	for _, tt := range tests {
		if got := slug(tt.path); got != tt.want {
			t.Errorf("slug(%q) = %q, want %q", tt.path, got, tt.want)
		}
	}
}
