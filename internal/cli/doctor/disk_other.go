//go:build !linux && !darwin && !freebsd && !windows

package doctor

import "io/fs"

// openToOthers reports whether other users can enter or read a file or folder.
func openToOthers(fi fs.FileInfo) bool { return fi.Mode().Perm()&0o077 != 0 }

// freeSpace returns -1, because it is unknown here.
func freeSpace(string) int64 { return -1 }
