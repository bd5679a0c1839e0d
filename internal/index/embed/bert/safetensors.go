package bert

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"recollect/internal/system/regular"
)

// maxHeader is the largest size of the table of contents of a safetensors file
// in bytes, as given by the format.
const maxHeader = 100 << 20

// numberBytes are the bytes per number of the types that this package reads. Models have tensors of other
// types too, such as tables of positions, which are not needed.
var numberBytes = map[string]int{"F32": 4, "F16": 2, "BF16": 2}

// An entry is one tensor in a safetensors file's table of contents.
type entry struct {
	Type    string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// openSafetensors opens a file of the format described at https://github.com/huggingface/safetensors: the
// length of a JSON header, the header, and the numbers, all little-endian. It reads the numbers on
// demand, until the file is closed.
func openSafetensors(path string) (tensors, io.Closer, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, nil, err
	}
	ts, err := safetensors(f)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return ts, f, nil
}

func safetensors(f *os.File) (tensors, error) {
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	entries, begin, err := readEntries(f, fi.Size())
	if err != nil {
		return nil, err
	}
	ts := tensors{}
	for name, e := range entries {
		if numberBytes[e.Type] == 0 {
			continue
		}
		if ts[name], err = e.tensor(f, begin, fi.Size()); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return ts, nil
}

// readEntries reads the table of contents and returns where the numbers begin.
func readEntries(f io.ReaderAt, size int64) (map[string]entry, int64, error) {
	var length [8]byte
	if _, err := f.ReadAt(length[:], 0); err != nil {
		return nil, 0, errors.New("is no safetensors file: it is too short")
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > maxHeader || int64(n) > size-8 {
		return nil, 0, errors.New("is no safetensors file, or its end is missing")
	}
	header := make([]byte, n)
	if _, err := f.ReadAt(header, 8); err != nil {
		return nil, 0, err
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(header, &raw); err != nil {
		return nil, 0, fmt.Errorf("is no safetensors file: %w", err)
	}
	delete(raw, "__metadata__")
	entries := make(map[string]entry, len(raw))
	for name, text := range raw {
		var e entry
		if err := json.Unmarshal(text, &e); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", name, err)
		}
		entries[name] = e
	}
	return entries, 8 + int64(n), nil
}

// tensor returns a tensor, which must lie within the file.
func (e entry) tensor(f io.ReaderAt, begin, size int64) (tensor, error) {
	from, to := e.Offsets[0], e.Offsets[1]
	if from < 0 || to < from || to > size-begin {
		return tensor{}, errors.New("lies outside the file: its end is missing")
	}
	n, width := int64(1), numberBytes[e.Type]
	for _, d := range e.Shape {
		if d < 0 || n > math.MaxInt32 {
			return tensor{}, fmt.Errorf("has the shape %v", e.Shape)
		}
		n *= int64(d)
	}
	if n*int64(width) != to-from {
		return tensor{}, fmt.Errorf("has %d bytes for the shape %v", to-from, e.Shape)
	}
	var b []byte
	read := func(dst []float32, first int) error {
		b = resize(b, len(dst)*width)
		if _, err := f.ReadAt(b, begin+from+int64(first*width)); err != nil {
			return err
		}
		decode(dst, b, e.Type)
		return nil
	}
	return tensor{e.Shape, read}, nil
}

func decode(dst []float32, b []byte, kind string) {
	for i := range dst {
		switch kind {
		case "F32":
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		case "BF16":
			dst[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(b[2*i:])) << 16)
		case "F16":
			dst[i] = half(binary.LittleEndian.Uint16(b[2*i:]))
		}
	}
}

// half converts an IEEE 754 number of 16 bits.
func half(h uint16) float32 {
	exponent, fraction := int(h>>10&0x1f), float64(h&0x3ff)
	var f float64
	switch exponent {
	case 0:
		f = math.Ldexp(fraction, -24)
	case 31:
		f = math.Inf(1)
		if fraction != 0 {
			f = math.NaN()
		}
	default:
		f = math.Ldexp(fraction+1024, exponent-25)
	}
	if h&0x8000 != 0 {
		f = -f
	}
	return float32(f)
}
