//go:build e2e

package e2e

import (
	"archive/zip"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// nextVersion is that of the second release.
const nextVersion = "99.0.0"

// testLife goes through the life of an installation from a git server and an npm registry, as users
// have it.
func testLife(t *testing.T, k kit, s *shop, first, next string) {
	s.publish(t, first)
	w := newShopper(t, k, s)
	before := home(t, w)
	claude := func(t *testing.T, args ...string) string {
		r := w.must(t, k.client, append([]string{"plugin"}, args...)...)
		return r.stdout + r.stderr
	}
	var pid int

	t.Run("install", func(t *testing.T) {
		began := time.Now()
		claude(t, "marketplace", "add", s.marketplace())
		claude(t, "install", "recollect@recollect")
		fetched, bytes := s.orders()
		if want := []string{"@recollect/" + npmPlatform}; !slices.Equal(slices.Compact(fetched), want) { // npm may try again
			t.Errorf("npm fetched %v, want %v", fetched, want)
		}
		w.teach(t)
		wantTold(t, w)
		t.Logf("from nothing to a memory in %.1f s, %.1f MiB fetched", time.Since(began).Seconds(), float64(bytes)/(1<<20))
		wantStatus(t, w, version(t, k))
	})
	t.Run("update while a session runs", func(t *testing.T) {
		s.publish(t, next)
		old := w.hook(t)
		claude(t, "marketplace", "update", "recollect")
		claude(t, "update", "recollect@recollect")
		wantTold(t, w)
		wantStatus(t, w, nextVersion)
		st, _ := w.status(t)
		pid = st.PID
		// The session that began before still has the old hook.
		if told := w.pipe(t, old, event(w, question)); !strings.Contains(told, key) {
			t.Errorf("the old version's hook said %q, want what was taught", told)
		}
		if st, _ := w.status(t); st.PID != pid {
			t.Errorf("the old version's hook replaced the daemon %d by %d", pid, st.PID)
		}
	})
	t.Run("disable", func(t *testing.T) {
		claude(t, "disable", "recollect@recollect")
		if told := w.ask(t, question, []turn{{text: "I do not know."}}).text(); strings.Contains(told, key) {
			t.Errorf("a disabled plugin told %q", told)
		}
		claude(t, "enable", "recollect@recollect")
		wantTold(t, w)
	})
	t.Run("uninstall", func(t *testing.T) {
		claude(t, "uninstall", "recollect@recollect")
		claude(t, "marketplace", "remove", "recollect")
		if !within(time.Minute, func() bool { return !alive(pid) }) {
			t.Errorf("the daemon %d is still there a minute after the plugin was removed", pid)
		}
		if diff := cmp.Diff(before, home(t, w)); diff != "" {
			t.Errorf("the home folder (-before +after):\n%s", diff)
		}
	})
	t.Run("downgrade", func(t *testing.T) {
		memories := readFile(t, filepath.Join(w.client.data(), "memories", "episodes.jsonl"))
		s.publish(t, first)
		claude(t, "marketplace", "add", s.marketplace())
		claude(t, "install", "recollect@recollect")
		wantTold(t, w)
		wantStatus(t, w, version(t, k))
		if now := readFile(t, filepath.Join(w.client.data(), "memories", "episodes.jsonl")); !strings.HasPrefix(now, memories) {
			t.Error("the older version changed the memories of the newer one")
		}
	})
}

// testHealing installs where the program cannot be had, and wants a word at the start of the first
// session, and only there, and the program in a later one. The second release has an address for
// those without npm.
func testHealing(t *testing.T, k kit, s *shop, release, downloads string) {
	noNPM := withoutNPM(t)
	tests := []struct {
		name    string
		dist    string
		path    string // PATH during the install and the first session
		cut     bool   // the registry hangs up during the install
		says    string
		mending string // PATH later on
	}{
		{"npm comes later", release, noNPM, false, "npm, which installs its program, is not on this machine", os.Getenv("PATH")},
		{"the network ended during the install", release, os.Getenv("PATH"), true, "is being installed", os.Getenv("PATH")},
		{"no npm, but an address", downloads, noNPM, false, "is being installed", noNPM},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s.publish(t, test.dist)
			w := newShopper(t, k, s)
			w.complains = true // of the hooks that are not there
			path := func(p string) { w.client.extra[0] = "PATH=" + p }
			path(test.path)
			s.deliver(!test.cut)
			w.must(t, k.client, "plugin", "marketplace", "add", s.marketplace())
			w.must(t, k.client, "plugin", "install", "recollect@recollect")
			if test.cut && w.hook(t) != "" {
				t.Fatal("the program is there, want none")
			}
			s.deliver(true)
			for range 2 {
				w.ask(t, "hello", []turn{{text: "Hello."}})
			}
			if n := w.notices(t, test.says); n != 1 {
				t.Errorf("the user was told %d times %q, want once", n, test.says)
			}
			path(test.mending)
			w.ask(t, "hello again", []turn{{text: "Hello."}})
			if !within(patience, func() bool { return w.hook(t) != "" }) {
				t.Fatal("the program was not installed later")
			}
			w.teach(t)
			wantTold(t, w)
		})
	}
}

// testCommand runs install.sh, and adds an archive that was unpacked as a marketplace.
func testCommand(t *testing.T, k kit, s *shop, dist string) {
	s.publish(t, dist)
	t.Run("install.sh", func(t *testing.T) {
		w := newShopper(t, k, s)
		w.must(t, filepath.Join(dist, "install.sh"))
		if got := w.must(t, filepath.Join(w.client.home, ".local", "bin", "recollect"), "version").stdout; !strings.Contains(got, nextVersion) {
			t.Errorf("recollect version printed %q, want %s", got, nextVersion)
		}
	})
	t.Run("an archive", func(t *testing.T) {
		w := newShopper(t, k, s)
		dir := filepath.Join(w.client.home, "tmp", "recollect")
		unzip(t, filepath.Join(dist, "archives", "recollect-"+nextVersion+"-"+platform+".zip"), dir)
		w.must(t, k.client, "plugin", "marketplace", "add", dir)
		w.must(t, k.client, "plugin", "install", "recollect@recollect")
		w.teach(t)
		wantTold(t, w)
	})
}

// makeNextRelease makes a release of the next version, whose files can also be had from the shop.
func makeNextRelease(t *testing.T, k kit, s *shop) string {
	t.Helper()
	sources, dist := t.TempDir(), filepath.Join(t.TempDir(), "dist")
	copyTracked(t, k.root, sources)
	edit := func(name, old, new string) {
		path := filepath.Join(sources, filepath.FromSlash(name))
		text := readFile(t, path)
		if !strings.Contains(text, old) {
			t.Fatalf("%s does not contain %s", name, old)
		}
		writeFile(t, path, []byte(strings.Replace(text, old, new, 1)), 0o644)
	}
	edit(".claude-plugin/plugin.json", `"version": "`+version(t, k)+`"`, `"version": "`+nextVersion+`"`)
	edit("lab/cmd/release/names.toml", `download = ""`, `download = "`+s.npm.URL+`/files"`)
	cmd := exec.CommandContext(t.Context(), filepath.Join(sources, "scripts", "release"), "-o", dist, "host")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("scripts/release: %v\n%s", err, out)
	}
	return dist
}

// newShopper returns a world whose client knows the shop, and has no plugin.
func newShopper(t *testing.T, k kit, s *shop) *world {
	t.Helper()
	w := newWorld(t, k)
	w.client.plugin = ""
	if err := os.RemoveAll(w.plugin); err != nil {
		t.Fatal(err)
	}
	w.client.extra = []string{
		"PATH=" + os.Getenv("PATH"), "npm_config_registry=" + s.npm.URL, "npm_config_cache=" + filepath.Join(w.client.home, "tmp", "npm"),
		"npm_config_update_notifier=false", "npm_config_fetch_retries=0",
	}
	return w
}

// hook returns the path of the hook that the plugin has now, or "".
func (w *world) hook(t *testing.T) string {
	t.Helper()
	hooks, err := filepath.Glob(filepath.Join(w.client.config(), "plugins", "cache", "recollect", "recollect", "*", "node_modules", ".bin", "recollect-hook"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range hooks {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

// pipe runs a program with input and returns what it prints.
func (w *world) pipe(t *testing.T, program, input string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Dir, cmd.Env, cmd.Stdin = w.client.project, w.client.environment(), strings.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	return string(out)
}

// event is what a hook reads when a prompt is sent.
func event(w *world, prompt string) string {
	return `{"hook_event_name":"UserPromptSubmit","session_id":"b7f6c1de-0000-4000-8000-000000000000","cwd":"` + w.client.project + `","prompt":"` + prompt + `"}`
}

// wantTold asks what was taught and wants it to reach the model.
func wantTold(t *testing.T, w *world) {
	t.Helper()
	if told := w.ask(t, question, []turn{{text: "It is 25."}}).text(); !strings.Contains(told, key) {
		t.Errorf("the model got %q, want what was taught", told)
	}
}

// wantStatus wants /recollect:status to tell the model the version.
func wantStatus(t *testing.T, w *world, version string) {
	t.Helper()
	w.api.say(turn{text: "Fine."})
	w.must(t, w.kit.client, "-p", "/recollect:status")
	if got := w.api.last(t).text(); !strings.Contains(got, "version "+version+", ") {
		t.Errorf("/recollect:status told the model %q, want version %s", got, version)
	}
}

// notices counts the transcripts' records in which the user is told a text.
func (w *world) notices(t *testing.T, text string) int {
	t.Helper()
	n := 0
	w.eachRecord(t, func(line []byte) {
		if strings.Contains(string(line), text) && strings.Contains(string(line), "system_message") {
			n++
		}
	})
	return n
}

// home lists the files of the home folder but those of Claude Code, of npm, and recollect's data.
func home(t *testing.T, w *world) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(os.DirFS(w.client.home), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case slices.Contains([]string{".claude", ".cache", ".recollect", "tmp", "src"}, path):
			return fs.SkipDir
		}
		files = append(files, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// withoutNPM returns a PATH with all that this machine has but npm.
func withoutNPM(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, from := range filepath.SplitList(os.Getenv("PATH")) {
		files, _ := os.ReadDir(from)
		for _, f := range files {
			if name := f.Name(); name != "npm" && name != "npx" {
				os.Symlink(filepath.Join(from, name), filepath.Join(dir, name)) // the first of a name counts
			}
		}
	}
	return dir
}

func unzip(t *testing.T, from, to string) {
	t.Helper()
	z, err := zip.OpenReader(from)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(to, filepath.FromSlash(f.Name)), b, f.Mode())
	}
}
