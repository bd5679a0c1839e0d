package builtin

import (
	"bytes"
	"encoding/binary"
	"math"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// twoWords is the smallest model that has a bit of everything; its rows are 0.
func twoWords() []byte {
	return Encode([]string{"a", "bc"}, 4, 16, make([]float32, 6*16))
}

// changed is a copy of a model with another number at a byte.
func changed(data []byte, at int, value uint32) []byte {
	data = bytes.Clone(data)
	binary.LittleEndian.PutUint32(data[at:], value)
	return data
}

func TestParseErrors(t *testing.T) {
	good := twoWords()
	flipped := bytes.Clone(good)
	flipped[len(flipped)-1] ^= 1 // the last letter of the last word
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "not a model"},
		{"other magic", changed(good, 0, 7), "not a model"},
		{"other format", changed(good, 8, 99), "format 99"},
		{"no dimensions", changed(good, 12, 0), "0 dimensions"},
		{"odd dimensions", changed(good, 12, 15), "15 dimensions"},
		{"too many dimensions", changed(good, 12, 1<<20), "dimensions"},
		{"too many words", changed(good, 16, math.MaxUint32), "words"},
		{"no buckets", changed(good, 20, 0), "0 buckets"},
		{"too many buckets", changed(good, 20, maxTable+1), "4194305 buckets"},
		{"more words than there are", changed(good, 16, 3), "promises"},
		{"fewer words than there are", changed(good, 16, 1), "words end"},
		{"cut in the header", good[:30], "not a model"},
		{"cut in the rows", good[:headerSize+20], "promises"},
		{"cut in the words", good[:len(good)-1], "words end"},
		{"without words", good[:len(good)-5], "ends at word 0 of 2"},
		{"more behind it", append(bytes.Clone(good), 'x'), "words end"},
		{"damaged rows", changed(good, headerSize, 5), "hash"},
		{"damaged word", flipped, "hash"},
		{"damaged hash", changed(good, hashStart, 5), "hash"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse(tt.data)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "parse model: ") {
				t.Errorf("Parse: %v, want an error with %q", err, tt.want)
			}
		})
	}
}

// Whatever is cut off, Parse notices.
func TestParseTruncated(t *testing.T) {
	good := twoWords()
	for n := range len(good) {
		if _, err := Parse(good[:n]); err == nil {
			t.Errorf("the first %d of %d bytes pass for a model", n, len(good))
		}
	}
}

// A header may promise anything.
func TestParseBoundsMemory(t *testing.T) {
	good := twoWords()
	large := changed(changed(changed(good, 12, maxDims), 16, maxTable), 20, maxTable)
	for name, data := range map[string][]byte{
		"as much as is allowed": large,
		"many words":            changed(good, 16, maxTable),
		"many buckets":          changed(good, 20, maxTable),
		"more than there is":    changed(large, 16, math.MaxUint32),
	} {
		if got := allocated(func() { Parse(data) }); got > 1<<20 {
			t.Errorf("%s: Parse of %d bytes allocates %d", name, len(data), got)
		}
	}
}

// allocated is the number of bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func FuzzParse(f *testing.F) {
	good := twoWords()
	f.Add(good)
	f.Add(good[:40])
	f.Add(changed(good, 16, maxTable))
	f.Add(changed(good, 12, maxDims))
	f.Add(changed(good, headerSize, math.MaxUint32)) // weights beyond 14 bits
	f.Fuzz(func(t *testing.T, data []byte) {
		var m *Model
		var err error
		// parse, since the hash would keep everything else out.
		if got := allocated(func() { m, err = parse(data) }); got > 1<<20+4*uint64(len(data)) {
			t.Errorf("parse of %d bytes allocates %d", len(data), got)
		}
		if err != nil {
			if err.Error() == "" || m != nil {
				t.Errorf("parse gives model %v and error %q", m, err)
			}
			return
		}
		v := embed(m, "a bc other 提交")
		if length := product(v, v); length != 0 && !(math.Abs(length-1) < 1e-5) {
			t.Errorf("a vector has squared length %v", length)
		}
	})
}

// Vectors of two models must never be compared, so everything that a vector is
// made of changes the version.
func TestVersion(t *testing.T) {
	rows := func(first float32) []float32 {
		out := make([]float32, 6*16)
		for i := range out {
			out[i] = float32(i%5) - 2
		}
		out[0] = first
		return out
	}
	version := func(words []string, buckets int, rows []float32) string {
		m, err := Parse(Encode(words, buckets, 16, rows))
		if err != nil {
			t.Fatal(err)
		}
		return m.Version()
	}
	base := version([]string{"a", "bc"}, 4, rows(0))
	if !regexp.MustCompile(`^builtin-[0-9a-f]{12}$`).MatchString(base) {
		t.Errorf("Version() = %q", base)
	}
	if again := version([]string{"a", "bc"}, 4, rows(0)); again != base {
		t.Errorf("the same model has versions %q and %q", base, again)
	}
	for name, other := range map[string]string{
		"a number":    version([]string{"a", "bc"}, 4, rows(2)),
		"a word":      version([]string{"a", "bd"}, 4, rows(0)),
		"their order": version([]string{"bc", "a"}, 4, rows(0)),
		"a bucket":    version([]string{"a"}, 5, rows(0)),
	} {
		if other == base {
			t.Errorf("%s changes nothing in version %q", name, base)
		}
	}
}

func TestEncodeEmptyVocabulary(t *testing.T) {
	rows := make([]float32, 16)
	rows[3] = 1
	m, err := Parse(Encode(nil, 1, 16, rows))
	if err != nil {
		t.Fatal(err)
	}
	if got := embed(m, "anything"); got[3] != 1 {
		t.Errorf("Embed = %v, want that of the only n-gram row", got)
	}
}
