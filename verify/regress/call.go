package regress

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/regress/literal"
	"github.com/pausetui/pausetui/verify/regress/value"
)

// invocation is a call of a function with the values of a frame.
type invocation struct {
	fn       workspace.Func
	types    []types.Type // type arguments that are given
	receiver *argument
	args     []argument
	variadic bool
	changed  bool // the values may have changed between the call and the stop
}

// argument is a value under the name of the parameter.
type argument struct {
	name  string
	value *value.Value
}

// call makes the tests that call a frame's function: with its values as they
// were, and with those that constructors make again.
func (m *maker) call(f debugger.Frame, fn workspace.Func) error {
	k := newConstructors(m.c, fn.Object)
	plain, err := m.test(f, fn, nil)
	made, wrong := m.test(f, fn, k)
	if err == nil {
		err = m.spared(fn, nil)
	}
	if wrong == nil && k.used() {
		wrong = m.spared(fn, k)
	}
	var tests []patch.RegressionTest
	if err == nil {
		tests = append(tests, plain)
	}
	if wrong == nil && k.used() && (err != nil || made.Edit.After != plain.Edit.After) {
		tests = append(tests, made)
	}
	if len(tests) == 2 && k.usesOrigin() {
		slices.Reverse(tests)
	}
	if len(tests) == 2 && m.deadlocked() {
		tests = []patch.RegressionTest{made} // each takes its time
	}
	if len(tests) == 0 {
		return refusal(err)
	}
	for _, t := range tests {
		m.offer(t)
	}
	return nil
}

// test makes one test of a frame's function.
func (m *maker) test(f debugger.Frame, fn workspace.Func, k *constructors) (patch.RegressionTest, error) {
	call, err := m.invocation(f, fn, k)
	if err != nil {
		return patch.RegressionTest{}, err
	}
	file, err := m.fileFor(fn)
	if err != nil {
		return patch.RegressionTest{}, err
	}
	name := m.testName(file, fn, m.asserts().name)
	source, err := m.source(file, name, call)
	if err != nil {
		return patch.RegressionTest{}, err
	}
	if path := namesAPath(source); path != "" {
		return patch.RegressionTest{}, fmt.Errorf("it was given %s, a path of this machine", path)
	}
	edit, err := file.edit(source)
	calls := fmt.Sprintf("%s, as it was called in frame %d", declared(fn), f.Index)
	if call.changed {
		calls = fmt.Sprintf("%s, with the values of the stop in frame %d", declared(fn), f.Index)
	}
	if k != nil {
		calls += ", with values made by " + k.names()
	}
	return patch.RegressionTest{Name: name, Asserts: m.asserts().words, Edit: edit, Calls: calls}, err
}

func (m *maker) offer(t patch.RegressionTest) {
	m.names[t.Name] = true
	m.tests = append(m.tests, t)
}

// invocation reads what a frame's function was called with.
func (m *maker) invocation(f debugger.Frame, fn workspace.Func, k *constructors) (invocation, error) {
	at := debugger.FrameRef{Goroutine: m.c.Stop.Goroutine, Frame: f.Index}
	frame, err := m.c.Inspect.Load(m.ctx, at)
	if err != nil {
		return invocation{}, fmt.Errorf("its variables cannot be read: %w", err)
	}
	r := &value.Reader{Inspect: m.c.Inspect, At: at, From: fn.Package.Types, Input: m.input, Closures: closuresOf(fn).find,
		Types: value.NewTypes(mainPackage(fn, m.c.Code), m.c.Code.Packages)}
	if k != nil {
		r.Constructors = k.of
	}
	s, err := instantiate(fn, frame, r.Types)
	if err != nil {
		return invocation{}, err
	}
	call := invocation{fn: fn, types: s.args, variadic: s.signature.Variadic(), changed: mayHaveChanged(fn, f.Line)}
	if s.receiver != nil {
		received, err := m.argument(r, frame, s.receiver, "receiver")
		if err != nil {
			return invocation{}, err
		}
		call.receiver = &received
	}
	for i := range s.signature.Params().Len() {
		a, err := m.argument(r, frame, s.signature.Params().At(i), fmt.Sprint("arg", i+1))
		if err != nil {
			return invocation{}, err
		}
		call.args = append(call.args, a)
	}
	return call, nil
}

// argument reads a parameter. One without a name cannot matter.
func (m *maker) argument(r *value.Reader, frame debugger.Frame, p *types.Var, unnamed string) (argument, error) {
	if p.Name() == "" || p.Name() == "_" {
		return argument{unnamed, value.ZeroOf(p.Type())}, nil
	}
	i := slices.IndexFunc(frame.Args, func(v debugger.Variable) bool { return v.Name == p.Name() })
	if i < 0 {
		return argument{}, &value.Refusal{Path: p.Name(), Why: "is not known to the debugger"}
	}
	v, err := r.Read(m.ctx, p.Name(), frame.Args[i], p.Type())
	return argument{p.Name(), v}, err
}

// input is what the target was given as standard input.
func (m *maker) input() (string, bool) {
	if m.run.Stdin == "" {
		return cooked(m.run.Typed), m.run.Typed != ""
	}
	data, err := regular.Read(m.run.Stdin)
	return string(data), err == nil && len(data) <= literal.MaxText
}

func mainPackage(fn workspace.Func, code *workspace.Code) *types.Package {
	if fn.Package.Name == "main" {
		return fn.Package.Types
	}
	for _, p := range code.Packages {
		if p.Name == "main" {
			return p.Types
		}
	}
	return nil
}

func receiverIsPointer(fn workspace.Func) bool {
	if fn.Decl.Recv == nil || len(fn.Decl.Recv.List) == 0 {
		return false
	}
	_, ok := ast.Unparen(fn.Decl.Recv.List[0].Type).(*ast.StarExpr)
	return ok
}

// receiverName is the name of a method's type; empty for a function.
func receiverName(fn workspace.Func) string {
	base, _, found := strings.Cut(patch.FuncKey(fn.Decl), ".")
	if !found {
		return ""
	}
	return base
}

func isTest(fn workspace.Func) bool {
	sig := fn.Object.Signature()
	if sig.Recv() != nil || sig.Params().Len() != 1 || !strings.HasSuffix(position(fn).Filename, "_test.go") {
		return false
	}
	switch sig.Params().At(0).Type().String() {
	case "*testing.T", "*testing.B", "*testing.F", "*testing.M":
		return true
	}
	return false
}
