package extract

import (
	"strings"

	"recollect/internal/memory"
	"recollect/internal/prose"
	"recollect/internal/rule"
)

// A wishForm is a way to say that something shall be so from now on. Its pattern
// is matched against a sentence in lower case that begins with it.
type wishForm struct {
	pattern *rule.Regexp
	sure    float64
	frame   string // what the title says before the sentence
	short   bool   // in a longer prompt it is about the task at hand
	asks    bool   // may be put as a question
}

// verbs are what one asks Claude to do, always or never. A verb that only
// tells what something does ("always fails") is none of them.
const verbs = `(?:use|write|put|add|keep|run|commit|push|test|name|call|ask|answer|reply|respond|speak|talk|explain|make|do|create|include|prefer|check|format|import|mock|follow|start|end|give|show|tell|say|` +
	`remember|update|document|squash|rebase|merge|deploy|install|read|wrap|return|log|validate|verify|build|lint|sort|avoid|leave|stick|treat|set|define|declare|type|annotate|place|store|prefix|quote|assume|guess|trust|skip|touch|` +
	`edit|change|modify|delete|remove|rewrite|refactor|force|force-push|hard-?code|introduce|generate|regenerate|rerun|rebuild|suggest|propose|apologi[sz]e|summari[sz]e|mention|print|open|close|fetch|pull|stage|amend|bump|upgrade|pin|work|plan|confirm|review|` +
	`handle|raise|publish|release|reformat|disable|enable|ignore|sign|cite|link|translate|address|be|execute|restart|expose|cache|provide|present|send|switch|break|extract|escape|encode|support|rely|bundle|compile|indent|thank|compliment|drop|warn|notify|link|spell|swallow|catch|abbreviate|disturb|reset|truncate|overwrite|bypass|log in|rename|move|copy|paste|prepend|append)`

// wishScope is what may follow a wish for one thing instead of another: where
// it holds, and why.
const wishScope = `(?:,? (?:for|in|when|with) [\w./*-]+(?: [\w./*-]+){0,2})?(?:,? (?:everywhere|here|please|pls|in this (?:repo|project|codebase)|always))*(?:,? (?:because|since|as|so) .{4,}|, [^,]{4,})?[.!]*$`

func wishFor(sure float64, frame, pattern string) wishForm {
	return wishForm{pattern: rule.Lazy(`^(?:` + pattern + `)`), sure: sure, frame: frame}
}

func (w wishForm) onlyShort() wishForm { w.short = true; return w }

func (w wishForm) orAsked() wishForm { w.asks = true; return w }

// wishes are all we know, the clearest first.
var wishes = []wishForm{
	// always and never
	wishFor(0.85, memory.TitleWants, `(?:you (?:should |must |need to |have to )|to |i said )?(?:always|never|never ever|don't ever|do not ever|dont ever) `+verbs+`\b`),
	wishFor(0.85, memory.TitleWants, `(?:make sure|be sure|ensure|i want|i'd like|i would like)(?: to| you| that you| you to)? (?:always|never) `+verbs+`\b`),
	wishFor(0.85, memory.TitleSaid, `(?:i|we) (?:always|never|only ever) (?:want|like|use|prefer|work|write|put|commit|push|run|name|add|keep|mock|import|test|deploy|squash|rebase|merge|call|wrap|log|document|pin|format|target|support)\b`),
	wishFor(0.8, memory.TitleWants, `(?:whenever|every time|each time|when|before|after|if)(?: you| i| we)? [^,]{3,80}, (?:please )?(?:always|never) `+verbs+`\b`),
	wishFor(0.8, memory.TitleWants, `(?:whenever|every time|each time) you [^,]{3,80}, (?:please )?(?:also |first )?`+verbs+`\b`),
	wishFor(0.8, memory.TitleWants, verbs+` .{2,120} (?:always|every time|each time|at all times)[.!]*$`),
	wishFor(0.8, memory.TitleSaid, `(?:all |every |any )?[a-z][a-z -]{2,40} (?:should|must|have to|has to|shall) (?:always|never) [a-z]+`).onlyShort(),

	// from now on
	wishFor(0.85, memory.TitleWants, `(?:from now on|from here on|from here on out|going forward|moving forward|from this point on|starting (?:now|today)|henceforth|as a (?:general |standing )?rule)\b[,:]? (?:please |pls |i'd like |i want )?(?:`+verbs+`|always|never|don't|dont|do not|only|no|you|we|i|all|every|any|each|new|commits?|commit messages|branch(?:es| names)?|tests|functions|names|error messages|if|when|whenever|to|for|in|before|after|stop|let's) .{2,}`),
	wishFor(0.85, memory.TitleWants, `(?:in (?:the )?future|in general|generally|by default|in all (?:of )?(?:my|our) (?:projects|repos))[,:]? (?:please |pls )?(?:always|never|only|don't|dont|do not|you should|`+verbs+`)\b`),
	wishFor(0.85, memory.TitleWants, `(?:`+verbs+`|don't|do not|no more|you should|i want|we) .{2,140} (?:from now on|going forward|moving forward|in (?:the )?future|from here on)[.!]*$`),
	wishFor(0.8, memory.TitleWants, `(?:the )?next time,? (?:you [^,]{3,60},? )?(?:please |always |first |just )*(?:`+verbs+`|don't|do not|dont|never) .{4,}`),

	// what the user likes
	wishFor(0.85, memory.TitleSaid, `(?:i|we)(?:'d| would)?(?: really| strongly| generally| usually| always| much)? (?:prefer|rather) .{3,}`),
	wishFor(0.8, memory.TitleSaid, `(?:i|we)(?: really)? (?:hate|can't stand|cannot stand|dislike|don't like|do not like)(?: it)? (?:when|seeing|having|reading) .{4,}`),
	wishFor(0.7, memory.TitleSaid, `(?:(?:i|we)(?:'m|'re|m| am| are) )?(?:really )?not an? (?:big |huge |great )?fan of .{4,}`).onlyShort(),
	wishFor(0.7, memory.TitleSaid, `i (?:really |absolutely )?(?:hate|dislike|can't stand|don't like|do not like|dont like|love|like) [a-z-]{4,} .{4,}`).onlyShort(),
	wishFor(0.8, memory.TitleSaid, `(?:i|we) (?:explicitly|definitely|really|absolutely|deliberately) (?:don't|do not) want .{6,}`).onlyShort(),
	wishFor(0.8, memory.TitleWants, `(?:i )?(?:don't|do not|never) want you to `+verbs+`\b.*`).onlyShort(),

	// what shall stop
	wishFor(0.85, memory.TitleWants, `(?:(?:can|could|would|will) you (?:please )?)?stop (?:adding|using|writing|creating|committing|pushing|asking|apologi[sz]ing|saying|telling|putting|making|changing|guessing|explaining|generating|touching|editing|deleting|reformatting|mocking|summari[sz]ing|repeating|inventing|skipping|including|assuming|hardcoding|calling|starting|thanking|praising)\b .+`).orAsked(),
	wishFor(0.85, memory.TitleWants, `(?:can|could|would|will) you (?:please )?(?:always|never) `+verbs+`\b`).orAsked(),
	wishFor(0.6, memory.TitleWants, `(?:don't|do not|dont|never) (?:use|add|write|create|commit|push|mock|guess|assume|apologi[sz]e|include|generate|wrap|reformat|hard-?code|install|force-?push) .{3,}`).onlyShort(),
	wishFor(0.8, memory.TitleWants, `(?:don't|do not|dont|never) `+verbs+` .{2,80}(?: unless | without | before |, unless ).{4,}`).onlyShort(),
	wishFor(0.8, memory.TitleWants, `(?:don't|do not|dont) `+verbs+` .{3,80} (?:again|anymore|any more|ever)[.!]*$`).onlyShort(),
	wishFor(0.8, memory.TitleWants, `(?:avoid|refrain from) (?:using|adding|writing|creating|committing|mocking|importing|hard-?coding|inventing|touching|any) .{3,}`).onlyShort(),
	wishFor(0.8, memory.TitleWants, `(?:ask|check with|warn|confirm with) (?:me|us)(?: first)? (?:before|whenever|if) .{4,}`).onlyShort(),
	wishFor(0.8, memory.TitleWants, `only (?:commit|push|deploy|merge|release) .{0,60}?\b(?:when|if|after|once|from|on|to|with) .{3,}`).onlyShort(),
	wishFor(0.7, memory.TitleWants, `no (?:pushing|pushes|direct pushes|direct commits|merging|force[- ]?push(?:ing|es)?|deploys?|console\.logs?|prints?|globals?|global state|inline styles|magic numbers|default exports|hard-?coded [a-z]+|wildcard imports|raw sql|new dependencies|abbreviations|one-letter names) (?:to|without|in|on|from|unless|for|before|please|pls|ever|at all|here)\b.*`).onlyShort(),
	wishFor(0.7, memory.TitleWants, `no (?:more )?(?:[a-z]+ )?(?:emojis?|comments|docstrings|summaries|apologies|bullet points|mocks|abbreviations|markdown files|trailing whitespace|semicolons)\b`).onlyShort(),

	// corrections
	wishFor(0.85, memory.TitleWants, `(?:use|take|write|run|import|call|choose|pick|go with|stick to) [^.]{2,60}?,? (?:and |but )?never .{2,80}`),
	wishFor(0.7, memory.TitleWants, `(?:use .{2,40}? (?:instead(?: of .{2,40}?)?|rather than .{2,40}?)|prefer .{2,40}? (?:over|to|instead of|rather than) .{2,40}?)`+wishScope).onlyShort(),
	wishFor(0.7, memory.TitleWants, `use .{2,40}?,? (?:and |but )?not .{2,40}?`+wishScope).onlyShort(),
	wishFor(0.75, memory.TitleWants, `(?:for|in|with) [\w ./-]{2,40}?,? (?:please |we |you should |always |only )*(?:use|prefer|write) [^.]{2,60}?(?:,? not | instead of | rather than |, never | and not ).{2,60}`).onlyShort(),
	wishFor(0.75, memory.TitleSaid, `[\w./ -]{2,40}? (?:is|are) (?:totally |perfectly )?(?:fine|ok|okay|allowed|acceptable) (?:in|for|inside|within|under) [^,;]{2,50}[,;] (?:but |only |just )+.{2,60}?\b(?:has to|have to|must|needs? to|should|may not|can't|never|don't|shouldn't|not)\b.*`).onlyShort(),
	wishFor(0.7, memory.TitleSaid, `(?:i|we) use [^,.]{2,40}(?:, not | instead of | rather than )[^,.]{2,40}[.!]*$`).onlyShort(),
	wishFor(0.85, memory.TitleWants, `(?:as )?i(?:'ve| have)?(?: already| just)? (?:told you|said|asked you)(?: before| already| (?:many|several|three|two) times)?[,:]? (?:to (?:use|always|never|write|keep|prefer|answer|only)|not to `+verbs+`|always|never|no |don't `+verbs+`|we (?:use|don't|never|always)|use )\b.{3,}`),
	wishFor(0.85, memory.TitleSaid, `remember (?:that|to|we|i|you|never|always)\b.{6,}`),
	wishFor(0.8, memory.TitleSaid, `(?:keep|bear) in mind that (?:we|i|you|this (?:repo|project))\b.{6,}`),

	// conventions, as far as they are wishes; the others are patterns
	wishFor(0.85, memory.TitleSaid, `(?:we|i) (?:don't|do not|never) `+verbs+`\b.* `+prose.HerePattern+`\b`),
	wishFor(0.85, memory.TitleWants, prose.HerePattern+`,? (?:please |you )?(?:always|never|don't|do not|only|use|prefer|must|should) .{3,}`),
	wishFor(0.8, memory.TitleSaid, `(?:the|my) (?:rule|policy|code style)(?: `+prose.HerePattern+`)? is .{6,}`),
	wishFor(0.75, memory.TitleWants, `(?:keep|write) (?:all |your |the |our |my )?(?:commit messages?|commits|prs?|pr titles?|pr descriptions?|branch names|docstrings|functions|methods|test names|variable names|error messages|log messages|answers|replies|explanations|summaries|comments|diffs) (?:very |as |really )?(?:short|small|tiny|concise|brief|simple|atomic|lower-?case|in (?:the )?(?:imperative|present|past|`+prose.LanguagePattern+`)|under|below|to (?:one|a|two|\d)|at most|without|minimal|self-?contained)\b.*`).onlyShort(),
	wishFor(0.75, memory.TitleSaid, `(?:all |our |my |the )?(?:commit messages?|commits|pr titles?|pr descriptions?|branches|branch names|docstrings|test names|variable names|function names|file names|error messages|log messages|timestamps) (?:should|must|have to|need to|shall) (?:not |never |always |only )?(?:be (?:short|small|tiny|concise|brief|atomic|lower-?case|in|under|below|at most|signed|squashed|prefixed|written|named|utc|imperative|kebab-case|snake_case|camelcase|self-?contained|one)|use|start|end|have|follow|contain|include|stay|say|mention|reference) .{3,}`).onlyShort(),

	// how to talk
	wishFor(0.7, memory.TitleWants, `(?:answer|reply|respond|speak|talk|explain|chat)(?: (?:stuff|things|everything|all|to|me|us|back|only|please|always|with|your|changes|code))*(?: in)? `+prose.LanguagePattern+`\b`).onlyShort(),
	wishFor(0.7, memory.TitleWants, `(?:be|keep (?:your (?:answers|replies|responses)|answers|replies|responses)) (?:more |very )?(?:brief|concise|short|terse)\b`).onlyShort(),
	wishFor(0.8, memory.TitleWants, `call me [a-z]+`).onlyShort(),

	// German
	wishFor(0.85, memory.TitleWants, `(?:ab jetzt|ab sofort|von nun an|in zukunft|künftig|zukünftig|grundsätzlich)[,:]? (?:bitte )?.{6,}`),
	wishFor(0.85, memory.TitleWants, `(?:du (?:sollst|musst|solltest) )?(?:bitte )?(?:hier )?(?:immer|nie|niemals) .{3,}[a-zäöüß]+en[.!]*$`),
	wishFor(0.85, memory.TitleWants, `(?:bitte )?(?:hier |in tests? )?(?:immer|nie|niemals|nie wieder|nie mehr|nicht mehr|keine?n?) .{2,60}? `+germanInfinitives+`\b.*`),
	wishFor(0.85, memory.TitleWants, `(?:hier|in diesem (?:projekt|repo)) (?:bitte )?(?:immer|nie|niemals|nur noch) .{3,}`),
	wishFor(0.85, memory.TitleWants, germanVerbs+` .*\b`+germanHenceforth+`\b.*`),
	wishFor(0.8, memory.TitleWants, `[\p{L}-]+(?: [\p{L}-]+){0,2} (?:bitte )?`+germanHenceforth+` (?:bitte )?(?:immer|nur|nicht|keine?n?|auf|mit|ohne|in) .{3,}`),
	wishFor(0.8, memory.TitleWants, `(?:das )?nächste[sn]? mal,? (?:bitte )?(?:erst |vorher |zuerst |immer )*(?:`+germanVerbs+`\b|.* `+germanInfinitives+`[.!]*$).*`),
	wishFor(0.8, memory.TitleWants, `du (?:sollst|darfst|musst) (?:bitte )?(?:nie|niemals|nicht|immer|keine?n?) .{4,}`).onlyShort(),
	wishFor(0.7, memory.TitleWants, `keine?n? (?:[a-zäöü]+ )?(?:emojis?|kommentare|docstrings|mocks|zusammenfassungen|abkürzungen|semikolons)\b.*`).onlyShort(),
	wishFor(0.85, memory.TitleWants, germanVerbs+` .*\b(?:immer|nie|niemals|nie wieder)\b.*`),
	wishFor(0.85, memory.TitleSaid, `ich (?:bevorzuge|mag lieber|möchte lieber|hätte lieber|will immer|will nie) .{4,}`),
	wishFor(0.85, memory.TitleWants, `hör(?:e)? (?:bitte )?(?:auf|damit auf),? .{4,}`),
	wishFor(0.7, memory.TitleWants, germanVerbs+` .{2,40}? (?:statt|anstatt|anstelle von) .{2,40}?(?:,? (?:für|in|bei|wenn|weil|da) ?[^.]{2,80})?(?:,[^.]*)?[.!]*$`).onlyShort(),
	wishFor(0.7, memory.TitleWants, germanVerbs+` [^,.]{2,40}, (?:nicht|nie|niemals|kein) [^,.]{2,60}`).onlyShort(),
	wishFor(0.85, memory.TitleSaid, `(?:merk(?:e)? dir|denk daran|denke daran|vergiss nicht|beachte|ich habe? dir (?:doch |schon |bereits )*gesagt)[,:]? .{6,}`),

	// French
	wishFor(0.85, memory.TitleWants, `(?:désormais|dorénavant|à partir de maintenant|à l'avenir)[,:]? .{6,}`),
	wishFor(0.85, memory.TitleWants, frenchVerbs+`.*[ ,](?:toujours|jamais|plus jamais|désormais|dorénavant|à partir de maintenant|à l'avenir)(?:[ .!,].*)?$`),
	wishFor(0.85, memory.TitleWants, `(?:toujours|ne jamais|ne plus) (?:utiliser|mettre|écrire|faire|lancer|demander|répondre|ajouter|commiter|pousser|tester|nommer|garder) .{2,}`),
	wishFor(0.8, memory.TitleWants, `la prochaine fois,? (?:s'il te plaît,? )?`+frenchVerbs+`[- ].{4,}`),
	wishFor(0.7, memory.TitleWants, `(?:ne |n')(?:utilise|mets|ajoute|écris|fais|crée|commite|pousse|mocke|touche)[sz]? (?:pas|plus|aucune?) .{3,}`).onlyShort(),
	wishFor(0.7, memory.TitleWants, `(?:utilise|prends|écris) [^,.]{2,40}, (?:pas|jamais|et pas|et non) [^,.]{2,60}`).onlyShort(),
	wishFor(0.85, memory.TitleWants, `ne? ?'?(?:utilise|fais|mets|écris|ajoute|crée|réponds|modifie|commite)[sz]? jamais\b.*`),
	wishFor(0.85, memory.TitleSaid, `je préfère .{4,}`),
	wishFor(0.85, memory.TitleWants, `arr[êe]te d[e'] ?.{4,}`),
	wishFor(0.7, memory.TitleWants, `(?:utilise|préfère) .{2,40} (?:au lieu d[eu']|plutôt que|à la place d[eu']) ?.{2,40}?(?:,? (?:pour|dans|parce que|car) ?[^.]{2,80})?[.!]*$`).onlyShort(),
	wishFor(0.85, memory.TitleSaid, `(?:souviens-toi|rappelle-toi|je t'ai (?:déjà )?dit) .{6,}`),

	// Spanish
	wishFor(0.85, memory.TitleWants, `(?:a partir de ahora|de ahora en adelante|en el futuro)[,:]? .{6,}`),
	wishFor(0.85, memory.TitleWants, `(?:usa|utiliza|escribe|responde|contesta|haz|pon|ejecuta|comenta|explica|explícame|pregunta|pregúntame) .*\b(?:a partir de ahora|de ahora en adelante|siempre)\b.*`),
	wishFor(0.8, memory.TitleWants, `la próxima vez,? (?:por favor,? )?(?:usa|utiliza|escribe|pregunta|pregúntame|avisa|avísame|ejecuta|haz|pon|no) .{4,}`),
	wishFor(0.85, memory.TitleWants, `aquí (?:siempre|nunca|no) (?:usa|uses|utilices|usamos|pongas|hagas|escribas|escribimos|ponemos) .{3,}`),
	wishFor(0.7, memory.TitleWants, `(?:usa|utiliza|escribe) [^,.]{2,40}, (?:no|nunca|y no) [^,.]{2,60}`).onlyShort(),
	wishFor(0.85, memory.TitleWants, `siempre (?:usa|utiliza|escribe|responde|contesta|haz|pon|añade|ejecuta|comenta|explica)\b.*`),
	wishFor(0.85, memory.TitleWants, `(?:usa|utiliza|escribe|responde|contesta|haz|pon|ejecuta) siempre\b.*`),
	wishFor(0.85, memory.TitleWants, `(?:nunca|jamás|no) (?:uses|utilices|escribas|respondas|hagas|pongas|añadas|ejecutes|crees|modifiques|borres) .*(?:nunca|jamás)?`),
	wishFor(0.85, memory.TitleSaid, `prefiero .{4,}`),
	wishFor(0.85, memory.TitleWants, `deja de [a-zñ]+[aei]r .{3,}`),
	wishFor(0.7, memory.TitleWants, `(?:usa|utiliza) .{2,40} (?:en lugar de|en vez de) .{2,40}?(?:,? (?:para|en|porque|cuando) ?[^.]{2,80})?[.!]*$`).onlyShort(),
	wishFor(0.85, memory.TitleSaid, `(?:recuerda que|te dije que|ya te dije que) .{6,}`),

	// Chinese
	wishFor(0.85, memory.TitleWants, `以后[^再]{1,20}?(?:都用|都要|都写|一律|请|不要|别|只用).{2,}`),
	wishFor(0.85, memory.TitleWants, `(?:请始终|请总是|请永远|以后请|从现在开始|从现在起|请不要再|不要再|别再).{3,}`),
}

const germanVerbs = `(?:verwende|benutze|benutz|nutze|nutz|nimm|schreib|schreibe|antworte|mach|mache|füge|committe|pushe|teste|erstelle|ändere|lösche|sprich|erkläre|halte|nenne|frag|frage|lass|führe|prüfe|gib|nehmt|kommentier|kommentiere|formatier|formatiere|sag|zeig|zeige|bleib|bleibe|pack|packe|leg|lege|speicher|speichere|baue|bau)`

// germanInfinitives end an instruction to nobody in particular.
const germanInfinitives = `(?:verwenden|benutzen|nutzen|nehmen|schreiben|committen|pushen|machen|testen|ausführen|fragen|nachfragen|antworten|anlegen|löschen|ändern|anfassen|einfügen|importieren|mocken|nennen|benennen|formatieren|prüfen|hinzufügen|weglassen|vermeiden|halten|setzen|bauen|erklären|laufen lassen|einchecken|mergen|rebasen|kommentieren|speichern)`

const germanHenceforth = `(?:ab sofort|ab jetzt|in zukunft|künftig|zukünftig|von nun an)`

const frenchVerbs = `(?:utilise|prends|préviens|commite|écris|réponds|fais|mets|ajoute|lance|commente|explique|vérifie|demande|garde|nomme)`

// passing are words of an instruction that is about this moment or about one
// thing at hand.
var passing = rule.Lazy(`\b(yet|for now|right now|this time|this once|just once|today|tonight|for the moment|at the moment|until i|until we|in this case|this pr|this commit|this file|this function|this test|this one|this step|this task|this session|that file|that function|that one|` +
	`the above|above|below|the following|(?:before|until|till|by|this|next) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|next week|the weekend|the release|the demo)|before i(?:'ve| have)|noch nicht|diesmal|gerade|vorerst|pour l'instant|cette fois|por ahora|esta vez)\b`)

// pointing are words that mean something that the sentence does not name.
var pointing = rule.Lazy(`\b(it|that|this|these|those|them|they|there|anything|something|do so|such|the (?:first|second|third|last|other|same|former|latter|new|old)|option|the [a-z]+ (?:file|function|class|method|test|module|variable|field|branch|table|column|server|button|page))\b`)

// vague are wishes of which nobody knows later what they meant, and what reads
// like a wish but tells how things are.
var vague = rule.Lazy(strings.Join([]string{
	`^(?:i|we)(?:'d| would)?(?: really| strongly| generally| usually| always| much)? (?:prefer|rather) (?:it|that|this|these|those|the|your|option|number|you (?:fix|do|go|start|continue|look|make|change|try|finish)|not|to (?:see|wait|discuss|talk|know)|a|an|we|if|one|both)\b`,
	`^(?:use|prefer) (?:an?|the|your|my|our|its|one|two)\b`,
	`^(?:use|prefer|take|pick|choose) .*\b(?:instead of|rather than|not|over) .*\b(?:for|in|on) (?:the|that|my)\b`,
	`^(?:use|take|prefer) .*\bnot (?:only|just|yet|sure|to)\b`,
	`^i (?:always|never) (?:want|like)(?:ed|d)\b`,
	`^(?:i|we) [a-z]+ (?:don't|do not) want (?:to|you to)\b`,
	`^i (?:really |absolutely )?(?:hate|dislike|can't stand|don't like|do not like|dont like|love|like) (?:the|that|this|these|those|your|what|when|where|how|it|its|to|my|our|both|option|idea|one|version)\b`,
	`^no .* in the last\b`,
	`^remember,? (?:that |to |when )?(?:time|when|we talked|we discussed|we said|you (?:said|did|told)|last|how)`,
	`^from now on[,:]? (?:the|it|this|that|there) `,
	`^(?:it|this|that|the|there|he|she|they|these|those|you [a-z]+|which|what|if|when)\b.{1,40} (?:should|must|have to|has to|shall) (?:always|never)`,
	`^prefiero (?:que no|la|el|esa|ese|esto)\b|^aquí no (?:hay|funciona|pasa|sale)\b`,
	`^je préfère (?:que|ça|cela|celui|celle|la|le)\b`,
	`^ich (?:bevorzuge|möchte lieber|hätte lieber) (?:das|die|den|es|diese[rns]?)\b`,
	`^(?:hier )?immer (?:noch|wieder|mehr|nur|wenn)\b`,
	`^[\p{L} -]* (?:ist|sind|war|läuft|laufen|geht|wird|werden|funktioniert|kommt|haben|hat|gibt|schlägt) .*\b(?:ab sofort|ab jetzt|künftig|immer|nie)\b`,
	`^(?:ab jetzt|ab sofort|künftig|in zukunft|von nun an) (?:ist|sind|war|läuft|laufen|geht|gehen|wird|werden|funktioniert|kommt|hat|gibt|schlägt)\b`,
	`^[a-zäöüß]+ (?:die|das|den|der) (?:erste|zweite|dritte|letzte|neue|alte|andere|obere|untere)n?\b`,
	`^keine?n? (?:ahnung|fehler|probleme?|ausgabe|lust|zeit)\b`,
}, "|"))

// reminding leads in to what Claude shall keep in mind.
var reminding = rule.Lazy(`\b(?:remember|reminder|don't forget|for the record|for future reference|merke?|nota)\s*[:,]$`)

// aReminder is what a sentence is that was led in to so.
var aReminder = wishForm{sure: 0.85, frame: memory.TitleSaid}

// wishIn returns the wish that a sentence is, if it is one. short says that
// the whole prompt is.
func wishIn(r prose.Remark, short bool) (wishForm, bool) {
	asked := strings.HasSuffix(r.Bare, "?")
	if reminding.MatchString(r.Lead) && !asked {
		return aReminder, !unclear(r.Bare) && !prose.Pronominal.MatchString(r.Bare) && len(strings.Fields(r.Bare)) > 3
	}
	for _, w := range wishes {
		if w.short && !short || asked && !w.asks || !w.pattern.MatchString(r.Bare) {
			continue
		}
		if unclear(r.Bare) {
			return wishForm{}, false
		}
		if !w.short || !pointing.MatchString(r.Bare) {
			return w, true
		}
	}
	return wishForm{}, false
}

// unclear reports a wish that is only a thought, that nobody understands later,
// or that is about this moment.
func unclear(bare string) bool {
	return prose.Hedged(bare) || vague.MatchString(bare) || passing.MatchString(bare)
}
