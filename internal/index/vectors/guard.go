package vectors

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// A fault says that mapped memory could not be read: somebody cut the file, or
// the disk failed.
type fault struct{ cause error }

func (f fault) Error() string { return fmt.Sprintf("read mapped file: %v", f.cause) }

// guard calls f, which reads mapped memory, and returns a fault as an error:
// otherwise it would end the process.
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
