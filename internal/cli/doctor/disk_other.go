//go:build !linux && !darwin && !freebsd && !windows

package doctor

import "io/fs"

// openToOthers reports a folder that other users can enter or read.
func openToOthers(fi fs.FileInfo) bool { return fi.Mode().Perm()&0o077 != 0 }

// freeSpace is not known.
func freeSpace(string) int64 { return -1 }
