package teams

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"recollect/internal/memory"
	"recollect/internal/memory/clean"
)

// reconcile adds the wanted memories to the store, by their ids, and deletes those that are gone.
func (t *Teams) reconcile(ctx context.Context, wanted map[string]clean.Memory, gone []string) error {
	if err := t.dropMemories(ctx, gone); err != nil {
		return err
	}
	var fresh []clean.Memory
	for id, m := range wanted {
		if old, err := t.parts.Store.Get(id); err != nil || contentOf(old) != contentOf(m.Memory()) {
			fresh = append(fresh, m.Recorded(time.Now()))
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	slices.SortFunc(fresh, func(a, b clean.Memory) int { return strings.Compare(a.Memory().ID, b.Memory().ID) })
	if err := t.parts.Append(ctx, fresh); err != nil {
		return fmt.Errorf("store what the team shares: %w", err)
	}
	return nil
}

func (t *Teams) dropMemories(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	if _, err := t.parts.Delete(ctx, ids); err != nil {
		return fmt.Errorf("drop what the team no longer shares: %w", err)
	}
	return t.parts.DropFallbacks()
}

// content is compared to find out whether the store already has a memory with the same id unchanged.
type content struct{ path, title, body, evidence, turn, at, tags, files string }

func contentOf(m memory.Memory) content {
	at := m.OccurredAt.UTC().Format(time.RFC3339Nano)
	return content{m.ProjectPath, m.Title, m.Body(), m.Evidence, m.Turn, at, strings.Join(m.Tags, "\x00"), strings.Join(m.Files, "\x00")}
}
