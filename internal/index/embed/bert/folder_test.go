package bert_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A shape is how large a made-up model is.
type shape struct {
	layers, hidden, heads, intermediate, positions int
	vocabulary                                     []string
}

// tiny is a model of 16 dimensions that knows a few words.
var tiny = shape{
	layers: 2, hidden: 16, heads: 2, intermediate: 24, positions: 64,
	vocabulary: strings.Fields(`[PAD] [UNK] [CLS] [SEP] the cat dog data ##base ##bases is on fire why does our
		test fail ##s cafe - , . ? ! [ ] sep ( ) 中 文 a b c d e f g ##a ##b ##c ##d`),
}

// A block is a tensor to write.
type block struct {
	shape  []int
	values []float32
}

// blocks makes the weights of a model up, the same every time.
func (s shape) blocks() map[string]block {
	shapes := map[string][]int{
		"embeddings.word_embeddings.weight":       {len(s.vocabulary), s.hidden},
		"embeddings.position_embeddings.weight":   {s.positions, s.hidden},
		"embeddings.token_type_embeddings.weight": {2, s.hidden},
		"embeddings.LayerNorm.weight":             {s.hidden},
		"embeddings.LayerNorm.bias":               {s.hidden},
		"pooler.dense.weight":                     {s.hidden, s.hidden},
		"pooler.dense.bias":                       {s.hidden},
	}
	for i := range s.layers {
		for name, in := range map[string]int{"attention.self.query": s.hidden, "attention.self.key": s.hidden,
			"attention.self.value": s.hidden, "attention.output.dense": s.hidden, "output.dense": s.intermediate} {
			shapes[fmt.Sprintf("encoder.layer.%d.%s.weight", i, name)] = []int{s.hidden, in}
			shapes[fmt.Sprintf("encoder.layer.%d.%s.bias", i, name)] = []int{s.hidden}
		}
		shapes[fmt.Sprintf("encoder.layer.%d.intermediate.dense.weight", i)] = []int{s.intermediate, s.hidden}
		shapes[fmt.Sprintf("encoder.layer.%d.intermediate.dense.bias", i)] = []int{s.intermediate}
		for _, name := range []string{"attention.output.LayerNorm", "output.LayerNorm"} {
			shapes[fmt.Sprintf("encoder.layer.%d.%s.weight", i, name)] = []int{s.hidden}
			shapes[fmt.Sprintf("encoder.layer.%d.%s.bias", i, name)] = []int{s.hidden}
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	blocks := map[string]block{}
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		blocks[name] = makeBlock(rng, shapes[name], strings.Contains(name, "LayerNorm.weight"))
	}
	return blocks
}

// makeBlock makes a tensor of numbers around 0, or 1 where they scale.
func makeBlock(rng *rand.Rand, shape []int, around1 bool) block {
	n := 1
	for _, d := range shape {
		n *= d
	}
	b := block{shape, make([]float32, n)}
	for i := range b.values {
		b.values[i] = float32(rng.NormFloat64() * 0.3)
		if around1 {
			b.values[i] = 1 + b.values[i]/3
		}
	}
	return b
}

// writeFolder writes all of a model but its weights.
func (s shape) writeFolder(t testing.TB, dir string) {
	t.Helper()
	writeFile(t, dir, "vocab.txt", []byte(strings.Join(s.vocabulary, "\n")+"\n"))
	writeFile(t, dir, "tokenizer_config.json", []byte(`{"do_lower_case": true}`))
	config, err := json.Marshal(map[string]any{
		"model_type": "bert", "architectures": []string{"BertModel"}, "hidden_act": "gelu", "layer_norm_eps": 1e-12,
		"hidden_size": s.hidden, "num_hidden_layers": s.layers, "num_attention_heads": s.heads, "intermediate_size": s.intermediate,
		"vocab_size": len(s.vocabulary), "max_position_embeddings": s.positions, "type_vocab_size": 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, "config.json", config)
}

func writeFile(t testing.TB, dir, name string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// newFolder writes a whole model with its weights in safetensors.
func (s shape) newFolder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	s.writeFolder(t, dir)
	writeFile(t, dir, "model.safetensors", safetensors(t, s.blocks()))
	return dir
}

// safetensors writes the format down.
func safetensors(t testing.TB, blocks map[string]block) []byte {
	t.Helper()
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	var numbers []byte
	for _, name := range slices.Sorted(maps.Keys(blocks)) {
		begin := len(numbers)
		numbers = appendFloats(numbers, blocks[name].values)
		header[name] = map[string]any{"dtype": "F32", "shape": blocks[name].shape, "data_offsets": []int{begin, len(numbers)}}
	}
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	return append(append(file, text...), numbers...)
}

func appendFloats(to []byte, values []float32) []byte {
	for _, v := range values {
		to = binary.LittleEndian.AppendUint32(to, math.Float32bits(v))
	}
	return to
}
