package main

import (
	"net"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/rogpeppe/go-internal/testscript"
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
		running.(*server.Server).Shutdown()
		running.(*server.Server).WaitForShutdown()
	}
	if args[0] == "stop" {
		return
	}
	port := server.RANDOM_PORT
	if known, err := strconv.Atoi(ts.Getenv("TEAM_PORT")); err == nil {
		port = known
	}
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true})
	ts.Check(err)
	s.Start()
	teamServers.Store(dir, s)
	ts.Defer(func() { s.Shutdown() })
	if !s.ReadyForConnections(20 * time.Second) {
		ts.Fatalf("the team's server does not start")
	}
	addr := s.Addr().(*net.TCPAddr)
	ts.Setenv("TEAM_PORT", strconv.Itoa(addr.Port))
	ts.Setenv("TEAM_URL", "nats://"+addr.String())
}
