package builtin

import (
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// small is a model with random rows, and those rows.
func small(t testing.TB) (*Model, []float32) {
	t.Helper()
	words := []string{"the", "daemon", "store", "javascript"}
	const buckets, dims = 32, 48
	rng := rand.New(rand.NewPCG(1, 2))
	rows := make([]float32, (len(words)+buckets)*dims)
	for i := range rows {
		rows[i] = float32(rng.NormFloat64()) / float32(1+i/dims)
	}
	m, err := Parse(Encode(words, buckets, dims, rows))
	if err != nil {
		t.Fatal(err)
	}
	return m, rows
}

// plainEmbed is Embed in floating point, without packed rows.
func plainEmbed(m *Model, rows []float32, text string) []float32 {
	v := make([]float32, m.dims)
	add := func(row int, scale float32) {
		for i, x := range rows[row*m.dims:][:m.dims] {
			v[i] += x * scale
		}
	}
	for _, token := range tokens(text, m.vocab) {
		if word := m.vocab.Find([]byte(token)); word >= 0 {
			add(word, 1)
			continue
		}
		grams := Grams(nil, []byte(token), m.buckets)
		for _, g := range grams {
			add(m.vocab.Len()+int(g), GramScale(len(grams)))
		}
	}
	normalise(v)
	return v
}

func product(a, b []float32) (sum float64) {
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

func TestEmbedAgreesWithPlain(t *testing.T) {
	m, rows := small(t)
	for _, text := range []string{"the", "daemon", "the daemon's store", "JavaScript unknownWord", "提交信息", "x"} {
		got := make([]float32, m.Dims())
		if !m.Embed(got, text) {
			t.Errorf("Embed(%q) = false", text)
		}
		if length := product(got, got); math.Abs(length-1) > 1e-5 {
			t.Errorf("Embed(%q) has squared length %v, want 1", text, length)
		}
		// 4 bits a number leave a relative error of about a tenth.
		if cosine := product(got, plainEmbed(m, rows, text)); cosine < 0.985 {
			t.Errorf("Embed(%q) has cosine %.4f to the sum of its rows, want 0.985", text, cosine)
		}
	}
}

func TestEmbedNothing(t *testing.T) {
	m, _ := small(t)
	v := make([]float32, m.Dims())
	for _, text := range []string{"", " \n", "?!", "🚀", "\xff"} {
		v[0] = 1
		if m.Embed(v, text) || product(v, v) != 0 {
			t.Errorf("Embed(%q) gives %v, want false and zeros", text, v)
		}
	}
}

// The sums are integers of 32 bits: the longest text of the heaviest word must
// not overflow them.
func TestEmbedLongText(t *testing.T) {
	rows := make([]float32, 17*16)
	for i := range rows {
		rows[i] = float32(i%2*2 - 1) // -1, 1, -1, 1, …
	}
	m, err := Parse(Encode([]string{"a"}, 16, 16, rows))
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float32, 16)
	for _, n := range []int{1, maxRows, 2 * maxRows} {
		m.Embed(got, strings.Repeat("a ", n))
		for i, x := range got {
			if want := rows[i] / 4; math.Abs(float64(x-want)) > 1e-6 {
				t.Fatalf("%d words: dimension %d is %v, want %v", n, i, x, want)
			}
		}
	}
}

func TestEmbedAllocatesNothing(t *testing.T) {
	m, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	v := make([]float32, m.Dims())
	if n := testing.AllocsPerRun(10, func() { m.Embed(v, prose) }); n != 0 {
		t.Errorf("Embed allocates %v times, want 0", n)
	}
}

// Several prompts and memories are embedded at the same time.
func TestEmbedConcurrently(t *testing.T) {
	m, _ := small(t)
	texts := []string{"the daemon", "unknownWord naïve", "提交信息", strings.Repeat(prose, 20), ""}
	var want [][]float32
	for _, text := range texts {
		want = append(want, embed(m, text))
	}
	var group sync.WaitGroup
	for start := range 8 {
		group.Go(func() {
			for i := range 40 {
				at := (start + i) % len(texts)
				if got := embed(m, texts[at]); !slices.Equal(got, want[at]) {
					t.Errorf("Embed(%.20q) gives another vector beside other calls", texts[at])
				}
			}
		})
	}
	group.Wait()
}

func embed(m *Model, text string) []float32 {
	v := make([]float32, m.Dims())
	m.Embed(v, text)
	return v
}

func FuzzEmbed(f *testing.F) {
	for _, seed := range []string{"", "\x00", "the daemon's storeHouse", "\xff\xfe", "e\u0301\u0301", "👩‍💻 提交a", strings.Repeat("aB3", 40)} {
		f.Add(seed)
	}
	m, _ := small(f)
	f.Fuzz(func(t *testing.T, text string) {
		const beyond = 7
		v := append(make([]float32, m.Dims()), beyond)
		ok := m.Embed(v, text)
		if v[m.Dims()] != beyond {
			t.Errorf("Embed(%q) writes behind its vector", text)
		}
		v = v[:m.Dims()]
		want := 0.0
		if ok {
			want = 1
		}
		if length := product(v, v); !(math.Abs(length-want) < 1e-5) { // not a number is no match
			t.Errorf("Embed(%q) = %v with squared length %v, want %v", text, ok, length, want)
		}
		if hasToken := len(tokens(text, m.vocab)) > 0; ok != hasToken {
			t.Errorf("Embed(%q) = %v, but has tokens: %v", text, ok, hasToken)
		}
		if !slices.Equal(v, embed(m, text)) {
			t.Errorf("Embed(%q) gives another vector the second time", text)
		}
	})
}

// The model that is linked in is whole, and knows what belongs together.
func TestBuiltIn(t *testing.T) {
	m, err := Parse(modelFile)
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^builtin-[0-9a-f]{12}$`).MatchString(m.Version()) {
		t.Errorf("Version() = %q", m.Version())
	}
	for _, tt := range []struct{ prompt, near, far string }{
		{"the program crashes", "fix panic on a nil pointer", "update the colours of the logo"},
		{"make it faster", "cut latency by caching the index", "fix a typo in the readme"},
		{"log in with a password", "authentication of users", "draw a chart"},
		{"get rid of old files", "delete expired segments", "add a greeting"},
		{"configuring the parser", "parser configuration", "weather of tomorrow"},
		{"dockerisation", "docker container", "mail server"},
		{"delete a file", "remove a document", "bake a cake"},
	} {
		prompt, near, far := embed(m, tt.prompt), embed(m, tt.near), embed(m, tt.far)
		if a, b := product(prompt, near), product(prompt, far); a <= b {
			t.Errorf("%q: cosine %.2f to %q, %.2f to %q", tt.prompt, a, tt.near, b, tt.far)
		}
	}
}
