package consolidate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

// decided is a decision of a turn of its own.
func decided(session, turn, title string, tags ...string) memory.Memory {
	return memory.Memory{
		ID: "dec-" + turn, Source: memory.Journal, Title: title, Tags: tags, Origin: memory.OriginUser, Project: "app", ProjectPath: "/src/app",
		Session: session, Turn: turn, OccurredAt: confirmDay.Add(time.Duration(len(turn)) * time.Hour),
	}
}

// superseding are pairs of an older decision and one that takes its place.
var superseding = [][2]string{
	{"Rotate logs at 50 MB, keep 10 files", "rotate logs at 20 MB and keep 30 files"},
	{"overbooked cabins go to the waitlist (asked: reject or waitlist?)", "Change of plan: overbooked cabins are rejected with a message, no waitlist any more"},
	{"session tokens live for 30 days", "Session tokens now expire after 12 hours"},
	{"on duplicate sensor readings the first one wins", "Amended rule, superseding first-wins: duplicate sensor readings keep the one with the highest quality flag"},
	{"Postgres for the job queue (asked: Redis or Postgres for the job queue?)", "we no longer use Postgres for the job queue, it's SQS now"},
	{"retry failed uploads 5 times with exponential backoff", "retry failed uploads 3 times, fixed 10 second pause"},
	{"Prices are stored as integers in cents", "Actually store prices as decimals with 4 places: per-gram prices need fractions of a cent"},
	{"nightly export goes to FTP", "The nightly export goes to S3 instead of FTP from now on"},
	{"round half up when splitting tips", "rounding of tips: banker's rounding, half up is out"},
	{"the alarm sounds below 4 degrees", "alarm threshold is 2 degrees now, used to be 4"},
	{"Rechnungsnummern beginnen jedes Jahr bei 1", "Kommando zurück: Rechnungsnummern laufen durch und beginnen nicht mehr jedes Jahr bei 1"},
	{"les relances partent après 15 jours", "finalement les relances partent après 30 jours"},
	{"los pedidos se confirman por correo", "ya no confirmamos los pedidos por correo, ahora por SMS"},
	{"429 (asked: Which status for an exceeded quota?)", "503 (asked: Which status for an exceeded quota?)"},
	{"empty cells count as zero (asked: Do empty cells count as zero or get skipped?)", "empty cells are skipped"},
	{"sort standings by points, then goal difference", "sort standings by points, then head-to-head result"},
	{"the importer stops at the first bad row", "the importer must not stop at a bad row: skip it and list it at the end"},
	{"max 200 items per page", "max 50 items per page, 200 was too slow on phones"},
	{"feature flags come from LaunchDarkly", "feature flags come from a YAML file in the repo"},
	{"guests can cancel until 24 hours before arrival", "Policy change: guests can cancel until 72 hours before arrival"},
	{"Thumbnails are 320 px wide", "thumbnails at 480 px wide from now on"},
	{"lexical order for tags (asked: lexical order or by usage for tags?)", "amendment: tags are ordered by usage, most used first"},
	{"when two drivers claim a ride, the nearest gets it", "nearest is out: when two drivers claim a ride the longest-waiting one gets it"},
	{"unknown columns in the CSV are ignored", "unknown columns in the CSV are an error, ignoring them hid two bugs"},
	{"Backups: 30 daily, 12 monthly", "backups: 10 daily, 4 weekly, 24 monthly"},
	{"the moderation queue is first in first out", "We now process the moderation queue by severity, not first in first out"},
	{"a locked account opens again after 15 minutes", "locked accounts open again only by support, no longer after 15 minutes"},
	{"we deploy with Ansible", "deploys go through Terraform now; Ansible is gone"},
	{"Zeitstempel speichern wir in Ortszeit", "Doch anders: Zeitstempel speichern wir in UTC statt in Ortszeit"},
	{"leap seconds are ignored (asked: ignore or smear leap seconds?)", "smear (asked: ignore or smear leap seconds?)"},
	{"a match needs at least 3 common tokens", "raise it: a match needs at least 5 common tokens"},
	{"wrap around at the edge of the board", "the edge of the board is a wall now, no wrapping around"},
	{"invoices are numbered per customer", "From now on invoices are numbered per year, not per customer"},
	{"the cache holds 500 entries", "let the cache hold 2000 entries"},
	{"login fails three times, then a captcha (asked: What happens after failed logins?)", "we lock the account for an hour after three failed logins, the captcha is out"},
	{"a lock takes at most 4 boats, never two ferries", "3 boats (on: a lock takes at most 4 boats, never two ferries)"},
	{"a lock takes 4 boats", "3 (on: a lock takes 4 boats)"},
	{"9 (asked: Should a boat lose its place after 5 or after 9 minutes?)", "from now on a boat loses its place after 12 minutes"},
	{"CSV export uses semicolons", "csv export should use commas instead of semicolons"},
	{"heartbeat every 30 seconds", "heartbeat every 5 seconds, 30 is too slow to notice a dead node"},
	{"we ship on Fridays", "no more shipping on Fridays, Tuesdays it is"},
	{"yes (asked: Should soft-deleted users count towards the quota?)", "no (asked: Should soft-deleted users count towards the quota?)"},
	{"passwords need at least 8 characters", "passwords need at least 12 characters"},
	{"images are resized with ImageMagick", "we switched from ImageMagick to libvips for resizing images"},
	{"Fehlversuche werden nach 10 Minuten zurückgesetzt", "Fehlversuche werden erst nach 60 Minuten zurückgesetzt"},
	{"tie goes to the older bid", "tie-break changed: on a tie the higher-rated bidder wins instead of the older bid"},
	{"use Redis for the job queue", "we switched from Redis to NATS"},
	{"use Redis for the job queue", "we moved the job queue off Redis to NATS"},
	{"use Redis for the job queue", "NATS replaced Redis as the job queue"},
	{"use Redis for the job queue", "we ditched Redis, jobs go through NATS"},
	{"use NATS for the job queue", "back to Redis for the job queue after all"},
	{"use MySQL for the orders database", "MySQL is history, orders are in Postgres now"},
	{"use gulp for the assets", "gulp's been retired, esbuild does the assets now"},
	{"use gulp for the assets", "gulp has been scrapped, esbuild does the assets now"},
	{"deploy with Heroku", "we're off Heroku, deploys go to Fly now"},
	{"use Yarn for the packages", "we dropped Yarn, packages are installed with pnpm now"},
	{"use Jenkins for CI", "CI no longer runs on Jenkins, it's all GitHub Actions"},
	{"use Jenkins for CI", "CI is no longer on Jenkins, it's on Buildkite"},
	{"use MongoDB for the events", "we reverted that: the events are in Postgres again instead of MongoDB"},
	{"the webhook is retried with a fixed delay of 60 s", "correction: the webhook is retried with a fixed delay of 20 s"},
}

// standing are pairs of decisions that share words and both stand.
var standing = [][2]string{
	{"timeout for the search endpoint is 5 s", "timeout for the upload endpoint is 60 s"},
	{"staging keeps 3 days of logs", "production keeps 30 days of logs"},
	{"session tokens live for 30 days", "session tokens are stored hashed, never plain"},
	{"duplicate readings: keep the first", "late readings: keep the last"},
	{"round prices half up", "round weights to the nearest 5 g"},
	{"retry failed uploads 5 times", "retry failed downloads 3 times"},
	{"emails are compared case-insensitively", "phone numbers are compared digits only"},
	{"Admins can delete bookings", "Guests can only cancel bookings"},
	{"memory quantities without a suffix are MiB", "disk quantities without a suffix are GB"},
	{"the nightly export goes to S3", "the nightly export runs at 02:00 UTC"},
	{"importer skips blank lines", "importer trims trailing whitespace"},
	{"max 200 items per page", "max 5 pages per crawl"},
	{"Instead of a modal, errors show inline in the form", "warnings show in the status bar instead of inline"},
	{"we use Redis for the cache", "Actually use Postgres for the audit trail"},
	{"the API returns 404 for unknown hives", "the API returns 409 for hives that were merged"},
	{"weekly report is sent on Mondays", "monthly report is sent on the 1st"},
	{"alarm below 4 degrees for vaccines", "alarm above 30 degrees for the server room"},
	{"Bestellungen unter 50 Euro zahlen Versand", "Retouren unter 20 Euro werden nicht abgeholt"},
	{"median of 15 samples for temperature", "median of 5 samples for humidity"},
	{"no (asked: Should guests see prices?)", "no (asked: Should guests see stock levels?)"},
	{"thumbnails are 320 px wide", "thumbnails are WebP, never PNG"},
	{"backups keep 30 daily copies", "backups are encrypted with age"},
	{"locked accounts open again after 15 minutes", "reset links expire after 15 minutes"},
	{"unknown columns are ignored", "unknown rows are logged"},
	{"at least 3 common tokens for a match in titles", "at least 8 common tokens for a match in bodies"},
	{"drivers see the price before accepting", "riders see the price before booking"},
	{"Timestamps are stored in UTC", "timestamps are shown in the viewer's zone"},
	{"the iOS app polls every 30 seconds", "the Android app polls every 60 seconds"},
	{"use bcrypt with cost 12 for passwords", "use SHA-256 for API key fingerprints"},
	{"yes (asked: Should the importer accept gzip?)", "no (asked: Should the importer accept zip?)"},
	{"no retries for POST", "GET retries twice"},
	{"Mondays at 9 for the digest mail", "The reminder mail goes out two days before, actually at 9 too"},
	{"login fails three times, then a captcha", "signup asks for a captcha right away"},
	{"passwords need at least 8 characters", "usernames need at least 3 characters"},
	{"9 (asked: Should a boat lose its place after 5 or after 9 minutes?)", "from now on a boat pays 12 crowns"},
	{"a lock takes 4 boats", "3 pilots (on: a lock takes 4 boats)"},
	{"a lock takes 4 boats", "only by day (on: a lock takes 4 boats)"},
	{"ferries go first through the lock", "3 ferries (on: ferries go first through the lock)"},
	{"CSV export uses semicolons", "CSV export writes a BOM"},
	{"heartbeat every 30 seconds", "heartbeat carries the node's version"},
	{"invoices are numbered per customer", "credit notes are numbered per year"},
	{"the webhook is retried 5 times", "the webhook payload is signed with HMAC"},
	{"images are resized on upload", "avatars are cropped on upload"},
	{"soft-deleted users are hidden in search", "soft-deleted projects are hidden in search"},
	{"the mobile app talks to /v2", "the desktop app still talks to /v1"},
	{"the queue is drained before a restart", "the queue is paused during a migration"},
	{"deploys to staging need no approval", "deploys to production need two approvals"},
	{"we log request ids, not bodies", "we no longer log IP addresses"},
	{"orders above 1000 Euro need an approval", "orders from abroad need an approval"},
	{"the RPC package has type assertions", `The graph of dependencies reads its metadata through one interface of the storage instead of type assertions, checks each
		edge twice, locks the table while it writes, logs slow queries of the RPC package, and keeps blocked issues, closed ones and milestones apart for the weekly report of each team`},
	{"use MySQL for the orders database", "we switched from MySQL to Postgres for the sessions database"},
	{"use MySQL for the orders database", "not to switch from MySQL to Postgres for the orders database"},
	{"use MySQL for the orders database", "MySQL is out of memory on the orders database"},
	{"use MySQL for the orders database", "the wiki's been retired, the orders database is described in docs now"},
	{"use Jenkins for CI", "the linter no longer runs on Jenkins agents with 2 GB, it's only on large ones"},
	{"use Redis for the cache", "Redis is out as the job queue, that is on NATS now"},
	{"use Redis for the cache", "back to NATS for the job queue after all"},
	{"Redis keys have a prefix per tenant", "we switched from Redis to NATS"},
	{"bids are visible to the seller", "From now on bids are shown with the bidder's rating"},
}

func TestSupersedes(t *testing.T) {
	for _, tt := range []struct {
		pairs [][2]string
		want  int
	}{{superseding, 1}, {standing, 0}} {
		for _, pair := range tt.pairs {
			older, newer := decided("s1", "t", pair[0]), decided("s2", "tt", pair[1])
			if _, merges := Compare([]memory.Memory{newer, older}); len(merges) != tt.want {
				t.Errorf("%q, later %q: %d merges, want %d", pair[0], pair[1], len(merges), tt.want)
			}
		}
	}
}

// superseded names the turns of what the last of ms supersedes.
func superseded(ms []memory.Memory) string {
	changes, _ := Compare(ms)
	var turns []string
	for _, c := range changes {
		for _, id := range c.Now.Supersedes {
			turns = append(turns, strings.TrimPrefix(id, "dec-"))
		}
	}
	slices.Sort(turns)
	return strings.Join(turns, " ")
}

func TestSupersedesOfSessions(t *testing.T) {
	const recap = "refunds go to the original card within 5 days, never to a voucher; partial refunds need a manager"
	lent, fined := decided("s1", "1", "Novels are lent to members"), decided("s1", "22", "Fines for a late book are 20 cents per day")
	tests := []struct {
		name string
		in   []memory.Memory
		want string
	}{
		{"a rule given anew, and what the recap summed up", []memory.Memory{
			decided("s1", "1", "everybody gets the full amount"),
			decided("s1", "22", recap, memory.TagRecap),
			decided("s1", "333", "the logo is green"),
			decided("s2", "4444", "Amended rule, superseding the five days: refunds go to the original card within 10 days; partial refunds need two managers", memory.TagRecap),
		}, "1 22"},
		{"a part of a recap", []memory.Memory{
			decided("s1", "1", "refunds go to the original card within 5 days"),
			decided("s1", "22", recap, memory.TagRecap),
			decided("s2", "4444", "refunds go to the original card within 10 days"),
		}, "1"},
		{"a recap of its own session", []memory.Memory{
			decided("s1", "1", "refunds go to the original card within 7 days"), decided("s1", "22", recap, memory.TagRecap),
		}, ""},
		{"one turn", []memory.Memory{
			decided("s1", "1", "yes (asked: Does the refund go to the card?)"),
			func() memory.Memory {
				m := decided("s1", "1", "within 5 days (asked: Does the refund go to the card?)")
				m.ID = "dec-other"
				return m
			}(),
		}, ""},
		{"what only Claude assumed", []memory.Memory{
			decided("s1", "1", "guests can cancel until 24 hours before arrival"),
			decided("s2", "22", "guests can cancel until 72 hours before arrival", memory.TagAssumed),
		}, ""},
		{"another number, later in the session", []memory.Memory{
			decided("s1", "1", "a lock takes at most 4 boats, never two ferries"), decided("s1", "22", "the gates close after 10 minutes"),
			func() memory.Memory {
				m := decided("s1", "333", "3 boats")
				m.Evidence = "actually make it 3 boats"
				return m
			}(),
		}, "1"},
		{"another number, in another session", []memory.Memory{
			decided("s1", "1", "a lock takes at most 4 boats, never two ferries"),
			func() memory.Memory {
				m := decided("s2", "22", "3 boats")
				m.Evidence = "actually make it 3 boats"
				return m
			}(),
		}, ""},
		{"what the turn said beside it", []memory.Memory{
			decided("s1", "1", "the cookie holds the session"),
			func() memory.Memory {
				m := decided("s1", "1", "it ends after 8 hours")
				m.ID = "dec-8"
				return m
			}(),
			decided("s2", "22", "the 8 hours for the session are off the table: 20 minutes without a click"),
		}, "8"},
		{"what a session that announces a change says anew", []memory.Memory{
			lent, fined, decided("s1", "333", "Books of the reading room are never lent"),
			decided("s2", "4444", "Fines per day were a mistake: pensioners stopped coming"),
			decided("s2", "666666", "The reading room closes at ten"),
		}, "22"},
		{"without an announcement", []memory.Memory{
			lent, fined, decided("s2", "4444", "Fines per day are pointless"), decided("s2", "55555", "Novels are lent out to whoever comes first"),
		}, "22"},
		{"an announcement that contradicts nothing", []memory.Memory{
			lent, fined, decided("s2", "4444", "We have to change the opening hours"), decided("s2", "55555", "Novels are lent out to whoever comes first"),
		}, ""},
		{"the rest stands", []memory.Memory{
			lent, fined, decided("s2", "4444", "Fines per day were a mistake, the rest stands"), decided("s2", "55555", "Novels are lent out to whoever comes first"),
		}, "22"},
		{"what stays", []memory.Memory{
			lent, fined, decided("s2", "4444", "Fines per day were a mistake"), decided("s2", "55555", "Novels are still lent out as agreed"),
		}, "22"},
		{"what does not", []memory.Memory{
			lent, fined, decided("s2", "4444", "Fines per day were a mistake"), decided("s2", "55555", "Novels are lent out to whoever comes first"),
		}, "1 22"},
		{"a recap of the session that announces a change", []memory.Memory{
			decided("s1", "1", "a late book costs 20 cents per day after a grace week, students nothing, at most 5 euro", memory.TagRecap),
			decided("s2", "22", "New rule in place of the 20 cents: 1 euro for each late book, students half of it", memory.TagRecap),
		}, "1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := superseded(tt.in); got != tt.want {
				t.Errorf("superseded %q, want %q", got, tt.want)
			}
		})
	}
}

// What seems to amend what many sessions said means none of them; of what was amended again and
// again it means the last.
func TestAmendsFew(t *testing.T) {
	exports := []string{"the order export runs hourly", "the stock export runs at night", "the invoice export runs weekly", "the customer export runs at noon"}
	hourly := []string{"retry failed uploads 5 times", "retry failed uploads 4 times", "retry failed uploads 7 times", "retry failed uploads 2 times", "retry failed uploads 9 times"}
	said := func(titles ...string) []memory.Memory {
		var ms []memory.Memory
		for i, title := range titles {
			ms = append(ms, decided(fmt.Sprint("s", i), strings.Repeat("t", i+1), title))
		}
		return ms
	}
	const stops = "we stop running each export on its own: one job instead of an export"
	for _, tt := range []struct {
		name string
		in   []memory.Memory
		want string
	}{
		{"three sessions", said(append(exports[:3:3], stops)...), "t tt ttt"},
		{"four sessions", said(append(exports, stops)...), ""},
		{"again and again", said(hourly...), "t tt ttt tttt"},
	} {
		if got := superseded(tt.in); got != tt.want {
			t.Errorf("%s: superseded %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestReplaced(t *testing.T) {
	all := map[string]memory.Memory{}
	for i, title := range []string{
		"guests can cancel until 24 hours before arrival", "guests can cancel until 48 hours before arrival", "Guests can cancel until 72 hours before arrival, please",
	} {
		m := decided("s", strings.Repeat("t", i+1), title)
		all[m.ID] = m
	}
	read := func(id string) (memory.Memory, error) {
		m, ok := all[id]
		if !ok {
			return m, errors.New("gone")
		}
		return m, nil
	}
	newest := decided("s", "tttt", "guests can cancel until 72 hours before arrival")
	newest.Supersedes = []string{"dec-t", "dec-tt", "dec-ttt", "dec-x"}
	if old, ok := new(Verdicts).Replaced(newest, read); !ok || old.ID != "dec-tt" {
		t.Errorf("Replaced() = %q, %t, want the one before it that says otherwise", old.Title, ok)
	}
	newest.Supersedes = []string{"dec-ttt"}
	if old, ok := new(Verdicts).Replaced(newest, read); ok {
		t.Errorf("Replaced() = %q, want none: it says the same", old.Title)
	}
	recap := decided("s", "r", "guests pay on arrival; they can cancel; guests can cancel until 24 hours before arrival", memory.TagRecap)
	if !contradict(newest, recap) || contradict(newest, decided("s", "x", "guests pay on arrival")) {
		t.Error("a part of a recap is not contradicted, or what is something else is")
	}
}

// A text that a rule takes has one of the hints, else the rule would not be asked.
func TestHints(t *testing.T) {
	rules := amendmentRules()
	for _, table := range []struct {
		rules []*rule.Rule
		hints map[string]bool
	}{
		{rules.Changing.Rules, hints.changing},
		{rules.GivenUp, hints.givenUp},
		{rules.Announcing.Rules, hints.announcing},
		{slices.Concat(rules.RestStands.Rules, rules.Unchanged.Rules), hints.unchanged},
		{[]*rule.Rule{rules.WholeRule, rules.Superseded}, hints.rule},
		{[]*rule.Rule{rules.Denied}, hints.denied},
	} {
		for _, r := range table.rules {
			if !hasAny(prose.PlainWords(strings.ToLower(r.Takes)), table.hints) {
				t.Errorf("rule %s: no hint in %q", r.Name, r.Takes)
			}
		}
	}
}
