package lines

import "github.com/pausetui/pausetui/engine/console"

// losing is a line that ends the program, and with it the stop.
type losing struct {
	stop   int // how many stops there have been
	line   string
	agreed bool // the person has said it twice at this stop
}

// command carries out a line of the command line. A step that ends the program
// is to be said twice, once for each stop: what the program holds is lost then. A
// script means what it says.
func (f *frontend) command(text string) {
	stop, held := f.state.CurrentStop()
	again := f.losing.line != "" && (text == "y" || text == f.losing.line)
	switch at := len(f.state.Stops); {
	case held && again && f.losing.stop == at:
		text = f.losing.line
		f.losing = losing{stop: at, agreed: true}
	case held && stop.Stop.Dies() && f.steps(text) && !f.opts.Script && (f.losing.stop != at || !f.losing.agreed):
		f.losing = losing{stop: at, line: text}
		f.say("this ends the program: y, or the same command again, goes on; locals and goroutines can be read before it")
		return
	default:
		f.losing.line = ""
	}
	f.evaluate(text)
}

// steps reports whether a line lets the target run on from where it is held.
func (f *frontend) steps(text string) bool {
	table := console.NewTable()
	if f.live.Commands != nil {
		table = *f.live.Commands
	}
	c, _, ok := table.Split(table.Carried(text))
	return ok && c.Steps()
}
