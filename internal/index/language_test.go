package index

import (
	"strings"
	"testing"
)

func TestLanguage(t *testing.T) {
	tests := []struct {
		text string
		want string // its words that are stop words of its language
	}{
		{"Bau einen Fortschrittsbalken in import.py ein", "einen ein"},
		{"welche Fehlernummer kommt auf die Folie für den Betreiber?", "welche auf die für den"},
		{"pourquoi est-ce que les commandes sont en double ?", "est ce est-ce que les sont en"},
		{"¿por qué no se guardan los pedidos de ayer?", "por qué se los de"},
		{"почему вчера не было отчёта и что мы решили", "не было и что мы"},
		{"the process may die when it is out of memory", ""},
		{"use des for the cipher", ""},
		{"die Pipeline", ""}, // one word is not enough
		{"des die war", "des die war"},
		{"man page of the con command", ""},
		{"", ""},
	}
	for _, tt := range tests {
		language := LanguageOf(tt.text)
		var got []string
		for _, token := range Analyze(tt.text) {
			if language.Stops(token) {
				got = append(got, token.Surface)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("stop words of %q: %q, want %q", tt.text, got, tt.want)
		}
	}
}
