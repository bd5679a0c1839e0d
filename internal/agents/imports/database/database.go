// Package database reads the databases of other memory programs for recollect-import, which is a process
// of its own: see package record.
//
// It invents nothing; data for which a memory has no field is added to its text or its tags. It leaves
// out deleted records and internal data of the programs (checksums, sync states, counters, vectors, raw
// tool output).
package database

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"recollect/internal/agents/imports/record"
	"recollect/internal/system/crash"
)

// programs are the programs whose databases can be read.
var programs = map[string]func(*reader, context.Context) error{
	"claude-mem":      (*reader).claudeMem,
	"engram":          (*reader).engram,
	"episodic-memory": (*reader).episodicMemory,
	"opencode":        (*reader).openCode,
}

// A reader reads the database of one program.
type reader struct {
	program string
	path    string
	out     *record.Writer
}

const usage = "usage: recollect-import PROGRAM PATH\n\n\"recollect import --from PROGRAM PATH\" runs it, and reads what it writes."

// Main writes the records of a program at a path to stdout and returns the exit status. It stops when
// stdin ends. The arguments are the program and the path.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) != 2 || programs[args[0]] == nil {
		fmt.Fprintln(stderr, usage)
		return 2
	}
	// The parent ends stdin to stop us, or by dying. We must then still delete a copy.
	signal.Ignore(os.Interrupt, syscall.SIGPIPE)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		io.Copy(io.Discard, stdin)
		cancel()
	}()
	out := record.NewWriter(stdout)
	if err := Read(ctx, args[0], args[1], out); err != nil {
		return 1
	}
	return 0
}

// Read writes the records of a program at path, a file or the folder that contains it, and the reason why
// reading ended.
func Read(ctx context.Context, program, path string, out *record.Writer) error {
	err := crash.Catch(func() error {
		return errors.Join(out.Begin(), programs[program](&reader{program, path, out}, ctx))
	})
	return errors.Join(err, out.End(err))
}

// skip reports that something cannot be read.
func (r *reader) skip(why error) error { return r.out.Unread(why) }

// emit writes a record of this kind. parts identify it; the last one is the id that the program displays.
func (r *reader) emit(rec record.Record, kind string, parts ...string) error {
	rec.Kind, rec.ID = kind, parts
	return r.out.Record(rec)
}
