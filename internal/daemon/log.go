package daemon

import (
	"io"

	"recollect/internal/memory/secret"
)

// RedactedLog returns a writer that removes secrets from the lines of a log and writes
// them to w. At debug level the lines quote prompts and paths.
func RedactedLog(w io.Writer) io.Writer { return redactedLog{w} }

type redactedLog struct{ to io.Writer }

func (l redactedLog) Write(line []byte) (int, error) {
	if _, err := io.WriteString(l.to, secret.Redact(string(line))); err != nil {
		return 0, err
	}
	return len(line), nil
}
