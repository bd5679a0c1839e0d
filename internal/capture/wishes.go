package capture

import (
	"regexp"
	"strings"
)

// A wishForm is a way to say that something shall be so from now on. Its pattern
// is matched against a sentence in lower case that begins with it.
type wishForm struct {
	pattern *regexp.Regexp
	sure    float64
	frame   string // what the title says before the sentence
	short   bool   // in a longer prompt it is about the task at hand
	asks    bool   // may be put as a question
}

// How the title of a preference begins.
const (
	wants = "The user wants: "
	says  = "The user said: "
)

// verbs are what one asks Claude to do, always or never. A verb that only
// tells what something does ("always fails") is none of them.
const verbs = `(?:use|write|put|add|keep|run|commit|push|test|name|call|ask|answer|reply|respond|speak|talk|explain|make|do|create|include|prefer|check|format|import|mock|follow|start|end|give|show|tell|say|` +
	`remember|update|document|squash|rebase|merge|deploy|install|read|wrap|return|log|validate|verify|build|lint|sort|avoid|leave|stick|treat|set|define|declare|type|annotate|place|store|prefix|quote|assume|guess|trust|skip|touch|` +
	`edit|change|modify|delete|remove|rewrite|refactor|force|force-push|hard-?code|introduce|generate|regenerate|rerun|rebuild|suggest|propose|apologi[sz]e|summari[sz]e|mention|print|open|close|fetch|pull|stage|amend|bump|upgrade|pin|work|plan|confirm|review|` +
	`handle|raise|publish|release|reformat|disable|enable|ignore|sign|cite|link|translate|address|be|execute|restart|expose|cache|provide|present|send|switch|break|extract|escape|encode|support|rely|bundle|compile|indent|thank|compliment)`

// tongues are languages that people ask to be answered in.
const tongues = `(?:german|english|french|spanish|italian|portuguese|dutch|polish|russian|chinese|japanese|korean|turkish|swedish)`

const hereIs = `(?:here|in (?:this|our|my) (?:repo|repository|project|codebase|code base|team|company|code)|at our company)`

func wishFor(sure float64, frame, pattern string) wishForm {
	return wishForm{pattern: regexp.MustCompile(`^(?:` + pattern + `)`), sure: sure, frame: frame}
}

func (w wishForm) onlyShort() wishForm { w.short = true; return w }

func (w wishForm) orAsked() wishForm { w.asks = true; return w }

// wishes are all we know, the clearest first.
var wishes = []wishForm{
	// always and never
	wishFor(0.85, wants, `(?:you (?:should |must |need to |have to )|to |i said )?(?:always|never|never ever|don't ever|do not ever|dont ever) `+verbs+`\b`),
	wishFor(0.85, wants, `(?:make sure|be sure|ensure|i want|i'd like|i would like)(?: to| you| that you| you to)? (?:always|never) `+verbs+`\b`),
	wishFor(0.85, says, `(?:i|we) (?:always|never|only ever) (?:want|like|use|prefer|work|write|put|commit|push|run|name|add|keep|mock|import|test|deploy|squash|rebase|merge|call|wrap|log|document|pin|format|target|support)\b`),
	wishFor(0.8, wants, `(?:whenever|every time|each time|when|before|after|if)(?: you| i| we)? [^,]{3,80}, (?:please )?(?:always|never) `+verbs+`\b`),
	wishFor(0.8, wants, `(?:whenever|every time|each time) you [^,]{3,80}, (?:please )?(?:also |first )?`+verbs+`\b`),
	wishFor(0.8, wants, verbs+` .{2,120} (?:always|every time|each time|at all times)[.!]*$`),
	wishFor(0.8, says, `(?:all |every |any )?[a-z][a-z -]{2,40} (?:should|must|have to|has to|shall) (?:always|never) [a-z]+`),

	// from now on
	wishFor(0.85, wants, `(?:from now on|from here on|from here on out|going forward|from this point on|as a (?:general |standing )?rule)\b[,:]? (?:please |pls |i'd like |i want )?(?:`+verbs+`|always|never|don't|dont|do not|only|no|you|we|i|all|every|any|each|if|when|whenever|to|for|in|before|after|stop|let's) .{2,}`),
	wishFor(0.85, wants, `(?:in (?:the )?future|in general|generally|by default|in all (?:of )?(?:my|our) (?:projects|repos))[,:]? (?:please )?(?:always|never|only|don't|do not|you should|`+verbs+`)\b`),
	wishFor(0.85, wants, `(?:`+verbs+`|don't|do not|no more|you should|i want|we) .{2,140} (?:from now on|going forward|in (?:the )?future|from here on)[.!]*$`),

	// what the user likes
	wishFor(0.85, says, `(?:i|we)(?:'d| would)?(?: really| strongly| generally| usually| always| much)? (?:prefer|rather) .{3,}`),
	wishFor(0.8, says, `(?:i|we)(?: really)? (?:hate|can't stand|cannot stand|dislike|don't like|do not like)(?: it)? (?:when|seeing|having|reading) .{4,}`),
	wishFor(0.8, says, `(?:i|we) (?:explicitly|definitely|really|absolutely|deliberately) (?:don't|do not) want .{6,}`).onlyShort(),
	wishFor(0.8, wants, `(?:i )?(?:don't|do not|never) want you to `+verbs+`\b.*`).onlyShort(),

	// what shall stop
	wishFor(0.85, wants, `(?:(?:can|could|would|will) you (?:please )?)?stop (?:adding|using|writing|creating|committing|pushing|asking|apologi[sz]ing|saying|telling|putting|making|changing|guessing|explaining|generating|touching|editing|deleting|reformatting|mocking|summari[sz]ing|repeating|inventing|skipping|including|assuming|hardcoding|calling|starting|thanking|praising)\b .{3,}`).orAsked(),
	wishFor(0.85, wants, `(?:can|could|would|will) you (?:please )?(?:always|never) `+verbs+`\b`).orAsked(),
	wishFor(0.6, wants, `(?:don't|do not|dont|never) (?:use|add|write|create|commit|push|mock|guess|assume|apologi[sz]e|include|generate|wrap|reformat|hard-?code|install|force-?push) .{3,}`).onlyShort(),
	wishFor(0.7, wants, `no (?:more )?(?:[a-z]+ )?(?:emojis?|comments|docstrings|summaries|apologies|bullet points|mocks|abbreviations|markdown files|trailing whitespace|semicolons)\b`).onlyShort(),

	// corrections
	wishFor(0.7, wants, `(?:use [^,.]{2,40} (?:instead(?: of [^,.]{2,40})?|rather than [^,.]{2,40})|prefer [^,.]{2,40} (?:over|to|instead of|rather than) [^,.]{2,40})(?: here| in this (?:repo|project|codebase)| please)?[.!]*$`).onlyShort(),
	wishFor(0.7, wants, `use [^,.]{2,40}, not [^,.]{2,40}[.!]*$`).onlyShort(),
	wishFor(0.7, says, `(?:i|we) use [^,.]{2,40}(?:, not | instead of | rather than )[^,.]{2,40}[.!]*$`).onlyShort(),
	wishFor(0.85, wants, `(?:as )?i(?:'ve| have)?(?: already| just)? (?:told you|said|asked you)(?: before| already| (?:many|several|three|two) times)?[,:]? (?:to (?:use|always|never|write|keep|prefer|answer|only)|not to `+verbs+`|always|never|no |don't `+verbs+`|we (?:use|don't|never|always)|use )\b.{3,}`),
	wishFor(0.85, says, `remember (?:that|to|we|i|you|never|always)\b.{6,}`),
	wishFor(0.8, says, `(?:keep|bear) in mind that (?:we|i|you|this (?:repo|project))\b.{6,}`),

	// conventions
	wishFor(0.85, says, `(?:we|i) (?:don't|do not|never|always|only) `+verbs+`\b.* `+hereIs+`\b`),
	wishFor(0.8, says, `we (?:use|write|put|name|keep|run|commit|deploy|format|test) .{2,80} `+hereIs+`[.!]*$`),
	wishFor(0.85, wants, hereIs+`,? (?:please |we |you )?(?:always|never|don't|do not|only|use|prefer|must|should) .{3,}`),
	wishFor(0.8, says, `(?:our|the|my) (?:convention|rule|policy|code style|naming convention)(?: `+hereIs+`)? is .{6,}`),

	// how to talk
	wishFor(0.7, wants, `(?:answer|reply|respond|speak|talk)(?: to me| back| only)*(?: in)? `+tongues+`\b`).onlyShort(),
	wishFor(0.7, wants, `(?:be|keep (?:your (?:answers|replies|responses)|answers|replies|responses)) (?:more |very )?(?:brief|concise|short|terse)\b`).onlyShort(),
	wishFor(0.8, wants, `call me [a-z]+`).onlyShort(),

	// German
	wishFor(0.85, wants, `(?:ab jetzt|ab sofort|von nun an|in zukunft|künftig|zukünftig|grundsätzlich)[,:]? (?:bitte )?.{6,}`),
	wishFor(0.85, wants, `(?:du (?:sollst|musst|solltest) )?(?:bitte )?(?:immer|nie|niemals) .{3,}[a-zäöüß]+en[.!]*$`),
	wishFor(0.85, wants, germanVerbs+` .*\b(?:immer|nie|niemals|nie wieder)\b.*`),
	wishFor(0.85, says, `ich (?:bevorzuge|mag lieber|möchte lieber|hätte lieber|will immer|will nie) .{4,}`),
	wishFor(0.85, wants, `hör(?:e)? (?:bitte )?(?:auf|damit auf),? .{4,}`),
	wishFor(0.7, wants, germanVerbs+` .{2,40} (?:statt|anstatt|anstelle von) .{2,40}[.!]*$`).onlyShort(),
	wishFor(0.85, says, `(?:merk(?:e)? dir|denk daran|denke daran|vergiss nicht|beachte|ich habe? dir (?:doch |schon |bereits )*gesagt)[,:]? .{6,}`),
	wishFor(0.85, says, `(?:bei uns|in diesem (?:projekt|repo)|hier) (?:verwenden|benutzen|nutzen|nehmen|schreiben|machen|committen) wir .{3,}`),

	// French
	wishFor(0.85, wants, `(?:désormais|dorénavant|à partir de maintenant|à l'avenir)[,:]? .{6,}`),
	wishFor(0.85, wants, frenchVerbs+` .*\b(?:toujours|jamais|plus jamais)\b.*`),
	wishFor(0.85, wants, `ne? ?'?(?:utilise|fais|mets|écris|ajoute|crée|réponds|modifie|commite)[sz]? jamais\b.*`),
	wishFor(0.85, says, `je préfère .{4,}`),
	wishFor(0.85, wants, `arr[êe]te d[e'] ?.{4,}`),
	wishFor(0.7, wants, `(?:utilise|préfère) .{2,40} (?:au lieu de|plutôt que|à la place de) .{2,40}[.!]*$`).onlyShort(),
	wishFor(0.85, says, `(?:souviens-toi|rappelle-toi|je t'ai (?:déjà )?dit) .{6,}`),

	// Spanish
	wishFor(0.85, wants, `(?:a partir de ahora|de ahora en adelante|en el futuro)[,:]? .{6,}`),
	wishFor(0.85, wants, `siempre (?:usa|utiliza|escribe|responde|contesta|haz|pon|añade|ejecuta|comenta|explica)\b.*`),
	wishFor(0.85, wants, `(?:usa|utiliza|escribe|responde|contesta|haz|pon|ejecuta) siempre\b.*`),
	wishFor(0.85, wants, `(?:nunca|jamás|no) (?:uses|utilices|escribas|respondas|hagas|pongas|añadas|ejecutes|crees|modifiques|borres) .*(?:nunca|jamás)?`),
	wishFor(0.85, says, `prefiero .{4,}`),
	wishFor(0.85, wants, `deja de [a-zñ]+[aei]r .{3,}`),
	wishFor(0.7, wants, `(?:usa|utiliza) .{2,40} (?:en lugar de|en vez de) .{2,40}[.!]*$`).onlyShort(),
	wishFor(0.85, says, `(?:recuerda que|te dije que|ya te dije que) .{6,}`),

	// Chinese
	wishFor(0.85, wants, `(?:请始终|请总是|请永远|以后请|从现在开始|从现在起|请不要再|不要再|别再).{3,}`),
}

const germanVerbs = `(?:verwende|benutze|benutz|nutze|nutz|nimm|schreib|schreibe|antworte|mach|mache|füge|committe|pushe|teste|erstelle|ändere|lösche|sprich|erkläre|halte|nenne|frag|frage|lass|führe|prüfe|gib)`

const frenchVerbs = `(?:utilise|écris|réponds|fais|mets|ajoute|lance|commente|explique|vérifie|demande|garde|nomme)`

// passing are words of an instruction that is about this moment or about one
// thing at hand.
var passing = regexp.MustCompile(`\b(yet|for now|right now|this time|this once|just once|today|tonight|for the moment|at the moment|until i|until we|in this case|this pr|this commit|this file|this function|this test|this one|this step|this task|this session|that file|that function|that one|` +
	`the above|above|below|the following|noch nicht|diesmal|gerade|vorerst|pour l'instant|cette fois|por ahora|esta vez)\b`)

// pointing are words that mean something that the sentence does not name.
var pointing = regexp.MustCompile(`\b(it|that|this|these|those|them|they|there|anything|something|so|such|the (?:first|second|third|last|other|same|former|latter|new|old)|option|the [a-z]+ (?:file|function|class|method|test|module|variable|field|branch|table|column|server|button|page))\b`)

// vague are wishes of which nobody knows later what they meant.
var vague = regexp.MustCompile(`^(?:i|we)(?:'d| would)?(?: really| strongly| generally| usually| always| much)? (?:prefer|rather) (?:it|that|this|these|those|the|your|option|number|you (?:fix|do|go|start|continue|look|make|change|try|finish)|not|to (?:see|wait|discuss|talk|know)|a|an|we|if|one|both)\b` +
	`|^(?:use|prefer) (?:an?|the|your|my|our|its|one|two)\b|^i (?:always|never) (?:want|like)(?:ed|d)\b|^(?:i|we) [a-z]+ (?:don't|do not) want (?:to|you to)\b|^remember (?:that|to) (?:time|when|we talked|we discussed|we said|you (?:said|did|told))|^from now on[,:]? (?:the|it|this|that|there) |^prefiero (?:que no|la|el|esa|ese|esto)\b|^je préfère (?:que|ça|cela|celui|celle|la|le)\b` +
	`|^ich (?:bevorzuge|möchte lieber|hätte lieber) (?:das|die|den|es|diese[rns]?)\b|^(?:it|this|that|the|there|he|she|they|these|those|you|which|what|if|when)\b.{0,40} (?:should|must|have to|has to|shall) (?:always|never)`)

// wishIn returns the wish that a sentence is, if it is one. short says that
// the whole prompt is.
func wishIn(bare string, short bool) (wishForm, bool) {
	asked := strings.HasSuffix(bare, "?")
	for _, w := range wishes {
		if w.short && !short || asked && !w.asks || !w.pattern.MatchString(bare) {
			continue
		}
		if hedged(bare) || vague.MatchString(bare) || passing.MatchString(bare) {
			return wishForm{}, false
		}
		if !w.short || !pointing.MatchString(bare) {
			return w, true
		}
	}
	return wishForm{}, false
}
