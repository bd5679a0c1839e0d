package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect"
	"recollect/internal/api"
	"recollect/internal/memory"
)

// BenchmarkGuards times the hook before a tool call as a whole process with 0, 10 and 200 guards: three
// daemons with the same 2,000 memories, asked in turn about calls that no guard is about, and about one
// that the last of 200 asks about.
func BenchmarkGuards(b *testing.B) {
	bin := build(b)
	counts := []int{0, 10, 200}
	homes := make([]string, len(counts))
	for i, n := range counts {
		homes[i] = startDaemon(b, bin)
		fill(b, homes[i], newWriter(7), 2_000)
		addGuards(b, homes[i], n)
	}
	took := make([][]time.Duration, len(counts)+1)
	ask := func(i, session int, command string) (time.Duration, string) {
		b.Setenv("RECOLLECT_HOME", homes[i])
		event := fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":"s%d","cwd":"/src/app","tool_name":"Bash","tool_use_id":"t%d","tool_input":{"command":%q}}`, session, session, command)
		return run(b, filepath.Join(bin, "recollect-hook"), event)
	}
	for i := 0; b.Loop(); i++ {
		for n := range counts {
			n = (n + i) % len(counts)
			d, _ := ask(n, i, fmt.Sprintf(`cd web && env CI=1 sh -c "go test ./pkg%d -run 'TestCart'" 2>&1 | tail -20`, i))
			took[n] = append(took[n], d)
		}
		d, out := ask(len(counts)-1, i, fmt.Sprintf("env CI=1 guarded199 install p%d", i))
		if !strings.Contains(out, `"permissionDecision":"ask"`) {
			b.Fatalf("the guard says %q", out)
		}
		took[len(counts)] = append(took[len(counts)], d)
	}
	b.ReportMetric(0, "ns/op")
	for n, name := range []string{"0", "10", "200", "asked"} {
		b.ReportMetric(ms(quantile(took[n], 50)), name+"-p50-ms")
		b.ReportMetric(ms(quantile(took[n], 95)), name+"-p95-ms")
	}
}

// addGuards switches on guards of all kinds.
func addGuards(b *testing.B, home string, n int) {
	b.Helper()
	b.Setenv("RECOLLECT_HOME", home)
	client := &api.Client{Home: home, Version: recollect.Version()}
	for i := range n {
		rule := memory.GuardRule{Programs: []string{fmt.Sprintf("guarded%d", i)}, Subcommands: []string{"install"}, Action: memory.GuardAsk}
		switch i % 5 {
		case 1:
			rule = memory.GuardRule{Paths: []string{fmt.Sprintf("src/part%d/**", i)}, Action: memory.GuardAsk}
		case 2:
			rule = memory.GuardRule{Programs: []string{"git"}, Subcommands: []string{"commit"}, Content: fmt.Sprintf("(?i)word%d", i), Action: memory.GuardAsk}
		case 3:
			rule = memory.GuardRule{Activities: []string{"deploy"}, Action: memory.GuardAsk}
		}
		d := api.GuardDrafted{Sentence: fmt.Sprintf("never use guarded number %d", i), Rule: rule, Home: memory.Project{Name: "app", Path: "/src/app"}}
		if _, err := client.AddGuard(context.Background(), d); err != nil {
			b.Fatal(err)
		}
	}
	if n > 0 {
		if _, err := os.Stat(filepath.Join(home, api.GuardsFile)); err != nil {
			b.Fatal(err)
		}
	}
}
