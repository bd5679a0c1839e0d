package block

import (
	"testing"
	"time"

	"recollect/internal/memory"
)

func TestTeamHeading(t *testing.T) {
	m := memory.Memory{
		ID: "team-1", Source: memory.Team, Origin: memory.OriginTeam, Title: "one pool", OccurredAt: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), Confidence: 0.7,
		Tags: []string{memory.TagKind + "decision", memory.TagBy + "Ana <b>", memory.TagGone + "openPool", memory.TagGone + "lib/pool.go"},
	}
	m.Files = []string{"lib/pool.go"}
	if got, want := Heading(&m, memory.Project{}), "[team decision] one pool (2026-02-01, shared by Ana &lt;b>, openPool is gone, team-1)"; got != want {
		t.Errorf("Heading = %q, want %q", got, want)
	}
	if got, want := Statements(&m, memory.Project{}, Statement{"decided", "one <pool>"}), "[decided] one &lt;pool> (2026-02-01, shared by Ana &lt;b>, openPool is gone, team-1)"; got != want {
		t.Errorf("Statements = %q, want %q", got, want)
	}
	m.ProjectPath = t.TempDir()
	if got, want := Heading(&m, m.Home()), "[team decision] one pool (2026-02-01, shared by Ana &lt;b>, openPool is gone, lib/pool.go is gone, team-1)"; got != want {
		t.Errorf("Heading in a checkout = %q, want %q", got, want)
	}
}
