package builtin

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func tokens(text string, vocab *Vocabulary) []string {
	var out []string
	var s Scanner
	s.Reset(text, vocab)
	for token := s.Next(); token != nil; token = s.Next() {
		out = append(out, string(token))
	}
	return out
}

// A model understands only text that is cut the way it was trained on: a change
// here needs a new model.
func TestScanner(t *testing.T) {
	known := NewVocabulary([]string{"javascript", "k8s"})
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"no letters", " -- ?! \t\n…", ""},
		{"case", "The DAEMON", "the daemon"},
		{"snake and path", "snake_case internal/store/log.go --max-len", "snake case internal store log go max len"},
		{"shouted snake", "MAX_TOKEN_COUNT __init__", "max token count init"},
		{"Windows path", `C:\\Users\\me\\main_test.go`, "c users me main test go"},
		{"address", "https://example.org:8080/a?b=c#d", "https example org 8080 a b c d"},
		{"camel", "fooBarBaz FooBar", "foo bar baz foo bar"},
		{"initials before a word", "HTTPServer parseURLPath", "http server parse url path"},
		{"plural of initials", "URLs PRs", "urls prs"},
		{"digits", "utf8 sha256sum x86 IPv6 2024-11-21", "utf 8 sha 256 sum x 86 i pv 6 2024 11 21"},
		{"version and hash", "v1.26.0 3f2a9c", "v 1 26 0 3 f 2 a 9 c"},
		{"digits of other scripts", "٣٤ x५", "٣٤ x ५"},
		{"more parts than are cut", "a1b2c3d4e5f6g7h8i9", "a 1 b 2 c 3 d 4 e 5 f 6 g 7 h 8i9"},
		{"known compounds stay whole", "JavaScript K8s k8s", "javascript k8s k8s"},
		{"possessive", "Go's users' it’s JAMES'S", "go users it james"},
		{"apostrophe inside", "don't won’t o'clock", "dont wont oclock"},
		{"quotes", "'quoted' it 's", "quoted it s"},
		{"accents", "naïve Straße Łódź œuvre Ærø", "naive strasse lodz oeuvre aero"},
		{"combining accents", "nai\u0308ve Cafe\u0301", "naive cafe"},
		{"Vietnamese", "Tiếng Việt người THƯƠNG ơ Ư đồng", "tieng viet nguoi thuong o u dong"},
		{"Vietnamese of combining marks", "Tie\u0302\u0301ng Vie\u0323\u0302t ngu\u031bo\u031b\u0300i", "tieng viet nguoi"},
		{"ligatures and odd letters", "Œuvre ÞÐ ıŋĳ", "oeuvre thd inĳ"},
		{"only combining marks", "\u0301\u0308 x", "x"},
		{"two marks on a letter", "u\u0308\u0304ber", "uber"},
		{"Cyrillic", "Привет, ёлка Й", "привет елка и"},
		{"Cyrillic in parts", "и\u0306 е\u0308лка разборURL", "и елка разбор url"},
		{"Greek", "Ωμέγα λόγος", "ωμεγα λογοσ"},
		{"all Greek accents", "άέήίϊΐόύϋΰώ", "αεηιιιουυυω"},
		{"Hindi vowel signs", "हिन्दी भाषा", "हनद भष"},
		{"Arabic", "مرحبا بالعالم", "مرحبا بالعالم"},
		{"Chinese", "提交信息", "提交 交信 信息"},
		{"one ideograph", "中 a文b", "中 a 文 b"},
		{"Japanese", "東京都に行く。", "東京 京都 都に に行 行く"},
		{"Japanese and Latin", "Go言語で2回", "go 言語 語で 2 回"},
		{"Katakana with a prolonged sound", "サーバーA ー", "サー ーバ バー a ー"},
		{"Thai", "ไทย", "ไท ทย"},
		{"rare ideographs of four bytes", "𠮷野家", "𠮷野 野家"},
		{"Hangul has spaces", "안녕 세계", "안녕 세계"},
		{"emoji", "ship 🚀it", "ship it"},
		{"joined emoji", "👩‍💻👍🏽done ✅", "done"},
		{"invisible", "\ufeffthe zero\u200bwidth nul\x00byte", "the zero width nul byte"},
		{"bad UTF-8", "a\xffb\xc3", "a b"},
		{"Latin-1", "caf\xe9 na\xefve", "caf na ve"},
		{"cut or overlong runes", "提\xe4\xba \xc0\x80a\xed\xa0\x80b", "提 a b"},
		{"long word", strings.Repeat("a", 100) + " b", strings.Repeat("a", 61) + " b"},
		{"long word of wide letters", strings.Repeat("я", 100) + " b", strings.Repeat("я", 31) + " b"},
		{"border beyond the end", strings.Repeat("a", 61) + "7 b", strings.Repeat("a", 61) + " b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(strings.Fields(tt.want), tokens(tt.text, known), cmpEmpty); diff != "" {
				t.Errorf("tokens of %q (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

// cmpEmpty makes nil and empty slices equal.
var cmpEmpty = cmp.Transformer("empty", func(s []string) string { return strings.Join(s, "|") })

func TestScannerCompound(t *testing.T) {
	var s Scanner
	var got []string
	s.Reset("plain fooBarBaz x2", nil)
	for token := s.Next(); token != nil; token = s.Next() {
		got = append(got, string(token)+"<"+string(s.Compound()))
	}
	want := []string{"plain<", "foo<foobarbaz", "bar<", "baz<", "x<x2", "2<"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tokens and their compounds (-want +got):\n%s", diff)
	}
}

func FuzzScanner(f *testing.F) {
	for _, seed := range []string{"HTTPServer's utf8", "東京a都", "a'b'c''", strings.Repeat("aB3", 40), "İstanbul ß\u0301", "x\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found := tokens(text, nil)
		if len(found) > len(text) {
			t.Errorf("%d tokens in %d bytes", len(found), len(text))
		}
		for _, token := range found {
			if token == "" || len(token) > maxWord || !utf8.ValidString(token) {
				t.Errorf("token %q of %q: want 1 to %d bytes of UTF-8", token, text, maxWord)
			}
			if grams := Grams(nil, []byte(token), 8192); len(grams) == 0 || len(grams) > maxGrams {
				t.Errorf("%d n-grams of %q, want 1 to %d", len(grams), token, maxGrams)
			}
		}
	})
}
