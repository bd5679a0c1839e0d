package classifier

// A Feature is the hash (FNV-1a) of something that is observed of a piece.
type Feature uint64

const offset, prime = 14695981039346656037, 1099511628211

// named returns the feature of a name, whatever the case of its letters.
func named(name string) Feature {
	h := uint64(offset)
	for i := range len(name) {
		c := name[i]
		if isCapital(c) {
			c += 'a' - 'A'
		}
		h = (h ^ uint64(c)) * prime
	}
	return Feature(h)
}

// of returns a Feature that says f of something.
func (f Feature) of(other Feature) Feature {
	h := (uint64(f) ^ uint64(other)>>7) * prime
	h = (h ^ uint64(other)) * prime
	return Feature(h ^ h>>29)
}

func (f Feature) at(n int) Feature { return f.of(Feature(n + 1)) }

// Weight returns the number of the weight of f, below Weights.
func (f Feature) Weight() uint32 { return uint32(f % Weights) }

// exactly returns the feature of a name in which the case of letters matters.
func exactly(name string) Feature {
	h := named("")
	for i := range len(name) {
		h = h.at(int(name[i]))
	}
	return h
}

// What is observed of a piece: of itself,
var (
	always  = named("always")
	isKind  = named("kind")
	isShape = named("shape")
	isLong  = named("long")
	isText  = named("text")
	hasWord = named("word")
	isHint  = named("hint")
	hasSign = named("sign")
	begins  = named("begins")
	ends    = named("ends")
)

// of what stands beside it,
var (
	gapBefore = named("gap before")
	gapBehind = named("gap behind")
	gaps      = named("gaps")
	leftWord  = named("left word") // by its place
	leftKind  = named("left kind")
	leftAny   = named("left any") // in any place
	leftTwo   = named("left two")
	leftGap   = named("left word and gap")
	follows   = named("follows a secret")
	rightWord = named("right word")
	rightKind = named("right kind")
	edge      = named("edge") // of the text
)

// and of its place in the lines.
var (
	inLine = named("in line")
	above  = named("above")
	column = named("column")
	headed = named("head")
)
