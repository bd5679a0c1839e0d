package trust

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// lookAt is the variable that makes the test executable a process that says whether a file is its own.
const lookAt = "TEST_LOOK_AT"

func TestMain(m *testing.M) {
	path := os.Getenv(lookAt)
	if path == "" {
		os.Exit(m.Run())
	}
	fi, err := os.Lstat(path)
	if err != nil {
		fmt.Print(err)
		return
	}
	fmt.Print(Ours(fi), " ", Foreign(path), " ", IsUser(uint32(os.Geteuid())))
}

// A user namespace that has no numbers for users shows all of them as one: that two have this number
// says nothing. One that has a number for the user, as containers have, says who is who.
func TestUserNamespace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path)
	for _, tt := range []struct {
		name string
		maps []syscall.SysProcIDMap
		want string
	}{
		{"no numbers", nil, "false true false"},
		{"the user as root", []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}, "true false true"},
		{"the user as another", []syscall.SysProcIDMap{{ContainerID: 1000, HostID: os.Geteuid(), Size: 1}}, "true false true"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), lookAt+"="+path)
			cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER, UidMappings: tt.maps}
			out, err := cmd.Output()
			if err != nil {
				t.Skip("no user namespace can be made here: ", err)
			}
			if string(out) != tt.want {
				t.Errorf("its own, foreign, the user: %s, want %s", out, tt.want)
			}
		})
	}
}
