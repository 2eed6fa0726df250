package masking

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// weigher compares two versions of one function.
type weigher struct {
	before, after source
	line          int // of the faulting statement, if it is in this function
	removable     bool
	fn            *ast.FuncDecl
	old           map[string]int // statements of before by text, not yet found again
	found         string         // the first mask
	more          bool           // something new that is no mask
}

// weigh returns how the new version masks; empty when it does not, or does more.
func (w *weigher) weigh(was, now *ast.FuncDecl) string {
	if w.before.code(was.Type) != w.after.code(now.Type) {
		return ""
	}
	w.old = map[string]int{}
	ast.Inspect(was.Body, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok && n != was.Body {
			w.old[w.before.code(s)]++
		}
		return true
	})
	faulting := w.faulting(was.Body)
	w.block(now.Body.List)
	switch {
	case w.more:
		return ""
	case w.found != "":
		return w.found
	case w.removable:
		return ""
	}
	if faulting != "" && !w.holds(now.Body, faulting) {
		return "it only removes the statement that fails: " + cut(faulting)
	}
	return w.removed(was.Body, now.Body)
}

// removed names a statement with an effect that is gone, where nothing came in
// its place.
func (w *weigher) removed(was, now *ast.BlockStmt) string {
	why := ""
	ast.Inspect(was, func(n ast.Node) bool {
		if why != "" {
			return false
		}
		switch s := n.(type) {
		case *ast.ExprStmt, *ast.SendStmt, *ast.IncDecStmt, *ast.AssignStmt, *ast.GoStmt, *ast.DeferStmt:
			if text := w.before.code(s); w.old[text] > 0 && !w.prints(s.(ast.Stmt)) && !w.holds(now, text) {
				why = "it only removes a statement: " + cut(text)
			}
			return false
		}
		return true
	})
	return why
}

// cut shortens code for a sentence.
func cut(code string) string {
	const most = 60
	if r := []rune(code); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return code
}

// faulting returns the text of the innermost statement at the line.
func (w *weigher) faulting(body *ast.BlockStmt) string {
	text := ""
	if w.line == 0 {
		return ""
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil || w.before.fset.Position(n.Pos()).Line > w.line || w.before.fset.Position(n.End()).Line < w.line {
			return false
		}
		if s, ok := n.(ast.Stmt); ok {
			if _, block := s.(*ast.BlockStmt); !block {
				text = w.before.code(s)
			}
		}
		return true
	})
	return text
}

func (w *weigher) holds(body *ast.BlockStmt, text string) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok && w.after.code(s) == text {
			found = true
		}
		return !found
	})
	return found
}

// block weighs statements one by one.
func (w *weigher) block(list []ast.Stmt) {
	for _, s := range list {
		if text := w.after.code(s); w.old[text] > 0 {
			w.old[text]--
			continue
		}
		if w.prints(s) {
			continue // it changes nothing, and hides nothing
		}
		if why := w.mask(s); why != "" {
			if w.found == "" {
				w.found = why
			}
			continue
		}
		w.inside(s)
	}
}

// inside goes into a statement that is new as a whole but may hold old ones.
func (w *weigher) inside(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		w.block(s.List)
	case *ast.ForStmt:
		w.header(s, s.Body)
	case *ast.RangeStmt:
		w.header(s, s.Body)
	case *ast.IfStmt:
		w.header(s, s.Body)
		if s.Else != nil {
			w.block([]ast.Stmt{s.Else})
		}
	case *ast.SwitchStmt:
		w.header(s, s.Body)
	case *ast.TypeSwitchStmt:
		w.header(s, s.Body)
	case *ast.SelectStmt:
		w.header(s, s.Body)
	case *ast.CaseClause:
		w.block(s.Body)
	case *ast.CommClause:
		w.block(s.Body)
	default:
		w.more = true
	}
}

// header goes on into the body if the statement's first part was there before.
func (w *weigher) header(s ast.Stmt, body *ast.BlockStmt) {
	from, to := w.after.fset.Position(s.Pos()).Offset, w.after.fset.Position(body.Lbrace).Offset
	head := strings.Join(strings.Fields(w.after.text[from:to]), " ") + " {"
	for text := range w.old {
		if strings.HasPrefix(text, head) {
			w.block(body.List)
			return
		}
	}
	w.more = true
}

// mask says how a new statement masks; empty when it does not.
func (w *weigher) mask(s ast.Stmt) string {
	switch s := s.(type) {
	case *ast.DeferStmt:
		if recovers(s.Call) && !w.tells(s.Call) {
			return "it recovers from the panic and goes on as if nothing had happened"
		}
	case *ast.IfStmt:
		return w.guard(s)
	case *ast.AssignStmt:
		return w.swallows(s)
	case *ast.ReturnStmt:
		if w.zero(s) && !w.documented() {
			return "it returns early with zero values"
		}
	case *ast.BranchStmt:
		if s.Tok == token.CONTINUE || s.Tok == token.BREAK {
			return "it skips the statement that fails"
		}
	case *ast.ExprStmt:
		if w.ends(s) {
			return "it ends the program instead"
		}
	}
	return ""
}

// guard weighs a new if: one that leaves without an error, or that merely goes
// around statements that were there before.
func (w *weigher) guard(s *ast.IfStmt) string {
	when := " when " + cut(w.after.code(s.Cond)) + ", without an error"
	if why := w.swallowed(s); why != "" {
		return why
	}
	if s.Else != nil {
		return w.around(s, when)
	}
	if len(s.Body.List) == 0 {
		return ""
	}
	before, last := s.Body.List[:len(s.Body.List)-1], s.Body.List[len(s.Body.List)-1]
	switch last := last.(type) {
	case *ast.ReturnStmt:
		if w.quiet(before) && w.zero(last) && !w.baseCase(s) && !w.documented() {
			return "it returns zero values" + when
		}
		return ""
	case *ast.BranchStmt:
		if w.quiet(before) && (last.Tok == token.CONTINUE || last.Tok == token.BREAK) {
			return "it skips the work" + when
		}
		return ""
	case *ast.ExprStmt:
		if w.ends(last) && !w.usage(s, before) {
			return "it ends the program instead"
		}
	}
	return w.around(s, when)
}

// around weighs an if with nothing but statements that were there before in
// one branch, and nothing with an effect in the other.
func (w *weigher) around(s *ast.IfStmt, when string) string {
	inner := s.Body.List
	if other, ok := s.Else.(*ast.BlockStmt); ok {
		switch {
		case w.quiet(inner):
			inner = other.List
		case !w.quiet(other.List):
			return ""
		}
	} else if s.Else != nil {
		return ""
	}
	if len(inner) == 0 {
		return ""
	}
	for _, s := range inner {
		if w.old[w.after.code(s)] == 0 {
			return ""
		}
	}
	for _, s := range inner {
		w.old[w.after.code(s)]--
	}
	if s.Else == nil {
		when = " unless " + strings.TrimPrefix(when, " when ")
	}
	return "it skips the statement that fails" + when
}

// swallowed recognises a check of an error that left the function before and
// goes on now.
func (w *weigher) swallowed(s *ast.IfStmt) string {
	head := "if " + w.after.code(s.Cond) + " {"
	if s.Init != nil {
		head = "if " + w.after.code(s.Init) + "; " + w.after.code(s.Cond) + " {"
	}
	if !strings.Contains(w.after.code(s.Cond), "err") || !w.quiet(s.Body.List) {
		return ""
	}
	for text, n := range w.old {
		if n > 0 && strings.HasPrefix(text, head) && (strings.Contains(text, "return") || strings.Contains(text, "panic(")) {
			return "it swallows the error of " + cut(w.after.code(s.Cond))
		}
	}
	return ""
}

// quiet tells whether the statements do nothing but print.
func (w *weigher) quiet(list []ast.Stmt) bool {
	for _, s := range list {
		if !w.prints(s) {
			return false
		}
	}
	return true
}

// prints tells whether a statement prints and does nothing else.
func (w *weigher) prints(s ast.Stmt) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok || w.ends(e) {
		return false
	}
	text := w.after.code(call.Fun)
	for _, prefix := range []string{"log.Print", "fmt.Print", "fmt.Fprint", "slog.", "print"} {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}

// zero tells whether a return gives zero values only.
func (w *weigher) zero(r *ast.ReturnStmt) bool {
	if len(r.Results) == 0 {
		return true
	}
	for _, e := range r.Results {
		if !zeroValue(e) {
			return false
		}
	}
	return true
}

func zeroValue(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "nil" || e.Name == "false"
	case *ast.BasicLit:
		return slices.Contains([]string{"0", "0.0", `""`, "``"}, e.Value)
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.UnaryExpr:
		return e.Op == token.AND && zeroValue(e.X)
	}
	return false
}

// swallows tells whether an assignment drops what tells success from failure: a
// new blank last value.
func (w *weigher) swallows(s *ast.AssignStmt) string {
	last, ok := s.Lhs[len(s.Lhs)-1].(*ast.Ident)
	if !ok || last.Name != "_" || len(s.Rhs) != 1 {
		return ""
	}
	switch s.Rhs[0].(type) {
	case *ast.TypeAssertExpr:
		return "it goes on with a zero value when the type is another"
	case *ast.CallExpr:
		return "it swallows an error"
	}
	return ""
}

// ends tells whether a call ends the program.
func (w *weigher) ends(s *ast.ExprStmt) bool {
	call, ok := s.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	switch w.after.code(call.Fun) {
	case "os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln", "runtime.Goexit":
		return true
	}
	return false
}

// recovers tells whether a deferred call recovers.
func recovers(call *ast.CallExpr) bool {
	found := false
	ast.Inspect(call, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if id, ok := c.Fun.(*ast.Ident); ok && id.Name == "recover" {
				found = true
			}
		}
		return !found
	})
	return found
}

// tells tells whether what was recovered is passed on: panicked again, or made
// an error that a result or variable takes.
func (w *weigher) tells(call *ast.CallExpr) bool {
	found := false
	ast.Inspect(call, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "panic" {
				found = true
			}
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if n.Tok == token.ASSIGN && w.isResult(l) {
					found = true
				}
			}
		}
		return !found
	})
	return found
}

// isResult tells whether the expression is a named result of type error.
func (w *weigher) isResult(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok || w.fn.Type.Results == nil {
		return false
	}
	for _, f := range w.fn.Type.Results.List {
		if t, ok := f.Type.(*ast.Ident); ok && t.Name == "error" {
			for _, n := range f.Names {
				if n.Name == id.Name {
					return true
				}
			}
		}
	}
	return false
}
