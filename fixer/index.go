package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/source/evidence"
)

var indexMessage = regexp.MustCompile(`index out of range \[(-?\d+)\](?: with length (\d+))?`)

// indexing is an index expression that is out of range, with its numbers.
type indexing struct {
	suspect
	index  ast.Expr
	base   ast.Expr
	value  int64 // of the index, from the message
	length int64 // of the base; -1 when not known
	frame  int
	// Seen from a caller, base and index are its arguments: what the function
	// that indexes adds to them stands here.
	suffix string // of the base: ".lines"
	plus   int64  // to the index
}

func (x indexing) text(f *code) (base, index string) { return x.baseText(f), x.indexText(f) }

func (x indexing) baseText(f *code) string { return f.text(x.base) + x.suffix }

func (x indexing) indexText(f *code) string {
	if x.plus != 0 {
		return fmt.Sprintf("%s%+d", f.text(x.index), x.plus)
	}
	return f.text(x.index)
}

// offset splits the index into what counts and a constant.
func (x indexing) offset() (counter ast.Expr, offset int64) {
	counter, offset, _ = offsetOf(x.place, x.index)
	return counter, offset + x.plus
}

// indexOutOfRange: an index was negative or not below the length.
func (f indexRules) indexOutOfRange() {
	value, length := int64(-1), int64(-1)
	known := false
	if m := indexMessage.FindStringSubmatch(f.panic.Message); m != nil {
		value, _ = strconv.ParseInt(m[1], 10, 64)
		known = true
		if m[2] != "" {
			length, _ = strconv.ParseInt(m[2], 10, 64)
		}
	}
	s, ok := f.choose(func(p place, n ast.Node) []suspect {
		ix, ok := n.(*ast.IndexExpr)
		if !ok || !isIndexable(p, ix) {
			return nil
		}
		return []suspect{{expr: ix, bad: ix.Index, fact: f.indexFact(p, ix, value, length, known)}}
	})
	if !ok {
		f.shortArgument()
		return
	}
	ix := s.expr.(*ast.IndexExpr)
	x := indexing{suspect: s, index: ix.Index, base: ix.X, value: value, length: length, frame: f.at}
	if n, ok := f.length(s.place, f.at, ix.X); ok && length < 0 {
		x.length = n
	}
	base, index := x.text(f.code)
	f.diagnosis = evidence.Diagnosis{Expr: index, Value: strconv.FormatInt(value, 10), Sentence: f.indexSentence(x)}
	f.treatAlike(s.place, ix.Index, "negative")
	f.treatLengthAlike(x)
	f.plainMistakes()
	f.indexOrigin(x)
	f.boundRules.badLimits(x)
	f.rowsOfAnyLength(x)
	f.neighbor(x)
	f.shortCircuit(s.place, good(x.inRange(f.facts)), x.outOfRange(f.analysis), "index")
	f.nameOfUnknown(x)
	if _, fromEnd := f.fromEnd(x); fromEnd || isConstant(s.place, ix.Index) {
		index = "len(" + base + ")"
	}
	f.guard(f.beforeAllUses(x), x.outOfRange(f.analysis), f.indexMessageFor(x), index)
	f.refuseInCallers(x)
}

// indexOrigin fixes the place that made the index too large or the base too short.
func (f indexRules) indexOrigin(x indexing) {
	f.sizeRules.sizeOfMake(x)
	if len(f.found) == 0 {
		f.loopBounds(x)
	}
	if len(f.found) == 0 {
		f.callersLoops(x)
	}
	f.growFirst(x)
	f.otherOrder(x)
	f.argumentsSwapped(x.place, x.frame)
	f.sizeRules.tooNarrow(x.place, x.frame, x.index)
	f.lastElement(x)
	f.monthIndex(x)
	f.scaledIndex(x)
	f.twoLists(x)
	f.sizeRules.sidesMixedUp(x)
	f.sizeRules.roundUp(x.place, x.frame, x.base)
	f.remainders(x)
	f.wrapRing(x)
	f.cursor(x)
	f.tableTooShort(x)
	f.sizeRules.tracedIndex(x)
}

// isIndexable reports whether an index expression can be out of range.
func isIndexable(p place, ix *ast.IndexExpr) bool {
	t := p.info().TypeOf(ix.X)
	if t == nil {
		return false
	}
	if tv, ok := p.info().Types[ix.X]; ok && (tv.IsType() || !tv.IsValue()) {
		return false
	}
	u := t.Underlying()
	if ptr, ok := u.(*types.Pointer); ok {
		u = ptr.Elem().Underlying()
	}
	switch u := u.(type) {
	case *types.Slice, *types.Array:
		return true
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Interface: // a type parameter's core type
		_, isParam := t.(*types.TypeParam)
		return isParam
	}
	return false
}

func (f indexRules) indexFact(p place, ix *ast.IndexExpr, value, length int64, known bool) tri {
	i, okI := f.number(p, f.at, ix.Index)
	n, okN := f.length(p, f.at, ix.X)
	switch {
	case okI && known && i != value:
		// i++ in the index expression's own statement may have moved on.
		return no
	case okN && length >= 0 && n != length:
		return no
	case okI && okN:
		return triOf(i < 0 || i >= n)
	case okI && known, okN && length >= 0:
		return unknown
	}
	return unknown
}

func (f indexRules) indexSentence(x indexing) string {
	base, index := x.text(f.code)
	var what string
	if _, isConst := constantInt(x.place, x.index); !isConst {
		what = fmt.Sprintf("%s is %d", index, x.value)
	} else {
		what = "the index is " + index
	}
	if x.length >= 0 {
		return fmt.Sprintf("%s and len(%s) is %d", what, base, x.length)
	}
	return fmt.Sprintf("%s, which is no index of %s", what, base)
}

func (x indexing) negative() bool { return x.value < 0 }

// outOfRange writes the condition under which the index is bad.
func (x indexing) outOfRange(f *analysis) string {
	base, index := x.text(f.code)
	if x.length == 0 && f.measured(x) {
		return x.emptyTest(base, "==")
	}
	if n, ok := constantInt(x.place, x.index); ok {
		if n += x.plus; n == 0 {
			return x.emptyTest(base, "==")
		}
		return fmt.Sprintf("len(%s) < %d", base, f.needed(x, n)+1)
	}
	if back, ok := f.fromEnd(x); ok {
		if back == 1 {
			return x.emptyTest(base, "==")
		}
		return fmt.Sprintf("len(%s) < %d", base, back)
	}
	upper := upper(x, index, base, ">=")
	if isUnsigned(x.info().TypeOf(x.index)) {
		return upper
	}
	if x.negative() {
		if name, off := x.offset(); off < 0 && isPath(name) {
			return fmt.Sprintf("%s < %d", f.text(name), -off)
		}
		return index + " < 0"
	}
	if x.cannotBeNegative() {
		return upper
	}
	return fmt.Sprintf("%s < 0 || %s", index, upper)
}

// inRange writes the opposite of outOfRange.
func (x indexing) inRange(f *facts) string {
	base, index := x.text(f.code)
	if n, ok := constantInt(x.place, x.index); ok {
		return fmt.Sprintf("len(%s) > %d", base, n+x.plus)
	}
	if back, ok := f.fromEnd(x); ok {
		return fmt.Sprintf("len(%s) >= %d", base, back)
	}
	if x.negative() {
		if name, off := x.offset(); off < 0 && isPath(name) {
			return fmt.Sprintf("%s >= %d", f.text(name), -off)
		}
		return index + " >= 0"
	}
	return upper(x, index, base, "<")
}

// upper compares the index with the length; another integer type is converted.
func upper(x indexing, index, base, op string) string {
	t := x.info().TypeOf(x.index)
	if b, ok := t.(*types.Basic); !ok || (b.Kind() != types.Int && b.Info()&types.IsUntyped == 0) {
		index = "int(" + index + ")"
	}
	return fmt.Sprintf("%s %s len(%s)", index, op, base)
}

// beforeAllUses is where a check of the base's length belongs: before the first
// of its elements is used by a constant index, in the same list of statements.
func (f indexRules) beforeAllUses(x indexing) place {
	if !isConstant(x.place, x.index) || x.suffix != "" {
		return x.place
	}
	src := f.trace(x.place, -1, x.base)
	def, ok := src.stmt.(ast.Stmt)
	if !ok || src.declaration() != x.declaration() || src.function() != x.function() {
		return f.firstTaken(x)
	}
	for next := nextStatement(src.of2(def), def); next != nil; next = nextStatement(x.of(next), next) {
		if contains(next, x.expr.Pos()) {
			return x.place
		}
		found := x.place
		ast.Inspect(next, func(n ast.Node) bool {
			if ix, isIndex := n.(*ast.IndexExpr); isIndex && isConstant(x.place, ix.Index) && x.object(ix.X) != nil && x.object(ix.X) == x.object(x.base) {
				found = x.of(ix)
			}
			return found.node() == x.node()
		})
		if found.node() != x.node() {
			if _, branches := next.(*ast.IfStmt); branches {
				return x.place
			}
			return x.of(next)
		}
	}
	return x.place
}

// needed is the largest constant index that the same function uses on the base
// without asking for its length in between.
func (f *facts) needed(x indexing, n int64) int64 {
	fn := x.function()
	base := f.text(x.base)
	if fn == nil || x.suffix != "" {
		return n
	}
	ast.Inspect(bodyOf(fn), func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit:
			return m == fn
		case *ast.IfStmt, *ast.SwitchStmt, *ast.CaseClause:
			if m.Pos() > x.expr.Pos() && f.asksLength(m, base) {
				return false
			}
		case *ast.IndexExpr:
			if k, isConst := constantInt(x.place, m.Index); isConst && m.Pos() > x.expr.Pos() && k > n && f.text(m.X) == base && x.object(m.X) == x.object(x.base) && !inBranch(x, m) {
				n = k
			}
		}
		return true
	})
	return n
}

// asksLength reports whether the head of a statement looks at len(base).
func (f *facts) asksLength(n ast.Node, base string) bool {
	var heads []ast.Expr
	switch n := n.(type) {
	case *ast.IfStmt:
		heads = []ast.Expr{n.Cond}
	case *ast.SwitchStmt:
		heads = []ast.Expr{n.Tag}
	case *ast.CaseClause:
		heads = n.List
	}
	for _, e := range heads {
		if e != nil && strings.Contains(f.text(e), "len("+base+")") {
			return true
		}
	}
	return false
}

// inBranch reports whether an expression stands in a branch that the faulting
// one does not stand in.
func inBranch(x indexing, e ast.Node) bool {
	for _, n := range x.of(e).path {
		switch n := n.(type) {
		case *ast.CaseClause:
			if !contains(n, x.expr.Pos()) {
				return true
			}
		case *ast.IfStmt:
			if contains(n.Body, e.Pos()) && !contains(n.Body, x.expr.Pos()) {
				return true
			}
		}
	}
	return false
}

// measured reports whether the index is computed from the length of the base, so
// that it can only be wrong when that is too small.
func (f *analysis) measured(x indexing) bool {
	own := "len(" + x.baseText(f.code) + ")"
	found := false
	ast.Inspect(x.index, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok || found {
			return !found
		}
		if strings.ReplaceAll(f.text(e), " ", "") == own {
			found = true
		}
		if id, isIdent := e.(*ast.Ident); isIdent {
			if src := f.trace(x.place, -1, id); src.expr != nil && src.declaration() == x.declaration() && src.of == fromExpr {
				found = found || strings.Contains(strings.ReplaceAll(f.text(src.expr), " ", ""), own)
			}
		}
		return !found
	})
	return found
}

func (x indexing) emptyTest(base, op string) string {
	if x.suffix == "" && isString(x.info().TypeOf(x.base)) {
		return base + " " + op + ` ""`
	}
	return "len(" + base + ") " + op + " 0"
}

func isUnsigned(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}

// cannotBeNegative reports whether the index is a loop's counter, or one more.
func (x indexing) cannotBeNegative() bool {
	base, off := x.offset()
	if off < 0 {
		return false
	}
	v, isVar := x.object(base).(*types.Var)
	if !isVar {
		return false
	}
	if _, isIdent := ast.Unparen(base).(*ast.Ident); !isIdent {
		return false
	}
	for _, l := range x.loops() {
		switch l := l.(type) {
		case *ast.RangeStmt:
			if l.Key != nil && x.object(l.Key) == v {
				return true
			}
		case *ast.ForStmt:
			if as, ok := l.Init.(*ast.AssignStmt); ok && len(as.Lhs) == 1 && x.object(as.Lhs[0]) == v {
				n, isConst := constantInt(x.place, as.Rhs[0])
				inc, counts := l.Post.(*ast.IncDecStmt)
				return isConst && n >= 0 && counts && inc.Tok == token.INC
			}
		}
	}
	return false
}

// fromEnd recognizes base[len(base)-k]; back is k.
func (f *facts) fromEnd(x indexing) (back int64, ok bool) {
	e, off := x.offset()
	name, call := x.builtin(e)
	if name != "len" || f.text(call.Args[0]) != x.baseText(f.code) {
		return 0, false
	}
	return -off, off < 0
}

func (f indexRules) indexMessageFor(x indexing) message {
	base, index := x.text(f.code)
	name := percent(base)
	n, isConst := constantInt(x.place, x.index)
	_, fromEnd := f.fromEnd(x)
	if isConst && !isOSArgs(x.place, x.base) && x.suffix == "" {
		if m, ok := f.malformed(x, f.needed(x, n+x.plus)); ok {
			return m
		}
	}
	switch {
	case isOSArgs(x.place, x.base):
		return message{fmt.Sprintf("usage: %%s needs %d argument%s", n, map[bool]string{true: "s", false: ""}[n != 1]), []string{base + "[0]"}}
	case fromEnd || isConst && n+x.plus == 0 || x.length == 0 && f.measured(x):
		return f.emptyMessage(x, name)
	case isConst:
		n = f.needed(x, n)
		return message{fmt.Sprintf("%s has %%d elements, want at least %d", name, n+1), []string{"len(" + base + ")"}}
	}
	return message{"index %d is out of range: " + name + " has %d", []string{index, "len(" + base + ")"}}
}

func (f indexRules) emptyMessage(x indexing, name string) message {
	if whole, ok := f.splitFrom(x); ok {
		return message{"%q has no parts", []string{whole}}
	}
	return message{name + " is empty", nil}
}

// splitFrom returns the text that the base was split from, when it can be named.
func (f indexRules) splitFrom(x indexing) (string, bool) {
	src := f.trace(x.place, -1, x.base)
	call, ok := src.expr.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 || src.result != 0 {
		return "", false
	}
	fn := src.callee(call)
	if fn == nil || fn.Pkg() == nil || (fn.Pkg().Path() != "strings" && fn.Pkg().Path() != "bytes") {
		return "", false
	}
	arg := call.Args[0]
	if !isPath(arg) || src.declaration() != x.declaration() || !isString(src.info().TypeOf(arg)) {
		return "", false
	}
	return f.text(arg), true
}

func isOSArgs(p place, e ast.Expr) bool {
	v, ok := p.object(e).(*types.Var)
	return ok && v.Pkg() != nil && v.Pkg().Path() == "os" && v.Name() == "Args"
}

// lastElement turns x[len(x)] into x[len(x)-1], and the same for a variable that holds len(x).
func (f indexRules) lastElement(x indexing) {
	base := x.baseText(f.code)
	if x.length < 0 || x.value != x.length || x.length == 0 {
		return
	}
	if name, call := x.builtin(x.index); name == "len" && f.text(call.Args[0]) == base {
		f.every.value = true
		f.note(fmt.Sprintf("indices end at len(%s)-1", base), x.index.Pos())
		f.offer(idea{title: fmt.Sprintf("index the last element with len(%s)-1", base), weight: origin,
			change: f.change().insert(x.index.End(), "-1"), why: "Indices begin at 0: the last one is the length less one."})
	}
}

// neighbor passes over a place that lies outside, where a loop looks at neighbors.
func (f indexRules) neighbor(x indexing) {
	src := x.index
	p := x.place
	if id, ok := ast.Unparen(src).(*ast.Ident); ok {
		t := f.trace(p, -1, id)
		if t.expr == nil || t.declaration() != p.declaration() || t.of != fromExpr {
			return
		}
		src = ast.Unparen(t.expr)
	}
	b, ok := src.(*ast.BinaryExpr)
	anchor := x.anchor()
	if !ok || (b.Op != token.ADD && b.Op != token.SUB) || anchor == nil || x.loop() == nil {
		return
	}
	if _, isConst := constantInt(p, b.Y); isConst {
		return
	}
	for _, e := range []ast.Expr{b.X, b.Y} {
		if !isPath(e) && !isSelector(e) {
			if _, isIndex := ast.Unparen(e).(*ast.IndexExpr); !isIndex {
				return
			}
		}
	}
	cond := x.outside(f.code)
	ch := f.change().before(anchor, "if "+cond+" {\n\tcontinue\n}")
	f.offer(idea{title: "pass over what lies outside of " + short(f.text(x.base)), weight: soft - 12, change: ch,
		why: "Turns of the loop whose index lies outside are passed over."})
}

// outside tests both sides, and those of the other index of a matrix.
func (x indexing) outside(f *code) string {
	base, index := x.text(f)
	parts := []string{index + " < 0", index + " >= len(" + base + ")"}
	outer := x.path
	if len(outer) > 1 {
		if up, ok := outer[1].(*ast.IndexExpr); ok && up.X == x.expr && isPath(up.Index) {
			parts = append(parts, f.text(up.Index)+" < 0", f.text(up.Index)+" >= len("+f.text(x.expr)+")")
		}
	}
	if inner, ok := ast.Unparen(x.base).(*ast.IndexExpr); ok && isPath(inner.Index) && isIndexable(x.place, inner) {
		parts = append([]string{f.text(inner.Index) + " < 0", f.text(inner.Index) + " >= len(" + f.text(inner.X) + ")"}, parts...)
	}
	return strings.Join(parts, " || ")
}

// nameOfUnknown lets a method such as String name a value that its table lacks.
func (f indexRules) nameOfUnknown(x indexing) {
	d, ok := x.function().(*ast.FuncDecl)
	sig := x.signature()
	if !ok || sig == nil || sig.Results().Len() != 1 || !isString(sig.Results().At(0).Type()) || d.Recv == nil {
		return
	}
	t := sig.Recv().Type()
	n := named(t)
	if n == nil || !isInteger(n) || x.anchor() == nil {
		return
	}
	index := f.text(unconvert(x.place, x.index))
	text := fmt.Sprintf("return %s.Sprintf(\"%s(%%d)\", int(%s))", pkgName(x.file, "fmt"), n.Obj().Name(), index)
	ch := f.change().before(x.anchor(), "if "+x.outOfRange(f.analysis)+" {\n\t"+text+"\n}").need(x.file, "fmt")
	f.offer(idea{title: fmt.Sprintf("name a %s that the table does not hold", n.Obj().Name()), weight: handled, change: ch,
		why: "A value outside of the table is shown as its number."})
}

// shortArgument: a function of a library was handed a slice that is too short.
func (f indexRules) shortArgument() {
	lib, ok := f.inLibrary()
	if !ok {
		return
	}
	m := indexMessage.FindStringSubmatch(f.panic.Message)
	if m == nil || m[2] == "" {
		return
	}
	index, _ := strconv.ParseInt(m[1], 10, 64)
	length, _ := strconv.ParseInt(m[2], 10, 64)
	for _, call := range f.callsOnLine() {
		for _, a := range call.node().(*ast.CallExpr).Args {
			t := call.info().TypeOf(a)
			if t == nil {
				continue
			}
			if _, isSlice := t.Underlying().(*types.Slice); !isSlice {
				continue
			}
			if n, known := f.length(call, f.at, a); known && n != length || !isPathOrIndex(a) {
				continue
			}
			text := f.text(a)
			f.diagnosis = evidence.Diagnosis{Expr: text, Value: fmt.Sprintf("%d bytes long", length), Origin: f.relWhere(a.Pos()),
				Sentence: fmt.Sprintf("%s has %d elements, and %s (%s) needs %d", text, length, lib, f.where(call.node().Pos()), index+1)}
			f.guard(call, fmt.Sprintf("len(%s) < %d", text, index+1), message{percent(text) + fmt.Sprintf(" has %%d bytes, want %d", index+1), []string{"len(" + text + ")"}}, text)
			return
		}
	}
}
