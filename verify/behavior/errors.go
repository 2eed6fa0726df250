package behavior

import (
	"slices"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/verify/behavior/replay"
)

// isError reports whether a value is an error in an interface.
func isError(n replay.Node) bool { return n.Kind == replay.Interface && n.Text != "" }

// lostError is what the chain of an error has lost: the first error in that of the one before
// that is not in that of the one now. An error that wraps the one before has lost nothing.
func lostError(before, now replay.Node) (replay.Node, bool) {
	chain := errorsOf(now)
	for _, was := range errorsOf(before) {
		if !slices.ContainsFunc(chain, func(is replay.Node) bool { return sameError(was, is) }) {
			return was, true
		}
	}
	return replay.Node{}, false
}

// errorsOf is the chain of an error, the error itself without one.
func errorsOf(n replay.Node) []replay.Node {
	if len(n.Wraps) == 0 {
		return []replay.Node{{Type: n.Type, Text: n.Text}}
	}
	return n.Wraps
}

func sameError(a, b replay.Node) bool {
	return (a.Type == b.Type || plainError.MatchString(a.Type) && plainError.MatchString(b.Type)) &&
		(a.Text == b.Text || settled(a.Text) == settled(b.Text))
}

// plainError matches the types of errors that are known by what they say and wrap only:
// nobody else can name them.
var plainError = lazyregexp.New(`^\*?([\w.~/-]+/)?(errors|xerrors|fmt)\.[a-z]`)

// settled is what an error says without what may be otherwise in another run, or after an
// edit: addresses, durations, times, temporary files, lines of source.
func settled(text string) string { return passing.ReplaceAllString(text, "…") }

// passing matches these, in text as replay writes it: quoted, as ASCII.
var passing = lazyregexp.New(`0x[0-9a-f]{6,}|\b(\d+h)?(\d+m)?\d+(\.\d+)?(ns|us|\\u00b5s|ms|s)\b` +
	`|\b(\d{4}[-/]\d\d[-/]\d\d[T ])?\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?|(/private)?(/tmp|/var/folders)/[^\s:"'\\]*|\.go:\d+(:\d+)?|\bgoroutine \d+`)

// onlyErrors reports whether all places have an error, and had another one.
func onlyErrors(places []Delta) bool {
	return len(places) > 0 && !slices.ContainsFunc(places, func(at Delta) bool { return !isError(at.Before) || !isError(at.After) })
}

// errors say which error a call returned or left, and which one it does now. Of two that say
// the same, what the one has lost is said.
func (w Words) errors(places []Delta) (was, now string) {
	at := places[0]
	was, now = w.value(at.Before), "another "+w.value(at.After)
	if lost, ok := lostError(at.Before, at.After); ok && settled(at.Before.Text) == settled(at.After.Text) {
		was, now = was+", which is "+lost.Type, now+", which is not"
		if lost.Text != at.Before.Text {
			was += " " + lost.Text
		}
	}
	if at.Argument {
		return "leaves " + was, "leaves " + now
	}
	return "returns " + was, "returns " + now
}
