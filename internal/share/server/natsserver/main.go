// Natsserver runs a team's server until its standard input ends. Package streamtest starts
// it, so that the tests of other packages need not link a server.
package main

import (
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// patience is how long a server may take to start; it usually takes milliseconds.
const patience = time.Minute

func main() {
	dir := flag.String("dir", "", "the folder that keeps what is sent")
	port := flag.Int("port", server.RANDOM_PORT, "the port, if it is a single server")
	size := flag.Int("servers", 1, "how many servers there are")
	flag.Parse()
	if err := run(*dir, *port, *size); err != nil {
		fmt.Fprintln(os.Stderr, "natsserver:", err)
		os.Exit(1)
	}
}

// run starts the servers, prints their addresses, and ends with standard input.
func run(dir string, port, size int) error {
	options := []*server.Options{serverOptions(dir, port)}
	if size > 1 {
		var err error
		if options, err = clusterOptions(dir, size); err != nil {
			return err
		}
	}
	var addrs []string
	for _, o := range options {
		s, err := startServer(o)
		if err != nil {
			return err
		}
		defer stopServer(s)
		addrs = append(addrs, "nats://"+s.Addr().String())
	}
	fmt.Println(strings.Join(addrs, ","))
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

func serverOptions(dir string, port int) *server.Options {
	return &server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true}
}

// clusterOptions returns the options of servers that form a cluster.
func clusterOptions(dir string, size int) ([]*server.Options, error) {
	var options []*server.Options
	var routes []*url.URL
	for i := range size {
		port, err := freePort()
		if err != nil {
			return nil, err
		}
		name := fmt.Sprint("node", i)
		o := serverOptions(filepath.Join(dir, name), server.RANDOM_PORT)
		o.ServerName = name
		o.Cluster = server.ClusterOpts{Name: "team", Host: "127.0.0.1", Port: port}
		options = append(options, o)
		routes = append(routes, &url.URL{Scheme: "nats-route", Host: fmt.Sprintf("127.0.0.1:%d", port)})
	}
	for _, o := range options {
		o.Routes = routes
	}
	return options, nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

func startServer(o *server.Options) (*server.Server, error) {
	s, err := server.NewServer(o)
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(patience) {
		return nil, fmt.Errorf("the server at port %d does not start", o.Port)
	}
	return s, nil
}

func stopServer(s *server.Server) {
	s.Shutdown()
	s.WaitForShutdown()
}
