// Command origins measures how often the reason given for a stop names the declaration
// that the reference fix changes (docs/why.md). It measures the sentence made from the
// source alone, and the history that a run has recorded.
//
//	go run ./bench/origins [-case NAME] [-rows]
//
// It prints a row for each case of the corpus that anybody may read, and sums over these
// and over the others.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/pausetui/pausetui/bench"
	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/session"
)

func main() {
	reexec.Main()
	only := flag.String("case", "", "measure only cases whose name holds this")
	rows := flag.Bool("rows", false, "print the histories")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *only, *rows); err != nil {
		fmt.Fprintln(os.Stderr, "origins:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, only string, rows bool) error {
	cases, err := bench.Load(bench.Corpus())
	if err != nil {
		return err
	}
	var open, closed sums
	for _, c := range cases {
		if !c.CanBeFixed() || !strings.Contains(c.Name, only) {
			continue
		}
		a := ask(ctx, c)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !c.Open() {
			closed.add(a)
			continue
		}
		open.add(a)
		fmt.Printf("%-44s %s\n", c.Name, a.row(c.FixedIn()))
		for _, l := range a.lines {
			if rows {
				fmt.Println("     ", l.Text)
			}
		}
	}
	fmt.Println("open:  ", open)
	fmt.Println("closed:", closed)
	return nil
}

// answer is what was said of one stop.
type answer struct {
	reached         bool   // the run came to the same statement
	source, history string // the declarations named; empty for none
	listed          bool   // the history passes through the declaration to fix
	gave            bool   // its origin is an event that gave the value
	right           struct{ source, history bool }
	sentence        string
	lines           []session.Line
}

func (a answer) row(want string) string {
	mark := func(ok bool) string {
		if ok {
			return "✓"
		}
		return "·"
	}
	history := a.history
	if !a.reached {
		history = "(not reached)"
	}
	return fmt.Sprintf("%-28s source %s %-24s history %s %-24s listed %s gave %s\n      %s", want, mark(a.right.source), a.source, mark(a.right.history), history, mark(a.listed), mark(a.gave), a.sentence)
}

// sums count answers.
type sums struct{ cases, source, reached, history, listed, gave, either int }

func (s *sums) add(a answer) {
	count := func(n *int, holds bool) {
		if holds {
			*n++
		}
	}
	s.cases++
	count(&s.source, a.right.source)
	count(&s.reached, a.reached)
	count(&s.history, a.right.history)
	count(&s.listed, a.listed)
	count(&s.gave, a.gave)
	count(&s.either, a.right.history || a.gave)
}

func (s sums) String() string {
	return fmt.Sprintf("%d cases; by the source %d name the declaration to fix; %d runs reached the stop: %d name it, %d list it, in %d the origin gave the value, in %d either",
		s.cases, s.source, s.reached, s.history, s.listed, s.gave, s.either)
}
