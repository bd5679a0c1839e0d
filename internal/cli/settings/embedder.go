package settings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/config"
	"recollect/internal/index/embed"
)

// NewEmbedder returns the command embedder.
func NewEmbedder(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "embedder",
		Short: "Show or choose what turns texts into vectors",
		Long: `Show what turns texts into vectors, so that memories are found which use other
words, how far it has come, and how long it takes for a text.`,
		Example: `  recollect embedder
  recollect embedder use ~/models/bge-small-en-v1.5`,
		RunE: func(cmd *cobra.Command, _ []string) error { return showEmbedder(cmd, a) },
	}
	cmd.AddCommand(newEmbedderUse(a))
	return app.AddJSONFlag(cmd)
}

// An embedderState is the output of the command embedder.
type embedderState struct {
	Kind     string  `json:"kind"`
	Model    string  `json:"model,omitempty"` // name of a server's model, or path of a folder
	State    string  `json:"state"`
	Embedded int     `json:"embedded"`
	Memories int     `json:"memories"`
	Dims     int     `json:"dimensions,omitempty"`
	Millis   float64 `json:"milliseconds,omitempty"` // for a text of 12 words
	Problem  string  `json:"problem,omitempty"`      // why it was not measured
	Speed    string  `json:"-"`
}

func showEmbedder(cmd *cobra.Command, a *app.App) error {
	ctx := cmd.Context()
	c, err := inForce(ctx, a)
	if err != nil {
		return err
	}
	settings := c.Embedder
	h, err := a.Health(ctx)
	if err != nil {
		return err
	}
	s := embedderState{
		Kind: settings.Kind, Model: modelOf(settings), State: h.Embedder, Embedded: h.Embedded, Memories: h.Memories,
	}
	if settings.Kind != config.EmbedderOff {
		t, err := tryEmbedder(ctx, settings)
		s.Dims, s.Millis, s.Speed = t.dims, float64(t.took)/float64(time.Millisecond), t.String()
		if err != nil {
			s.Problem = err.Error()
		}
	}
	return app.Print(cmd, a, s, printEmbedder)
}

func printEmbedder(w io.Writer, s embedderState) (err error) {
	cli.Fold(w, cli.Text("embedder  "), strings.TrimSpace(s.Kind+" "+s.Model))
	cli.Fold(w, cli.Text("state     "), fmt.Sprintf("%s, %d of %s", s.State, s.Embedded, app.CountMemories(s.Memories)))
	switch {
	case s.Problem != "":
		err = cli.Fold(w, cli.Text("problem   "), s.Problem)
	case s.Dims > 0:
		err = cli.Fold(w, cli.Text("speed     "), s.Speed)
	}
	return err
}

// modelOf returns the model or the folder that settings name, "" for none.
func modelOf(s config.Embedder) string {
	switch s.Kind {
	case config.EmbedderBERT:
		return s.Folder
	case config.EmbedderOllama, config.EmbedderOpenAI:
		return s.Model
	}
	return ""
}

func nameOf(s config.Embedder) string {
	if model := modelOf(s); model != "" {
		return s.Kind + " " + model
	}
	return s.Kind
}

// A trial is the result of embedding a few texts.
type trial struct {
	dims int
	took time.Duration // median time for a text of 12 words
}

func (t trial) String() string {
	return fmt.Sprintf("%v for a text of 12 words, %d dimensions", t.took.Round(time.Microsecond), t.dims)
}

// trialTexts are texts with different meanings. After the first short ones, all
// have 12 words.
var trialTexts = []string{
	"the database is full",
	"a cat sleeps in the sun",
	"why does the connection pool run out when the nightly import starts",
	"we decided to keep the old parser until the tests are ported",
	"please look at the failing build and tell me what has changed",
}

// tryEmbedder embeds a few texts, which must get different vectors of the same
// length.
func tryEmbedder(ctx context.Context, s config.Embedder) (trial, error) {
	e, err := embed.Open(s, slog.New(slog.DiscardHandler))
	if err != nil {
		return trial{}, err
	}
	defer e.Close()
	var vectors [][]float32
	var took []time.Duration
	for _, text := range trialTexts {
		began := time.Now()
		v, err := e.EmbedDocuments(ctx, []string{text})
		if err != nil {
			return trial{}, err
		}
		if v[0] == nil {
			return trial{}, fmt.Errorf("%s: gave no vector for %q", nameOf(s), text)
		}
		vectors, took = append(vectors, v[0]), append(took, time.Since(began))
	}
	if slices.Equal(vectors[0], vectors[1]) || len(vectors[0]) != len(vectors[1]) {
		return trial{}, fmt.Errorf("%s: gave equal vectors for %q and %q", nameOf(s), trialTexts[0], trialTexts[1])
	}
	took = took[2:] // without the first ones, which load the model
	slices.Sort(took)
	return trial{e.Dims(), took[len(took)/2]}, nil
}

// chooseEmbedder returns settings with the embedder that the arguments name: builtin, a
// folder, or ollama and a model.
func chooseEmbedder(s config.Embedder, args []string) (config.Embedder, error) {
	switch {
	case len(args) == 1 && args[0] == config.EmbedderBuiltin:
		s.Kind = config.EmbedderBuiltin
		return s, nil
	case len(args) == 2 && args[0] == config.EmbedderOllama:
		if s.Kind != config.EmbedderOllama {
			s.URL = "" // it belongs to another server
		}
		s.Kind, s.Model = config.EmbedderOllama, args[1]
		return s, nil
	case len(args) != 1 || args[0] == config.EmbedderOllama:
		return s, cli.Usage(errors.New("embedder use needs builtin, a folder, or ollama and a model"))
	}
	folder, err := findFolder(args[0])
	s.Kind, s.Folder = config.EmbedderBERT, folder
	return s, err
}

// findFolder returns the path of a folder that exists.
func findFolder(folder string) (string, error) {
	fi, err := os.Stat(folder)
	if err != nil {
		return "", fmt.Errorf("open model: %w", err)
	}
	if !fi.IsDir() {
		return "", fmt.Errorf("open model: %s is not a folder", folder)
	}
	return filepath.Abs(folder)
}
