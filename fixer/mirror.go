package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// opposites are names that mirror each other in linked structures.
var opposites = [][2]string{
	{"next", "prev"}, {"next", "previous"}, {"after", "before"}, {"first", "last"}, {"head", "tail"}, {"front", "back"},
	{"left", "right"}, {"start", "end"}, {"begin", "end"}, {"newest", "oldest"}, {"newer", "older"}, {"top", "bottom"}, {"succ", "pred"}, {"parent", "child"},
}

// mirrored is a word's opposite, in the word's own case; the words of a list
// decide between two opposites.
func mirrored(name string, used map[string]bool) string {
	low := strings.ToLower(name)
	for _, pair := range opposites {
		for i, word := range pair {
			other := pair[1-i]
			if low != word || !used[other] {
				continue
			}
			if name[0] >= 'A' && name[0] <= 'Z' {
				return strings.ToUpper(other[:1]) + other[1:]
			}
			return other
		}
	}
	return name
}

// mirrorText replaces every name of a text by its opposite.
func mirrorText(p place, text string) string {
	used := map[string]bool{}
	ast.Inspect(p.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[strings.ToLower(id.Name)] = true
		}
		return true
	})
	var b strings.Builder
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && isWord(text[j]) {
			j++
		}
		if j == i {
			b.WriteByte(text[i])
			i++
			continue
		}
		b.WriteString(mirrored(text[i:j], used))
		i = j
	}
	return b.String()
}

// mirrorOther fixes a statement about one end of a linked structure as the
// statement about the other end is written: its opposite is one branch of an
// if that looks whether there is a neighbor.
func (f nilRules) mirrorOther(s suspect) {
	as, ok := s.anchor().(*ast.AssignStmt)
	if !ok || as.Tok != token.ASSIGN {
		return
	}
	wanted := mirrorText(s.place, f.text(as))
	if wanted == f.text(as) {
		return
	}
	var found *ast.IfStmt
	var where place
	f.each(func(q place) {
		if q.pkg != s.pkg {
			return
		}
		ast.Inspect(q.file, func(n ast.Node) bool {
			stmt, ok := n.(*ast.IfStmt)
			if !ok || found != nil || stmt.Init != nil {
				return true
			}
			if f.onlyStatement(stmt.Body, wanted) || f.onlyStatement(stmt.Else, wanted) {
				found, where = stmt, q.of(stmt)
			}
			return true
		})
	})
	if found == nil || !strings.Contains(f.text(found.Cond), "nil") {
		return
	}
	text := mirrorText(s.place, f.text(found))
	name, start := f.change().file(found.Pos())
	indent := lineIndent(f.source(name), start)
	text = strings.ReplaceAll(text, "\n"+indent, "\n"+lineIndent(f.source(name), f.offset(as.Pos())))
	f.offer(idea{rule: "mirror/mirror-other", title: fmt.Sprintf("treat %s as its opposite is treated", f.text(s.bad)), weight: origin - 3, change: f.change().replace(as.Pos(), as.End(), text),
		grounds: fmt.Sprintf("%s does it for the other side (%s)", funcName(where.function()), f.where(found.Pos())),
		why:     "The two ends of the structure mirror each other; what is asked at one end is now asked at the other."})
}

func (f nilRules) offset(pos token.Pos) int {
	_, offset := f.change().file(pos)
	return offset
}

// onlyStatement reports whether a block is one statement of that text.
func (f nilRules) onlyStatement(n ast.Stmt, text string) bool {
	block, ok := n.(*ast.BlockStmt)
	return ok && block != nil && len(block.List) == 1 && f.text(block.List[0]) == text
}
