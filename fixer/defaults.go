package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// sectionDefault gives an optional part of a record its default, where the
// record is read: the package declares one.
func (f sizeRules) sectionDefault(src source, sel *ast.SelectorExpr, t *types.Named, field *types.Var) {
	value, grounds, ok := f.declaredDefault(src.place, field)
	if !ok {
		return
	}
	f.defaultNextTo(t, field, value, grounds, "nil")
}

// declaredDefault finds the default that the package declares for a pointer
// field: a variable of its type or of what it points to, or a function.
func (f sizeRules) declaredDefault(p place, field *types.Var) (value, grounds string, ok bool) {
	if field.Pkg() == nil || p.pkg.Types == nil || field.Pkg().Path() != p.pkg.PkgPath {
		return "", "", false
	}
	scope := p.pkg.Types.Scope()
	ptr, isPtr := field.Type().Underlying().(*types.Pointer)
	want := strings.ToLower(field.Name())
	for _, name := range scope.Names() {
		low := strings.ToLower(name)
		if !strings.Contains(low, "default") {
			continue
		}
		obj := scope.Lookup(name)
		said := fmt.Sprintf("%s has a type that fits (%s)", name, f.where(obj.Pos()))
		core := strings.ReplaceAll(low, "default", "")
		named := core != "" && (strings.Contains(core, want) || strings.Contains(want, core))
		switch obj := obj.(type) {
		case *types.Var:
			if isPtr && types.Identical(obj.Type(), ptr.Elem()) {
				return "&" + name, said, true
			}
			if types.Identical(obj.Type(), field.Type()) {
				return name, said, true
			}
		case *types.Const:
			if named && !isPtr && types.ConvertibleTo(obj.Type(), field.Type()) {
				return name, said, true
			}
		case *types.Func:
			sig := obj.Type().(*types.Signature)
			if sig.Params().Len() != 0 || sig.Results().Len() != 1 {
				continue
			}
			if types.Identical(sig.Results().At(0).Type(), field.Type()) {
				return name + "()", said, true
			}
			if isPtr && types.Identical(sig.Results().At(0).Type(), ptr.Elem()) {
				return "&" + name + "()", said, true
			}
		}
	}
	return "", "", false
}

// defaultNextTo sets a field that is unset where its record is made: next to the
// defaults of other fields, or before the record is returned.
func (f sizeRules) defaultNextTo(t *types.Named, field *types.Var, value, grounds, unset string) bool {
	for _, b := range f.buildings(t) {
		if !b.lacks(field) {
			continue
		}
		name, ok := f.nameOf(b)
		if !ok {
			continue
		}
		at, after := f.besideOthers(b, name, t)
		set := f.lastAssignment(b, field)
		if set != nil && (at == nil || at.Pos() < set.Pos()) {
			at, after = set, true
		}
		if at == nil {
			at = f.returnOf(b, name)
		}
		if at == nil {
			continue
		}
		text := name + "." + field.Name()
		lines := fmt.Sprintf("if %s == %s {\n\t%s = %s\n}", text, unset, text, value)
		if rest, isAddress := strings.CutPrefix(value, "&"); isAddress {
			local := fresh(b.of(at), lowerFirst(field.Name()), "standard", "usual")
			lines = fmt.Sprintf("if %s == %s {\n\t%s := %s\n\t%s = &%s\n}", text, unset, local, rest, text, local)
		}
		ch := f.change()
		if after {
			ch.after(at, lines)
		} else {
			ch.before(at, lines)
		}
		f.blame(f.neverSets(b, field), b.node().Pos())
		value = strings.TrimPrefix(value, "&")
		return f.offer(idea{rule: "defaults/default-next-to", title: fmt.Sprintf("let %s be %s where it is not set", field.Name(), value), weight: origin - 2, change: ch, grounds: grounds,
			why: fmt.Sprintf("%s leaves %s unset; where it still is, it becomes %s.", b.buildName(), field.Name(), value)})
	}
	return false
}

// lastAssignment returns the last statement of a building's function that sets a field.
func (f sizeRules) lastAssignment(b building, field *types.Var) ast.Stmt {
	var last ast.Stmt
	for _, as := range f.assignmentsTo(field) {
		if as.function() != b.function() || as.pkg != b.pkg || last != nil && as.node().Pos() < last.Pos() {
			continue
		}
		body := bodyOf(b.function())
		for i, n := range as.path {
			if s, ok := n.(ast.Stmt); ok && i+1 < len(as.path) && as.path[i+1] == ast.Node(body) {
				last = s
			}
		}
	}
	return last
}

// nameOf returns the variable that holds a building.
func (f sizeRules) nameOf(b building) (string, bool) {
	if b.spec != nil {
		return b.spec.Names[0].Name, b.function() != nil
	}
	for _, n := range b.path[1:] {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			continue
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 && n.Tok == token.DEFINE {
				id, ok := n.Lhs[0].(*ast.Ident)
				return f.text(n.Lhs[0]), ok && id.Name != "_"
			}
		case *ast.ValueSpec:
			return n.Names[0].Name, b.function() != nil
		}
		return "", false
	}
	return "", false
}

// besideOthers finds the last "if x.other == 0 { x.other = … }" for the same
// variable in the function of a building.
func (f sizeRules) besideOthers(b building, name string, t *types.Named) (at ast.Stmt, after bool) {
	ast.Inspect(b.declaration(), func(n ast.Node) bool {
		s, ok := n.(*ast.IfStmt)
		if !ok || s.Pos() < b.node().Pos() || s.Else != nil || len(s.Body.List) == 0 {
			return true
		}
		cond, ok := ast.Unparen(s.Cond).(*ast.BinaryExpr)
		as, isAssign := s.Body.List[len(s.Body.List)-1].(*ast.AssignStmt)
		if !ok || !isAssign || len(as.Lhs) != 1 || f.text(as.Lhs[0]) != f.text(cond.X) || !strings.HasPrefix(f.text(cond.X), name+".") {
			return true
		}
		if cond.Op == token.EQL || cond.Op == token.LEQ || cond.Op == token.LSS {
			at = s
		}
		return true
	})
	return at, at != nil
}

// returnOf finds the last statement of the function of a building, if it
// returns the building's variable.
func (f sizeRules) returnOf(b building, name string) ast.Stmt {
	d := b.declaration()
	if d == nil || d.Body == nil || len(d.Body.List) == 0 {
		return nil
	}
	r, ok := d.Body.List[len(d.Body.List)-1].(*ast.ReturnStmt)
	if !ok || len(r.Results) == 0 || b.function() != ast.Node(d) {
		return nil
	}
	first := strings.TrimLeft(f.text(r.Results[0]), "&*")
	if first != name || r.Pos() < b.node().End() {
		return nil
	}
	return r
}

// deferBeforeCheck moves what uses a result before its error was looked at
// after that check.
func (f sizeRules) deferBeforeCheck(src source) {
	as, ok := src.stmt.(*ast.AssignStmt)
	if !ok || src.file == nil || len(as.Lhs) < 2 || src.object == nil {
		return
	}
	at := src.of2(as)
	failure := at.object(as.Lhs[len(as.Lhs)-1])
	if failure == nil || !isError(failure.Type()) {
		return
	}
	var early []ast.Stmt
	for next := nextStatement(at, as); next != nil; next = nextStatement(at.of(next), next) {
		check, isIf := next.(*ast.IfStmt)
		if !isIf || !namesObject(at, check.Cond, failure) {
			early = append(early, next)
			continue
		}
		if len(early) > 0 && len(early) < 4 && (leavesEarly(check.Body) || f.ends(at, check.Body)) {
			f.moveAfter(at, early, check, src)
		}
		return
	}
}

func (f sizeRules) moveAfter(at place, early []ast.Stmt, check *ast.IfStmt, src source) {
	ch := f.change()
	var lines []string
	for _, s := range early {
		if !namesObject(at, s, src.object) {
			continue
		}
		ch.remove(s)
		lines = append(lines, f.dedented(s))
	}
	if len(lines) == 0 {
		return
	}
	ch.after(check, strings.Join(lines, "\n"))
	f.blame(fmt.Sprintf("%s (%s) returned nil, and its error is checked only after that (%s)", short(f.text(ast.Unparen(src.expr))), f.where(src.expr.Pos()), f.where(check.Pos())), early[0].Pos())
	f.offer(idea{rule: "defaults/move-after", title: fmt.Sprintf("look at the error before %s", short(firstLine(lines[0]))), weight: origin - 3, change: ch,
		grounds: fmt.Sprintf("the check is already there (%s)", f.where(check.Pos())),
		why:     fmt.Sprintf("Where %s fails it returns nil; what uses the result now comes after the check of the error.", short(f.text(src.expr)))})
}

// ends reports whether a block ends the program or the test.
func (f sizeRules) ends(p place, b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	e, ok := b.List[len(b.List)-1].(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	name := f.text(call.Fun)
	return name == "os.Exit" || strings.HasPrefix(name, "log.Fatal") || strings.HasSuffix(name, ".Fatal") || strings.HasSuffix(name, ".Fatalf")
}
