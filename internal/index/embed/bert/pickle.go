package bert

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// operands are instructions of a pickle that torch.save writes, and how many bytes follow each.
var operands = map[byte]int{
	0x80: 1, 'q': 1, 'h': 1, 'r': 4, 'j': 4, 'K': 1, 'M': 2, 'J': 4, 'G': 8,
	'(': 0, ')': 0, ']': 0, '}': 0, 't': 0, 0x85: 0, 0x86: 0, 0x87: 0, 0x88: 0, 0x89: 0, 'N': 0,
	'R': 0, 'b': 0, 0x81: 0, 'Q': 0, 's': 0, 'u': 0, 'a': 0, 'e': 0, '0': 0, '2': 0, '.': 0,
}

// lengths are those that a length follows, of so many bytes, and then what is as long.
var lengths = map[byte]int{'X': 4, 'T': 4, 'B': 4, 'U': 1, 'C': 1, 0x8c: 1, longNumber: 1}

const (
	intNumber  = 'J'  // of 4 bytes
	longNumber = 0x8a // of any length
	className  = 'c'  // followed by two lines
	endOfAll   = '.'
)

// checkPickle accepts a pickle without a text or a number that is larger than the file that it is
// of: the package that reads it makes room for whatever a pickle claims.
func checkPickle(r io.Reader, fileSize int64) error {
	in := bufio.NewReader(r)
	for {
		op, err := in.ReadByte()
		if err != nil {
			return errors.New("its pickle has no end")
		}
		fixed, known := operands[op]
		length, sizedOne := lengths[op]
		switch {
		case known:
			err = number(in, op, fixed, fileSize)
		case sizedOne:
			err = sized(in, op, length, fileSize)
		case op == className:
			if _, err = in.ReadSlice('\n'); err == nil {
				_, err = in.ReadSlice('\n')
			}
		default:
			return fmt.Errorf("its pickle has the instruction %#02x, which torch.save does not write", op)
		}
		if err != nil {
			return fmt.Errorf("its pickle: %w", err)
		}
		if op == endOfAll {
			return nil
		}
	}
}

// number reads the n bytes behind an instruction.
func number(in *bufio.Reader, op byte, n int, most int64) error {
	var b [8]byte
	if _, err := io.ReadFull(in, b[:n]); err != nil {
		return err
	}
	if v := int64(int32(binary.LittleEndian.Uint32(b[:]))); op == intNumber && (v > most || v < 0) {
		return fmt.Errorf("the number %d in a file of %d bytes", v, most)
	}
	return nil
}

// sized reads what stands behind an instruction and its length, of n bytes.
func sized(in *bufio.Reader, op byte, n int, most int64) error {
	var b [8]byte
	if _, err := io.ReadFull(in, b[:n]); err != nil {
		return err
	}
	length := int64(binary.LittleEndian.Uint64(b[:]))
	if length > most || length > math.MaxInt32 {
		return fmt.Errorf("a text of %d bytes in a file of %d", length, most)
	}
	if op != longNumber { // not a number
		_, err := in.Discard(int(length))
		return err
	}
	if length > 8 {
		return fmt.Errorf("a number of %d bytes", length)
	}
	clear(b[:])
	if _, err := io.ReadFull(in, b[:length]); err != nil {
		return err
	}
	if v := int64(binary.LittleEndian.Uint64(b[:])); v > most || v < 0 {
		return fmt.Errorf("the number %d in a file of %d bytes", v, most)
	}
	return nil
}
