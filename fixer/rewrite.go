package fixer

import (
	"go/ast"
	"go/token"
	"strings"
)

// moveBefore moves whole statements, with the comments above them, before
// another one of the same indentation.
func (ch *change) moveBefore(list []ast.Stmt, to ast.Stmt) *change {
	text := ch.cut(list)
	name, start := ch.file(to.Pos())
	src := ch.f.source(name)
	indent, _ := indentAt(src, start)
	if strings.HasSuffix(src[:aboveComments(src, start-len(indent))], "\n\n") {
		text += "\n"
	}
	return ch.insertAbove(to, text)
}

// instead puts lines in place of a statement.
func (ch *change) instead(s ast.Node, lines string) *change {
	return ch.replace(s.Pos(), s.End(), strings.ReplaceAll(lines, "\n", "\n"+lineIndentAt(ch.f, s)))
}

// cut removes statements that follow one another and returns their text.
func (ch *change) cut(list []ast.Stmt) string {
	f := ch.f
	text := ""
	for _, s := range list {
		name, start := ch.file(s.Pos())
		_, end := ch.file(s.End())
		src := f.source(name)
		indent, first := indentAt(src, start)
		eol := strings.IndexByte(src[min(end, len(src)):], '\n')
		if !first || eol < 0 {
			ch.broken = true
			return ""
		}
		from, to := aboveComments(src, start-len(indent)), end+eol+1
		if text != "" && strings.HasSuffix(strings.TrimRight(src[:from], " \t"), "\n\n") {
			text += "\n"
		}
		text += src[from:to]
		if strings.HasSuffix(src[:from], "\n\n") && strings.HasPrefix(src[to:], "\n") {
			to++ // one empty line is left of two
		}
		ch.splices[name] = append(ch.splices[name], splice{from, to, "", len(ch.splices[name])})
	}
	return text
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

// insertBelow puts whole lines below the line on which a statement ends.
func (ch *change) insertBelow(s ast.Node, lines string) *change {
	name, _ := ch.file(s.Pos())
	_, end := ch.file(s.End())
	src := ch.f.source(name)
	eol := strings.IndexByte(src[min(end, len(src)):], '\n')
	if eol < 0 {
		ch.broken = true
		return ch
	}
	at := end + eol + 1
	ch.splices[name] = append(ch.splices[name], splice{at, at, lines, len(ch.splices[name])})
	return ch
}

// wrap puts lines around statements that follow one another: what stands
// between is indented by gofmt.
func (ch *change) wrap(list []ast.Stmt, before, after string) *change {
	if len(list) == 0 {
		ch.broken = true
		return ch
	}
	return ch.insertAbove(list[0], before+"\n").insertBelow(list[len(list)-1], after+"\n")
}

// statements returns the list of statements that a block or clause holds.
func statements(block ast.Node) []ast.Stmt {
	switch b := block.(type) {
	case *ast.BlockStmt:
		return b.List
	case *ast.CaseClause:
		return b.Body
	case *ast.CommClause:
		return b.Body
	}
	return nil
}

// top returns the statement of the function's outermost list that holds the node.
func (p place) top() ast.Stmt {
	body := bodyOf(p.function())
	for i, n := range p.path {
		if i+1 < len(p.path) && p.path[i+1] == ast.Node(body) {
			s, _ := n.(ast.Stmt)
			return s
		}
	}
	return nil
}

// within returns the statement of a list that holds a position, and its index.
func within(list []ast.Stmt, pos token.Pos) (ast.Stmt, int) {
	for i, s := range list {
		if contains(s, pos) {
			return s, i
		}
	}
	return nil, -1
}

// leaves reports whether statements contain a way out of the function or of a
// loop around them.
func leaves(list []ast.Stmt) bool {
	found := false
	for _, s := range list {
		depth := 0
		var check func(ast.Node) bool
		check = func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				found = true
			case *ast.BranchStmt:
				if n.Label != nil || n.Tok == token.GOTO || depth == 0 {
					found = true
				}
			case *ast.ForStmt:
				depth++
				ast.Inspect(n.Body, check)
				depth--
				return false
			case *ast.RangeStmt:
				depth++
				ast.Inspect(n.Body, check)
				depth--
				return false
			case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				// break leaves it; continue does not, but is rare enough to refuse
				depth++
				for _, c := range bodyOfSwitch(n).List {
					ast.Inspect(c, check)
				}
				depth--
				return false
			}
			return true
		}
		ast.Inspect(s, check)
	}
	return found
}

func bodyOfSwitch(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.SwitchStmt:
		return n.Body
	case *ast.TypeSwitchStmt:
		return n.Body
	case *ast.SelectStmt:
		return n.Body
	}
	return &ast.BlockStmt{}
}

// declaresFor reports whether statements declare something that the statements
// after them use.
func declaresFor(p place, list, rest []ast.Stmt) bool {
	declared := map[any]bool{}
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				for _, l := range s.Lhs {
					if id, ok := l.(*ast.Ident); ok {
						declared[p.info().Defs[id]] = true
					}
				}
			}
		case *ast.DeclStmt:
			ast.Inspect(s, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && p.info().Defs[id] != nil {
					declared[p.info().Defs[id]] = true
				}
				return true
			})
		}
	}
	delete(declared, nil)
	used := false
	for _, s := range rest {
		ast.Inspect(s, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && declared[p.info().Uses[id]] {
				used = true
			}
			return !used
		})
	}
	return used
}

// checkpoint is how far a change had come.
type checkpoint struct {
	splices map[string]int
	imports map[string]int
	edits   int
}

// mark notes how far the change has come.
func (ch *change) mark() checkpoint {
	c := checkpoint{splices: map[string]int{}, imports: map[string]int{}}
	for name, list := range ch.splices {
		c.splices[name] = len(list)
		c.edits += len(list)
	}
	for name, list := range ch.imports {
		c.imports[name] = len(list)
	}
	return c
}

// reset takes back what came after a mark.
func (ch *change) reset(c checkpoint) {
	for name, list := range ch.splices {
		if n := c.splices[name]; n > 0 {
			ch.splices[name] = list[:n]
		} else {
			delete(ch.splices, name)
		}
	}
	for name, list := range ch.imports {
		ch.imports[name] = list[:c.imports[name]]
	}
	ch.broken = false
}
