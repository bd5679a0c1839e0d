package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/engine/usage"
)

const (
	// remindEvery is how often the user is reminded of a review, at most.
	remindEvery = 24 * time.Hour
	// sumUpEvery is how often the user is told what was used, at most.
	sumUpEvery = 7 * 24 * time.Hour
)

// reminders is what the user was told at the start of a session, as it is stored in review.json. Such lines name commands
// with the ! that runs them in a session: a shell outside it may not have the program, which lies in the plugin.
type reminders struct {
	V       int       `json:"v"`
	At      time.Time `json:"at,omitzero"`       // of a review
	Week    time.Time `json:"week,omitzero"`     // what was used until then
	Offered bool      `json:"offered,omitempty"` // the status line
	Reader  bool      `json:"reader,omitempty"`  // a model that picks what prompts get
}

// remind changes what the user was told, and returns a line if that is stored, or each session would begin with it.
// Two sessions that begin at once may both have it.
func (e *Engine) remind(line string, change func(*reminders)) string {
	var r reminders
	if err := e.reminded.Read(&r); err != nil {
		r = reminders{}
	}
	r.V = 1
	change(&r)
	if err := e.reminded.Write(r); err != nil || e.reminded.Newer() != nil {
		return ""
	}
	return line
}

// told returns what the user was told; ok is false where nothing can be stored.
func (e *Engine) told() (r reminders, ok bool) {
	if err := e.reminded.Read(&r); err != nil {
		r = reminders{}
	}
	return r, e.lock.Held() == nil
}

// reviewDue returns a line for the user about what waits for review, "" if nothing does or the user was reminded
// lately.
func (e *Engine) reviewDue(now time.Time) string {
	r, ok := e.told()
	n := len(e.Store.PendingIDs())
	if n == 0 || !ok || now.Sub(r.At).Abs() < remindEvery {
		return ""
	}
	verb := "wait"
	if n == 1 {
		verb = "waits"
	}
	return e.remind(fmt.Sprintf("recollect: %s %s for your review (! recollect review)", countedMemories(n), verb), func(r *reminders) { r.At = now.UTC() })
}

// weekDue returns a line for the user about what was used since the last such line, "" within a week and if nothing
// was.
func (e *Engine) weekDue(now time.Time) string {
	r, ok := e.told()
	if !ok || now.Sub(r.Week).Abs() < sumUpEvery {
		return ""
	}
	line := ""
	if !r.Week.IsZero() {
		line = sumUp(e.usage.Since(r.Week))
	}
	return e.remind(line, func(r *reminders) { r.Week = now.UTC() })
}

// sumUp says how many of some injections Claude used, by what its answers and actions show, "" if none.
func sumUp(injections []usage.Injection) string {
	answers, failures := 0, 0
	for _, i := range injections {
		switch {
		case i.Used == nil || !*i.Used:
		case i.Event == usage.ToolEvent:
			failures++
		default:
			answers++
		}
	}
	if answers+failures == 0 {
		return ""
	}
	return fmt.Sprintf("recollect: %s used, %s avoided in the last week (! recollect stats)", countNoun(answers, "answer"), countNoun(failures, "failure"))
}

// statuslineNote is the file that the command statusline install leaves.
const statuslineNote = "statusline.json"

// offerDue returns a line for the user, once, about the status line that shows what each prompt gets.
func (e *Engine) offerDue() string {
	r, ok := e.told()
	if _, err := os.Stat(filepath.Join(e.home, statuslineNote)); err == nil || r.Offered || !ok {
		return ""
	}
	return e.remind("recollect: the status line can show what Claude gets with each prompt (! recollect statusline install)", func(r *reminders) { r.Offered = true })
}

// readerDue returns a line for the user, once, about a model that picks what prompts get, if there is none.
func (e *Engine) readerDue() string {
	r, ok := e.told()
	if !ok || r.Reader || e.settings.Current().Reader.Kind != config.ReaderOff {
		return ""
	}
	return e.remind("recollect: Claude itself can pick what prompts get, for 2,000 tokens each (! recollect reader use claude)", func(r *reminders) { r.Reader = true })
}

// duties returns what else the user is told at the start of a session, as far as the settings want it; said is what it
// is told already.
func (e *Engine) duties(start api.Session, said string, now time.Time) []string {
	if start.Reason != "startup" && start.Reason != "clear" {
		return nil
	}
	out := []string{e.reviewDue(now), e.guardsDue()}
	if !e.settings.Current().Orientation.Notice {
		return out
	}
	if said != "" {
		out = append(out, e.offerDue())
	}
	week := e.weekDue(now)
	if out = append(out, week); week != "" {
		out = append(out, e.readerDue())
	}
	return out
}
