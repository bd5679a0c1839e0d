package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"recollect"
	"recollect/internal/api"
	"recollect/internal/share/server/streamtest"
)

const (
	benchRemote = "git.example.com/acme/app"
	benchShared = 1_000 // memories of the team
)

// BenchmarkTeam times the prompt hook as a whole process with a team's server that is not set, runs as
// a cluster of three, is down, and takes connections but says nothing: four daemons with the same
// 10,000 memories and 1,000 of the team, asked in turn.
func BenchmarkTeam(b *testing.B) {
	bin, dir := build(b), benchCheckout(b)
	up := benchCluster(b)
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { silent.Close() })
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	closed.Close()
	servers := []struct{ name, url string }{
		{"unset", ""}, {"up", up}, {"down", "nats://" + closed.Addr().String()}, {"hanging", "nats://" + silent.Addr().String()},
	}
	homes := make([]string, len(servers))
	var texts []string
	for i, s := range servers {
		homes[i] = startDaemon(b, bin)
		texts = fill(b, homes[i], newWriter(7), 10_000)
		receive(b, homes[i], dir, up)
		nameServer(b, homes[i], s.url)
	}
	time.Sleep(10 * time.Second) // the daemons look at their settings now and then

	took := make([][]time.Duration, len(servers))
	text := newWriter(8)
	for i := 0; b.Loop(); i++ {
		event := fmt.Sprintf(`{"hook_event_name":"UserPromptSubmit","session_id":"s%d","cwd":%q,"prompt":%q}`, i, dir, text.prompt(texts))
		for n := range servers {
			n = (n + i) % len(servers)
			os.Setenv("RECOLLECT_HOME", homes[n])
			d, _ := run(b, filepath.Join(bin, "recollect-hook"), event)
			took[n] = append(took[n], d)
		}
	}
	b.ReportMetric(0, "ns/op")
	for n, s := range servers {
		b.ReportMetric(ms(quantile(took[n], 50)), s.name+"-p50-ms")
		b.ReportMetric(ms(quantile(took[n], 95)), s.name+"-p95-ms")
	}
}

// benchCheckout makes a repository with a remote, as much of one as is looked at.
func benchCheckout(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o700); err != nil {
		b.Fatal(err)
	}
	for name, text := range map[string]string{"HEAD": "ref: refs/heads/main\n", "config": "[remote \"origin\"]\n\turl = https://" + benchRemote + ".git\n"} {
		if err := os.WriteFile(filepath.Join(dir, ".git", name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

// benchCluster starts three servers with memories of the team, and returns their addresses.
func benchCluster(b *testing.B) string {
	b.Helper()
	s, err := streamtest.StartCluster(b.TempDir(), 3)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Stop() })
	publishShared(b, s.URL)
	return s.URL
}

// publishShared makes the stream, with memories of the team.
func publishShared(b *testing.B, addr string) {
	b.Helper()
	nc, err := nats.Connect(addr)
	if err != nil {
		b.Fatal(err)
	}
	defer nc.Close()
	js, err := nc.JetStream()
	if err != nil {
		b.Fatal(err)
	}
	config := &nats.StreamConfig{Name: "RECOLLECT", Subjects: []string{"recollect.>"}, MaxMsgsPerSubject: 1, Replicas: 3}
	for end := time.Now().Add(time.Minute); ; {
		if _, err = js.AddStream(config); err == nil {
			break
		}
		if time.Now().After(end) {
			b.Fatal(err)
		}
	}
	text := newWriter(9)
	for i := range benchShared {
		id := fmt.Sprintf("dec-%012x", i)
		doc := "---\nkind: decision\nby: Ana\ndate: 2026-02-01\nid: " + id + "\n---\n# " + text.text(10) + "\n\n" + text.sentences() + "\n"
		if _, err := js.Publish("recollect.git%2eexample%2ecom/acme/app.ana."+id, []byte(doc)); err != nil {
			b.Fatal(err)
		}
	}
}

// receive has a daemon join, and waits until it has what the team shares.
func receive(b *testing.B, home, dir, addr string) {
	b.Helper()
	nameServer(b, home, addr)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	client := &api.Client{Home: home, Version: recollect.Version()}
	do := api.ServerJoin
	waitFor(b, ctx, func() error {
		st, err := client.TeamServer(ctx, api.TeamServer{Cwd: dir, Do: do})
		if do = ""; err == nil && st.Projects[0].Memories < benchShared {
			return api.ErrNoDaemon
		}
		return err
	})
}

// nameServer names the team's server in the settings of a data folder.
func nameServer(b *testing.B, home, addr string) {
	b.Helper()
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte("[team]\nurl = '"+addr+"'\n"), 0o600); err != nil {
		b.Fatal(err)
	}
}
