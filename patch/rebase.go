package patch

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// ErrConflict is returned by Rebase where the lines that an edit changes have
// changed otherwise.
var ErrConflict = errors.New("the code has changed there")

// Rebase makes of an edit the same edit of a text that has changed since: a
// three-way merge whose base is Before. What the edit changes has to be there as
// it was, in the same declaration, wherever that is now; the rest may have changed. It
// fails with ErrConflict.
func Rebase(e Edit, current string) (Edit, error) {
	if e.Create || e.Before == current {
		e.Before = current
		return e, nil
	}
	base, after, now := splitLines(e.Before), splitLines(e.After), splitLines(current)
	kept, moved := align(base, after), align(base, now)
	was, is := owners(e.File, e.Before), owners(e.File, current)
	var out strings.Builder
	from := 0 // in now
	copyTo := func(end int) {
		for ; from < end; from++ {
			out.WriteString(now[from])
		}
	}
	for _, r := range replacements(kept, len(after)) {
		start, end, ok := placeIn(r, moved)
		if !ok || start < from || was != nil && is != nil && was[r.anchor(moved)] != is[moved[r.anchor(moved)]] {
			return Edit{}, fmt.Errorf("%s, line %d: %w", e.File, r.base+1, ErrConflict)
		}
		copyTo(start)
		for _, line := range after[r.after:r.afterEnd] {
			out.WriteString(line)
		}
		from = end
	}
	copyTo(len(now))
	e.Before, e.After = current, out.String()
	return e, nil
}

// replaced is a run of lines of the base that other lines replace. Either may be
// empty.
type replaced struct{ base, baseEnd, after, afterEnd int }

// replacements are the changes between a base and a text, by where each line of the
// base is in the text; -1 for lines that are gone.
func replacements(match []int, length int) []replaced {
	var list []replaced
	base, at := 0, 0
	for i := 0; i <= len(match); i++ {
		next := length
		if i < len(match) {
			if match[i] < 0 {
				continue
			}
			next = match[i]
		}
		if base < i || at < next {
			list = append(list, replaced{base, i, at, next})
		}
		base, at = i+1, next+1
	}
	return list
}

// anchor is the line of the base by which placeIn finds the replaced lines in another text.
func (r replaced) anchor(moved []int) int {
	if r.base == r.baseEnd && r.base > 0 && moved[r.base-1] >= 0 {
		return r.base - 1
	}
	return r.base
}

// owners names the declaration that contains each line of a Go file, and in a function the
// function literal: by its number, and how many there are, so that it is another one
// where one more is added. Empty outside of declarations. It is nil if the file is not Go, or
// does not parse.
func owners(file, text string) []string {
	if !strings.HasSuffix(file, ".go") {
		return nil
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	names := make([]string, strings.Count(text, "\n")+2)
	own := func(n ast.Node, name string) {
		for line := files.PositionFor(n.Pos(), false).Line; line <= files.PositionFor(n.End(), false).Line; line++ {
			names[line-1] = name
		}
	}
	all := map[string][]ast.Node{}
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			all[FuncKey(d)] = append(all[FuncKey(d)], d)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if d.Tok == token.IMPORT { // their number says nothing
					own(spec, "import")
					continue
				}
				name := d.Tok.String() + " " + declares(spec)
				all[name] = append(all[name], spec)
			}
		}
	}
	for name, nodes := range all {
		for i, n := range nodes {
			one := fmt.Sprintf("%s %d/%d", name, i+1, len(nodes)) // of several init, say
			own(n, one)
			literals := functionLiterals(n)
			for at, lit := range literals {
				own(lit.Body, fmt.Sprintf("%s func %d/%d", one, at+1, len(literals)))
			}
		}
	}
	return names
}

// declares are the names that a specification declares.
func declares(spec ast.Spec) string {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return spec.Name.Name
	case *ast.ValueSpec:
		var names []string
		for _, n := range spec.Names {
			names = append(names, n.Name)
		}
		return strings.Join(names, ", ")
	}
	return ""
}

// functionLiterals are those in a node, the outer ones first.
func functionLiterals(n ast.Node) []*ast.FuncLit {
	var list []*ast.FuncLit
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			list = append(list, lit)
		}
		return true
	})
	return list
}

// placeIn is where the replaced lines are in another text, by where each line
// of the base is in that: all of them, one after the other. Lines that are
// only added go where the line before or after them is.
func placeIn(r replaced, moved []int) (start, end int, ok bool) {
	if r.base == r.baseEnd {
		switch {
		case r.base > 0 && moved[r.base-1] >= 0:
			return moved[r.base-1] + 1, moved[r.base-1] + 1, true
		case r.base < len(moved) && moved[r.base] >= 0:
			return moved[r.base], moved[r.base], true
		}
		return 0, 0, false
	}
	start = moved[r.base]
	for i := r.base; i < r.baseEnd; i++ {
		if moved[i] < 0 || moved[i] != start+i-r.base {
			return 0, 0, false
		}
	}
	return start, start + r.baseEnd - r.base, true
}
