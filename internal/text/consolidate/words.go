package consolidate

import (
	"strings"

	"recollect/internal/text/prose"
)

// joining are words that join others and tell what part they play.
var joining = prose.WordSet(`is are as via through then than by from to for in on at when whenever if unless during within inside with after before until
	because since while of per into onto come comes go goes und für bei wenn im in am auf mit nach vor bis aus von pour dans quand si sur avec après avant para en cuando con por desde hasta`)

// places are those that say where something holds, manners those that go on
// with what is said.
var (
	places  = prose.WordSet(`for in at when whenever if unless during within inside für bei wenn im am pour dans quand si para cuando en`)
	manners = prose.WordSet(`is are on auf sur as via through then than by from to with after before until come comes go goes because since while mit nach vor bis aus von avec après avant con por desde hasta`)
)

// silent are words, besides those that are empty, that say nothing of what a
// decision is about.
var silent = prose.WordSet(`or but too also now again still yet more most much many one ones each every any some same other both either just only again
	use uses using used keep keeps let lets make makes made take takes get gets have has had be been want wants need needs show shows
	can could may might can't always ever here out off up down over about around there no longer anymore instead rather actually btw fyi
	oder aber auch noch mehr jetzt ab wir ich man wird werden wurde hat haben soll sollen muss müssen kann dann doch nur schon erst bereits immer den dem des zu zur zum
	ou mais aussi on nous je ils elle du de des au aux ce cette ne se plus que qui o pero también nosotros se lo su que del al ya ahora más`)

// numerals are numbers that are written as words. One is none: it hardly ever
// counts.
var numerals = map[string]string{
	"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "twelve": "12",
	"zwei": "2", "drei": "3", "vier": "4", "fünf": "5", "sechs": "6", "sieben": "7", "acht": "8", "neun": "9", "zehn": "10", "zwölf": "12",
	"deux": "2", "trois": "3", "quatre": "4", "cinq": "5", "sept": "7", "huit": "8", "neuf": "9", "dix": "10", "douze": "12",
	"dos": "2", "tres": "3", "cuatro": "4", "cinco": "5", "seis": "6", "siete": "7", "ocho": "8", "nueve": "9", "diez": "10", "doce": "12",
}

// unitKinds are units of which one may stand for another: thirty days or twelve
// hours.
var unitKinds = unitsOf(map[string]string{
	"(time)": `ms s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days week weeks month months year years
		sekunde sekunden minuten stunde stunden tag tage tagen woche wochen monat monate monaten jahr jahre jahren
		seconde secondes heure heures jour jours semaine semaines mois an ans segundo segundos minuto minutos hora horas día días dia dias semana semanas mes meses año años`,
	"(size)": `byte bytes b k kb mb gb tb kib mib gib tib`,
})

// kindNames are the names of those kinds: what is "not by time" is in seconds.
var kindNames = map[string]string{"time": "(time)", "zeit": "(time)", "temp": "(time)", "tiempo": "(time)", "size": "(size)"}

func unitsOf(kinds map[string]string) map[string]string {
	out := map[string]string{}
	for kind, units := range kinds {
		for unit := range prose.WordSet(units) {
			out[unit] = kind
		}
	}
	return out
}

// changing are words that only say that something comes in the place of something else, or nothing.
var changing = stemsOf(`switch switched move moved migrate migrated change changed replace replaced drop dropped
	ditch ditched abandon abandoned scrap scrapped retire retired go went back it's that's there's we're we've`)

func stemsOf(words string) []string {
	var out []string
	for _, word := range strings.Fields(words) {
		out = append(out, stemOf(word))
	}
	return prose.SortedSet(out)
}

// denials turn a clause into its opposite.
var denials = prose.WordSet(`not no never cannot cant dont nicht nie niemals kein keine keinen pas jamais nunca jamás`)

// unreal are words of what is rejected, or might be.
var unreal = prose.WordSet(`against could would might may if suppose imagine whether könnten würden falls pourrait podríamos`)

// hints are words of which a text has one that a rule of the amendments takes,
// by table. Most have none, and need not be read so closely.
var hints = struct{ changing, rule, givenUp, denied, announcing, unchanged map[string]bool }{
	changing: prose.WordSet(`actually back switched moved migrated second thought thoughts after scratch scrap never nevermind plot correction change changed changes changing plan policy
		amend amended amends amending amendment amendments amendement supersede supersedes superseded superseding overrule overrules overruled overruling
		revise revised revising revision now as anymore longer used instead going raise lower reduce increase decrease cut bump shorten extend tighten loosen relax
		kommando doch ab nicht stattdessen künftig änderung geändert umentschieden überlegt finalement fait désormais dorénavant partir changement compte
		al realidad ya ahora cambio mejor pensándolo any`),
	rule: prose.WordSet(`amended new revised updated final superseding full replaces supersedes replacing overrides overriding overrules place`),
	givenUp: prose.WordSet(`anymore more instead rather opposed statt anstatt anstelle lieu place lugar vez longer stop stopped out gone dead dropped history obsolete off
		canceled cancelled scrapped too pointless useless wrong nonsense overkill mistake error previously formerly used was were down up switch switched switches switching
		move moved moves moving migrate migrated migrates migrating change changed changes changing go goes going went gone swiched shifted ported replace replaces replaced
		swapped ditch ditched ditching kicked threw abandoned retired scrap scratch forget gave got done dropping work von passé passés migré migrés changé basculé cambiado cambiamos pasado pasamos
		migrado migramos abandonné remplacé laissé reemplazado reemplazamos sustituido nicht kein keine keinen keiner keinem bisher vorher war waren
		raus weg vom gestorben hinfällig passé gestrichen plus ya antes`),
	denied: prose.WordSet(`not no never nicht kein keine keinen pas nunca`),
	announcing: prose.WordSet(`change revise revisit rework amend amended amending amendment amendments rethink redo reverse undo wrong mistake error old earlier
		previous former new änderung ändern umentschieden fehler falsch alte changer modifier revoir changement erreur cambiar modificar revisar cambio`),
	unchanged: prose.WordSet(`still before is agreed unchanged stay stays remain remains rest else other bleibt bleiben weiterhin bisher toujours reste sigue siguen
		demás resto`),
}
