package models

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/catalog"
	"github.com/pausetui/pausetui/llm/providers"
)

// pullOptions are the options of models pull.
type pullOptions struct {
	*cli.System
	cli.Streams

	id string
}

func newPull(sys *cli.System, runF func(context.Context, *pullOptions) error) *cobra.Command {
	o := &pullOptions{System: sys}
	c := &cobra.Command{
		Use: "pull NAME", Short: "Fetch a model; ctrl+c stops, and pulling again continues",
		Args: cobra.ExactArgs(1),
	}
	if runF == nil {
		runF = runPull
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		o.Streams, o.id = cli.StreamsOf(c), modelID(args[0])
		return runF(c.Context(), o)
	}
	return c
}

func runPull(ctx context.Context, o *pullOptions) error {
	d, err := newDesk(o.System)
	if err != nil {
		return err
	}
	err = d.pull(ctx, o.id, newBar(o.Out))
	if errors.Is(err, context.Canceled) {
		printable.Fprintln(o.Errs, "stopped; what was fetched is kept: pull again to go on")
		return cli.ErrInterrupted
	}
	return err
}

func (d desk) pull(ctx context.Context, id string, bar *bar) error {
	source, name, err := providers.Split(id)
	if err != nil {
		return cli.UsageError(err)
	}
	provider, err := d.Provider(source)
	if err != nil {
		return cli.UsageError(err)
	}
	puller, ok := llm.Find[llm.Puller](provider)
	if !ok {
		return cli.UsageError(advice.Add(fmt.Errorf("provider %q cannot fetch models", source), "models of Ollama can be fetched: pausetui models pull ollama/NAME"))
	}
	err = puller.Pull(ctx, name, bar.show)
	bar.end()
	if err != nil {
		return err
	}
	d.Examine(ctx)
	words := id + " is there"
	if e, ok := d.Catalog().Find(id); ok && e.Size > 0 {
		words += " (" + catalog.Bytes(e.Size) + ")"
	}
	printable.Fprintf(bar.w, "%s: pausetui models probe %s tries it\n", words, id)
	return nil
}

// bar shows how far a pull has come: a bar that is drawn again on a terminal,
// else a line a tenth.
type bar struct {
	w     io.Writer
	width int // 0 when w is no terminal
	last  string
	tenth int64
	drawn time.Time
}

func newBar(w io.Writer) *bar {
	b := &bar{w: w, tenth: -1}
	if f, ok := w.(term.File); ok && term.IsTerminal(f.Fd()) {
		if width, _, err := term.GetSize(f.Fd()); err == nil {
			b.width = max(width, 20)
		}
	}
	return b
}

const redraw = 100 * time.Millisecond

func (b *bar) show(p llm.Progress) {
	status := printable.Line(p.Status)
	if b.width == 0 {
		b.line(status, p)
		return
	}
	if status == b.last && time.Since(b.drawn) < redraw && p.Done < p.Total {
		return
	}
	b.last, b.drawn = status, time.Now()
	printable.Fprintf(b.w, "\r\x1b[K%s", b.draw(status, p))
}

// draw is one row, narrower than the terminal.
func (b *bar) draw(status string, p llm.Progress) string {
	if p.Total <= 0 {
		return cut(status, b.width-1)
	}
	done := min(max(p.Done, 0), p.Total)
	words := fmt.Sprintf(" %3d %%  %s of %s", done*100/p.Total, catalog.Bytes(max(done, 1)), catalog.Bytes(p.Total))
	room := min(b.width-len(words)-2, 40)
	if room < 5 {
		return cut(strings.TrimSpace(words), b.width-1)
	}
	full := int(done * int64(room) / p.Total)
	return strings.Repeat("━", full) + strings.Repeat("┄", room-full) + words
}

func cut(s string, w int) string {
	r := []rune(s)
	return string(r[:min(len(r), max(w, 0))])
}

// line prints a status when it is new, and each tenth once.
func (b *bar) line(status string, p llm.Progress) {
	if p.Total <= 0 {
		if status != b.last {
			printable.Fprintln(b.w, status)
		}
		b.last = status
		return
	}
	if tenth := min(max(p.Done, 0), p.Total) * 10 / p.Total; tenth != b.tenth {
		b.tenth = tenth
		printable.Fprintf(b.w, "%3d %%  %s of %s\n", tenth*10, catalog.Bytes(max(p.Done, 1)), catalog.Bytes(p.Total))
	}
}

// end leaves the row of the bar.
func (b *bar) end() {
	if b.width > 0 && b.last != "" {
		printable.Fprintf(b.w, "\r\x1b[K")
	}
}
