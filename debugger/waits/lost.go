package waits

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// lost finds goroutines that wait for a lock that nobody will unlock: it is locked, no function
// on a stack is between Lock and Unlock of it, and none unlocks what it has not locked. Where
// code might unlock it in a way that is not followed, it finds none.
func lost(ctx context.Context, in debugger.Inspector, all []debugger.Goroutine, wait waiters) (Deadlock, error) {
	r := newReader(in, nil)
	r.user = maxFrames
	var stacks [][]debugger.Frame
	for i, k := range append(wait.kindreds, others(all, wait.index)...) {
		if i == maxKindreds {
			return Deadlock{}, nil
		}
		frames, more, err := in.Frames(ctx, k[0], debugger.Page{Count: maxFrames})
		if err == nil {
			err = r.kindred(ctx, k)
		}
		if err != nil || more || r.facts.Cut || len(frames) == 0 {
			return Deadlock{}, ctx.Err()
		}
		stacks = append(stacks, frames)
	}
	by := map[Object][]int{}
	var order []Object
	for i, p := range wait.parties {
		on := Object{Addr: p.On[0].Addr}
		if by[on] == nil {
			order = append(order, on)
		}
		by[on] = append(by[on], i)
	}
	for _, on := range order {
		if len(r.facts.Held[on.Addr])+len(r.facts.Unlocking[on.Addr]) > 0 {
			continue
		}
		l := lostLock{reader: r, waiters: by[on]}
		for _, i := range by[on] {
			l.writer = l.writer || wait.parties[i].On[0].Kind == RWMutex && wait.parties[i].Reason == "sync.RWMutex.Lock"
		}
		if l.find(ctx, wait.parties, stacks) && !l.mayBeUnlocked(ctx, stacks) {
			return l.deadlock(wait.parties), nil
		}
	}
	return Deadlock{}, ctx.Err()
}

// lostLock is a lock that nobody seems to have.
type lostLock struct {
	*reader
	waiters []int // indexes of parties
	writer  bool  // one of them waits for those that read
	at      debugger.Frame
	expr    string // as it is written there: "s.mu"
	name    string // with an embedded lock: "s.Mutex"
	dir     string // of the package that it belongs to
}

// find looks for the call of the user's that waits first, and for the lock there; it reports
// whether the lock is locked and belongs to one package.
func (l *lostLock) find(ctx context.Context, parties []Party, stacks [][]debugger.Frame) bool {
	first := l.waiters[0]
	at := callOfLock(stacks[first])
	if at < 0 {
		return false
	}
	l.at = stacks[first][at]
	frame := debugger.FrameRef{Goroutine: parties[first].First, Frame: l.at.Index}
	for _, call := range l.callsAt(l.at) {
		addr, name, err := l.lockAddress(ctx, frame, call)
		if err == nil && addr == parties[first].On[0].Addr {
			l.expr, l.name, l.dir = call, name, filepath.Dir(l.at.File)
		}
	}
	return l.name != "" && l.private() && l.locked(ctx, frame)
}

// callOfLock is the frame of the user's that calls the method Lock or RLock in which its
// goroutine is; -1 where it is in none.
func callOfLock(frames []debugger.Frame) int {
	for i, f := range frames {
		if f.User {
			if i > 0 && isLockMethod(frames[i-1].Function) {
				return i
			}
			return -1
		}
	}
	return -1
}

func isLockMethod(function string) bool {
	return strings.HasPrefix(function, "sync.(*Mutex).") || strings.HasPrefix(function, "sync.(*RWMutex).")
}

// callsAt are the operands of calls of Lock and RLock on the line of a frame.
func (l *lostLock) callsAt(f debugger.Frame) (list []string) {
	w, body := around(l.source(f.File), placeOf(f))
	if body == nil {
		return nil
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && w.at(call.Pos()) <= f.Line && f.Line <= w.at(call.End()) {
			if expr, method := methodCall(call); method == "Lock" || method == "RLock" {
				list = append(list, expr)
			}
		}
		return true
	})
	return list
}

// private reports whether only the package of the lock can name it.
func (l *lostLock) private() bool {
	field := lastName(l.expr)
	if l.name != l.expr || field == "" {
		return false // its methods are those of the structure
	}
	return !ast.IsExported(field) || strings.HasPrefix(l.at.Function, "main.")
}

// lastName is the name behind the last dot of an expression.
func lastName(expr string) string { return expr[strings.LastIndexByte(expr, '.')+1:] }

// locked reports whether the lock is locked: for reading, where a writer waits for that.
func (l *lostLock) locked(ctx context.Context, at debugger.FrameRef) bool {
	number := func(fields ...string) (n int64, known bool) {
		for _, f := range fields {
			if v, err := l.in.Evaluate(ctx, at, l.name+f); err == nil {
				if _, err := fmt.Sscan(debugger.Number(v.Value), &n); err == nil {
					return n, true
				}
			}
		}
		return 0, false
	}
	if l.writer {
		n, known := number(".readerWait.v")
		return known && n > 0
	}
	state, known := number(".mu.state", ".state", ".w.mu.state", ".w.state")
	return known && state&1 != 0
}

// mayBeUnlocked reports whether somebody may yet unlock the lock: a goroutine that is inside
// one of its methods but does not wait, or in a function that may have locked it; or code that
// unlocks it without having locked it.
func (l *lostLock) mayBeUnlocked(ctx context.Context, stacks [][]debugger.Frame) bool {
	seen := map[string]bool{}
	for i, frames := range stacks {
		waits := slices.Contains(l.waiters, i)
		for j, f := range frames {
			if !waits && (isLockMethod(f.Function) && frames[0].Function != "runtime.gopark" || strings.HasPrefix(f.Function, "sync.(*Cond).")) {
				return true
			}
			locks := j > 0 && isLockMethod(frames[j-1].Function)
			key := fmt.Sprint(f.File, placeOf(f), locks)
			if !f.User || seen[key] {
				continue
			}
			seen[key] = true
			if ctx.Err() != nil || !locks && slices.ContainsFunc(l.callsAt(f), l.same) || l.perhapsLocked(f) {
				return true
			}
		}
	}
	return slices.ContainsFunc(l.facts.Unfound, l.same) || l.handedOn()
}

// perhapsLocked reports whether a branch before the line of a frame locks the lock and does not
// unlock it: whether it ran is not known.
func (l *lostLock) perhapsLocked(f debugger.Frame) (found bool) {
	w, body := around(l.source(f.File), placeOf(f))
	if body == nil {
		return l.mentioned(f.File)
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.ForStmt, *ast.RangeStmt:
			if !w.spans(n) {
				_, locked := w.changes(n, 0)
				found = found || slices.ContainsFunc(locked, func(o Lock) bool { return l.same(o.Expr) })
				return false
			}
		}
		return !found
	})
	return found
}

// mentioned reports whether a file names a lock like it.
func (l *lostLock) mentioned(file string) bool {
	return strings.Contains(string(l.source(file)), lastName(l.expr)+".Lock(") || strings.Contains(string(l.source(file)), lastName(l.expr)+".RLock(")
}

// same reports whether an expression may be the lock.
func (l *lostLock) same(expr string) bool { return lastName(expr) == lastName(l.expr) }

// handedOn reports whether a function of the lock's package unlocks it without having locked
// it, or hands it on to code that may; true where the package cannot be read.
func (l *lostLock) handedOn() bool {
	files, err := filepath.Glob(filepath.Join(l.dir, "*.go"))
	if err != nil || len(files) == 0 || len(files) > maxKindreds {
		return true
	}
	return slices.ContainsFunc(files, func(file string) bool {
		w, _ := around(l.source(file), place{})
		return w.file == nil || l.handsOn(w.file)
	})
}

// handsOn reports whether a node has a function that unlocks the lock and does not lock it, or
// uses the lock otherwise than to call its methods.
func (l *lostLock) handsOn(root ast.Node) bool {
	u := lockUses{lostLock: l, root: root, plain: map[ast.Node]bool{}}
	ast.Inspect(root, u.visit)
	return u.handed || u.gives && !u.takes
}

// lockUses is how a function, or what is outside of functions, uses a lock.
type lockUses struct {
	*lostLock
	root                 ast.Node
	plain                map[ast.Node]bool // uses that hand nothing on
	handed, takes, gives bool
}

func (u *lockUses) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl, *ast.FuncLit:
		if n != u.root && !u.plain[n] {
			u.handed = u.handed || u.handsOn(n)
			return false
		}
	case *ast.CallExpr:
		u.plain[n.Fun] = true
		if types.ExprString(n.Fun) == "sync.NewCond" {
			return false
		}
		u.call(n)
	case *ast.SelectorExpr:
		value := !u.plain[n] && (n.Sel.Name == "Unlock" || n.Sel.Name == "RUnlock") && u.same(types.ExprString(n.X))
		u.handed = u.handed || value || !u.plain[n] && u.same(n.Sel.Name)
		u.plain[n.X], u.plain[n.Sel] = true, true
	case *ast.Ident:
		u.handed = u.handed || !u.plain[n] && u.same(n.Name)
	default:
		declared(n, u.plain)
	}
	return !u.handed
}

func (u *lockUses) call(n *ast.CallExpr) {
	expr, method := methodCall(n)
	if expr == "" || !u.same(expr) {
		return
	}
	u.takes = u.takes || method == "Lock" || method == "RLock"
	u.gives = u.gives || method == "Unlock" || method == "RUnlock"
	u.handed = u.handed || strings.HasPrefix(method, "Try")
}

// declared adds the names that a node only declares or sets.
func declared(n ast.Node, plain map[ast.Node]bool) {
	var names []*ast.Ident
	switch n := n.(type) {
	case *ast.Field:
		names = n.Names
	case *ast.ValueSpec:
		names = n.Names
	case *ast.KeyValueExpr:
		plain[n.Key] = true
	case *ast.AssignStmt:
		for _, e := range n.Lhs {
			plain[e] = true
		}
	}
	for _, name := range names {
		plain[name] = true
	}
}

func (l *lostLock) deadlock(parties []Party) Deadlock {
	d := Deadlock{File: l.at.File, Line: l.at.Line, Lost: true}
	for _, i := range l.waiters {
		d.Goroutines = append(d.Goroutines, parties[i].First)
	}
	who := fmt.Sprintf("goroutine %d waits", d.Goroutines[0])
	switch n := len(d.Goroutines); {
	case n > 4:
		who = fmt.Sprintf("%d goroutines wait", n)
	case n > 1:
		who = "goroutines " + numbers(d.Goroutines) + " wait"
	}
	d.What = who + " for a lock that no goroutine will unlock"
	how := "locked"
	if l.writer {
		how = "locked for reading"
	}
	d.Sentence = fmt.Sprintf("%s: %s (%s:%d) is %s, and nothing that still runs unlocks it", d.What, l.name, filepath.Base(l.at.File), l.at.Line, how)
	return d
}
