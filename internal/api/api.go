// Package api is the protocol between the daemon and its clients: the routes and their
// types, the paths of the socket and other shared files, and a client, which starts the
// daemon if none answers.
//
// Every hook links this package, so it implements HTTP/1.1 over a socket itself: net/http
// would cost each prompt a millisecond.
package api

import (
	"encoding/json"
	"strings"
	"time"

	"recollect/internal/memory"
)

// MaxBody is the size of the largest request body, in bytes.
const MaxBody = 1 << 20

// VersionHeader carries the sender's version, in requests and replies, so that
// a newer client can replace an older daemon.
const VersionHeader = "Recollect-Version"

// A Prompt asks for the memories that are relevant to it.
type Prompt struct {
	Event          string `json:"event"`
	Prompt         string `json:"prompt"`
	SessionID      string `json:"sessionId"`
	Cwd            string `json:"cwd"`
	TranscriptPath string `json:"transcriptPath,omitempty"`
	PromptID       string `json:"promptId,omitempty"` // by which later events of the session name it

	// Only Explain reads these. Project, a name or path, restricts it to the memories of a
	// project. Own is a session whose memories are held back, as if the prompt had been typed
	// in it. Settings is TOML that overrides the settings.
	Project  string `json:"project,omitempty"`
	Own      string `json:"own,omitempty"`
	Settings string `json:"settings,omitempty"`

	Incognito bool `json:"incognito,omitempty"` // nothing of the session is captured, now or later
}

// A Recollection is the text that is injected at an event, with the memories in it.
type Recollection struct {
	Context   string     `json:"context"`
	Injected  []Injected `json:"bites"`
	Timestamp time.Time  `json:"timestamp"`
	Notice    string     `json:"notice,omitempty"` // one line for the user, not for Claude
	Allow     bool       `json:"allow,omitempty"`  // the call is of one of our own tools, which only reads
	Guard     string     `json:"guard,omitempty"`  // ask or deny: what a guard does with the call
	Reason    string     `json:"reason,omitempty"` // of the guard, in one line
}

// Injected is one memory of a recollection.
type Injected struct {
	ID         string        `json:"id"`
	Source     memory.Source `json:"source"`
	Text       string        `json:"bite"`
	Importance string        `json:"importance,omitempty"`
	Score      float64       `json:"score"`
	Relevance  float64       `json:"relevance,omitempty"` // to the prompt; 0 if it is injected for another reason
	Tokens     int           `json:"tokens"`              // estimated: its text, and its part of the frame around all
}

// A Fallback is a recollection that a hook injects when the daemon does not answer, if the
// prompt contains one of Terms or there are none.
type Fallback struct {
	Recollection
	Terms []string `json:"terms,omitempty"`
}

// A Session asks what to inject at the start of a session. Reason is the source of Claude
// Code's SessionStart: startup, resume, clear, compact or fork.
type Session struct {
	SessionID      string `json:"sessionId"`
	TranscriptPath string `json:"transcriptPath,omitempty"` // shows where Claude Code keeps its own memory
	Cwd            string `json:"cwd"`
	Reason         string `json:"reason"`
	Incognito      bool   `json:"incognito,omitempty"` // nothing of the session is captured, now or later
	Clean          bool   `json:"clean,omitempty"`     // nothing is injected
	Tokens         int    `json:"tokens,omitempty"`    // in the context of a session that is resumed or forked; 0 if unknown
}

// GuardsFile is the name of the file in the data folder that has the guards.
const GuardsFile = "guards.json"

// A ToolCall asks for the memories that are relevant to a tool call that is about to be
// made. Input is JSON and may be cut; AgentID is the sub-agent that makes the call, or "".
type ToolCall struct {
	SessionID      string          `json:"sessionId"`
	AgentID        string          `json:"agentId,omitempty"`
	TranscriptPath string          `json:"transcriptPath,omitempty"`
	Cwd            string          `json:"cwd"`
	Tool           string          `json:"tool"`
	Input          json.RawMessage `json:"input,omitempty"`
	Incognito      bool            `json:"incognito,omitempty"` // nothing of the session is captured, now or later
	Clean          bool            `json:"clean,omitempty"`     // nothing is injected into the session, but guards hold
	UseID          string          `json:"useId,omitempty"`     // of the call in the transcript
	PromptID       string          `json:"promptId,omitempty"`  // of the prompt that the call belongs to
}

// An Agent asks for the memories that are relevant to the task of a sub-agent that starts.
type Agent struct {
	SessionID string `json:"sessionId"`
	AgentID   string `json:"agentId"`
	AgentType string `json:"agentType"`
	Cwd       string `json:"cwd"`
	Incognito bool   `json:"incognito,omitempty"` // nothing of the session is captured, now or later
}

// A Flush asks to capture a transcript that has grown. LastReply is Claude's last reply,
// which the transcript may not contain yet. Reason is the event: Stop, SubagentStop,
// PreCompact or SessionEnd.
type Flush struct {
	SessionID      string `json:"sessionId"`
	TranscriptPath string `json:"transcriptPath"`
	Cwd            string `json:"cwd"`
	Reason         string `json:"reason"`
	LastReply      string `json:"lastReply,omitempty"`
	Incognito      bool   `json:"incognito,omitempty"` // nothing of the session is captured, now or later
}

// An Observation reports how a tool call ended, before the turn ends. Error is "" if the
// call succeeded. Input and Response are JSON and may be cut, because capture reads the
// call from the transcript.
type Observation struct {
	SessionID      string          `json:"sessionId"`
	TranscriptPath string          `json:"transcriptPath"`
	Cwd            string          `json:"cwd"`
	Tool           string          `json:"tool"`
	Input          json.RawMessage `json:"input,omitempty"`
	Response       json.RawMessage `json:"response,omitempty"`
	Error          string          `json:"error,omitempty"`
	Incognito      bool            `json:"incognito,omitempty"` // nothing of the session is captured, now or later
}

// IndexReady is the state of an index that has every memory.
const IndexReady = "ready"

// Health is the state of the daemon. Index and Embedder are texts for people; programs
// read the other fields. Index is IndexReady or what the index is doing. Embedder is the
// embedder's kind and what it is doing.
type Health struct {
	Status     string                `json:"status"`
	PID        int                   `json:"pid"`
	Uptime     string                `json:"uptime"`
	Version    string                `json:"version"`
	Home       string                `json:"home"`
	Memories   int                   `json:"memories"`
	Sources    map[memory.Source]int `json:"sources"`
	Pending    int                   `json:"pending,omitempty"`    // memories that wait for review, not counted above
	Candidates int                   `json:"candidates,omitempty"` // memories that do not stand yet, not counted above
	Index      string                `json:"index"`
	Indexed    int                   `json:"indexed"`
	Embedder   string                `json:"embedder"`
	Embedded   int                   `json:"embedded"` // memories that have a vector

	EmbedderReady bool      `json:"embedder_ready,omitempty"` // no vector is missing
	Indexing      *Progress `json:"indexing,omitempty"`       // of the index, while memories are missing in it
	Embedding     *Progress `json:"embedding,omitempty"`      // of the vectors, while some are missing

	Past      *PastSessions `json:"past,omitempty"`      // nil if there were none, or the user imported them
	Opening   bool          `json:"opening,omitempty"`   // the store is being opened: no number is known yet
	Waiting   int           `json:"waiting,omitempty"`   // transcripts that are yet to be read
	Imports   int           `json:"imports,omitempty"`   // files that are being imported
	Paused    []PauseState  `json:"paused,omitempty"`    // the pauses that last
	Incognito int           `json:"incognito,omitempty"` // incognito sessions
	Learned   *Habits       `json:"learned,omitempty"`   // from what was used; nil if nothing was injected yet, or recall.learn is off
	Skipped   int           `json:"skipped,omitempty"`   // turns that this version cannot read

	SkippedTurns []SkippedTurn `json:"skipped_turns,omitempty"` // the same turns, the latest first
	// TeamServer is the state of the team's server, "" if none is used.
	TeamServer string    `json:"team_server,omitempty"`
	Problems   []string  `json:"problems,omitempty"`        // unreadable lines, mistakes in settings, an embedder that fails
	Details    []Problem `json:"problem_details,omitempty"` // the same problems, in the same order
}

// PastSessions are the sessions from before recollect was installed. State is asked (they
// were found, and "recollect import" can read them), running (they are being imported in
// the background) or done. Later versions may have other states.
type PastSessions struct {
	State    string `json:"state"`
	Folder   string `json:"folder"`
	Sessions int    `json:"sessions"`
	Files    int    `json:"files"` // transcripts, including those of sub-agents
	Done     int    `json:"done"`  // files that were read
	Added    int    `json:"added"` // memories
}

// States of the past sessions.
const (
	PastAsked   = "asked"
	PastRunning = "running"
	PastDone    = "done"
)

// A SkippedTurn is a turn of a transcript that recollect cannot read because of a mistake of
// its own. The same version does not try it again.
type SkippedTurn struct {
	Session string    `json:"session,omitempty"`
	Path    string    `json:"path"`
	Line    int       `json:"line,omitempty"` // where the turn begins; 0 for a whole file
	Reason  string    `json:"reason"`
	At      time.Time `json:"at"`
}

// A Problem is something wrong with the daemon that a user should know.
type Problem struct {
	Kind  ProblemKind `json:"kind"`
	Text  string      `json:"text"` // without the prefix for its kind
	Cause Cause       `json:"cause,omitempty"`
}

// A ProblemKind is the part of the daemon that has a problem. Later versions may have
// other kinds.
type ProblemKind string

// The kinds of problems.
const (
	SettingsProblem    ProblemKind = "settings"     // a mistake in the settings: the last good ones are in force
	IndexProblem       ProblemKind = "index"        // the search index is not up to date
	MemoryIndexProblem ProblemKind = "memory_index" // the search index cannot be stored, so every daemon makes it again
	EmbedderProblem    ProblemKind = "embedder"     // the vectors are not up to date
	ExtractorProblem   ProblemKind = "extractor"    // a model did not read a session
	ReaderProblem      ProblemKind = "reader"       // a model did not choose what answers a prompt
	StateProblem       ProblemKind = "state"        // a newer version wrote a file, which is left alone
	RepositoryProblem  ProblemKind = "repository"   // something in a .recollect.toml is refused
	TeamProblem        ProblemKind = "team"         // a file that the team shares is left out
	SyncProblem        ProblemKind = "sync"         // the last synchronization in the background failed
	ServerProblem      ProblemKind = "team_server"  // the team's server cannot be reached, or refuses something
	LogProblem         ProblemKind = "log"          // a log, or a line of one, cannot be read
	CaptureProblem     ProblemKind = "capture"      // a turn cannot be read, and is left out
)

// AddProblem adds a problem; prefix stands before its text in Problems.
func (h *Health) AddProblem(kind ProblemKind, prefix, text string) {
	h.Problems = append(h.Problems, prefix+text)
	h.Details = append(h.Details, Problem{Kind: kind, Text: text})
}

// AddProblemOf adds a problem with its cause.
func (h *Health) AddProblemOf(kind ProblemKind, cause Cause, text string) {
	h.Problems = append(h.Problems, text)
	h.Details = append(h.Details, Problem{kind, text, cause})
}

// A Progress counts the memories that are done, and all.
type Progress struct {
	Done int `json:"done"`
	All  int `json:"all"`
}

// Remember asks to store memories.
type Remember struct {
	Memories []memory.Draft `json:"memories"`
	Cwd      string         `json:"cwd,omitempty"` // gives its project to a memory without one

	// Read stores what states a wish or a decision in a single sentence as such, not in the inbox.
	Read bool `json:"read,omitempty"`

	// Restore stores memories that existed before and were edited or brought back. They keep
	// their times, and get no project if they had none.
	Restore bool `json:"restore,omitempty"`
}

// Remembered lists the ids of the memories in order, once they are durable, and counts the
// secrets of each kind that were removed from them.
type Remembered struct {
	IDs      []string       `json:"ids"`
	Redacted map[string]int `json:"redacted,omitempty"`
}

// Import asks to import the file of memories at Path, or the data of the program From at
// Path.
type Import struct {
	Path string `json:"path"`
	From string `json:"from,omitempty"`
}

// Imported counts what an import did.
type Imported struct {
	Turns     int `json:"turns"`     // read
	Records   int `json:"records"`   // read, of another program
	Added     int `json:"added"`     // new memories
	Changed   int `json:"changed"`   // memories that existed and were changed
	Unchanged int `json:"unchanged"` // memories that existed already
	Forgotten int `json:"forgotten"` // memories that were forgotten before and are not stored again
	Skipped   int `json:"skipped"`   // unreadable lines

	// Unreadable counts the turns, records and files that could not be read. Unread
	// names the first of them and the reason, one a line.
	Unreadable int    `json:"unreadable"`
	Unread     string `json:"unread,omitempty"`

	// Left says what was left out of a file and why; "" if nothing was, and in sums.
	Left string `json:"left,omitempty"`
}

// Add adds the counts of another import.
func (i *Imported) Add(more Imported) {
	i.Turns += more.Turns
	i.Records += more.Records
	i.Added += more.Added
	i.Changed += more.Changed
	i.Unchanged += more.Unchanged
	i.Forgotten += more.Forgotten
	i.Skipped += more.Skipped
	i.Unreadable += more.Unreadable
	i.Unread = strings.Trim(i.Unread+"\n"+more.Unread, "\n")
}

// Shown is a memory with the id of the memory that supersedes it and the name of the rule
// that made it, if any.
type Shown struct {
	memory.Memory
	SupersededBy string   `json:"superseded_by,omitempty"`
	Rule         string   `json:"rule,omitempty"`
	Decisions    []string `json:"decisions,omitempty"` // of a handoff: the decisions of its session, each with its id
	Story        []Step   `json:"story,omitempty"`     // what happened to it, in order; only of a memory that was asked for by its id
	Verdict      string   `json:"verdict,omitempty"`   // what the owner said of it; likewise
}

// A Step is something that happened to a memory.
type Step struct {
	At   time.Time `json:"at,omitzero"` // zero if that is not known
	What string    `json:"what"`
	ID   string    `json:"id,omitempty"` // of the other memory that it is about
}

// Expand asks for memories by their ids.
type Expand struct {
	IDs []string `json:"ids"`
}

// Expanded lists the memories that exist, in the order of the request.
type Expanded struct {
	Memories []Shown  `json:"memories"`
	Missing  []string `json:"missing,omitempty"` // ids that no memory has
}

// Export is one page of all memories. Next is the id after which the next page begins, ""
// on the last page.
type Export struct {
	Memories []memory.Memory `json:"memories"`
	Next     string          `json:"next"`
}

// An Explanation shows how the recollection for a prompt, or the results of a
// search, came about.
type Explanation struct {
	Prompt     string         `json:"prompt"`
	Project    memory.Project `json:"project"`
	Settings   string         `json:"settings_problem,omitempty"` // mistakes for which older settings are in force
	Skipped    string         `json:"skipped,omitempty"`          // why there was no search
	Silenced   string         `json:"silenced,omitempty"`         // why the hook injects nothing in spite of the candidates
	Past       string         `json:"past,omitempty"`             // what the prompt asks about past work
	Retrievers []Retriever    `json:"retrievers"`
	Times      []Window       `json:"times,omitempty"` // named in the prompt
	Latest     bool           `json:"latest"`          // the prompt asks for what happened last
	Terms      []Term         `json:"terms"`
	Pairs      []string       `json:"pairs,omitempty"` // neighbouring terms that were searched for as a pair
	Share      float64        `json:"share"`           // factor of every relevance: less than 1 if the terms are those of the previous prompt
	Ranker     string         `json:"ranker"`
	Threshold  float64        `json:"threshold"`
	Worth      *Worth         `json:"worth,omitempty"` // saying something; nil where that was not asked
	Candidates []Candidate    `json:"candidates"`      // by score; those that a gate held back last
	Tokens     int            `json:"tokens"`
	Budget     int            `json:"budget"`
	Context    string         `json:"context"`
	Index      string         `json:"index"`
	Session    *SessionState  `json:"session,omitempty"` // the session that the prompt was explained for
}

// Worth says how likely a prompt is to need something of earlier sessions, whatever is relevant to it.
type Worth struct {
	Value    float64  `json:"value"`            // probability
	Required float64  `json:"required"`         // from which on several statements are injected
	Shared   []string `json:"shared,omitempty"` // words that prompt and memories share and that nobody said in the session
	Parts    []Factor `json:"parts,omitempty"`
	Learned  *Habits  `json:"learned,omitempty"` // that changed it
}

// A SessionState is what recollect knows of a session, on which the next prompt depends.
type SessionState struct {
	ID         string   `json:"id"`
	LastPrompt string   `json:"last_prompt"`
	Injected   []string `json:"injected"`         // ids of the memories in its context
	Chosen     []string `json:"chosen,omitempty"` // those of them that a model of the user's chose
	Passed     []string `json:"passed"`           // ids of the memories that passed the gates at the last prompt, in order of rank
}

// A Retriever is one way to find memories: bm25 by words, vector by meaning.
type Retriever struct {
	Name     string `json:"name"`
	Embedder string `json:"embedder,omitempty"` // kind of the embedder that made the vectors
	State    string `json:"state"`              // one of those below, or the error for which it was left out
	Found    int    `json:"found"`              // memories
}

// States of a retriever that has not failed.
const (
	RetrieverReady  = "ready"
	RetrieverUnused = "not in use"
)

// A Window is a span of time, which includes From but not To.
type Window struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// A Term is one word of the query.
type Term struct {
	Text     string   `json:"text"`
	IDF      float64  `json:"idf"`
	Weight   float64  `json:"weight"`
	Memories int      `json:"memories"` // number of memories with the term itself
	Synonyms []string `json:"synonyms,omitempty"`
}

// A Candidate is one memory that retrieval found, with its outcome. Parts are the parts of
// its relevance: the features, largest part first, and then the bias. The sum of value ×
// weight is z, and the relevance, in [0, 1], is Share/(1 + exp(−z)).
type Candidate struct {
	ID         string        `json:"id"`
	Source     memory.Source `json:"source"`
	Project    string        `json:"project"`
	Title      string        `json:"title"`
	Age        string        `json:"age"`
	BM25       float64       `json:"bm25"`
	BM25Rank   int           `json:"bm25_rank"`   // from 1; 0 if bm25 did not find it
	Cosine     float64       `json:"cosine"`      // of prompt and memory; 0 if it has no vector
	VectorRank int           `json:"vector_rank"` // from 1; 0 if vector did not find it
	Embedded   bool          `json:"embedded"`    // it has a vector
	Matched    []string      `json:"matched"`
	Bears      string        `json:"bears,omitempty"` // the activity that the prompt asks for and the memory is about
	Relevance  float64       `json:"relevance"`
	Parts      []Factor      `json:"parts,omitempty"`
	Required   float64       `json:"required"` // least relevance for its source and project
	Score      float64       `json:"score"`
	Factors    []Factor      `json:"factors,omitempty"`
	Tokens     int           `json:"tokens"`
	Outcome    string        `json:"outcome"`        // one of those below, or why it was held back
	Rule       string        `json:"rule,omitempty"` // the name of the rule that made the memory
}

// The outcomes of a candidate. Their values are part of the protocol and older than the
// names. Other outcomes are sentences that say why a candidate was held back.
const (
	OutcomeInjected    = "told"                                     // injected whole
	OutcomeNotExamined = "less relevant than others at first sight" // so that a prompt does not look at it closely
	OutcomeHeading     = "told in short"                            // injected as its heading alone
	OutcomeBrief       = "told by the brief of its session"         // its content is in the injected brief
	OutcomeFound       = "found"                                    // among the results of a search
	OutcomeTooLow      = "relevance below"                          // the required relevance follows
	OutcomeSuperseded  = "superseded by"                            // the id of the newer memory follows
	OutcomeAlready     = "told in this session already"             // held back, as it is in the context
	OutcomeNotNeeded   = "nothing is needed"                        // held back, as the prompt needs nothing of earlier sessions
	OutcomeNotBefore   = "was not told before the compaction"       // held back, as only what was in the context is injected again
)

// A Factor is one step of a score.
type Factor struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
}

// ConfigReply has the settings in force, as TOML, and the mistake that keeps newer ones from
// being used, if any.
type ConfigReply struct {
	TOML    string `json:"toml"`
	Problem string `json:"problem,omitempty"`
}

// Failure is the body of a reply that is an error.
type Failure struct {
	Error string `json:"error"`
	Cause Cause  `json:"cause,omitempty"`
}
