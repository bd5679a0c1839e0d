package vectors

import (
	"bufio"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"testing"
)

// childEnv makes a test run as the process that its parent watches.
const childEnv = "RECOLLECT_VECTORS_TEST_DIR"

// TestKill kills a process that updates and compacts as fast as it can, and
// looks for what it said was there.
func TestKill(t *testing.T) {
	if dir := os.Getenv(childEnv); dir != "" {
		updateForEver(dir)
	}
	dir := t.TempDir()
	for round := range 3 {
		acked := runAndKill(t, dir, 40*(round+1))
		f := openTest(t, dir, 16)
		mark, err := strconv.Atoi(string(f.Watermark()))
		if err != nil || mark < acked {
			t.Errorf("round %d: Watermark() = %q, want at least the acknowledged %d", round, f.Watermark(), acked)
		}
		for i := range mark + 1 {
			if got, want := f.has(testID(i)), i%10 != 0 || i == mark; got != want {
				t.Errorf("round %d: Has(row %d of %d) = %t, want %t", round, i, mark, got, want)
			}
		}
		shut(t, f)
	}
}

// runAndKill starts a child on dir, kills it after n more updates and returns
// the last that it acknowledged.
func runAndKill(t *testing.T, dir string, n int) int {
	cmd := exec.Command(os.Args[0], "-test.run=^TestKill$")
	cmd.Env = append(os.Environ(), childEnv+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	acked := -1
	lines := bufio.NewScanner(out)
	for i := 0; i < n && lines.Scan(); i++ {
		if acked, err = strconv.Atoi(lines.Text()); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	return acked
}

// updateForEver adds row after row, deletes every tenth with the next, and
// prints each number once it is durable.
func updateForEver(dir string) {
	f, err := Open(dir, "test 1", 16, slog.New(slog.DiscardHandler))
	if err != nil {
		panic(err)
	}
	c := newCorpus(41, 16)
	c.next, _ = strconv.Atoi(string(f.Watermark())) // 0 where there is none yet
	for ; ; fmt.Println(c.next - 1) {
		var deleted []string
		if (c.next-1)%10 == 0 {
			deleted = []string{testID(c.next - 1)}
		}
		mark := strconv.Itoa(c.next)
		if err := f.Update(c.rows(1), deleted, []byte(mark)); err != nil {
			panic(err)
		}
		if c.next%7 == 0 {
			if err := f.Compact(); err != nil {
				panic(err)
			}
		}
	}
}
