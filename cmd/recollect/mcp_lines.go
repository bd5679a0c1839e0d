package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"recollect/internal/regular"
)

// maxMessage is the most bytes that a message of an MCP client may have.
const maxMessage = 4 << 20

// A messageReader passes on the lines of an MCP client that are messages. The
// SDK ends the session at the first line that is none.
type messageReader struct {
	lines *regular.Lines
	warn  io.Writer
	rest  []byte // of the line that is being read
}

func newMessageReader(r io.Reader, warn io.Writer) *messageReader {
	return &messageReader{lines: regular.NewLines(r, maxMessage), warn: warn}
}

// Read reads the next bytes of the next message.
func (m *messageReader) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, err := m.lines.Next()
		if err != nil {
			return 0, err
		}
		text := bytes.TrimSpace(line.Text)
		if len(text) == 0 && !line.TooLong {
			continue
		}
		if err := checkMessage(line.TooLong, text); err != nil {
			fmt.Fprintf(m.warn, "recollect: line %d is no message of MCP, and is passed over: %v\n", line.Number, err)
			continue
		}
		m.rest = append(text, '\n')
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

func checkMessage(tooLong bool, line []byte) error {
	if tooLong {
		return fmt.Errorf("it has more than %d MiB", maxMessage>>20)
	}
	if !json.Valid(line) {
		return fmt.Errorf("it is no JSON")
	}
	if line[0] != '{' {
		return fmt.Errorf("it is no JSON object")
	}
	_, err := jsonrpc.DecodeMessage(line)
	return err
}

// Close does nothing: standard input ends with the process.
func (m *messageReader) Close() error { return nil }

// messageWriter is standard output, which stays open.
type messageWriter struct{ io.Writer }

func (messageWriter) Close() error { return nil }
