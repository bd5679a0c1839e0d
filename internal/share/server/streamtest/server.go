// Package streamtest starts a team's server for tests, in a process of its own.
package streamtest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// A Server is a running server, or a cluster of them.
type Server struct {
	URL string // its addresses, separated by commas

	process *exec.Cmd
	input   io.Closer // the process ends when it is closed
}

// Start starts a server that stores its messages in dir. Port 0 stands for any free port.
func Start(dir string, port int) (*Server, error) {
	args := []string{"-dir", dir}
	if port != 0 {
		args = append(args, "-port", strconv.Itoa(port))
	}
	return start(args...)
}

// StartCluster starts a cluster of servers.
func StartCluster(dir string, servers int) (*Server, error) {
	return start("-dir", dir, "-servers", strconv.Itoa(servers))
}

func start(args ...string) (*Server, error) {
	cmd := exec.Command("go", append([]string{"run", "recollect/internal/share/server/natsserver"}, args...)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // also for tests with the race detector, so that it is compiled only once
	cmd.Stderr = os.Stderr
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a team's server: %w", err)
	}
	s := &Server{process: cmd, input: input}
	addrs, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		s.Stop()
		return nil, fmt.Errorf("start a team's server: %w", err)
	}
	s.URL = strings.TrimSpace(addrs)
	return s, nil
}

// Stop stops the server and waits until it has ended.
func (s *Server) Stop() error {
	s.input.Close()
	return s.process.Wait()
}
