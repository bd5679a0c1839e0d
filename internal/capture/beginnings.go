package capture

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"recollect/internal/capture/extract"
	"recollect/internal/memory"
	"recollect/internal/system/durable"
)

// A prompt of which as many bytes are the beginning of one in as many sessions is a template, which a
// program or a snippet filled in: what it wants is for its task.
const (
	longBeginning = 100
	templateAfter = 3
)

// maxBeginnings bounds the beginnings that are kept, the newest of those that wanted something.
const maxBeginnings = 500

// A beginning is of prompts from which something was learned as the user's: the sessions, by turn.
type beginning struct {
	Hash  string            `json:"hash"`
	Turns map[string]string `json:"turns"`
}

// beginnings are kept in one small file.
type beginnings struct{ file *durable.State }

// beginningsFile is the content of beginnings.json.
type beginningsFile struct {
	V     int         `json:"v"`
	Begun []beginning `json:"begun"`
}

// Newer returns an error if a newer version wrote how prompts begin.
func (c *Capture) Newer() error { return c.beginnings.file.Newer() }

// beginningOf returns what a prompt begins with, "" for a short one.
func beginningOf(asked string) string {
	words := strings.Join(strings.Fields(asked), " ")
	if len(words) < longBeginning {
		return ""
	}
	sum := sha256.Sum256([]byte(words[:longBeginning]))
	return hex.EncodeToString(sum[:12])
}

// add records a turn that begins so, one of each session, and returns all of them.
func (b beginnings) add(hash, session, turn string) (map[string]string, error) {
	var stored beginningsFile
	if err := b.file.Read(&stored); err != nil {
		stored = beginningsFile{} // lost, or of a newer version: it is counted anew
	}
	known := stored.Begun
	i := slices.IndexFunc(known, func(k beginning) bool { return k.Hash == hash })
	if i < 0 {
		known = append(known[max(0, len(known)+1-maxBeginnings):], beginning{hash, map[string]string{}})
		i = len(known) - 1
	}
	turns := known[i].Turns
	if len(turns) >= templateAfter || slices.Contains(slices.Collect(maps.Values(turns)), session) {
		return turns, nil
	}
	turns[turn] = session
	if err := b.file.Write(beginningsFile{1, known}); err != nil {
		return nil, fmt.Errorf("keep how prompts begin: %w", err)
	}
	return turns, nil
}

// drafts returns what a turn teaches. Of a template nothing is the user's, and what was taken for theirs in the sessions
// before is withdrawn.
func (r *reading) drafts(ctx context.Context, s *extract.Turn) ([]memory.Draft, error) {
	all := s.Drafts()
	hash := beginningOf(s.Asked)
	said := func(d memory.Draft) bool {
		return d.Origin == memory.OriginUser && d.Evidence != "" && strings.Contains(s.Asked, d.Evidence)
	}
	if hash == "" || !slices.ContainsFunc(all, said) {
		return all, nil
	}
	turns, err := r.capture.beginnings.add(hash, s.Session, s.ID)
	if err != nil || len(turns) < templateAfter {
		return all, err
	}
	if turns[s.ID] != "" { // else they were withdrawn before
		err = errors.Join(r.flush(ctx), r.capture.withdrawWords(ctx, turns))
	}
	return slices.DeleteFunc(all, said), err
}
