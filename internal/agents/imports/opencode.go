package imports

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"recollect/internal/agents/imports/record"
)

// UnpackOpenCode writes each session of OpenCode's database to a file in dir, in the form of an export
// with one message a line, and returns the paths. It passes what cannot be read to skip.
func UnpackOpenCode(ctx context.Context, path, dir string, skip func(error)) ([]string, error) {
	s := sessions{dir: dir, skip: skip}
	if err := runImporter(ctx, "opencode", path, s.line); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s.files, s.close()
}

// sessions writes files with one session each.
type sessions struct {
	dir   string
	skip  func(error)
	id    string // id of the session that is being written
	open  *os.File
	files []string
}

func (s *sessions) line(line record.Line) error {
	switch m := line.Message; {
	case line.Unread != "":
		s.skip(errors.New(line.Unread))
	case m != nil && record.IsSession(m.Session):
		return s.write(m.Session, m.JSON)
	}
	return nil
}

// write writes a line of a session. All lines of a session must follow one another.
func (s *sessions) write(id string, line []byte) error {
	if id != s.id {
		if err := s.begin(id); err != nil {
			return err
		}
	}
	_, err := s.open.Write(append(line, '\n'))
	return err
}

func (s *sessions) begin(id string) error {
	if err := s.close(); err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(s.dir, id+".jsonl"), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	s.id, s.open, s.files = id, file, append(s.files, file.Name())
	return nil
}

func (s *sessions) close() error {
	if s.open == nil {
		return nil
	}
	return s.open.Close()
}
