package handoff

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"recollect/internal/capture/extract"
	"recollect/internal/memory"
	"recollect/internal/text/prose"
	"recollect/internal/text/sentence"
)

// Bounds of a topic, in bytes.
const (
	maxTitle   = 110 // of what a prompt asks for
	maxMention = 50  // of what its author looked at before they asked
	maxReply   = 25  // words of a prompt that only answers
)

// A matter is what a prompt raised, and how much was changed because of it
// and of those after it that only answer or say to go on.
type matter struct {
	title   string
	changes int
}

// A prompt is what the user typed in a turn, as far as it is read.
type prompt struct {
	*sentence.Text
	own   string // without what was wrapped into it, unless that is all of it
	low   string // the same in lower case
	title func() string
}

func promptOf(s *extract.Turn) prompt {
	p := prompt{Text: s.Read()}
	if len(s.Asked) > maxRead {
		p.Text = sentence.Read(prose.WholeLines(s.Asked, maxRead))
	}
	p.own = cmp.Or(prose.Squeeze(p.Own()), p.Said())
	p.low = strings.ToLower(p.own)
	p.title = sync.OnceValue(func() string { return titleOf(p) })
	return p
}

// raiseTopic begins a new matter, unless a prompt goes on with the one before.
func (w *Session) raiseTopic(p prompt) {
	if w.now.title != "" && w.continuesTopic(p) {
		return
	}
	if title := p.title(); title != "" {
		w.now = matter{title: title}
		if !reportsProblem(p) {
			w.next = nil // the user wanted something else
		}
	}
}

// continuesTopic reports whether a prompt only answers the last reply, or says to go
// on with what it is about.
func (w *Session) continuesTopic(p prompt) bool {
	words := keyWords(p.own)
	switch {
	case len(words) < 3, prose.Trivial(p.own), rules().Onward.MatchString(p.low):
		return true
	case rules().Request.MatchString(p.low), strings.Contains(p.own, "?"):
		return false
	case w.question != "":
		return len(words) <= 6 || len(strings.Fields(p.own)) <= maxReply || w.repeatsTopic(words)
	}
	return w.repeatsTopic(words)
}

// repeatsTopic reports whether one of the words is in the last reply too.
func (w *Session) repeatsTopic(words []string) bool {
	return slices.ContainsFunc(keyWords(w.reply), func(key string) bool { return hasWord(words, key) })
}

// titleOf returns what a prompt is about: the title of the issue in a
// template, else its first sentences that say something.
func titleOf(p prompt) string {
	if m := rules().Issue.FindStringSubmatch(p.Said()); m != nil {
		title := strings.Trim(m[1], " ,")
		if unquoted := strings.Trim(title, `"`); len(title)-len(unquoted) == 2 && !strings.Contains(unquoted, `"`) {
			title = unquoted
		}
		if title = cutText(title[len(rules().Greeting.FindString(title)):], maxTitle); !isWeak(title) {
			return title
		}
	}
	var said []string
	for _, s := range p.Statements() {
		said = append(said, s.Text)
	}
	if title := topicOf(said); !isWeak(title) && !strings.HasSuffix(title, "!") {
		return title
	}
	return cmp.Or(topicOf(p.Sentences()), topicOf(prose.Sentences(p.own)), cutText(prose.Fold(prose.ItemWords(prose.Title(p.own))), maxTitle))
}

// topicOf returns the first sentences that say something, as many as there is
// room for. Where the first only mentions what its author looked at, their
// question about it follows.
func topicOf(sentences []string) string {
	title, mentions := "", false
	for i := 0; i < len(sentences); i++ {
		s := strings.TrimRight(prose.ItemWords(prose.Fold(sentences[i])), " .:")
		s = s[len(rules().Greeting.FindString(s)):]
		mention := rules().Mention.FindString(s)
		low, isFirst := strings.ToLower(s), title == ""
		switch {
		case rules().Template.MatchString(low), rules().Aside.MatchString(low), s == "":
		case isFirst && i < len(sentences)-1 && mayBePassedOver(s):
		case isFirst && mention != "":
			title, mentions = cutText(s[len(mention):], maxMention), true
			sentences = append(sentences[:i+1:i+1], questionFirst(sentences[i+1:])...)
		case isFirst:
			title = cutText(s, maxTitle)
		case mentions:
			return title + ": " + cutText(s, maxTitle-len(title))
		case len(title)+len(s)+2 <= maxTitle:
			title = endSentence(title) + " " + s
		default:
			return title
		}
	}
	return title
}

// questionFirst puts the first question that says something before the other
// sentences.
func questionFirst(sentences []string) []string {
	for i, s := range sentences {
		if strings.HasSuffix(s, "?") && !isWeak(s) {
			return slices.Insert(slices.Delete(slices.Clone(sentences), i, i+1), 0, s)
		}
	}
	return sentences
}

// isWeak reports whether a title hardly says anything.
func isWeak(title string) bool { return len(keyWords(title)) < 2 }

// cutText shortens a sentence to n bytes, at the end of a clause if there is one.
func cutText(s string, n int) string {
	if s = prose.Fold(s); len(s) <= n {
		return s
	}
	clauses := strings.Split(rules().Clause.ReplaceAllString(memory.Clip(s, n), "\n$0"), "\n")
	if whole := strings.Join(clauses[:len(clauses)-1], ""); len(whole)*3 >= n && !rules().Subordinate.MatchString(s) {
		return whole
	}
	head := memory.Clip(s, n-len("…"))
	return strings.TrimRight(head[:max(n/2, strings.LastIndexByte(head, ' '))], " ,.") + "…"
}

// titleText returns the topic of the session, as well as it is known.
func (w *Session) titleText() string {
	commit, file := "", ""
	if n := len(w.work.commits); n > 0 {
		commit = w.work.commits[n-1]
	}
	if len(w.work.edited) > 0 {
		file = "Edited " + nameFiles(w.work.edited)
	}
	all := []string{w.about.title, commit, w.first, file}
	for _, isEnough := range []func(string) bool{prose.Tells, func(title string) bool { return !isWeak(title) }} {
		if i := slices.IndexFunc(all, isEnough); i >= 0 {
			return all[i]
		}
	}
	return cmp.Or(all...)
}

// mayBePassedOver reports whether a sentence says too little for a title, or only exclaims.
func mayBePassedOver(s string) bool { return isWeak(s) || strings.HasSuffix(s, "!") }
