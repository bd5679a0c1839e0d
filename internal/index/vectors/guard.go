package vectors

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// A fault is the error for mapped memory that could not be read, because the file was truncated or the
// disk failed.
type fault struct{ cause error }

func (f fault) Error() string { return fmt.Sprintf("read mapped file: %v", f.cause) }

// guard calls f, which reads mapped memory, and returns a fault as an error. Otherwise a fault would end
// the process.
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		cause, ok := r.(runtime.Error)
		if _, mapped := r.(interface{ Addr() uintptr }); !ok || !mapped {
			panic(r)
		}
		err = fault{cause}
	}()
	return f()
}
