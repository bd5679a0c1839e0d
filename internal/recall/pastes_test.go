package recall

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// pastes make what developers paste: so many lines of each kind, none of it about any
// memory of a test.
var pastes = map[string]func(r *rand.Rand, lines int) string{
	"service log": func(r *rand.Rand, n int) string {
		return lineByLine(n, func(i int) string {
			message := oneOf(r, "request served path=/v1/items status=200", "cache miss for key item:%d", "connection pool grew to %d", "worker %d picked up a job from the queue",
				"flushed %d rows to storage", "slow query took %d ms", "retrying delivery to subscriber %d", "session %d expired")
			if strings.Contains(message, "%d") {
				message = fmt.Sprintf(message, r.IntN(5000))
			}
			level := oneOf(r, "INFO", "INFO", "INFO", "DEBUG", "WARN")
			if i%67 == 66 {
				level, message = "ERROR", fmt.Sprintf("handler panicked: nil pointer in renderBadge (attempt %d)", i)
			}
			return fmt.Sprintf("2026-03-%02dT%02d:%02d:%02d.%03dZ %-5s [%s] %s", 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60), r.IntN(1000), level, oneOf(r, "api", "worker", "gateway"), message)
		})
	},
	"java trace": func(r *rand.Rand, n int) string {
		lines := []string{`Exception in thread "main" java.lang.IllegalStateException: badge renderer is not ready`}
		for len(lines) < n {
			if len(lines)%40 == 0 {
				lines = append(lines, "Caused by: java.lang.NullPointerException: Cannot invoke \"Badge.color()\" because \"badge\" is null")
			}
			lines = append(lines, fmt.Sprintf("\tat com.example.%s.%s.%s(%s.java:%d)", oneOf(r, "web", "core", "badge"), oneOf(r, "Renderer", "Filter", "Chain"), oneOf(r, "invoke", "apply", "doFilter"), oneOf(r, "Renderer", "Filter", "Chain"), r.IntN(900)))
		}
		return strings.Join(lines, "\n")
	},
	"python trace": func(r *rand.Rand, n int) string {
		lines := []string{"Traceback (most recent call last):"}
		for len(lines) < n-1 {
			lines = append(lines, fmt.Sprintf("  File \"/srv/badge/%s.py\", line %d, in %s", oneOf(r, "views", "render", "middleware"), r.IntN(900), oneOf(r, "get", "wrap", "dispatch")),
				"    return "+oneOf(r, "handler(request)", "self.render(badge, color=color)", "inner(*args, **kwargs)"))
		}
		return strings.Join(append(lines, "AttributeError: 'NoneType' object has no attribute 'color'"), "\n")
	},
	"json": func(r *rand.Rand, n int) string {
		body := lineByLine(max(1, n-2), func(i int) string {
			return fmt.Sprintf("  {\"id\": %d, \"name\": \"badge-%d\", \"state\": \"%s\", \"size\": %d},", i, r.IntN(999), oneOf(r, "ready", "queued", "done"), r.IntN(90))
		})
		return "[\n" + body + "\n]"
	},
	"pretty json": func(r *rand.Rand, n int) string {
		lines := []string{"{", "  \"items\": ["}
		for len(lines) < n {
			lines = append(lines, "    {", fmt.Sprintf("      \"name\": \"badge %d\",", r.IntN(99)), fmt.Sprintf("      \"owner\": \"%s\",", oneOf(r, "web team", "core team")), "      \"active\": true", "    },")
		}
		return strings.Join(append(lines, "  ]", "}"), "\n")
	},
	"build log": func(r *rand.Rand, n int) string {
		return lineByLine(n, func(i int) string {
			if i == n-3 {
				return "error[E0308]: mismatched types"
			}
			if i > n-3 {
				return fmt.Sprintf("  --> src/badge.rs:%d:%d", i, r.IntN(80))
			}
			return oneOf(r, fmt.Sprintf("   Compiling badge-%d v0.%d.%d", r.IntN(99), r.IntN(30), r.IntN(30)), fmt.Sprintf("[%d/%d] CC obj/badge_%d.o", i, n, i), fmt.Sprintf("npm WARN deprecated badge@%d.0.1: this version is not maintained", r.IntN(20)))
		})
	},
	"diff": func(r *rand.Rand, n int) string {
		lines := []string{"diff --git a/badge/render.go b/badge/render.go", "index 3f1c2aa..9be0d11 100644", "--- a/badge/render.go", "+++ b/badge/render.go"}
		for len(lines) < n {
			lines = append(lines, fmt.Sprintf("@@ -%d,7 +%d,8 @@ func render(b *Badge) {", len(lines), len(lines)+1), " \tif b == nil {", "-\t\treturn", fmt.Sprintf("+\t\treturn errBadge(%d)", r.IntN(99)), " \t}", " \tdraw(b.color)")
		}
		return strings.Join(lines, "\n")
	},
	"table": func(r *rand.Rand, n int) string {
		return "| badge | owner | size | state |\n|---|---|---|---|\n" + lineByLine(max(1, n-2), func(i int) string {
			return fmt.Sprintf("| badge-%d | %s | %d | %s |", i, oneOf(r, "web", "core"), r.IntN(90), oneOf(r, "ready", "queued", "done"))
		})
	},
	"columns": func(r *rand.Rand, n int) string {
		return "NAME                      READY   STATUS    RESTARTS   AGE\n" + lineByLine(max(1, n-1), func(i int) string {
			return fmt.Sprintf("badge-%d-%x-%x   %d/1     %s   %d          %dd", i, r.IntN(1<<20), r.IntN(1<<20), r.IntN(2), oneOf(r, "Running", "Pending", "CrashLoopBackOff"), r.IntN(9), r.IntN(90))
		})
	},
	"yaml": func(r *rand.Rand, n int) string {
		return lineByLine(n, func(i int) string {
			return oneOf(r, fmt.Sprintf("  - name: badge-%d", i), "    image: badge:latest", "    restart: always", fmt.Sprintf("    port: %d", 8000+i), "    labels:", "      team: web")
		})
	},
	"test output": func(r *rand.Rand, n int) string {
		return lineByLine(n, func(i int) string {
			if i%50 == 49 {
				return fmt.Sprintf("    render_test.go:%d: color() = \"\", want \"red\"\n--- FAIL: TestBadge%d (0.0%ds)", i, i, r.IntN(9))
			}
			return fmt.Sprintf("--- PASS: TestBadge%d (0.%02ds)", i, r.IntN(99))
		})
	},
	"wordy log": func(r *rand.Rand, n int) string {
		return lineByLine(n, func(i int) string {
			at := fmt.Sprintf("Mar %2d %02d:%02d:%02d badgehost ", 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60))
			return at + oneOf(r, "systemd: Started the daily cleanup of temporary directories.", "kernel: device entered promiscuous mode", "sshd: Accepted publickey for deploy from 10.0.0.7", "cron: session closed for user root", "badge: could not draw the border, using the default one")
		})
	},
}

// wordyPastes have words of their own, so that alone they may be about something.
var wordyPastes = map[string]func(r *rand.Rand, lines int) string{
	"python code": func(r *rand.Rand, n int) string {
		lines := []string{"import os", "from badge import render", "", "class Badge:"}
		for len(lines) < n {
			lines = append(lines, fmt.Sprintf("    def draw_%d(self, color):", r.IntN(99)), "        # the border comes first", "        if color is None:", "            return None", "        return render(self, color)", "")
		}
		return strings.Join(lines, "\n")
	},
	"go code": func(r *rand.Rand, n int) string {
		lines := []string{"package badge", "", "import \"image/color\"", ""}
		for len(lines) < n {
			lines = append(lines, "// draw draws the border first, and then the label that stands on it.", fmt.Sprintf("func draw%d(b *Badge) error {", r.IntN(99)), "\tif b == nil {", "\t\treturn errNoBadge", "\t}", "\treturn b.paint(color.Black)", "}", "")
		}
		return strings.Join(lines, "\n")
	},
	"sql": func(r *rand.Rand, n int) string {
		return lineByLine(n, func(i int) string {
			return oneOf(r, "SELECT badge.id, badge.color", "  FROM badge", "  JOIN owner ON owner.id = badge.owner_id", fmt.Sprintf(" WHERE badge.size > %d;", i), "UPDATE badge SET color = 'red';")
		})
	},
	"csv": func(r *rand.Rand, n int) string {
		return "badge,owner,state,color\n" + lineByLine(n, func(i int) string {
			return fmt.Sprintf("badge,%s,%s,%s", oneOf(r, "web team", "core team"), oneOf(r, "ready", "queued"), oneOf(r, "red", "blue"))
		})
	},
	"html": func(r *rand.Rand, n int) string {
		return lineByLine(n, func(i int) string {
			return oneOf(r, "<div class=\"badge\">", "  <span>the border of a badge</span>", "</div>", "<img src=\"badge.png\">")
		})
	},
	"one line": func(r *rand.Rand, n int) string {
		return "{" + strings.Repeat("\"badge\": {\"color\": \"red\", \"owner\": \"web team\"}, ", n) + "}"
	},
	"mail": func(r *rand.Rand, n int) string {
		return "From: Anna <anna@example.com>\nTo: team@example.com\nDate: Mon, 2 Mar\nSubject: badges\n\nHello all,\n\n" + lineByLine(n, func(i int) string {
			return oneOf(r, "the badges came out in the wrong color again today.", "Could somebody please look into this before the fair?", "It is the third time that we had to print them anew.", "")
		}) + "\n\nBest,\nAnna"
	},
	"quoted mail": func(r *rand.Rand, n int) string {
		return "On Mon, 2 Mar 2026 at 10:12, Anna wrote:\n" + lineByLine(n, func(i int) string {
			return "> " + oneOf(r, "the badges came out in the wrong color again today.", "Could somebody please look into this before the fair?", "It is the third time that we had to print them anew.", "")
		})
	},
	"chat": func(r *rand.Rand, n int) string {
		return lineByLine(n, func(i int) string {
			return fmt.Sprintf("[%02d:%02d] %s: %s", 8+r.IntN(9), r.IntN(60), oneOf(r, "anna", "bert"), oneOf(r, "the badges came out in the wrong color again", "can you look into it?", "we print them anew"))
		})
	},
}

func lineByLine(n int, line func(i int) string) string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = line(i)
	}
	return strings.Join(lines, "\n")
}

func oneOf(r *rand.Rand, texts ...string) string { return texts[r.IntN(len(texts))] }

// A question is answered as it is alone, whatever is pasted above or below it, and a paste
// alone is answered with nothing.
func TestPastes(t *testing.T) {
	r, _ := ownStore(t)
	for kind, paste := range pastes {
		t.Run(kind, func(t *testing.T) {
			for i, w := range ownWords[:2] {
				prompt := "what do we know about this: " + w.title
				log := paste(rand.New(rand.NewPCG(uint64(i), 1)), 200)
				for where, text := range map[string]string{"alone": prompt, "above the paste": prompt + "\n\n" + log, "right above it": prompt + "\n" + log, "below the paste": log + "\n\n" + prompt} {
					if got := r.injected(t, ask(t, text)); !slices.Contains(got, ownID(i)) {
						t.Errorf("%s: %q brings %v, want %s", where, prompt, got, ownID(i))
					}
				}
				if got := r.injected(t, ask(t, log)); len(got) > 0 {
					t.Errorf("the paste alone brings %v: %s", got, recall(t, r, ask(t, log)).Context)
				}
			}
		})
	}
}

// Whatever is answered alone is answered beside a paste of any kind and length, on either side,
// in a fence or not.
func TestPastesOfAnyLength(t *testing.T) {
	r, _ := ownStore(t)
	req := ask(t, "")
	lengths := []int{1, 2, 3, 5, 7, 8, 9, 12, 20, 40, 60, 80, 81, 200, 2000}
	if testing.Short() {
		lengths = []int{1, 7, 20, 81}
	}
	kinds := maps.Clone(pastes)
	maps.Copy(kinds, wordyPastes)
	for kind, paste := range kinds {
		t.Run(kind, func(t *testing.T) {
			for i, w := range ownWords[:1] {
				prompt := "what do we know about this: " + w.title
				for _, n := range lengths {
					text := paste(rand.New(rand.NewPCG(uint64(i), uint64(n))), n)
					for where, text := range map[string]string{
						"above the paste": prompt + "\n\n" + text, "right above it": prompt + "\n" + text,
						"below the paste": text + "\n\n" + prompt, "right below it": text + "\n" + prompt,
						"above a fence": prompt + "\n```\n" + text + "\n```", "below a fence": "```\n" + text + "\n```\n" + prompt,
					} {
						req.Prompt = text
						if got := r.injected(t, req); !slices.Contains(got, ownID(i)) {
							t.Errorf("%d lines, %s: %q brings %v, want %s", n, where, prompt, got, ownID(i))
						}
					}
				}
			}
		})
	}
}

// The error in a paste is what a question is about that says nothing itself, and helps one
// that does.
func TestPasteTells(t *testing.T) {
	r := openMeaning(t,
		inbox("note-1", "UniqueViolation on suppliers", "psycopg2.errors.UniqueViolation: the supplier feed repeats a key; load it with ON CONFLICT DO NOTHING."),
		inbox("note-2", "The nightly import runs at three", "It needs the vendor's feed, which comes at two."),
	)
	paste := pastes["service log"](rand.New(rand.NewPCG(1, 1)), 200) +
		"\n2026-03-01T03:00:07.112Z ERROR [worker] psycopg2.errors.UniqueViolation: duplicate key value violates unique constraint \"suppliers_key\"\n"
	if got := r.injected(t, ask(t, "fix this please\n\n"+paste)); !slices.Contains(got, "note-1") {
		t.Errorf("\"fix this\" above the log brings %v, want note-1", got)
	}
	question := "why did loading the supplier feed break"
	alone := found(t, recall(t, r, ask(t, question)), "note-1").Relevance
	with := found(t, recall(t, r, ask(t, question+"\n\n"+paste)), "note-1").Relevance
	if with <= alone {
		t.Errorf("relevance %.2f with the log, %.2f without; want more", with, alone)
	}
}

// The next prompt is compared with what was asked, not with the paste.
func TestAskedWithoutPaste(t *testing.T) {
	r := openMeaning(t, pool("note-1"))
	paste := pastes["java trace"](rand.New(rand.NewPCG(1, 1)), 300)
	req := ask(t, paste+"\n\n"+prompted)
	if got := recall(t, r, req).Asked; got != prompted {
		t.Errorf("asked %q, want %q", got, prompted)
	}
}
