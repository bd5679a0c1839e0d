package lease

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// flockResult is the variable that makes the test executable a process in which flock does nothing
// but return a number, as on file systems without locks.
const flockResult = "TEST_FLOCK_RESULT"

func TestMain(m *testing.M) {
	switch result := os.Getenv(flockResult); result {
	case "":
		os.Exit(m.Run())
	case "ENOLCK":
		withoutLocks(uint32(unix.ENOLCK))
	default:
		withoutLocks(0)
	}
	if err := Locks(os.Args[1]); err != nil {
		os.Stdout.WriteString(err.Error())
	}
}

// withoutLocks has the kernel answer every flock of this process with an error number, 0 for success.
func withoutLocks(errno uint32) {
	const number = 0 // of the system call, in what a filter sees
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: number},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_FLOCK, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | errno},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		os.Exit(skipped)
	}
	if _, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program))); e != 0 {
		os.Exit(skipped)
	}
}

// skipped is the status of a process that cannot filter its system calls.
const skipped = 77

func TestBrokenLocks(t *testing.T) {
	for result, want := range map[string]string{"ENOLCK": "do not hold on its file system: no locks available", "success": "two have it at once"} {
		cmd := exec.Command(os.Args[0], t.TempDir())
		cmd.Env = append(os.Environ(), flockResult+"="+result)
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == skipped {
			t.Skip("system calls cannot be filtered here")
		}
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("where flock always returns %s: %q, %v, want %q", result, out, err, want)
		}
	}
}

func TestFileSystemOf(t *testing.T) {
	const mounts = `22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
36 22 0:31 / /mnt/c rw,noatime - 9p C:\134 rw,dirsync,aname=drvfs
40 22 0:40 / /mnt/desk rw,nosuid,nodev master:3 - fuse.sshfs desk:/srv rw,user_id=0
`
	for device, want := range map[string]string{"254:0": "ext4", "0:31": "9p", "0:40": "fuse.sshfs", "0:99": ""} {
		if got := fileSystemOf(mounts, device); got != want {
			t.Errorf("fileSystemOf(%s) = %q, want %q", device, got, want)
		}
	}
	if name := fileSystem(os.TempDir()); name == "" {
		t.Error("the file system of the temporary folder is not known")
	}
}
