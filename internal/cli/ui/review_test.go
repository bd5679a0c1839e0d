package ui

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"recollect/internal/memory"
)

// waits returns a memory of a session that waits for review.
func waits(title, session string) memory.Memory {
	m := pool()
	m.Title, m.Session = title, session
	m.SetPending(true)
	return m
}

// verdictOn returns the fields of a form that decides on memories.
func verdictOn(t *testing.T, s *site, ids ...string) url.Values {
	t.Helper()
	form := url.Values{"form": {s.guard.form}}
	page := s.get("/review")
	for _, id := range ids {
		key := regexp.MustCompile(`name="id" value="` + id + `"><input type="hidden" name="key" value="([^"]+)"`).FindStringSubmatch(page)
		if key == nil {
			t.Fatalf("%s cannot be decided on in %s", id, page)
		}
		form.Add("id", id)
		form.Add("key", key[1])
	}
	return form
}

// found reports whether a memory is injected with the prompt about it.
func (s *site) found() bool {
	return strings.Contains(s.get("/?q="+url.QueryEscape(asked)), ">injected<")
}

// What waits is approved, rejected, and waits again.
func TestReview(t *testing.T) {
	s := newSite(t).enter()
	if page := s.get("/timeline"); strings.Contains(page, `/review"`) {
		t.Errorf("nothing waits, and the navigation has it: %s", page)
	}
	wants(t, s.get("/review"), "Nothing waits for your approval.", `review = "preferences"`)
	id := s.store(waits(pool().Title, "s1"))[0]
	wants(t, s.get("/timeline"), `href="`+s.guard.base+`/review"`, `<span class="count">1</span>`)
	wants(t, s.get("/"), "1 waits for your approval")
	wants(t, s.get("/review"), "1 memory waits", pool().Title, "three pods share them")
	if s.found() {
		t.Error("what waits is injected")
	}
	for verdict, path := range map[string]string{approved: "/review/approve", rejected: "/review/reject"} {
		r, page := s.do(http.MethodPost, path, verdictOn(t, s, id))
		if r.StatusCode != 200 || r.Request.URL.Path != s.guard.base+"/review" {
			t.Fatalf("%s: %s at %s: %s", verdict, r.Status, r.Request.URL, page)
		}
		wants(t, page, "“"+pool().Title+"”", "Nothing waits")
		if got := s.found(); got != (verdict == approved) {
			t.Errorf("%s, and injected: %v", verdict, got)
		}
		undo := regexp.MustCompile(`/changes/\d+/undo`).FindString(page)
		to, page := s.post(undo)
		wants(t, page, "it waits for your approval again", "1 memory waits")
		if m := s.stored(id); to != "/review" || !m.Pending || m.Title != pool().Title || s.found() {
			t.Errorf("%s and undone: %s, %+v", verdict, to, m.Memory)
		}
	}
}

// All of a session is decided on at once, and undone at once.
func TestReviewSession(t *testing.T) {
	s := newSite(t).enter()
	ids := s.store(waits("first", "s1"), waits("second", "s1"), waits("third", "s2"))
	wants(t, s.get("/review"), "Approve all 2", "3 memories wait")
	_, page := s.do(http.MethodPost, "/review/approve", verdictOn(t, s, ids[0], ids[1]))
	wants(t, page, "Approved 2 memories.", "1 memory waits", "third")
	wants(t, s.get("/timeline"), "2 memories", "first", "second")
	wants(t, s.get("/changes"), "and others, 2 memories")
	_, page = s.post("/changes/1/undo")
	wants(t, page, "3 memories wait")
	wants(t, s.get("/timeline"), "0 memories")
}

// What a memory says can be changed before it is approved; with an edit alone it goes on waiting.
func TestEditBeforeApproval(t *testing.T) {
	s := newSite(t).enter()
	id := s.store(waits("The pool has 4 connections", "s1"))[0]
	path := "/memory/" + id
	page := s.get(path)
	wants(t, page, "This waits for your approval", "Store and approve")
	if strings.Contains(page, path+"/forget") || strings.Contains(page, path+"/supersede") {
		t.Errorf("what waits can be superseded: %s", page)
	}
	to, page := s.post(path+"/edit", "key", keyOf(t, page), "title", "The pool has 41 connections")
	wants(t, page, "Edited.")
	if m := s.stored(id); to != path || !m.Pending || m.Title != "The pool has 41 connections" {
		t.Errorf("edited, at %s: %+v", to, m.Memory)
	}
	to, page = s.post(path+"/edit", "key", keyOf(t, page), "title", pool().Title, "approve", "1")
	wants(t, page, "Approved: ", "Nothing waits")
	if m := s.stored(id); to != "/review" || m.Pending || m.Title != pool().Title || !s.found() {
		t.Errorf("approved, at %s: %+v", to, m.Memory)
	}
	s.post("/changes/2/undo")
	if m := s.stored(id); !m.Pending || m.Title != "The pool has 41 connections" {
		t.Errorf("after undo %+v", m.Memory)
	}
}

// Only what the user has read is decided on.
func TestReviewOfOthers(t *testing.T) {
	s := newSite(t).enter()
	id := s.store(waits("first", "s1"))[0]
	live := s.store(memory.Memory{Source: memory.Inbox, Title: "live"})[0]
	form := verdictOn(t, s, id)
	changed := waits("first, but changed", "s1")
	changed.ID = id
	s.store(changed)
	for want, bad := range map[string]url.Values{
		"was changed meanwhile": form,
		"names no memory":       {"form": {s.guard.form}},
		"does not wait":         {"form": {s.guard.form}, "id": {live}, "key": {"x"}},
		"ind-0":                 {"form": {s.guard.form}, "id": {"ind-0"}, "key": {"x"}},
	} {
		r, page := s.do(http.MethodPost, "/review/reject", bad)
		if r.StatusCode/100 != 4 || !strings.Contains(page, want) {
			t.Errorf("want %q, got %s: %s", want, r.Status, page)
		}
	}
	if m := s.stored(id); !m.Pending {
		t.Errorf("decided on: %+v", m.Memory)
	}
}

// With the setting, the page is in the navigation before anything waits.
func TestReviewIsOn(t *testing.T) {
	s := newSite(t).enter()
	if err := os.WriteFile(filepath.Join(s.client.Home, "config.toml"), []byte("[capture]\nreview = \"all\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	wants(t, s.get("/"), `href="`+s.guard.base+`/review"`)
	wants(t, s.get("/review"), "What your next sessions teach will.", `aria-current="page">Review`)
}
