// Package balance compares how functions lock, count and close before and after an edit.
// It works on source text alone, and must not know what a difference means for a verdict.
package balance

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/verify/syntax"
)

// Compare compares how the functions of a package lock, count and close, in the
// versions before and after an edit: by file name, all files of the package. gain
// says what matches now on every path, and did not; loss what does not match any
// more. Both are clauses, or empty.
//
// It goes by names: operations on fields or variables of one name count as
// operations on one thing. A call counts with what its function comes to. What the
// edit adds has matched nothing before, and is no loss.
func Compare(before, after map[string]string) (gain, loss string) {
	was, now := newBalances(before), newBalances(after)
	for _, op := range now.operations(was) {
		for _, name := range slices.Sorted(maps.Keys(now.functions)) {
			old, known := was.functions[name]
			if !known {
				continue
			}
			a, b := was.net(old, op), now.net(now.functions[name], op)
			switch {
			case slices.Equal(a, b):
			case op.even(b) && !op.even(a) && gain == "":
				gain = op.name + " " + op.verb + " on every path through " + name
			case op.even(a) && !op.even(b) && loss == "" && was.has(op):
				loss = "leaves " + op.name + " unbalanced in " + name
			}
		}
	}
	return gain, loss
}

// operation is a pair of calls that belong together on one thing.
type operation struct {
	name     string // "mu", "done"
	up, down string // "Lock", "Unlock"; up is empty where down is alone
	verb     string
}

// even reports whether the sums that a function may end with are those of a
// function in order: a lock is free again, a counter is counted down at most
// once, a channel is closed at most once.
func (o operation) even(nets []int) bool {
	switch {
	case len(nets) != 1:
		return false
	case o.up != "":
		return nets[0] == 0
	}
	return nets[0] == 0 || nets[0] == -1
}

var pairs = []operation{
	{up: "Lock", down: "Unlock", verb: "is unlocked as often as locked"},
	{up: "RLock", down: "RUnlock", verb: "is unlocked as often as locked"},
	{down: "Done", verb: "is counted down once"},
	{down: "close", verb: "is closed once"},
}

// balances are the functions of one version of a package.
type balances struct {
	functions map[string]*ast.BlockStmt // function literals under the name of their function and a number
	byName    map[string][]string       // the functions that a call of this name may mean
	memo      map[string][]int
	under     map[string]bool // being looked at: recursion
	names     map[*ast.BlockStmt]string
}

func newBalances(files map[string]string) *balances {
	b := &balances{functions: map[string]*ast.BlockStmt{}, byName: map[string][]string{}, memo: map[string][]int{}, under: map[string]bool{}, names: map[*ast.BlockStmt]string{}}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		f := syntax.Parse(files[file])
		if f == nil {
			continue
		}
		for _, fn := range f.Declared() {
			name := f.NameOf(fn)
			b.functions[name], b.names[fn.Body] = fn.Body, name
			b.byName[fn.Name.Name] = append(b.byName[fn.Name.Name], name)
			for i, lit := range started(fn.Body) {
				inner := name + " (goroutine " + strconv.Itoa(i+1) + ")"
				b.functions[inner], b.names[lit.Body] = lit.Body, inner
			}
		}
	}
	return b
}

// started are the function literals of a body that run as goroutines.
func started(body *ast.BlockStmt) []*ast.FuncLit {
	var list []*ast.FuncLit
	for g := range syntax.All[*ast.GoStmt](body) {
		if lit, ok := g.Call.Fun.(*ast.FuncLit); ok {
			list = append(list, lit)
		}
	}
	return list
}

// has reports whether a version has an operation.
func (b *balances) has(op operation) bool {
	for _, body := range b.functions {
		for call := range syntax.All[*ast.CallExpr](body) {
			if on, _ := op.of(call); on == op.name {
				return true
			}
		}
	}
	return false
}

// operations are those of either version, by the names of what they work on.
func (b *balances) operations(other *balances) []operation {
	found := map[operation]bool{}
	for _, side := range []*balances{b, other} {
		for _, body := range side.functions {
			for call := range syntax.All[*ast.CallExpr](body) {
				for _, p := range pairs {
					if on, _ := p.of(call); on != "" {
						p.name = on
						found[p] = true
					}
				}
			}
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(x, y operation) int { return strings.Compare(x.name+x.down, y.name+y.down) })
}

// of returns what a call of the pair works on, and by how much it changes the
// sum.
func (o operation) of(call *ast.CallExpr) (on string, by int) {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		if f.Name == "close" && o.down == "close" && len(call.Args) == 1 {
			return syntax.LastName(call.Args[0]), -1
		}
	case *ast.SelectorExpr:
		switch {
		case len(call.Args) > 0:
		case f.Sel.Name == o.up:
			return syntax.LastName(f.X), 1
		case f.Sel.Name == o.down:
			return syntax.LastName(f.X), -1
		}
	}
	return "", 0
}

// mostSums bounds how many different sums are kept.
const mostSums = 8

// net returns the sums with which a function may end, sorted.
func (b *balances) net(body *ast.BlockStmt, o operation) []int {
	key := b.names[body] + "\x00" + o.name + "\x00" + o.down
	if sums, ok := b.memo[key]; ok {
		return sums
	}
	if b.under[key] {
		return []int{0}
	}
	b.under[key] = true
	defer delete(b.under, key)
	w := &pathWalker{b: b, o: o, ends: map[int]bool{}}
	for sum := range w.list(body.List, map[int]bool{0: true}) {
		w.ends[sum] = true
	}
	sums := slices.Sorted(maps.Keys(w.ends))
	b.memo[key] = sums[:min(len(sums), mostSums)]
	return b.memo[key]
}

// pathWalker follows the paths through a function and adds up. A deferred call
// counts where it is deferred: at the end of the function that is the same.
type pathWalker struct {
	b    *balances
	o    operation
	ends map[int]bool // sums at returns
	out  map[int]bool // sums at breaks of the innermost loop or switch
}

func (w *pathWalker) list(list []ast.Stmt, in map[int]bool) map[int]bool {
	for _, s := range list {
		if len(in) == 0 {
			return in
		}
		in = w.stmt(s, in)
	}
	return in
}

func (w *pathWalker) stmt(s ast.Stmt, in map[int]bool) map[int]bool {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return w.list(s.List, in)
	case *ast.LabeledStmt:
		return w.stmt(s.Stmt, in)
	case *ast.IfStmt:
		in = w.calls(s.Cond, w.init(s.Init, in))
		then := w.list(s.Body.List, in)
		if s.Else == nil {
			return union(then, in)
		}
		return union(then, w.stmt(s.Else, in))
	case *ast.ForStmt, *ast.RangeStmt:
		return w.branches(in, [][]ast.Stmt{syntax.List(s)}, !endless(s))
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return w.cases(s, in)
	case *ast.ReturnStmt:
		for sum := range w.calls(s, in) {
			w.ends[sum] = true
		}
		return nil
	case *ast.BranchStmt:
		if w.out != nil && s.Tok != token.FALLTHROUGH {
			maps.Copy(w.out, in)
			return nil
		}
		return in
	case *ast.GoStmt:
		return in
	case *ast.DeferStmt:
		if lit, ok := s.Call.Fun.(*ast.FuncLit); ok {
			return w.list(lit.Body.List, in)
		}
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok && (syntax.IsPanic(s) || syntax.Ends(call)) {
			return nil
		}
	}
	return w.calls(s, in)
}

func (w *pathWalker) init(s ast.Stmt, in map[int]bool) map[int]bool {
	if s == nil {
		return in
	}
	return w.stmt(s, in)
}

func endless(s ast.Stmt) bool {
	f, ok := s.(*ast.ForStmt)
	return ok && f.Cond == nil
}

// cases joins those of a switch or select; a switch without a default may pass.
func (w *pathWalker) cases(s ast.Stmt, in map[int]bool) map[int]bool {
	_, passes := s.(*ast.SwitchStmt)
	if _, ok := s.(*ast.TypeSwitchStmt); ok {
		passes = true
	}
	var bodies [][]ast.Stmt
	for _, c := range syntax.List(s) {
		if cc, ok := c.(*ast.CaseClause); ok && cc.List == nil {
			passes = false
		}
		bodies = append(bodies, syntax.ClauseBody(c))
	}
	return w.branches(in, bodies, passes)
}

// branches joins alternatives; what breaks out of one comes after it.
func (w *pathWalker) branches(in map[int]bool, bodies [][]ast.Stmt, passes bool) map[int]bool {
	outer := w.out
	w.out = map[int]bool{}
	after := map[int]bool{}
	if passes {
		maps.Copy(after, in)
	}
	for _, body := range bodies {
		maps.Copy(after, w.list(body, in))
	}
	maps.Copy(after, w.out)
	w.out = outer
	return after
}

func union(a, b map[int]bool) map[int]bool {
	both := maps.Clone(a)
	if both == nil {
		both = map[int]bool{}
	}
	maps.Copy(both, b)
	return both
}

// calls adds what the calls of a node come to.
func (w *pathWalker) calls(n ast.Node, in map[int]bool) map[int]bool {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if on, by := w.o.of(n); on == w.o.name {
				in = shifted(in, []int{by})
			} else if on == "" {
				in = shifted(in, w.callee(n))
			}
		}
		return true
	})
	return in
}

// callee are the sums that a call may add: those of the one function of the
// package that it may mean.
func (w *pathWalker) callee(call *ast.CallExpr) []int {
	name := ""
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	if candidates := w.b.byName[name]; len(candidates) == 1 {
		return w.b.net(w.b.functions[candidates[0]], w.o)
	}
	return []int{0}
}

func shifted(in map[int]bool, by []int) map[int]bool {
	if len(by) == 0 || len(by) == 1 && by[0] == 0 {
		return in
	}
	out := map[int]bool{}
	for sum := range in {
		for _, d := range by {
			if len(out) < mostSums {
				out[sum+d] = true
			}
		}
	}
	return out
}
