package extract

import (
	"encoding/json"
	"slices"
	"strings"

	"recollect/internal/agents/claudecode"
	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
)

// The confidence in each kind of decision.
const (
	confidenceApproved = 0.95 // the user agreed to a plan or answered a question
	confidenceSaid     = 0.85 // the user said so
	confidenceSettled  = 0.8  // the user answered, accepted or corrected it
	confidenceRecap    = 0.8  // Claude summed it up
	confidenceCommit   = 0.8
	confidenceStated   = 0.5 // Claude said so and no user confirmed it
)

const (
	maxPlan   = 700 // bytes of a plan's or commit's text
	maxReason = 300 // bytes of a rationale or of alternatives
)

// journal makes memories of what was decided in a turn: plans that the user
// approved, questions that they answered, commits that give a reason, decisions
// in words, and recaps of them.
func journal(s *Turn) []memory.Draft {
	return slices.Concat(plans(s), answers(s), commits(s), decisions(s), recaps(s))
}

// approvals are how the result of ExitPlanMode begins when the user agreed.
var approvals = [...]string{"User has approved your plan", "User has approved exiting plan mode", "The user has approved"}

// plans returns the approved plans. Of one that was approved twice in a turn
// the last form counts.
func plans(s *Turn) []memory.Draft {
	var out []memory.Draft
	if m, ok := s.plan(clean.Text(s.Plan), planApproved); ok {
		out = append(out, m)
	}
	for _, a := range s.Actions {
		isDone := !a.Failed && !a.Refused
		if a.Tool != "ExitPlanMode" || !isDone || !prose.BeginsWith(a.Output, approvals[:]) {
			continue
		}
		if m, ok := s.plan(clean.Text(planOf(a)), clean.Text(a.Output)); ok {
			out = replaceSame(out, m)
		}
	}
	return out
}

// planApproved is the evidence of a plan that the user has had carried out in a new session.
const planApproved = "The user approved the plan and had it carried out with a cleared context."

// plan makes the memory of a plan that the user approved. It is false if the plan says nothing.
func (s *Turn) plan(plan, approval string) (memory.Draft, bool) {
	title, text := readPlan(plan)
	if title == "" || s.Sidechain {
		return memory.Draft{}, false
	}
	m := s.Draft(memory.Journal, memory.OriginAssistant)
	m.Title, m.Text, m.Tags = "Plan: "+title, text, []string{memory.TagPlan}
	m.Confidence, m.Importance = confidenceApproved, memory.High
	m.Keywords, m.Evidence = prose.Keywords(title, text), prose.OneLine(approval)
	m.Subject = []string{memory.TagPlan, s.ID, title}
	return m, true
}

// planOf returns the plan as it was approved: the user may have edited it.
func planOf(a claudecode.Action) string {
	if _, plan, ok := strings.Cut(a.Output, "## Approved Plan"); ok {
		if _, plan, ok = strings.Cut(plan, "\n"); ok {
			return plan
		}
	}
	return toolcall.Member(a.Input, "plan")
}

// readPlan returns what a plan is about, its heading or first sentence, and
// what it says, without code.
func readPlan(plan string) (title, text string) {
	first := prose.OneLine(plan)
	if strings.HasPrefix(first, "#") {
		title = planName(prose.Unmark(first))
		_, plan, _ = strings.Cut(strings.TrimSpace(plan), "\n")
	}
	text = prose.WholeLines(prose.Highlights(prose.Squeeze(plan)), maxPlan)
	for line := range strings.Lines(text) {
		if title = planName(title); title != "" {
			break
		}
		title = prose.FirstSentence(prose.OneLine(line))
	}
	return prose.Clip(title, memory.MaxTitle-len("Plan: ")), text
}

// planName drops the words from a heading that say that it is a plan, "" if
// it says no more than that.
func planName(heading string) string {
	for _, word := range []string{"implementation plan", "plan", "overview", "summary", "goal", "context", "objective", "background", "problem"} {
		if len(heading) >= len(word) && strings.EqualFold(heading[:len(word)], word) {
			rest := heading[len(word):]
			if rest == "" || strings.ContainsAny(rest[:1], ":-–— ") {
				heading = strings.TrimLeft(rest, ":-–— ")
			}
		}
	}
	return heading
}

// replaceSame appends m, in place of the memory of the same subject if there
// is one.
func replaceSame(list []memory.Draft, m memory.Draft) []memory.Draft {
	i := slices.IndexFunc(list, func(old memory.Draft) bool { return old.SameSubject(&m) })
	if i < 0 {
		return append(list, m)
	}
	list[i] = m
	return list
}

// A question is one of those that AskUserQuestion puts.
type question struct {
	Question string `json:"question"`
	Header   string `json:"header"`
	Options  []struct {
		Label       string `json:"label"`
		Description string `json:"description"`
	} `json:"options"`
}

// questionsOf reads the questions from the input of a call.
func questionsOf(input string) []question {
	var in struct {
		Questions []question `json:"questions"`
	}
	if json.Unmarshal([]byte(input), &in) != nil {
		return nil
	}
	return in.Questions
}

// answers returns the questions that the user answered, with what they did not
// choose.
func answers(s *Turn) []memory.Draft {
	var out []memory.Draft
	for _, a := range s.Actions {
		if a.Tool != "AskUserQuestion" || a.Failed || a.Refused {
			continue
		}
		for _, q := range questionsOf(a.Input) {
			if m, ok := q.answerDraft(s, a.Output); ok {
				out = replaceSame(out, m)
			}
		}
	}
	return out
}

func (q question) answerDraft(s *Turn, output string) (memory.Draft, bool) {
	answer, notes, ok := answerTo(q.Question, output)
	asked := prose.OneLine(clean.Text(q.Question))
	answer, notes = prose.OneLine(clean.Text(answer)), prose.OneLine(clean.Text(notes))
	if !ok || isProcedural(asked, answer) {
		return memory.Draft{}, false
	}
	m := s.Draft(memory.Journal, memory.OriginUser)
	m.Title, m.Text = strings.TrimSuffix(answer, " (Recommended)")+memory.TitleAsked+asked+")", q.description(answer)
	if len([]rune(m.Title)) > memory.MaxTitle {
		m.Text = strings.TrimSpace(m.Title + "\n" + m.Text)
		m.Title = prose.Clip(m.Title, memory.MaxTitle)
	}
	if notes != "" {
		m.Text = strings.TrimSpace(m.Text + "\nThe user added: " + prose.Clip(notes, maxReason))
	}
	if others := q.otherOptions(answer); others != "" {
		m.Fields = map[string]string{"alternatives": others}
	}
	m.Tags, m.Confidence, m.Importance = []string{memory.TagAnswer}, confidenceApproved, memory.High
	m.Keywords, m.Evidence = prose.Keywords(asked, answer), memory.Clip(`"`+asked+`"="`+answer+`"`, memory.MaxEvidence)
	m.Subject = []string{memory.TagAnswer, asked, answer}
	return m, true
}

// answerTo finds the answer to a question, and what the user noted with it, in
// text of the form `"question"="answer" user notes: …, "question"="answer".`
func answerTo(question, output string) (answer, notes string, ok bool) {
	_, rest, ok := strings.Cut(output, `"`+question+`"="`)
	if !ok || question == "" {
		return "", "", false
	}
	rest = textBefore(rest, `. You can now continue`)
	rest = textBefore(rest, `, "`)
	answer = textBefore(rest, `" selected preview:`)
	if head, tail, found := strings.Cut(rest, `" user notes: `); found || len(answer) < len(rest) {
		_, notes, _ = strings.Cut(rest, "user notes: ")
		answer = textBefore(head, `" selected preview:`)
		if !found && tail != "" {
			notes = tail
		}
	}
	answer = strings.TrimSuffix(strings.TrimSuffix(answer, "."), `"`)
	return answer, notes, strings.TrimSpace(answer) != ""
}

// textBefore returns what stands before mark, all if it is not there.
func textBefore(s, mark string) string {
	s, _, _ = strings.Cut(s, mark)
	return s
}

func (q question) description(answer string) string {
	for _, o := range q.Options {
		if o.Label == answer {
			return prose.Clip(prose.OneLine(clean.Text(o.Description)), maxReason)
		}
	}
	return ""
}

// otherOptions lists the options that were not chosen. An answer to a question of
// several choices names them one after the other.
func (q question) otherOptions(answer string) string {
	var out []string
	for _, o := range q.Options {
		if label := prose.OneLine(clean.Text(o.Label)); !strings.Contains(answer, label) {
			out = append(out, label)
		}
	}
	return prose.Clip(strings.Join(out, "; "), maxReason)
}

// steering are words of questions about what to do now, not about how things
// shall be.
var steering = [...]string{
	"what would you like", "would you like me to", "do you want me to", "shall i", "should i", "how would you like to proceed", "how should i proceed", "how do you want to proceed",
	"what should i", "what next", "do next", "ready to", "proceed", "look right", "look good", "looks good", "sound good", "sounds good", "start with", "continue",
	"which task", "work on first", "before i ",
}

// undecided are answers that leave the question open.
var undecided = [...]string{
	"not sure", "i don't know", "you decide", "you choose", "whatever", "no preference", "doesn't matter", "skip", "none", "other", "chat about this", "explain", "tell me more", "it depends", "n/a", "idk", "unsure",
}

// isProcedural reports whether a question and its answer only steer the
// conversation, or leave everything open.
func isProcedural(question, answer string) bool {
	q, a := strings.ToLower(question), strings.ToLower(answer)
	return strings.HasSuffix(a, "?") || prose.ContainsAny(q, steering[:]) || prose.BeginsWith(a, undecided[:])
}

// FirstQuestion returns the first question that a call of AskUserQuestion puts,
// given its input, and "" if there is none.
func FirstQuestion(input string) string {
	for _, q := range questionsOf(input) {
		return q.Question
	}
	return ""
}
