// Package logkey has the keys of the values in log lines, so that each has one spelling. Hooks do not
// link it, because they log nothing.
package logkey

// The keys.
const (
	Added       = "added" // memories
	Bytes       = "bytes"
	Cause       = "cause"   // an error that was handled
	Changed     = "changed" // memories
	Dir         = "dir"
	Dropped     = "dropped" // memories that a model invented
	Embedder    = "embedder"
	Error       = "error"
	Failed      = "failed" // whether a tool call failed
	File        = "file"
	From        = "from"
	Gone        = "gone" // memories that are only in the index
	Home        = "home"
	Injected    = "told" // memories; the first version used this key
	Line        = "line"
	Memories    = "memories"
	Project     = "project"
	Prompt      = "prompt"
	Route       = "route"
	Session     = "session"
	Socket      = "socket"
	Source      = "source"
	Stack       = "stack"
	Superseded  = "superseded" // memories
	To          = "to"
	Took        = "took" // time
	Tool        = "tool"
	Transcript  = "transcript"
	Transcripts = "transcripts"
	Turns       = "turns"
	Version     = "version"
)
