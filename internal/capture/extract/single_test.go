package extract

import (
	"testing"

	"recollect/internal/memory"
)

// What is stored on purpose is what it states, if that is a single sentence.
func TestReadSource(t *testing.T) {
	for _, tt := range []struct {
		text  string
		want  memory.Source
		scope string
	}{
		{"always use pnpm, never npm", memory.Preferences, thisProject},
		{"never push, i push", memory.Preferences, thisProject},
		{"always answer in German", memory.Preferences, memory.Global},
		{"we decided to keep the sessions in Redis because Postgres was too slow", memory.Journal, ""},
		{"the database connection pool has 40 connections", memory.Inbox, ""},
		{"staging shares its database with the demo system", memory.Inbox, ""},
		{"ask Ada why the nightly job runs twice", memory.Inbox, ""},
		{"The pool has 25 connections. Never raise it without asking Ada.", memory.Inbox, ""},
		{"", memory.Inbox, ""},
	} {
		if got, scope := ReadSource(tt.text); got != tt.want || scope != tt.scope {
			t.Errorf("ReadSource(%q) = %s, %q, want %s, %q", tt.text, got, scope, tt.want, tt.scope)
		}
	}
}
