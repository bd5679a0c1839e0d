package machines

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"path"
	"strconv"
	"strings"

	"recollect/internal/system/git"
	"recollect/internal/system/regular"
)

// sshFolder is the folder of the segments on another machine if the target names none. It is relative
// to the user's home folder there.
const sshFolder = "recollect-sync"

// The scripts that a POSIX shell runs on the other machine. $1 is the folder of the target, $2 a writer,
// $3 the name of a segment, $4 its size in bytes.
const (
	sshList   = `cd "$1" 2>/dev/null || exit 0; for f in recollect/*/*.jsonl; do if [ -f "$f" ] && [ ! -h "$f" ]; then wc -c "$f"; fi; done`
	sshRead   = `f="$1/recollect/$2/$3.jsonl"; [ -f "$f" ] && [ ! -h "$f" ] && exec cat "$f"`
	sshWrite  = `umask 077; d="$1/recollect/$2"; mkdir -p "$d" && cd "$d" && rm -f .new-* && cat >".new-$3" && [ "$(wc -c <".new-$3")" -eq "$4" ] && mv -f ".new-$3" "$3.jsonl"`
	sshRemove = `rm -f "$1/recollect/$2/$3.jsonl"`
	sshLeave  = `rm -rf "$1/recollect/$2"`
)

// maxListed is the size of the longest list of segments, in bytes.
const maxListed = 32 << 20

// A remote is a target folder on another machine, which needs ssh and a shell, but not recollect.
type remote struct {
	options []string
	host    string
	dir     string
}

// parseSSH parses an address such as ssh://user@host:22/path. A path that begins with "/~/" is
// relative to the home folder.
func parseSSH(to string) (remote, error) {
	u, err := url.Parse(to)
	if err != nil {
		return remote{}, err
	}
	host := u.Hostname()
	if !isPlain(u) || strings.HasPrefix(host, "-") || strings.HasPrefix(u.User.Username(), "-") { // ssh would take a leading hyphen for an option
		return remote{}, errors.New("must be ssh://host or ssh://user@host:port/path")
	}
	r := remote{host: host, dir: path.Clean(u.Path), options: []string{"-T", "-oBatchMode=yes", "-oConnectTimeout=15"}}
	if name := u.User.Username(); name != "" {
		r.host = name + "@" + host
	}
	if u.Port() != "" {
		r.options = append(r.options, "-p", u.Port())
	}
	if home, ok := strings.CutPrefix(r.dir, "/~/"); ok {
		r.dir = "./" + home
	} else if u.Path == "" || u.Path == "/" {
		r.dir = "./" + sshFolder
	}
	return r, nil
}

// isPlain reports whether an address has a host, and no password, query or fragment.
func isPlain(u *url.URL) bool {
	_, secret := u.User.Password()
	return u.Hostname() != "" && !secret && u.RawQuery+u.Fragment == ""
}

// run runs a script on the other machine and returns its output, at most limit bytes.
func (r remote) run(ctx context.Context, limit int64, input []byte, script string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	line := "sh -c " + quote(script) + " sh"
	for _, arg := range append([]string{r.dir}, args...) {
		line += " " + quote(arg)
	}
	cmd := exec.CommandContext(ctx, "ssh", append(r.options, "--", r.host, line)...)
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("ssh %s: %w", r.host, err)
	}
	printed, err := regular.ReadAll(out, limit)
	if err != nil {
		cancel()
	}
	if err = errors.Join(err, cmd.Wait()); err != nil {
		return nil, fmt.Errorf("ssh %s: %w: %s", r.host, err, git.LastLines(errs.String()))
	}
	return printed, nil
}

// quote quotes s as one word for a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func (r remote) list(ctx context.Context) ([]Segment, error) {
	printed, err := r.run(ctx, maxListed, nil, sshList)
	if err != nil {
		return nil, err
	}
	var found []Segment
	for line := range strings.Lines(string(printed)) {
		size, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.ParseInt(size, 10, 64)
		s := Segment{Writer: path.Base(path.Dir(file)), Name: strings.TrimSuffix(path.Base(file), ending), Size: n}
		if wellFormed := writerForm.MatchString(s.Writer) && nameForm.MatchString(s.Name); err != nil || !wellFormed || s.file() != file {
			continue
		}
		if found = append(found, s); len(found) > maxSegments {
			return nil, fmt.Errorf("it has more than %d segments", maxSegments)
		}
	}
	return found, nil
}

func (r remote) read(ctx context.Context, s Segment) ([]byte, error) {
	return r.run(ctx, maxSegment, nil, sshRead, s.Writer, s.Name)
}

func (r remote) write(ctx context.Context, s Segment, content []byte) error {
	_, err := r.run(ctx, 0, content, sshWrite, s.Writer, s.Name, strconv.Itoa(len(content)))
	return err
}

func (r remote) remove(ctx context.Context, s Segment) error {
	_, err := r.run(ctx, 0, nil, sshRemove, s.Writer, s.Name)
	return err
}

func (r remote) leave(ctx context.Context, writer string) error {
	_, err := r.run(ctx, 0, nil, sshLeave, writer)
	return err
}
