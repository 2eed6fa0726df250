package effect

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// leaves reports whether a new statement leaves the function, the loop or the
// program, and notes a point where work comes after it. before is what stands
// before it in its block.
func (b walk) leaves(s ast.Stmt, before []ast.Stmt, at place) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		b.leavesFunction(s, before, at)
		return true
	case *ast.BranchStmt:
		b.leavesLoop(s, before, at)
		return true
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		switch {
		case !ok:
			return false
		case b.panics(call):
			b.point(s, at, verdict.Declines, "panics with an error")
			return true
		case !match.Ends(call, b.after.enders()):
			return false
		}
		e, how := verdict.Declines, "ends the program with an error"
		if text := b.after.code(s); b.endsWell(call) || strings.HasPrefix(text, "os.Exit(") && !b.says(before) {
			e, how = verdict.Skips, "ends the program silently"
		}
		b.point(s, at, e, how)
		b.report.Points[len(b.report.Points)-1].Exit = !b.endsWell(call)
		return true
	}
	return false
}

func (b walk) leavesFunction(s *ast.ReturnStmt, before []ast.Stmt, at place) {
	switch {
	case b.helps:
		b.helperReturn(s, at)
		return
	case at.last && !b.givesNothing(s, at) || at.comm || b.leftSo(s, at):
		return
	case b.baseCase(s, at):
		b.addedOnce(s, at)
		return
	}
	e, how := b.returned(s, before)
	if len(s.Results) == 0 && b.printsError(before, at) {
		e, how = verdict.Declines, "prints the error and returns"
	}
	if e != verdict.Skips || !b.alternative(s, before, at) {
		b.point(s, at, e, how)
	}
}

func (b walk) leavesLoop(s *ast.BranchStmt, before []ast.Stmt, at place) {
	past := s.Tok == token.CONTINUE && s.Label == nil && at.done && at.after // new work only
	if at.loop || at.comm || past || s.Tok == token.FALLTHROUGH {
		return
	}
	e, how := verdict.Skips, "skips the rest of the iteration"
	if s.Tok == token.BREAK {
		how = "leaves the loop"
	}
	switch {
	case b.reports(before):
		e, how = verdict.Declines, "records an error"
	case b.printsError(before, at):
		e, how = verdict.Declines, "prints the error and goes on"
	}
	if e == verdict.Skips && b.alternative(s, before, at) {
		return
	}
	b.point(s, at, e, how)
}

// leftSo reports whether an if of the old function, which is gone or stands elsewhere now,
// left in this way under this condition.
func (b *function) leftSo(s *ast.ReturnStmt, at place) bool {
	if at.cond == nil || b.old == nil {
		return false
	}
	asked, retyped := match.FormOf(at.cond), len(results(b.typ)) != len(results(b.old.Type))
	found := false
	ast.Inspect(b.old.Body, func(n ast.Node) bool {
		_, literal := n.(*ast.FuncLit)
		g, ok := n.(*ast.IfStmt)
		if !ok || g.Init != nil || g.Else != nil || len(g.Body.List) != 1 || match.FormOf(g.Cond) != asked || b.Now[g] != nil && !b.Moved[b.Now[g]] {
			return !literal
		}
		r, ok := g.Body.List[0].(*ast.ReturnStmt)
		found = found || ok && (match.FormOf(r) == match.FormOf(s) || retyped && len(r.Results) == 0 && match.AllZero(s))
		return true
	})
	return found
}

// givesNothing reports whether a return gives zero values in one of the cases with
// which a function ends. False and a nil error are answers.
func (b *function) givesNothing(s *ast.ReturnStmt, at place) bool {
	kinds := results(b.typ)
	return at.when != "" && len(kinds) > 0 && len(s.Results) > 0 && match.AllZero(s) && kinds[len(kinds)-1] != "bool" && (len(kinds) > 1 || kinds[0] != "error")
}

// returned says what a new return means.
func (b *function) returned(s *ast.ReturnStmt, before []ast.Stmt) (verdict.Effect, string) {
	results := results(b.typ)
	n := len(s.Results)
	switch {
	case b.reports(before):
		return verdict.Declines, "reports an error"
	case n > 0 && len(results) == n && results[n-1] == "error" && !match.IsNil(s.Results[n-1]):
		return verdict.Declines, "returns an error"
	case n > 1 && len(results) == n && results[n-1] == "bool" && isFalse(s.Results[n-1]):
		return verdict.Declines, "reports false"
	case n == 0:
		return verdict.Skips, "returns early"
	}
	return verdict.Skips, "returns " + match.Cut(names(b.after, s.Results))
}

// results are the types of a function's results, one each.
func results(t *ast.FuncType) []string {
	var list []string
	if t == nil || t.Results == nil {
		return nil
	}
	for _, f := range t.Results.List {
		name := ""
		if id, ok := f.Type.(*ast.Ident); ok {
			name = id.Name
		}
		for range max(len(f.Names), 1) {
			list = append(list, name)
		}
	}
	return list
}

// reports reports whether statements make an error known: they make one, or give
// one to a client.
func (b *function) reports(list []ast.Stmt) bool {
	for _, s := range list {
		if e, ok := s.(*ast.ExprStmt); ok && prints(b.after, e) {
			continue
		}
		if a, ok := s.(*ast.AssignStmt); ok && match.Blank(a) {
			continue
		}
		found := false
		ast.Inspect(s, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				switch f := b.after.code(call.Fun); {
				case f == "fmt.Errorf", f == "errors.New", f == "http.Error", f == "http.NotFound", strings.HasSuffix(f, ".WriteHeader"):
					found = true
				}
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// printsError reports whether statements print the error that the if around them asks about.
func (b *function) printsError(list []ast.Stmt, at place) bool {
	if at.cond == nil || !aboutError(at.cond) {
		return false
	}
	asked := map[string]bool{b.after.code(at.cond.(*ast.BinaryExpr).X): true}
	return slices.ContainsFunc(list, func(s ast.Stmt) bool {
		e, ok := s.(*ast.ExprStmt)
		return ok && prints(b.after, e) && match.Mentions(b.after.code(e), asked)
	})
}

// says reports whether statements print something.
func (b *function) says(list []ast.Stmt) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool {
		e, ok := s.(*ast.ExprStmt)
		return ok && prints(b.after, e)
	})
}

// prints reports whether a statement prints and does nothing else.
func prints(s source, e *ast.ExprStmt) bool {
	call, ok := e.X.(*ast.CallExpr)
	if !ok || match.Ends(call, nil) {
		return false
	}
	text := s.code(call.Fun)
	for _, prefix := range []string{"log.Print", "fmt.Print", "fmt.Fprint", "slog.", "print"} {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}

// enders are the functions of the file that end the program in a statement of
// their own.
func (s source) enders() map[string]bool {
	found := map[string]bool{}
	for _, d := range s.ast.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Recv != nil {
			continue
		}
		for _, stmt := range fn.Body.List {
			if e, ok := stmt.(*ast.ExprStmt); ok {
				if call, ok := e.X.(*ast.CallExpr); ok && match.Ends(call, nil) {
					found[fn.Name.Name] = true
				}
			}
		}
	}
	return found
}

func isFalse(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "false"
}

// refuses reports whether one of the statements returns an error or ends the
// program: it is where a panic stood.
func (b *function) refuses(list []ast.Stmt) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool {
		switch s := s.(type) {
		case *ast.ReturnStmt:
			e, _ := b.returned(s, nil)
			return e == verdict.Declines
		case *ast.ExprStmt:
			call, ok := s.X.(*ast.CallExpr)
			return ok && match.Ends(call, b.after.enders())
		}
		return false
	})
}

// endsWell reports whether a call ends the program with 0.
func (b *function) endsWell(call *ast.CallExpr) bool {
	if b.after.code(call) == "os.Exit(0)" {
		return true
	}
	fn := b.after.functions()[syntax.Called(call)]
	return fn != nil && fn.Body != nil && strings.Contains(b.after.code(fn.Body), "os.Exit(0)")
}
