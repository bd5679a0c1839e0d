package bench

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
)

// open opens an engine with the documents of c as its memories.
func (c *Collection) open(ctx context.Context, settings config.Settings, log *slog.Logger) (*tempEngine, error) {
	return openEngine(ctx, settings, log, func(ctx context.Context, e *tempEngine) error {
		e.memories, e.newest, e.docs = c.memories(), c.newest(), make(map[string]string, len(c.Docs))
		stored, err := clean.Drafts(memory.Drafts(e.memories...)...)
		if err == nil {
			err = e.Append(ctx, stored)
		}
		if err != nil {
			return fmt.Errorf("store %s: %w", c.Name, err)
		}
		for i, m := range stored {
			e.memories[i] = m.Memory()
			e.docs[e.memories[i].ID] = c.Docs[i].ID
		}
		return nil
	})
}

// undated is the start of a session whose documents have an order but no times.
var undated = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// memories converts each document to a memory, in their order.
func (c *Collection) memories() []memory.Memory {
	start := c.newest()
	if start.IsZero() {
		start = undated
	}
	ms := make([]memory.Memory, len(c.Docs))
	for i, d := range c.Docs {
		ms[i] = d.memory(start)
	}
	return ms
}

// memory returns d as a memory. Its id is derived from the turn, so that documents with the same words
// remain two memories. start is the date of a document that has a position in its session but no time.
func (d *Doc) memory(start time.Time) memory.Memory {
	return memory.Memory{
		Source:     d.source(),
		Project:    d.Scope,
		Title:      d.Title,
		Text:       d.Text,
		Keywords:   d.Aliases,
		OccurredAt: d.occurred(start),
		Session:    d.Session,
		Turn:       d.ID,
		Agent:      d.Speaker,
	}
}

func (d *Doc) source() memory.Source {
	if src, err := memory.ParseSource(d.Type); err == nil {
		return src
	}
	if d.Session != "" {
		return memory.Episodes
	}
	return memory.Journal
}

// occurred returns the document's time. Many documents of a session share one, so each position adds a
// microsecond.
func (d *Doc) occurred(start time.Time) time.Time {
	if d.Seq == nil {
		return d.Time.Time
	}
	if !d.Time.IsZero() {
		start = d.Time.Time
	}
	return start.Add(time.Duration(*d.Seq) * time.Microsecond)
}
