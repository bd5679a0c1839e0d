//go:build unix

package trust

import (
	"io/fs"
	"syscall"
)

// IsUser reports whether uid is the user of this process or root.
func IsUser(uid uint32) bool { return uid == 0 || isUser(uid) }

// Ours reports whether a file belongs to the user of this process.
func Ours(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && isUser(st.Uid)
}

// ownerTrusted reports whether a file belongs to this user or to root.
func ownerTrusted(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && IsUser(st.Uid)
}

// OpenToWriters reports whether others can write to a folder.
func OpenToWriters(fi fs.FileInfo) bool { return fi.Mode().Perm()&0o022 != 0 }
