package classifier

import (
	"iter"
	"strings"
)

// How far the context of a piece reaches, in pieces and in lines.
const (
	placed  = 3  // pieces on each side whose words count with their place
	listed  = 14 // pieces on the left whose words count
	upwards = 6  // lines up to the head of a column
)

// A View is a text as the classifier sees it.
type View struct {
	Pieces []Piece

	text   string
	secret []bool // by piece
	kinds  []kind // by piece
	words  []Feature
	ends   []int // by piece: where its words end in words
	lines  []int // by line: its first piece, and a last one behind all
}

// NewView returns a view of text, in which no piece is classified.
func NewView(text string) *View {
	v := &View{text: text, Pieces: cutPieces(text)}
	v.kinds, v.ends = make([]kind, 0, len(v.Pieces)), make([]int, 0, len(v.Pieces))
	for i, p := range v.Pieces {
		t := text[p.Start:p.End]
		v.kinds = append(v.kinds, kindOf(t))
		v.words = wordsOf(t, v.words)
		hints().each(t, func(meaning Feature, _, _ int) { v.words = append(v.words, meaning) })
		v.ends = append(v.ends, len(v.words))
		for len(v.lines) <= p.Line {
			v.lines = append(v.lines, i)
		}
	}
	v.lines = append(v.lines, len(v.Pieces))
	v.secret = make([]bool, len(v.Pieces))
	return v
}

// A Candidate is the pieces that may be a secret together: one, or those of a phrase.
type Candidate struct{ First, Last int }

// shortest is the length of the shortest secret in bytes.
const shortest = 4

// Candidates yields what looks as if it could be a secret, in order, a phrase before its pieces.
func (v *View) Candidates() iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		for i, p := range v.Pieces {
			if last := v.phrase(i); last > i && !yield(Candidate{i, last}) {
				return
			}
			if v.kinds[i].mayBeSecret() && p.End-p.Start >= shortest && !yield(Candidate{i, i}) {
				return
			}
		}
	}
}

// Span returns where a candidate stands.
func (v *View) Span(c Candidate) Span { return Span{v.Pieces[c.First].Start, v.Pieces[c.Last].End} }

// Record records whether a candidate is a secret, for the candidates behind it.
func (v *View) Record(c Candidate, secret bool) {
	for i := c.First; i <= c.Last; i++ {
		v.secret[i] = secret
	}
}

// wordsOf returns the words of piece i.
func (v *View) wordsOf(i int) []Feature {
	from := 0
	if i > 0 {
		from = v.ends[i-1]
	}
	return v.words[from:v.ends[i]]
}

// Observe appends what is observed of a candidate to out. Most of it counts both in itself and
// together with what the candidate looks like.
func (v *View) Observe(c Candidate, out []Feature) []Feature {
	kind := isKind.at(int(aPhrase))
	if c.First == c.Last {
		kind = isKind.at(int(v.kinds[c.First]))
	}
	out = v.looks(c, kind, out)
	both := func(f Feature) { out = append(out, f, f.of(kind)) }
	v.beside(c, both)
	v.left(c.First, both)
	v.right(c.Last, both)
	v.inLines(c, both)
	return out
}

// looks appends what is observed of a candidate itself.
func (v *View) looks(c Candidate, kind Feature, out []Feature) []Feature {
	const longestCounted, firstSorts = 24, 4
	s := v.Span(c)
	t := v.text[s.Start:s.End]
	shape := shape(t)
	out = append(out, always, kind, isText.of(named(t)),
		isShape.of(exactly(shape)), isShape.of(exactly(shape[:min(firstSorts, len(shape))])),
		isLong.at(min(len(t), longestCounted)), isLong.of(kind).at(len(t)/8),
		begins.of(named(t[:min(2, len(t))])), ends.of(named(t[max(0, len(t)-2):])))
	for i := c.First; i <= c.Last; i++ {
		for _, w := range v.wordsOf(i) {
			out = append(out, hasWord.of(w))
			if c.Last > c.First {
				out = append(out, hasWord.of(w).of(kind))
			}
		}
	}
	for i := range len(signs) {
		if strings.IndexByte(t, signs[i]) >= 0 {
			out = append(out, hasSign.at(i), hasSign.at(i).of(kind))
		}
	}
	return out
}

const signs = "#!$%&*@?~^/\\.-_+=:,()[]{}"

// beside observes what stands directly before and behind a candidate.
func (v *View) beside(c Candidate, both func(Feature)) {
	i := c.First
	before, after := v.gap(i-1), v.gap(c.Last)
	both(gapBefore.of(before))
	both(gapBehind.of(after))
	both(gaps.of(before).of(after))
	if i == 0 {
		return
	}
	for _, w := range v.wordsOf(i - 1) {
		both(leftGap.of(before).of(w))
	}
	if v.secret[i-1] {
		both(follows.of(before))
	}
	if i > 1 {
		two := v.wordsOf(i - 2)
		both(leftTwo.of(two[len(two)-1]).of(v.wordsOf(i - 1)[0]))
	}
}

// left observes the pieces before piece i.
func (v *View) left(i int, both func(Feature)) {
	for d := 1; d <= placed; d++ {
		j := i - d
		if j < 0 {
			both(edge.at(d))
			break
		}
		place := leftWord.at(d).at(min(v.Pieces[i].Line-v.Pieces[j].Line, 3))
		for _, w := range v.wordsOf(j) {
			both(place.of(w))
		}
		both(leftKind.of(place).at(int(v.kinds[j])))
	}
	for j := max(0, i-listed); j < i; j++ {
		for _, w := range v.wordsOf(j) {
			both(leftAny.of(w))
		}
	}
}

// right observes the pieces behind piece i.
func (v *View) right(i int, both func(Feature)) {
	for d := 1; d <= placed; d++ {
		j := i + d
		if j >= len(v.Pieces) {
			both(edge.at(-d - 1))
			break
		}
		place := rightWord.at(d).at(min(v.Pieces[j].Line-v.Pieces[i].Line, 1))
		for _, w := range v.wordsOf(j) {
			both(place.of(w))
		}
		both(rightKind.of(place).at(int(v.kinds[j])))
	}
}

// inLines observes where a candidate stands: in its line, below which words, in which column.
func (v *View) inLines(c Candidate, both func(Feature)) {
	i, line := c.First, v.Pieces[c.First].Line
	from, to := v.lines[line], v.lines[line+1]
	both(inLine.at(min(i-from, 3)).at(min(to-c.Last, 3)))
	if line == 0 {
		return
	}
	up := v.lines[line-1]
	if to-from-(c.Last-c.First) <= 2 {
		for j := up; j < from; j++ {
			for _, w := range v.wordsOf(j) {
				both(above.of(w))
			}
		}
	}
	if j := up + i - from; j < from {
		for _, w := range v.wordsOf(j) {
			both(column.of(w))
		}
	}
	head := line
	for head > 0 && v.lines[head]-v.lines[head-1] > 1 && line-head < upwards {
		head--
	}
	if j := v.lines[head] + i - from; head < line && j < v.lines[head+1] {
		for _, w := range v.wordsOf(j) {
			both(headed.of(w))
		}
	}
}

// longestGap is how many bytes of what stands between two pieces count.
const longestGap = 5

// gap returns what stands between piece i and the next.
func (v *View) gap(i int) Feature {
	from, to := 0, len(v.text)
	if i >= 0 {
		from = v.Pieces[i].End
	}
	if i+1 < len(v.Pieces) {
		to = v.Pieces[i+1].Start
	}
	between := v.text[from:to]
	if strings.IndexByte(between, '\n') >= 0 {
		return named("\n")
	}
	if between == " " {
		return named(between)
	}
	h, n := named(""), 0
	for i := 0; i < len(between) && n < longestGap; i++ {
		if between[i] > ' ' {
			h = h.at(int(between[i]))
			n++
		}
	}
	return h
}
