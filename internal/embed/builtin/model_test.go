package builtin

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
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

func dot(a, b []float32) (sum float64) {
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
		if length := dot(got, got); math.Abs(length-1) > 1e-5 {
			t.Errorf("Embed(%q) has squared length %v, want 1", text, length)
		}
		// 4 bits a number leave a relative error of about a tenth.
		if cosine := dot(got, plainEmbed(m, rows, text)); cosine < 0.985 {
			t.Errorf("Embed(%q) has cosine %.4f to the sum of its rows, want 0.985", text, cosine)
		}
	}
}

func TestEmbedNothing(t *testing.T) {
	m, _ := small(t)
	v := make([]float32, m.Dims())
	for _, text := range []string{"", " \n", "?!", "🚀", "\xff"} {
		v[0] = 1
		if m.Embed(v, text) || dot(v, v) != 0 {
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

func TestParseErrors(t *testing.T) {
	good := Encode([]string{"a", "bc"}, 4, 16, make([]float32, 6*16))
	change := func(at int, value uint32) []byte {
		data := bytes.Clone(good)
		binary.LittleEndian.PutUint32(data[at:], value)
		return data
	}
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "not a model"},
		{"other magic", change(0, 7), "not a model"},
		{"other format", change(8, 99), "format 99"},
		{"odd dimensions", change(12, 15), "15 dimensions"},
		{"too many dimensions", change(12, 1<<20), "dimensions"},
		{"too many words", change(16, math.MaxUint32), "words"},
		{"no buckets", change(20, 0), "0 buckets"},
		{"more words than there are", change(16, 3), "promises"},
		{"fewer words than there are", change(16, 1), "words end"},
		{"cut in the header", good[:30], "not a model"},
		{"cut in the rows", good[:headerSize+20], "promises"},
		{"cut in the words", good[:len(good)-1], "words end"},
		{"without words", good[:len(good)-5], "ends at word 0 of 2"},
		{"more behind it", append(bytes.Clone(good), 'x'), "words end"},
		{"damaged", change(headerSize, 5), "hash"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Parse(tt.data); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Parse: %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	good := Encode([]string{"a", "bc"}, 4, 16, make([]float32, 6*16))
	f.Add(good)
	f.Add(good[:40])
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parse(data) // the hash would keep everything else out
		if err != nil {
			return
		}
		v := make([]float32, m.Dims())
		m.Embed(v, "a bc other 提交")
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
	} {
		prompt, near, far := make([]float32, m.Dims()), make([]float32, m.Dims()), make([]float32, m.Dims())
		m.Embed(prompt, tt.prompt)
		m.Embed(near, tt.near)
		m.Embed(far, tt.far)
		if a, b := dot(prompt, near), dot(prompt, far); a <= b {
			t.Errorf("%q: cosine %.2f to %q, %.2f to %q", tt.prompt, a, tt.near, b, tt.far)
		}
	}
}
