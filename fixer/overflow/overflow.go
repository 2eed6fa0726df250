// Package overflow has the rules for endless recursion.
package overflow

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/evidence"
)

// overflow is a recursion without end, as the innermost frames show it.
type overflow struct {
	*proposal.Proposal
	cycle []cycleFunc // the user's functions that call one another, innermost first
	step  int         // frames of one pass
}

// Propose explains a recursion that did not end. Where one function calls itself, it
// offers to remember what was visited.
func Propose(f *proposal.Proposal) {
	o := &overflow{Proposal: f}
	if !o.read() {
		return
	}
	o.describe()
	if len(o.cycle) == 1 {
		o.visited(o.cycle[0])
	}
}

// cycleFunc is one function of the cycle, at the call that leads to the next one.
type cycleFunc struct {
	syntax.Place // of the call, or of the function where it was not found
	fn           ast.Node
	frame        int    // the innermost frame of it
	into         string // the library function that the call leads into; empty for the user's own
}

// read finds the cycle in the frames.
func (o *overflow) read() bool {
	frames := o.Case.Stop.Frames
	first := o.At
	// The innermost frames may stand elsewhere: the stack ended there.
	for ; first < len(frames) && o.step == 0; first++ {
		if frames[first].User {
			o.step = period(frames[first:])
		}
	}
	first--
	if o.step == 0 {
		return false
	}
	o.At = first
	for i := first; i < first+o.step; i++ {
		fr := frames[i]
		if !fr.User {
			continue
		}
		home, ok := o.FunctionAt(fr)
		if !ok {
			return false
		}
		fn := o.Innermost(home, fr.Function, fr.Line)
		t := cycleFunc{Place: home.Of(fn), fn: fn, frame: i}
		before := i - 1
		if before < first { // what the innermost frame calls is seen one pass further out
			before = i - 1 + o.step
		}
		if before >= 0 && before < len(frames) && !frames[before].User {
			for ; before > 0 && (frames[before].Runtime || frames[before].File == analysis.WrapperFile); before-- {
			}
			if !frames[before].User {
				t.into = frames[before].Function
			}
		}
		if call, found := o.callOf(home, fn, fr, t.into); found {
			t.Place = home.Of(call)
		}
		o.cycle = append(o.cycle, t)
	}
	return len(o.cycle) > 0
}

// period is the number of frames after which the first one comes again; 0 when
// it does not.
func period(frames []debugger.Frame) int {
	for i := 1; i < len(frames); i++ {
		if frames[i].Function == frames[0].Function && frames[i].Line == frames[0].Line {
			return i
		}
	}
	return 0
}

// callOf finds the call on a frame's line that goes on with the cycle.
func (o *overflow) callOf(home syntax.Place, fn ast.Node, fr debugger.Frame, into string) (*ast.CallExpr, bool) {
	names := map[string]bool{}
	for _, other := range o.Case.Stop.Frames[o.At:min(len(o.Case.Stop.Frames), o.At+o.step+1)] {
		if other.User {
			name := debugger.WithoutTypeArguments(other.Function)
			names[name[strings.LastIndexByte(name, '.')+1:]] = true
		}
	}
	var best *ast.CallExpr
	rank := 0
	syntax.Visit(syntax.BodyOf(fn), func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || home.Of(call).Function() != fn || o.Line(call.Pos()) > fr.Line || o.Line(call.End()) < fr.Line {
			return
		}
		r := 1
		callee := home.Callee(call)
		switch {
		case callee == nil:
			if _, isBuiltin := home.Builtin(call); isBuiltin != nil {
				return
			}
			if into == "" {
				r = 2 // a function variable
			}
		case into != "" && strings.HasSuffix(into, "."+callee.Name()):
			r = 5
		case into == "" && names[callee.Name()]:
			r = 5
		}
		if o.LineOf(call) == fr.Line {
			r++
		}
		if r > rank {
			best, rank = call, r
		}
	})
	return best, best != nil
}

// describe says which functions call one another, and with what.
func (o *overflow) describe() {
	t := o.cycle[0]
	d := evidence.Diagnosis{Origin: o.RelWhere(t.Node().Pos()), Value: "a recursion without end"}
	names := make([]string, 0, len(o.cycle))
	for i := len(o.cycle) - 1; i >= 0; i-- {
		names = append(names, syntax.FuncName(o.cycle[i].fn))
	}
	d.Sentence = fmt.Sprintf("%s calls itself without end (%s)", names[0], o.Where(t.Node().Pos()))
	if len(names) > 1 {
		d.Sentence = fmt.Sprintf("%s call one another without end (%s)", syntax.Join(strings.Join(names[:len(names)-1], ", "), names[len(names)-1]), o.Where(t.Node().Pos()))
		d.Sentence = strings.Replace(d.Sentence, ", "+names[len(names)-1], " and "+names[len(names)-1], 1)
	}
	if t.into != "" {
		d.Sentence = fmt.Sprintf("%s calls itself without end, through %s (%s)", names[0], o.Text(o.callText(t)), o.Where(t.Node().Pos()))
	}
	if what := o.arguments(); what != "" {
		d.Sentence += ": " + what
	}
	o.Diagnosis = d
}

func (o *overflow) callText(t cycleFunc) ast.Node {
	if call, ok := t.Node().(*ast.CallExpr); ok {
		return call.Fun
	}
	return t.Node()
}

// param is a parameter or receiver with its values in three passes, the
// innermost first.
type param struct {
	v      *types.Var
	name   string
	values [3]debugger.Variable // from the call around the innermost one outward
	known  int
	// innermost is the value in the innermost call, or what is there before it has stored it.
	innermost debugger.Variable
}

// params reads the parameters of the first function of the cycle.
func (o *overflow) params() []param {
	t := o.cycle[0]
	ft := syntax.TypeOfFunc(t.fn)
	if ft == nil {
		return nil
	}
	var fields []*ast.Field
	if d, ok := t.fn.(*ast.FuncDecl); ok && d.Recv != nil {
		fields = append(fields, d.Recv.List...)
	}
	fields = append(fields, ft.Params.List...)
	var list []param
	for _, field := range fields {
		for _, n := range field.Names {
			v, ok := t.Info().Defs[n].(*types.Var)
			if !ok || n.Name == "_" {
				continue
			}
			list = append(list, o.readParam(v, n.Name, t.frame+o.step))
		}
	}
	return list
}

// readParam reads a parameter from a frame outward. The innermost frame itself
// may not have stored it yet.
func (o *overflow) readParam(v *types.Var, name string, frame int) param {
	p := param{v: v, name: name}
	for i := range p.values {
		a := o.Values.Variable(frame+i*o.step, name)
		if !a.Known {
			break
		}
		p.values[i] = a.Value
		p.known++
	}
	if a := o.Values.Variable(frame-o.step, name); a.Known {
		p.innermost = a.Value
	}
	return p
}

// last is the value of the innermost call, where it goes on with those around it: until
// the call has stored it, something else is there.
func (p param) last() string {
	now := p.innermost.Value
	if delta, last, ok := p.difference(); ok {
		if n, ok := syntax.ParseInt(now); ok && n == last+delta {
			return now
		}
		return p.values[0].Value
	}
	for _, v := range p.values[:p.known] {
		if v.Value == now {
			return now
		}
	}
	return p.values[0].Value
}

// same reports whether a parameter has the same value in every pass.
func (p param) same() bool {
	for i := 1; i < p.known; i++ {
		if ident(p.values[i]) != ident(p.values[0]) {
			return false
		}
	}
	return p.known >= 2
}

// ident is what tells two values apart: an address for what a pointer points
// at, else the text.
func ident(v debugger.Variable) string {
	if len(v.Children) == 1 && strings.HasPrefix(v.Type, "*") {
		return fmt.Sprintf("%#x", v.Children[0].Addr)
	}
	if v.Base != 0 {
		return fmt.Sprintf("%#x %d", v.Base, v.Len)
	}
	return fmt.Sprintf("%s %d", v.Value, v.Len)
}

// difference is by how much an integer changes from one pass to the next.
func (p param) difference() (delta, last int64, ok bool) {
	if p.known < 2 || !syntax.IsInteger(p.v.Type()) {
		return 0, 0, false
	}
	a, okA := syntax.ParseInt(p.values[0].Value)
	b, okB := syntax.ParseInt(p.values[1].Value)
	return a - b, a, okA && okB
}

// arguments says how the arguments change from pass to pass.
func (o *overflow) arguments() string {
	var parts []string
	unchanged := 0
	list := o.params()
	for _, p := range list {
		delta, _, isInt := p.difference()
		switch {
		case p.same():
			unchanged++
		case isInt && delta < 0:
			parts = append(parts, fmt.Sprintf("%s is %s by now and goes down by %d each time", p.name, p.last(), -delta))
		case isInt:
			parts = append(parts, fmt.Sprintf("%s is %s by now and goes up by %d each time", p.name, p.last(), delta))
		case p.v.Type() != nil && syntax.IsString(p.v.Type()) && p.known > 1 && len(p.values[0].Value) < 40:
			parts = append(parts, fmt.Sprintf("%s is %q by now", p.name, p.last()))
		}
	}
	if len(parts) == 0 && unchanged > 0 && unchanged == len(list) {
		return "with the same arguments every time"
	}
	return strings.Join(parts, ", ")
}
