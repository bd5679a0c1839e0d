package lease

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// plant leaves the record of a daemon, last seen some time ago.
func plant(t *testing.T, dir, text string, ago time.Duration) {
	t.Helper()
	path := filepath.Join(dir, fileName)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	then := time.Now().Add(-ago)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
}

// written returns when the record was written.
func written(t *testing.T, dir string) time.Time {
	t.Helper()
	fi, err := os.Stat(filepath.Join(dir, fileName))
	if err != nil {
		t.Fatal(err)
	}
	return fi.ModTime()
}

const elsewhere = `{"host":"desk","domain":"another kernel","pid":7,"nonce":"n"}` + "\n"

func TestTake(t *testing.T) {
	here, err := json.Marshal(Holder{Host: "here", Domain: domain(t.TempDir()), PID: 7})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		record string // "" for none
		ago    time.Duration
		holder string // who has the folder, "" for nobody
	}{
		{"nobody has been there", "", 0, ""},
		{"another machine", elsewhere, 0, "desk"},
		{"another machine, before its next sign of life", elsewhere, renewEvery + time.Second, "desk"},
		{"another machine that crashed", elsewhere, staleAfter + time.Second, ""},
		{"a time to come, after which a clock was set", elsewhere, -time.Hour, ""},
		{"a daemon of this machine that was killed", string(here), 0, ""},
		{"a record that is being written", "\n", 0, "unknown"},
		{"an old file without a record", "\n", time.Hour, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if tt.record != "" {
				plant(t, dir, tt.record, tt.ago)
			}
			_, err := Take(dir, time.Now())
			held, _ := Current(dir)
			if tt.holder == "" {
				if err != nil || held.PID != os.Getpid() || held.Domain != domain(dir) {
					t.Errorf("Take() = %v, and %+v holds it; want this process", err, held)
				}
				return
			}
			var elsewhere *HeldError
			if !errors.As(err, &elsewhere) || !strings.Contains(err.Error(), tt.holder) {
				t.Errorf("Take() = %v, want it held by %s", err, tt.holder)
			}
			if there, _ := os.ReadFile(filepath.Join(dir, fileName)); string(there) != tt.record {
				t.Errorf("the record is now %q, want it left alone", there)
			}
		})
	}
}

// A folder of another machine counts by the clock of the file system, whatever this machine's says.
func TestClockOfTheFileSystem(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, elsewhere, 0)
	var held *HeldError
	if _, err := Take(dir, time.Now().Add(48*time.Hour)); !errors.As(err, &held) {
		t.Errorf("Take() two days ahead = %v, want a HeldError", err)
	}
}

func TestKeep(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	l, err := Take(dir, now)
	if err != nil {
		t.Fatal(err)
	}
	record, err := os.ReadFile(filepath.Join(dir, fileName))
	if err != nil {
		t.Fatal(err)
	}
	plant(t, dir, string(record), 30*time.Second)
	old := written(t, dir)
	if err := l.Keep(now.Add(renewEvery / 2)); err != nil || !written(t, dir).Equal(old) {
		t.Errorf("Keep() = %v, and the record was written at %v, want %v", err, written(t, dir), old)
	}
	if err := l.Keep(now.Add(renewEvery)); err != nil || !written(t, dir).After(old) {
		t.Errorf("Keep() = %v, and the record was written at %v, want it renewed", err, written(t, dir))
	}
	if there, _ := os.ReadFile(filepath.Join(dir, fileName)); string(there) != string(record) {
		t.Errorf("the record is %q, want %q", there, record)
	}
	plant(t, dir, elsewhere, 0)
	if err := l.Keep(now); !errors.Is(err, ErrLost) {
		t.Errorf("Keep() of another's = %v, want %v", err, ErrLost)
	}
	l.Release()
	if held, _ := Current(dir); held.Host != "desk" {
		t.Errorf("after Release() %+v has it, want the other left alone", held)
	}
	if err := os.Remove(filepath.Join(dir, fileName)); err != nil {
		t.Fatal(err)
	}
	if err := l.Keep(now); !errors.Is(err, ErrLost) {
		t.Errorf("Keep() of none = %v, want %v", err, ErrLost)
	}
}

func TestRelease(t *testing.T) {
	dir := t.TempDir()
	l, err := Take(dir, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	l.Release()
	if held, ok := Current(dir); ok {
		t.Errorf("%+v still has it", held)
	}
}

// A folder that cannot be written to is not refused, and taken once it can be.
func TestKeepWithoutRecord(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "later")
	l, err := Take(dir, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := l.Keep(time.Now()); err != nil {
		t.Fatal(err)
	}
	if held, _ := Current(dir); held.PID != os.Getpid() {
		t.Errorf("%+v has it, want this process", held)
	}
}

func TestLocks(t *testing.T) {
	if err := Locks(t.TempDir()); err != nil {
		t.Error(err)
	}
	if err := Locks(filepath.Join(t.TempDir(), "none")); err != nil {
		t.Errorf("Locks() where nothing can be written = %v", err)
	}
}

func TestNetworks(t *testing.T) {
	for name, want := range map[string]string{
		"nfs4": "nfs4", "9p": "9p", "virtiofs": "virtiofs", "fuse.sshfs": "fuse.sshfs", "fuse.rclone": "fuse.rclone",
		"ext4": "", "overlay": "", "fuse.gocryptfs": "", "": "",
	} {
		if got := network(name); got != want {
			t.Errorf("network(%q) = %q, want %q", name, got, want)
		}
	}
}
