package mcpserver

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// memoryURI is the address of a memory without its id, which follows.
const memoryURI = "recollect://memory/"

// addResource adds each memory as a resource, of any length.
func (t *tools) addResource(s *mcp.Server) {
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "memory", Title: "A memory", URITemplate: memoryURI + "{id}", MIMEType: "text/plain",
		Description: "One memory in full, by its id.",
	}, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		m, err := t.readMemory(ctx, strings.TrimPrefix(req.Params.URI, memoryURI))
		if err != nil {
			return nil, err
		}
		text := t.wholeText(m)
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "text/plain", Text: text}}}, nil
	})
}

const handoffPrompt = `Write a handoff of this session for whoever continues the work and has not read this conversation.
Call memory_remember once, with source "handoffs", a title that says what the session was about, and a text of one or two sentences that describe the current state.
Set the fields cause (why something was wrong), done (what was achieved), ` +
	`open (what is unfinished, failing or undecided) and next (the first step to take), and list in files those that were changed and not committed. Name files, commands and errors exactly.
State only what happened; leave out a field that would be empty. Then show the user what was stored.`

// addHandoff adds the prompt that asks Claude to write a handoff.
func addHandoff(s *mcp.Server) {
	const focus = "focus"
	s.AddPrompt(&mcp.Prompt{
		Name: "handoff", Title: "Write a handoff", Description: "Store where this session stands, for the next one.",
		Arguments: []*mcp.PromptArgument{{Name: focus, Description: "what the next session will be about"}},
	}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		text := handoffPrompt
		if about := strings.TrimSpace(req.Params.Arguments[focus]); about != "" {
			text += "\nThe next session will be about: " + about
		}
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}, nil
	})
}
