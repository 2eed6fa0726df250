package fixer

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/printable"
)

// Bounds of what a sentence on a failing test quotes.
const (
	mostSeen  = 3  // values
	longValue = 60 // bytes of one
)

// describeFailure says what a failing test has seen, and in which case of its
// table. Which of two values is the right one only the test knows: there are no
// candidates.
func describeFailure(t debugger.FailingTest, class debugger.Class, where string) string {
	switch {
	case t.Call == "timeout":
		return t.Name + " had not ended when the time was up" + where
	case class == debugger.ExitClass:
		return t.Name + " ends the whole program" + where + ": no test runs after it"
	}
	var seen, at []string
	differs := t.Differs
	if c := t.Compared; len(differs) == 0 && len(c) == 2 && isText(c[0]) && isText(c[1]) && c[0].Value != c[1].Value {
		differs = []debugger.Difference{{A: c[0], B: c[1]}}
	}
	for _, d := range differs {
		a, b := quotedApart(d)
		seen = append(seen, d.A.Name+" is "+a, d.B.Name+" is "+b)
	}
	compared := t.Compared
	if len(differs) > 0 { // they say more than whole values, which are cut
		compared = nil
	}
	for i, v := range compared {
		root, _, _ := strings.Cut(v.Name, ".")
		shown := slices.ContainsFunc(t.Case, func(c debugger.Variable) bool { return c.Name == root })
		if len(seen) < mostSeen && (i < 2 || !shown) { // what it got and what it wants, in any case
			seen = append(seen, v.Name+" is "+quoted(v))
		}
	}
	for _, v := range t.Case {
		at = append(at, v.Name+" = "+quoted(v))
	}
	text := strings.Join(seen, ", ")
	if text == "" {
		text = t.Name + " fails" + where
	}
	if len(at) > 0 {
		text += "; the case: " + strings.Join(at, ", ")
	}
	return text
}

// quoted writes a value in a few words: of a struct its fields.
func quoted(v debugger.Variable) string { return clipped(quotedDeep(v, 2)) }

func quotedDeep(v debugger.Variable, depth int) string {
	inner := v.Deref()
	switch {
	case v.Nil:
		return "nil"
	case inner.Kind == reflect.String:
		return strconv.Quote(inner.Value)
	case depth > 0 && (inner.Kind == reflect.Struct || inner.Kind == reflect.Slice || inner.Kind == reflect.Array) && (len(inner.Children) > 0 || inner.Unloaded == 0):
		var parts []string
		for _, c := range inner.Children {
			part := quotedDeep(c, depth-1)
			if inner.Kind == reflect.Struct {
				part = c.Name + ": " + part
			}
			parts = append(parts, part)
		}
		if inner.Unloaded > 0 {
			parts = append(parts, "…")
		}
		if inner.Kind != reflect.Struct {
			return "[" + strings.Join(parts, " ") + "]"
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return inner.Value
}

// quotedApart writes the two values of a difference; of long strings the part in
// which they differ.
func quotedApart(d debugger.Difference) (a, b string) {
	if !isText(d.A) || !isText(d.B) {
		return quoted(d.A), quoted(d.B)
	}
	x, y := d.A.Deref(), d.B.Deref()
	same := 0
	for same < min(len(x.Value), len(y.Value)) && x.Value[same] == y.Value[same] {
		same++
	}
	if same < longValue/2 {
		return quoted(d.A), quoted(d.B)
	}
	from := len(printable.Cut(x.Value, same-10))
	cut := func(s string) string { return "…" + clipped(strconv.Quote(s[from:])) }
	return cut(x.Value), cut(y.Value)
}

func isText(v debugger.Variable) bool {
	v = v.Deref()
	return v.Kind == reflect.String && !v.Nil
}

func clipped(s string) string {
	if len(s) <= longValue {
		return s
	}
	return printable.Cut(s, longValue) + "…"
}

// whereIn names a frame in a clause.
func whereIn(f debugger.Frame, file string) string {
	return fmt.Sprintf(" in %s (%s:%d)", f.Function, file, f.Line)
}
