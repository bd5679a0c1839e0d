package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkImport times the hook while transcripts are imported, beside the same daemon when it has
// nothing else to do, and in the seconds after. BENCH_IMPORT names a folder of transcripts: it is
// imported first, so that the prompts, which are titles of memories, are about something, and then
// copies of it that make importMB. An answer that did not come in time is one that injects nothing.
func BenchmarkImport(b *testing.B) {
	transcripts := os.Getenv("BENCH_IMPORT")
	if transcripts == "" {
		b.Skip("BENCH_IMPORT names no folder of transcripts")
	}
	bin := binaries(b)
	for range b.N {
		home := startDaemon(b, bin)
		load(b, bin, transcripts).Wait()
		p := &paced{b: b, bin: bin, rng: rand.New(rand.NewPCG(1, 2)), titles: fieldOf(b, filepath.Join(home, "memories", "journal.jsonl"), "title", 100)}
		time.Sleep(5 * time.Second) // what is merged after an import

		copies := copiesOf(b, transcripts)
		idle := p.until("idle", 300, nil)
		importing := load(b, bin, copies)
		ended := make(chan struct{})
		began := time.Now()
		go func() { importing.Wait(); close(ended) }()
		meanwhile := p.until("importing", 1<<20, ended)
		b.ReportMetric(time.Since(began).Seconds(), "import-s")
		p.until("after", 100, nil)
		b.ReportMetric(float64(quantile(meanwhile, 95))/float64(quantile(idle, 95)), "ratio-p95")
		b.ReportMetric(0, "ns/op")
	}
}

// importMB is how much is imported while the hook is timed.
const importMB = 300

// binaries returns a folder with the executables: that which BENCH_BIN names, to compare builds, or
// a new one.
func binaries(b *testing.B) string {
	if bin := os.Getenv("BENCH_BIN"); bin != "" {
		return bin
	}
	return build(b)
}

// load begins to import a folder.
func load(b *testing.B, bin, folder string) *exec.Cmd {
	b.Helper()
	cmd := exec.Command(filepath.Join(bin, "recollect"), "import", folder)
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	return cmd
}

// paced sends prompts as somebody would who types very fast.
type paced struct {
	b      *testing.B
	bin    string
	rng    *rand.Rand
	titles []string
	sent   int
}

// until sends up to n prompts until something ends, and reports how long the hook took.
func (p *paced) until(phase string, n int, end <-chan struct{}) (took []time.Duration) {
	p.b.Helper()
	answered := 0
	for ; n > 0; n-- {
		select {
		case <-end:
			n = 1
		case <-time.After(time.Duration(20+p.rng.IntN(60)) * time.Millisecond):
		}
		p.sent++
		event := fmt.Sprintf(`{"hook_event_name":"UserPromptSubmit","session_id":"p%d","cwd":"/src/app","prompt":%q}`, p.sent, p.titles[p.sent%len(p.titles)])
		d, out := run(p.b, filepath.Join(p.bin, "recollect-hook"), event)
		if took = append(took, d); out != "" {
			answered++
		}
	}
	p.b.ReportMetric(ms(quantile(took, 50)), phase+"-p50-ms")
	p.b.ReportMetric(ms(quantile(took, 95)), phase+"-p95-ms")
	p.b.ReportMetric(ms(quantile(took, 100)), phase+"-max-ms")
	p.b.ReportMetric(100*float64(answered)/float64(len(took)), phase+"-answered-%")
	return took
}

// copiesOf writes copies of transcripts, each of other sessions with other turns, and returns their
// folder.
func copiesOf(b *testing.B, folder string) string {
	b.Helper()
	out, size := b.TempDir(), 0
	for pass := 0; size < importMB<<20; pass++ {
		before := size
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".jsonl" {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			id := strings.TrimSuffix(filepath.Base(path), ".jsonl")
			text = bytes.ReplaceAll(text, []byte(id), fmt.Appendf(nil, "%d-%s", pass, id))
			text = bytes.ReplaceAll(text, []byte(`uid":"`), fmt.Appendf(nil, `uid":"%d-`, pass)) // uuid and parentUuid
			rel, err := filepath.Rel(folder, path)
			if err != nil {
				return err
			}
			to := filepath.Join(out, fmt.Sprint(pass), filepath.Dir(rel), fmt.Sprintf("%d-%s.jsonl", pass, id))
			size += len(text)
			if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
				return err
			}
			return os.WriteFile(to, text, 0o600)
		})
		if err != nil || size == before {
			b.Fatalf("copy %s: %d bytes, %v", folder, size-before, err)
		}
	}
	return out
}
