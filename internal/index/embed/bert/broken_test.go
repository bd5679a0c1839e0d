package bert_test

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/index/embed/bert"
)

func TestBrokenFolders(t *testing.T) {
	weights := safetensors(t, tiny.blocks())
	config := func(from, to string) func(*testing.T, string) {
		return func(t *testing.T, dir string) { replace(t, dir, "config.json", from, to) }
	}
	file := func(name string, content []byte) func(*testing.T, string) {
		return func(t *testing.T, dir string) { writeFile(t, dir, name, content) }
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
		{"no vocabulary", missing("vocab.txt"), []string{"has neither vocab.txt nor tokenizer.json"}},
		{"a tokenizer of another kind", func(t *testing.T, dir string) {
			remove(t, dir, "vocab.txt")
			writeFile(t, dir, "tokenizer.json", []byte(`{"model": {"type": "BPE", "vocab": {}}}`))
		}, []string{`tokenizer.json: the model of the tokenizer is "BPE"`, "must be WordPiece"}},
		{"an id beyond the vocabulary", func(t *testing.T, dir string) {
			remove(t, dir, "vocab.txt")
			writeFile(t, dir, "tokenizer.json", []byte(`{"model": {"type": "WordPiece", "vocab": {"cat": 43}}}`))
		}, []string{`tokenizer.json: token "cat" has the id 43, where vocab_size is 43`}},
		{"another pooling", file("1_Pooling/config.json", []byte(`{"pooling_mode_max_tokens": true}`)), []string{"must be either that of the first token (cls) or the mean"}},
		{"another pooling, as it is written now", file("1_Pooling/config.json", []byte(`{"pooling_mode": ["cls", "mean"]}`)), []string{"(cls) or the mean"}},
		{"a pooling without the prompt", file("1_Pooling/config.json", []byte(`{"include_prompt": false}`)), []string{"include_prompt is false"}},
		{"a module of another kind", file("modules.json", []byte(modules("LSTM"))), []string{"modules.json: module 2 is LSTM"}},
		{"a module elsewhere", file("modules.json", []byte(`[{"type": "a.Transformer", "path": ""}, {"type": "a.Pooling", "path": "../../p"}]`)),
			[]string{`the folder "../../p" is not in this one`}},
		{"no pooling", file("modules.json", []byte(`[{"type": "a.Transformer", "path": ""}]`)), []string{"modules.json: has no Pooling"}},
		{"a layer that is missing", file("modules.json", []byte(modules("Dense"))), []string{"config.json: no such file"}},
		{"a layer that does not fit", func(t *testing.T, dir string) {
			writeFile(t, dir, "modules.json", []byte(modules("Dense")))
			writeFile(t, dir, "2_Dense/config.json", []byte(`{"in_features": 17, "out_features": 4}`))
		}, []string{"in_features is 17, where 16 come in"}},
		{"no weights", missing("model.safetensors"), []string{"has no model.safetensors"}},
		{"only PyTorch's weights", func(t *testing.T, dir string) {
			remove(t, dir, "model.safetensors")
			writeFile(t, dir, "pytorch_model.bin", []byte("\x80\x02."))
		}, []string{"only in pytorch_model.bin, which is not read: they must be in model.safetensors"}},
		{"weights without numbers", func(t *testing.T, dir string) {
			writeFile(t, dir, "model.safetensors", withoutNumbers(t))
		}, []string{"model.safetensors: has no tensor embeddings.word_embeddings.weight"}},
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

// withoutNumbers is a file that lacks most of a model.
func withoutNumbers(t *testing.T) []byte {
	blocks := tiny.blocks()
	maps.DeleteFunc(blocks, func(name string, _ block) bool { return !strings.HasPrefix(name, "pooler") })
	return safetensors(t, blocks)
}
