package vectors

import (
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

func TestLabelOf(t *testing.T) {
	if got := LabelOf(""); got != 0 {
		t.Errorf("LabelOf(nothing) = %d, want 0", got)
	}
	texts := map[Label]string{0: ""}
	for i := range 10_000 {
		text := fmt.Sprint("/home/dev/src/", i)
		if other, taken := texts[LabelOf(text)]; taken {
			t.Errorf("LabelOf(%q) = LabelOf(%q)", text, other)
		}
		texts[LabelOf(text)] = text
	}
	// A text whose checksum is 0 must not be labelled like no text.
	if got, sum := LabelOf(zeroSum), crc32.Checksum([]byte(zeroSum), castagnoli); got == 0 || sum != 0 {
		t.Errorf("LabelOf(%q) = %d, its checksum %d, want one that is not 0 for 0", zeroSum, got, sum)
	}
}

// zeroSum is a text of checksum 0.
const zeroSum = "/src/[E\u05cc"

func TestSearchLabel(t *testing.T) {
	f := openTest(t, t.TempDir(), 2)
	app, lib, src := LabelOf("app"), LabelOf("lib"), LabelOf("/src/app")
	right, up := []float32{1, 0}, []float32{0, 1}
	update(t, f, []Row{
		{"app one", right, Labels{app, src}}, {"lib", right, Labels{lib}}, {"none", right, Labels{}},
		{"moves", right, Labels{lib}}, {"gone", right, Labels{app, src}},
	}, nil, nil)
	update(t, f, []Row{{"app two", up, Labels{app}}, {"moves", up, Labels{0, src}}}, []string{"gone"}, nil)
	tests := []struct {
		name  string
		label Label
		limit int
		admit func(string) bool
		want  string
	}{
		{"all", 0, 10, nil, "app one, lib, none, app two, moves"},
		{"first label", app, 10, nil, "app one, app two"},
		{"second label", src, 10, nil, "app one, moves"},
		{"a label that a row had before", lib, 10, nil, "lib"},
		{"limit", src, 1, nil, "app one"},
		{"a label that none has", LabelOf("other"), 10, nil, ""},
		{"admitted too", app, 10, func(id string) bool { return id != "app one" }, "app two"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			hits, _, err := f.Search(t.Context(), right, tt.label, tt.limit, tt.admit)
			for _, h := range hits {
				got = append(got, h.ID)
			}
			if diff := gocmp.Diff(tt.want, strings.Join(got, ", ")); diff != "" || err != nil {
				t.Errorf("Search() = %v, -want +got:\n%s", err, diff)
			}
		})
	}
}

// A search with a label finds what remains of all hits without the others,
// whether the rows that have it lie together or apart, in one part or two.
func TestSearchLabelFindsAll(t *testing.T) {
	for _, rows := range []int{100, 3*chunkRows + 7, splitRows + 4321} {
		f, c := openTest(t, t.TempDir(), 8), newCorpus(uint64(rows), 8)
		put := c.rows(rows)
		for i := range put {
			put[i].Labels[1] = LabelOf(fmt.Sprint(i % 7))
		}
		update(t, f, put, []string{testID(7), testID(rows - 1)}, nil)
		for _, text := range []string{folderOf(0), "3"} {
			query, label := c.vector(), LabelOf(text)
			want := slices.DeleteFunc(allHits(f, query), func(h Hit) bool {
				return !slices.Contains(f.current.labels[f.current.rowOf[h.ID]][:], label)
			})
			got, _, err := f.Search(t.Context(), query, label, 50, nil)
			if diff := gocmp.Diff(want[:min(50, len(want))], got); diff != "" || err != nil {
				t.Errorf("%d rows, label of %q: Search() = %v, -want +got:\n%s", rows, text, err, diff)
			}
		}
	}
}
