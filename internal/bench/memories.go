package bench

import (
	"time"

	"recollect/internal/memory"
)

// undated is the beginning of a session whose documents have an order but no
// time.
var undated = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// memories makes a memory of each document, in their order.
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

// memory makes the memory that d would be. Its id is made from the turn, so
// two documents with the same words stay two. start dates a document that has
// a place in its session and no time.
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

// occurred is the document's time. Many documents of a session share one, so
// each place in it counts as a microsecond.
func (d *Doc) occurred(start time.Time) time.Time {
	if d.Seq == nil {
		return d.Time.Time
	}
	if !d.Time.IsZero() {
		start = d.Time.Time
	}
	return start.Add(time.Duration(*d.Seq) * time.Microsecond)
}
