package claudecode

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"
)

// How much of a transcript's end is searched for the last usage, in bytes: a
// long result of a tool may stand behind it.
const (
	usageTail    = 256 << 10
	maxUsageTail = 4 << 20
)

// A Usage is how full a context is.
type Usage struct {
	Model  string // that filled it; "" where nothing is known
	Tokens int
}

// ReadUsage returns how full the context of a session is by its transcript:
// what the last reply took in and gave out, or what the last compaction left
// if that came later. It is the zero Usage where the transcript's end tells
// neither. Of a session, what its sub-agents did does not count.
func ReadUsage(path string) (Usage, error) {
	f, err := os.Open(path)
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

// lastUsage finds the last line of a transcript's end that tells how full the
// context is. The first line may be a part of one: it is no JSON then.
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
	if !bytes.Contains(line, []byte(`"usage"`)) && !bytes.Contains(line, []byte(`"compact_boundary"`)) || !gjson.ValidBytes(line) {
		return Usage{}, false
	}
	rec := gjson.ParseBytes(line)
	switch rec.Get("type").Str {
	case "system":
		after := rec.Get("compactMetadata.postTokens")
		return Usage{Tokens: int(max(0, after.Int()))}, rec.Get("subtype").Str == "compact_boundary"
	case "assistant":
		usage, model := rec.Get("message.usage"), rec.Get("message.model").Str
		if !usage.IsObject() || model == "<synthetic>" || rec.Get("isSidechain").Bool() && !agent || rec.Get("isApiErrorMessage").Bool() {
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
