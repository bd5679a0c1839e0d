//go:build windows

package doctor

import (
	"io/fs"

	"golang.org/x/sys/windows"
)

// openToOthers is always false: the mode says nothing on Windows, and the
// access list of the user's folder keeps others out.
func openToOthers(fs.FileInfo) bool { return false }

// freeSpace returns how many bytes a user can still write to the disk of dir,
// or -1.
func freeSpace(dir string) int64 {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return -1
	}
	var free uint64
	if windows.GetDiskFreeSpaceEx(path, &free, nil, nil) != nil {
		return -1
	}
	return int64(free)
}
