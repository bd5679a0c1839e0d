package recall

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/recall/request"
)

// What developers write about, the most usual first: a developer of the
// benchmark draws early words more often, as people do.
var (
	things = strings.Fields(`request handler query cache token session index connection pool worker queue migration
		schema retry timeout backoff config deploy pipeline build container image cluster pod secret certificate proxy
		gateway router middleware endpoint payload header cookie origin webhook callback event stream topic consumer
		producer offset partition replica shard snapshot backup restore ledger invoice payment refund basket checkout
		customer account tenant role permission policy audit login logout password hash salt cipher signature digest
		upload download thumbnail avatar report export import template renderer layout stylesheet component hook store
		reducer selector fixture mock coverage benchmark profiler tracer metric alert dashboard log parser lexer encoder
		decoder buffer channel mutex goroutine thread scheduler timer cron calendar timezone locale currency price
		rounding tax discount coupon stock warehouse shipment address geocoder map tile sensor firmware driver socket
		packet checksum compressor archive patch branch merge release changelog license badge sandbox emulator`)
	acts = strings.Fields(`close open parse render retry flush lock load store merge split validate encode decode publish
		consume refresh expire rotate encrypt verify resolve allocate schedule cancel rollback commit replay drain throttle`)
	kindsOf = strings.Fields(`slow stale flaky broken duplicate missing empty leaking wrong late unreachable corrupted
		truncated deadlocked unbounded misaligned oversized orphaned silent racy`)
	prefixes = strings.Fields(`sub pre re multi micro meta auto inter trans non over under super pseudo semi anti co de
		hyper infra intra macro mono poly proto quasi retro tele ultra uni`)
	roots   = strings.Fields(`internal src pkg lib cmd app web services tools scripts`)
	endings = strings.Fields(`.go .ts .py .rs .sql .yml .sh .proto`)

	// In a phrase W is a thing, N an identifier, F a file, K a fault, A an
	// act, E a code and D a number.
	phrases = []string{
		"the W W was K because N kept its W after an early return",
		"we chose N over another W since each W has to survive the W",
		"always A the W before any W ; otherwise F fails with E",
		"F takes the W from its W now and no longer from N",
		"under load the W became K : N waited D ms for the W",
		"a limit of D for the W W is enough, which F had not",
		"the K W is back after upgrading the W , as E says",
		"tests of N want a W with its W , else they are K once in D runs",
		"N must A every W that the W has seen",
		"not the W but the W was to blame: F did A too often",
		"after D retries N gives up and the W shows E",
		"moved the W out of F into the W , so that N is K no more",
		"the W W in staging is D behind its W",
		"customers saw a K W whenever N and the W met",
		"agreed: W first, then W , and A both in F",
		"E means that the W has no W of its own",
	}
)

// A developer writes sentences. The same seed writes the same. A prompt of 8
// words has some 70 postings for 100 memories, more than twice what commit
// messages have: the figures err on the slow side.
type developer struct {
	rand *rand.Rand
	zipf *rand.Zipf
}

func newDeveloper(seed uint64) *developer {
	r := rand.New(rand.NewPCG(seed, 1))
	return &developer{rand: r, zipf: rand.NewZipf(r, 1.05, 100, uint64(len(things)*(len(prefixes)+1)-1))}
}

// thing draws a word of some 4,800, the plain ones most often.
func (d *developer) thing() string {
	n := int(d.zipf.Uint64())
	word := things[n%len(things)]
	if n < len(things) {
		return word
	}
	return prefixes[n/len(things)-1] + word
}

func (d *developer) pick(words []string) string { return words[d.rand.IntN(len(words))] }

// name makes an identifier; there are some millions.
func (d *developer) name() string {
	parts := []string{d.pick(acts), d.pick(things), d.thing()}
	if d.rand.IntN(3) == 0 {
		return strings.Join(parts, "_")
	}
	return parts[0] + capital(parts[1]) + capital(parts[2])
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func (d *developer) file() string {
	return d.pick(roots) + "/" + d.thing() + "/" + d.thing() + "_" + d.pick(things) + d.pick(endings)
}

func (d *developer) sentence() string {
	words := strings.Fields(d.pick(phrases))
	for i, w := range words {
		words[i] = d.word(w)
	}
	return capital(strings.Join(words, " ")) + "."
}

// word fills a place of a phrase.
func (d *developer) word(place string) string {
	switch place {
	case "W":
		return d.thing()
	case "N":
		return d.name()
	case "F":
		return d.file()
	case "K":
		return d.pick(kindsOf)
	case "A":
		return d.pick(acts)
	case "E":
		return fmt.Sprintf("E%04d", d.rand.IntN(10_000))
	case "D":
		return fmt.Sprint(2 + d.rand.IntN(5000))
	}
	return place
}

// memory makes a memory of some 300 characters in one of twenty projects.
func (d *developer) memory(number int) memory.Memory {
	m := memory.Memory{
		Source: memory.Sources[d.rand.IntN(len(memory.Sources))], Title: d.sentence(),
		Text:       d.sentence() + " " + d.sentence() + " " + d.sentence(),
		Files:      []string{d.file()},
		Turn:       fmt.Sprint(number),
		OccurredAt: now.Add(-time.Duration(d.rand.IntN(400*24)) * time.Hour),
	}
	m.SetHome(here)
	if n := d.rand.IntN(20); n > 0 {
		m.SetHome(memory.Project{Name: things[n], Path: "/home/dev/src/" + things[n]})
	}
	return m
}

func (d *developer) memories(first, n int) []memory.Memory {
	ms := make([]memory.Memory, n)
	for i := range ms {
		ms[i] = d.memory(first + i)
	}
	return ms
}

// prompt asks in n words, the last of a sentence cut off.
func (d *developer) prompt(n int) string {
	var words []string
	for len(words) < n {
		words = append(words, strings.Fields(d.sentence())...)
	}
	return strings.Join(words[:n], " ")
}

// trace is a question with a stack trace below it, of n words in all.
func (d *developer) trace(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "why does %s panic when the %s is %s?\n\ngoroutine 1 [running]:\n", d.name(), d.thing(), d.pick(kindsOf))
	for words := 12; words < n; words += 3 {
		fmt.Fprintf(&b, "%s.%s(0x%x)\n\t%s:%d +0x%x\n", d.thing(), d.name(), d.rand.Uint32(), d.file(), d.rand.IntN(900), d.rand.IntN(4096))
	}
	return b.String()
}

// filled makes a Recall over n memories, stored, indexed and embedded in large
// batches: one sync to disk for each.
func filled(b *testing.B, n int) *Recall {
	b.Helper()
	const batch = 2000
	r, d, v := open(b), newDeveloper(1), meanings(b, config.Default().Embedder)
	for first := 0; first < n; first += batch {
		ms := d.memories(first, min(batch, n-first))
		if err := r.put(ms); err != nil {
			b.Fatal(err)
		}
		if err := v.Update(b.Context(), ms, nil, nil); err != nil {
			b.Fatal(err)
		}
	}
	r.UseVectors(v)
	if got := r.Index.Len(); got != n {
		b.Fatalf("%d memories in the index, want %d", got, n)
	}
	return r
}

// BenchmarkRecall answers prompts of three lengths among ever more memories,
// and reports the median and the 95th percentile beside the mean.
func BenchmarkRecall(b *testing.B) {
	prompts := []struct {
		name string
		next func(*developer) string
	}{
		{"8words", func(d *developer) string { return d.prompt(8) }},
		{"200words", func(d *developer) string { return d.prompt(200) }},
		{"trace2000words", func(d *developer) string { return d.trace(2000) }},
	}
	for _, size := range []struct {
		name     string
		memories int
	}{{"1k", 1_000}, {"10k", 10_000}, {"100k", 100_000}} {
		b.Run(size.name, func(b *testing.B) {
			if testing.Short() && size.memories > 10_000 {
				b.Skip("building takes long")
			}
			r := filled(b, size.memories)
			for _, p := range prompts {
				b.Run(p.name, func(b *testing.B) { benchmark(b, r, p.next) })
			}
		})
	}
}

func benchmark(b *testing.B, r *Recall, next func(*developer) string) {
	d := newDeveloper(2)
	requests := make([]request.Request, 256)
	settings := shipped(b)
	for i := range requests {
		requests[i] = request.Request{Prompt: next(d), Project: here, Now: now, Settings: settings}
	}
	var took []time.Duration
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		recall(b, r, requests[len(took)%len(requests)])
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}
