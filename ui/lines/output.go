package lines

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/session"
)

// mark is before each line that the target printed.
const mark = "out: "

// maxRows is how many lines are printed at once; of more, the newest.
const maxRows = 500

// echo tells the target's output: whole lines as they come, the beginning of
// one when something else is said.
type echo struct {
	buffer  *output.Buffer // of the round
	printed int64          // whole lines printed so far
	open    string         // what of the next line was printed already
}

// printed prints what the target has written since the last time.
func (f *frontend) printed() {
	if f.opts.Beside {
		return
	}
	e := &f.echo
	if b := f.Output(); b != e.buffer {
		e.close(f.out)
		*e = echo{buffer: b}
	}
	if e.buffer == nil || f.state.Started.Mode.Kind == session.ModeTrace { // its text is at hand where it came from
		return
	}
	v := e.buffer.View(-1, maxRows+1)
	rows, _ := whole(v)
	first := v.Lines - int64(len(rows))
	if left := first - e.printed; left > 0 {
		fmt.Fprintf(f.out, mark+"… %d lines left out\n", left)
		e.printed, e.open = first, ""
	}
	for ; e.printed < v.Lines; e.printed++ {
		of, noted := e.buffer.Noted(e.printed)
		hit, traced := of.(debugger.TraceHit)
		switch {
		case !noted:
			e.tell(f.out, rows[e.printed-first])
		case traced:
			f.traced(hit, 0)
		}
	}
}

// whole splits what a view holds into whole lines and the one being written.
func whole(v output.View) (rows []string, open string) {
	if n := len(v.Rows); n > 0 && int64(v.Total) > v.Lines-v.Dropped {
		return v.Rows[:n-1], v.Rows[n-1]
	}
	return v.Rows, ""
}

// tell prints a line, or what of it was not printed yet.
func (e *echo) tell(w *bufio.Writer, row string) {
	row = session.Clean(row)
	rest, began := strings.CutPrefix(row, e.open)
	if e.open != "" && began && rest == "" {
		e.open = ""
		return
	}
	if began {
		row = rest
	}
	e.open = ""
	fmt.Fprintln(w, mark+row)
}

// close tells the beginning of a line whose end has not come, before something
// else is said: a prompt, mostly.
func (e *echo) close(w *bufio.Writer) {
	if e.buffer == nil {
		return
	}
	v := e.buffer.View(-1, 1)
	_, open := whole(v)
	if open == "" || v.Lines != e.printed {
		return
	}
	row := session.Clean(open)
	if rest, same := strings.CutPrefix(row, e.open); rest != "" {
		if same {
			row = rest
		}
		fmt.Fprintln(w, mark+row)
		e.open = session.Clean(open)
	}
}
