package pane

import (
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// plainWords may be names of variables too, and stand in our sentences as words.
var plainWords = map[string]bool{
	"a": true, "an": true, "and": true, "as": true, "at": true, "by": true, "for": true, "from": true, "has": true, "in": true, "is": true, "it": true,
	"no": true, "not": true, "of": true, "on": true, "one": true, "or": true, "so": true, "the": true, "to": true, "was": true, "with": true,
}

// Named reports whether a word is the name of a variable of a stop's frame, or of a
// function on its stack.
func Named(stop debugger.Stop) func(string) bool {
	names := map[string]bool{}
	for i, f := range stop.Frames {
		if f.User {
			names[f.Function[strings.LastIndexByte(f.Function, '.')+1:]] = true
		}
		if i == stop.Selected {
			for _, list := range [][]debugger.Variable{f.Args, f.Locals} {
				for _, v := range list {
					names[v.Name] = true
				}
			}
		}
	}
	return func(word string) bool { return names[word] && !plainWords[word] }
}
