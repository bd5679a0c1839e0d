package ui

import (
	"strings"
	"testing"

	"recollect/internal/api"
	"recollect/internal/memory"
)

func TestGuards(t *testing.T) {
	s := newSite(t).enter()
	wants(t, s.get("/guards"), "There are none.")
	g, err := s.client.AddGuard(t.Context(), api.GuardDrafted{
		Sentence: "never npm " + hostile, Home: memory.Project{Name: hostile, Path: "/src/app"},
		Rule: memory.GuardRule{Programs: []string{"npm"}, Content: "<script>", Action: memory.GuardAsk},
	})
	if err != nil {
		t.Fatal(err)
	}
	page := s.get("/guards")
	wants(t, page, "calls of npm with text that matches &lt;script&gt;", "0 calls", "/memory/"+g.ID)
	if strings.Contains(page, "<script>") {
		t.Error("what the user said is not text")
	}
	to, page := s.post("/guards/" + g.ID + "/drop")
	if to != "/guards" {
		t.Errorf("the next page is %s", to)
	}
	wants(t, page, "Dropped: calls of npm", "There are none.")
	wants(t, s.get("/memory/"+g.ID), "never npm")
}
