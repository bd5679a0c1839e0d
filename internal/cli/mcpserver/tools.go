package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"recollect/internal/api"
	"recollect/internal/cli/app"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
)

// The limits of one call.
const (
	standardResults = 10
	mostResults     = 50
	mostIDs         = 10
)

type recallInput struct {
	Query   string `json:"query" jsonschema:"the task or question, in a sentence or two, as a user would type it"`
	Project string `json:"project,omitempty" jsonschema:"only this project: its name or the path of its folder; all projects if empty"`
}

type searchInput struct {
	Query   string `json:"query" jsonschema:"words to search for"`
	Project string `json:"project,omitempty" jsonschema:"only this project: its name or the path of its folder; all projects if empty"`
	Source  string `json:"source,omitempty" jsonschema:"only this kind: patterns, journal (decisions), failures, handoffs, registry (project facts), inbox (notes), goals, preferences, episodes (turns) or thinking"`
	Limit   int    `json:"limit,omitempty" jsonschema:"maximum number of results, 1 to 50; 10 if left out"`
}

type expandInput struct {
	IDs []string `json:"ids" jsonschema:"ids of memories, 10 at most, as shown in a memory-data block or in results: dec-5f0c1a2b3c4d"`
}

type rememberInput struct {
	Text       string            `json:"text" jsonschema:"what to remember: short facts that can be understood without this conversation"`
	Title      string            `json:"title,omitempty" jsonschema:"one line of at most 120 characters that sums it up; the first line of text if empty"`
	Source     string            `json:"source,omitempty" jsonschema:"its kind: journal (a decision), patterns, failures, preferences (lasting wishes), goals, registry (a project fact), handoffs, or, if empty, inbox"`
	Fields     map[string]string `json:"fields,omitempty" jsonschema:"named parts. journal: rationale, alternatives; patterns: context, problem, solution; failures: tool, error, fix; handoffs: done, open, next"`
	Importance string            `json:"importance,omitempty" jsonschema:"low, normal or high; normal if empty"`
	Files      []string          `json:"files,omitempty" jsonschema:"paths it is about, relative to the project"`
	Tags       []string          `json:"tags,omitempty" jsonschema:"words to group it by"`
}

type forgetInput struct {
	ID string `json:"id" jsonschema:"id of the memory to delete"`
}

func (t *tools) addTools(s *mcp.Server) {
	reads := func() *mcp.ToolAnnotations {
		return &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: new(false), OpenWorldHint: new(false)}
	}
	mcp.AddTool(s, &mcp.Tool{Name: "memory_recall", Title: "Recall what is relevant to a task", Annotations: reads(),
		Description: "Memories of past sessions that are relevant to a task or question: what would be injected with a prompt of these words, and why. Empty if nothing is relevant enough.",
	}, newTool(t, t.recallFor))
	mcp.AddTool(s, &mcp.Tool{Name: "memory_search", Title: "Search memories", Annotations: reads(),
		Description: "Find memories by words and meaning, best first, in all projects, weak matches included. Returns a heading and the beginning of each; memory_expand returns the whole.",
	}, newTool(t, t.searchMemories))
	mcp.AddTool(s, &mcp.Tool{Name: "memory_expand", Title: "Show memories in full", Annotations: reads(),
		Description: "The full text of memories by id: fields, evidence, where and when each came from, what it supersedes.",
	}, newTool(t, t.expandMemories))
	mcp.AddTool(s, &mcp.Tool{Name: "memory_remember", Title: "Remember",
		Annotations: &mcp.ToolAnnotations{IdempotentHint: true, DestructiveHint: new(false), OpenWorldHint: new(false)},
		Description: "Store one memory in this project, for later sessions. Storing the same text again changes nothing.",
	}, newTool(t, t.rememberText))
	mcp.AddTool(s, &mcp.Tool{Name: "memory_forget", Title: "Forget a memory",
		Annotations: &mcp.ToolAnnotations{IdempotentHint: true, DestructiveHint: new(true), OpenWorldHint: new(false)},
		Description: "Delete one memory for good, whichever project it belongs to. Only when the user wants it.",
	}, newTool(t, t.forgetMemory))
}

// newTool makes a handler from a function that returns the text for Claude. An error
// becomes the result of the tool, so that Claude reads it too.
func newTool[In any](t *tools, answer func(context.Context, In) (string, error)) mcp.ToolHandlerFor[In, any] {
	return func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		more := t.unseenPrompt(ctx, req) // before the call stores something itself
		text, err := answer(ctx, in)
		out := &mcp.CallToolResult{}
		if err != nil {
			out.SetError(err)
		} else {
			out.Content = []mcp.Content{&mcp.TextContent{Text: text}}
		}
		if more != "" {
			out.Content = append(out.Content, &mcp.TextContent{Text: "Relevant to the user's prompt:\n" + more})
		}
		return out, nil, nil
	}
}

func fromDaemon[Out any](ctx context.Context, t *tools, question api.Question[Out]) (Out, error) {
	out, err := app.Get(ctx, t.App, question)
	if err != nil {
		return out, adviseOn(err)
	}
	return out, nil
}

// byRelevance are the settings for a question that Claude asks: it is worth an answer, if anything is relevant.
const byRelevance = "[recall]\nmin_worth = 0\n[sources]\nmin_relevance = 0.6\n"

func (t *tools) recallFor(ctx context.Context, in recallInput) (string, error) {
	if strings.TrimSpace(in.Query) == "" {
		return "", errors.New("query: must not be empty")
	}
	e, err := fromDaemon(ctx, t, api.With((*api.Client).Explain, api.Prompt{Prompt: in.Query, Cwd: t.dir, Project: in.Project, Settings: byRelevance}))
	if err != nil {
		return "", err
	}
	return recalledText(e, in.Project), nil
}

func (t *tools) searchMemories(ctx context.Context, in searchInput) (string, error) {
	if in.Limit < 0 || in.Limit > mostResults {
		return "", fmt.Errorf("limit %d: must be 1 to %d", in.Limit, mostResults)
	}
	if in.Limit == 0 {
		in.Limit = standardResults
	}
	found, err := fromDaemon(ctx, t, api.With((*api.Client).Search, api.Search{Query: in.Query, Cwd: t.dir, Project: in.Project, Source: in.Source, Limit: in.Limit}))
	if err != nil {
		return "", err
	}
	return t.foundText(in, found.Results), nil
}

func (t *tools) expandMemories(ctx context.Context, in expandInput) (string, error) {
	if len(in.IDs) == 0 || len(in.IDs) > mostIDs {
		return "", fmt.Errorf("ids: %d given, must be 1 to %d", len(in.IDs), mostIDs)
	}
	found, err := fromDaemon(ctx, t, api.With((*api.Client).Expand, api.Expand{IDs: in.IDs}))
	if err != nil {
		return "", err
	}
	var entries, notes []string
	for _, m := range found.Memories {
		entries = append(entries, t.wholeText(m))
	}
	for _, id := range found.Missing {
		notes = append(notes, fmt.Sprintf("%s: no such memory; memory_search finds ids", block.Inline(id)))
	}
	if len(entries) == 0 {
		return "", errors.New(strings.Join(notes, "\n"))
	}
	return frameEntries(entries, notes), nil
}

func (t *tools) readMemory(ctx context.Context, id string) (api.Shown, error) {
	return fromDaemon(ctx, t, func(ctx context.Context, c *api.Client) (api.Shown, error) {
		m, err := c.Memory(ctx, strings.TrimSpace(id))
		if err == nil && m.Pending { // Claude may read it only after the user has approved it
			return api.Shown{}, &api.StatusError{Status: 404, Message: "read memory " + m.ID + ": it waits for the user's review"}
		}
		return m, err
	})
}

func (t *tools) rememberText(ctx context.Context, in rememberInput) (string, error) {
	source := memory.Inbox
	if in.Source != "" {
		var err error
		if source, err = memory.ParseSource(in.Source); err != nil {
			return "", err
		}
	}
	m := memory.Memory{
		Source: source, Title: in.Title, Text: in.Text, Fields: in.Fields, Files: in.Files, Tags: in.Tags,
		Importance: in.Importance, Origin: memory.OriginAssistant, Session: t.session,
	}
	done, err := fromDaemon(ctx, t, api.With((*api.Client).Remember, api.Remember{Memories: memory.Drafts(m), Cwd: t.dir}))
	if err != nil {
		return "", err
	}
	id, err := app.OnlyID(done)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("Remembered as %s in project '%s'.", id, block.InQuotes(t.project.Name))
	if len(done.Redacted) > 0 {
		text += fmt.Sprintf(" Redacted, because secrets are not stored: %s.", app.CountKinds(done.Redacted))
	}
	return text, nil
}

func (t *tools) forgetMemory(ctx context.Context, in forgetInput) (string, error) {
	m, err := fromDaemon(ctx, t, api.With((*api.Client).Forget, strings.TrimSpace(in.ID)))
	if err != nil {
		return "", err
	}
	if !t.ofOtherProject(&m) {
		return fmt.Sprintf("Deleted memory: %s", block.Inline(m.Title)), nil
	}
	return fmt.Sprintf("Deleted memory from project '%s': %s\nWarning: that project is not the current one, '%s'. Tell the user.",
		block.InQuotes(m.Project), block.Inline(m.Title), block.InQuotes(t.project.Name)), nil
}
