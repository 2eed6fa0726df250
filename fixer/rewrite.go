package fixer

import (
	"go/ast"

	"strings"
)

// instead puts lines in place of a statement.
func (ch *change) instead(s ast.Node, lines string) *change {
	return ch.replace(s.Pos(), s.End(), strings.ReplaceAll(lines, "\n", "\n"+lineIndentAt(ch.f, s)))
}

// insertAbove puts whole lines, with their line ends, above a statement and
// the comments that belong to it.
func (ch *change) insertAbove(s ast.Node, lines string) *change {
	name, start := ch.file(s.Pos())
	src := ch.f.source(name)
	indent, first := indentAt(src, start)
	if !first {
		ch.broken = true
		return ch
	}
	at := aboveComments(src, start-len(indent))
	ch.splices[name] = append(ch.splices[name], splice{at, at, lines, len(ch.splices[name])})
	return ch
}
