package embed

import (
	"context"
	"sync"

	"recollect/internal/index/embed/bert"
)

// A folder is a BERT model on disk. The first text loads it. If that fails, the next text tries again,
// because the user may have corrected the cause.
type folder struct {
	dir string

	mu     sync.Mutex
	loaded *bert.Model // nil until the first text
}

func openFolder(dir string) (*folder, error) {
	return &folder{dir: dir}, bert.Check(dir)
}

// CreateEmbedding implements langchaingo's embeddings.EmbedderClient.
func (f *folder) CreateEmbedding(ctx context.Context, texts []string) ([][]float32, error) {
	m, err := f.load()
	if err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if vectors[i], err = m.Embed(ctx, text); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

func (f *folder) load() (*bert.Model, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.loaded != nil {
		return f.loaded, nil
	}
	m, err := bert.Load(f.dir)
	if err == nil {
		f.loaded = m
	}
	return m, err
}

func (f *folder) model() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.loaded == nil {
		return ""
	}
	return f.loaded.Version()
}

func (f *folder) close() {}
