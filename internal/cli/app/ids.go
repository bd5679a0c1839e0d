package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
)

const (
	digits          = 12 // of an id, after the prefix of its source
	wholeSession    = 36 // characters of the id of a session
	candidates      = 10 // most ids that are listed for an ambiguous prefix
	completions     = 50
	completionTime  = 400 * time.Millisecond // a daemon that takes longer to start completes at the next key
	completionWidth = 60                     // columns of a title beside an id
)

// An ambiguousError is a prefix with which several ids begin.
type ambiguousError struct {
	prefix string
	of     api.Titles
}

func (e *ambiguousError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d ids begin with %s:", e.of.Total, e.prefix)
	for _, t := range e.of.Titles {
		fmt.Fprintf(&b, "\n  %s  %s", t.ID, block.Inline(t.Title))
	}
	if more := e.of.Total - len(e.of.Titles); more > 0 {
		fmt.Fprintf(&b, "\n  and %d more", more)
	}
	return b.String()
}

// WholeID returns the only id of a memory that begins with prefix.
func WholeID(ctx context.Context, c *api.Client, prefix string) (string, error) {
	if src, ok := memory.SourceOf(prefix); ok && len(prefix) >= len(src.Prefix())+digits {
		return prefix, nil
	}
	return resolveID(ctx, c, api.Beginning{Prefix: prefix, Limit: candidates})
}

// WholeIDs is WholeID for several prefixes.
func WholeIDs(ctx context.Context, c *api.Client, prefixes []string) ([]string, error) {
	var whole []string
	for _, prefix := range prefixes {
		id, err := WholeID(ctx, c, prefix)
		if err != nil {
			return nil, err
		}
		whole = append(whole, id)
	}
	return whole, nil
}

// WholeSessionID is WholeID for sessions. It returns "" for "".
func WholeSessionID(ctx context.Context, c *api.Client, prefix string) (string, error) {
	if prefix == "" || len(prefix) >= wholeSession {
		return prefix, nil
	}
	return resolveID(ctx, c, api.Beginning{Prefix: prefix, Sessions: true, Limit: candidates})
}

// resolveID returns the only id that b asks for. If there is none, or if an older daemon does not know
// the question, it returns the prefix, so that the command itself reports the error.
func resolveID(ctx context.Context, c *api.Client, b api.Beginning) (string, error) {
	found, err := c.IDs(ctx, b)
	var older *api.StatusError
	switch {
	case errors.As(err, &older) && older.Status == 404:
		return b.Prefix, nil
	case err != nil:
		return "", err
	case found.Total == 1:
		return found.Titles[0].ID, nil
	case found.Total == 0:
		return b.Prefix, nil
	}
	for _, t := range found.Titles {
		if t.ID == b.Prefix {
			return b.Prefix, nil
		}
	}
	return "", &ambiguousError{b.Prefix, found}
}

// CompleteIDs completes the id of a memory of a source, or of any source for "", with titles as
// descriptions. With several it completes every argument, otherwise only the first.
func (a *App) CompleteIDs(src memory.Source, several bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		prefix := src.Prefix()
		another := !strings.HasPrefix(typed, prefix) && !strings.HasPrefix(prefix, typed)
		if another || len(args) > 0 && !several {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		begin := api.Beginning{Prefix: typed, Limit: completions}
		if len(typed) < len(prefix) {
			begin.Prefix = prefix
		}
		return a.completeFrom(cmd.Context(), begin), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

// CompleteSources completes the flag --source of a command.
func CompleteSources(cmd *cobra.Command) {
	var names []string
	for _, src := range memory.Sources {
		names = append(names, cobra.CompletionWithDesc(string(src), SourceCommands[src]))
	}
	cmd.RegisterFlagCompletionFunc("source", CompleteOneOf(names...))
}

// CompleteSessions completes the id of a session.
func (a *App) CompleteSessions(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	found := a.completeFrom(cmd.Context(), api.Beginning{Prefix: typed, Sessions: true, Limit: completions})
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completeFrom asks the daemon for ids. It returns none if the daemon does not answer in time.
func (a *App) completeFrom(ctx context.Context, begin api.Beginning) (out []cobra.Completion) {
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	found, err := Get(ctx, a.Patient(), api.With((*api.Client).IDs, begin))
	if err != nil {
		return nil
	}
	for _, t := range found.Titles {
		out = append(out, cobra.CompletionWithDesc(t.ID, cli.Clip(block.Inline(t.Title), completionWidth)))
	}
	return out
}

// SourceCommands describes the content of each source, for the help texts.
var SourceCommands = map[memory.Source]string{
	memory.Patterns:    "What worked, and why",
	memory.Journal:     "Decisions",
	memory.Failures:    "What went wrong, and the fix",
	memory.Handoffs:    "Where sessions stopped, and what comes next",
	memory.Registry:    "Facts about projects",
	memory.Inbox:       "Raw notes",
	memory.Goals:       "What is still to be done",
	memory.Preferences: "What you always or never want",
	memory.Episodes:    "Past turns: what was asked and done",
	memory.Thinking:    "What Claude concluded in its reasoning",
	memory.Team:        "What others shared in this repository",
}

// CompleteOneOf completes one of values.
func CompleteOneOf(values ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
}
