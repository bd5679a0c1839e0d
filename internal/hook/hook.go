// Package hook is what a hook does between stdin and stdout: read the event,
// ask the daemon, tell Claude what it answered.
//
// A hook never stands in Claude's way. Whatever goes wrong, it prints nothing
// on stdout, one line on stderr, and ends with status 0 within its deadline.
package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/claudecode"
	"recollect/internal/memory"
)

// maxPrompt is how much of a prompt or a reply is sent to the daemon, in
// bytes. What matters of a longer one shows in its first part.
const maxPrompt = 64 << 10

// An action is what is done on one hook event.
type action struct {
	deadline time.Duration // from the start of the process
	run      func(*hook, context.Context, claudecode.Event) error
}

// actions holds every event that hooks.json registers.
var actions = map[string]action{
	"SessionStart":     {time.Second, (*hook).orient},
	"UserPromptSubmit": {240 * time.Millisecond, (*hook).prompt},
	"Stop":             {500 * time.Millisecond, (*hook).flush},
}

// longest bounds the time for reading the event, before its name is known.
const longest = time.Second

// hook is one run of the hook executable.
type hook struct {
	client api.Client
	out    io.Writer
}

// Main reads one hook event from stdin and acts on it. It always returns in
// time and never fails; began is when the process started.
func Main(began time.Time, version string, stdin io.Reader, stdout, stderr io.Writer) {
	if os.Getenv("RECOLLECT_DISABLE") != "" {
		return
	}
	events := make(chan claudecode.Event, 1)
	done := make(chan error, 1)
	go func() { // ends with the process
		done <- survive(func() error { return run(began, version, stdin, stdout, events) })
	}()
	limit := time.NewTimer(time.Until(began.Add(longest)))
	for {
		select {
		case e := <-events:
			limit.Reset(time.Until(began.Add(actions[e.Name].deadline)))
		case err := <-done:
			report(stderr, err)
			return
		case <-limit.C:
			report(stderr, context.DeadlineExceeded)
			return
		}
	}
}

// survive turns a panic into an error. A Go program that panics ends with
// status 2, and that would make Claude Code reject the prompt.
func survive(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f()
}

// grace is what is kept of an event's deadline for reading the fallback and
// writing the answer.
const grace = 10 * time.Millisecond

func report(stderr io.Writer, err error) {
	if err != nil {
		fmt.Fprintf(stderr, "recollect: %s\n", strings.ReplaceAll(err.Error(), "\n", " "))
	}
}

func run(began time.Time, version string, stdin io.Reader, stdout io.Writer, events chan<- claudecode.Event) error {
	e, err := claudecode.ReadEvent(stdin)
	if err != nil {
		return err
	}
	a, ok := actions[e.Name]
	if !ok {
		return fmt.Errorf("event %q: not one of ours", e.Name)
	}
	events <- e
	home, err := api.Home()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithDeadline(context.Background(), began.Add(a.deadline-grace))
	defer cancel()
	return a.run(&hook{api.Client{Home: home, Version: version}, stdout}, ctx, e)
}

// orient asks what a session should know at its start. A resumed or forked
// session has its old context replayed by Claude Code; only the daemon is
// started for it.
func (h *hook) orient(ctx context.Context, e claudecode.Event) error {
	var r api.Recollection
	err := h.client.Retry(ctx, func() (err error) {
		r, err = h.client.Orient(ctx, api.Session{SessionID: e.SessionID, Cwd: e.Cwd, Reason: e.Source})
		return err
	})
	if err != nil {
		return err
	}
	return h.tell(e, r)
}

// prompt asks what bears on a prompt, and tells the session's fallback when
// the daemon does not answer in time.
func (h *hook) prompt(ctx context.Context, e claudecode.Event) error {
	if !claudecode.Typed(e.Prompt) {
		return nil
	}
	var r api.Recollection
	err := h.client.Retry(ctx, func() (err error) {
		r, err = h.client.Recollect(ctx, api.Prompt{
			Event:          e.Name,
			Prompt:         memory.Clip(e.Prompt, maxPrompt),
			SessionID:      e.SessionID,
			Cwd:            e.Cwd,
			TranscriptPath: e.TranscriptPath,
		})
		return err
	})
	var refused *api.StatusError
	if err != nil && !errors.As(err, &refused) {
		return errors.Join(err, h.tell(e, fallback(h.client.Home, e)))
	}
	if err != nil {
		return err
	}
	return h.tell(e, r)
}

// flush hands the transcript to capture. It prints nothing, ever: output on
// Stop would cost a model turn.
func (h *hook) flush(ctx context.Context, e claudecode.Event) error {
	return h.client.Retry(ctx, func() error {
		return h.client.Flush(ctx, api.Flush{
			SessionID:      e.SessionID,
			TranscriptPath: e.TranscriptPath,
			Cwd:            e.Cwd,
			Reason:         e.Name,
			LastReply:      memory.Clip(e.LastAssistantMessage, maxPrompt),
		})
	})
}

func (h *hook) tell(e claudecode.Event, r api.Recollection) error {
	return claudecode.WriteOutput(h.out, e.Name, r.Context, r.Notice)
}
