package classifier

import (
	"slices"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"said by the way", "you can log in as auditor with Bean" + "Bag_Chair30 until Friday", []string{"Bean" + "Bag_Chair30"}},
		{"behind a slash", "test account: qa-lead@kontor.example / Peli" + "kan4ever!", []string{"Peli" + "kan4ever!"}},
		{"ordinary", "the password check in auth.go fails with error 401 since commit 3f786850e387550fdab836ed7e6dc881de23001b", nil},
		{"without a hint", "the build of Kiwi-Lantern" + "#7 took 12 minutes", nil},
		{"beside a marker", "test account: qa-lead@kontor.example / Peli" + "kan4ever! and [secret:password]", nil},
		{"empty", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, s := range Find(tt.text) {
				got = append(got, tt.text[s.Start:s.End])
			}
			if strings.Join(got, "|") != strings.Join(tt.want, "|") {
				t.Errorf("Find(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestPieces(t *testing.T) {
	tests := []struct{ text, want string }{
		{`password = "a b", user: 'c'`, "password|a|b|user|c"},
		{"DB_PASS=x#1=2&y", "DB_PASS|x#1=2&y"},
		{"| root | pw1 |\n| ada | pw2 |", "root|pw1|ada|pw2"},
		{"see (the key), then.", "see|the|key|then"},
		{"\x1b[33mkey\x1b[0m 7→line", "key|7|line"},
		{"login(\"ada\",\"lovelace\");", "login(|ada|lovelace"},
		{"密码是abc-12吗", "密码是|abc-12|吗"},
		{"contraseñá12", "contraseñá12"},
		{strings.Repeat("x", longest+1) + " y", "y"},
	}
	for _, tt := range tests {
		var got []string
		for _, p := range cutPieces(tt.text) {
			got = append(got, tt.text[p.Start:p.End])
		}
		if strings.Join(got, "|") != tt.want {
			t.Errorf("pieces(%q) = %q, want %s", tt.text, got, tt.want)
		}
	}
}

// What means the same counts the same, whatever its language.
func TestHintsOfOneMeaning(t *testing.T) {
	meanings := func(text string) (out []Feature) {
		hints().each(text, func(meaning Feature, _, _ int) { out = append(out, meaning) })
		return out
	}
	want := meanings("password")
	if len(want) != 1 {
		t.Fatalf("%d hints in password, want one", len(want))
	}
	for _, text := range []string{"Passwort:", "new_pw", "Пароль", "パスワード", "heslo"} {
		if got := meanings(text); len(slices.Compact(got)) != 1 || got[0] != want[0] {
			t.Errorf("%q does not mean what password does", text)
		}
	}
	if got := meanings("sapphire pwned qZpW"); len(got) != 0 {
		t.Errorf("%d hints within words, want none", len(got))
	}
}

// Words that stand together in quotes, in a cell or as the value of a name are a candidate as a whole.
func TestPhrases(t *testing.T) {
	for text, want := range map[string][]string{
		`connect("oak smoke over harbour", 5)`:        {"oak smoke over harbour"},
		"PASS 'Igel im Laub 3'":                       {"Igel im Laub 3"},
		"passphrase: oak smoke\nuser: ada":            {"oak smoke"},
		"new pin:\n  four seven one":                  {"four seven one"},
		"| wifi | oak smoke |":                        {"oak smoke"},
		"bob;oak smoke;1":                             {"oak smoke"},
		"the wifi is oak smoke":                       nil,
		`"oak smoke`:                                  nil,
		"Xvfb :99 -screen 0":                          nil,
		"note: " + strings.Repeat("word ", 9):         nil,
		`"` + strings.Repeat("longword ", 8) + `end"`: nil,
	} {
		v := NewView(text)
		var got []string
		for c := range v.Candidates() {
			if c.First < c.Last {
				got = append(got, text[v.Span(c).Start:v.Span(c).End])
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("phrases of %q: %q, want %q", text, got, want)
		}
	}
}

func TestKindOf(t *testing.T) {
	for text, want := range map[string]kind{
		"heron": aWord, "Heron": aName, "HERON": aCapitals, "bigHeron": aCamel, "big-heron": aJoined, "Big_heron": aJoinedName, "heron!": aWord, "heron!tree": aSigned, "heron42": aNumbered, "Heron42": aNumberedName,
		"heron-42!": aMarked, "/etc/heron": aPath, "heron@marsh.example": anEmail, "sk-***9z": aCovered, "$HERON": aCode, "heron()": aCall, "--": allSigns, "123": aNumber, "4711": aNumber4, "471100": aNumber6, "4711004711": aNumber8,
		"deadbeef0": aHex, "3f786850e387550fdab836ed7e6dc881de23001b": aHash, "550e8400-e29b-41d4-a716-446655440000": aHash, "x7k": aMixture, "x7kQ9zT2": aMixture8, "x7kQ9zT2#kk1W": aMixtureSigned12,
	} {
		if got := kindOf(text); got != want {
			t.Errorf("kindOf(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestRegions(t *testing.T) {
	long := strings.Repeat("word ", 1000)
	tests := []struct {
		name, text string
		want       int // bytes that are classified
	}{
		{"none", "nothing of the sort", 0},
		{"all", "the password is here", len("the password is here")},
		{"lines", strings.Repeat("line\n", 20) + "a token\n" + strings.Repeat("line\n", 20), len("a token\n") + 8*len("line\n") + 1},
		{"one long line", long + "token " + long, 2*hintBytes + len("token ")},
		{"part of another word", "the keyboard and the monkeys", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := 0
			for _, r := range findRegions(tt.text) {
				got += r.End - r.Start
			}
			if got > tt.want || got < tt.want-10 {
				t.Errorf("%d bytes are classified, want %d", got, tt.want)
			}
		})
	}
}

func TestWeights(t *testing.T) {
	if len(stored()) != Weights {
		t.Errorf("%d weights, want %d", len(stored()), Weights)
	}
}

// Whatever a text is, what is found in it are parts of it, in order and apart.
func FuzzFind(f *testing.F) {
	f.Add("password: heron-42!\n\x1b[3")
	f.Add("| token |\n|\xff\xfe|\n…„“")
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, s := range Find(text) {
			if s.Start < last || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("Find(%q): %v", text, s)
			}
			last = s.End
		}
	})
}
