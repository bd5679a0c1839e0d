package engine

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
)

const embedderOff = "[embedder]\nkind = \"off\"\n"

// embeds waits until the daemon says this about its embedder.
func (r *running) embeds(state string, memories int) {
	r.t.Helper()
	r.until("embedder is "+state, func() bool {
		h := r.health()
		return h.Embedder == state && h.Embedded == memories
	})
}

// embedded waits until that many memories have a vector, unless the embedder
// is off.
func (r *running) embedded(memories int) {
	r.t.Helper()
	r.until(fmt.Sprintf("%d memories have a vector", memories), func() bool {
		h := r.health()
		return h.Embedder == "off" || h.Embedder == "builtin, ready" && h.Embedded == memories
	})
}

// withAndWithoutMeaning runs a test with words alone, and with the built-in
// embedder: then a search finds more than has its words.
func withAndWithoutMeaning(t *testing.T, test func(*testing.T, *running)) {
	for name, settings := range map[string]string{"words alone": embedderOff, "with meaning": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := newHome(t)
			configure(t, home, settings)
			test(t, start(t, home))
		})
	}
}

// byVector returns the title of the memory that is nearest to a prompt by
// meaning, and whether it has none of its words.
func (r *running) byVector(prompt string) (title string, wordless bool) {
	r.t.Helper()
	found, err := r.Explain(r.t.Context(), api.Prompt{Prompt: prompt, Cwd: "/home/dev/src/app"})
	if err != nil {
		r.t.Fatal(err)
	}
	for _, c := range found.Candidates {
		if c.VectorRank == 1 {
			return c.Title, c.BM25Rank == 0
		}
	}
	return "", false
}

// vectorFiles reads the files of vectors, by path.
func vectorFiles(t *testing.T, home string) map[string]string {
	t.Helper()
	files := map[string]string{}
	paths, err := filepath.Glob(filepath.Join(home, "vectors", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, _ := filepath.Rel(home, path)
		files[name] = string(b)
	}
	return files
}

const (
	logo = "the logo is green"
	// otherWords asks for it without any of its words.
	otherWords = "how does our brand look?"
)

func TestEmbedder(t *testing.T) {
	t.Parallel()
	home := newHome(t)
	r := start(t, home)
	r.remember(logo, "the build takes four minutes", "credentials are kept in the vault")
	r.embeds("builtin, ready", 3)
	if title, wordless := r.byVector(otherWords); title != logo || !wordless {
		t.Errorf("nearest is %q, without common words: %t", title, wordless)
	}

	r.remember("tea is served at five")
	r.embeds("builtin, ready", 4)
	configure(t, home, embedderOff)
	if h := r.health(); h.Embedder != "opening" && h.Embedder != "off" {
		t.Errorf("just after the settings changed, the embedder is %q, want opening", h.Embedder)
	}
	r.embeds("off", 0)
	r.until("vectors are deleted", func() bool { return len(vectorFiles(t, home)) == 0 })
	if title, _ := r.byVector(otherWords); title != "" {
		t.Errorf("found %q by vectors that are off", title)
	}
	configure(t, home, "")
	r.embeds("builtin, ready", 4)
	if title, _ := r.byVector(otherWords); title != logo {
		t.Errorf("nearest is %q after the embedder was switched on", title)
	}
}

// A daemon that starts goes on with the vectors that are there, even when the
// one before it was killed.
func TestVectorsOutliveDaemon(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	r.remember(logo, "the build takes four minutes")
	r.embeds("builtin, ready", 2)
	killed := newHome(t)
	for _, folder := range []string{"memories", "vectors"} {
		if err := os.CopyFS(filepath.Join(killed, folder), os.DirFS(filepath.Join(home, folder))); err != nil {
			t.Fatal(err)
		}
	}
	r.end()
	for _, home := range []string{home, killed} {
		before := vectorFiles(t, home)
		if len(before) == 0 {
			t.Fatal("no vectors on disk")
		}
		r := start(t, home)
		r.embeds("builtin, ready", 2)
		r.end()
		if diff := cmp.Diff(before, vectorFiles(t, home)); diff != "" {
			t.Errorf("vectors were made again (-before +after):\n%s", diff)
		}
	}
}

// The first prompt after a start is answered by meaning too.
func TestFirstPromptHasMeaning(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	r.remember(logo, "the build takes four minutes", "credentials are kept in the vault")
	r.embeds("builtin, ready", 3)
	r.end()
	for range 5 {
		r := start(t, home)
		if title, wordless := r.byVector(otherWords); title != logo || !wordless {
			t.Errorf("nearest is %q, without common words: %t", title, wordless)
		}
		r.end()
	}
}

// The vector of what was forgotten does not stay on disk, and the others are
// not made again for it.
func TestForgottenVectorsGo(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	ids := r.remember(logo, "the build takes four minutes")
	r.embeds("builtin, ready", 2)
	if _, err := r.Forget(t.Context(), ids[0]); err != nil {
		t.Fatal(err)
	}
	r.embeds("builtin, ready", 1)
	r.end()
	before := vectorFiles(t, home)
	for name, text := range before {
		if bytes.Contains([]byte(text), []byte(ids[0])) || !strings.Contains(text, ids[1]) {
			t.Errorf("%s holds %q", name, text)
		}
	}
	r = start(t, home)
	r.embeds("builtin, ready", 1)
	r.end()
	if diff := cmp.Diff(before, vectorFiles(t, home)); diff != "" {
		t.Errorf("vectors were made again (-before +after):\n%s", diff)
	}
}

// noServer returns the address of a server that is down.
func noServer(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// Without the server that embeds, words answer, and health says why.
func TestEmbedderDown(t *testing.T) {
	t.Parallel()
	home := newHome(t)
	down := "[embedder]\nkind = \"ollama\"\nmodel = \"none\"\nurl = \"http://" + noServer(t) + "\"\n"
	configure(t, home, down)
	r := start(t, home)
	id := r.remember("the database pool has 40 connections")[0]
	r.until("problem is shown", func() bool {
		h := r.health()
		return len(h.Problems) == 1 && strings.Contains(h.Problems[0], "refused") &&
			h.Details[0].Kind == api.EmbedderProblem && h.Problems[0] == "embedder: "+h.Details[0].Text &&
			strings.HasPrefix(h.Embedder, "ollama: failing since ") && strings.HasSuffix(h.Embedder, ": recall uses words alone")
	})
	r.search("pool")
	if diff := cmp.Diff([]string{id}, r.recollect("s1")); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	if _, err := r.Forget(t.Context(), id); err != nil {
		t.Errorf("Forget() = %v", err)
	}

	configure(t, home, "")
	r.remember(logo)
	r.embeds("builtin, ready", 1)
	configure(t, home, down)
	r.until("the old embedder stays", func() bool {
		h := r.health()
		return strings.HasSuffix(h.Embedder, ": recall uses builtin meanwhile") && h.Embedded == 1
	})
	if title, _ := r.byVector(otherWords); title != logo {
		t.Errorf("nearest is %q while the new embedder is down", title)
	}
}
