package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/memory"
)

// BenchmarkTool times the hook that runs before each tool call, as a whole
// process, in turn with a program that only reads its input, over 100,000
// memories of which a fifth are failures. Cold, every call is a new one; warm,
// its answer is in the daemon's cache. Each session is new, so that there is
// something to tell.
func BenchmarkTool(b *testing.B) {
	const n = 100_000
	bin := build(b)
	home := startDaemon(b, bin)
	text := newWriter(7)
	fill(b, home, text, n*4/5)
	commands := fillFailures(b, home, text, n/5)
	for _, cache := range []string{"cold", "warm"} {
		b.Run(fmt.Sprintf("memories=%d/cache=%s", n, cache), func(b *testing.B) { benchmarkTool(b, bin, commands, cache == "warm") })
	}
}

func benchmarkTool(b *testing.B, bin string, commands []string, warm bool) {
	var bare, hook []time.Duration
	told := 0
	for i := 0; b.Loop(); i++ {
		command := commands[i%len(commands)]
		if warm {
			command = commands[i%10]
		}
		event := fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":"t%t%d-%d","cwd":"/src/app","tool_name":"Bash","tool_input":{"command":%q}}`, warm, b.N, i, command)
		d, _ := run(b, filepath.Join(bin, "bare"), event)
		bare = append(bare, d)
		d, out := run(b, filepath.Join(bin, "recollect-hook"), event)
		hook = append(hook, d)
		if strings.Contains(out, "memory-data") {
			told++
		}
	}
	report(b, bare, hook)
	b.ReportMetric(100*float64(told)/float64(len(hook)), "told-%")
}

// fillFailures stores n failures of different commands and returns those.
func fillFailures(b *testing.B, home string, text *writer, n int) (commands []string) {
	b.Helper()
	keep(b, home, n, func() memory.Memory {
		command := "go test ./" + strings.ReplaceAll(text.text(3), " ", "/")
		fault := "undefined: " + text.text(2)
		commands = append(commands, command)
		return memory.Memory{Source: memory.Failures, Project: "app", ProjectPath: "/src/app", OccurredAt: time.Now(), Title: "`" + command + "` fails: " + fault,
			Fields: map[string]string{"tool": "Bash", "error": fault, "fix": "ran `go generate`: " + text.text(20)}}
	})
	return commands
}
