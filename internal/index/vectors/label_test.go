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
			found, err := f.Search(t.Context(), Query{Vector: right, Label: tt.label, Limit: tt.limit, Admit: tt.admit})
			for _, h := range found.Hits {
				got = append(got, h.ID)
			}
			if diff := gocmp.Diff(tt.want, strings.Join(got, ", ")); diff != "" || err != nil {
				t.Errorf("Search() = %v, -want +got:\n%s", err, diff)
			}
		})
	}
}

// The best own rows are found whatever the others have, each once.
func TestSearchOwn(t *testing.T) {
	f := openTest(t, t.TempDir(), 2)
	app, lib, src := LabelOf("app"), LabelOf("lib"), LabelOf("/src/app")
	right, near, up := []float32{1, 0}, []float32{0.9, 0.1}, []float32{0, 1}
	update(t, f, []Row{
		{"lib one", right, Labels{lib}}, {"lib two", right, Labels{lib}}, {"app near", near, Labels{app, src}},
		{"app up", up, Labels{src}}, {"none", up, Labels{}}, {"gone", right, Labels{app}},
	}, nil, nil)
	update(t, f, nil, []string{"gone"}, nil)
	tests := []struct {
		name    string
		own     Labels
		limit   int
		admit   func(string) bool
		want    string
		wantOwn string
	}{
		{"nothing is own", Labels{}, 2, nil, "lib one, lib two", ""},
		{"found apart", Labels{app, src}, 2, nil, "lib one, lib two", "app near"},
		{"found anyway", Labels{app, src}, 3, nil, "app near, lib one, lib two", "app up"},
		{"all", Labels{app, src}, 9, nil, "app near, app up, lib one, lib two, none", ""},
		{"one label", Labels{src}, 1, nil, "lib one", "app near"},
		{"admitted", Labels{app, src}, 2, func(id string) bool { return id != "app near" }, "lib one, lib two", "app up"},
		{"a label that none has", Labels{LabelOf("other")}, 2, nil, "lib one, lib two", "none"},
	}
	names := func(hits []Hit) string {
		var ids []string
		for _, h := range hits {
			ids = append(ids, h.ID)
		}
		slices.Sort(ids)
		return strings.Join(ids, ", ")
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found, err := f.Search(t.Context(), Query{Vector: right, Own: tt.own, Limit: tt.limit, Admit: tt.admit})
			if err != nil {
				t.Fatal(err)
			}
			if got, own := names(found.Hits), names(found.Own); got != tt.want || own != tt.wantOwn {
				t.Errorf("found %s and own %s, want %s and %s", got, own, tt.want, tt.wantOwn)
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
				labels := labelsOf(f, h.ID)
				return !slices.Contains(labels[:], label)
			})
			got, err := f.Search(t.Context(), Query{Vector: query, Label: label, Limit: 50})
			if diff := gocmp.Diff(want[:min(50, len(want))], got.Hits); diff != "" || err != nil {
				t.Errorf("%d rows, label of %q: Search() = %v, -want +got:\n%s", rows, text, err, diff)
			}
		}
	}
}
