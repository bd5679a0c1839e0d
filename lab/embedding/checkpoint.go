package embedding

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"
)

// save writes the rows, so that the later stages can be repeated. The file is only valid for the same
// settings and corpus.
func (r *rows) save(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("save checkpoint: %w", err)
	}
	defer f.Close()
	for _, part := range [][]float32{r.own.rows, r.gram.rows} {
		if err := binary.Write(f, binary.LittleEndian, part); err != nil {
			return fmt.Errorf("save checkpoint %s: %w", path, err)
		}
	}
	return f.Close()
}

// load reads a file that save wrote. It returns an error for a file of another size.
func (r *rows) load(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("load checkpoint: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("load checkpoint: %w", err)
	}
	if need := 4 * int64(len(r.own.rows)+len(r.gram.rows)); info.Size() != need {
		return fmt.Errorf("load checkpoint %s: %d bytes, want %d for these settings", path, info.Size(), need)
	}
	for _, part := range [][]float32{r.own.rows, r.gram.rows} {
		if err := binary.Read(f, binary.LittleEndian, part); err != nil {
			return fmt.Errorf("load checkpoint %s: %w", path, err)
		}
	}
	return nil
}

// A snapshot is a copy of all rows.
type snapshot struct{ own, gram []float32 }

func (r *rows) snapshot() snapshot {
	return snapshot{slices.Clone(r.own.rows), slices.Clone(r.gram.rows)}
}

func (r *rows) restore(s snapshot) {
	copy(r.own.rows, s.own)
	copy(r.gram.rows, s.gram)
}

func (s snapshot) add(r *rows) {
	addScaled(s.own, r.own.rows, 1)
	addScaled(s.gram, r.gram.rows, 1)
}

func (s snapshot) divide(n float32) {
	scale(s.own, 1/n)
	scale(s.gram, 1/n)
}
