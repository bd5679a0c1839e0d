package daemon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/store"
)

// patience bounds every wait for something that should take milliseconds.
const patience = 8 * time.Second

var quiet = slog.New(slog.DiscardHandler)

// newHome makes a data folder whose path leaves room for a socket's.
func newHome(t testing.TB) string {
	t.Helper()
	home, err := os.MkdirTemp("", "re")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	return home
}

// A running daemon, and a client of it.
type running struct {
	*api.Client
	t     testing.TB
	stop  context.CancelFunc
	ended chan error // yields what Run returned
}

// start runs a daemon until it answers.
func start(t testing.TB, home string) *running {
	t.Helper()
	r := launch(t, home, "1.0.0")
	r.until("daemon answers", func() bool { h, ok := r.answers(); return ok && h.Index != "opening" })
	return r
}

// answers asks for the daemon's health. Somebody else may listen on the
// socket who never answers.
func (r *running) answers() (api.Health, bool) {
	ctx, cancel := context.WithTimeout(r.t.Context(), patience/20)
	defer cancel()
	h, err := r.Health(ctx)
	return h, err == nil
}

// launch runs a daemon without waiting for it.
func launch(t testing.TB, home, version string) *running {
	ctx, stop := context.WithCancel(context.Background())
	r := &running{&api.Client{Home: home}, t, stop, make(chan error, 1)}
	go func() { r.ended <- Run(ctx, home, version, quiet) }()
	t.Cleanup(func() {
		stop()
		r.ended <- r.wait()
	})
	return r
}

// wait returns what Run returned.
func (r *running) wait() error {
	select {
	case err := <-r.ended:
		return err
	case <-time.After(patience):
		r.t.Error("the daemon does not end")
		return nil
	}
}

// end stops the daemon and waits until it has ended.
func (r *running) end() {
	r.t.Helper()
	r.stop()
	err := r.wait()
	if err != nil {
		r.t.Errorf("Run() = %v", err)
	}
	r.ended <- err // for the cleanup
}

// until waits for what the daemon does by itself.
func (r *running) until(what string, done func() bool) {
	r.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for limit := time.After(patience); !done(); {
		select {
		case <-tick.C:
		case <-limit:
			r.t.Fatalf("not in time: %s", what)
		}
	}
}

// note is a memory of somebody who stood in a project's folder.
func note(title string) memory.Memory {
	return memory.Memory{Source: memory.Inbox, Title: title}
}

// remember stores notes and returns their ids.
func (r *running) remember(titles ...string) []string {
	r.t.Helper()
	var ms []memory.Memory
	for _, title := range titles {
		ms = append(ms, note(title))
	}
	done, err := r.Remember(r.t.Context(), api.Remember{Memories: memory.Drafts(ms...), Cwd: "/home/dev/src/app"})
	if err != nil {
		r.t.Fatal(err)
	}
	return done.IDs
}

// search returns the titles of what is found.
func (r *running) search(query string) []string {
	r.t.Helper()
	found, err := r.Search(r.t.Context(), api.Search{Query: query, Cwd: "/home/dev/src/app", Limit: 1000})
	if err != nil {
		r.t.Fatal(err)
	}
	titles := []string{}
	for _, f := range found.Results {
		titles = append(titles, f.Memory.Title)
	}
	return titles
}

// send makes a request of its own and returns the status and the body.
func (r *running) send(method, path, body string) (int, string) {
	r.t.Helper()
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", api.SocketPath(r.Home))
		},
	}}
	req, err := http.NewRequestWithContext(r.t.Context(), method, "http://recollect"+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil || resp.Header.Get(api.VersionHeader) == "" || resp.ContentLength != int64(len(b)) {
		r.t.Errorf("%s %s: %v, headers %v, %d bytes", method, path, err, resp.Header, len(b))
	}
	return resp.StatusCode, string(b)
}

func TestRoutes(t *testing.T) {
	r := start(t, newHome(t))
	id := r.remember("the pool has 40 connections")[0]
	large := `{"prompt":"` + strings.Repeat("x", api.MaxBody) + `"}`
	tests := []struct {
		name         string
		method, path string
		body         string
		status       int
		want         string // part of the body
	}{
		{"health", "GET", "/health", "", 200, `"status":"ok"`},
		{"config", "GET", "/config", "", 200, `half_age`},
		{"recollect", "POST", "/recollect", `{"prompt":"how many connections has the pool?"}`, 200, `"context":"`},
		{"recollect with fields of later versions", "POST", "/recollect", `{"prompt":"yes","later":{"a":[1]}}`, 200, `"context":""`},
		{"orient", "POST", "/orient", `{"sessionId":"s","reason":"startup"}`, 200, `"context":`},
		{"explain", "POST", "/explain", `{"prompt":"pool"}`, 200, `"candidates":[{`},
		{"flush without a transcript", "POST", "/flush", `{}`, 202, ""},
		{"search", "GET", "/search?q=pool", "", 200, id},
		{"stats since no time", "GET", "/stats?since=tomorrow", "", 400, `since \"tomorrow\": must be a time`},
		{"search with a limit that is none", "GET", "/search?q=pool&limit=many", "", 200, id},
		{"search for nothing", "GET", "/search?q=+", "", 400, `{"error":"query: must not be empty"}`},
		{"search in a source that is none", "GET", "/search?q=pool&source=x", "", 400, "must be one of"},
		{"search finds nothing", "GET", "/search?q=rainbow", "", 200, `"results":`},
		{"export", "GET", "/memories", "", 200, id},
		{"export behind the end", "GET", "/memories?after=zzz", "", 200, `"memories":[]`},
		{"export from the start", "GET", "/memories?after=", "", 200, `"memories":`},
		{"memory", "GET", "/memories/" + id, "", 200, "40 connections"},
		{"unknown id", "GET", "/memories/note-000000000000", "", 404, `{"error":`},
		{"id that is a path", "GET", "/memories/..%2F..%2Fconfig.toml", "", 404, `{"error":`},
		{"forget an unknown id", "DELETE", "/memories/note-000000000000", "", 404, `{"error":`},
		{"no memories", "POST", "/memories", `{"memories":[]}`, 200, `"ids":[]`},
		{"memory without a source", "POST", "/memories", `{"memories":[{"text":"x"}]}`, 400, "must be one of"},
		{"memory without a text", "POST", "/memories", `{"memories":[{"source":"inbox"}]}`, 400, "must not be empty"},
		{"memory that is a tombstone", "POST", "/memories", `{"memories":[{"source":"inbox","text":"x","deleted":true}]}`, 400, "deleted"},
		{"import of nothing", "POST", "/import", `{"path":"/none/at/all.jsonl"}`, 500, "no such file"},
		{"bad JSON", "POST", "/recollect", `{"prompt":`, 400, `{"error":`},
		{"no body", "POST", "/recollect", "", 400, `{"error":`},
		{"JSON of another form", "POST", "/flush", `[]`, 400, `{"error":`},
		{"large body", "POST", "/recollect", large, 413, `{"error":`},
		{"body as large as can be", "POST", "/recollect", `{"prompt":"` + large[len(large)-api.MaxBody+len(`{"prompt":"`):], 200, `"context":`},
		{"too many ids", "POST", "/expand", `{"ids":["` + id + `"` + strings.Repeat(`,"x"`, 1000) + `]}`, 400, "1001 are too many"},
		{"unknown route", "GET", "/none", "", 404, `{"error":"no such route"}`},
		{"root", "GET", "/", "", 404, `{"error":"no such route"}`},
		{"route below a route", "POST", "/flush/now", "{}", 404, `{"error":"no such route"}`},
		{"unknown method", "GET", "/recollect", "", 405, `{"error":`},
		{"unknown method with a body", "PUT", "/memories/" + id, "{}", 405, `{"error":`},
		{"deletes all", "DELETE", "/memories", "", 405, `{"error":`},
		{"forget", "DELETE", "/memories/" + id, "", 200, "40 connections"},
		{"forget again", "DELETE", "/memories/" + id, "", 404, `{"error":`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, body := r.send(tt.method, tt.path, tt.body)
			if status != tt.status || !strings.Contains(body, tt.want) {
				t.Errorf("%s %s = %d %.300s, want %d and %q", tt.method, tt.path, status, body, tt.status, tt.want)
			}
		})
	}
}

func TestPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("windows has no such modes")
	}
	home := newHome(t)
	if err := os.Chmod(home, 0o755); err != nil {
		t.Fatal(err)
	}
	r := start(t, home)
	r.remember("the pool has 40 connections")
	r.Recollect(t.Context(), api.Prompt{SessionID: "s1", Prompt: "pool connections?"})
	r.end()
	start(t, home)
	err := filepath.WalkDir(home, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if rel, _ := filepath.Rel(home, path); e.IsDir() && strings.HasPrefix(rel, "index/") {
			return fs.SkipDir // bleve's own, within a private folder
		}
		fi, err := e.Info()
		want := fs.FileMode(0o600)
		if e.IsDir() {
			want = 0o700
		}
		if err == nil && fi.Mode().Perm() != want {
			t.Errorf("%s has mode %v, want %v", path, fi.Mode().Perm(), want)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Lstat(api.SocketPath(home)); err != nil || fi.Mode() != fs.ModeSocket|0o600 {
		t.Errorf("socket: %v, %v, want mode 0600", fi, err)
	}
}

// A data folder deep down has its socket elsewhere.
func TestLongHome(t *testing.T) {
	t.Setenv("TMPDIR", newHome(t))
	home := filepath.Join(newHome(t), strings.Repeat("deep/", 30))
	r := start(t, home)
	r.remember("the pool has 40 connections")
	if got := r.search("pool"); len(got) != 1 {
		t.Errorf("search() = %q, want one", got)
	}
	r.end()
	if _, err := os.Lstat(api.SocketPath(home)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("socket after the end: %v", err)
	}
}

// Somebody who listens on the socket but does not hold the lock is no daemon.
func TestForeignListener(t *testing.T) {
	home := newHome(t)
	l, err := net.Listen("unix", api.SocketPath(home))
	if err != nil {
		t.Fatal(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	defer l.Close()
	r := start(t, home)
	if h, err := r.Health(t.Context()); err != nil || h.PID != os.Getpid() {
		t.Errorf("Health() = %+v, %v", h, err)
	}
}

func TestEnd(t *testing.T) {
	home := newHome(t)
	tests := []struct {
		name string
		end  func(*running)
	}{
		{"stopped", func(r *running) { r.stop() }},
		{"asked", func(r *running) {
			if err := r.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := start(t, home)
			r.remember(tt.name)
			tt.end(r)
			err := r.wait()
			r.ended <- err
			if err != nil {
				t.Errorf("Run() = %v", err)
			}
			if _, err := os.Lstat(api.SocketPath(home)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("socket after the end: %v", err)
			}
			if _, err := r.Health(t.Context()); !errors.Is(err, api.ErrNoDaemon) {
				t.Errorf("Health() after the end = %v, want ErrNoDaemon", err)
			}
		})
	}
}

// A request that was begun before the daemon was asked to end is answered,
// and what it acknowledges is kept.
func TestEndWaitsForRequests(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	conn, err := net.Dial("unix", api.SocketPath(home))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	body := `{"memories":[{"source":"inbox","text":"said at the last moment"}]}`
	const proceed = "HTTP/1.1 100 Continue\r\n\r\n" // the server's, once it reads the body
	fmt.Fprintf(conn, "POST /memories HTTP/1.1\r\nHost: recollect\r\nConnection: close\r\n"+
		"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n", len(body))
	if got, err := io.ReadAll(io.LimitReader(conn, int64(len(proceed)))); string(got) != proceed {
		t.Fatalf("reply = %q, %v, want %q", got, err, proceed)
	}
	r.stop()
	r.until("no more requests are taken", func() bool {
		c, err := net.Dial("unix", api.SocketPath(home))
		if err == nil {
			c.Close()
		}
		return err != nil
	})
	io.WriteString(conn, body)
	reply, _ := io.ReadAll(conn)
	if !bytes.HasPrefix(reply, []byte("HTTP/1.1 200")) {
		t.Errorf("reply = %q, want 200", reply)
	}
	r.end()
	if got := start(t, home).search("moment"); len(got) != 1 {
		t.Errorf("search() = %q, want what was acknowledged", got)
	}
}

func TestTakeOver(t *testing.T) {
	tests := []struct {
		name          string
		first, second string
		serves        string
	}{
		{"newer", "0.0.1", "0.1.0", "0.1.0"},
		{"older", "0.1.0", "0.0.1", "0.1.0"},
		{"same", "0.1.0", "0.1.0", "0.1.0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := newHome(t)
			first := launch(t, home, tt.first)
			first.until("first serves", func() bool { _, ok := first.answers(); return ok })
			id := first.remember("said to the first")[0]

			second := launch(t, home, tt.second)
			leaves := second
			if tt.serves != tt.first {
				leaves = first
			}
			err := leaves.wait()
			leaves.ended <- err
			if err != nil {
				t.Errorf("the one that leaves: Run() = %v", err)
			}
			second.until("one serves", func() bool {
				h, ok := second.answers()
				return ok && h.Version == tt.serves
			})
			if m, err := second.Memory(t.Context(), id); err != nil || m.Title != "said to the first" {
				t.Errorf("Memory() = %v, %v", m, err)
			}
		})
	}
}

// A store that cannot be opened ends the daemon, and whoever asked meanwhile
// is told why.
func TestStoreThatCannotBeOpened(t *testing.T) {
	home := newHome(t)
	if err := os.WriteFile(filepath.Join(home, "memories"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), home, "1.0.0", quiet); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("Run() = %v, want why", err)
	}

	lock, err := store.Acquire(home)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	d, err := newDaemon(home, "1.0.0", quiet, func() {})
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan error, 1)
	go func() { _, err := d.engine.wait(t.Context()); asked <- err }()
	d.lock = lock
	want := d.runEngine(t.Context())
	if got := <-asked; got == nil || got != want {
		t.Errorf("a request that waited was given %v, want %v", got, want)
	}
}

func TestSettingsAreReadAgain(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	write := func(text string) { // at once: while it is empty, the settings are the defaults
		t.Helper()
		path := filepath.Join(home, "config.toml")
		if err := errors.Join(os.WriteFile(path+".new", []byte(text), 0o600), os.Rename(path+".new", path)); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name, file    string
		want, problem string
	}{
		{"default", "# nothing", "items = 8", ""},
		{"changed", "[budget]\nitems = 3\n", "items = 3", ""},
		{"mistake leaves the last good ones", "[budget]\nitems = 999\n", "items = 3", "items"},
		{"no TOML", "[budget\n", "items = 3", "config.toml"},
		{"mended", "[budget]\nitems = 2 # mended\n", "items = 2", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			write(tt.file)
			got, err := r.Config(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(got.TOML, tt.want) || !strings.Contains(got.Problem, tt.problem) || (got.Problem == "") != (tt.problem == "") {
				t.Errorf("Config() = problem %q, want %q; TOML without %q:\n%s", got.Problem, tt.problem, tt.want, got.TOML)
			}
			h, err := r.Health(t.Context())
			if err != nil || (len(h.Problems) == 0) != (tt.problem == "") {
				t.Errorf("Health() = problems %q, %v, want %q", h.Problems, err, tt.problem)
			}
			for _, d := range h.Details {
				if d.Kind != api.SettingsProblem {
					t.Errorf("problem %+v, want one of the settings", d)
				}
			}
			injected, err := r.Orient(t.Context(), api.Session{SessionID: tt.name, Reason: "startup"})
			if err != nil || (injected.Notice == "") != (tt.problem == "") {
				t.Errorf("Orient() = notice %q, %v, want one = %t", injected.Notice, err, tt.problem != "")
			}
		})
	}
}

// A daemon with the shortest idle_exit ends by itself.
func TestIdleExit(t *testing.T) {
	home := newHome(t)
	configure(t, home, "[daemon]\nidle_exit = \"1s\"\n")
	r := launch(t, home, "1.0.0")
	err := r.wait()
	if err != nil {
		t.Errorf("Run() = %v, want it to end without a fault", err)
	}
	r.ended <- err // for the cleanup
}

// The garbage collector heeds the memory limit of the settings, another one too.
func TestMemoryLimit(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	home := newHome(t)
	for _, mib := range []int64{300, 400} {
		configure(t, home, fmt.Sprintf("[daemon]\nmemory_limit = %d\n", mib))
		if mib == 300 {
			launch(t, home, "1.0.0")
		}
		for end := time.Now().Add(patience); debug.SetMemoryLimit(-1) != mib<<20; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("the limit is %d MiB, want %d", debug.SetMemoryLimit(-1)>>20, mib)
			}
		}
	}
}

// However little of the heap is in use, it may grow by the room of dozens of prompts, and however
// much, by no more than a part of it.
func TestGCPercent(t *testing.T) {
	for mib, want := range map[uint64]int{0: openingGC, 2: openingGC, 10: 160, 12: 130, 25: 60, 60: servingGC, 4000: servingGC} {
		if got := gcPercent(mib<<20, headroom); got != want {
			t.Errorf("of %d MiB: %d %%, want %d", mib, got, want)
		}
	}
}

// configure writes a user's settings into home.
func configure(t *testing.T, home, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
