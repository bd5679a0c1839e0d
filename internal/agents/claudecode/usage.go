package claudecode

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"recollect/internal/system/nesting"
)

// A Usage tells how full a context is.
type Usage struct {
	Model  string // model that filled it; "" when nothing is known
	Tokens int
}

// ReadUsage returns how full the context of a session is according to its transcript: the tokens that the
// last reply read and wrote, or the number that a later compaction left. It returns the zero Usage if the
// end of the transcript contains neither. It does not count sub-agents.
func ReadUsage(path string) (u Usage, err error) {
	agent := strings.HasPrefix(filepath.Base(path), "agent-")
	err = readBack(path, maxTail, func(line []byte, _ int64) (found bool) {
		u, found = usageOf(line, agent)
		return found
	})
	if err != nil {
		return Usage{}, fmt.Errorf("read usage: %w", err)
	}
	return u, nil
}

func usageOf(line []byte, agent bool) (Usage, bool) {
	if !bytes.Contains(line, []byte(`"usage"`)) && !bytes.Contains(line, []byte(`"compact_boundary"`)) || !nesting.ValidJSONBytes(line) {
		return Usage{}, false
	}
	rec := gjson.ParseBytes(line)
	switch rec.Get("type").Str {
	case "system":
		after := rec.Get("compactMetadata.postTokens")
		return Usage{Tokens: int(max(0, after.Int()))}, rec.Get("subtype").Str == "compact_boundary"
	case "assistant":
		usage, model := rec.Get("message.usage"), rec.Get("message.model").Str
		made := model == "<synthetic>" || rec.Get("isApiErrorMessage").Bool()
		elsewhere := rec.Get("isSidechain").Bool() && !agent
		if !usage.IsObject() || made || elsewhere {
			return Usage{}, false
		}
		tokens := int64(0)
		for _, part := range []string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"} {
			tokens += max(0, usage.Get(part).Int())
		}
		return Usage{Model: model, Tokens: int(tokens)}, true
	}
	return Usage{}, false
}
