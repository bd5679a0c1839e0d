package daemons

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sync/errgroup"
	"golang.org/x/term"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/memory"
)

// keyboardOf returns the terminal whose keys watch reads, if input and output are one, and it is in the foreground.
func keyboardOf(a *app.App) (*os.File, bool) {
	in, ok := a.In.(*os.File)
	if !ok || !app.IsTerminal(in) || !app.IsTerminal(a.Out) {
		return nil, false
	}
	return in, isForeground(in)
}

// watchWithKeys shows the outcomes of requests until ctx ends, and does what keys say of what was injected.
func watchWithKeys(ctx context.Context, a *app.App, client *api.Client, keys *os.File) error {
	was, err := term.MakeRaw(int(keys.Fd()))
	if err != nil {
		return fmt.Errorf("read keys: %w", err)
	}
	defer term.Restore(int(keys.Fd()), was)
	board := &board{ask: a.Ask, to: app.Unfiltered(a.Out)}
	board.print()
	defer board.end()

	ctx, stop := context.WithCancel(ctx)
	seen, pressed := make(chan api.Recalled), make(chan byte)
	go readKeys(ctx, keys, pressed) // it may last as long as this process, because a read cannot be interrupted
	var g errgroup.Group
	g.Go(func() error {
		defer stop()
		return follow(ctx, client, func(r api.Recalled) error {
			select {
			case seen <- r:
			case <-ctx.Done():
			}
			return nil
		})
	})
	for ctx.Err() == nil {
		select {
		case r := <-seen:
			board.show(r)
		case key := <-pressed:
			if !board.press(ctx, key) {
				stop()
			}
		case <-ctx.Done():
		}
	}
	return g.Wait()
}

// readKeys passes keys on until ctx or the input ends.
func readKeys(ctx context.Context, from io.Reader, to chan<- byte) {
	key := make([]byte, 1)
	for {
		if _, err := from.Read(key); err != nil {
			key[0] = endOfInput
		}
		select {
		case to <- key[0]:
		case <-ctx.Done():
			return
		}
		if key[0] == endOfInput {
			return
		}
	}
}

// Keys that a terminal sends in raw mode.
const (
	interrupt  = 3 // Ctrl-C
	endOfInput = 4 // Ctrl-D
)

// mostNumbered is how many of the newest memories can be selected: by the last digit of their number, so that no two on
// the screen share a number.
const mostNumbered = 10

// A numbered is an injected memory that keys can be about.
type numbered struct {
	api.Title
	session string
	number  int
}

// A board shows on a terminal in raw mode what was injected, numbered, and below it a line with the keys.
type board struct {
	ask func(context.Context, func(context.Context, *api.Client) error) error
	to  io.Writer

	newest   [mostNumbered]*numbered // by the last digit of their number
	last     int                     // number of the newest one, from 1; 0 for none
	selected int                     // likewise, of the one that keys are about
	isTyped  bool                    // the user selected it
	undo     []func(context.Context, *api.Client) (string, error)
	shown    int // columns of the line with the keys
}

// show shows what came of a request, and numbers what it injected.
func (b *board) show(r api.Recalled) {
	lines := []string{lineOf(r, app.CountMemories(r.Injected), cli.Width(b.to))}
	first := b.last + 1
	for _, t := range r.Named {
		b.last++
		b.newest[b.last%mostNumbered] = &numbered{t, r.Session, b.last}
		lines = append(lines, b.lineOf(b.last, t.Verdict))
	}
	if more := r.Injected - len(r.Named); more > 0 && len(r.Named) > 0 {
		lines = append(lines, fmt.Sprintf("     and %d more", more))
	}
	b.isTyped = b.isTyped && b.selected > b.last-mostNumbered // the digit stands for another now
	if len(r.Named) > 0 && !b.isTyped {
		b.selected = first
	}
	b.print(lines...)
}

// lineOf returns a line about the memory with a number.
func (b *board) lineOf(number int, what string) string {
	if what != "" {
		what += ": "
	}
	return fmt.Sprintf("  %d  %s%s", number, what, b.newest[number%mostNumbered].Title.Title)
}

// print shows lines above the one with the keys.
func (b *board) print(lines ...string) {
	for _, line := range lines {
		b.write(cli.Line(b.to, line), "\r\n")
	}
	keys := "q ends this"
	if b.selected > 0 {
		keys = fmt.Sprintf("%d: u useful  w wrong  f forget  z undo  0-9 select  q end", b.selected)
	}
	b.write(cli.Line(b.to, keys), "")
	b.shown = cli.Columns(keys)
}

// write writes a line over the one with the keys.
func (b *board) write(line, end string) {
	fmt.Fprint(b.to, "\r", line, strings.Repeat(" ", max(0, b.shown-cli.Columns(line))), end)
	b.shown = 0
}

// end removes the line with the keys.
func (b *board) end() { b.write("", "\r") }

// press does what a key says, and reports whether to go on.
func (b *board) press(ctx context.Context, key byte) bool {
	switch {
	case key == 'q', key == interrupt, key == endOfInput:
		return false
	case key == 'z':
		b.do(ctx, b.undoLast)
	case key >= '0' && key <= '9' && b.newest[key-'0'] != nil:
		b.selected, b.isTyped = b.newest[key-'0'].number, true
		b.print(b.lineOf(b.selected, "selected"))
	case b.selected == 0:
	case key == 'u':
		b.do(ctx, b.say(api.Useful, "useful, counts as a use"))
	case key == 'w':
		b.do(ctx, b.say(api.Wrong, "wrong, not injected again"))
	case key == 'f':
		b.do(ctx, b.forget)
	}
	return true
}

// do asks the daemon for something, and shows what came of it.
func (b *board) do(ctx context.Context, what func(context.Context, *api.Client) (string, error)) {
	var line string
	err := b.ask(ctx, func(ctx context.Context, c *api.Client) (err error) {
		line, err = what(ctx, c)
		return err
	})
	if err != nil {
		line = "recollect: " + err.Error()
	}
	b.print(line)
}

// say returns what stores a verdict on the selected memory, or takes it back if it was said before.
func (b *board) say(verdict, does string) func(context.Context, *api.Client) (string, error) {
	number, of := b.selected, b.newest[b.selected%mostNumbered]
	return func(ctx context.Context, c *api.Client) (string, error) {
		now := api.Verdict{ID: of.ID, Says: verdict, Session: of.session}
		if of.Verdict == verdict {
			now.Says, does = "", "taken back"
		}
		before, err := c.SetVerdict(ctx, now)
		if err != nil {
			return "", err
		}
		of.Verdict = now.Says
		b.undo = append(b.undo, func(ctx context.Context, c *api.Client) (string, error) {
			_, err := c.SetVerdict(ctx, before)
			of.Verdict = before.Says
			return "undone: " + of.Title.Title, err
		})
		return b.lineOf(number, does), nil
	}
}

// forget deletes the selected memory, which the board keeps so that it can be brought back.
func (b *board) forget(ctx context.Context, c *api.Client) (string, error) {
	number, of := b.selected, b.newest[b.selected%mostNumbered]
	if of.Gone {
		return b.lineOf(number, "no memory (any more)"), nil
	}
	was, err := c.Forget(ctx, of.ID)
	if err != nil {
		return "", err
	}
	of.Gone = true
	b.undo = append(b.undo, func(ctx context.Context, c *api.Client) (string, error) {
		_, err := c.Remember(ctx, api.Remember{Memories: memory.Drafts(was), Restore: true})
		of.Gone = err != nil
		return "brought back: " + of.Title.Title, err
	})
	return b.lineOf(number, "forgotten (z brings it back)"), nil
}

// undoLast undoes the last thing that was done, unless that fails.
func (b *board) undoLast(ctx context.Context, c *api.Client) (string, error) {
	last := len(b.undo) - 1
	if last < 0 {
		return "nothing to undo", nil
	}
	text, err := b.undo[last](ctx, c)
	if err == nil {
		b.undo = b.undo[:last]
	}
	return text, err
}
