package main

import (
	"bufio"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// browsePatience is how long a page may take to come, and the command to end.
const browsePatience = 20 * time.Second

// browse runs recollect ui, looks for a text in one of its pages, and ends it: by closing its
// standard input, or by an interrupt. It must end with status 0.
//
//	browse stdin|interrupt PATH TEXT
func browse(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: browse stdin|interrupt PATH TEXT")
	}
	bin := filepath.SplitList(ts.Getenv("PATH"))[0]
	cmd := exec.Command(filepath.Join(bin, "recollect"), "ui")
	for _, name := range []string{"HOME", "RECOLLECT_HOME", "PATH", "GORACE", "TMPDIR"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	in, err := cmd.StdinPipe()
	ts.Check(err)
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	kill := time.AfterFunc(browsePatience, func() { cmd.Process.Kill() })
	defer kill.Stop()
	address, err := bufio.NewReader(out).ReadString('\n')
	ts.Check(err)
	page, err := fetch(strings.TrimSpace(address), args[1])
	if args[0] == "interrupt" {
		ts.Check(cmd.Process.Signal(os.Interrupt))
	} else {
		in.Close()
	}
	if ended := cmd.Wait(); ended != nil {
		ts.Fatalf("recollect ui ended with %v", ended)
	}
	ts.Check(err)
	if !strings.Contains(page, args[2]) {
		ts.Fatalf("%s does not say %q:\n%s", args[1], args[2], page)
	}
	if _, err := http.Get(strings.TrimSpace(address)); err == nil {
		ts.Fatalf("it is still served")
	}
}

// fetch opens the address that recollect ui printed and returns one of its pages.
func fetch(address, path string) (string, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return "", err
	}
	browser := &http.Client{Jar: jar, Timeout: browsePatience}
	host, _, _ := strings.Cut(address, "/?")
	var body []byte
	for _, target := range []string{address, host + path} {
		reply, err := browser.Get(target)
		if err != nil {
			return "", err
		}
		body, err = io.ReadAll(reply.Body)
		reply.Body.Close()
		if err != nil {
			return "", err
		}
	}
	return string(body), nil
}
