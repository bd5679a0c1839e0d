package bert

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// inFolder writes a file into a new folder.
func inFolder(t *testing.T, name string, b []byte) (dir, path string) {
	t.Helper()
	dir = t.TempDir()
	path = filepath.Join(dir, name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, path
}

// readSome reads the tensors that are small; a header may claim any size.
func readSome(t *testing.T, ts tensors, size int) {
	t.Helper()
	for name, tensor := range ts {
		n := 1
		for _, d := range tensor.shape {
			if n *= d; d < 0 || n > 4*size {
				t.Errorf("%s has the shape %v in a file of %d bytes", name, tensor.shape, size)
				return
			}
		}
	}
}

func FuzzSafetensors(f *testing.F) {
	file := func(header, numbers string) []byte {
		return append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header+numbers...)
	}
	f.Add(file(`{"a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},"__metadata__":{"format":"pt"}}`, "12345678"))
	f.Add(file(`{"a":{"dtype":"F16","shape":[9223372036854775807,2],"data_offsets":[0,4]}}`, "1234"))
	f.Add(file(`{"a":{"dtype":"F32","shape":[-1,-1],"data_offsets":[8,0]}}`, ""))
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\x7f{}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, path := inFolder(t, "model.safetensors", b)
		ts, file, err := openSafetensors(path)
		if err != nil {
			return
		}
		defer file.Close()
		readSome(t, ts, len(b))
	})
}

func FuzzTokenizer(f *testing.F) {
	f.Add(vocabFile, []byte("[UNK]\n[CLS]\r\n[SEP]\n##a\n"))
	f.Add(tokenizerJSONFile, []byte(`{"model":{"type":"WordPiece","vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2}}}`))
	f.Add(tokenizerJSONFile, []byte(`{"model":{"type":"WordPiece","vocab":{"[UNK]":-1,"[CLS]":1e9}}}`))
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		if name != vocabFile && name != tokenizerJSONFile {
			return
		}
		dir, _ := inFolder(t, name, b)
		if tok, err := readTokenizer(dir, config{Vocabulary: 100}); err == nil {
			for token, id := range tok.ids {
				if id < 0 || id >= 100 {
					t.Errorf("token %q has the id %d", token, id)
				}
			}
		}
	})
}

func FuzzConfig(f *testing.F) {
	f.Add([]byte(`{"model_type":"bert","hidden_size":16,"num_hidden_layers":2,"num_attention_heads":2,"intermediate_size":24,"vocab_size":60,"max_position_embeddings":64,"type_vocab_size":2}`))
	f.Add([]byte(`{"hidden_size":-1,"num_attention_heads":0}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		dir, _ := inFolder(t, "config.json", b)
		if c, err := readConfig(dir); err == nil && (c.Hidden < 1 || c.Heads < 1 || c.Hidden%c.Heads != 0) {
			t.Errorf("%q: %+v", b, c)
		}
	})
}
