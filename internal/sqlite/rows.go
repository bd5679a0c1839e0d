package sqlite

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"strconv"
	"unicode/utf16"
)

// Text encodings of a database.
const (
	utf16le = 2
	utf16be = 3
)

// Kinds of pages of a table.
const (
	interior = 5
	leaf     = 13
)

// maxDepth bounds how deep a table's tree may be; SQLite's own bound is 20.
const maxDepth = 20

// A Row is what one row of a table has in each column: nil, int64, float64,
// string or []byte. Columns that were added to the table later are missing
// from rows that are older.
type Row map[string]any

// Text returns the first of the columns that holds text or a number that is
// not 0, as text, else "".
func (r Row) Text(columns ...string) string {
	for _, c := range columns {
		switch v := r[c].(type) {
		case string:
			if v != "" {
				return v
			}
		case int64:
			if v != 0 {
				return strconv.FormatInt(v, 10)
			}
		case float64:
			if v != 0 {
				return strconv.FormatFloat(v, 'g', -1, 64)
			}
		}
	}
	return ""
}

// Int returns a column that holds a whole number, else 0.
func (r Row) Int(column string) int64 {
	switch v := r[column].(type) {
	case int64:
		return v
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v)
		}
	}
	return 0
}

// Has reports whether there is a table of that name.
func (db *DB) Has(name string) bool {
	_, ok := db.tables[name]
	return ok
}

// Rows returns the rows of a table in the order of their rowids; of a table
// that does not exist, none. After an error there are no more.
func (db *DB) Rows(name string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		t, ok := db.tables[name]
		if !ok {
			return
		}
		err := t.err
		if err == nil {
			err = db.walk(t.root, func(rowid int64, values []any) bool { return yield(t.row(rowid, values), nil) })
		}
		if err == nil {
			err = db.unchanged()
		}
		if err != nil && err != errStopped {
			yield(nil, fmt.Errorf("read table %s of %s: %w", name, db.path, err))
		}
	}
}

// walk calls each with the rows of the table whose tree begins at root, until
// it returns false, which is errStopped.
func (db *DB) walk(root uint32, each func(rowid int64, values []any) bool) error {
	w := walker{db: db, each: each, left: db.pages}
	return w.page(root, maxDepth)
}

type walker struct {
	db   *DB
	each func(rowid int64, values []any) bool
	left uint32 // pages that may still come: a tree has none twice
}

func (w *walker) page(n uint32, depth int) error {
	page, err := w.db.page(n)
	if err != nil {
		return err
	}
	if depth == 0 || w.left == 0 {
		return errDamaged
	}
	w.left--
	start := 0
	if n == 1 {
		start = headerSize
	}
	h := page[start:]
	cells, pointers := int(binary.BigEndian.Uint16(h[3:])), h[8:]
	if h[0] == interior {
		pointers = h[12:]
	} else if h[0] != leaf {
		return errDamaged
	}
	if len(pointers) < 2*cells {
		return errDamaged
	}
	for i := range cells {
		at := int(binary.BigEndian.Uint16(pointers[2*i:]))
		if at > w.db.usable-4 {
			return errDamaged
		}
		if h[0] == interior {
			err = w.page(binary.BigEndian.Uint32(page[at:]), depth-1)
		} else {
			err = w.cell(page[at:w.db.usable])
		}
		if err != nil {
			return err
		}
	}
	if h[0] == interior {
		return w.page(binary.BigEndian.Uint32(h[8:]), depth-1)
	}
	return nil
}

// cell reads one row: the length of its record, the rowid, and the record.
func (w *walker) cell(b []byte) error {
	size, n := varint(b)
	rowid, m := varint(b[n:])
	if n == 0 || m == 0 {
		return errDamaged
	}
	record, err := w.db.payload(b[n+m:], size)
	if err != nil {
		return err
	}
	values, err := w.db.decode(record)
	if err != nil {
		return err
	}
	if !w.each(int64(rowid), values) {
		return errStopped
	}
	return nil
}

// payload returns a record of size bytes that begins in b and goes on in
// overflow pages where it does not fit.
func (db *DB) payload(b []byte, size uint64) ([]byte, error) {
	if size > min(maxPayload, uint64(db.pages)*uint64(db.usable)) {
		return nil, fmt.Errorf("a row of %d bytes: %w", size, errDamaged)
	}
	local, most, least := int(size), db.usable-35, (db.usable-12)*32/255-23
	if local > most {
		if local = least + (int(size)-least)%(db.usable-4); local > most {
			local = least
		}
	}
	if local > len(b) {
		return nil, errDamaged
	}
	if local == int(size) {
		return b[:local], nil
	}
	if local+4 > len(b) {
		return nil, errDamaged
	}
	out, next := append([]byte(nil), b[:local]...), binary.BigEndian.Uint32(b[local:])
	for len(out) < int(size) {
		page, err := db.page(next)
		if err != nil {
			return nil, err
		}
		out = append(out, page[4:4+min(db.usable-4, int(size)-len(out))]...)
		next = binary.BigEndian.Uint32(page)
	}
	return out, nil
}

// decode reads the values of a record: a header with the type of each, then
// their bytes.
func (db *DB) decode(record []byte) ([]any, error) {
	size, n := varint(record)
	if n == 0 || size > uint64(len(record)) || size < uint64(n) {
		return nil, errDamaged
	}
	types, body := record[n:size], record[size:]
	var values []any
	for len(types) > 0 {
		kind, n := varint(types)
		width := widthOf(kind)
		if n == 0 || width > uint64(len(body)) {
			return nil, errDamaged
		}
		values = append(values, db.value(kind, body[:width]))
		types, body = types[n:], body[width:]
	}
	return values, nil
}

// widthOf returns how many bytes a value of a type has.
func widthOf(kind uint64) uint64 {
	switch {
	case kind >= 12:
		return (kind - 12) / 2
	case kind == 5:
		return 6
	case kind == 6 || kind == 7:
		return 8
	case kind <= 4:
		return kind
	}
	return 0 // the constants 0 and 1, and what is reserved
}

func (db *DB) value(kind uint64, b []byte) any {
	switch {
	case kind == 0:
		return nil
	case kind == 7:
		return math.Float64frombits(binary.BigEndian.Uint64(b))
	case kind <= 6:
		v := int64(int8(b[0]))
		for _, c := range b[1:] {
			v = v<<8 | int64(c)
		}
		return v
	case kind < 12:
		return int64(kind) - 8
	case kind%2 == 0:
		return append([]byte(nil), b...)
	}
	return db.text(b)
}

func (db *DB) text(b []byte) string {
	var order binary.ByteOrder = binary.LittleEndian
	switch db.encoding {
	case utf16le:
	case utf16be:
		order = binary.BigEndian
	default:
		return string(b)
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = order.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}

// varint reads a number of up to nine bytes, the highest first, and returns
// how many there were, 0 where b ends too early. The ninth has eight bits.
func varint(b []byte) (v uint64, n int) {
	for i, c := range b[:min(9, len(b))] {
		if i == 8 {
			return v<<8 | uint64(c), 9
		}
		v = v<<7 | uint64(c&0x7f)
		if c < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}
