package lease

import (
	"os"
	"strings"
)

func kernel() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return hostname()
	}
	return strings.TrimSpace(string(id))
}
