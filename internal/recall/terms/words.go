package terms

import "strings"

// commonStems hold the stems of words that developers' prompts have whatever
// they are about. They count little, so that two prompts do not matter to each
// other because both say "please add".
var commonStems = stemSet(`
	add ask better bit call can chang check choos chose code come complet creat current
	differ done easi edit els exampl exist explain file find first follow get give go good
	happen help idea implement includ issu just keep know later let like line list littl look
	make mani may mean might move much must name need never new next nice now number ok old one
	onli open order part pleas point possibl print problem project proper put question quick read realli
	recent remov right run say second see set show simpl someth start still stop support sure
	take task tell test thank thing think time today tri turn two updat use user usual valu veri
	want way well work write wrong yes yet yesterday`)

// foreignStems hold the terms of words in German, French, Spanish, Italian, Portuguese and Dutch, but
// those that are English words with another meaning, as comment.
var foreignStems = stemSet(`
	adesso adiciona adicionar aggiunger aggiungi agora agrega ahora ainda ajout altijd anad anadir
	ancien ancora ander andern anlegen apaga archivo arquivo arregla ayer baue bauen beispiel bene
	benenn besoin bestand bestanden bien bisogno bitt borra borrar brauch brauchen busca buscar cambia
	cambiar cancella cerca changer cherch chercher comprueba controlla correggi corrig crea crear cree
	creer cria criar cual cuando dank datei dateien deja dond ecri ecrir ejemplo encontra encor
	encuentra erreur erro erstell erstellen escrev escrib escribir esempio exempl exemplo explica
	expliqu fai fair fait falsch faut favor faz fazer fehler ficheiro fichier finden fout frage fuge
	gehen geht gestern gib gisteren graag gracia grazi hace hacer haz hernoem heut hier hinzu hinzufugen
	hoje hoy ieri immer jetzt kannst konntest kun kunt lanc lass lauft lege lign lijst linea linha lista
	losch loschen maak mach machen macht mainten maken mal meglio mejor melhor merci metti mettr mieux
	montr montrer mostra mostrar muda mudar muestra mussen necesita necesito neu neue neuen neuer nieuw
	nieuwe nimm noch nochmal nouveau nouvell nova novo nueva nuevo nuova nuovo obrigado oggi ontem perch
	peut peux pode poderia podria poner potresti pourquoi pourrai precisa preciso procura pruf prufe
	prufen pued puoi qual quali quand quel quell renombra renomeia renomm revisa richtig riga righ
	rinomina schon schreib schreiben schrijf scrivi seit sempr setz setzen siempr sollt spiega stp
	suchen supprim svp todavia toevoegen toujour trouv trova umbenennen valeur vandaag vecchio velho
	verand verifi verifica verwijd viejo voeg voorbeeld waarom wann wanneer warum weiter welch welchen
	welcher welk weshalb wieder wieso wijzig zeig zeigen zeil zeilen zoek`)

// IsCommon reports whether a term is that of a word that any prompt may have.
func IsCommon(term string) bool { return commonStems[term] || foreignStems[term] }

// goalTerms hold the stems that open the goals to a prompt. "Objective" is not
// among them: it has the stem of every JSON object.
var goalTerms = stemSet(`goal mission mileston plan roadmap todo to-do to-dos`)

// pasteStems hold the stems of words that a question about a paste has whatever it is about.
var pasteStems = stemSet(`above analys attach below break broke broken bug caus crash debug diagnos error except explain fail failur
	fix follow goe got investig log look mean messag occur output past reason resolv solv stack stacktrac throw trace understand warn`)

func stemSet(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
