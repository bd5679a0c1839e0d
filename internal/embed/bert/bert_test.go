package bert_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"recollect/internal/config"
	"recollect/internal/embed"
	"recollect/internal/embed/bert"
)

// fires is what cybertron v0.2.1 computes for "why does the database test
// fail?" with the tiny model, by the mean of the tokens. It adds 1e-5 where
// config.json says 1e-12, and has another approximation of gelu.
var fires = []float32{-1.798576, 1.1140759, -0.20811227, 1.245409, 0.40452948, -1.3632754, -1.3108076, 1.4405862,
	-0.90613234, 1.1943496, 0.20646922, -0.76016665, 0.52910066, 0.08264177, -0.91447, 0.5928437}

var near = cmpopts.EquateApprox(0, 1e-3)

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

// The same weights give the same vectors, however they are written down.
func TestFormats(t *testing.T) {
	old := map[string]block{}
	for name, b := range tiny.blocks() {
		name = strings.Replace(name, "LayerNorm.weight", "LayerNorm.gamma", 1)
		old["bert."+strings.Replace(name, "LayerNorm.bias", "LayerNorm.beta", 1)] = b
	}
	tests := []struct {
		name, file string
		content    []byte
	}{
		{"safetensors", "model.safetensors", safetensors(t, tiny.blocks())},
		{"torch", "pytorch_model.bin", torchFile(t, tiny.blocks())},
		{"old names", "pytorch_model.bin", torchFile(t, old)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			tiny.writeFolder(t, dir)
			writeFile(t, dir, tt.file, tt.content)
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
		{"first token", "1_Pooling/config.json", `{"pooling_mode_cls_token": true}`, ""},
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

func TestBrokenFolders(t *testing.T) {
	weights := safetensors(t, tiny.blocks())
	torch := torchFile(t, tiny.blocks())
	config := func(from, to string) func(*testing.T, string) {
		return func(t *testing.T, dir string) { replace(t, dir, "config.json", from, to) }
	}
	file := func(name string, content []byte) func(*testing.T, string) {
		return func(t *testing.T, dir string) { writeFile(t, dir, name, content) }
	}
	onlyTorch := func(content []byte) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			remove(t, dir, "model.safetensors")
			writeFile(t, dir, "pytorch_model.bin", content)
		}
	}
	missing := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) { remove(t, dir, name) }
	}
	tests := []struct {
		name string
		harm func(t *testing.T, dir string)
		want []string // each in the error
	}{
		{"no config", missing("config.json"), []string{"config.json: no such file"}},
		{"no vocabulary", missing("vocab.txt"), []string{"vocab.txt: no such file"}},
		{"no weights", missing("model.safetensors"), []string{"has neither model.safetensors nor pytorch_model.bin"}},
		{"config cut off", file("config.json", []byte(`{"model_type": "be`)), []string{"config.json: unexpected end of JSON"}},
		{"another family", config(`"bert"`, `"xlm-roberta"`), []string{"config.json: ", `model_type is "xlm-roberta": must be bert`}},
		{"another activation", config(`"gelu"`, `"silu"`), []string{`hidden_act is "silu"`}},
		{"no layers", config(`"num_hidden_layers":2`, `"num_hidden_layers":0`), []string{"num_hidden_layers is 0: must be between 1 and 64"}},
		{"too large", config(`"vocab_size":43`, `"vocab_size":9999999`), []string{"vocab_size is 9999999: must be between 1 and 1048576"}},
		{"heads that do not divide", config(`"num_attention_heads":2`, `"num_attention_heads":3`), []string{"must be a multiple"}},
		{"more layers than weights", config(`"num_hidden_layers":2`, `"num_hidden_layers":3`),
			[]string{"model.safetensors: has no tensor encoder.layer.2.attention.self.query.weight"}},
		{"wider than its weights", config(`"intermediate_size":24`, `"intermediate_size":32`),
			[]string{"model.safetensors: tensor encoder.layer.0.intermediate.dense.weight has the shape [24 16], where config.json wants [32 16]"}},
		{"vocabulary too long", func(t *testing.T, dir string) { replace(t, dir, "vocab.txt", "cat", "cat\nmouse") }, []string{"vocab.txt: has 44 tokens, where vocab_size is 43"}},
		{"no [CLS]", func(t *testing.T, dir string) { replace(t, dir, "vocab.txt", "[CLS]", "CLS") }, []string{"vocab.txt: has no [CLS]"}},
		{"weights cut off", file("model.safetensors", weights[:len(weights)-100]), []string{"model.safetensors: ", "its end is missing"}},
		{"header cut off", file("model.safetensors", weights[:100]), []string{"model.safetensors: ", "its end is missing"}},
		{"no weights in the file", file("model.safetensors", nil), []string{"model.safetensors: ", "too short"}},
		{"a pointer to the weights", file("model.safetensors", []byte("version https://git-lfs.github.com/spec/v1\noid sha256:1\n")), []string{"is no safetensors file"}},
		{"not a number", file("model.safetensors", spoilt(t)), []string{"tensor embeddings.LayerNorm.bias has numbers that are not finite"}},
		{"torch cut off", onlyTorch(torch[:len(torch)/2]), []string{"pytorch_model.bin: ", "its end is missing"}},
		{"torch empty", onlyTorch(nil), []string{"pytorch_model.bin: is empty"}},
		{"torch zeros", onlyTorch(make([]byte, 4096)), []string{"pytorch_model.bin: is no file of PyTorch's"}},
		{"torch another pickle", onlyTorch([]byte("\x80\x02K\x01.")), []string{"pytorch_model.bin: cannot be read as PyTorch's"}},
		{"torch without numbers", onlyTorch(withoutNumbers(t)), []string{"pytorch_model.bin: has no tensor embeddings.word_embeddings.weight"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := tiny.newFolder(t)
			tt.harm(t, dir)
			_, err := bert.Load(dir)
			if err == nil {
				t.Fatal("loaded")
			}
			for _, want := range append(tt.want, dir) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error = %v, want %q in it", err, want)
				}
			}
		})
	}
}

func replace(t *testing.T, dir, name, from, to string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil || !strings.Contains(string(b), from) {
		t.Fatalf("%s does not have %s, %v", name, from, err)
	}
	writeFile(t, dir, name, []byte(strings.Replace(string(b), from, to, 1)))
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

// spoilt is a file with a number that is none.
func spoilt(t *testing.T) []byte {
	blocks := tiny.blocks()
	blocks["embeddings.LayerNorm.bias"].values[3] = float32(math.NaN())
	return safetensors(t, blocks)
}

// withoutNumbers is a file of PyTorch's that lacks most of a model.
func withoutNumbers(t *testing.T) []byte {
	blocks := tiny.blocks()
	maps.DeleteFunc(blocks, func(name string, _ block) bool { return !strings.HasPrefix(name, "pooler") })
	return torchFile(t, blocks)
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
