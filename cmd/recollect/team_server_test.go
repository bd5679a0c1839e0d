package main

import (
	"net/url"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"recollect/internal/share/server/streamtest"
)

// teamServers are the servers of the scripts that run, by their folder.
var teamServers sync.Map

// teamServer starts the server of a script's team, whose address TEAM_URL has then, or stops it:
//
//	team-server start | team-server stop
//
// It is the same one when it is started again.
func teamServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: team-server start|stop")
	}
	dir := filepath.Join(ts.Getenv("WORK"), "nats")
	if running, ok := teamServers.LoadAndDelete(dir); ok {
		running.(*streamtest.Server).Stop()
	}
	if args[0] == "stop" {
		return
	}
	port, _ := strconv.Atoi(ts.Getenv("TEAM_PORT")) // of the one that was stopped
	s, err := streamtest.Start(dir, port)
	ts.Check(err)
	teamServers.Store(dir, s)
	ts.Defer(func() { s.Stop() })
	addr, err := url.Parse(s.URL)
	ts.Check(err)
	ts.Setenv("TEAM_PORT", addr.Port())
	ts.Setenv("TEAM_URL", s.URL)
}
