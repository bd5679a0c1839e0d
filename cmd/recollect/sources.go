package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
)

// defaultListed is how many memories a list shows by default.
const defaultListed = 20

// sourceCommands describe what each source contains, for the help texts.
var sourceCommands = map[memory.Source]string{
	memory.Patterns:    "What worked, and why",
	memory.Journal:     "Decisions",
	memory.Failures:    "What went wrong, and the fix",
	memory.Handoffs:    "Where sessions stopped, and what comes next",
	memory.Registry:    "Facts about projects",
	memory.Inbox:       "Raw notes",
	memory.Goals:       "What is still to be done",
	memory.Preferences: "What you always or never want",
	memory.Episodes:    "Past turns: what was asked and done",
	memory.Thinking:    "What Claude concluded in its reasoning",
	memory.Team:        "What others shared in this repository",
}

// addSources gives each source a command of its name.
func (a *app) addSources(root *cobra.Command) {
	root.AddGroup(&cobra.Group{ID: "sources", Title: "Sources (each with list, show and add):"})
	for _, src := range memory.Sources {
		if src == memory.Team { // nobody adds to it, see newTeam
			continue
		}
		cmd := a.newSource(src)
		cmd.GroupID = "sources"
		root.AddCommand(cmd)
	}
}

// newSource returns the command of a source, which lists its memories, shows one,
// or adds one.
func (a *app) newSource(src memory.Source) *cobra.Command {
	name := string(src)
	cmd := a.newList(src, name)
	cmd.Short = sourceCommands[src]
	cmd.Long = fmt.Sprintf("%s. Without a subcommand, lists them.", cmd.Short)
	cmd.Example = fmt.Sprintf("  recollect %s --all --limit 50\n  recollect %s show %s5f0c1a2b3c4d\n  recollect %s add \"…\"", name, name, src.Prefix(), name)
	list := a.newList(src, "list")
	list.Short = "List memories, newest first"
	add := a.storing("add TEXT", &name)
	add.Short = "Store a memory"
	cmd.AddCommand(list, newShow(a, src), add)
	return cmd
}

func (a *app) newList(src memory.Source, use string) *cobra.Command {
	var asJSON bool
	var at place
	var limit int
	cmd := &cobra.Command{
		Use:  use,
		Args: cli.Exactly(0, use+" takes none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			where, err := at.where(limit)
			if err != nil {
				return err
			}
			return a.ask(cmd.Context(), func(ctx context.Context, c *api.Client) error {
				l, err := c.List(ctx, api.List{Source: string(src), Where: where, Limit: limit})
				if err != nil {
					return err
				}
				if asJSON {
					return cli.PrintJSON(a.out, l)
				}
				return a.printList(l, at.all)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	at.listFlags(cmd)
	cmd.Flags().IntVarP(&limit, "limit", "n", defaultListed, "maximum number of memories")
	return cmd
}

func (a *app) printList(l api.Listing, all bool) error {
	if len(l.Memories) == 0 {
		none := "none in this project; --all lists those of all projects"
		if all {
			none = "none"
		}
		_, err := fmt.Fprintln(a.out, none)
		return err
	}
	if err := printShown(a.out, l.Memories); err != nil {
		return err
	}
	if n := len(l.Memories); n < l.Total {
		fmt.Fprintf(a.err, "recollect: the newest %d of %d; --limit shows more\n", n, l.Total)
	}
	return nil
}

func printShown(w io.Writer, memories []api.Shown) error {
	t := cli.Table{Columns: []cli.Column{
		{Title: "date", Spare: 2}, {Title: "id"}, {Title: "title", Flex: true}, {Title: "project", Spare: 1, Most: mostProject},
	}}
	for _, m := range memories {
		title := m.Title
		switch {
		case m.SupersededBy != "":
			title += " (superseded by " + m.SupersededBy + ")"
		case m.Done():
			title += " (done)"
		}
		t.Add(cli.Text("%s", date(m.When())), idSpan(m.ID), cli.Text("%s", title), nameSpan(m.Project))
	}
	return t.Print(w)
}

// mostProject is how many columns of a terminal the name of a project takes at most.
const mostProject = 16

// idSpan returns an id as it looks in a list.
func idSpan(id string) cli.Span { return cli.Span{Style: cli.Name, Text: id} }

// nameSpan returns the name of a project as it looks in a list, in which no name says anything
// beside itself.
func nameSpan(name string) cli.Span {
	if name == "" {
		return cli.Span{}
	}
	return cli.Text("%s", block.Name(name))
}

// date formats the day of a time; "-" if it is not known.
func date(at time.Time) string {
	if at.IsZero() {
		return "-"
	}
	return at.Local().Format(time.DateOnly)
}
