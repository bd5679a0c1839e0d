package ui

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// chartDays is how many days are shown; the daemon counts 90.
const chartDays = 45

// promptEvent is Claude Code's event at which a prompt is sent.
const promptEvent = "UserPromptSubmit"

// eventNames are names in words for the events at which memories are injected.
var eventNames = []struct{ Event, Name string }{
	{promptEvent, "prompt"}, {"SessionStart", "session start"}, {"PreToolUse", "tool call"}, {"SubagentStart", "sub-agent"},
}

// A chartsPage has the charts and tables of the statistics by day.
type chartsPage struct {
	Days    []dayRow
	Tokens  chart
	Latency chart
	Use     chart
	Sources []sourceRow
	Totals  api.Injections
	Legend  []string
}

// A dayRow has the numbers of a day, which appear in a chart and in a table.
type dayRow struct {
	Date     time.Time
	Tokens   []int // by event, in the order of eventNames
	Recalls  int
	P50, P95 float64 // of prompts, in milliseconds
	Injected int
	Used     int
}

// A sourceRow has the numbers of a source.
type sourceRow struct {
	Source memory.Source
	api.SourceStats
	Width int // of the bar, in percent
}

// A chart is an SVG of chartWidth by chartHeight.
type chart struct {
	Bars   []bar
	Lines  []line
	Ticks  []tick // of the vertical axis
	Labels []tick // of the horizontal axis
	Empty  bool
}

// A bar is one part of a column; Kind selects its color.
type bar struct {
	X, Y, W, H float64
	Kind       int
	Title      string
}

// A line connects the points of several days.
type line struct {
	Points string
	Dots   []bar
	Kind   int
}

type tick struct {
	At   float64
	Text string
}

// The size of a chart, and the space for its axes.
const (
	chartWidth, chartHeight = 720.0, 170.0
	leftAxis, lowerAxis     = 44.0, 20.0
	upperEdge, rightEdge    = 8.0, 16.0
)

// showCharts shows tokens, times and use by day.
func (s *Server) showCharts(r *http.Request) (view, error) {
	since := time.Now().AddDate(0, 0, 1-chartDays)
	days, err := ask(s, r.Context(), api.With((*api.Client).Days, since))
	if err != nil {
		return view{}, err
	}
	stats, err := ask(s, r.Context(), api.With((*api.Client).Stats, time.Time{}))
	p := chartsPage{Days: rowsByDay(days.Days, time.Now())}
	for _, e := range eventNames {
		p.Legend = append(p.Legend, e.Name)
	}
	p.Tokens, p.Latency, p.Use = tokensChart(p.Days), latencyChart(p.Days), useChart(p.Days)
	most := 1
	for _, src := range memory.Sources {
		if n := stats.Sources[src]; n != nil {
			p.Sources = append(p.Sources, sourceRow{Source: src, SourceStats: *n})
			most = max(most, n.Memories)
			p.Totals.Injected, p.Totals.Used = p.Totals.Injected+n.Injected, p.Totals.Used+n.Used
			p.Totals.Assessed, p.Totals.Tokens = p.Totals.Assessed+n.Assessed, p.Totals.Tokens+n.Tokens
		}
	}
	for i, row := range p.Sources {
		p.Sources[i].Width = toPercent(float64(row.Memories) / float64(most))
	}
	return view{Title: "Charts", Main: p}, err
}

// rowsByDay returns a row for each day up to today, also for days on which nothing happened.
func rowsByDay(days []api.Day, today time.Time) []dayRow {
	byDate := map[string]api.Day{}
	for _, d := range days {
		byDate[d.Date] = d
	}
	var rows []dayRow
	for back := chartDays - 1; back >= 0; back-- {
		date := today.UTC().AddDate(0, 0, -back)
		row := dayRow{Date: date, Tokens: make([]int, len(eventNames))}
		for i, e := range eventNames {
			if n := byDate[date.Format(time.DateOnly)].Events[e.Event]; n != nil {
				row.Tokens[i] = n.Tokens
				row.Recalls += n.Recalls
				row.Injected, row.Used = row.Injected+n.Injected, row.Used+n.Used
				if i == 0 {
					row.P50, row.P95 = n.P50, n.P95
				}
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func columnWidth(days []dayRow) float64 {
	return (chartWidth - leftAxis - rightEdge) / float64(len(days))
}

func tokensChart(days []dayRow) chart {
	return drawColumns(days, func(d dayRow) ([]int, string) {
		sum := 0
		for _, n := range d.Tokens {
			sum += n
		}
		return d.Tokens, fmt.Sprintf("%s: %s tokens", d.Date.Format("2 Jan"), formatNumber(sum))
	})
}

func useChart(days []dayRow) chart {
	return drawColumns(days, func(d dayRow) ([]int, string) {
		return []int{2: d.Used, 3: d.Injected - d.Used}, fmt.Sprintf("%s: %s injected, %s of them known to be used", d.Date.Format("2 Jan"), formatNumber(d.Injected), formatNumber(d.Used))
	})
}

// drawColumns draws a column with several parts for each day.
func drawColumns(days []dayRow, parts func(dayRow) ([]int, string)) chart {
	most := 0
	for _, d := range days {
		sum := 0
		list, _ := parts(d)
		for _, n := range list {
			sum += n
		}
		most = max(most, sum)
	}
	c, scale := drawAxes(days, float64(most))
	step := columnWidth(days)
	for i, d := range days {
		list, title := parts(d)
		y := chartHeight - lowerAxis
		for kind, n := range list {
			if n == 0 {
				continue
			}
			h := float64(n) * scale
			y -= h
			c.Bars = append(c.Bars, bar{X: leftAxis + float64(i)*step + 1, Y: y, W: step - 2, H: h, Kind: kind, Title: title})
		}
	}
	return c
}

func latencyChart(days []dayRow) chart {
	most := 0.0
	for _, d := range days {
		most = max(most, d.P95)
	}
	c, scale := drawAxes(days, most)
	step := columnWidth(days)
	for kind, value := range []func(dayRow) float64{func(d dayRow) float64 { return d.P50 }, func(d dayRow) float64 { return d.P95 }} {
		var l line
		var points []string
		for i, d := range days {
			if value(d) == 0 {
				continue
			}
			x, y := leftAxis+(float64(i)+0.5)*step, chartHeight-lowerAxis-value(d)*scale
			points = append(points, fmt.Sprintf("%.1f,%.1f", x, y))
			l.Dots = append(l.Dots, bar{X: x, Y: y, Title: fmt.Sprintf("%s: %.1f ms (%s)", d.Date.Format("2 Jan"), value(d), []string{"p50", "p95"}[kind])})
		}
		l.Points, l.Kind = strings.Join(points, " "), kind
		c.Lines = append(c.Lines, l)
	}
	return c
}

// drawAxes returns a chart with axes for values up to most, and the factor from values to coordinates.
func drawAxes(days []dayRow, most float64) (c chart, scale float64) {
	if c.Empty = most <= 0; c.Empty {
		return c, 0
	}
	unit := niceStep(most)
	top := unit * math.Ceil(most/unit)
	scale = (chartHeight - lowerAxis - upperEdge) / top
	for v := 0.0; v <= top+unit/2; v += unit {
		c.Ticks = append(c.Ticks, tick{chartHeight - lowerAxis - v*scale, shortNumber(v)})
	}
	step := columnWidth(days)
	for i := len(days) - 1; i >= 0; i -= 7 {
		c.Labels = append(c.Labels, tick{leftAxis + (float64(i)+0.5)*step, days[i].Date.Format("2 Jan")})
	}
	slices.SortFunc(c.Labels, func(a, b tick) int { return cmp.Compare(a.At, b.At) })
	return c, scale
}

// niceStep returns the distance between ticks for about four of them: 1, 2 or 5 times a power of ten.
func niceStep(most float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(most/4)))
	for _, times := range []float64{1, 2, 5} {
		if times*power >= most/4 {
			return times * power
		}
	}
	return 10 * power
}

func shortNumber(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%gM", v/1e6)
	case v >= 1e4:
		return fmt.Sprintf("%gk", v/1e3)
	}
	return fmt.Sprintf("%g", math.Round(v*1000)/1000)
}
