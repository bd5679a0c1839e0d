package prose

import "testing"

func TestJoinItems(t *testing.T) {
	tests := []struct {
		name  string
		items []string
		room  int
		want  string
	}{
		{"all", []string{"a lock", "a cursor"}, 40, "a lock; a cursor"},
		{"details go first", []string{"Moved the lock of the shelf to the store: its readers and all of its writers wait there at night, as do others", "a cursor"}, 90,
			"Moved the lock of the shelf to the store; a cursor"},
		{"places go before details", []string{"Moved the lock of the shelf (store/shelf.go:12-17): it is taken before the count begins", "a cursor"}, 90,
			"Moved the lock of the shelf: it is taken before the count begins; a cursor"},
		{"the last items go", []string{"the lock of the shelf", "the cursor of the store", "the clock of the worker"}, 50,
			"the lock of the shelf; the cursor of the store; 1 more"},
		{"a head that needs its details", []string{"Added a helper for the shelf that: counts it by night, locks it by day while the others wait for it", "a cursor"}, 90,
			"Added a helper for the shelf that: counts it by night; a cursor"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := JoinItems(tt.items, tt.room); got != tt.want {
				t.Errorf("JoinItems = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestClipClause(t *testing.T) {
	tests := []struct {
		name, text string
		n          int
		want       string
	}{
		{"short", "The lock is held.", 40, "The lock is held."},
		{"after a sentence", "The lock is held. The cursor waits for it.", 30, "The lock is held."},
		{"after a clause", "The lock is held by the store, so the cursor waits for it.", 40, "The lock is held by the store…"},
		{"between words in brackets", "The lock (a mutex, not a file) of the store is held by one of its readers", 28, "The lock (a mutex…"},
		{"between words", "The lock is held by the store until the cursor comes", 20, "The lock is…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ClipClause(tt.text, tt.n); got != tt.want || len(got) > tt.n {
				t.Errorf("ClipClause(%d) = %q, want %q", tt.n, got, tt.want)
			}
		})
	}
}
