package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
)

// The answer to a question for a password is in no memory, also where the next turn gives it.
func TestAnswersOfTheNextTurn(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	turn := func(id, prompt, reply string) claudecode.Turn {
		at = at.Add(time.Minute)
		return claudecode.Turn{Session: "s", ID: id, At: at, Prompt: prompt, Replies: []string{reply}}
	}
	const secret = "Tarn9lake"
	tests := []struct {
		name  string
		turns []claudecode.Turn
		kept  bool
	}{
		{"Claude asks", []claudecode.Turn{turn("1", "Log in to the staging database", "I need it for that. What is the password?"), turn("2", secret, "I am logged in, the tables are there.")}, false},
		{"Claude asks in short", []claudecode.Turn{turn("1", "Log in to the staging database", "pw?"), turn("2", "`"+secret+"`", "I am logged in, the tables are there.")}, false},
		{"in German", []claudecode.Turn{turn("1", "Melde dich an der Datenbank an", "Wie lautet das Passwort?"), turn("2", secret+"\n", "Ich bin angemeldet, die Tabellen sind da.")}, false},
		{"the user asks", []claudecode.Turn{turn("1", "what was the wifi password?", secret)}, false},
		{"another question", []claudecode.Turn{turn("1", "Rename the function of the pool", "What should it be called?"), turn("2", secret, "I have renamed it, and the tests pass.")}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all := fmt.Sprint(DraftsOf(tt.turns, memory.Project{Path: "/p", Name: "p"}))
			if strings.Contains(all, secret) != tt.kept {
				t.Errorf("kept is %t in %s", !tt.kept, all)
			}
		})
	}
}
