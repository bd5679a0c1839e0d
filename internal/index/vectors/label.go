package vectors

import "hash/crc32"

// A Label is a digest of a text that memories are filtered by, such as the name of a project. Two texts
// rarely share one. No text has the label 0.
type Label uint32

// Labels are the labels of a row, at most two, in any order.
type Labels [2]Label

func (l Labels) have(label Label) bool { return label != 0 && (l[0] == label || l[1] == label) }

const labelBytes = 2 * 4 // bytes of the labels of a row

// LabelOf returns the label of a text, 0 for "" alone.
func LabelOf(text string) Label {
	if text == "" {
		return 0
	}
	return Label(max(1, crc32.Checksum([]byte(text), castagnoli)))
}
