// Package logkey has the keys of the values in log lines, so that each is
// spelled in one way. Hooks do not link it: they log nothing.
package logkey

// The keys.
const (
	Added       = "added" // memories
	Bytes       = "bytes"
	Cause       = "cause"   // an error that was dealt with
	Changed     = "changed" // memories
	Dir         = "dir"
	Dropped     = "dropped" // memories that a model made up
	Embedder    = "embedder"
	Error       = "error"
	Failed      = "failed" // whether a tool call did
	File        = "file"
	From        = "from"
	Gone        = "gone" // memories that are in the index alone
	Home        = "home"
	Injected    = "told" // memories; the word is that of the first version
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
