package consolidate

import (
	"fmt"
	"reflect"
	"testing"

	"recollect/internal/memory"
)

// contradict asks without anything that is known.
func contradict(newer, older memory.Memory) bool {
	return new(Verdicts).Newer([]memory.Memory{newer}).Contradict(&older)
}

// saidOtherwise are statements of which some contradict others.
func saidOtherwise() []memory.Memory {
	var all []memory.Memory
	for i, title := range []string{
		"guests can cancel until 24 hours before arrival", "guests can cancel until 72 hours before arrival", "we use Postgres for the ledger",
		"we use SQLite for the ledger instead of Postgres", "no longer cache the price list", "cache the price list for ten minutes",
		"actually three boats", "two boats (asked: how many boats or rafts do we rent out?)", "never deploy on Friday", "deploy on Friday afternoon",
		"refund policy (amended): refunds take 5 days", "refunds take 14 days", "the rest of the refund policy stays", "database: Postgres", "database: MySQL",
	} {
		for _, session := range []string{"a", "b"} {
			all = append(all, decided(session, fmt.Sprint(session, i), title))
		}
	}
	all = append(all, decided("c", "r", "guests pay on arrival; guests can cancel until 24 hours before arrival", memory.TagRecap))
	all = append(all, memory.Memory{ID: "pat-1", Source: memory.Patterns, Title: "no longer cache"})
	return all
}

// What is known is what parsing both memories says, the first time and ever after, also where
// there is room for few verdicts and each set of places is used again and again.
func TestVerdicts(t *testing.T) {
	all, v := saidOtherwise(), &Verdicts{}
	yes := 0
	for range 3 {
		newer := v.Newer(all)
		for i := range all {
			o, any := newNode(all[i]), false
			for k := range all {
				want := newNode(all[k]).disagreesWith(o)
				if got := v.Newer(all[k : k+1]).Contradict(&all[i]); got != want {
					t.Errorf("%q contradicts %q: %t, want %t", all[k].Title, all[i].Title, got, want)
				}
				if any = any || want; want {
					yes++
				}
			}
			if got := newer.Contradict(&all[i]); got != any {
				t.Errorf("some contradict %q: %t, want %t", all[i].Title, got, any)
			}
			s := statementOf(all[i])
			if got, want := v.SpeakOfChange(all[i:i+1]), s.changes || s.aboutSession.changes || s.stays || s.whole; got != want {
				t.Errorf("%q speaks of change: %t, want %t", all[i].Title, got, want)
			}
		}
	}
	if yes == 0 {
		t.Error("none contradicts another")
	}
}

// Nothing of what is forgotten stays.
func TestVerdictsForgetWords(t *testing.T) {
	all, v := saidOtherwise(), &Verdicts{}
	v.Newer(all).Contradict(&all[0])
	held := func() (n int) {
		for i := range v.parsed {
			if v.parsed[i].Load() != nil {
				n++
			}
		}
		return n
	}
	if held() == 0 {
		t.Error("no parsed memory is held")
	}
	if v.Forget(); held() > 0 {
		t.Errorf("%d memories are held after Forget", held())
	}
}

// A full set forgets a verdict, and finds it again.
func TestVerdictsForget(t *testing.T) {
	v, asked := &Verdicts{}, 0
	for range 2 {
		for k := range uint64(2 * waysOfSet) {
			question := (k*setsOfVerdicts + 1) << 1 // all of one set
			if got := v.of(question, func() bool { asked++; return k%2 == 0 }); got != (k%2 == 0) {
				t.Errorf("question %d: %t", k, got)
			}
			if got := v.of(question, func() bool { asked++; return k%2 == 0 }); got != (k%2 == 0) {
				t.Errorf("question %d again: %t", k, got)
			}
		}
	}
	if asked < 2*waysOfSet || asked > 4*waysOfSet {
		t.Errorf("asked %d times", asked)
	}
}

// A memory that says something else is another, whatever part of it says so. The others are not
// compared: how certain a memory is, and when it was made.
func TestDigest(t *testing.T) {
	distinct := map[string]bool{
		"V": true, "Deleted": true, "Supersedes": true, "Pending": true, "Keywords": true, "Files": true, "OccurredAt": true, "LastSeen": true, "RecordedAt": true,
		"Importance": true, "Confidence": true, "Candidate": true, "Stands": true, "Statements": true, "ConfirmedBy": true, "Client": true, "Stamp": true, "ContentHash": true,
	}
	var m memory.Memory
	seen := map[digest]string{digestOf(&m): "nothing"}
	for i, typ := 0, reflect.TypeFor[memory.Memory](); i < typ.NumField(); i++ {
		name := typ.Field(i).Name
		if distinct[name] {
			continue
		}
		m := memory.Memory{}
		switch f := reflect.ValueOf(&m).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Slice:
			f.Set(reflect.ValueOf([]string{"x"}))
		case reflect.Map:
			f.Set(reflect.ValueOf(map[string]string{"x": "y"}))
		default:
			t.Fatalf("%s: is it compared?", name)
		}
		d := digestOf(&m)
		if other := seen[d]; other != "" {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[d] = name
	}
}
