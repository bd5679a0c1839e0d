package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/rogpeppe/go-internal/testscript"
)

// ollamaServer starts a server with Ollama's protocol, whose model "tired"
// answers a few texts and no more, and stores its URL in a variable. Asked to
// choose lines, it chooses the first one that has its name:
//
//	ollama VAR
func ollamaServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: ollama VAR")
	}
	var answered atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || bytes.Contains(body, []byte(`"tired"`)) && answered.Add(1) > triedTexts {
			http.Error(w, `{"error": "the model is tired"}`, http.StatusInternalServerError)
			return
		}
		if strings.HasSuffix(r.URL.Path, "/chat") {
			answerChat(w, body)
			return
		}
		vector := make([]float32, 8)
		for i, b := range body {
			vector[i%8] += float32(b)
		}
		json.NewEncoder(w).Encode(map[string]any{"embeddings": [][]float32{vector}})
	}))
	ts.Defer(server.Close)
	ts.Setenv(args[0], server.URL)
}

// answerChat chooses a line of a question.
func answerChat(w http.ResponseWriter, body []byte) {
	var in struct {
		Model    string
		Messages []struct{ Content string }
	}
	answer := `{"yes": []}`
	if err := json.Unmarshal(body, &in); err == nil && len(in.Messages) > 0 {
		for line := range strings.Lines(in.Messages[len(in.Messages)-1].Content) {
			number, text, _ := strings.Cut(line, ". ")
			if _, err := strconv.Atoi(number); err == nil && strings.Contains(text, in.Model) {
				answer = `{"yes": [` + number + `]}`
				break
			}
		}
	}
	json.NewEncoder(w).Encode(map[string]any{"message": map[string]string{"role": "assistant", "content": answer}, "done": true})
}

// bertModel writes a tiny BERT model of random weights, or of zeros for the
// seed 0:
//
//	bert-model FOLDER SEED
func bertModel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: bert-model FOLDER SEED")
	}
	seed, err := strconv.ParseUint(args[1], 10, 64)
	ts.Check(err)
	words := strings.Fields("[PAD] [UNK] [CLS] [SEP] the database is full a cat sleeps in sun why pool test build")
	const hidden = 16
	files := map[string][]byte{
		"vocab.txt": []byte(strings.Join(words, "\n")),
		"config.json": fmt.Appendf(nil, `{"model_type": "bert", "hidden_size": %d, "num_hidden_layers": 1, "num_attention_heads": 2,
			"intermediate_size": %d, "vocab_size": %d, "max_position_embeddings": 64}`, hidden, hidden, len(words)),
		"model.safetensors": safetensors(ts, hidden, len(words), seed),
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o700))
	for name, content := range files {
		ts.Check(os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
}

// safetensors returns the weights of a model with one layer.
func safetensors(ts *testscript.TestScript, hidden, words int, seed uint64) []byte {
	shapes := map[string][]int{
		"embeddings.word_embeddings.weight":       {words, hidden},
		"embeddings.position_embeddings.weight":   {64, hidden},
		"embeddings.token_type_embeddings.weight": {2, hidden},
	}
	for _, name := range []string{"embeddings.LayerNorm", "encoder.layer.0.attention.output.LayerNorm", "encoder.layer.0.output.LayerNorm"} {
		shapes[name+".weight"], shapes[name+".bias"] = []int{hidden}, []int{hidden}
	}
	for _, name := range []string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense", "intermediate.dense", "output.dense"} {
		name = "encoder.layer.0." + name
		shapes[name+".weight"], shapes[name+".bias"] = []int{hidden, hidden}, []int{hidden}
	}
	rng := rand.New(rand.NewPCG(seed, seed))
	header, numbers := map[string]any{}, []byte(nil)
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		begin, n := len(numbers), 1
		for _, d := range shapes[name] {
			n *= d
		}
		for range n {
			numbers = binary.LittleEndian.AppendUint32(numbers, math.Float32bits(float32(rng.NormFloat64())*float32(min(seed, 1))))
		}
		header[name] = map[string]any{"dtype": "F32", "shape": shapes[name], "data_offsets": []int{begin, len(numbers)}}
	}
	text, err := json.Marshal(header)
	ts.Check(err)
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text, numbers)
}

// triedTexts is how many texts recollect embedder use tries a model with.
const triedTexts = 5
