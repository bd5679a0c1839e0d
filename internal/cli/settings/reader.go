package settings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/capture/model"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/config"
)

// readerModel is the model that Claude Code's command is asked for if none is named: its own choice may be a large one.
const readerModel = "haiku"

// NewReader returns the command reader.
func NewReader(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "reader",
		Short: "Show or choose the model that picks what prompts get",
		Long: `Show which language model of yours reads the prompts and picks what they get. There
is none until you choose one.`,
		Example: `  recollect reader
  recollect reader use claude`,
		RunE: func(cmd *cobra.Command, _ []string) error { return showReader(cmd, a) },
	}
	cmd.AddCommand(newReaderUse(a))
	return app.AddJSONFlag(cmd)
}

func newReaderUse(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "use claude [MODEL] | ollama MODEL | off",
		Short: "Choose the model that picks what prompts get",
		Long: `Have a language model of yours pick what prompts get: Claude, through Claude Code's
own command and your account (haiku, unless you name another), or a model that Ollama
has on this machine. A strong model picks far better than recollect by itself; how well
a small one does was not measured.

After a prompt, it reads the prompt and 40 statements from past sessions, 2,000 tokens.
What it picks reaches Claude with the next tool call or prompt; no prompt waits. When
a session is over, it reads at most 8,000 tokens of it, to say which rules and
decisions are meant to last. Passwords and keys are taken out before.

The model is tried first; then the lines of [reader] in your config.toml are changed.
For other servers, edit them yourself. Claude Code has to be logged in, or to have its
key in its settings: recollect passes on no key from the environment.`,
		Example: `  recollect reader use claude
  recollect reader use ollama qwen3:8b
  recollect reader use off`,
		RunE: func(cmd *cobra.Command, args []string) error { return useReader(cmd.Context(), a, args) },
	}
}

// A readerState is the output of the command reader.
type readerState struct {
	Kind    string `json:"kind"`
	Model   string `json:"model,omitempty"`
	Problem string `json:"problem,omitempty"` // of the last question
}

func showReader(cmd *cobra.Command, a *app.App) error {
	settings, err := inForce(cmd.Context(), a)
	if err != nil {
		return err
	}
	h, err := a.Health(cmd.Context())
	if err != nil {
		return err
	}
	s := readerState{Kind: settings.Reader.Kind, Model: settings.Reader.Model}
	if at := slices.IndexFunc(h.Details, func(p api.Problem) bool { return p.Kind == api.ReaderProblem }); at >= 0 {
		s.Problem = h.Details[at].Text
	}
	return app.Print(cmd, a, s, printReader)
}

func printReader(w io.Writer, s readerState) error {
	if s.Kind == config.ReaderOff {
		return cli.Fold(w, cli.Text("reader   "), "off; choose one with: recollect reader use claude")
	}
	err := cli.Fold(w, cli.Text("reader   "), strings.TrimSpace(s.Kind+" "+s.Model))
	if s.Problem != "" {
		err = cli.Fold(w, cli.Text("problem  "), s.Problem)
	}
	return err
}

func useReader(ctx context.Context, a *app.App, args []string) error {
	file, settings, err := readSettings()
	if err != nil {
		return err
	}
	want, err := chooseReader(settings.Reader, args)
	if err != nil {
		return err
	}
	edited, err := config.EditReader(file.Path, file.Text, want)
	if err != nil {
		return err
	}
	if want.Asked().IsOn() {
		took, err := tryReader(ctx, want)
		if err != nil {
			return fmt.Errorf("the settings are as they were: %w", err)
		}
		fmt.Fprintf(a.Out, "%s answered in %v\n", strings.TrimSpace(want.Kind+" "+want.Model), took.Round(100*time.Millisecond))
	}
	if err := file.Write(edited); err != nil {
		return err
	}
	return checkReader(ctx, a, want)
}

// checkReader says what is in force now. It returns an error if the daemon's environment overrides config.toml.
func checkReader(ctx context.Context, a *app.App, want config.Reader) error {
	is, err := inForce(ctx, a)
	switch {
	case err != nil:
		return err
	case is.Reader.Kind != want.Kind:
		return fmt.Errorf("the reader is %s: a variable of the daemon's environment overrides config.toml", is.Reader.Kind)
	case want.Kind == config.ReaderOff:
		_, err = fmt.Fprintln(a.Out, "no model picks what prompts get")
	default:
		_, err = fmt.Fprintln(a.Out, "it picks what prompts get, from the next one on; recollect watch shows it")
	}
	return err
}

// chooseReader returns settings with the reader that the arguments name: claude and perhaps a model, ollama and a model, or
// off, which leaves the others as they are.
func chooseReader(s config.Reader, args []string) (config.Reader, error) {
	kind, name := "", ""
	switch len(args) {
	case 1:
		kind = args[0]
	case 2:
		kind, name = args[0], args[1]
	}
	if kind == config.ModelClaude {
		name = cmp.Or(name, readerModel)
	}
	isModel := kind == config.ModelClaude || kind == config.ModelOllama
	switch {
	case kind == config.ReaderOff && name == "":
		s.Kind = kind
		return s, nil
	case !isModel || name == "":
		return s, cli.Usage(errors.New("reader use needs claude, ollama and a model, or off"))
	case s.Kind != kind:
		s.URL, s.TokenFile = "", "" // they belong to another
	}
	s.Kind, s.Model = kind, name
	return s, nil
}

// A trial question that has one right answer.
const (
	readerTask     = `A user has sent a prompt to a coding agent. Choose the notes that answer it.`
	readerQuestion = `The prompt:
which port does the admin API listen on?

The notes:
1. [decision] Old parser stays until the tests are ported.
2. [decision] The admin API listens on 8443, because 8080 is the proxy's.
3. [result] The nightly import no longer runs out of connections.
`
)

// tryReader asks a model one question, and returns how long it took.
func tryReader(ctx context.Context, r config.Reader) (time.Duration, error) {
	m, err := model.Open(r.Asked())
	if err != nil {
		return 0, err
	}
	began := time.Now()
	choice, err := m.Choose(ctx, readerTask, readerQuestion, 3, 3)
	if err == nil && !slices.Equal(choice.Yes, []int{1}) {
		err = fmt.Errorf("%s %s gave a wrong answer to a simple question; a larger model may not", r.Kind, r.Model)
	}
	return time.Since(began), err
}
