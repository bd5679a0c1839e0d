//go:build unix

package projects

import (
	"fmt"
	"os"
	"syscall"
)

// folderNumber returns what the file system calls a folder, which stays the same when it is
// renamed, or "".
func folderNumber(path string) string {
	fi, err := os.Stat(path)
	if err != nil {
		return ""
	}
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprintf("%d:%d", st.Dev, st.Ino)
	}
	return ""
}
