package sessions

import (
	"fmt"
	"testing"
	"time"
)

func TestTasks(t *testing.T) {
	var q Tasks
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	want := func(name, session, agent string, at time.Time, text string) {
		t.Helper()
		if got, ok := q.Take(session, agent, at); got != text || ok != (text != "") {
			t.Errorf("%s: took %q, %t, want %q", name, got, ok, text)
		}
	}
	q.Put("s1", "Explore", "first", now)
	q.Put("s1", "Explore", "second", now)
	q.Put("s2", "Explore", "other", now)
	want("oldest", "s1", "Explore", now, "first")
	want("next", "s1", "Explore", now.Add(taskAge), "second")
	want("none left", "s1", "Explore", now, "")
	want("too late", "s2", "Explore", now.Add(taskAge+1), "")
	for i := range 3 * maxTasks {
		q.Put("s1", "Explore", fmt.Sprint(i), now)
	}
	if len(q.queue) != maxTasks {
		t.Errorf("%d tasks wait, want %d", len(q.queue), maxTasks)
	}
	want("of the newest", "s1", "Explore", now, fmt.Sprint(2*maxTasks))
}
