package ui

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
)

// Wherever the page shows a memory that was injected, a button says that it was useful or wrong, and takes it back.
func TestVerdicts(t *testing.T) {
	s := newSite(t).enter()
	id := s.store(pool())[0]
	search := "/?q=" + url.QueryEscape(asked)
	wants(t, s.get(search), ">injected<")
	if got, err := s.client.Recollect(t.Context(), api.Prompt{SessionID: "s2", Prompt: asked, Cwd: "/home/dev/src/app"}); err != nil || len(got.Injected) != 1 {
		t.Fatalf("Recollect() = %+v, %v", got, err)
	}
	for end := time.Now().Add(patience); !strings.Contains(s.get("/sessions"), "/session/s2"); {
		if time.Now().After(end) {
			t.Fatal("the injection is not recorded")
		}
	}
	title := pool().Title
	for _, path := range []string{"/", search, "/session/s2", "/memory/" + id} {
		page := s.get(path)
		wants(t, page, `value="useful" data-key="u" aria-pressed="false" aria-label="Useful: `+title, `value="wrong" data-key="w" aria-pressed="false"`, `name="id" value="`+id+`"`)
		if forgets := strings.Contains(page, `aria-label="Forget: `); forgets == strings.HasPrefix(path, "/memory/") {
			t.Errorf("%s has a button to forget: %t", path, forgets)
		}
	}
	to, page := s.post("/verdict", "id", id, "title", title, "session", "s2", "says", api.Useful, "back", "/session/s2#at-"+id)
	wants(t, page, "Useful: “"+title+"”. It counts as a use.", `<b class="used">used</b>`, `value="" data-key="u" aria-pressed="true"`, `data-key="z">Undo`)
	if to != "/session/s2" || s.stored(id).Verdict != api.Useful {
		t.Errorf("%s, verdict %q", to, s.stored(id).Verdict)
	}
	to, page = s.post("/verdict", "id", id, "title", title, "says", api.Wrong, "back", "/#at-0")
	wants(t, page, "It is not injected again.", `value="" data-key="w" aria-pressed="true"`, `id="at-0"`)
	if to != "/" || s.stored(id).Verdict != api.Wrong {
		t.Errorf("%s, verdict %q", to, s.stored(id).Verdict)
	}
	wants(t, s.get(search), "you said that it is wrong")
	wants(t, s.get("/memory/"+id), "You said that it is wrong; it is not injected.")
	wants(t, s.get("/changes"), "wrong", "useful", title)
	to, page = s.post("/changes/2/undo")
	wants(t, page, "Undone.")
	if to != "/" || s.stored(id).Verdict != api.Useful {
		t.Errorf("%s, verdict %q after the undo", to, s.stored(id).Verdict)
	}
	_, page = s.post("/verdict", "id", id, "title", title, "says", "", "back", "/memory/"+id)
	wants(t, page, "Taken back: “"+title+"”.")
	to, page = s.post("/memory/"+id+"/forget", "back", "/#at-0")
	wants(t, page, "Forgotten: “"+title+"”")
	if to != "/" || regexp.MustCompile(`id="at-`).MatchString(page) {
		t.Errorf("%s shows what was forgotten", to)
	}
	for _, bad := range []url.Values{{"id": {id}, "says": {"wrong"}, "back": {"https://example.org/"}}, {"id": {id}, "says": {"fine"}}, {"id": {"note-000000000000"}, "says": {"wrong"}}} {
		bad.Set("form", s.guard.form)
		if r, _ := s.do(http.MethodPost, "/verdict", bad); r.StatusCode < 400 {
			t.Errorf("%v gives %s", bad, r.Status)
		}
	}
}
