package bench

import (
	"bufio"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/bench/runner"
	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/llm/catalog"
	"github.com/pausetui/pausetui/llm/providers"
)

// What a cell takes, as the built-in cases showed with small and middle models.
const (
	promptPerCell = 3000 // tokens
	answerPerCell = 500
	checksPerCell = 15 * time.Second
	unknownSpeed  = 20 // tokens per second
)

// estimate is about what a run takes.
type estimate struct {
	cells          int
	prompt, answer int // tokens
	took           time.Duration
	cost           float64
	priced         bool
}

// estimateRun adds up what the cells of a run that are left take.
func estimateRun(p matrix.Plan, left []matrix.Cell, models map[string]runner.Model, jobs int, settings config.Config) estimate {
	e := estimate{cells: len(left)}
	known, _ := catalog.Load(catalog.Path()) // without it, nothing is known of speeds
	var together, solo time.Duration
	for _, c := range left {
		column := p.Columns[c.Column]
		cell := checksPerCell
		if column.Model != matrix.Builtin && !strings.HasPrefix(column.Model, runner.Scripted+"/") {
			e.prompt += promptPerCell
			e.answer += answerPerCell
			speed := float64(unknownSpeed)
			if entry, ok := known.Find(column.Model); ok && entry.Probe != nil && entry.Probe.Speed > 0 {
				speed = entry.Probe.Speed
			}
			cell += time.Duration(answerPerCell / speed * float64(time.Second))
			e.add(column.Model, settings)
		}
		if models[column.Model].Solo {
			solo += cell
		} else {
			together += cell
		}
	}
	e.took = solo + together/time.Duration(max(jobs, 1))
	return e
}

// add adds what the answers of a cell cost.
func (e *estimate) add(model string, settings config.Config) {
	provider, name, err := providers.Split(model)
	if err != nil {
		return
	}
	price := settings.Providers[provider].PriceOf(name)
	cost := (promptPerCell*price.In + answerPerCell*price.Out) / 1e6
	e.cost += cost
	e.priced = e.priced || cost > 0
}

func (e estimate) String() string {
	text := fmt.Sprintf("%d cells to run, about %s", e.cells, printable.Duration(e.took.Round(time.Minute)))
	if e.took < time.Minute {
		text = fmt.Sprintf("%d cells to run, about a minute", e.cells)
	}
	if e.prompt > 0 {
		text += fmt.Sprintf(", %dk tokens in and %dk out", e.prompt/1000, e.answer/1000)
	}
	if e.priced {
		text += fmt.Sprintf(", %.2f in the currency of the configured prices", e.cost)
	}
	return text
}

var errNotConfirmed = errors.New("nothing was run")

// confirm shows the plan and, on a terminal, asks.
func (o *runOptions) confirm(p matrix.Plan, e estimate) error {
	printable.Fprintf(o.errs, "%d models and prompts × %d cases × %d trials\n", len(p.Columns), len(p.Cases), p.Trials)
	if o.dir != "" {
		printable.Fprintf(o.errs, "in %s\n", o.dir)
	}
	for _, c := range p.Columns {
		printable.Fprintf(o.errs, "  %s\n", c.Name())
	}
	printable.Fprintf(o.errs, "%s\n", e)
	if o.yes || o.plan || !term.IsTerminal(o.Stdin.Fd()) || !cli.IsTerminal(o.errs) {
		return nil
	}
	printable.Fprintf(o.errs, "Run it? [y/N] ")
	line, _ := bufio.NewReader(o.Stdin).ReadString('\n') // without an answer it is no
	if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
		return errNotConfirmed
	}
	return nil
}
