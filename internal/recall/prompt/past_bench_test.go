package prompt

import "testing"

func BenchmarkAsked(b *testing.B) {
	prompts := []string{
		"add a progress bar to the training loop",
		"the rollout order for yesterday's release looked random, a dependent service went out before the thing it reads from. fix plan_waves",
		"what did we decide about retries last week?",
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range prompts {
			AskedPast(p)
		}
	}
}
