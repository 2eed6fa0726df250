package judge

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/syntax"
)

// A restart that keeps running shows that the panic is gone only if it has reached the line
// that failed. The debugger finds out with hidden breakpoints.

// failingLine lists where a restart passes the line that failed, in the source as it is now:
// that line, and added lines that leave before it. It is empty if none is known.
func failingLine(ws workspace.Workspace, crash debugger.Stop, edits []patch.Edit) (places []debugger.Breakpoint) {
	f, ok := crash.SelectedFrame()
	if !ok || !crash.Panic.Class.HasStatement() {
		return nil
	}
	line, ok := f.Line, true
	i := slices.IndexFunc(edits, func(e patch.Edit) bool { return ws.Abs(e.File) == f.File })
	if i >= 0 {
		line, ok = edits[i].LineAfter(passed(edits[i].Before, f.Line))
	} else if text, err := regular.Read(f.File); err == nil {
		line = passed(string(text), f.Line)
	}
	if !ok || line == 0 {
		return nil
	}
	places = append(places, debugger.Breakpoint{File: f.File, Line: line})
	for _, e := range edits {
		for _, h := range patch.Hunks(e) {
			for _, l := range h.Lines {
				at := debugger.Breakpoint{File: ws.Abs(e.File), Line: l.New}
				if l.Op == patch.Add && leaves.MatchString(l.Text) && !strings.HasSuffix(e.File, "_test.go") && !places[0].IsAt(at.File, at.Line) {
					places = append(places, at)
				}
			}
		}
	}
	return places[:min(len(places), 8)]
}

var leaves = lazyregexp.New(`^\s*(return|continue|break|goto|panic)\b`)

// passed is the line that a program passes where a statement does not fail: of a call of
// panic, that of the statement which decides about it; 0 where nothing does.
func passed(source string, line int) int {
	f := syntax.Parse(source)
	if f == nil || f.At(line) == nil {
		return line
	}
	around, decides := []ast.Stmt{}, 0
	ast.Inspect(f.At(line).Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && f.Spans(lit, line) {
			around = nil
		}
		s, ok := n.(ast.Stmt)
		if ok && f.Spans(s, line) {
			around = append(around, s)
		}
		return n == nil || !ok || f.Spans(s, line)
	})
	for _, s := range around {
		switch s.(type) {
		case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.ForStmt, *ast.RangeStmt:
			decides = f.Line(s.Pos())
		}
	}
	if len(around) > 0 && syntax.IsPanic(around[len(around)-1]) {
		return decides
	}
	return line
}

// AwaitLine waits for the failing line in the round that was just launched.
func (jd *Judging) AwaitLine(r *target.Round) {
	w := jd.Watched
	if w == nil || w.crash.Test != nil || len(w.failing) == 0 {
		return
	}
	err := r.Target.AwaitLines(jd.Ctx, w.failing, func(come bool) { jd.Post(func() { jd.came(r, come) }) })
	r.Line.Awaited = err == nil // else a breakpoint of the person's may be there, whose stops show it
}

// came notes that a round has reached the failing line, or that it is no longer observed.
func (jd *Judging) came(r *target.Round, come bool) {
	r.Line.Awaited = false
	if !come {
		return
	}
	r.Line.Come = true
	if w := jd.Watched; w != nil && (w.doubted || w.needsRequest(r.Plan)) && jd.Runner.Round == r && r.Running {
		jd.WatchAlive(r)
	}
}

// seeLine notes that a stop is at the failing line, or in what that has called.
func (jd *Judging) seeLine(stop debugger.Stop) {
	for _, at := range jd.Watched.failing {
		if slices.ContainsFunc(stop.Frames, func(f debugger.Frame) bool { return at.IsAt(f.File, f.Line) }) {
			jd.line().Come = true
		}
	}
}

// line is that of the round.
func (jd *Judging) line() *target.LineSeen {
	if jd.Runner == nil || jd.Runner.Round == nil {
		return &target.LineSeen{}
	}
	return &jd.Runner.Round.Line
}

// hasLine reports whether there is a line that failed.
func (w *Watch) hasLine() bool { return w.crash.Panic == nil || w.crash.Panic.Class.HasStatement() }

// ranOn judges a restart that has run as long as the proof's rerun.
func (jd *Judging) ranOn(w *Watch, long time.Duration) {
	ran := fmt.Sprintf("still running after %.0f s", long.Seconds())
	switch line := jd.line(); {
	case line.Come || !w.hasLine():
		jd.judgeAlive(w.gone() + ", " + ran + ", as in the proof")
	case line.Awaited:
		jd.doubt(shownNothing + ran + ", and it has not come to " + w.place)
	default:
		jd.doubt(shownNothing + ran + ", and whether it has come to " + w.place + " is not known")
	}
}
