package daemon

import (
	"io"

	"recollect/internal/memory/secret"
)

// RedactedLog returns a writer for a log, whose lines it writes to w without their
// secrets: at debug level they quote prompts and paths.
func RedactedLog(w io.Writer) io.Writer { return redactedLog{w} }

type redactedLog struct{ to io.Writer }

func (l redactedLog) Write(line []byte) (int, error) {
	if _, err := io.WriteString(l.to, secret.Redact(string(line))); err != nil {
		return 0, err
	}
	return len(line), nil
}
