package engine

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/api"
	"recollect/internal/memory"
)

const transcripts = "../../testdata/transcripts/projects"

// copyTranscript copies one of the samples to a file of its own.
func copyTranscript(t *testing.T, path string) {
	t.Helper()
	samples, err := filepath.Glob(filepath.Join(transcripts, "*orders-api", "*.jsonl"))
	if err != nil || len(samples) == 0 {
		t.Fatalf("find samples: %v, %d found", err, len(samples))
	}
	b, err := os.ReadFile(samples[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFlush(t *testing.T) {
	r := start(t, newHome(t))
	path := filepath.Join(r.Home, "s1.jsonl")
	copyTranscript(t, path)
	flush := func(path string) {
		t.Helper()
		if err := r.Flush(t.Context(), api.Flush{SessionID: "s1", TranscriptPath: path, Reason: "Stop"}); err != nil {
			t.Fatal(err)
		}
	}
	flush(path)
	r.settled()
	before := r.count()
	if got := r.sources(); got[memory.Episodes] < 1 {
		t.Errorf("memories %v, want the episode of the turn that teaches something", got)
	}
	flush(path)
	r.settled()
	if got := r.count(); got != before+1 { // finished stores one itself
		t.Errorf("%d memories after the same flush again, want %d", got, before+1)
	}
}

// sources counts the memories of each source.
func (r *running) sources() map[memory.Source]int {
	r.t.Helper()
	h := r.health()
	return h.Sources
}

// What is no transcript does no harm, and what comes behind it is captured.
func TestFlushOfWhatIsNoTranscript(t *testing.T) {
	r := start(t, newHome(t))
	garbage := filepath.Join(r.Home, "garbage.jsonl")
	if err := os.WriteFile(garbage, []byte(strings.Repeat("{\"type\":\x00\xff", 1<<16)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range append(oddFiles(t, r.Home), r.Home, filepath.Join(r.Home, "none.jsonl"), garbage, "relative.jsonl", "a\x00b", strings.Repeat("x", 5000)) {
		if err := r.Flush(t.Context(), api.Flush{SessionID: "s1", TranscriptPath: path}); err != nil {
			t.Errorf("Flush(%.40q) = %v", path, err)
		}
	}
	r.settled()
	if got := r.count(); got != 1 {
		t.Errorf("%d memories, want none but the one of settled", got)
	}
}

// A session that never had a transcript, or whose transcript was deleted, is no failed
// capture; a transcript that cannot be read is one.
func TestFlushWithoutTranscript(t *testing.T) {
	r := start(t, newHome(t))
	flush := func(path string) {
		t.Helper()
		if err := r.Flush(t.Context(), api.Flush{SessionID: "s1", TranscriptPath: path, Reason: "Stop"}); err != nil {
			t.Fatal(err)
		}
		r.settled()
	}
	stats := func() api.Stats {
		t.Helper()
		s, err := r.History.Stats(t.Context(), api.Period{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	path := filepath.Join(r.Home, "gone.jsonl")
	copyTranscript(t, path)
	flush(path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	flush(path)
	flush(filepath.Join(r.Home, "folder", "never.jsonl"))
	if s := stats(); s.CaptureFailed != 0 {
		t.Errorf("%d of %d captures failed, want none", s.CaptureFailed, s.CaptureFailed+s.Captured)
	}
	flush(r.Home)
	if s := stats(); s.CaptureFailed != 1 {
		t.Errorf("after the flush of a folder %d captures failed, want 1", s.CaptureFailed)
	}
}

// A transcript that lies among the files of another container, with all of Claude Code's folder, is
// not passed over in silence: nothing would ever be learned there.
func TestFlushFromAnotherContainer(t *testing.T) {
	r := start(t, newHome(t))
	path := filepath.Join(t.TempDir(), "none", "projects", "-work", "s1.jsonl")
	if err := r.Flush(t.Context(), api.Flush{SessionID: "s1", TranscriptPath: path, Reason: "Stop"}); err != nil {
		t.Fatal(err)
	}
	r.settled()
	s, err := r.History.Stats(t.Context(), api.Period{})
	if err != nil || s.CaptureFailed == 0 {
		t.Errorf("no capture failed, %v, want it counted", err)
	}
}

func TestFullQueue(t *testing.T) {
	e := openIdle(t, newHome(t))
	flush := func() error {
		return e.Flush(t.Context(), api.Flush{SessionID: "s1", TranscriptPath: "/x.jsonl"})
	}
	for i := range cap(e.jobs) {
		if err := flush(); err != nil {
			t.Fatalf("flush %d: %v", i, err)
		}
	}
	if err := flush(); !errors.Is(err, api.ErrBusy) {
		t.Errorf("flush with a full queue: %v, want ErrBusy", err)
	}
	<-e.jobs
	if err := flush(); err != nil {
		t.Errorf("flush with room again: %v", err)
	}
}

// A handoff is written at each flush, whatever it is for.
func TestFlushWritesHandoff(t *testing.T) {
	text := turn("1", "replace the signals of the northern line with the new model", "I look at the line first.") +
		record("assistant", "a2", `[{"type":"tool_use","id":"t1","name":"Edit","input":{"file_path":"/home/dev/src/app/line.go","old_string":"a","new_string":"b"}}]`) +
		record("user", "r1", `[{"type":"tool_result","tool_use_id":"t1","content":"updated"}]`) +
		turn("3", "now do the same for the southern line please", "Both lines have the new signals. Next step: run the timetable tests.")
	tests := []struct {
		reason string
		want   int
	}{
		{"Stop", 1},
		{"PreCompact", 1},
		{"SessionEnd", 1},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := start(t, newHome(t))
			path := filepath.Join(r.Home, "s1.jsonl")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := r.Flush(t.Context(), api.Flush{SessionID: "s1", TranscriptPath: path, Reason: tt.reason}); err != nil {
				t.Fatal(err)
			}
			r.settled()
			if got := r.sources(); got[memory.Episodes] != 2 || got[memory.Handoffs] != tt.want {
				t.Errorf("memories %v, want 2 episodes and %d handoffs", got, tt.want)
			}
		})
	}
}
