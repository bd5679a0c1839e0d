package reader

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"recollect/internal/config"
	"recollect/internal/recall"
)

var quiet = slog.New(slog.DiscardHandler)

func readerAt(url string) *Reader {
	c := config.Default()
	c.Reader.Kind, c.Reader.Model, c.Reader.URL = config.ModelOllama, "m", url
	return New(config.Fixed(config.Settings{Config: c}), quiet)
}

func asking(offers ...recall.Offer) Asking {
	return func(context.Context) (Question, error) { return Question{Prompt: "how?", Offered: offers}, nil }
}

// A model that fails rests, longer each time, and is asked again then.
func TestReaderRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := readerAt("http://127.0.0.1:9")
		dead := errors.New("connection refused")
		for _, want := range []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute} {
			r.record(dead, time.Now())
			r.Ask("s1", asking(), time.Now().Add(want-time.Second))
			if len(r.waiting) != 0 {
				t.Errorf("asked before %v", want)
			}
			r.Ask("s1", asking(), time.Now().Add(want))
			if len(r.waiting) != 1 {
				t.Errorf("not asked after %v", want)
			}
			<-r.waiting
		}
		for range 20 {
			r.record(dead, time.Now())
		}
		if r.rest != mostRest || r.Problem() == nil {
			t.Errorf("rests %v, %v", r.rest, r.Problem())
		}
		if r.record(nil, time.Now()); r.rest != 0 || r.Problem() != nil {
			t.Errorf("rests %v after an answer, %v", r.rest, r.Problem())
		}
	})
}

// A session has one question; more sessions than the queue holds wait for nothing.
func TestReaderIsBounded(t *testing.T) {
	r := readerAt("http://127.0.0.1:9")
	for i := range 3 * maxWaiting {
		r.Ask(fmt.Sprint("s", i), asking(), time.Now())
	}
	if n := r.bySession.Len(); n != maxWaiting || len(r.waiting) != maxWaiting {
		t.Errorf("%d sessions, %d wait, want %d", n, len(r.waiting), maxWaiting)
	}
	first := <-r.waiting
	r.Ask("s0", asking(), time.Now())
	select {
	case <-first.ended:
	default:
		t.Error("the question before goes on")
	}
	if got := r.End("s0"); got != nil || r.HasChosen("s0") {
		t.Errorf("End() = %v", got)
	}
}

// What was chosen is taken once; an answer that comes after the next prompt is nobody's.
func TestReaderAnswers(t *testing.T) {
	var asked atomic.Int64
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		if asked.Add(1) > 1 {
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}
		fmt.Fprint(w, `{"message": {"role": "assistant", "content": "{\"yes\": [2]}"}, "done": true}`)
	}))
	defer server.Close()
	defer close(release)
	r := readerAt(server.URL)
	two := asking(recall.Offer{ID: "dec-1", Entry: "[decision] one"}, recall.Offer{ID: "dec-2", Entry: "[decision] two"})
	r.Ask("s1", two, time.Now())
	r.answer(t.Context(), <-r.waiting)
	if !r.HasChosen("s1") || r.HasChosen("s2") {
		t.Fatal("nothing was chosen")
	}
	if got := r.TakeChosen("s1"); len(got) != 1 || got[0].ID != "dec-2" {
		t.Errorf("TakeChosen() = %+v", got)
	}
	if r.HasChosen("s1") || r.TakeChosen("s1") != nil {
		t.Error("it can be taken again")
	}
	r.Ask("s1", two, time.Now())
	var working sync.WaitGroup
	q := <-r.waiting
	working.Go(func() { r.answer(t.Context(), q) })
	r.Ask("s1", asking(), time.Now())
	working.Wait() // the next prompt ended it
	if r.HasChosen("s1") || r.Problem() != nil {
		t.Errorf("chosen %t, %v", r.HasChosen("s1"), r.Problem())
	}
	r.Ask("s3", two, time.Now())
	if r.Forget(); r.bySession.Len() != 0 {
		t.Error("forgetting leaves questions")
	}
}

// A panic on the way is an error.
func TestReaderPanics(t *testing.T) {
	r := readerAt("http://127.0.0.1:9")
	r.Ask("s1", func(context.Context) (Question, error) { panic("boom") }, time.Now())
	r.answer(t.Context(), <-r.waiting)
	if r.Problem() == nil || r.HasChosen("s1") {
		t.Errorf("Problem() = %v", r.Problem())
	}
}
