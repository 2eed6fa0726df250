package lines

import (
	"slices"

	"github.com/pausetui/pausetui/session"
)

// notBeside are words for what an editor does itself.
var notBeside = []string{"halt", "here", "output", "quit", "wait"}

// KnowsBeside reports whether a line of an editor's console is one of this frontend's.
func KnowsBeside(line string) bool {
	name, _ := split(line)
	_, known := findWord(name)
	return known && !slices.Contains(notBeside, name) || name == "y" || name == "n"
}

// besides tells an event of which an editor shows nothing.
func (f *frontend) besides(e session.Event) {
	switch b := e.Body.(type) {
	case *session.Launched:
		f.asked = false
	case *session.Stopped:
		f.at, f.asked = placeOf(b.Stop), f.asked && !b.Stop.Crashed()
	case *session.Diagnosed:
		if words := whyWords(f.state, b); words != "" {
			f.say("%s", words)
		}
	case *session.Checked: // what they come to is told
	default:
		f.fixed(e)
	}
}
