package builtin

import (
	"fmt"
	"go/ast"
	"regexp"
)

var leastWords = regexp.MustCompile(`(?i)\b(?:at least|never less than|no less than|not less than|never (?:goes )?below|minimum(?: of| is)?|counts? as)(?: at least)? (one|an?|\d+)\b`)

// leastSaid reads the smallest value that a comment allows: "at least one".
func leastSaid(text string) (string, bool) {
	m := leastWords.FindStringSubmatch(text)
	switch {
	case m == nil || m[1] == "0":
		return "", false
	case m[1][0] >= '0' && m[1][0] <= '9':
		return m[1], true
	}
	return "1", true
}

// divideByLeast divides by the smallest value that the comment on the function
// or on the divisor's field allows.
func (f *fixer) divideByLeast(s suspect) {
	list := f.saidOfFunction(s.place)
	if sel, ok := ast.Unparen(unconvert(s.place, s.bad)).(*ast.SelectorExpr); ok {
		if _, field := structOf(s.place, sel); field != nil {
			list = append(list, f.saidOfField(field)...)
		}
	}
	for _, said := range list {
		least, ok := leastSaid(said.text)
		if !ok {
			continue
		}
		f.offer(idea{title: fmt.Sprintf("divide by at least %s", least), weight: origin - 2, grounds: said.grounds(f),
			change: f.change().replace(s.bad.Pos(), s.bad.End(), fmt.Sprintf("max(%s, %s)", f.text(s.bad), least)),
			why:    fmt.Sprintf("%s counts as %s where it is less.", f.text(s.bad), least)})
		return
	}
}
