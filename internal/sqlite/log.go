package sqlite

import (
	"encoding/binary"
	"io"
)

// The write-ahead log: a header of 32 bytes, then frames of a header of 24
// bytes and a page.
const (
	logHeader   = 32
	frameHeader = 24
	logMagic    = 0x377f0682 // the last bit says that checksums are big-endian
	logVersion  = 3007000
)

// readLog finds the pages in the write-ahead log that are committed. Frames
// count as long as they carry the salts of the header and their checksums, each
// of which goes on from the one before, are right; what comes behind the last
// commit does not.
func (db *DB) readLog() error {
	h := make([]byte, logHeader)
	if db.log == nil {
		return nil
	}
	if _, err := db.log.ReadAt(h, 0); err != nil {
		return nil // empty: everything is in the database
	}
	word := func(b []byte, i int) uint32 { return binary.BigEndian.Uint32(b[4*i:]) }
	var order binary.ByteOrder = binary.LittleEndian
	if word(h, 0)&1 == 1 {
		order = binary.BigEndian
	}
	sum := checksum(order, [2]uint32{}, h[:24])
	if word(h, 0)&^1 != logMagic || word(h, 1) != logVersion || int(word(h, 2)) != db.pageSize || sum != [2]uint32{word(h, 6), word(h, 7)} {
		return nil // not begun yet, or a left-over: SQLite passes over it too
	}
	db.frames = map[uint32]int64{}
	open := map[uint32]int64{} // of a transaction that is not committed so far
	frame := make([]byte, frameHeader+db.pageSize)
	in := io.NewSectionReader(db.log, logHeader, db.stamps[1].size-logHeader)
	for at := int64(logHeader); ; at += int64(len(frame)) {
		if _, err := io.ReadFull(in, frame); err != nil {
			return nil
		}
		sum = checksum(order, checksum(order, sum, frame[:8]), frame[frameHeader:])
		if word(frame, 2) != word(h, 4) || word(frame, 3) != word(h, 5) || sum != [2]uint32{word(frame, 4), word(frame, 5)} {
			return nil
		}
		open[word(frame, 0)] = at + frameHeader
		if size := word(frame, 1); size > 0 {
			for page, at := range open {
				db.frames[page] = at
			}
			clear(open)
			db.pages = size
		}
	}
}

// checksum goes on from sum with b, whose length is a multiple of 8.
func checksum(order binary.ByteOrder, sum [2]uint32, b []byte) [2]uint32 {
	for i := 0; i+8 <= len(b); i += 8 {
		sum[0] += order.Uint32(b[i:]) + sum[1]
		sum[1] += order.Uint32(b[i+4:]) + sum[0]
	}
	return sum
}
