package lease

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// fileSystem returns the name of dir's file system, "" if unknown.
func fileSystem(dir string) string {
	var st unix.Stat_t
	if unix.Stat(dir, &st) != nil {
		return ""
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return ""
	}
	return fileSystemOf(string(mounts), fmt.Sprintf("%d:%d", unix.Major(uint64(st.Dev)), unix.Minor(uint64(st.Dev))))
}

// fileSystemOf returns the name of a device's file system from lines such as
//
//	36 35 0:31 / /mnt/desk rw,relatime shared:1 - fuse.sshfs desk:/srv rw,user_id=1000
func fileSystemOf(mounts, device string) string {
	for line := range strings.Lines(mounts) {
		mount, source, _ := strings.Cut(line, " - ")
		fields, name := strings.Fields(mount), strings.Fields(source)
		if len(fields) > 2 && fields[2] == device && len(name) > 0 {
			return name[0]
		}
	}
	return ""
}
