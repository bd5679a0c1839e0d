package vectors

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

// A file is a header followed by batches. All numbers are little-endian and of 32 bits. Header and
// batches are padded with zeros to a multiple of align.
//
//	header: magic, checksum of what follows, dimensions, length of version,
//	        version
//	batch:  checksum of what follows, rows, deleted, length of ids,
//	        length of watermark + 1 or 0 for none, zeros to align;
//	        vectors, align(dimensions) bytes a row;
//	        lengths of the vectors, inverted, a float a row;
//	        labels, two a row;
//	        ids of the rows and of what was deleted, each a varint length and
//	        the bytes; watermark
const (
	magic = "RCVEC\x00\x002" // the last byte is the format

	align       = 32 // bytes; a multiple of what the fastest dot product reads at once
	headerBytes = len(magic) + 3*4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func aligned(n int) int { return (n + align - 1) / align * align }

// encodeHeader returns the beginning of a file.
func encodeHeader(version string, dims int) []byte {
	b := make([]byte, headerBytes, aligned(headerBytes+len(version)))
	copy(b, magic)
	binary.LittleEndian.PutUint32(b[12:], uint32(dims))
	binary.LittleEndian.PutUint32(b[16:], uint32(len(version)))
	b = append(b, version...)
	b = b[:cap(b)]
	binary.LittleEndian.PutUint32(b[8:], crc32.Checksum(b[12:], castagnoli))
	return b
}

// A batch holds the changes of one update.
type batch struct {
	raw     []byte    // the bytes in the file
	vectors []byte    // the part of raw that begins at align
	inverse []float32 // 1 / length, of each vector
	labels  []Labels  // labels of each vector
	ids     []string
	deleted []string
	mark    []byte // the new watermark; nil leaves it unchanged
}

// encode sets raw from the other fields.
func (b *batch) encode() {
	ids := encodeIDs(encodeIDs(nil, b.ids), b.deleted)
	size := aligned(align + len(b.vectors) + 4*len(b.inverse) + labelBytes*len(b.labels) + len(ids) + len(b.mark))
	out := make([]byte, align, size)
	binary.LittleEndian.PutUint32(out[4:], uint32(len(b.ids)))
	binary.LittleEndian.PutUint32(out[8:], uint32(len(b.deleted)))
	binary.LittleEndian.PutUint32(out[12:], uint32(len(ids)))
	if b.mark != nil {
		binary.LittleEndian.PutUint32(out[16:], uint32(len(b.mark)+1))
	}
	out = append(out, b.vectors...)
	for _, inv := range b.inverse {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(inv))
	}
	for _, l := range b.labels {
		out = binary.LittleEndian.AppendUint32(out, uint32(l[0]))
		out = binary.LittleEndian.AppendUint32(out, uint32(l[1]))
	}
	out = append(out, ids...)
	out = append(out, b.mark...)
	out = out[:size]
	binary.LittleEndian.PutUint32(out, crc32.Checksum(out[4:], castagnoli))
	b.raw, b.vectors = out, out[align:align+len(b.vectors)]
}

func encodeIDs(out []byte, ids []string) []byte {
	for _, id := range ids {
		out = binary.AppendUvarint(out, uint64(len(id)))
		out = append(out, id...)
	}
	return out
}

// decode reads the batch at the start of file; stride is the number of bytes of a row. Only raw and
// vectors of the result share memory with file.
func decode(file []byte, stride int) (*batch, error) {
	if len(file) < align {
		return nil, fmt.Errorf("batch of %d bytes is too short", len(file))
	}
	field := func(i int) int64 { return int64(binary.LittleEndian.Uint32(file[4*i:])) }
	rows, deleted, idBytes, markBytes := field(1), field(2), field(3), max(field(4)-1, 0)
	vectorBytes := rows * int64(stride)
	size := align + vectorBytes + (4+labelBytes)*rows + idBytes + markBytes
	size = (size + align - 1) / align * align
	if size > int64(len(file)) {
		return nil, fmt.Errorf("batch of %d bytes: only %d are left", size, len(file))
	}
	if crc32.Checksum(file[4:size], castagnoli) != uint32(field(0)) {
		return nil, fmt.Errorf("checksum of a batch of %d bytes is wrong", size)
	}
	b := &batch{raw: file[:size]}
	rest := file[align:size]
	b.vectors, rest = rest[:vectorBytes], rest[vectorBytes:]
	b.inverse, rest = decodeFloats(rest[:4*rows]), rest[4*rows:]
	b.labels, rest = decodeLabels(rest[:labelBytes*rows]), rest[labelBytes*rows:]
	ids, err := decodeIDs(string(rest[:idBytes]), int(rows+deleted))
	if err != nil {
		return nil, err
	}
	b.ids, b.deleted = ids[:rows], ids[rows:]
	if field(4) > 0 {
		b.mark = append([]byte{}, rest[idBytes:idBytes+markBytes]...)
	}
	return b, nil
}

func decodeFloats(b []byte) []float32 {
	floats := make([]float32, len(b)/4)
	for i := range floats {
		floats[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return floats
}

func decodeLabels(b []byte) []Labels {
	labels := make([]Labels, len(b)/labelBytes)
	for i := range labels {
		at := b[labelBytes*i:]
		labels[i] = Labels{Label(binary.LittleEndian.Uint32(at)), Label(binary.LittleEndian.Uint32(at[4:]))}
	}
	return labels
}

func decodeIDs(text string, n int) ([]string, error) {
	if n > len(text) {
		return nil, fmt.Errorf("%d ids in %d bytes", n, len(text))
	}
	ids := make([]string, n)
	for i := range ids {
		length, used := binary.Uvarint([]byte(text[:min(len(text), binary.MaxVarintLen64)]))
		if used <= 0 || length > uint64(len(text)-used) {
			return nil, fmt.Errorf("id %d of %d is cut off", i, n)
		}
		ids[i], text = text[used:used+int(length)], text[used+int(length):]
	}
	return ids, nil
}
