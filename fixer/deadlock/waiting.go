package deadlock

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// receiverText names what the method of a call is called on, with the embedded fields on the
// way to a promoted one: "item.RWMutex". It is empty where that is no call of a method.
func (d *deadlock) receiverText(p syntax.Place) string {
	call, ok := p.Node().(*ast.CallExpr)
	if !ok {
		return ""
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	text := d.Text(sel.X)
	if s := p.Info().Selections[sel]; s != nil {
		for _, field := range syntax.EmbeddedFields(s.Recv(), s.Index()) {
			text += "." + field.Name()
		}
	}
	return text
}

// waitKind is what a goroutine waits for.
type waitKind int

const (
	waitOther   waitKind = iota
	waitSend             // to send on a channel
	waitReceive          // to receive from a channel, also in a range loop
	waitSelect           // in a select with cases
	waitForever          // in a select without cases
	waitGroup            // in WaitGroup.Wait
	waitLock             // in Lock of a mutex
	waitRLock            // in RLock
	waitCond             // in Cond.Wait
	waitOnce             // in Once.Do
)

// waiter is one or more goroutines that wait in the same place.
type waiter struct {
	syntax.Place // of the statement or expression that waits; empty where it was not found
	kind         waitKind
	on           ast.Expr // the channel, group, mutex or condition; nil without one
	nilChan      bool     // the channel is nil
	count        int
	main         bool
	id           debugger.GoroutineID
	frames       []debugger.Frame
	at           int // index in frames of the user's innermost frame
	library      string
}

const (
	maxWaiting      = 4000 // goroutines looked at
	maxWaitingKinds = 40   // different places they may wait in
	waitFrames      = 32
)

// waiting reads the goroutines that wait in the user's code, the main one first.
func (d *deadlock) waiting() []waiter {
	if d.Case.Inspect == nil {
		return nil
	}
	var list []waiter
	seen := map[string]int{}
	for start := 0; start < maxWaiting; {
		page, more, err := d.Case.Inspect.Goroutines(d.Ctx, debugger.Page{Start: start, Count: 500})
		if err != nil {
			break
		}
		for _, g := range page {
			if g.System || g.State == "dead" || g.State == "running" {
				continue
			}
			key := fmt.Sprint(g.User.Function, g.User.Line, g.GoAt.Function, g.GoAt.Line, g.WaitReason, g.ID == 1)
			if i, ok := seen[key]; ok && !inLibraryWait(g) {
				list[i].count++
				continue
			}
			if len(list) >= maxWaitingKinds {
				continue
			}
			frames, _, err := d.Case.Inspect.Frames(d.Ctx, g.ID, debugger.Page{Count: waitFrames})
			if err != nil {
				continue
			}
			if w, ok := d.waiterOf(g, frames); ok {
				list = addWaiter(list, w)
				if !inLibraryWait(g) {
					seen[key] = len(list) - 1
				}
			}
		}
		if !more || len(page) == 0 {
			break
		}
		start += len(page)
	}
	return mainFirst(list)
}

// addWaiter counts a goroutine that waits where another one does.
func addWaiter(list []waiter, w waiter) []waiter {
	for i, o := range list {
		if w.kind == waitLock || w.kind == waitRLock { // which of them holds another lock is to be seen
			break
		}
		if w.File != nil && o.File != nil && o.Node() == w.Node() && o.main == w.main {
			list[i].count++
			return list
		}
	}
	return append(list, w)
}

// inLibraryWait reports whether the innermost frame outside the runtime says
// nothing about where the user's code waits.
func inLibraryWait(g debugger.Goroutine) bool { return !g.User.User }

func mainFirst(list []waiter) []waiter {
	for i, w := range list {
		if w.main {
			rest := append(append([]waiter{}, list[:i]...), list[i+1:]...)
			return append([]waiter{w}, rest...)
		}
	}
	return list
}

// waiterOf finds what a goroutine waits for; false when it is not in the
// user's code.
func (d *deadlock) waiterOf(g debugger.Goroutine, frames []debugger.Frame) (waiter, bool) {
	for i, fr := range frames { // what the compiler wraps around "go f(x)" is not in the source
		if goWrapper.MatchString(fr.Function) {
			frames = frames[:i]
			break
		}
	}
	w := waiter{count: 1, main: g.ID == 1, id: g.ID, frames: frames, at: -1}
	for i, fr := range frames {
		if fr.User {
			w.at = i
			break
		}
		if !fr.Runtime && !strings.HasPrefix(fr.Function, "internal/") {
			w.library = fr.Function
		}
	}
	if w.at < 0 {
		return w, false
	}
	home, ok := d.FunctionAt(frames[w.at])
	if !ok {
		return w, false
	}
	w.kind, w.nilChan = kindOfWait(g.WaitReason, w.library)
	w.Place, w.on = d.waitingNode(home, frames[w.at], w.kind, w.library)
	if w.kind == waitOther || w.File == nil {
		return w, w.library != "" || g.State == "waiting"
	}
	return w, true
}

func kindOfWait(reason, library string) (kind waitKind, isNil bool) {
	isNil = strings.Contains(reason, "nil chan")
	switch {
	case strings.HasPrefix(library, "sync.(*Once)"):
		return waitOnce, false
	case strings.HasPrefix(library, "sync.(*WaitGroup)"):
		return waitGroup, false
	case strings.HasPrefix(library, "sync.(*Cond)"):
		return waitCond, false
	case library == "sync.(*RWMutex).RLock":
		return waitRLock, false
	case strings.HasPrefix(library, "sync.(*RWMutex)"), strings.HasPrefix(library, "sync.(*Mutex)"):
		return waitLock, false
	case library != "":
		return waitOther, false
	case strings.HasPrefix(reason, "chan send"):
		return waitSend, isNil
	case strings.HasPrefix(reason, "chan receive"):
		return waitReceive, isNil
	case reason == "select (no cases)":
		return waitForever, false
	case reason == "select":
		return waitSelect, false
	}
	return waitOther, false
}

var goWrapper = lazyregexp.New(`\.gowrap\d+$`)

// waitingNode finds the operation on a frame's line that waits, and what it
// waits on.
func (d *deadlock) waitingNode(home syntax.Place, frame debugger.Frame, kind waitKind, library string) (syntax.Place, ast.Expr) {
	inLiteral := syntax.ClosureName.MatchString(frame.Function)
	var best ast.Node
	var on ast.Expr
	rank := 0
	syntax.Visit(home.Path[0], func(n ast.Node) {
		e, ok := d.waitsOn(home, n, kind, library)
		if !ok {
			return
		}
		r := 1
		if d.waitLine(n) == frame.Line {
			r += 4
		} else if !home.Of(n).Deferred() {
			return
		}
		if _, isLit := home.Of(n).Function().(*ast.FuncLit); isLit == inLiteral {
			r++
		}
		if r > rank {
			best, on, rank = n, e, r
		}
	})
	if best == nil {
		return syntax.Place{}, nil
	}
	return home.Of(best), on
}

// waitLine is the line that a stack trace shows for a waiting operation.
func (d *deadlock) waitLine(n ast.Node) int {
	if r, ok := n.(*ast.RangeStmt); ok {
		return d.Line(r.For)
	}
	return d.LineOf(n)
}

// waitsOn reports whether a node can wait for something of that kind.
func (d *deadlock) waitsOn(p syntax.Place, n ast.Node, kind waitKind, library string) (ast.Expr, bool) {
	switch n := n.(type) {
	case *ast.SendStmt:
		return n.Chan, kind == waitSend
	case *ast.UnaryExpr:
		return n.X, kind == waitReceive && n.Op == token.ARROW
	case *ast.RangeStmt:
		return n.X, kind == waitReceive && syntax.IsChan(p.Info().TypeOf(n.X))
	case *ast.SelectStmt:
		if kind == waitReceive || kind == waitSend { // a select with a single case
			if len(n.Body.List) != 1 {
				return nil, false
			}
		}
		return nil, kind == waitSelect || kind == waitForever
	case *ast.CallExpr:
		fn := p.Callee(n)
		sel, isSel := ast.Unparen(n.Fun).(*ast.SelectorExpr)
		if fn == nil || library == "" {
			return nil, false
		}
		if strings.HasPrefix(library, "sync.") {
			if !isSel || fn.Pkg() == nil || fn.Pkg().Path() != "sync" {
				return nil, false
			}
			return sel.X, syncWait(fn.Name(), kind)
		}
		return nil, !d.OwnsPackage(fn.Pkg())
	}
	return nil, false
}

func syncWait(method string, kind waitKind) bool {
	switch kind {
	case waitGroup, waitCond:
		return method == "Wait"
	case waitLock:
		return method == "Lock"
	case waitRLock:
		return method == "RLock"
	case waitOnce:
		return method == "Do"
	}
	return false
}

// whereWaits names the place of a waiter as people do.
func (d *deadlock) whereWaits(w waiter) string {
	fr := w.frames[w.at]
	return fmt.Sprintf("%s (%s:%d)", d.ShortFunction(fr), filepath.Base(fr.File), fr.Line)
}

// reader reads the frames of another goroutine.
func (d *deadlock) reader(w waiter) *analysis.Analysis {
	c := d.Case
	c.Stop.Goroutine, c.Stop.Frames = w.id, w.frames
	r := analysis.New(d.Ctx, c, d.Panic, d.Sources)
	r.At, r.Frame, r.Flow = w.at, w.frames[w.at], d.Flow
	return r
}
