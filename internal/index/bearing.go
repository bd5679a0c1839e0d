package index

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/blevesearch/bleve/v2/index/scorch"

	"recollect/internal/memory"
)

// Bearing returns the ids of at most limit memories that concern any of the activities and apply to a
// project. Projects with the same name count as one.
func (x *Index) Bearing(ctx context.Context, activities []string, p memory.Project, limit int) ([]string, error) {
	var ids []string
	err := x.read(ctx, func(g *generation, snap *scorch.IndexSnapshot) error {
		r, err := newReader(g.caches, snap)
		if err != nil {
			return err
		}
		for i := range slices.Backward(r.parts) {
			if ids, err = r.bearing(i, activities, p, limit, ids); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list activities in index %s: %w", x.dir, err)
	}
	return ids, nil
}

// bearing adds the ids in one part to ids.
func (r *reader) bearing(number int, activities []string, p memory.Project, limit int, ids []string) ([]string, error) {
	part := r.parts[number]
	set, err := r.admitted(number, Filter{})
	if err != nil {
		return nil, err
	}
	if set == nil {
		set = slices.Repeat([]uint64{^uint64(0)}, int(part.FullSize()/64+1))
	}
	if err := r.narrow(set, number, activityField, activities...); err != nil {
		return nil, err
	}
	if err := r.narrow(set, number, projectField, heldIn(p)...); err != nil {
		return nil, err
	}
	for i, word := range slices.Backward(set) {
		for ; word != 0 && len(ids) < limit; word &^= 1 << (bits.Len64(word) - 1) {
			id, err := part.DocID(uint64(i*64 + bits.Len64(word) - 1))
			if err != nil {
				return nil, err
			}
			ids = append(ids, string(id))
		}
	}
	return ids, nil
}
