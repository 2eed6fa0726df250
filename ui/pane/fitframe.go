package pane

import (
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/ui/text"
)

// fitFrame writes a function's name and its place, "index.go:42", in w cells
// together. What is left out first is the package and the star of a receiver
// (always, if bare), then the receiver, then the file from the left, up to the
// line's number, and the end of the name last.
func fitFrame(function, place string, w int, bare bool) (string, string) {
	w--
	names := spellings(function)
	if bare {
		names = names[min(1, len(names)-1):]
	}
	name := names[0]
	for _, name = range names {
		if text.Width(name)+text.Width(place) <= w {
			return name, place
		}
	}
	if place != "" {
		line := place[strings.LastIndexByte(place, ':')+1:]
		place = text.CutPlace(place, max(w-text.Width(name), text.Width(line)+1))
	}
	return text.Cut(name, max(w-text.Width(place), 1)), place
}

// shortNames reports whether functions are written without the star of their receiver
// in a pane of some width, in the stack as in the goroutines beside it.
func shortNames(width int) bool { return width < roomy }

// cutFunction shortens a function's name to w cells.
func cutFunction(name string, w int) string {
	name, _ = fitFrame(name, "", w+1, false)
	return name
}

var (
	// receiver is a pointer receiver, in the name of a method without its package.
	receiver = lazyregexp.New(`^\(\*([^()]+)\)\.`)
	// inner is how the compiler names functions in functions.
	inner = lazyregexp.New(`^(func|gowrap|deferwrap|range)?\d+\b`)
)

// withoutReceiver leaves out the value receiver of a method's name without its package.
func withoutReceiver(symbol string) string {
	_, method, found := strings.Cut(symbol, ".")
	if !found || strings.ContainsAny(symbol, "([") || inner.MatchString(method) {
		return symbol
	}
	return method
}

// spellings are a function's name as a reader of the program writes it, and shorter ones:
// "syntax.(*Parser).next", "Parser.next", "next".
func spellings(function string) []string {
	list := []string{text.Line(text.Function(function))}
	_, symbol := debugger.CutFunction(function)
	for _, symbol := range []string{receiver.ReplaceAllString(symbol, "$1."), receiver.ReplaceAllString(symbol, ""), withoutReceiver(symbol)} {
		short := text.Line(text.Function(symbol))
		if short != "" && text.Width(short) < text.Width(list[len(list)-1]) {
			list = append(list, short)
		}
	}
	return list
}
