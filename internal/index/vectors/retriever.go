package vectors

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"recollect/internal/index/embed"
	"recollect/internal/memory"
)

// A Retriever finds memories by meaning. It has an embedder and the vectors that it made of the memories.
type Retriever struct {
	Embedder *embed.Embedder
	File     *File
}

// OpenRetriever opens or creates the vectors that e made in dir. If a server's version is not known yet,
// it first asks for a vector.
func OpenRetriever(ctx context.Context, dir string, e *embed.Embedder, log *slog.Logger) (*Retriever, error) {
	if e.Version() == "" {
		if _, err := e.EmbedDocuments(ctx, []string{"hello"}); err != nil {
			return nil, err
		}
	}
	f, err := Open(dir, e.Version(), e.Dims(), log)
	if err != nil {
		return nil, err
	}
	return &Retriever{e, f}, nil
}

// Update brings v in line with changed memories, as File.Update does.
// A memory with nothing to embed gets no vector.
func (v *Retriever) Update(ctx context.Context, put []memory.Memory, deleted []string, watermark []byte) error {
	passages := make([]string, len(put))
	for i := range put {
		passages[i] = Passage(&put[i])
	}
	embedded, err := v.Embedder.EmbedDocuments(ctx, passages)
	if err != nil {
		return err
	}
	var rows []Row
	for i, vector := range embedded {
		if vector == nil {
			deleted = append(deleted, put[i].ID)
			continue
		}
		rows = append(rows, Row{ID: put[i].ID, Vector: vector, Labels: labels(&put[i])})
	}
	return v.File.Update(rows, deleted, watermark)
}

// labels returns the labels by which a search by meaning is limited to a project: its name and its path.
func labels(m *memory.Memory) Labels {
	return Labels{LabelOf(m.Project), LabelOf(m.ProjectPath)}
}

// Close closes the vectors and the embedder.
func (v *Retriever) Close() error { return errors.Join(v.File.Close(), v.Embedder.Close()) }

// Passage returns the text from which the vector of a memory is made: its title and body.
func Passage(m *memory.Memory) string {
	body := m.Body()
	if first, _, _ := strings.Cut(strings.TrimSpace(body), "\n"); first == m.Title {
		return body
	}
	return m.Title + "\n" + body
}
