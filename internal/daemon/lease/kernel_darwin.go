package lease

import "golang.org/x/sys/unix"

func kernel() string {
	id, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return hostname()
	}
	return id
}
