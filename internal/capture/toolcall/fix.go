package toolcall

import (
	"path"
	"strings"

	"recollect/internal/memory"
)

// partsOf returns the changes and commands that a fix names. What they quote may contain
// what separates them.
func partsOf(fix string) []string {
	var out []string
	for part := range strings.SplitSeq(fix, "; ") {
		if n := len(out) - 1; n >= 0 && strings.Count(out[n], "`")%2 == 1 {
			out[n] += "; " + part
		} else {
			out = append(out, part)
		}
	}
	return out
}

// FixKind is what a fix did: with equal ones the same was done twice.
// Edits are alike when they were made in the same file, commands when they
// begin with the same two words.
func FixKind(fix string) string {
	first := partsOf(fix)[0]
	verb, rest, _ := strings.Cut(first, " ")
	switch {
	case verb == "edited", verb == "wrote":
		file, _, _ := strings.Cut(rest, ":")
		return "edited " + file
	case verb == "ran":
		return "ran " + firstWords(rest, 2)
	case strings.HasSuffix(first, " works"):
		return "use " + bareProgram(firstWords(first, 1))
	}
	return ""
}

func firstWords(s string, n int) string {
	words := strings.Fields(strings.Trim(s, "`"))
	return strings.Trim(strings.Join(words[:min(n, len(words))], " "), "`")
}

// briefFix returns the first part of a fix as a title says it: the command to run,
// or the change and its file, the longest wording first; hints leave something out.
func briefFix(fix string) (brief, hints []string) {
	first := partsOf(fix)[0]
	if first == "" {
		return nil, nil
	}
	if line, ok := strings.CutSuffix(first, "` works"); ok {
		return []string{line + "`"}, nil
	}
	if line, ok := strings.CutPrefix(first, "ran "); ok {
		try, ok := tryCommand(strings.Trim(line, "`"))
		if !ok || try.lead == "" {
			return []string{line}, nil
		}
		words := append(strings.Fields(try.lead), strings.Fields(try.goal)[1:]...)
		words[0] = path.Base(words[0])
		brief = []string{line, "`" + strings.Join(append(words, try.operands...), " ") + "`"}
		if len(try.operands) > 1 {
			brief = append(brief, "`"+strings.Join(append(words, try.operands[0]), " ")+" …`")
		}
		return brief, nil
	}
	verb, rest, _ := strings.Cut(first, " ")
	if verb != "edited" && verb != "wrote" {
		return []string{first}, nil
	}
	file, change, changed := strings.Cut(rest, ": ")
	brief, hints = []string{verb + " " + file}, []string{verb + " " + path.Base(file)}
	if changed {
		brief = append([]string{change + " in " + file, change + " in " + path.Base(file)}, brief...)
	}
	return brief, hints
}

// Remedy names what a failure was fixed by running instead of what: the same for
// all failures of a program that another one does not have. It is "" for other
// fixes.
func Remedy(m memory.Memory) string {
	line, _ := triedIn(&m)
	was, ok := tryCommand(line)
	kind := FixKind(m.Fields["fix"])
	if !ok || !strings.HasPrefix(kind, "use ") || was.runner() == "" {
		return ""
	}
	if worked, _ := workedIn(m.Fields["fix"]); worked.runner() == was.runner() {
		return ""
	}
	return withoutVariables(was.runner()) + ": " + kind
}
