package durable

import (
	"errors"
	"fmt"
	"os"

	"recollect/internal/system/regular"
)

// AppendLines appends whole lines to a file of lines, which is made if there is none. If torn is set, the last line of the
// file has no end and gets one first; after an error it is set, because nobody knows how much was written.
func AppendLines(path string, lines []byte, torn *bool) error {
	f, err := regular.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if *torn {
		lines = append([]byte{'\n'}, lines...)
	}
	_, err = f.Write(lines)
	*torn = err != nil
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("append: %w", err)
	}
	return nil
}
