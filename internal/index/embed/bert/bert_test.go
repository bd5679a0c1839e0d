package bert_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"recollect/internal/config"
	"recollect/internal/index/embed"
	"recollect/internal/index/embed/bert"
)

// fires is what cybertron v0.2.1 computes for "why does the database test
// fail?" with the tiny model, by the mean of the tokens. It adds 1e-5 where
// config.json says 1e-12, and has another approximation of gelu.
var fires = []float32{-1.798576, 1.1140759, -0.20811227, 1.245409, 0.40452948, -1.3632754, -1.3108076, 1.4405862,
	-0.90613234, 1.1943496, 0.20646922, -0.76016665, 0.52910066, 0.08264177, -0.91447, 0.5928437}

// near allows for weights of 8 bits.
var near = cmpopts.EquateApprox(0, 0.02)

func load(t *testing.T, dir string) *bert.Model {
	t.Helper()
	m, err := bert.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func vector(t *testing.T, m *bert.Model, text string) []float32 {
	t.Helper()
	v, err := m.Embed(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestEmbed(t *testing.T) {
	got := vector(t, load(t, tiny.newFolder(t)), "why does the database test fail?")
	if diff := cmp.Diff(fires, got, near); diff != "" {
		t.Errorf("vector differs from cybertron's:\n%s", diff)
	}
}

// The same weights give the same vectors, by whatever names.
func TestNames(t *testing.T) {
	old := map[string]block{}
	for name, b := range tiny.blocks() {
		name = strings.Replace(name, "LayerNorm.weight", "LayerNorm.gamma", 1)
		old["bert."+strings.Replace(name, "LayerNorm.bias", "LayerNorm.beta", 1)] = b
	}
	for name, blocks := range map[string]map[string]block{"current": tiny.blocks(), "old": old} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			tiny.writeFolder(t, dir)
			writeFile(t, dir, "model.safetensors", safetensors(t, blocks))
			if diff := cmp.Diff(fires, vector(t, load(t, dir), "why does the database test fail?"), near); diff != "" {
				t.Errorf("vector differs:\n%s", diff)
			}
			files, err := os.ReadDir(dir)
			if err != nil || len(files) != 4 {
				t.Errorf("%d files in the folder, %v; loading must not write there", len(files), err)
			}
		})
	}
}

// What reads as the same to the model has the same vector.
func TestTokens(t *testing.T) {
	m := load(t, tiny.newFolder(t))
	tests := []struct {
		name, a, b string
		same       bool
	}{
		{"case", "The CAT", "the cat", true},
		{"accents", "café", "cafe", true},
		{"space", "the\tcat\n", " the cat", true},
		{"marks", "cat,dog", "cat , dog", true},
		{"hyphen", "cat-dog", "cat - dog", true},
		{"ideographs", "中文", "中 文", true},
		{"invisible", "c\u200bat", "cat", true},
		{"unknown words", "xyzzy", "plugh", true},
		{"a word too long", strings.Repeat("a", 101), "xyzzy", true},
		{"pieces", "databases", "database", false},
		{"order", "the cat", "cat the", false},
		{"name of a special token", "[SEP] [SEP]", "[ sep ] [ sep ]", true},
		{"beyond the last position", strings.Repeat("cat ", 62) + "dog", strings.Repeat("cat ", 62), true},
		{"at the last position", strings.Repeat("cat ", 61) + "dog", strings.Repeat("cat ", 62), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := cmp.Equal(vector(t, m, tt.a), vector(t, m, tt.b)); got != tt.same {
				t.Errorf("%q and %q have equal vectors: %v, want %v", tt.a, tt.b, got, tt.same)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	plain := vector(t, load(t, tiny.newFolder(t)), "The cat is on fire")
	tests := []struct {
		name, file, content string
		text                string // that has the plain model's vector here; "" for none
	}{
		{"mean", "1_Pooling/config.json", `{"pooling_mode_cls_token": false}`, "The cat is on fire"},
		{"mean, as it is written now", "1_Pooling/config.json", `{"pooling_mode": "mean"}`, "The cat is on fire"},
		{"first token", "1_Pooling/config.json", `{"pooling_mode_cls_token": true}`, ""},
		{"first token, as it is written now", "1_Pooling/config.json", `{"pooling_mode": "cls"}`, ""},
		{"scaled to length 1", "modules.json", modules("Normalize"), "The cat is on fire"},
		{"no limit", "tokenizer_config.json", `{"model_max_length": 1e30}`, "The cat is on fire"},
		{"the tokenizer's limit", "tokenizer_config.json", `{"model_max_length": 7}`, "The cat is on fire . . ."},
		{"accents", "tokenizer_config.json", `{"strip_accents": false}`, "The cat is on fire"},
		{"fewer tokens", "sentence_bert_config.json", `{"max_seq_length": 7}`, "The cat is on fire . . ."},
		{"case", "tokenizer_config.json", `{"do_lower_case": false}`, "the cat is on fire"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := tiny.newFolder(t)
			writeFile(t, dir, tt.file, []byte(tt.content))
			m := load(t, dir)
			if tt.text != "" {
				if diff := cmp.Diff(plain, vector(t, m, tt.text)); diff != "" {
					t.Errorf("vector of %q differs:\n%s", tt.text, diff)
				}
			} else if cmp.Equal(plain, vector(t, m, "The cat is on fire")) {
				t.Error("it makes no difference")
			}
		})
	}
}

// modules is a modules.json with more modules after the pooling.
func modules(more ...string) string {
	list := `[{"type": "sentence_transformers.models.Transformer", "path": ""},
		{"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"}`
	for i, name := range more {
		list += fmt.Sprintf(`, {"type": "sentence_transformers.models.%s", "path": "%d_%s"}`, name, i+2, name)
	}
	return list + "]"
}

// A layer after the pooling, as LEAF models have.
func TestDense(t *testing.T) {
	plain := vector(t, load(t, tiny.newFolder(t)), "the cat is on fire")
	layer := map[string]block{
		"linear.weight": {[]int{40, 16}, random(40 * 16)},
		"linear.bias":   {[]int{40}, random(40)},
	}
	tests := []struct {
		name, config string
		want         func(sum, bias float64) float64
	}{
		{"identity", `{"in_features": 16, "out_features": 40, "activation_function": "torch.nn.modules.linear.Identity"}`,
			func(sum, bias float64) float64 { return sum + bias }},
		{"no bias", `{"in_features": 16, "out_features": 40, "bias": false, "activation_function": "torch.nn.modules.linear.Identity"}`,
			func(sum, _ float64) float64 { return sum }},
		{"tanh", `{"in_features": 16, "out_features": 40}`, func(sum, bias float64) float64 { return math.Tanh(sum + bias) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := tiny.newFolder(t)
			writeFile(t, dir, "modules.json", []byte(modules("Dense", "Normalize")))
			writeFile(t, dir, "2_Dense/config.json", []byte(tt.config))
			writeFile(t, dir, "2_Dense/model.safetensors", safetensors(t, layer))
			want := make([]float64, 40)
			for o := range want {
				sum := 0.0
				for k, x := range plain {
					sum += float64(x) * float64(layer["linear.weight"].values[o*16+k])
				}
				want[o] = tt.want(sum, float64(layer["linear.bias"].values[o]))
			}
			got := vector(t, load(t, dir), "the cat is on fire")
			if c := alike(got, want); len(got) != 40 || c < 0.999 {
				t.Errorf("%d dimensions, the cosine with the plain sums is %v", len(got), c)
			}
		})
	}
}

func random(n int) []float32 {
	return makeBlock(rand.New(rand.NewPCG(3, uint64(n))), []int{n}, false).values
}

// A vocabulary in tokenizer.json gives the same tokens as one in vocab.txt.
func TestTokenizerJSON(t *testing.T) {
	ids := map[string]int{}
	for id, token := range tiny.vocabulary {
		ids[token] = id
	}
	vocabulary, err := json.Marshal(ids)
	if err != nil {
		t.Fatal(err)
	}
	const text = "Café, DATABASES"
	plain := vector(t, load(t, tiny.newFolder(t)), text)
	tests := []struct {
		name, normalizer string
		same             bool
	}{
		{"as in BERT", `{"type": "BertNormalizer", "lowercase": true, "strip_accents": null}`, true},
		{"nothing said", `null`, true},
		{"case", `{"lowercase": false}`, false},
		{"accents", `{"lowercase": true, "strip_accents": false}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := tiny.newFolder(t)
			remove(t, dir, "vocab.txt")
			remove(t, dir, "tokenizer_config.json")
			writeFile(t, dir, "tokenizer.json", fmt.Appendf(nil, `{"normalizer": %s, "model": {"type": "WordPiece", "vocab": %s}}`, tt.normalizer, vocabulary))
			if got := cmp.Equal(plain, vector(t, load(t, dir), text)); got != tt.same {
				t.Errorf("the vector is that of vocab.txt: %v, want %v", got, tt.same)
			}
		})
	}
}

// Of a longer text the first 510 tokens are read, however many positions the
// model has.
func TestLongTexts(t *testing.T) {
	s := tiny
	s.positions = 600
	m := load(t, s.newFolder(t))
	fits, cat := strings.Repeat("dog ", 509), strings.Repeat("cat ", 4000)
	if !cmp.Equal(vector(t, m, fits+"cat"), vector(t, m, fits+cat)) {
		t.Error("token 511 makes a difference")
	}
	if cmp.Equal(vector(t, m, fits+"cat"), vector(t, m, fits+"dog")) {
		t.Error("token 510 makes no difference")
	}
}

func TestPrompts(t *testing.T) {
	tests := []struct{ name, file, query, document, err string }{
		{"no file", "", "", "", ""},
		{"none", `{"prompts": {}}`, "", "", ""},
		{"document", `{"prompts": {"query": "q: ", "document": "d: "}}`, "q: ", "d: ", ""},
		{"passage", `{"prompts": {"query": "query: ", "passage": "passage: ", "document": ""}}`, "query: ", "passage: ", ""},
		{"broken", `{"prompts": [`, "", "", "config_sentence_transformers.json: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if tt.file != "" {
				writeFile(t, dir, "config_sentence_transformers.json", []byte(tt.file))
			}
			query, document, err := bert.Prompts(dir)
			if query != tt.query || document != tt.document || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("Prompts() = %q, %q, %v, want %q, %q, %q", query, document, err, tt.query, tt.document, tt.err)
			}
		})
	}
}

func TestVersion(t *testing.T) {
	a, b := tiny.newFolder(t), tiny.newFolder(t)
	if load(t, a).Version() != load(t, b).Version() {
		t.Error("copies of a model have different versions")
	}
	blocks := tiny.blocks()
	blocks["embeddings.LayerNorm.bias"].values[3]++
	writeFile(t, b, "model.safetensors", safetensors(t, blocks))
	if load(t, a).Version() == load(t, b).Version() {
		t.Error("other weights have the same version")
	}
}

func TestDeadline(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	if _, err := load(t, tiny.newFolder(t)).Embed(ctx, "the cat"); !errors.Is(err, cause) {
		t.Errorf("Embed = %v, want %v", err, cause)
	}
}

// A folder through the whole of the seam.
func TestEmbedder(t *testing.T) {
	dir := tiny.newFolder(t)
	e, err := embed.Open(config.Embedder{Kind: config.EmbedderBERT, Folder: dir, Timeout: config.Duration(10 * time.Second)}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if e.Version() != "" || e.Dims() != 0 {
		t.Errorf("before the first text: version %q, %d dims", e.Version(), e.Dims())
	}
	weights, err := os.ReadFile(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, "model.safetensors", weights[:1000])
	if _, err := e.EmbedDocuments(t.Context(), []string{"the cat"}); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("EmbedDocuments with a broken file = %v", err)
	}
	writeFile(t, dir, "model.safetensors", weights) // the user puts it right
	long := strings.Repeat("the database is on fire ", 2000)
	vectors, err := e.EmbedDocuments(t.Context(), []string{"the database is on fire", "", long, "why?"})
	if err != nil {
		t.Fatal(err)
	}
	query, err := e.EmbedQuery(t.Context(), "the database is on fire")
	if err != nil {
		t.Fatal(err)
	}
	if self := cosine(query, vectors[0]); self < 0.9999 || vectors[1] != nil || cosine(query, vectors[3]) > self {
		t.Errorf("cosines %v and %v, no text has %v", self, cosine(query, vectors[3]), vectors[1])
	}
	if state, err := e.Status(); state != "ready" || err != nil || e.Dims() != 16 || !strings.HasPrefix(e.Version(), "bert:") {
		t.Errorf("Status = %q, %v, %d dims, version %q", state, err, e.Dims(), e.Version())
	}
}

func cosine(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
