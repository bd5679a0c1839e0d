package dialogue

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/text/sentence"
)

// In a brief discussion, rules need no words of deciding.
func TestSettledInTalk(t *testing.T) {
	for _, tt := range []struct {
		name, reply, prompt string
		want                []settledAs
	}{
		{
			"descriptions that rule", "It rounds each leg now. I'd round the total only.",
			"Totals are rounded per zone. Night fares come first. Nobody complains about a cent.",
			[]settledAs{
				{What: "Totals are rounded per zone", Asked: "I'd round the total only."},
				{What: "Night fares come first"},
			},
		},
		{
			"an objection is the reason", "Ferries by timestamp, then.", "A timestamp has gaps in winter. Sort them by voyage number.",
			[]settledAs{{What: "Sort them by voyage number", Asked: "Ferries by timestamp, then.", Why: "A timestamp has gaps in winter"}},
		},
		{
			"an exception goes on", "And which gates may reopen?", "Gates stay closed at night. Except for ambulances.",
			[]settledAs{{What: "Gates stay closed at night. Except for ambulances", Asked: "And which gates may reopen?"}},
		},
		{
			"a question is answered once", "What happens to a late parcel?", "It is sent back. Late parcels are logged with their depot.",
			[]settledAs{
				{What: "It is sent back", Asked: "What happens to a late parcel?"},
				{What: "Late parcels are logged with their depot"},
			},
		},
		{"how things are", "The cache holds the last two pages.", "Right, that makes sense. Pages are kept for an hour then.", nil},
		{"an order", "The importer reads both formats now.", "Bump the version to 2.1 and commit", nil},
		{"a commit", "It was changed with the parser.", "The parser is split since 3fa91c2, each half is tested alone.", nil},
		{"facts", "Which version are you on?", "Version 3, sorted by name", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, settledIn(ReadProposal(sentence.Read(""), tt.reply, false).Settled(sentence.Read(tt.prompt)))); diff != "" {
				t.Errorf("settled (-want +got):\n%s", diff)
			}
		})
	}
	if got := ReadProposal(sentence.Read(""), "It rounds each leg now.", true).Settled(sentence.Read("Totals are rounded per zone.")); got != nil {
		t.Errorf("after work, settled %q, want nothing", settledIn(got))
	}
}

func TestShortRecaps(t *testing.T) {
	for reply, want := range map[string]int{
		"Recap. Drafts expire after a week; admins see all of them.":                1,
		"So: guests first, then members by date.":                                   0,
		"Final order: guests, members, admins.":                                     1,
		"New rule in place of the fixed week: drafts expire ten days after a view.": 1,
		"So it is done.": 0,
	} {
		r, ok := ReadRecap([]*sentence.Text{sentence.Read(reply)})
		if ok != (want > 0) || ok && r.About == "the fixed week" {
			t.Errorf("ReadRecap(%q) = %+v, %t", reply, r, ok)
		}
	}
}
