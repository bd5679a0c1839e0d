package classifier

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"recollect/internal/memory/secret/classifier"
)

func TestRead(t *testing.T) {
	files := fstest.MapFS{"written/a.txt": {Data: []byte("%%% S mail\nthe pin is ⟦4711⟧,\nnot ⟦4712⟧\n%%% O mail\nthe pin is wrong\n")}}
	texts, err := Read(files)
	if err != nil || len(texts) != 2 {
		t.Fatalf("Read = %v, %v; want two texts", texts, err)
	}
	want := Text{Kind: "written/a.txt mail", Text: "the pin is 4711,\nnot 4712", Secrets: []classifier.Span{{Start: 11, End: 15}, {Start: 21, End: 25}}}
	if got := texts[0]; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("Read = %v, want %v", got, want)
	}
	for _, bad := range []string{"%%% S mail\nno secret\n", "%%% O mail\na ⟦secret⟧\n", "%%% X mail\ntext\n", "%%% S mail\n⟦open\n", "%%% S mail\n⟦⟧\n"} {
		files["written/a.txt"].Data = []byte(bad)
		if got, err := Read(files); err == nil {
			t.Errorf("Read(%q) = %v, want an error", bad, got)
		}
	}
}

func TestWritten(t *testing.T) {
	texts, err := Read(Written())
	if err != nil {
		t.Fatal(err)
	}
	secrets := 0
	for _, text := range texts {
		secrets += len(text.Secrets)
	}
	if len(texts) < 1000 || secrets < 1000 {
		t.Errorf("%d texts with %d secrets, want at least 1000 of each", len(texts), secrets)
	}
}

// TestFramed: whatever is put before the lines of a text, its secrets are known.
func TestFramed(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := Text{Text: "the pin\nis 4711,\nnot 4712", Secrets: []classifier.Span{{Start: 11, End: 15}, {Start: 21, End: 25}}}
	for range 100 {
		framed := text.framed(random)
		for i, want := range []string{"4711", "4712"} {
			if got := framed.Text[framed.Secrets[i].Start:framed.Secrets[i].End]; got != want {
				t.Fatalf("secret %d of %q is %q, want %q", i, framed.Text, got, want)
			}
		}
	}
}

// made returns texts in which what stands behind "enter" is a secret, and what stands behind
// "build" is not.
func made(n int) []Text {
	m := Machine{rand.New(rand.NewPCG(5, 6))}
	var out []Text
	for i := range n {
		const before = "login page: enter "
		value := m.Pick(Letters, 10) + "7!"
		out = append(out,
			Text{Kind: fmt.Sprint("enter ", i), Text: before + value, Secrets: []classifier.Span{{Start: len(before), End: len(before) + len(value)}}},
			Text{Kind: fmt.Sprint("build ", i), Text: "login page: build " + value})
	}
	return out
}

func TestFit(t *testing.T) {
	texts := made(60)
	model := classifier.Model(Fit(texts))
	for _, text := range made(80)[120:] { // others than it has seen
		found := model.Find(text.Text, 0.5)
		if (len(found) > 0) != (len(text.Secrets) > 0) {
			t.Errorf("in %q: found %v, want %v", text.Text, found, text.Secrets)
		}
	}
	if again := classifier.Model(Fit(texts)); again != model {
		t.Error("the same texts give other weights")
	}
}

func TestReport(t *testing.T) {
	var out bytes.Buffer
	if err := Report(&out, made(60), []Text{{Text: "the login page is slow"}}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.Count(got, "\n") != len(thresholds) || !strings.Contains(got, "of 60 secrets kept") {
		t.Errorf("Report:\n%s", got)
	}
}
