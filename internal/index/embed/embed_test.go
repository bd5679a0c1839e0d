package embed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/config"
	"recollect/internal/index/embed/builtin"
)

// A made is a backend of a test's own making.
type made func(ctx context.Context, text string) ([]float32, error)

func (m made) CreateEmbedding(ctx context.Context, texts []string) ([][]float32, error) {
	v, err := m(ctx, texts[0])
	return [][]float32{v}, err
}

func (m made) model() string { return "made" }

func (m made) close() {}

// around returns an embedder around m whose prompts wait 150 ms.
func around(m made) *Embedder {
	e := newEmbedder(config.Embedder{Kind: "made", Timeout: config.Duration(150 * time.Millisecond)}, quiet)
	e.backend = m
	return e
}

var errDown = errors.New("connection refused")

func TestPromptDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loading := true
		e := around(func(ctx context.Context, _ string) ([]float32, error) {
			if loading { // a model; a client that disconnects has to begin again
				time.Sleep(3 * time.Second)
			}
			loading = ctx.Err() != nil
			return []float32{1, 0}, ctx.Err()
		})
		began := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		_, err := e.EmbedQuery(ctx, "a cat")
		cancel()
		if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took != 150*time.Millisecond {
			t.Errorf("first prompt: %v after %v", err, took)
		}
		began = time.Now()
		if _, err := e.EmbedQuery(t.Context(), "a dog"); err == nil || time.Since(began) != 0 {
			t.Errorf("second prompt: %v after %v, want an error at once", err, time.Since(began))
		}
		if state, err := e.Status(); !strings.HasPrefix(state, "failing since") || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Status = %q, %v", state, err)
		}
		time.Sleep(3 * time.Second) // the answer comes, and ends the rest
		began = time.Now()
		for _, text := range []string{"a cat", "a dog"} {
			if v, err := e.EmbedQuery(t.Context(), text); err != nil || !cmp.Equal(v, []float32{1, 0}) {
				t.Errorf("EmbedQuery(%q) = %v, %v", text, v, err)
			}
		}
		if state, err := e.Status(); state != "ready" || err != nil || time.Since(began) != 0 {
			t.Errorf("Status = %q, %v after %v", state, err, time.Since(began))
		}
	})
}

func TestRestAfterFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked, down := 0, true
		e := around(func(context.Context, string) ([]float32, error) {
			asked++
			if down {
				return nil, errDown
			}
			return []float32{1, 0}, nil
		})
		ask := func(want int) {
			t.Helper()
			e.EmbedQuery(t.Context(), fmt.Sprint("prompt ", asked))
			if asked != want {
				t.Errorf("the backend was asked %d times, want %d", asked, want)
			}
		}
		ask(1)
		ask(1) // it rests
		time.Sleep(restAfterFailure - time.Second)
		ask(1)
		time.Sleep(time.Second)
		ask(2)
		ask(2)
		down = false
		if _, err := e.EmbedDocuments(t.Context(), []string{"a memory"}); err != nil { // memories ask nevertheless
			t.Fatal(err)
		}
		ask(4) // which ended the rest
		if state, err := e.Status(); state != "ready" || err != nil {
			t.Errorf("Status = %q, %v", state, err)
		}
	})
}

// A backend that is always late must not cost each prompt its deadline.
func TestSlowBackend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := around(func(context.Context, string) ([]float32, error) {
			time.Sleep(time.Second)
			return []float32{1, 0}, nil
		})
		waited := time.Duration(0)
		for i := range 60 { // two minutes of prompts
			began := time.Now()
			if _, err := e.EmbedQuery(t.Context(), fmt.Sprint("prompt ", i)); err == nil {
				t.Errorf("prompt %d had an answer in time", i)
			}
			waited += time.Since(began)
			time.Sleep(2 * time.Second)
		}
		if most := 15 * 150 * time.Millisecond; waited > most {
			t.Errorf("prompts waited %v in all, want at most %v", waited, most)
		}
	})
}

func TestStuckBackend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running atomic.Int32
		release := make(chan struct{})
		e := around(func(context.Context, string) ([]float32, error) {
			running.Add(1)
			<-release // whatever the deadline
			return nil, errDown
		})
		for i := range 50 {
			began := time.Now()
			if e.EmbedQuery(t.Context(), "a cat"); i > 0 && time.Since(began) != 0 {
				t.Errorf("prompt %d waited %v for a stuck backend", i, time.Since(began))
			}
			if _, err := e.EmbedDocuments(t.Context(), []string{"a dog"}); err == nil {
				t.Fatal("got a vector from a stuck backend")
			}
			time.Sleep(time.Minute)
		}
		if n := running.Load(); n != 2 { // one for prompts, one for memories
			t.Errorf("%d calls hang, want 2", n)
		}
		close(release)
		synctest.Wait()
	})
}

func TestDocumentTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := around(func(ctx context.Context, _ string) ([]float32, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		began := time.Now()
		_, err := e.EmbedDocuments(t.Context(), []string{"a memory"})
		if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took != callTimeout {
			t.Errorf("EmbedDocuments = %v after %v, want a deadline after %v", err, took, callTimeout)
		}
	})
}

// Whoever leaves says nothing about the backend.
func TestCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := around(func(ctx context.Context, _ string) ([]float32, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		if _, err := e.EmbedQuery(ctx, "a cat"); !errors.Is(err, context.Canceled) {
			t.Errorf("EmbedQuery = %v", err)
		}
		if _, err := e.EmbedDocuments(ctx, []string{"a memory"}); !errors.Is(err, context.Canceled) {
			t.Errorf("EmbedDocuments = %v", err)
		}
		e.Close()
		synctest.Wait()
		if state, err := e.Status(); state != "not asked yet" || err != nil {
			t.Errorf("Status = %q, %v", state, err)
		}
		if _, err := e.EmbedQuery(t.Context(), "a dog"); !errors.Is(err, errClosed) {
			t.Errorf("EmbedQuery after Close = %v", err)
		}
	})
}

func TestPanic(t *testing.T) {
	e := around(func(context.Context, string) ([]float32, error) {
		panic("index out of range\n" + strings.Repeat("goroutine ", 1000))
	})
	_, err := e.EmbedQuery(t.Context(), "a cat")
	if err == nil || !strings.HasPrefix(err.Error(), "made: it panicked: index out of range goroutine") || len(err.Error()) > 200 {
		t.Errorf("EmbedQuery = %v", err)
	}
}

func TestCache(t *testing.T) {
	asked := map[string]int{}
	e := around(func(_ context.Context, text string) ([]float32, error) {
		asked[text]++
		return []float32{float32(len(text)), 1}, nil
	})
	ask := func(text string) []float32 {
		t.Helper()
		v, err := e.EmbedQuery(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	first := ask("first")
	want := first[0]
	first[0] = 7 // the caller's own
	ask("first")[0] = 7
	for i := range maxCached - 1 {
		ask(fmt.Sprint(i))
	}
	if got := ask("first"); got[0] != want || asked["first"] != 1 {
		t.Errorf("the vector is %v and was asked for %d times, want %v and once", got[0], asked["first"], want)
	}
	ask("one more") // in the place of "0", which was used longest ago
	ask("first")
	ask("0")
	if asked["first"] != 1 || asked["0"] != 2 || e.cache.vectors.Len() != maxCached {
		t.Errorf("asked %d and %d times, %d entries; want 1, 2, %d", asked["first"], asked["0"], e.cache.vectors.Len(), maxCached)
	}
}

func TestPrepared(t *testing.T) {
	long := strings.Repeat("ä", maxChars+5)
	tests := []struct {
		model, text           string
		wantQuery, wantMemory string
	}{
		{"nomic-embed-text:latest", "a cat", "search_query: a cat", "search_document: a cat"},
		{"/models/BGE-small-en-v1.5", "a cat", bgePrefix + "a cat", "a cat"},
		{"all-minilm", "a cat", "a cat", "a cat"},
		{"all-minilm", long, long[:2*maxChars], long[:2*maxChars]},
	}
	for _, tt := range tests {
		t.Run(tt.model, func(t *testing.T) {
			var read []string
			e := around(func(_ context.Context, text string) ([]float32, error) {
				read = append(read, text)
				return []float32{1}, nil
			})
			e.prefixes = prefixesOf(tt.model)
			e.EmbedQuery(t.Context(), tt.text)
			e.EmbedDocuments(t.Context(), []string{tt.text})
			if diff := cmp.Diff([]string{tt.wantQuery, tt.wantMemory}, read); diff != "" {
				t.Errorf("the model read:\n%s", diff)
			}
		})
	}
}

// What the files of a model state counts more than what its name tells.
func TestPrefixesIn(t *testing.T) {
	tests := []struct {
		name, folder, file string
		want               prefixes
	}{
		{"by name", "bge-small-en-v1.5", "", prefixes{bgePrefix, ""}},
		{"none stated", "bge-small-en-v1.5", `{"prompts": {"query": "", "document": ""}}`, prefixes{bgePrefix, ""}},
		{"stated", "bge-small-en-v1.5", `{"prompts": {"query": "ask: ", "document": "read: "}}`, prefixes{"ask: ", "read: "}},
		{"unknown", "minilm", "", prefixes{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), tt.folder)
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if tt.file != "" {
				if err := os.WriteFile(filepath.Join(dir, "config_sentence_transformers.json"), []byte(tt.file), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := prefixesIn(dir); got != tt.want || err != nil {
				t.Errorf("prefixesIn() = %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

// What is prepared in another way is another space.
func TestVersionNamesPreparation(t *testing.T) {
	versions := map[string]bool{}
	for _, p := range []prefixes{{}, {"query: ", ""}, {"", "query: "}, {"query: ", "passage: "}} {
		e := around(nil)
		e.prefixes = p
		e.space.dims.Store(4)
		versions[e.Version()] = true
	}
	if len(versions) != 4 {
		t.Errorf("versions %v, want 4 different ones", versions)
	}
}

func TestOff(t *testing.T) {
	e := open(t, config.Embedder{Kind: config.EmbedderOff})
	if _, err := e.EmbedQuery(t.Context(), "a cat"); !errors.Is(err, ErrNothing) {
		t.Errorf("EmbedQuery = %v, want ErrNothing", err)
	}
	got, err := e.EmbedDocuments(t.Context(), []string{"a cat"})
	if diff := cmp.Diff([][]float32{nil}, got); diff != "" || err != nil {
		t.Errorf("EmbedDocuments = %v, %v", got, err)
	}
	state, err := e.Status()
	if state != "off" || err != nil || e.Version() != "" || e.Dims() != 0 {
		t.Errorf("Status %q, %v, Version %q, Dims %d", state, err, e.Version(), e.Dims())
	}
}

func TestBuiltin(t *testing.T) {
	e := open(t, config.Default().Embedder)
	m, err := builtin.Load()
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float32, m.Dims())
	m.Embed(want, "why does the database test fail?")
	got, err := e.EmbedQuery(t.Context(), "why does the database test fail?")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("vector differs from the model's:\n%s", diff)
	}
	for _, text := range []string{"", " \n", "…!?"} {
		if _, err := e.EmbedQuery(t.Context(), text); !errors.Is(err, ErrNothing) {
			t.Errorf("EmbedQuery(%q) = %v, want ErrNothing", text, err)
		}
	}
	state, err := e.Status()
	if e.Dims() != m.Dims() || e.Version() != m.Version() || state != "ready" || err != nil {
		t.Errorf("Dims %d, Version %q, Status %q, %v", e.Dims(), e.Version(), state, err)
	}
}

func TestOpenMistakes(t *testing.T) {
	tests := []struct {
		name string
		s    config.Embedder
		want string
	}{
		{"kind", config.Embedder{Kind: "best"}, "open embedder best: unknown kind"},
		{"url", config.Embedder{Kind: config.EmbedderOllama, URL: "http://[", Model: "m"}, "open embedder ollama: parse"},
		{"folder", config.Embedder{Kind: config.EmbedderBERT, Folder: "/nowhere"}, "open embedder bert: open /nowhere/config.json: no such file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if e, err := Open(tt.s, quiet); e != nil || err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Open = %v, %v, want %q", e, err, tt.want)
			}
		})
	}
}
