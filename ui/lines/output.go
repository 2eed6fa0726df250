package lines

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/session"
)

// mark stands before each line that the target printed.
const mark = "out: "

// maxRows is how many lines are told at once; of more, the newest.
const maxRows = 500

// echo tells the target's output: whole lines as they come, the beginning of
// one when something else is said.
type echo struct {
	buffer *output.Buffer // of the round
	told   int64          // whole lines told so far
	open   string         // what of the next line was told already
}

// output tells what the target has printed since it was told last.
func (f *face) output() {
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
	if left := first - e.told; left > 0 {
		fmt.Fprintf(f.out, mark+"… %d lines left out\n", left)
		e.told, e.open = first, ""
	}
	for ; e.told < v.Lines; e.told++ {
		e.tell(f.out, rows[e.told-first])
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
	if open == "" || v.Lines != e.told {
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
