package prompt

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
	"FATAL", "npm WARN", "npm ERR", "//", "/*", "#!", "#include ",
	"SELECT ", "FROM ", "JOIN ", "LEFT JOIN ", "WHERE ", "AND ", "ORDER BY ", "GROUP BY ", "INSERT ", "UPDATE ", "DELETE ", "CREATE ", "ALTER ",
}

// mailHeads are the names in the head of a mail, and mailLines stand above one.
var (
	mailHeads = []string{
		"from", "to", "cc", "date", "sent", "subject", "von", "an", "datum", "gesendet", "betreff", "de", "à", "envoyé", "objet", "para", "enviado", "asunto",
	}
	mailLines = []string{
		"forwarded message", "begin forwarded message", "original message", "weitergeleitete nachricht", "ursprüngliche nachricht", "message transféré", "mensaje reenviado",
	}
)
