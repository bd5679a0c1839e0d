package vectors

import "hash/crc32"

// A Label is a digest of a text that memories are told apart by, such as the
// name of a project. Few texts share one. 0 is the label of no text.
type Label uint32

// Labels are what a row has: two at most, in any order.
type Labels [2]Label

const labelBytes = 2 * 4 // of a row

// LabelOf returns the label of a text, 0 for "" alone.
func LabelOf(text string) Label {
	if text == "" {
		return 0
	}
	return Label(max(1, crc32.Checksum([]byte(text), castagnoli)))
}
