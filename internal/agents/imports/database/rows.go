package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

const (
	// maxReading is the longest time that reading a table may take.
	maxReading = 10 * time.Minute
	// maxGaps is the largest number of gaps with unreadable rows in a table.
	maxGaps = 100
)

// errTooMuch means that a database returns more than its files can hold.
var errTooMuch = errors.New("it gives more than it can hold, so it was made to do harm, or is damaged")

// A tableReader says which function reads the rows of a table.
type tableReader struct {
	table string
	row   func(tableRow) error
}

// eachOf reads several tables.
func (r *reader) eachOf(ctx context.Context, db *database, readers ...tableReader) error {
	for _, t := range readers {
		if err := db.each(ctx, t.table, r.skip, t.row); err != nil {
			return err
		}
	}
	return nil
}

// each calls f for every row of a table until f returns an error, and skip for rows that cannot be read.
// A missing table has no rows, because not every version of a program has every table.
func (db *database) each(ctx context.Context, table string, skip func(error) error, f func(tableRow) error) error {
	within, cancel := context.WithTimeout(ctx, maxReading)
	defer cancel()
	columns, err := db.columns(table)
	if err != nil {
		return skip(err)
	}
	if len(columns) == 0 {
		return nil
	}
	t := &tableScan{database: db, name: table, columns: columns, from: math.MinInt64, f: f}
	t.numbered = t.hasNumbers(within)
	for range maxGaps {
		err := t.read(within)
		switch {
		case t.failed != nil:
			return t.failed
		case db.changed():
			return fmt.Errorf("read database %s: %w", db.path, errChanged)
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		}
		gap, more := t.skipGap(within)
		if err := skip(fmt.Errorf("%w (table %s%s)", db.explain(err), table, gap)); err != nil || !more {
			return err
		}
	}
	return skip(fmt.Errorf("read database %s: table %s has too many rows that cannot be read; those behind are left out", db.path, table))
}

// A tableScan reads the rows of a table in the order of their numbers, which nearly every table has.
type tableScan struct {
	*database
	name     string
	columns  []string
	numbered bool
	from     int64 // number of the first row that has not been read
	f        func(tableRow) error
	failed   error // error of f
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func (t *tableScan) hasNumbers(ctx context.Context) bool {
	rows, err := t.QueryContext(ctx, "SELECT rowid FROM "+quote(t.name)+" LIMIT 0")
	return err == nil && rows.Close() == nil
}

// query selects the rows that have not been read.
func (t *tableScan) query(ctx context.Context) (*sql.Rows, error) {
	var quoted []string
	for _, c := range t.columns {
		quoted = append(quoted, quote(c))
	}
	if !t.numbered {
		return t.QueryContext(ctx, "SELECT 0, "+strings.Join(quoted, ", ")+" FROM "+quote(t.name))
	}
	return t.QueryContext(ctx, "SELECT rowid, "+strings.Join(quoted, ", ")+" FROM "+quote(t.name)+" WHERE rowid >= ? ORDER BY rowid", t.from)
}

// read reads rows until the end or an error.
func (t *tableScan) read(ctx context.Context) error {
	rows, err := t.query(ctx)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		row, number, err := t.scan(rows)
		if err != nil {
			return err
		}
		if t.failed = t.f(row); t.failed != nil {
			return t.failed
		}
		if number == math.MaxInt64 {
			return nil
		}
		t.from = number + 1
	}
	return rows.Err()
}

func (t *tableScan) scan(rows *sql.Rows) (tableRow, int64, error) {
	values, into := make([]any, len(t.columns)+1), make([]any, len(t.columns)+1)
	for i := range values {
		into[i] = &values[i]
	}
	if err := rows.Scan(into...); err != nil {
		return nil, 0, err
	}
	row := make(tableRow, len(t.columns))
	t.budget -= 8
	for i, column := range t.columns {
		row[column] = values[i+1]
		switch v := values[i+1].(type) {
		case string:
			t.budget -= int64(len(v))
		case []byte:
			t.budget -= int64(len(v))
		}
	}
	if t.budget < 0 {
		return nil, 0, errTooMuch
	}
	number, _ := values[0].(int64)
	return row, number, nil
}

// skipGap skips the rows that cannot be read and names them: one row if only a value of it is unreadable,
// else all rows up to the next readable one.
func (t *tableScan) skipGap(ctx context.Context) (gap string, more bool) {
	if !t.numbered || t.budget < 0 || ctx.Err() != nil {
		return ", and what is behind", false
	}
	if bad, ok := t.next(ctx, t.from); ok && bad < math.MaxInt64 {
		t.from = bad + 1
		return fmt.Sprintf(", row %d", bad), true
	}
	low, high := t.from, int64(0) // nothing can be read at low
	for step := int64(1); ; step *= 2 {
		if high = t.from + step; high < t.from || step > math.MaxInt64/2 {
			return ", and what is behind", false
		}
		if _, ok := t.next(ctx, high); ok {
			break
		}
		low = high
	}
	for high-low > 1 {
		middle := low + (high-low)/2
		if _, ok := t.next(ctx, middle); ok {
			high = middle
		} else {
			low = middle
		}
	}
	gap = fmt.Sprintf(", rows before %d", high)
	t.from = high
	return gap, true
}

// next returns the number of the first row at from or later. It returns false if that cannot be read or
// there is none.
func (t *tableScan) next(ctx context.Context, from int64) (number int64, ok bool) {
	err := t.QueryRowContext(ctx, "SELECT rowid FROM "+quote(t.name)+" WHERE rowid >= ? ORDER BY rowid LIMIT 1", from).Scan(&number)
	return number, err == nil
}
