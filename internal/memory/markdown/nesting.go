package markdown

import (
	"errors"
	"fmt"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Limits on front matter. The lexer's time grows with the length of its input, but the parser's with the
// square of the nesting, which front matter hardly needs.
const (
	maxFront  = 1 << 20 // bytes
	maxDepth  = 20      // brackets, or tokens of one line without a comma between them
	maxIndent = 100
)

// parse parses front matter that does not keep the parser busy for long. It returns the line of an error,
// counted from 1. The parser may panic.
func parse(front string) (_ *ast.File, _ int, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the parser gave up: %v", p)
		}
	}()
	if len(front) > maxFront {
		return nil, 1, fmt.Errorf("more than %d bytes", maxFront)
	}
	tokens := lexer.Tokenize(front)
	depth, crowd, line := 0, 0, 0
	for _, t := range tokens {
		if at := t.Position; at.Line > line {
			if line = at.Line; at.Column > maxIndent {
				crowd = maxDepth
			} else if depth <= 0 {
				crowd = 0
			}
		}
		switch crowd++; t.Type {
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.CollectEntryType:
			crowd = 0
		}
		if depth > maxDepth || crowd > maxDepth {
			return nil, line, errors.New("nested too deeply")
		}
	}
	file, err := parser.Parse(tokens, 0)
	var at interface {
		GetMessage() string
		GetToken() *token.Token
	}
	if errors.As(err, &at) && at.GetToken() != nil {
		return nil, at.GetToken().Position.Line, errors.New(at.GetMessage())
	}
	return file, 0, err
}
