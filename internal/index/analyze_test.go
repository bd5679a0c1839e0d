package index

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAnalyzeTerms(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"nothing", "", ""},
		{"signs only", " -- … /// ::", ""},
		{"stemmed, lower case, no stop words", "The Deploying of the Sockets", "deploy socket"},
		{"camelCase with an acronym", "parseHTTPHeader", "pars http header parsehttpheader"},
		{"snake_case", "max_open_conns", "max open conn max_open_conns"},
		{"path", "internal/api/client.go", "intern api client go client.go internal/api/client.go"},
		{"error code", "ERR_SSL_PROTOCOL_ERROR", "err ssl protocol error err_ssl_protocol_error"},
		{"kebab-case", "--dry-run", "dri run dry-run"},
		{"several underscores", "__init__ foo__bar", "init foo bar foo__bar"},
		{"qualified names", "std::vector<int> http.Client.Do()", "std vector std::vector int http client http.client.do"},
		{"every level of one name", "x/db.maxOpen_conns",
			"db max open maxopen conn maxopen_conns db.maxopen_conns x/db.maxopen_conns"},
		{"file and line", "client.go:42:", "client go client.go 42"},
		{"address", "https://github.com/foo/bar", "https github com github.com foo bar github.com/foo/bar"},
		{"stop words as parts", "do_it.sh to-do", "do_it sh do_it.sh to-do"},
		{"two humps stem like the plain word", "WebSockets websockets", "web socket websocket websocket"},
		{"three humps stay whole", "openWebSockets", "open web socket openwebsockets"},
		{"plural of an acronym", "APIs URLs", "api url"},
		{"digits stay with their word", "k8s sha256 HTTP2Client", "k8s sha256 http2 client http2client"},
		{"versions, dates, numbers", "v1.26.8 2026-02-10 404 7",
			"v1 v1.26.8 2026 2026-02-10 404 7"},
		{"possessive and contractions", "the daemon's socket’s don't it's ‘can’t’", "daemon socket"},
		{"contraction of a word that counts", "docker'll", "docker"},
		{"quotes part words", "'quoted'word", "quot word"},
		{"languages with signs", "C++, c# and F#; c++11 C", "c++ c# f# c 11 c"},
		{"abbreviations", "e.g. foo, i.e. bar, etc.", "foo bar"},
		{"sentences without a space", "Done.Next", "done next done.next"},
		{"accents, composed and combined", "Café cafe\u0301 naïve Straße", "cafe cafe naiv strass"},
		{"full width", "ＡＰＩ", "api"},
		{"Cyrillic", "Привет", "привет"},
		{"pairs of unspaced script", "使用索引bleve書カー", "使用 用索 索引 bleve 書カ カー"},
		{"one unspaced character", "書", "書"},
		{"encoded data is not cut at capitals", "aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ", "agvsbg8gd29ybgqgagvsbg8gd29ybgq"},
		{"longest term", strings.Repeat("7", 64), strings.Repeat("7", 64)},
		{"too long a term", strings.Repeat("7", 65) + " b", "b"},
		{"too long a path keeps its parts", strings.Repeat("seven77/", 9) + "x.go",
			strings.Repeat("seven77 ", 9) + "go x.go"},
		{"invalid UTF-8", "foo\xffbar", "foo bar"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, tok := range Analyze(tt.text) {
				got = append(got, tok.Text)
			}
			if diff := cmp.Diff(strings.Fields(tt.want), got, cmp.Transformer("strings", func(s []string) string {
				return strings.Join(s, " ")
			})); diff != "" {
				t.Errorf("Analyze(%q) (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func TestAnalyzeTokens(t *testing.T) {
	tests := []struct {
		name, text string
		want       []Token
	}{
		{"stop words count in positions", "Fixing the Daemon", []Token{
			{Text: "fix", Surface: "Fixing", Position: 0},
			{Text: "daemon", Surface: "Daemon", Position: 2},
		}},
		{"parts and wholes share a position", "see cmd/getURL there", []Token{
			{Text: "see", Surface: "see", Position: 0},
			{Text: "cmd", Surface: "cmd", Position: 1},
			{Text: "get", Surface: "get", Position: 1},
			{Text: "url", Surface: "URL", Position: 1},
			{Text: "geturl", Surface: "getURL", Position: 1, Whole: true},
			{Text: "cmd/geturl", Surface: "cmd/getURL", Position: 1, Whole: true},
		}},
		{"pairs of characters have positions of their own", "索引書 go", []Token{
			{Text: "索引", Surface: "索引", Position: 0},
			{Text: "引書", Surface: "引書", Position: 1},
			{Text: "go", Surface: "go", Position: 2},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Analyze(tt.text)); diff != "" {
				t.Errorf("Analyze(%q) (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func FuzzAnalyze(f *testing.F) {
	for _, s := range []string{"parseHTTPHeader", "a/b.c:d::e-f_g'h", "使用bleve索引カー", "C++ c# don’t", "\xff\xc3__é\u0301-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, tok := range Analyze(text) {
			if tok.Text == "" || len(tok.Text) > maxTerm || tok.Text == marker {
				t.Errorf("Analyze(%q) gives the term %q", text, tok.Text)
			}
			if !strings.Contains(text, tok.Surface) {
				t.Errorf("Analyze(%q) gives %q, which the text does not hold", text, tok.Surface)
			}
			if tok.Position < last {
				t.Errorf("Analyze(%q): position %d after %d", text, tok.Position, last)
			}
			last = tok.Position
		}
	})
}

// TestAnalyzeRepeats wants a word met again to have the terms that it had, at its own position.
func TestAnalyzeRepeats(t *testing.T) {
	want := Analyze("retryPolicy waits; retryPolicy ends")
	for range 3 {
		got := Analyze("retryPolicy waits; retryPolicy ends")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("again (-want +got):\n%s", diff)
		}
	}
	first, again := want[:3], want[4:7]
	for i := range first {
		if first[i].Text != again[i].Text || first[i].Position != 0 || again[i].Position != 2 {
			t.Errorf("term %d is %+v, then %+v", i, first[i], again[i])
		}
	}
}
