package transcript

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"recollect/internal/agents"
	"recollect/internal/agents/claudecode"
	"recollect/internal/system/regular"
)

const (
	firstLines = 20       // number of lines that are read to identify the agent
	maxFirst   = 4 << 20  // bytes of one of them
	maxWhole   = 64 << 20 // bytes of a transcript that is one JSON value
)

// A foreign describes a transcript of an agent other than Claude Code.
type foreign struct {
	begin  []byte // the line that identifies the agent
	folder string // where the session ran, if the path of the file tells it
	whole  bool   // the file is one JSON value
}

// identifyAgent detects a transcript of another agent. It returns nil for Claude Code and for files that
// are not transcripts.
func identifyAgent(f *os.File) (*foreign, error) {
	content, err := regular.From(f, 0)
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(filepath.Ext(f.Name()), ".json") {
		return identifyWhole(f.Name(), content)
	}
	lines := regular.NewLines(content, maxFirst)
	for range firstLines {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if agents.Detect(line.Text) != nil {
			return &foreign{begin: bytes.Clone(line.Text), folder: agents.FolderOf(f.Name())}, nil
		}
		if bytes.Contains(line.Text, []byte(`"isSidechain":`)) {
			return nil, nil // only messages of Claude Code have these
		}
	}
	return nil, nil
}

func identifyWhole(path string, content io.Reader) (*foreign, error) {
	all, err := regular.ReadAll(content, maxWhole)
	if err != nil {
		return nil, err
	}
	lines, ok := agents.Lines(all)
	if !ok {
		return nil, nil
	}
	begin, _, _ := bytes.Cut(lines, []byte("\n"))
	return &foreign{begin: bytes.Clone(begin), folder: agents.FolderOf(path), whole: true}, nil
}

// Agent returns the name of the agent that wrote the transcript, "" for Claude Code.
func (f *File) Agent() string {
	if f.foreign == nil {
		return ""
	}
	return agents.Detect(f.foreign.begin).Agent()
}

// turns reads the turns from offset on, or all of a file that is one JSON value.
func (fo *foreign) turns(f *File, offset int64, yield func(claudecode.Turn) error) (claudecode.Scan, error) {
	translator := agents.Detect(fo.begin)
	if fo.folder != "" {
		translator.SetFolder(fo.folder)
	}
	translator.SetSession(f.session)
	if fo.whole || !lineBegins(f.File, offset) {
		offset = 0
	}
	var r io.Reader
	r, err := regular.From(f.File, offset)
	if err == nil && fo.whole {
		r, err = wholeLines(r)
	}
	if err != nil {
		return claudecode.Scan{}, fmt.Errorf("read transcript: %w", err)
	}
	scan, err := claudecode.ReadTranslated(r, offset, translator.Lines, func(t claudecode.Turn) error {
		t.Client, t.Session = translator.Agent(), cmp.Or(t.Session, f.session)
		return yield(t)
	})
	if fo.whole {
		scan.Offset = 0 // offsets in the lines are not offsets in the file
	}
	return scan, err
}

func wholeLines(r io.Reader) (io.Reader, error) {
	all, err := regular.ReadAll(r, maxWhole)
	if err != nil {
		return nil, err
	}
	lines, ok := agents.Lines(all)
	if !ok {
		return nil, errors.New("it has changed while it was read")
	}
	return bytes.NewReader(lines), nil
}
