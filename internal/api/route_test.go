package api

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What a client sends is what the daemon reads.
func TestRoutesCarryTheirValues(t *testing.T) {
	where := Where{Cwd: "/home/dev/src/a&b", Project: "c d", All: true}
	carries(t, RouteFlush, Flush{SessionID: "s1", TranscriptPath: "/t/s1.jsonl", Reason: "Stop"})
	carries(t, RouteSearch, Search{Query: "a&b ü", Cwd: "/x", Project: "p", Source: "inbox", Limit: 3, Explain: true})
	carries(t, RouteSearch, Search{})
	carries(t, RouteList, List{Source: "goals", Where: where, Limit: 9})
	carries(t, RouteGraph, Around{Entity: "`go test ./...`", Where: where, Limit: 1})
	carries(t, RouteExport, Page{After: "note-1"})
	carries(t, RouteStats, Period{})
	carries(t, RouteStats, Period{Since: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)})
	carries(t, RouteHealth, struct{}{})
	carries(t, RouteMemory, "../a b")
}

func carries[In, Out any](t *testing.T, route Route[In, Out], in In) {
	t.Helper()
	target, body, err := encodeRequest(route.Path, in)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(route.Path, "{id}")
	got, err := route.Decode(Received{Body: strings.NewReader(string(body)), Query: u.Query(), ID: strings.TrimPrefix(u.Path, before)})
	if diff := cmp.Diff(in, got); err != nil || diff != "" {
		t.Errorf("%s: read with %v (-sent +read):\n%s", target, err, diff)
	}
}
