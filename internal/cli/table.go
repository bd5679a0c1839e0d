package cli

import (
	"io"
	"slices"
	"strings"
)

// flexEnough is the width below which other columns are left out in favor of the flexible one.
const flexEnough = 28

// A Column is a column of a table.
type Column struct {
	Title string
	Right bool // aligned to the right, for numbers
	Most  int  // greatest width on a terminal; 0 for any
	Flex  bool // it gets the width that the others leave
	Spare int  // if the table is too wide, the column with the lowest is left out first; 0 for never
}

// A Table has rows of one line each, which fit the width of the terminal.
type Table struct {
	Columns []Column
	Titled  bool // with titles even if the output is not a terminal
	rows    [][]Span
}

// Add adds a row, with a cell for each column.
func (t *Table) Add(cells ...Span) {
	for i := range cells {
		cells[i].Text = oneLine(cells[i].Text)
	}
	t.rows = append(t.rows, cells)
}

// Print writes the table to w. On a terminal it has a line of titles, and is cut to the width of the
// terminal.
func (t *Table) Print(w io.Writer) error {
	width := Width(w)
	rows := t.rows
	if width > 0 || t.Titled {
		titles := make([]Span, len(t.Columns))
		for i, c := range t.Columns {
			titles[i] = Span{Heading, c.Title}
		}
		rows = slices.Concat([][]Span{titles}, rows)
	}
	widths := t.fitColumns(rows, width)
	for _, row := range rows {
		if err := Print(w, t.layOutLine(row, widths)...); err != nil {
			return err
		}
	}
	return nil
}

// fitColumns returns the width of each column, -1 for one that is left out.
func (t *Table) fitColumns(rows [][]Span, width int) []int {
	widths := make([]int, len(t.Columns))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], Columns(cell.Text))
		}
	}
	if width == 0 {
		return widths
	}
	flex := -1
	for i, c := range t.Columns {
		if c.Most > 0 {
			widths[i] = min(widths[i], c.Most)
		}
		if c.Flex {
			flex = i
		}
	}
	for {
		over := totalWidth(widths) - width
		least := 0 // least width of the flexible column
		if flex >= 0 {
			least = min(widths[flex], flexEnough)
			over -= widths[flex] - least
		}
		spare := t.sparestColumn(widths)
		if over > 0 && spare >= 0 {
			widths[spare] = -1
			continue
		}
		if flex >= 0 {
			widths[flex] = max(1, min(widths[flex], width-totalWidth(widths)+widths[flex]))
		}
		return widths
	}
}

func totalWidth(widths []int) int {
	sum := -columnSpacing
	for _, n := range widths {
		if n >= 0 {
			sum += n + columnSpacing
		}
	}
	return sum
}

// sparestColumn returns the index of the column to leave out next, -1 if all that are left are needed.
func (t *Table) sparestColumn(widths []int) int {
	found := -1
	for i, c := range t.Columns {
		there := c.Spare > 0 && widths[i] >= 0
		if there && (found < 0 || c.Spare < t.Columns[found].Spare) {
			found = i
		}
	}
	return found
}

// layOutLine returns a row with its cells cut and padded to the widths, without trailing spaces.
func (t *Table) layOutLine(row []Span, widths []int) []Span {
	var out []Span
	gap := 0
	for i, cell := range row {
		if widths[i] < 0 {
			continue
		}
		cell.Text = Clip(cell.Text, widths[i])
		pad := widths[i] - Columns(cell.Text)
		if t.Columns[i].Right {
			gap, pad = gap+pad, 0
		}
		if cell.Text != "" {
			out = append(out, Span{Text: strings.Repeat(" ", gap)}, cell)
			gap = 0
		}
		gap += pad + columnSpacing
	}
	return append(out, Span{Text: "\n"})
}
