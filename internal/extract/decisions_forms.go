package extract

import "recollect/internal/rule"

// choosing are verbs of which the object is what was chosen.
const choosing = `(?:use|go with|go for|stick with|stick to|stay with|stay on|switch (?:over )?to|switch from|migrate to|move to|adopt|settle on|settle for|target|base (?:it|this) on|build (?:it|this) (?:on|with)|standardi[sz]e on|drop support for|drop|get rid of|support|store|write it in)`

// chosenByUser are ways to say what shall be done that are not about the
// next step only. The last group is what was chosen.
var chosenByUser = []*rule.Regexp{
	rule.Lazy(`^(?:i think |then )?(?:let's|lets|let us) (?:just |rather |instead )?((?:not )?` + choosing + ` .+)`),
	rule.Lazy(`^(?:we'll|we will|we are going to|we're going to|we are gonna|we're gonna|i'll|i will|i'm going to) (?:just |rather )?(` + choosing + ` .+)`),
	rule.Lazy(`^(?:we|i)(?:'ve| have)? (?:now |finally |already )?((?:decided|agreed|opted|chosen|chose|settled)(?: to| on| against| that| for| not to)? .+)`),
	rule.Lazy(`^(?:we're |we are |we |we'll )?((?:go|going) (?:with|for) .+|(?:stick|sticking|stay|staying) (?:with|on|to) .+)`),
	rule.Lazy(`^(?:we're|we are) ((?:moving to|moving off|switching to|switching from|migrating to|migrating from|dropping|standardi[sz]ing on|settling on|targeting|getting rid of) .+)`),
	rule.Lazy(`^(we(?: won't|'re not going to| are not going to| will not| no longer|'ll no longer) (?:support|use|ship|build|keep|adopt|migrate|store|maintain|offer|publish) .+)`),
	rule.Lazy(`^(we (?:do|are|go|stay) [\w]+[- ]first\b.*)`),
	rule.Lazy(`^(?:i think )?(we (?:want|need) .{8,}?,? so (?:that )?we .{8,})`),
	rule.Lazy(`^(we (?:want|keep|take|store|use|need|run|build|write|do|host|deploy) .{2,80}?(?:,? instead of |,? rather than |, not | over ).{2,})`),
	rule.Lazy(`^(?:my |our |the )?(?:final )?(?:decision|decided|verdict|conclusion|final answer)(?: is)?: (.+)`),
	rule.Lazy(`^(switch (?:over )?to .+ instead of .+)`),
	rule.Lazy(`^([\w.+#-]+(?: [\w.+#-]+){0,4} (?:is|are|would be|feels like) (?:total |complete )?overkill\b.*)`),
	// German, French, Spanish
	rule.Lazy(`^(?:lass|lasst) uns (.+ (?:nehmen|verwenden|benutzen|nutzen|einsetzen)\b.*)`),
	rule.Lazy(`^(wir (?:nehmen|verwenden|benutzen|nutzen|machen|speichern|behalten|bauen|schreiben|lassen) .+ (?:statt|anstatt|anstelle|weil|da|sonst|denn) .+)`),
	rule.Lazy(`^((?:wir|dann) (?:bleiben|wechseln)(?: wir)?(?: doch| lieber| einfach)? (?:bei|auf|zu) .+)`),
	rule.Lazy(`^((?:dann )?nehmen wir (?:doch |lieber |einfach |eben )?.+)`),
	rule.Lazy(`^((?:wir|ich) haben? (?:uns|mich) (?:für|gegen) .+ entschieden.*)`),
	rule.Lazy(`^(?:entscheidung|entschieden|beschlossen|décision|decisión): (.+)`),
	rule.Lazy(`^((?:on va utiliser|utilisons|nous avons décidé|on a décidé|on part sur|prenons|on reste sur|on garde|finalement on (?:prend|utilise|garde)) .+)`),
	rule.Lazy(`^(on (?:utilise|prend|passe à|stocke|écrit) .+ (?:plutôt que|au lieu de|parce que|car|sinon) .+)`),
	rule.Lazy(`^((?:usemos|vamos a usar|vamos con|hemos decidido|decidimos|nos quedamos con|optamos por|mejor usamos|al final usamos) .+)`),
	rule.Lazy(`^((?:usamos|ponemos|guardamos|cambiamos a|pasamos a) .+ (?:en lugar de|en vez de|porque|ya que|si no) .+)`),
}

// itIs settles a matter in a word. So does stays, where words before it agree:
// otherwise it tells how things are.
var (
	itIs  = rule.Lazy(`^((?:[\p{L}\d.+#/-]+ ){1,4})it is(?: then)?[.!]*(?:, .*)?$`)
	stays = rule.Lazy(`^([\p{L}\d.+#_-]+(?: [\p{L}\d.+#_-]+){0,3} (?:stays?|remains?|bleibt|bleiben|se queda|reste)\b.*)`)
)

// noThing are words that name nothing that could be chosen in a word.
var noThing = rule.Lazy(`^(?:it|this|that|these|those|he|she|they|there|everything|nothing|something|same|still|yes|no|is|what|how|where|why|who|the (?:error|bug|problem|issue|same|spinner|page|test|screen|build|output|result|value)|das|es|ça|todo)\b|\b(?:as|what|how|where|whatever|which|why|when|if|than|that|because|way|think|know|see|say|says|sure|like|so|until|whether|is|was)$`)

// agreement leads in to a decision: "ok", "agreed", "scratch that".
var agreement = rule.Lazy(`\b(?:ok|okay|agreed|deal|fine|yes|yeah|alright|right|sure|fair enough|makes sense|good (?:point|call|idea)|scratch that|forget that|on second thoughts?|in that case|einverstanden|abgemacht|gut|ja|d'accord|oui|de acuerdo|vale)\b`)

// agreedOn leads in to all that was agreed on.
var agreedOn = rule.Lazy(`\b(?:agreed|deal|abgemacht|einverstanden|d'accord|de acuerdo)\s*[:—–-]$`)

// chosenByClaude are ways in which Claude says what it chose. They need a
// reason or something rejected besides.
var chosenByClaude = []*rule.Regexp{
	rule.Lazy(`^(?:so |therefore,? |for this,? )?(?:i|we)(?:'ve| have)? (?:deliberately |intentionally |therefore )?((?:chose|picked|opted|decided|went with|settled on|selected|ruled out|rejected) .+)`),
	rule.Lazy(`^(?:i|we)(?:'ve| have)? (?:deliberately|intentionally|purposely) (.+)`),
	rule.Lazy(`^(?:i'll|i will|we'll|we will|let's) ((?:use|go with|stick with|keep|base|store) .+)`),
	rule.Lazy(`^we ((?:use|keep|store) .+)`),
}

// doneByClaude are ways to say what was done. They need a reason and something
// rejected: otherwise they only report.
var doneByClaude = rule.Lazy(`^(?:i|we)(?:'ve| have|'ll| will)? (?:now |also |\w+ly )?((?:take|took|keep|kept|leave|left|make|made|move|moved|put|read|derive|store|stored|use|used|return|pass|wrap|cache|cached|reuse|reused|set|skip|skipped|cap|capped|limit|limited|split|merge|merged|drop|dropped|avoid|avoided|add|added|prefer|preferred|key|keyed|send|sent|build|built|pin|pinned|treat|treated|compute|clear|cleared|switch|switched|replace|replaced|extract|extracted|introduce|introduced|number|numbered|answer|back off|wait) .+)`)

// becauseFirst is a decision with its reason before it.
var becauseFirst = rule.Lazy(`^(?:since|because|as|given that) (.{15,160}), (?:i'll|i will|we'll|we will|i|we)(?:'ve| have)? ((?:use|go with|stick with|keep|chose|decided|opted|went with|used|store) .+)`)

// rejectedFirst is a decision that follows from what something else would do.
var rejectedFirst = rule.Lazy(`^(.{8,120} would .{8,120}?), so (?:i'll |i |we'll |we )?(.{12,})$`)

// labelled is a decision that is called one.
var labelled = rule.Lazy(`^(?:key |design |final |architectural |architecture |technical )?(?:decision(?: made)?|chosen approach|resolution): (.{12,})`)

// preferredTo is what is better than what, for a reason: "a counter rather
// than the clock, because …".
var preferredTo = rule.Lazy(`^(.{3,70}?),? (?:instead of|rather than|over) .{3,90}?(?:,? (?:because|since|so that|as) |[:;] ).{10,}`)

// finite are verbs that make a report of what reads like a choice: "it returns
// nil instead of an error because …".
var finite = rule.Lazy(`\b(?:is|are|was|were|be|been|has|have|had|does|do|did|will|would|can|could|may|might|must|should|gets?|got|returns?|returned|uses|used|calls|called|shows|fails|failed|throws|takes|gives|goes|went|comes|came|sees|reads|writes|sends|makes|tries|tried|expects|looks|looked|runs|ran|means|keeps|checks|prints|receives|produces|creates|raises|raised|compares|compared|started|starts|needs|wants|it|this|that|they|there|i|you|we|let|let's|try|check|look|see)\b`)

// alternatives begins the part of a decision that says what was rejected.
var alternatives = rule.Lazy(`,? (?:instead of|rather than|in favou?r of|as opposed to|over|and not|, not|not|but not|and do not|and don't|statt|anstatt|anstelle von|au lieu de|plutôt que|en lugar de|en vez de) `)

// consequence is a reason that says what the other way would do.
var consequence = rule.Lazy(`[:;] (?:[^:;]* (?:would|könnte|würde) .+)$`)

// unnamed are choices that a reader who was not there cannot understand.
var unnamed = rule.Lazy(`^(?:` + choosing + `|(?:go|going|stick|sticking|staying) (?:with|for|on)|we (?:won't|will not|no longer|want|keep|take|store|use|need|run|build|write|do) (?:support|use|ship|build|keep|adopt|store)?|(?:decided|agreed|opted|settled|chose|chosen)(?: to| on| against| that| for| not to)?) (?:` + choosing + ` )?(?:that|this|it|these|those|them|both|all|any|one (?:of|that|with|you)|something|anything|whatever|what|which|your|you|the (?:above|same|other|new|old|existing|current|first|second|third|last|latter|former|recommended|simplest|simple|default|next)|my|me|us|a (?:different|simpler|better|cleaner|similar|more)|an? (?:approach|way)|option|number|#\d+|\d|plan|next|step|phase|task|part|main|master|sleep|bed|ahead|back|now|there)\b|(?:go|going) (?:with|for) [a-e]$` +
	`|^(?:on garde|on reste sur|on part sur|prenons|vamos con|nos quedamos con|nehmen wir|dann nehmen wir) (?:ça|cela|comme ça|eso|esto|ese|el primero|la primera|das|die erste|es|den ersten)\b|^we (?:take|run|need) (?:too|out|into|long)\b|^(?:we )?(?:stay|stick)(?:ing)? on (?:track|topic|it|the|this|that)\b`)

// nextStep are choices of how to go about the work at hand.
var nextStep = rule.Lazy(`\b(grep|ripgrep|search|find|look|check|see|debug|inspect|investigate|verify|view|browse|explore|read tool|edit tool|write tool|bash tool|the tool|tool to|sed|awk|cat|curl|wget|todowrite|task tool|agent|agents|subagents?|a script|python script|the command|command|print statements?|next step|branch|worktree|let me|for now|commit|push|rebase|merge|stash)\b`)

// proposing are words of a reply that proposes and has decided nothing.
var proposing = [...]string{"i would ", "i'd ", "i recommend", "i suggest", "i propose", "my recommendation", "shall i", "should i", "do you want", "would you like", "which one", "let me know", "option 1", "option a", "**option"}

// proposed is what Claude would do. It is decided once the user agrees.
var proposed = rule.Lazy(`^(?:so |then |overall,? |my recommendation: |here,? )?i(?:'d| would) (?:therefore |rather |still |suggest |recommend |propose )?(?:to |that we |we |using )?((?:` + choosing + `|keep|put|add|make|take|pick|choose|split|move|leave|replace|write|run|build|model|cache|wrap|return|send|key|index|[a-z]+ing) .+)`)

// assents are prompts that agree to what was proposed, and say no more.
var assents = rule.Lazy(`^(?:(?:ok(?:ay)?|yes|yep|yeah|ya|yup|sure|agreed|great|good|perfect|fine|hm+|right|sounds good|sounds great|makes sense|lgtm|love it|go|do it|go ahead|go for it|let's do (?:it|that)|lets do (?:it|that)|make it so|please do|do that|do so|exactly|deal|that works|works for me|i agree|implement it|build it|please|then|ship it|ja|gut|passt|genau|mach das|mach das so|einverstanden|oui|d'accord|vas-y|parfait|sí|si|vale|dale|hazlo|de acuerdo|perfecto)[\s,.!:-]*)+$`)
