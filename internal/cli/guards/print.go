package guards

import (
	"fmt"
	"io"
	"time"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/memory"
)

// shownHits is how many hits of each guard are printed.
const shownHits = 5

func printGuards(w io.Writer, list []api.Guard, all bool) error {
	if len(list) == 0 {
		none := "no guards here; --all lists those of all projects, --suggest what could be some"
		if all {
			none = "no guards; --suggest lists what could be some"
		}
		return cli.Fold(w, cli.Span{}, none)
	}
	for i, g := range list {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := printGuard(w, g); err != nil {
			return err
		}
	}
	return nil
}

func printGuard(w io.Writer, g api.Guard) error {
	if err := cli.Fold(w, cli.Span{}, g.ID+": "+g.Says); err != nil {
		return err
	}
	if g.Sentence != "" {
		printIndented(w, fmt.Sprintf("you said on %s: “%s”", g.Said.Local().Format(time.DateOnly), g.Sentence))
	}
	if g.Idle != "" {
		printIndented(w, "does nothing: "+g.Idle)
	}
	printIndented(w, fmt.Sprintf("on since %s, %s, %d let through by you", g.Since.Local().Format(time.DateOnly), cli.Count(g.Count, "call", "calls"), g.Overridden))
	for _, h := range g.Hits[:min(len(g.Hits), shownHits)] {
		printIndented(w, hitLine(h))
	}
	return nil
}

// hitLine says what a guard did with a call, and what the user then said.
func hitLine(h api.GuardHit) string {
	about := " about"
	if h.Action == memory.GuardDeny {
		about = ""
	}
	line := fmt.Sprintf("%s: %s%s “%s”", h.At.Local().Format("2006-01-02 15:04"), did[h.Action], about, h.What)
	switch h.Outcome {
	case "overridden":
		line += ", which you let through"
	case "refused":
		line += ", which you refused"
	}
	return line + "; session " + h.Session
}

func printIndented(w io.Writer, text string) { cli.Fold(w, cli.Text("  "), text) }

func printSuggested(w io.Writer, list []api.GuardDrafted) error {
	if len(list) == 0 {
		return cli.Fold(w, cli.Span{}, "no wish here could be a guard")
	}
	for _, d := range list {
		if err := cli.Fold(w, cli.Span{}, fmt.Sprintf("%s “%s”", d.ID, d.Sentence)); err != nil {
			return err
		}
		printIndented(w, d.Says)
	}
	return cli.Fold(w, cli.Span{}, "recollect guard add ID rehearses one and asks")
}

// printRehearsal prints what a rule would have done.
func printRehearsal(w io.Writer, action string, r api.GuardRehearsed) error {
	for _, c := range r.Calls {
		mark := ""
		if c.Corrected {
			mark = "  (you corrected Claude)"
		}
		lead := cli.Text("  %s  %s  ", c.At.Local().Format(time.DateOnly), shortSession(c.Session))
		cli.Fold(w, lead, c.Call+mark)
	}
	for _, why := range r.Unread {
		printIndented(w, "not read: "+why)
	}
	return cli.Fold(w, cli.Span{}, rehearsalLine(action, r))
}

// did is what a guard did, by its action.
var did = map[string]string{memory.GuardAsk: "asked", memory.GuardWarn: "warned", memory.GuardDeny: "refused"}

// rehearsalLine says what a rule would have done in one line.
func rehearsalLine(action string, r api.GuardRehearsed) string {
	line := cli.Count(r.Sessions, "session", "sessions") + ": would "
	if len(r.Calls) == 0 {
		return line + "never have " + did[action]
	}
	line += "have " + did[action] + " " + times(len(r.Calls))
	switch left := len(r.Calls) - r.Corrected; {
	case r.Corrected == 0:
		return line + "; you did not correct Claude then"
	case left == 0:
		return line + "; each time you then corrected Claude"
	default:
		return line + fmt.Sprintf("; %s you then corrected Claude, %s you did not", times(r.Corrected), times(left))
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// shortSession returns the beginning of the id of a session.
func shortSession(id string) string { return id[:min(len(id), 8)] }
