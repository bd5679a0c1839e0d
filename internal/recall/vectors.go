package recall

import (
	"context"
	"errors"
	"log/slog"

	"recollect/internal/index/embed"
	"recollect/internal/index/vectors"
	"recollect/internal/memory"
	"recollect/internal/recall/terms"
)

// Vectors is a retriever that finds memories by meaning: an embedder, and the
// vectors that it made of the memories.
type Vectors struct {
	Embedder *embed.Embedder
	File     *vectors.File
}

// OpenVectors opens the vectors in dir that e made, or begins them. A server whose version is not
// known yet is asked for a vector first.
func OpenVectors(ctx context.Context, dir string, e *embed.Embedder, log *slog.Logger) (*Vectors, error) {
	if e.Version() == "" {
		if _, err := e.EmbedDocuments(ctx, []string{"hello"}); err != nil {
			return nil, err
		}
	}
	f, err := vectors.Open(dir, e.Version(), e.Dims(), log)
	if err != nil {
		return nil, err
	}
	return &Vectors{e, f}, nil
}

// Update brings v in line with changed memories, as vectors.File.Update does.
// A memory with nothing to embed gets no vector.
func (v *Vectors) Update(ctx context.Context, put []memory.Memory, deleted []string, watermark []byte) error {
	passages := make([]string, len(put))
	for i := range put {
		passages[i] = passage(&put[i])
	}
	embedded, err := v.Embedder.EmbedDocuments(ctx, passages)
	if err != nil {
		return err
	}
	var rows []vectors.Row
	for i, vector := range embedded {
		if vector == nil {
			deleted = append(deleted, put[i].ID)
			continue
		}
		rows = append(rows, vectors.Row{ID: put[i].ID, Vector: vector, Labels: labels(&put[i])})
	}
	return v.File.Update(rows, deleted, watermark)
}

// labels returns the labels by which a search by meaning is limited to a project: its name and path.
func labels(m *memory.Memory) vectors.Labels {
	return vectors.Labels{vectors.LabelOf(m.Project), vectors.LabelOf(m.ProjectPath)}
}

// Close closes the vectors and the embedder.
func (v *Vectors) Close() error { return errors.Join(v.File.Close(), v.Embedder.Close()) }

// passage is the text that a memory's vector is made of: its title and what it
// says.
func passage(m *memory.Memory) string {
	body := m.Body()
	if terms.FirstLine(body) == m.Title {
		return body
	}
	return m.Title + "\n" + body
}
