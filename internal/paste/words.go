package paste

// troubles are in the lines of a log, a trace or a build that say what went wrong, and
// noTroubles in those that only look so.
var (
	troubles = []string{
		"error", "exception", "fatal", "panic", "fail", "cannot", "can't", "could not", "couldn't", "unable to", "denied",
		"refused", "rejected", "timeout", "timed out", "not found", "no such", "undefined", "unresolved", "unexpected",
		"invalid", "missing", "mismatch", "conflict", "corrupt", "overflow", "out of memory", "killed", "aborted", "caused by",
		"unreachable", "deadlock", "fehler", "erreur", "échec", "fallo",
	}
	noTroubles = []string{"0 error", "0 fail", "no error", "error=null", "error=nil", "errors=0", "failed=0", "failures: 0", "error: null", "ignore"}
)

// pasteStarts begin lines that no person types.
var pasteStarts = []string{
	"```", "Traceback (", "Exception in thread", "Caused by:", "diff --git", "index ", "goroutine ", "INFO", "WARN", "ERROR", "DEBUG", "TRACE",
	"FATAL", "npm WARN", "npm ERR",
}
