// Package api is the protocol between the daemon and its clients: the routes
// and their types, where the socket lies, a client, and how the daemon is
// started when nobody answers.
//
// Every hook links this package, so it speaks HTTP/1.1 over net.Conn itself:
// net/http would cost each prompt a millisecond.
package api

import (
	"encoding/json"
	"time"

	"recollect/internal/memory"
)

// MaxBody is the size of the largest request body, in bytes.
const MaxBody = 1 << 20

// VersionHeader carries the sender's version in requests and replies alike,
// so that a newer client can replace an older daemon.
const VersionHeader = "Recollect-Version"

// A Prompt asks for what bears on it.
type Prompt struct {
	Event          string `json:"event"`
	Prompt         string `json:"prompt"`
	SessionID      string `json:"sessionId"`
	Cwd            string `json:"cwd"`
	TranscriptPath string `json:"transcriptPath,omitempty"`
}

// A Recollection is what is injected at a prompt or a session's start: the text for Claude
// and the memories it is made of.
type Recollection struct {
	Context   string     `json:"context"`
	Injected  []Injected `json:"bites"`
	Timestamp time.Time  `json:"timestamp"`
	Notice    string     `json:"notice,omitempty"` // one line for the user, not for Claude
	Allow     bool       `json:"allow,omitempty"`  // the tool call is one of our own that only read
}

// Injected is one memory of a recollection, as it was injected.
type Injected struct {
	ID         string        `json:"id"`
	Source     memory.Source `json:"source"`
	Text       string        `json:"bite"`
	Importance string        `json:"importance,omitempty"`
	Score      float64       `json:"score"`
	Tokens     int           `json:"tokens"` // that the text takes, estimated
}

// A Fallback is the recollection that a hook injects when the daemon does not
// answer. Terms are words of which the prompt must have at least one; none
// means that any prompt will do.
type Fallback struct {
	Recollection
	Terms []string `json:"terms,omitempty"`
}

// A Session asks for orientation. Reason is the source of Claude Code's
// SessionStart: startup, resume, clear, compact or fork.
type Session struct {
	SessionID      string `json:"sessionId"`
	TranscriptPath string `json:"transcriptPath,omitempty"` // shows where Claude Code keeps its own memory
	Cwd            string `json:"cwd"`
	Reason         string `json:"reason"`
}

// A ToolCall asks what bears on a tool call that is about to be made. Input is
// JSON and may be cut; AgentID is the sub-agent that makes it, or "".
type ToolCall struct {
	SessionID      string          `json:"sessionId"`
	AgentID        string          `json:"agentId,omitempty"`
	TranscriptPath string          `json:"transcriptPath,omitempty"`
	Cwd            string          `json:"cwd"`
	Tool           string          `json:"tool"`
	Input          json.RawMessage `json:"input,omitempty"`
}

// An Agent asks what bears on the task of a sub-agent that starts.
type Agent struct {
	SessionID string `json:"sessionId"`
	AgentID   string `json:"agentId"`
	AgentType string `json:"agentType"`
	Cwd       string `json:"cwd"`
}

// A Flush names a transcript that has grown, or is about to: LastReply is
// what Claude said last, which the transcript may not hold yet. Reason is the
// event: Stop, SubagentStop, PreCompact or SessionEnd.
type Flush struct {
	SessionID      string `json:"sessionId"`
	TranscriptPath string `json:"transcriptPath"`
	Cwd            string `json:"cwd"`
	Reason         string `json:"reason"`
	LastReply      string `json:"lastReply,omitempty"`
}

// An Observation says how a tool call ended, before the turn does: Error is
// empty where it went well. Input and Response are JSON and may be cut; what
// is kept of the call comes from the transcript.
type Observation struct {
	SessionID      string          `json:"sessionId"`
	TranscriptPath string          `json:"transcriptPath"`
	Cwd            string          `json:"cwd"`
	Tool           string          `json:"tool"`
	Input          json.RawMessage `json:"input,omitempty"`
	Response       json.RawMessage `json:"response,omitempty"`
	Error          string          `json:"error,omitempty"`
}

// IndexReady is the state of an index that has every memory.
const IndexReady = "ready"

// Health is what the daemon says of itself. Index is IndexReady, or says what
// the index is doing; Embedder does so for the vectors, after the embedder's
// kind.
type Health struct {
	Status   string                `json:"status"`
	PID      int                   `json:"pid"`
	Uptime   string                `json:"uptime"`
	Version  string                `json:"version"`
	Home     string                `json:"home"`
	Memories int                   `json:"memories"`
	Sources  map[memory.Source]int `json:"sources"`
	Index    string                `json:"index"`
	Indexed  int                   `json:"indexed"`
	Embedder string                `json:"embedder"`
	Embedded int                   `json:"embedded"`                  // memories that have a vector
	Problems []string              `json:"problems,omitempty"`        // unreadable lines, mistakes in settings, an embedder that fails
	Details  []Problem             `json:"problem_details,omitempty"` // of the same problems, in the same order
}

// A Problem is something that a user should know of the daemon.
type Problem struct {
	Kind ProblemKind `json:"kind"`
	Text string      `json:"text"` // without what its kind says
}

// A ProblemKind says what a problem is with. There may be others in later
// versions.
type ProblemKind string

// The kinds of problems.
const (
	SettingsProblem  ProblemKind = "settings"  // a mistake in the settings: the last good ones are in force
	IndexProblem     ProblemKind = "index"     // the search index does not follow the store
	EmbedderProblem  ProblemKind = "embedder"  // the vectors are not kept up
	ExtractorProblem ProblemKind = "extractor" // a model did not read a session
	LogProblem       ProblemKind = "log"       // a line of a log cannot be read
)

// AddProblem adds a problem; prefix is what stands before its text in the list
// of Problems.
func (h *Health) AddProblem(kind ProblemKind, prefix, text string) {
	h.Problems = append(h.Problems, prefix+text)
	h.Details = append(h.Details, Problem{kind, text})
}

// A Found is one result of a search.
type Found struct {
	Memory    memory.Memory `json:"memory"`
	Relevance float64       `json:"relevance"`
	Score     float64       `json:"score"`
}

// SearchReply is the answer to a search, best first. The explanation is there
// when it was asked for.
type SearchReply struct {
	Results     []Found      `json:"results"`
	Explanation *Explanation `json:"explanation,omitempty"`
}

// Remember asks to store memories; Remembered names them once they are
// durable.
type Remember struct {
	Memories []memory.Memory `json:"memories"`
	Cwd      string          `json:"cwd,omitempty"` // where a memory without a project belongs
}

// Remembered lists the ids of what was stored, in order.
type Remembered struct {
	IDs []string `json:"ids"`
}

// Import names one file to take memories from, or what another program keeps
// at Path, From being the program.
type Import struct {
	Path string `json:"path"`
	From string `json:"from,omitempty"`
}

// Imported says what an import did.
type Imported struct {
	Turns     int `json:"turns"`     // read
	Records   int `json:"records"`   // of another program, read
	Added     int `json:"added"`     // new memories
	Changed   int `json:"changed"`   // memories that were there and are not as they were
	Unchanged int `json:"unchanged"` // memories that were there already
	Forgotten int `json:"forgotten"` // memories that were deleted before and stay so
	Skipped   int `json:"skipped"`   // unreadable lines
}

// Add counts in what else was imported.
func (i *Imported) Add(more Imported) {
	i.Turns += more.Turns
	i.Records += more.Records
	i.Added += more.Added
	i.Changed += more.Changed
	i.Unchanged += more.Unchanged
	i.Forgotten += more.Forgotten
	i.Skipped += more.Skipped
}

// Consolidate asks to join memories that say the same and to let newer ones
// supersede older ones on their subject. DryRun only says what that would do.
type Consolidate struct {
	DryRun bool `json:"dryRun"`
}

// Consolidated says what was done.
type Consolidated struct {
	Merges []Merge `json:"merges"`
}

// A Merge is a memory that has come to supersede another.
type Merge struct {
	ID       string        `json:"id"`
	Title    string        `json:"title"`
	OldID    string        `json:"old_id"`
	OldTitle string        `json:"old_title"`
	Source   memory.Source `json:"source"`
	Project  string        `json:"project"`
	Same     bool          `json:"same"` // it says the same; else it is newer on the same subject
}

// A Shown memory comes with the one that supersedes it and with the name of
// the rule that made it, if any.
type Shown struct {
	memory.Memory
	SupersededBy string `json:"superseded_by,omitempty"`
	Rule         string `json:"rule,omitempty"`
}

// Expand asks for memories by their ids.
type Expand struct {
	IDs []string `json:"ids"`
}

// Expanded has the memories that there are, in the order they were asked for.
type Expanded struct {
	Memories []Shown  `json:"memories"`
	Missing  []string `json:"missing,omitempty"` // ids that no memory has
}

// Export is one page of all memories. Next is the last id in it, which the
// page after it begins behind, "" at the end.
type Export struct {
	Memories []memory.Memory `json:"memories"`
	Next     string          `json:"next"`
}

// An Explanation shows how the recollection for a prompt came about, or the
// results of a search.
type Explanation struct {
	Prompt     string         `json:"prompt"`
	Project    memory.Project `json:"project"`
	Skipped    string         `json:"skipped,omitempty"` // why nothing was looked for
	Retrievers []Retriever    `json:"retrievers"`
	Times      []Window       `json:"times,omitempty"` // that the prompt names
	Latest     bool           `json:"latest"`          // it asks for what happened last
	Terms      []Term         `json:"terms"`
	Pairs      []string       `json:"pairs,omitempty"` // neighbouring terms that were looked for as such
	Share      float64        `json:"share"`           // what every relevance is multiplied by: less than 1 where the words are those of the prompt before
	Ranker     string         `json:"ranker"`
	Threshold  float64        `json:"threshold"`
	Candidates []Candidate    `json:"candidates"` // by score; those that a gate held back last
	Tokens     int            `json:"tokens"`
	Budget     int            `json:"budget"`
	Context    string         `json:"context"`
	Index      string         `json:"index"`
}

// A Retriever is one way to find memories: bm25 by words, vector by meaning.
type Retriever struct {
	Name     string `json:"name"`
	Embedder string `json:"embedder,omitempty"` // the kind that made the vectors
	State    string `json:"state"`              // one of those below, or the error that left it out
	Found    int    `json:"found"`              // memories
}

// States of a retriever that has not failed.
const (
	RetrieverReady  = "ready"
	RetrieverUnused = "not in use"
)

// A Window is a stretch of time: From is part of it, To is not.
type Window struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// A Term is one word that was looked for.
type Term struct {
	Text     string   `json:"text"`
	IDF      float64  `json:"idf"`
	Weight   float64  `json:"weight"`
	Memories int      `json:"memories"` // that have the term itself
	Synonyms []string `json:"synonyms,omitempty"`
}

// A Candidate is one memory that retrieval found, with what became of it. The
// parts of its relevance are the features, largest part first, and then the
// bias. They sum up to z, and the relevance is Share/(1 + exp(−z)).
type Candidate struct {
	ID         string        `json:"id"`
	Source     memory.Source `json:"source"`
	Project    string        `json:"project"`
	Title      string        `json:"title"`
	Age        string        `json:"age"`
	BM25       float64       `json:"bm25"`
	BM25Rank   int           `json:"bm25_rank"`   // from 1; 0 where the words did not find it
	Cosine     float64       `json:"cosine"`      // of prompt and memory; 0 where it has no vector
	VectorRank int           `json:"vector_rank"` // from 1; 0 where the vectors did not find it
	Embedded   bool          `json:"embedded"`    // it has a vector
	Matched    []string      `json:"matched"`
	Relevance  float64       `json:"relevance"`
	Parts      []Factor      `json:"parts,omitempty"`
	Required   float64       `json:"required"` // the relevance its source and project ask for
	Score      float64       `json:"score"`
	Factors    []Factor      `json:"factors,omitempty"`
	Tokens     int           `json:"tokens"`
	Outcome    string        `json:"outcome"`        // one of those below, or why it was held back
	Rule       string        `json:"rule,omitempty"` // the name of the rule that made the memory
}

// What becomes of a candidate. The values are part of the protocol and older
// than the names. Other outcomes are sentences that say why a candidate was
// held back.
const (
	OutcomeInjected   = "told"                               // whole
	OutcomeHeading    = "told in short"                      // injected, its heading alone
	OutcomeFound      = "found"                              // among the results of a search
	OutcomeTooLow     = "relevance below"                    // what it needs follows
	OutcomeSuperseded = "superseded by"                      // by what follows
	OutcomeAlready    = "told in this session already"       // and not worth a second time
	OutcomeNotBefore  = "was not told before the compaction" // after which only what was injected before comes again
)

// A Factor is one step of a score.
type Factor struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
}

// ConfigReply is the settings in force, as TOML, and what keeps newer ones
// from being so.
type ConfigReply struct {
	TOML    string `json:"toml"`
	Problem string `json:"problem,omitempty"`
}

// Failure is the body of every reply that is an error.
type Failure struct {
	Error string `json:"error"`
}
