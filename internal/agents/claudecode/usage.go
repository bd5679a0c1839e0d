package claudecode

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"recollect/internal/system/nesting"
	"recollect/internal/system/regular"
)

// Numbers of bytes at the end of a transcript to search for the last usage. A long result of a tool may
// follow it.
const (
	usageTail    = 256 << 10
	maxUsageTail = 4 << 20
)

// A Usage tells how full a context is.
type Usage struct {
	Model  string // model that filled it; "" when nothing is known
	Tokens int
}

// ReadUsage returns how full the context of a session is according to its transcript: the tokens that the
// last reply read and wrote, or the number that a later compaction left. It returns the zero Usage if the
// end of the transcript contains neither. It does not count sub-agents.
func ReadUsage(path string) (Usage, error) {
	f, err := regular.Open(path)
	if err != nil {
		return Usage{}, fmt.Errorf("read usage: %w", err)
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return Usage{}, fmt.Errorf("read usage: %w", err)
	}
	agent := strings.HasPrefix(filepath.Base(path), "agent-")
	for n := int64(usageTail); ; n *= 4 {
		from := max(0, fi.Size()-n)
		tail := make([]byte, fi.Size()-from)
		if _, err := f.ReadAt(tail, from); err != nil && err != io.EOF {
			return Usage{}, fmt.Errorf("read usage: %w", err)
		}
		if u, ok := lastUsage(tail, agent); ok || from == 0 || n >= maxUsageTail {
			return u, nil
		}
	}
}

// lastUsage returns the last usage in the end of a transcript. The first line may be incomplete, so that
// it is not JSON.
func lastUsage(tail []byte, agent bool) (Usage, bool) {
	for len(tail) > 0 {
		at := bytes.LastIndexByte(bytes.TrimRight(tail, "\n"), '\n') + 1
		line := tail[at:]
		tail = tail[:at]
		if u, ok := usageOf(line, agent); ok {
			return u, true
		}
	}
	return Usage{}, false
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
