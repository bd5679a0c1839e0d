package api

import (
	"context"
	"time"

	"recollect/internal/memory"
)

// Recollect asks for the memories that are relevant to a prompt.
func (c *Client) Recollect(ctx context.Context, p Prompt) (Recollection, error) {
	return call(ctx, c, RouteRecollect, p)
}

// Orient asks what to inject at the start of a session.
func (c *Client) Orient(ctx context.Context, s Session) (Recollection, error) {
	return call(ctx, c, RouteOrient, s)
}

// Tool asks for the memories that are relevant to a tool call.
func (c *Client) Tool(ctx context.Context, t ToolCall) (Recollection, error) {
	return call(ctx, c, RouteTool, t)
}

// Agent asks for the memories that are relevant to the task of a sub-agent.
func (c *Client) Agent(ctx context.Context, a Agent) (Recollection, error) {
	return call(ctx, c, RouteAgent, a)
}

// Flush asks to capture a transcript.
func (c *Client) Flush(ctx context.Context, f Flush) error {
	_, err := call(ctx, c, RouteFlush, f)
	return err
}

// Observe reports how a tool call ended.
func (c *Client) Observe(ctx context.Context, o Observation) error {
	_, err := call(ctx, c, RouteObserve, o)
	return err
}

// Health returns the state of the daemon.
func (c *Client) Health(ctx context.Context) (Health, error) {
	return call(ctx, c, RouteHealth, struct{}{})
}

// Search finds memories.
func (c *Client) Search(ctx context.Context, s Search) (SearchReply, error) {
	return call(ctx, c, RouteSearch, s)
}

// Explain shows how the recollection for a prompt comes about.
func (c *Client) Explain(ctx context.Context, p Prompt) (Explanation, error) {
	return call(ctx, c, RouteExplain, p)
}

// Memory returns one memory.
func (c *Client) Memory(ctx context.Context, id string) (Shown, error) {
	return call(ctx, c, RouteMemory, id)
}

// Expand returns several memories at once.
func (c *Client) Expand(ctx context.Context, e Expand) (Expanded, error) {
	return call(ctx, c, RouteExpand, e)
}

// Remember stores memories and returns once they are durable.
func (c *Client) Remember(ctx context.Context, r Remember) (Remembered, error) {
	return call(ctx, c, RouteRemember, r)
}

// Forget deletes a memory and returns it.
func (c *Client) Forget(ctx context.Context, id string) (memory.Memory, error) {
	return call(ctx, c, RouteForget, id)
}

// Import stores the memories in a file, or in the data of another program.
func (c *Client) Import(ctx context.Context, i Import) (Imported, error) {
	return call(ctx, c, RouteImport, i)
}

// Consolidate lets memories supersede similar or older ones, or reports which it would.
func (c *Client) Consolidate(ctx context.Context, in Consolidate) (Consolidated, error) {
	return call(ctx, c, RouteConsolidate, in)
}

// Export returns the page of all memories that begins after an id.
func (c *Client) Export(ctx context.Context, after string) (Export, error) {
	return call(ctx, c, RouteExport, Page{after})
}

// Stats returns the number of memories and how they were used since a time; the zero time
// means always.
func (c *Client) Stats(ctx context.Context, since time.Time) (Stats, error) {
	return call(ctx, c, RouteStats, Period{since})
}

// Recalls returns the outcomes of requests for memories.
func (c *Client) Recalls(ctx context.Context, a AskRecalls) (Recalls, error) {
	return call(ctx, c, RouteRecalls, a)
}

// Config returns the settings in force.
func (c *Client) Config(ctx context.Context) (ConfigReply, error) {
	return call(ctx, c, RouteConfig, struct{}{})
}

// Shutdown asks the daemon to finish its work and end.
func (c *Client) Shutdown(ctx context.Context) error {
	_, err := call(ctx, c, RouteShutdown, struct{}{})
	return err
}

// ForgetAll deletes the selected memories. When it returns, the logs no longer contain
// their words.
func (c *Client) ForgetAll(ctx context.Context, in Forget) (Forgotten, error) {
	return call(ctx, c, RouteForgetAll, in)
}

// Redact removes the secrets that this version recognizes from everything that is stored.
func (c *Client) Redact(ctx context.Context, in Redact) (Redacted, error) {
	return call(ctx, c, RouteRedact, in)
}

// Resume asks what would be injected at the start of a new session. Nothing is recorded;
// SessionID and Reason are ignored.
func (c *Client) Resume(ctx context.Context, s Session) (Recollection, error) {
	return call(ctx, c, RouteResume, s)
}

// Handoff writes the handoff of a session now, and returns it.
func (c *Client) Handoff(ctx context.Context, h Handoff) (Shown, error) {
	return call(ctx, c, RouteHandoff, h)
}

// List returns the newest memories of a source.
func (c *Client) List(ctx context.Context, l List) (Listing, error) {
	return call(ctx, c, RouteList, l)
}

// Graph returns the memories around an entity.
func (c *Client) Graph(ctx context.Context, a Around) (Graph, error) {
	return call(ctx, c, RouteGraph, a)
}

// IDs returns the ids that begin with b.Prefix.
func (c *Client) IDs(ctx context.Context, b Beginning) (Titles, error) {
	return call(ctx, c, RouteIDs, b)
}

// Backup writes an archive of everything that cannot be made again.
func (c *Client) Backup(ctx context.Context, b Backup) (BackedUp, error) {
	return call(ctx, c, RouteBackup, b)
}

// Timeline returns the newest memories before a moment.
func (c *Client) Timeline(ctx context.Context, m Moments) (Timeline, error) {
	return call(ctx, c, RouteTimeline, m)
}

// Projects returns how many memories each project has.
func (c *Client) Projects(ctx context.Context) (Projects, error) {
	return call(ctx, c, RouteProjects, struct{}{})
}

// Sessions returns the newest sessions into which memories were injected.
func (c *Client) Sessions(ctx context.Context, m Moments) (Sessions, error) {
	return call(ctx, c, RouteSessions, m)
}

// Session returns what was injected into a session.
func (c *Client) Session(ctx context.Context, id string) (SessionUse, error) {
	return call(ctx, c, RouteSession, id)
}

// Days returns the statistics of each day since a time; the zero time means always.
func (c *Client) Days(ctx context.Context, since time.Time) (Days, error) {
	return call(ctx, c, RouteDays, Period{since})
}
