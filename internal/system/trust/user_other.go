//go:build unix && !linux

package trust

import "os"

// isUser reports whether uid is the user of this process.
func isUser(uid uint32) bool { return int(uid) == os.Geteuid() }
