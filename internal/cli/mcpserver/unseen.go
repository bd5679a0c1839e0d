package mcpserver

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"recollect/internal/agents/claudecode"
	"recollect/internal/api"
	"recollect/internal/cli/app"
	"recollect/internal/system/regular"
)

const (
	toolPrefix    = "mcp__plugin_recollect_memory__"
	useKey        = "claudecode/toolUseId" // under which Claude Code names a call as its transcript does
	transcriptEnd = ".jsonl"
)

const (
	mostAge   = time.Minute            // since a transcript was written that may have a call under way
	mostLate  = 200 * time.Millisecond // Claude Code writes a call some 50 ms after it has made it
	lookEvery = 20 * time.Millisecond
)

// unseenPrompt returns what the prompt that a call belongs to would have brought, if no hook sees prompts in this
// program. It returns "" in a clean or incognito session, and if it is not certain which session makes the call.
func (t *tools) unseenPrompt(ctx context.Context, req *mcp.CallToolRequest) string {
	use, _ := req.Params.GetMeta()[useKey].(string)
	if use == "" || t.session == "" || len(withheldTools()) > 0 {
		return ""
	}
	home, err := api.Home()
	if err != nil || app.SawPrompt(home, t.session) {
		return ""
	}
	path := t.waitForCall(ctx, use)
	if path == "" {
		return ""
	}
	out, err := app.Get(ctx, t.App, api.With((*api.Client).Tool, api.ToolCall{
		SessionID: strings.TrimSuffix(filepath.Base(path), transcriptEnd), TranscriptPath: path, Cwd: t.dir, Tool: toolPrefix + req.Params.Name,
	}))
	if err != nil {
		return "" // the tool itself has an answer
	}
	return out.Context
}

// waitForCall waits until a transcript has a call, and returns its path, "" if none has it in time.
func (t *tools) waitForCall(ctx context.Context, use string) string {
	ctx, cancel := context.WithTimeout(ctx, mostLate)
	defer cancel()
	for {
		if path := t.transcriptWith(use); path != "" {
			return path
		}
		select {
		case <-time.After(lookEvery):
		case <-ctx.Done():
			return ""
		}
	}
}

// transcriptWith returns the transcript that has a call under way. It lies beside that of the session which started this
// process, and after /clear is another. Those of sub-agents lie elsewhere.
func (t *tools) transcriptWith(use string) string {
	dir, err := app.ClaudeDir()
	if err != nil {
		return ""
	}
	for _, own := range app.TranscriptsIn(dir) {
		if filepath.Base(own) != t.session+transcriptEnd {
			continue
		}
		for _, path := range regular.Ending(filepath.Dir(own), transcriptEnd) {
			fi, err := os.Stat(path)
			if err == nil && time.Since(fi.ModTime()) < mostAge && claudecode.EndHas(path, `"id":"`+use+`"`) {
				return path
			}
		}
	}
	return ""
}
