package ui

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/memory"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func pool() memory.Memory {
	return memory.Memory{
		Source: memory.Journal, Title: "The database pool has 40 connections", Text: "PostgreSQL allows 100.", Fields: map[string]string{"rationale": "three pods share them"},
		Project: "app", ProjectPath: "/home/dev/src/app", OccurredAt: noon, RecordedAt: noon, Session: "s1", Origin: memory.OriginUser,
	}
}

const asked = "how many connections has the database pool?"

func TestSearch(t *testing.T) {
	s := newSite(t).enter()
	wants(t, s.get("/"), "No memories yet")
	s.store(pool(), memory.Memory{Source: memory.Inbox, Title: "The build takes four minutes", OccurredAt: noon})
	wants(t, s.get("/"), "2 memories")
	query := "/?q=" + url.QueryEscape(asked)
	page := s.get(query)
	wants(t, page, "&lt;memory-data", "The database pool has 40 connections", ">injected<", "needs 0.", "Relevance</h3>", "for a prompt in app")
	wants(t, s.get("/?q=sourdough"), "Nothing is injected: ")
	wants(t, s.get(query+"&own=s1"), "Nothing is injected: ", "held back: ")
	wants(t, s.get("/?mode=search&q=build"), ">found<", "The build takes four minutes")
	_, part := s.do(http.MethodGet, query, nil, partHeader, "1")
	if strings.Contains(part, "<html") || !strings.Contains(part, "40 connections") {
		t.Errorf("the part that a script asks for is %s", part)
	}
	if r, body := s.do(http.MethodGet, query+"&session=unknown", nil, partHeader, "1"); r.StatusCode != 400 || strings.Contains(body, "<") {
		t.Errorf("the script is answered %s: %s", r.Status, body)
	}
	if r, body := s.do(http.MethodGet, query+"&session=unknown", nil); r.StatusCode != 400 || !strings.Contains(body, "nothing is known of it") {
		t.Errorf("an unknown session gives %s: %s", r.Status, body)
	}
}

// The first page shows what just happened: what was injected, with links, or why nothing was.
func TestWhatJustHappened(t *testing.T) {
	s := newSite(t).enter()
	wants(t, s.get("/"), "Nothing has happened since the daemon started", "recollect prove")
	s.store(pool())
	wants(t, s.get("/?q="+url.QueryEscape(asked)), "&lt;memory-data") // explaining waits for the index, a prompt does not
	for _, prompt := range []string{asked, "how long does sourdough rest?"} {
		if _, err := s.client.Recollect(t.Context(), api.Prompt{SessionID: "s9", Prompt: prompt, Cwd: "/home/dev/src/app"}); err != nil {
			t.Fatal(err)
		}
	}
	page := s.get("/")
	for end := time.Now().Add(5 * time.Second); !strings.Contains(page, "sourdough") && time.Now().Before(end); page = s.get("/") {
		time.Sleep(5 * time.Millisecond) // a prompt is recorded after it was answered
	}
	wants(t, page, "What just happened", "The database pool has 40 connections", "/memory/dec-", "1 memory, ", asked, "nothing: ", "sourdough")
	if strings.Index(page, "sourdough") > strings.Index(page, asked) {
		t.Error("the last prompt does not come first")
	}
	if r, _ := s.do(http.MethodGet, "/news?after=0", nil); r.StatusCode != http.StatusOK {
		t.Errorf("news gives %s", r.Status)
	}
	if r, _ := s.do(http.MethodGet, "/news?after=x", nil); r.StatusCode != http.StatusBadRequest {
		t.Errorf("a number that is none gives %s", r.Status)
	}
}

// The pages of the timeline have each memory once.
func TestTimelinePages(t *testing.T) {
	s := newSite(t).enter()
	for i := range 120 {
		m := pool()
		m.Title, m.OccurredAt = fmt.Sprintf("decision %03d.", i), noon.Add(time.Duration(i)*time.Hour)
		if i%2 == 0 {
			m.Source, m.Project, m.ProjectPath = memory.Inbox, "lore", "/x"
		}
		s.store(m)
	}
	count := func(path string) (all, pages int) {
		seen := map[string]bool{}
		for next := path; next != ""; pages++ {
			page := s.get(next)
			for _, title := range regexp.MustCompile(`decision \d{3}\.`).FindAllString(page, -1) {
				seen[title] = true
			}
			next = ""
			if link := regexp.MustCompile(`href="([^"]*)" data-next`).FindStringSubmatch(page); link != nil {
				next = strings.ReplaceAll(link[1], "&amp;", "&")
			}
		}
		return len(seen), pages
	}
	for path, want := range map[string]int{
		"/timeline": 120, "/timeline?source=inbox": 60, "/timeline?project=app": 60, "/timeline?project=app&source=inbox": 0, "/decisions": 60, "/decisions?project=lore": 0,
		"/timeline?until=2026-02-28": 0, "/timeline?session=s1": 120,
	} {
		if got, pages := count(path); got != want || pages != max(1, (want+pageSize-1)/pageSize) {
			t.Errorf("%s has %d memories on %d pages, want %d", path, got, pages, want)
		}
	}
}

func TestEdit(t *testing.T) {
	s := newSite(t).enter()
	id := s.store(pool())[0]
	path := "/memory/" + id
	key := keyOf(t, s.get(path))
	to, page := s.post(path+"/edit", "key", key, "title", "The pool has 60 connections", "text", "PostgreSQL allows 100.\r\nsecond line", "field.rationale", "")
	wants(t, page, "Edited.", "The pool has 60 connections")
	want := pool()
	want.Title, want.Text, want.Fields = "The pool has 60 connections", "PostgreSQL allows 100.\nsecond line", nil
	if m := s.stored(id); to != path || m.Title != want.Title || m.Text != want.Text || len(m.Fields) != 0 || !m.RecordedAt.Equal(noon) || m.Session != "s1" {
		t.Errorf("%s: stored %+v", to, m.Memory)
	}
	r, body := s.do(http.MethodPost, path+"/edit", url.Values{"form": {s.guard.form}, "key": {key}, "title": {"an old form"}})
	if r.StatusCode != 400 || !strings.Contains(body, "changed meanwhile") {
		t.Errorf("an old form gives %s: %s", r.Status, body)
	}
	key = keyOf(t, s.get(path))
	if _, page = s.post(path+"/edit", "key", key, "title", "The password is hunter2hunter2", "text", "password: tr0ub4dor&3xyz"); !strings.Contains(page, "Redacted before it was stored") {
		t.Errorf("a secret is stored: %s", page)
	}
	s.post("/changes/1/undo")
	if m := s.stored(id); m.Title != pool().Title || m.Fields["rationale"] != "three pods share them" {
		t.Errorf("after undo %+v", m.Memory)
	}
}

func TestSupersede(t *testing.T) {
	s := newSite(t).enter()
	id := s.store(pool())[0]
	to, page := s.post("/memory/"+id+"/supersede", "title", "The pool has 80 connections", "text", "PostgreSQL allows 200 now.")
	wants(t, page, "Stored.", "in place of", pool().Title)
	next := s.stored(filepath.Base(to))
	if next.Source != memory.Journal || next.Project != "app" || next.ProjectPath != "/home/dev/src/app" || s.stored(id).SupersededBy != next.ID {
		t.Errorf("stored %+v", next)
	}
	wants(t, s.get("/memory/"+id), "Superseded by", "The pool has 80 connections")
	wants(t, s.get("/decisions"), "superseded by", "in place of", "three pods share them")
}

// What was forgotten is gone, until it is brought back as it was, with what it had superseded.
func TestForgetAndUndo(t *testing.T) {
	s := newSite(t).enter()
	old := s.store(memory.Memory{Source: memory.Journal, Title: "The pool has 10 connections", OccurredAt: noon})[0]
	m := pool()
	m.Supersedes = []string{old}
	id := s.store(m)[0]
	was := s.stored(id)
	to, page := s.post("/memory/" + id + "/forget")
	wants(t, page, "Forgotten: “"+was.Title+"”", "Undo")
	log, err := os.ReadFile(filepath.Join(s.client.Home, "memories", "journal.jsonl"))
	if to != "/changes" || err != nil || strings.Contains(string(log), "40 connections") {
		t.Errorf("after forgetting, %s, the log has %s, %v", to, log, err)
	}
	if r, _ := s.do(http.MethodGet, "/memory/"+id, nil); r.StatusCode != 404 || s.stored(old).SupersededBy != "" {
		t.Errorf("a forgotten memory gives %s", r.Status)
	}
	wants(t, s.get("/changes"), was.Title)
	to, page = s.post("/changes/1/undo")
	wants(t, page, "Brought back as it was.")
	back, _ := json.Marshal(s.stored(id))
	if want, _ := json.Marshal(was); to != "/memory/"+id || string(back) != string(want) || s.stored(old).SupersededBy != id {
		t.Errorf("brought back %s\nwas %s", back, want)
	}
	wants(t, s.get("/?q="+url.QueryEscape(asked)), ">injected<")
	if r, _ := s.do(http.MethodPost, "/changes/1/undo", url.Values{"form": {s.guard.form}}); r.StatusCode != 400 {
		t.Errorf("undone twice: %s", r.Status)
	}
	wants(t, s.get("/changes"), "Nothing can be undone")
}

// A session shows its prompts with what was injected, and how that is ranked now.
func TestSession(t *testing.T) {
	s := newSite(t).enter()
	wants(t, s.get("/sessions"), "Nothing was injected")
	wants(t, s.get("/charts"), "No tokens yet")
	id := s.store(pool())[0]
	wants(t, s.get("/?q="+url.QueryEscape(asked)), ">injected<") // it waits for the index, which a prompt does not
	got, err := s.client.Recollect(t.Context(), api.Prompt{SessionID: "s2", Prompt: asked, Cwd: "/home/dev/src/app"})
	if err != nil || len(got.Injected) != 1 {
		t.Fatalf("Recollect() = %+v, %v", got, err)
	}
	s.store(memory.Memory{Source: memory.Episodes, Title: asked, Session: "s2", Turn: "t1", OccurredAt: time.Now()})
	for end := time.Now().Add(patience); !strings.Contains(s.get("/sessions"), "/session/s2"); {
		if time.Now().After(end) {
			t.Fatal("the injection is not recorded")
		}
	}
	page := s.get("/session/s2")
	wants(t, page, "at a prompt", asked, "/memory/"+id, "not assessed", "needs 0.", "Explain this prompt")
	wants(t, s.get("/charts"), "tokens</title>", "p50")
	wants(t, s.get("/session/s9"), "Nothing that was injected into this session is recorded")
}

// What the sliders say is tried on past prompts, and written only when that is asked for.
func TestRanking(t *testing.T) {
	s := newSite(t).enter()
	wants(t, s.get("/ranking"), "No prompt of yours is remembered yet")
	s.store(pool(), memory.Memory{Source: memory.Episodes, Title: asked, Session: "s9", Turn: "t", ProjectPath: "/home/dev/src/app", Project: "app", OccurredAt: noon})
	path := filepath.Join(s.client.Home, "config.toml")
	const before = "# mine\n[recall]\nterms = 30 # fewer\n\n[sources]\njournal = { tokens = 900 } # short\n"
	if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	wants(t, s.get("/ranking"), "1 prompt waits", `name="sources.min_relevance"`)
	page := s.get("/ranking?sources.min_relevance=1&recall.min_worth=1&sources.journal.weight=0.5")
	wants(t, page, "1 of 1 prompt would get other memories", asked, `class="gone"`, pool().Title, "0.01 → <b>1</b>")
	wants(t, s.get("/ranking?sources.journal.weight=0.5"), "No change for your last 1 prompt")
	if text, err := os.ReadFile(path); err != nil || string(text) != before {
		t.Fatalf("trying wrote %s, %v", text, err)
	}
	_, page = s.post("/ranking", "sources.min_relevance", "1", "recall.min_worth", "1", "sources.journal.weight", "0.5")
	wants(t, page, "Written to ", `name="sources.min_relevance" min="0" max="1" step="0.01" value="1"`)
	const want = "# mine\n[recall]\nmin_worth = 1.0\nterms = 30 # fewer\n\n[sources]\nmin_relevance = 1.0\njournal = { tokens = 900, weight = 0.5 } # short\n"
	if text, err := os.ReadFile(path); err != nil || string(text) != want {
		t.Errorf("config.toml is %s, %v, want %s", text, err, want)
	}
	// A value that is the shipped one differs from the user's, and counts.
	wants(t, s.get("/ranking?sources.min_relevance=0.01&recall.min_worth=0"), "1 → <b>0.01</b>", `class="came"`)
	for _, bad := range []string{"/ranking?sources.min_relevance=2", "/ranking?rank.bounded.weight=NaN", "/ranking?recall.min_worth=x"} {
		if r, _ := s.do(http.MethodGet, bad, nil); r.StatusCode != 400 {
			t.Errorf("%s gives %s", bad, r.Status)
		}
	}
	if err := os.WriteFile(path, []byte("[recall]\nodds_ratio = -1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	wants(t, s.get("/ranking"), "config.toml is not in force")
	if r, body := s.do(http.MethodPost, "/ranking", url.Values{"form": {s.guard.form}, "sources.min_relevance": {"0.5"}}); r.StatusCode != 400 || !strings.Contains(body, "recall.odds_ratio") {
		t.Errorf("a file with a mistake gives %s: %s", r.Status, body)
	}
}

// Each slider is a setting with its shipped value on the scale.
func TestSliders(t *testing.T) {
	c := config.Default()
	groups, err := readSliders(nil, c)
	if err != nil || len(changedSliders(groups)) != 0 {
		t.Fatalf("without a form %+v, %v", changedSliders(groups), err)
	}
	weights := 0
	for _, g := range groups {
		for _, s := range g.Sliders {
			if steps := s.Now / s.Step; s.Now > s.Max || math.Abs(steps-math.Round(steps)) > 1e-9 {
				t.Errorf("%s: %v is not on the scale to %v in steps of %v", s.Key, s.Now, s.Max, s.Step)
			}
			if strings.HasSuffix(s.Key, ".weight") && strings.HasPrefix(s.Key, "sources.") {
				weights++
			}
		}
	}
	if weights != len(memory.Sources) {
		t.Errorf("%d sources have a slider, want %d", weights, len(memory.Sources))
	}
}

// The columns of a chart stand on its axis, and none is higher than the chart.
func TestCharts(t *testing.T) {
	days := []api.Day{{Date: "2026-02-27"}, {Date: "2026-03-01"}, {Date: "2020-01-01"}}
	days[0].Event("UserPromptSubmit").Count(1000, nil)
	days[0].Event("PreToolUse").Count(500, nil)
	days[1].Event("UserPromptSubmit").Count(90, nil)
	days[1].Event("UserPromptSubmit").P95 = 12.5
	rows := rowsByDay(days, noon)
	if len(rows) != chartDays || rows[chartDays-1].Tokens[0] != 90 || rows[chartDays-3].Injected != 2 {
		t.Fatalf("rows %+v", rows[chartDays-3:])
	}
	c := tokensChart(rows)
	if len(c.Bars) != 3 || c.Empty {
		t.Fatalf("chart %+v", c)
	}
	for _, b := range c.Bars {
		if b.Y < 0 || b.Y+b.H > chartHeight-lowerAxis+0.01 || b.X < leftAxis || b.X+b.W > chartWidth {
			t.Errorf("bar %+v is outside", b)
		}
	}
	if below, above := c.Bars[0], c.Bars[1]; math.Abs(above.Y+above.H-below.Y) > 0.01 || math.Abs(below.H/above.H-2) > 0.01 {
		t.Errorf("parts of a column: %+v, %+v", below, above)
	}
	if l := latencyChart(rows); len(l.Lines[1].Dots) != 1 || len(l.Lines[0].Dots) != 0 {
		t.Errorf("lines %+v", l.Lines)
	}
	if c := tokensChart(rowsByDay(nil, noon)); !c.Empty || len(c.Bars) != 0 {
		t.Errorf("chart of nothing %+v", c)
	}
	for most, want := range map[float64]float64{1: 0.5, 4: 1, 7: 2, 30: 10, 2364: 1000, 0.03: 0.01} {
		if got := niceStep(most); math.Abs(got-want) > 1e-9 {
			t.Errorf("niceStep(%v) = %v, want %v", most, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	s := newSite(t).enter()
	for path, want := range map[string]int{"/x": 404, "/memory/note-x": 404, "/timeline?before=x": 400, "/timeline?source=x": 400, "/static/": 404} {
		if r, _ := s.do(http.MethodGet, path, nil); r.StatusCode != want {
			t.Errorf("%s gives %s, want %d", path, r.Status, want)
		}
	}
}
