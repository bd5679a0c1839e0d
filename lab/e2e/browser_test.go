//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A browser is a headless Chromium with one tab, steered over a pipe by the
// DevTools protocol. It keeps what the console says: a page of ours says nothing.
type browser struct {
	t       *testing.T
	to      io.Writer
	from    *bufio.Reader
	session string
	last    int
	loaded  int      // pages
	console []string // errors, and what the policy of a page forbids
}

// newBrowser starts Chromium, or skips the test where there is none.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed, so no page is opened in a browser: ", err)
	}
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	home := shortDir(t)
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--hide-scrollbars", "--user-data-dir="+filepath.Join(home, "profile"), "--remote-debugging-pipe", "about:blank")
	cmd.Env = append(os.Environ(), "HOME="+home)
	cmd.ExtraFiles = []*os.File{theirIn, theirOut} // it reads from 3 and writes to 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirIn.Close()
	theirOut.Close()
	b := &browser{t: t, to: ourOut, from: bufio.NewReaderSize(ourIn, 1<<20)}
	t.Cleanup(func() {
		ourOut.Close() // ends it
		kill := time.AfterFunc(patience, func() { cmd.Process.Kill() })
		defer kill.Stop()
		cmd.Wait()
		ourIn.Close()
	})
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

// call sends a command and waits for its result.
func (b *browser) call(method string, params map[string]any, result any) {
	b.t.Helper()
	b.last++
	command := map[string]any{"id": b.last, "method": method, "params": params}
	if b.session != "" {
		command["sessionId"] = b.session
	}
	line, err := json.Marshal(command)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.to.Write(append(line, 0)); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	for {
		m := b.next()
		if m.ID != b.last {
			continue
		}
		if bytes.Contains(m.Error, []byte("navigated or closed")) {
			return // who waits for the next page asks again
		}
		if m.Error != nil {
			b.t.Fatalf("%s: %s", method, m.Error)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				b.t.Fatalf("%s: %v", method, err)
			}
		}
		return
	}
}

// A said is what Chromium writes: the result of a command, or an event.
type said struct {
	ID     int
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  json.RawMessage
}

// next reads a message and notes what events say.
func (b *browser) next() said {
	b.t.Helper()
	line, err := b.from.ReadBytes(0)
	if err != nil {
		b.t.Fatalf("the browser has ended: %v", err)
	}
	var m said
	if err := json.Unmarshal(bytes.TrimSuffix(line, []byte{0}), &m); err != nil {
		b.t.Fatalf("the browser says %q: %v", line, err)
	}
	switch m.Method {
	case "Page.loadEventFired":
		b.loaded++
	case "Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled":
		b.console = append(b.console, string(m.Params))
	}
	return m
}

// open shows a page.
func (b *browser) open(address string) {
	b.t.Helper()
	before := b.loaded
	b.call("Page.navigate", map[string]any{"url": address}, nil)
	b.until("the page is loaded", func() bool { return b.loaded > before && b.eval("document.readyState") == "complete" })
}

// eval returns the text that an expression of JavaScript has as its value.
func (b *browser) eval(expression string) string {
	b.t.Helper()
	var reply struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &reply)
	if reply.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, reply.ExceptionDetails)
	}
	if reply.Result.Value == nil {
		return ""
	}
	return fmt.Sprint(reply.Result.Value)
}

// text returns what a reader sees of the page.
func (b *browser) text() string { return b.eval("document.body ? document.body.innerText : ''") }

// until waits for what the page does by itself.
func (b *browser) until(what string, done func() bool) {
	b.t.Helper()
	for end := time.Now().Add(patience); !done(); {
		if time.Now().After(end) {
			b.t.Fatalf("not in time: %s; the page says:\n%s", what, b.text())
		}
		b.eval("new Promise(done => setTimeout(done, 20))")
	}
}

// press types keys, one after the other.
func (b *browser) press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		down := map[string]any{"type": "keyDown", "key": key, "text": key}
		switch key {
		case "Enter":
			down = map[string]any{"type": "keyDown", "key": key, "text": "\r", "windowsVirtualKeyCode": 13}
		case "Escape":
			down = map[string]any{"type": "keyDown", "key": key, "windowsVirtualKeyCode": 27}
		}
		b.call("Input.dispatchKeyEvent", down, nil)
		b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key}, nil)
	}
}

// look sets the size of the window, and the color scheme: light or dark.
func (b *browser) look(width, height int, scheme string) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// shoot writes a picture of the window to a file.
func (b *browser) shoot(path string) error {
	b.t.Helper()
	var reply struct{ Data string }
	b.call("Page.captureScreenshot", map[string]any{"format": "png"}, &reply)
	png, err := base64.StdEncoding.DecodeString(reply.Data)
	return errors.Join(err, os.WriteFile(path, png, 0o600))
}

// silent fails the test if the console of the browser says anything.
func (b *browser) silent() {
	b.t.Helper()
	if len(b.console) > 0 {
		b.t.Errorf("the console says:\n%s", strings.Join(b.console, "\n"))
	}
}
