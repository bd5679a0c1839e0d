//go:build e2e

package e2e

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A page is recollect ui, over the memories of the sample transcripts, in a browser.
type page struct {
	*browser
	origin string
}

// newPage imports the samples and opens the page.
func newPage(t *testing.T, settings string) *page {
	t.Helper()
	b := newBrowser(t)
	home := shortDir(t)
	root, err := build()
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(root, "bin", "recollect")
	env := append(os.Environ(), "HOME="+home, "RECOLLECT_HOME="+filepath.Join(home, "r"))
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command(exe, args...)
		cmd.Env, cmd.Dir = env, root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("recollect %q: %v\n%s", args, err, out)
		}
	}
	if err := errors.Join(os.Mkdir(filepath.Join(home, "r"), 0o700), os.WriteFile(filepath.Join(home, "r", "config.toml"), []byte(settings), 0o600)); err != nil {
		t.Fatal(err)
	}
	run("import", filepath.Join("testdata", "transcripts", "projects"))
	t.Cleanup(func() { run("daemon", "stop") })

	cmd := exec.Command(exe, "ui")
	cmd.Env, cmd.Dir = env, home
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		kill := time.AfterFunc(patience, func() { cmd.Process.Kill() })
		defer kill.Stop()
		if err := cmd.Wait(); err != nil {
			t.Errorf("recollect ui ended with %v", err)
		}
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	p := &page{b, ""}
	b.open(strings.TrimSpace(address))
	b.until("the address leads to the search", func() bool { return strings.Contains(b.text(), "What would be injected?") })
	p.origin, _, _ = strings.Cut(strings.TrimSpace(address), "/?token=")
	if got := b.eval("location.href"); got != p.origin+"/" {
		t.Errorf("the address bar shows %s", got)
	}
	return p
}

// says waits until the page says something.
func (p *page) says(text string) {
	p.t.Helper()
	p.until("the page says "+text, func() bool { return strings.Contains(p.text(), text) })
}

// complete waits until the page is all there, and its script has run.
func (p *page) complete() {
	p.t.Helper()
	p.until("the page is loaded", func() bool { return p.eval("document.readyState") == "complete" })
}

// keys presses keys on a page that is all there.
func (p *page) keys(keys ...string) {
	p.t.Helper()
	p.complete()
	p.press(keys...)
}

// submit sends a form of the page, once it is all there.
func (p *page) submit(form string) {
	p.t.Helper()
	p.complete()
	p.eval(fmt.Sprintf("document.querySelector(%q).submit()", form))
}

// reviewAll lets all that the samples teach wait for approval.
const reviewAll = "[capture]\nreview = \"all\"\n"

// approve approves the sessions on the page of the review, the newest first.
func (p *page) approve(sessions int) {
	p.t.Helper()
	for range sessions {
		p.open(p.origin + "/review")
		p.submit(".reviewed form")
		p.says("Approved")
	}
}

// pages are all that have no address of their own, and two that have.
var pages = []string{
	"/", "/?q=why+did+requests+hang+at+lunchtime%3F&dir=/home/dev/src/orders-api", "/timeline", "/decisions", "/sessions", "/charts", "/ranking?sources.min_relevance=0.3", "/changes", "/review",
	"/memory/hand-08d137548bd2", "/memory/pref-f42da4b1584e",
}

// Every page can be used with a keyboard, a narrow window and a reader of screens, in light and
// dark, and the browser has nothing to say about it.
func TestPagesInBrowser(t *testing.T) {
	p := newPage(t, reviewAll)
	p.approve(5)
	for _, width := range []int{1200, 360} {
		for _, path := range pages {
			p.look(width, 900, map[int]string{1200: "dark", 360: "light"}[width])
			p.open(p.origin + path)
			if got := p.eval("document.documentElement.scrollWidth <= innerWidth"); got != "true" {
				t.Errorf("%s does not fit into %d pixels", path, width)
			}
			unnamed := p.eval(`[...document.querySelectorAll('input:not([type=hidden]), select, textarea, button, a')]
				.filter(e => !(e.labels && e.labels.length) && !e.getAttribute('aria-label') && !e.innerText.trim() && e.checkVisibility()).map(e => e.outerHTML).join('\n')`)
			if unnamed != "" {
				t.Errorf("%s has fields without a name: %s", path, unnamed)
			}
			if got := p.eval("document.querySelectorAll('h1').length + ' ' + document.querySelectorAll('main').length + document.documentElement.lang"); got != "1 1en" {
				t.Errorf("%s: headings, parts and language are %s", path, got)
			}
		}
	}
	p.silent()
}

// A user searches, reads, edits, forgets and brings back, and tries other settings.
func TestUseInBrowser(t *testing.T) {
	p := newPage(t, "")
	p.says("46 memories")
	p.eval("document.activeElement.blur()")
	p.press("/")
	p.call("Input.insertText", map[string]any{"text": "why do requests wait for a connection at noon?"}, nil)
	p.says("Candidates") // without Enter
	p.press("Escape")
	p.eval("document.querySelector('[data-row]').blur()")
	p.press("j", "j", "k", "Enter")
	p.until("a memory is shown", func() bool {
		return strings.HasPrefix(p.eval("location.href"), p.origin+"/memory/") && strings.Contains(p.text(), "Details") && p.eval("document.readyState") == "complete"
	})
	memory := p.eval("location.pathname")

	p.eval("document.querySelector('form[action$=edit] [name=title]').value = 'edited in a browser'")
	p.submit("form[action$=edit]")
	p.says("Edited.")
	p.says("edited in a browser")
	p.submit("form[action$=forget]")
	p.says("Forgotten: “edited in a browser”.")
	p.submit(".notice form")
	p.says("Brought back as it was.")
	if got := p.eval("location.pathname"); got != memory {
		t.Errorf("brought back at %s, want %s", got, memory)
	}

	p.open(p.origin + "/ranking")
	p.says("15 prompts wait")
	p.eval(`const s = document.getElementById('sources.min_relevance'); s.value = 0.9; s.dispatchEvent(new Event('input', { bubbles: true }))`)
	p.says("prompts would get other memories")
	p.press("?")
	p.says("next and previous entry")
	p.silent()

	// A page can run no code that it did not bring itself.
	p.eval(`document.body.insertAdjacentHTML('beforeend', '<img src="static/none.png" onerror="window.ran = 1"><p style="color: red" onclick="window.ran = 1"></p>'); document.body.lastChild.click()`)
	p.eval("new Promise(done => setTimeout(done, 300))")
	if got := p.eval("String(window.ran)"); got != "undefined" || len(p.console) == 0 {
		t.Errorf("code in the page ran: %s; the console says %s", got, fmt.Sprint(p.console))
	}
}

// What waits for approval is decided on with the keyboard alone, and a key that is held decides
// once.
func TestReviewInBrowser(t *testing.T) {
	p := newPage(t, reviewAll)
	p.says("46 wait for your approval")
	p.open(p.origin + "/review")
	p.says("46 memories wait")
	titles := func() []string {
		p.complete()
		return strings.Split(p.eval("[...document.querySelectorAll('.waiting .title')].map(e => e.innerText).join('\\n')"), "\n")
	}
	was := titles()
	p.keys("a") // of no entry
	p.keys("j", "j", "a", "a", "a")
	p.says("Approved: “")
	p.says("45 memories wait")
	if got := titles(); got[0] != was[0] || got[1] != was[2] {
		t.Errorf("approved the second of %q, left %q", was[:4], got[:4])
	}
	p.until("the entry that follows has the focus", func() bool { return p.eval("document.activeElement.innerText") == was[2] })
	p.keys("x")
	p.says("Rejected: “")
	p.says("44 memories wait")
	p.keys("z")
	p.says("it waits for your approval again")
	p.says("45 memories wait")
	p.keys("j", "A")
	p.says("Approved ")
	p.keys("z")
	p.says("45 memories wait")

	p.keys("j", "Enter")
	p.says("This waits for your approval")
	p.complete()
	p.eval("document.querySelector('[name=title]').value = 'edited, then approved'")
	p.eval("document.querySelector('[name=approve]').click()")
	p.says("Approved: “")
	p.open(p.origin + "/timeline")
	p.says("edited, then approved")
	p.silent()
}
