package extract

import (
	"strings"

	"recollect/internal/memory"
	"recollect/internal/prose"
	"recollect/internal/rule"
)

const (
	maxWishes   = 4   // of one turn
	shortPrompt = 600 // bytes; a longer prompt describes a task, and what it asks for is for that task
)

// What a preference applies to.
const (
	everywhere  = "global"
	thisProject = "project:"
)

// preferences makes memories of the standing wishes and corrections in what
// the user typed. What Claude asks of a sub-agent, or a tool says, is none.
func preferences(s *Scene) []memory.Memory {
	var out []memory.Memory
	short := len(s.Asked) <= shortPrompt
	for i := 0; i < len(s.remarks) && len(out) < maxWishes; i++ {
		say := s.remarks[i]
		w, ok := wishIn(say, short)
		if i+1 < len(s.remarks) {
			if both, form, joined := pairOf(say, s.remarks[i+1], short); joined {
				say, w, ok = both, form, true
				i++
			}
		}
		if ok {
			out = replaceSame(out, w.memory(s, say))
		}
	}
	return out
}

// The forms of two sentences that belong together: what to use, and what not.
var (
	insteadForm  = rule.Lazy(`^(?:instead,? )?(?:use|take|prefer|go with|stick to|write|nimm|verwende|benutze|nutze|utilise|prends|usa|utiliza) .{3,90}$`)
	unwantedForm = rule.Lazy(`^(?:don't|do not|dont|never|avoid|stop|no more|no|keine?n?|nie|niemals|nicht|ne|n')[ \p{L}].{4,90}$`)
)

// pairOf joins two sentences that make one wish: what not to use, and what
// to use instead.
func pairOf(first, second prose.Remark, short bool) (prose.Remark, wishForm, bool) {
	a, b := first, second
	if insteadForm.MatchString(first.Bare) {
		a, b = b, a
	}
	if !strings.HasSuffix(first.Next, second.Text) || !unwantedForm.MatchString(a.Bare) || !insteadForm.MatchString(b.Bare) {
		return prose.Remark{}, wishForm{}, false
	}
	w, ok := wishIn(a, short)
	first.Text, first.Bare, first.Next = first.Text+" "+second.Text, first.Bare+" "+second.Bare, second.Next
	return first, w, ok && w.frame == memory.TitleWants && !passing.MatchString(b.Bare) && !pointing.MatchString(b.Bare)
}

func (w wishForm) memory(s *Scene, say prose.Remark) memory.Memory {
	m := s.Memory(memory.Preferences, memory.OriginUser)
	statement := strings.TrimRight(toldAgain.ReplaceAllString(say.Text, ""), " .!?")
	m.Title = w.frame + statement
	if len([]rune(m.Title)) > memory.MaxTitle {
		m.Title, m.Text = prose.Clip(m.Title, memory.MaxTitle), m.Title
	}
	m.Confidence, m.Importance = w.sure, memory.High
	m.Keywords, m.Evidence = prose.Keywords(statement), say.Text
	SetScope(&m, say.Bare)
	m.SetSubject(m.AppliesTo, strings.Join(prose.PlainWords(toldAgain.ReplaceAllString(say.Bare, "")), " "))
	return m
}

// toldAgain begins a sentence that says what was said before, or asks for it.
var toldAgain = rule.Lazy(`^(?i)(?:remember(?: that| to|,|:)|(?:keep|bear) in mind that|(?:as )?i(?:'ve| have)?(?: already| just)? (?:told you|said|asked you)(?: before| already)?(?: that| to)?[,:]?|(?:can|could|would|will) you(?: please)?|` +
	`merke? dir,?(?: dass)?|denke? daran,?(?: dass)?|recuerda que|souviens-toi que|rappelle-toi que|ya te dije que|te dije que|je t'ai (?:déjà )?dit (?:que|de)) `)

// toAll says that a wish is for every project.
var toAll = rule.Lazy(`\b(everywhere|globally|in (?:all|every|any) (?:of )?(?:my |our )?(?:projects?|repos?|repositor(?:y|ies))|across (?:all )?(?:my |our )?projects|überall\b|in allen (?:meinen )?projekten|partout|en todos (?:mis|los) proyectos)\b`)

// toTalk says that a wish is about how to talk with the user.
var toTalk = rule.Lazy(`\b(answer|reply|respond|speak|talk)\b.{0,20}\b` + prose.LanguagePattern + `\b|\bemojis?\b|apologi[sz]|\byour (?:answers|replies|responses|tone)\b|\bcall me\b|\bcompliment|\bpraising\b|\bthank(?:ing)? me\b|\b(?:be|keep it) (?:more |very )?(?:brief|concise|short|terse)\b|` +
	`\b(?:answers|replies|responses) (?:short|brief|concise)\b|absolutely right|\b(?:antworte|sprich)\b|\bréponds\b|\b(?:responde|contesta)\b|\b(answer|reply|respond|talk) (?:to )?me\b|\bexplain .{0,20}to me\b`)

// toProject says that a wish is for what lies in a project.
var toProject = rule.Lazy(`\b(` + prose.HerePattern + `|commits?|commit messages?|readme|docs|documentation|comments?|changelog|ui|templates?|tests?|code|endpoint|api|handler|server|client|users?|in diesem (?:projekt|repo)|bei uns)\b`)

// global reports whether a wish is for all projects: it says so, or it is
// about how to talk.
func global(bare string) bool {
	return toAll.MatchString(bare) || toTalk.MatchString(bare) && !toProject.MatchString(bare)
}

// SetScope says whether a preference is for all projects, as the words in which
// it was said tell, or for the one in which it was said. Those words are in
// lower case.
func SetScope(m *memory.Memory, bare string) {
	m.AppliesTo = thisProject
	if global(bare) {
		m.AppliesTo = everywhere
		m.SetHome(memory.Project{})
	}
}
