// Package doctor has the command that checks an installation, and says how to fix problems. An
// installation has everything that the checks look at; a finding is the result of one check.
package doctor

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/daemon"
	"recollect/internal/store/backup"
)

// NewDoctor returns the command doctor.
func NewDoctor(a *app.App) *cobra.Command {
	var fix bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the installation, and say how to fix what is wrong",
		Long: `Check the hook, the data folder, the settings, the daemon, the memories, and the
index and vectors that find them. Each check prints a line: ok, warning or
problem, and a hint unless it is ok. The daemon is started if it does not run.
Nothing is repaired, unless --fix is given: then secrets that an earlier version
stored, and that the rules of today know, are taken out of the memories, the index,
the vectors, the state of sessions and the daemon's log; and a restore that was
interrupted is undone.

Exit status: 0 if there are no problems, even if there are warnings; else 1.`,
		Example: `  recollect doctor
  recollect doctor --fix
  recollect doctor --json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, err := diagnoseInstallation(cmd.Context(), a, fix)
			if err != nil {
				return err
			}
			for i := range found {
				found[i].Hint = cli.Runnable(cmd.Root(), found[i].Hint)
			}
			if err := app.Print(cmd, a, diagnosis{a.Version, found}, printDiagnosis); err != nil {
				return err
			}
			return errorOf(found)
		},
	}
	cmd.Flags().BoolVar(&fix, "fix", false, "take secrets out of what is stored, and undo an interrupted restore")
	return app.AddJSONFlag(cmd)
}

// diagnoseInstallation runs the checks. With fix it first repairs what it can.
func diagnoseInstallation(ctx context.Context, a *app.App, fix bool) ([]finding, error) {
	if fix {
		if err := undoRestore(ctx); err != nil {
			return nil, err
		}
	}
	in, err := examineInstallation(ctx, a)
	if err != nil {
		return nil, err
	}
	if fix {
		if err := redactSecrets(ctx, a, in); err != nil {
			return nil, err
		}
	}
	return in.runChecks(), nil
}

// undoRestore undoes an interrupted restore, if any.
func undoRestore(ctx context.Context) error {
	home, err := api.Home()
	if err != nil {
		return err
	}
	if interrupted, _ := backup.Left(home); !interrupted {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, app.AnswerIn)
	defer cancel()
	return daemon.Alone(ctx, home, func() error { return backup.Undo(home) })
}

// redactSecrets removes secrets from everything that is stored.
func redactSecrets(ctx context.Context, a *app.App, in *installation) error {
	var err error
	in.secrets, err = app.Get(ctx, a.Patient(), api.With((*api.Client).Redact, api.Redact{}))
	in.fixed = err == nil
	return err
}

// A diagnosis is the output of doctor as JSON.
type diagnosis struct {
	Version  string    `json:"version"` // of this executable
	Findings []finding `json:"findings"`
}

// A finding is the result of one check.
type finding struct {
	Check string `json:"check"`
	State string `json:"state"` // ok, warning or problem
	Text  string `json:"text"`
	Hint  string `json:"hint,omitempty"` // what to do; "" only for ok
}

// The states of a finding. A warning means that recollect works, but could work
// better, or may soon stop working. A problem means that a part does not work.
const (
	stateOK      = "ok"
	stateWarning = "warning"
	stateProblem = "problem"
)

func fineFinding(format string, args ...any) finding {
	return finding{State: stateOK, Text: fmt.Sprintf(format, args...)}
}

func newWarning(hint, format string, args ...any) finding {
	return finding{State: stateWarning, Text: fmt.Sprintf(format, args...), Hint: hint}
}

func newProblem(hint, format string, args ...any) finding {
	return finding{State: stateProblem, Text: fmt.Sprintf(format, args...), Hint: hint}
}

// runChecks runs the checks. If the daemon does not answer, it leaves out those
// that need it.
func (in *installation) runChecks() []finding {
	var out []finding
	for _, c := range checks {
		if c.needsDaemon && in.daemonErr != nil {
			continue
		}
		f := c.run(in)
		f.Check, f.Text = c.name, strings.Join(strings.Fields(f.Text), " ")
		out = append(out, f)
	}
	return out
}

// findingIndent is the column at which the text of a finding begins.
const findingIndent = 19

// stateStyles are the styles of the states.
var stateStyles = map[string]cli.Style{stateOK: cli.Good, stateWarning: cli.Doubt, stateProblem: cli.Bad}

func printDiagnosis(w io.Writer, d diagnosis) error {
	for _, f := range d.Findings {
		text := fmt.Sprintf("%-9s %s", f.Check, cli.Wrap(f.Text, findingIndent, cli.Width(w)))
		if err := cli.Print(w, cli.Span{Style: stateStyles[f.State], Text: fmt.Sprintf("%-8s ", f.State)}, cli.Text("%s\n", text)); err != nil {
			return err
		}
		if f.Hint != "" {
			cli.Fold(w, cli.Text("%*s", findingIndent, ""), "hint: "+f.Hint)
		}
	}
	return nil
}

// errorOf returns the error with which doctor ends, nil if there is no problem.
func errorOf(found []finding) error {
	found = slices.DeleteFunc(slices.Clone(found), func(f finding) bool { return f.State != stateProblem })
	switch len(found) {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("there is a problem: %s", found[0].Check)
	}
	return fmt.Errorf("there are %d problems", len(found))
}
