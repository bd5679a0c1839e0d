//go:build unix

package trust

import (
	"io/fs"
	"os"
	"syscall"
)

// Ours reports whether a file belongs to the user of this process.
func Ours(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// ownerTrusted reports whether a file belongs to this user or to root.
func ownerTrusted(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && (int(st.Uid) == os.Geteuid() || st.Uid == 0)
}

// OpenToWriters reports whether others can write to a folder.
func OpenToWriters(fi fs.FileInfo) bool { return fi.Mode().Perm()&0o022 != 0 }
