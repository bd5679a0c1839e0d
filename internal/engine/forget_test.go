package engine

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/store"
)

// filesWith lists the files below dir that have a word, in any case.
func filesWith(t *testing.T, dir, word string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was replaced meanwhile
		}
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if bytes.Contains(bytes.ToLower(b), []byte(word)) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// leave puts text at the end of a file.
func leave(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// A word that is to vanish vanishes from every file that there is, and what
// has nothing to do with it stays.
func TestForgetLeavesNothing(t *testing.T) { withAndWithoutMeaning(t, leavesNothing) }

func leavesNothing(t *testing.T, r *running) {
	transcript := filepath.Join(t.TempDir(), "s1.jsonl")
	leave(t, transcript, turn("1", "where does the zebra of the zoo sleep at night?", "It sleeps in the blue barn, close to the river.")+
		turn("3", "and how many connections has the pool of the zoo?", "The pool of the zoo has 40 connections, all of them in use."))
	if _, err := r.Import(t.Context(), api.Import{Path: transcript}); err != nil {
		t.Fatal(err)
	}
	changed := note("the ZEBRA is fed by Ada")
	changed.ID = "note-000000000001"
	changed.ContentHash = strings.Repeat("0", 64)
	for _, title := range []string{changed.Title, "the lion is fed by Ada"} {
		changed.Title = title
		if _, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(changed)}); err != nil {
			t.Fatal(err)
		}
	}
	r.remember("the barn\thas a \"Zebra\" on its door", "the barn has a lock")
	r.search("barn") // so that all are indexed
	for _, session := range []string{"s1", "s2"} {
		for _, prompt := range []string{"who feeds the zebra in the barn?", "what is on the door of the barn of the zebra?"} {
			if _, err := r.Recollect(t.Context(), api.Prompt{SessionID: session, Prompt: prompt, Cwd: "/home/dev/src/app"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	inbox := filepath.Join(r.Home, "memories", "inbox.jsonl")
	leave(t, inbox, "{broken zebra\n{broken lion\n")
	leave(t, inbox+".torn", `{"v":1,"text":"a zebra`+"\n")
	leave(t, filepath.Join(r.Home, "daemon.log"), "time=1 level=INFO msg=serving\ntime=2 level=DEBUG msg=recollect prompt=zebra\n")
	leave(t, filepath.Join(r.Home, "daemon.log.1"), "time=1 level=WARN msg=\"zebra\"\ntime=2 level=WARN msg=lion\n")
	leave(t, filepath.Join(r.Home, "sessions", ".new-1"), "zebra")
	if err := os.MkdirAll(filepath.Join(r.Home, "recollections"), 0o700); err != nil {
		t.Fatal(err)
	}
	leave(t, filepath.Join(r.Home, "recollections", "s3.json"), `{"context":"a zebra"}`)
	r.until("sessions are kept", func() bool { return len(filesWith(t, filepath.Join(r.Home, "sessions"), "zebra")) > 2 })

	done, err := r.ForgetAll(t.Context(), api.Forget{Matching: "zebra"})
	if err != nil || !done.Gone || done.Count < 2 || len(done.Left) > 0 {
		t.Fatalf("ForgetAll() = %+v, %v", done, err)
	}
	r.embedded(r.count())
	check := func() {
		t.Helper()
		if found := filesWith(t, r.Home, "zebra"); len(found) > 0 {
			t.Errorf("the word is still in %q", found)
		}
		for _, word := range []string{"lion", "lock", "pool"} {
			if len(filesWith(t, filepath.Join(r.Home, "memories"), word)) == 0 {
				t.Errorf("%q is gone too", word)
			}
		}
	}
	check()
	if got := r.search("lion barn pool"); len(got) < 3 {
		t.Errorf("search() = %q, want what was not forgotten", got)
	}
	again, err := r.Import(t.Context(), api.Import{Path: transcript})
	if err != nil || again.Added != 0 || again.Forgotten == 0 {
		t.Errorf("Import() = %+v, %v", again, err)
	}
	r.end()
	check()
	x, err := index.Open(filepath.Join(r.Home, "index"), nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	df, _, err := x.Frequencies([]string{"zebra", "lion"})
	if err != nil || df[0] != 0 || df[1] != 1 || x.Stale() {
		t.Errorf("memories with the terms: %v, stale %v, %v", df, x.Stale(), err)
	}
}

// The words of a memory that is forgotten by its id go as well.
func TestForgetIDs(t *testing.T) {
	r := start(t, newHome(t))
	ids := r.remember("the zebra sleeps in the barn", "the lion sleeps in the barn")
	r.search("barn") // so that both are indexed
	if _, err := r.Recollect(t.Context(), api.Prompt{SessionID: "s1", Prompt: "who sleeps in the barn?", Cwd: "/home/dev/src/app"}); err != nil {
		t.Fatal(err)
	}
	done, err := r.ForgetAll(t.Context(), api.Forget{IDs: ids[:1]})
	if err != nil || done.Count != 1 || !done.Gone || done.Memories[0].Title != "the zebra sleeps in the barn" {
		t.Fatalf("ForgetAll() = %+v, %v", done, err)
	}
	if found := filesWith(t, r.Home, "zebra"); len(found) > 0 {
		t.Errorf("the word is still in %q", found)
	}
	r.until("the jobs are done", func() bool {
		return len(filesWith(t, filepath.Join(r.Home, "sessions"), ids[1])) > 0
	})
	if found := filesWith(t, filepath.Join(r.Home, "sessions"), ids[0]); len(found) > 0 {
		t.Errorf("the id is still in %q", found)
	}
	if _, err := r.ForgetAll(t.Context(), api.Forget{IDs: []string{ids[1], "note-none"}}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("ForgetAll() of an unknown id: %v", err)
	}
	if r.count() != 1 {
		t.Errorf("%d memories, want the one that was not named alone", r.count())
	}
}

func TestForgetSelects(t *testing.T) {
	june := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	shop, app := memory.Project{Name: "shop", Path: "/src/shop"}, memory.Project{Name: "app", Path: "/src/app"}
	of := func(p memory.Project, src memory.Source, session, title string, at time.Time) memory.Memory {
		m := memory.Memory{Source: src, Title: title, Session: session, OccurredAt: at}
		m.SetHome(p)
		return m
	}
	all := []memory.Memory{
		of(shop, memory.Inbox, "s1", "shop note", june),
		of(shop, memory.Journal, "s1", "shop decision", june.Add(-48*time.Hour)),
		of(app, memory.Inbox, "s2", "app note: C++ is used", june),
		of(app, memory.Failures, "s2", "app failure", june.Add(time.Hour)),
		of(memory.Project{Name: "shop", Path: "/old/shop"}, memory.Inbox, "s3", "old shop", june),
	}
	all[3].Fields = map[string]string{"error": "exit  status\n3: \"no\" disk"}
	all[3].Files = []string{"cmd/Zebra.go"}
	tests := []struct {
		name string
		in   api.Forget
		want []string
	}{
		{"session", api.Forget{Session: "s1"}, []string{"shop note", "shop decision"}},
		{"project by path", api.Forget{Project: "/src/shop"}, []string{"shop note", "shop decision"}},
		{"project by name", api.Forget{Project: "shop"}, []string{"old shop", "shop note", "shop decision"}},
		{"project by name, standing there", api.Forget{Project: "shop", Cwd: "/src/shop"}, []string{"shop note", "shop decision"}},
		{"source", api.Forget{Source: "failure"}, []string{"app failure"}},
		{"before", api.Forget{Before: june}, []string{"shop decision"}},
		{"words in any case", api.Forget{Matching: "SHOP"}, []string{"old shop", "shop note", "shop decision"}},
		{"words are no expression", api.Forget{Matching: "c++"}, []string{"app note: C++ is used"}},
		{"words across lines", api.Forget{Matching: `status 3: "no" disk`}, []string{"app failure"}},
		{"words in a file's name", api.Forget{Matching: "zebra"}, []string{"app failure"}},
		{"expression", api.Forget{Matching: "/^(shop|app) note/"}, []string{"app note: C++ is used", "shop note"}},
		{"all at once", api.Forget{Matching: "shop", Session: "s1", Source: "inbox"}, []string{"shop note"}},
		{"nothing fits", api.Forget{Matching: "shop", Session: "s2"}, nil},
	}
	r := start(t, newHome(t))
	if _, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(all...)}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.in.DryRun = true
			got, err := r.ForgetAll(t.Context(), tt.in)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, m := range got.Memories {
				names = append(names, m.Title)
			}
			slices.Sort(names)
			slices.Sort(tt.want)
			if diff := cmp.Diff(tt.want, names); diff != "" || got.Count != len(tt.want) {
				t.Errorf("selected (-want +got), %d in all:\n%s", got.Count, diff)
			}
			if r.count() != len(all) {
				t.Errorf("%d memories are left after a dry run", r.count())
			}
		})
	}
}

func TestForgetRefuses(t *testing.T) {
	r := start(t, newHome(t))
	tests := []struct {
		name string
		in   api.Forget
		want string
	}{
		{"nothing", api.Forget{}, "no condition is given"},
		{"both", api.Forget{IDs: []string{"note-1"}, Session: "s1"}, "cannot be combined"},
		{"unknown source", api.Forget{Source: "dreams"}, "must be one of"},
		{"broken expression", api.Forget{Matching: "/(/"}, "missing closing"},
		{"everything", api.Forget{Matching: "/a*/"}, "fits everything"},
		{"blank", api.Forget{Matching: " "}, "must not be empty"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var bad *api.BadRequest
			_, err := r.ForgetAll(t.Context(), tt.in)
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("ForgetAll() = %v, want a bad request and %q", err, tt.want)
			}
		})
	}
}

// What a session said before it was forgotten does not come back, not even as
// memories of another kind; what it says afterwards is learned.
func TestForgottenSessionStaysSo(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	transcript := filepath.Join(t.TempDir(), "s1.jsonl")
	leave(t, transcript, turn("1", "where does the zebra of the zoo sleep at night?", "It sleeps in the blue barn, close to the river."))
	if _, err := r.ForgetAll(t.Context(), api.Forget{Session: "s1"}); err != nil {
		t.Fatal(err)
	}
	r.end()
	r = start(t, home)
	done, err := r.Import(t.Context(), api.Import{Path: transcript})
	if err != nil || done.Added != 0 || done.Forgotten == 0 {
		t.Errorf("Import() = %+v, %v", done, err)
	}
	later := strings.ReplaceAll(turn("3", "and where does the lion of the zoo sleep at night?", "It sleeps in the red barn, behind the hill."), "2026-", "2126-")
	leave(t, transcript, later)
	if done, err = r.Import(t.Context(), api.Import{Path: transcript}); err != nil || done.Added == 0 {
		t.Errorf("Import() of what was said later = %+v, %v", done, err)
	}
	if found := filesWith(t, filepath.Join(home, "memories"), "zebra"); len(found) > 0 {
		t.Errorf("the word is in %q", found)
	}
}

func TestForgetReportsWhatIsLeft(t *testing.T) {
	r := start(t, newHome(t))
	r.remember("the zebra sleeps in the barn")
	backup := filepath.Join(r.Home, "memories", "inbox.jsonl.bak")
	leave(t, backup, "the zebra sleeps\n")
	done, err := r.ForgetAll(t.Context(), api.Forget{Matching: "zebra"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{backup}, done.Left); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
}
