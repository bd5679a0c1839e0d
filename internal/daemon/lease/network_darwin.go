package lease

import "golang.org/x/sys/unix"

// fileSystem returns the name of dir's file system, "" if unknown.
func fileSystem(dir string) string {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return ""
	}
	return unix.ByteSliceToString(st.Fstypename[:])
}
