package bench

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/bench/runner"
	"github.com/pausetui/pausetui/internal/printable"
)

// progress says how far a run is: one line that is written again on a
// terminal, else a line for each cell of an open case.
type progress struct {
	w        io.Writer
	plan     matrix.Plan
	terminal bool
	began    time.Time

	mu    sync.Mutex
	first int           // done before; -1 until a cell has ended
	ended chan struct{} // closed with the progress
}

// newProgress says at once what is done: the first cells take long, because
// nothing is compiled yet.
func newProgress(w io.Writer, p matrix.Plan, cells, jobs int, terminal bool) *progress {
	b := &progress{w: w, plan: p, terminal: terminal, began: time.Now(), first: -1, ended: make(chan struct{})}
	words := fmt.Sprintf("running %s, %d at a time; the first take longest: what they need is compiled", counted(cells, "cell"), min(jobs, cells))
	if !terminal {
		b.line(words)
		return b
	}
	go b.wait(words)
	return b
}

// wait shows until the first cell has ended that something happens.
func (b *progress) wait(words string) {
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for {
		b.mu.Lock()
		if b.first >= 0 {
			b.mu.Unlock()
			return
		}
		printable.Fprintf(b.w, "\r\x1b[K%s  %s", printable.Duration(time.Since(b.began)), words)
		b.mu.Unlock()
		select {
		case <-b.ended:
			return
		case <-second.C:
		}
	}
}

func (b *progress) show(p runner.Progress) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.first < 0 {
		b.first = p.Skipped
	}
	column, of := b.plan.Columns[p.Cell.Column].Name(), b.plan.Cases[p.Cell.Case]
	if p.Err != nil {
		text := p.Err.Error()
		if of.Closed {
			text = "a closed case could not be measured"
		}
		b.line(fmt.Sprintf("%s: no result: %s", column, text))
	}
	text := fmt.Sprintf("%d/%d %s", p.Done, p.Total, column)
	if !of.Closed {
		text += " " + of.Name
	}
	if made := p.Done - b.first; made > 0 {
		each := time.Since(b.began) / time.Duration(made)
		left := printable.Duration(each * time.Duration(p.Total-p.Done))
		text += fmt.Sprintf(", %.1f cells a minute, %s left", time.Minute.Seconds()/each.Seconds(), left)
	}
	if p.Retrying {
		text += ", once more after errors"
	}
	if b.terminal {
		printable.Fprintf(b.w, "\r\x1b[K%s", text)
		return
	}
	if p.Err == nil {
		b.line(text)
	}
}

func (b *progress) line(text string) {
	if b.terminal {
		printable.Fprintf(b.w, "\r\x1b[K")
	}
	printable.Fprintln(b.w, text)
}

func (b *progress) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.first = max(b.first, 0)
	close(b.ended)
	if b.terminal {
		printable.Fprintf(b.w, "\r\x1b[K")
	}
}
