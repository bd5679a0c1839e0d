package proof

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"recollect/internal/engine/forget"
	"recollect/internal/system/durable"
)

func TestStoredReport(t *testing.T) {
	home, ran := t.TempDir(), time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	if _, err := Load(home); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a report: %v", err)
	}
	r := NewReport()
	r.Sessions, r.Took = 3, 1.5
	for i := range mostStored + 20 {
		f := Finding{Kind: Failure, What: fmt.Sprint("kiln fire ", i), Match: Loose, At: ran.Add(time.Duration(i) * time.Hour)}
		if i == 0 {
			f.Match, f.Known, f.Said = Strict, Strict, "without --fast it passed"
		}
		r.count(f)
		r.Findings = append(r.Findings, f)
	}
	f := Finding{Kind: Rule, What: "never <b>fast</b>", Match: Strict, At: ran}
	r.count(f)
	r.Findings = append(r.Findings, f)
	for range 2 { // the second one replaces the first
		if err := Save(home, r, ran); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Load(home)
	if err != nil {
		t.Fatal(err)
	}
	all := got.Report.Findings
	if len(all) != mostStored+1 || all[0].Said == "" || all[1].What != fmt.Sprint("kiln fire ", mostStored+19) || all[mostStored] != f {
		t.Errorf("%d findings, %+v first, then %+v, %+v last", len(all), all[0], all[1], all[len(all)-1])
	}
	if len(r.Findings) != mostStored+21 || !got.Ran.Equal(ran) {
		t.Errorf("%d findings are left of the report, which ran %s", len(r.Findings), got.Ran)
	}
	got.Report.Findings = r.Findings
	if diff := cmp.Diff(r, got.Report, cmpopts.IgnoreUnexported(Report{})); diff != "" {
		t.Errorf("the counts (-want +got):\n%s", diff)
	}
}

func TestUnreadableReport(t *testing.T) {
	for text, newer := range map[string]bool{"": false, "{}\n": false, `{"v":1,"report":{}}` + "\n{": false, `{"v":2,"x":1}` + "\n": true} {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, forget.Report), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(home); err == nil || errors.Is(err, durable.ErrNewer) != newer {
			t.Errorf("%q: %v", text, err)
		}
	}
}
