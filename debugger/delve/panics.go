package delve

import (
	"context"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/memory"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/source"
)

// panics reads the panics of a goroutine as the runtime keeps them, and writes them
// as the runtime prints them.
type panics struct {
	srv      *control.Server
	config   *Config
	memory   *memory.Reader
	sources  *source.Finder
	captured map[debugger.GoroutineID]pending // typed values, until the fatal stop
}

// chainLimit bounds the panics that are read of one goroutine.
const chainLimit = 16

// pending is what was captured at runtime.preprintpanics: the values of a
// goroutine's panics with their types, newest first.
type pending []debugger.Variable

// link is one panic as the runtime keeps it.
type link struct {
	expr       string // of the runtime's _panic
	arg        api.Variable
	recovered  bool
	repanicked bool // the next newer panic has the same value
}

// capture reads the typed panic values of a goroutine that stopped at
// runtime.preprintpanics.
func (ps *panics) capture(ctx context.Context, g int64) error {
	at := debugger.FrameRef{Goroutine: debugger.GoroutineID(g)}
	links, err := ps.links(ctx, at)
	if err != nil {
		return err
	}
	var values pending
	for _, l := range links {
		values = append(values, typed(&l.arg))
	}
	ps.captured[at.Goroutine] = values
	return nil
}

// typed converts a panic's value. Its expressions go by address, because the
// runtime is about to overwrite the place it was read from.
func typed(arg *api.Variable) debugger.Variable {
	if convert.IsNil(arg) || len(arg.Children) == 0 {
		return convert.Variable(arg, "", "")
	}
	data := &arg.Children[0]
	expr := convert.ByAddress(data)
	if data.Kind == reflect.Pointer && len(data.Children) > 0 {
		expr = "(" + strconv.Quote(data.Type) + ")(" + "0x" + strconv.FormatUint(data.Children[0].Addr, 16) + ")"
	}
	return convert.Variable(data, "", expr)
}

// links reads the chain of a goroutine's panics, newest first, without the
// entries of runtime.Goexit.
func (ps *panics) links(ctx context.Context, at debugger.FrameRef) ([]link, error) {
	var links []link
	expr := "runtime.curg._panic"
	for range chainLimit {
		head, err := ask.Eval(ctx, ps.srv, at, expr, api.LoadConfig{FollowPointers: true, MaxVariableRecurse: 1, MaxStructFields: -1})
		if err != nil {
			return links, err
		}
		if convert.IsNil(head) || len(head.Children) == 0 {
			break
		}
		fields := &head.Children[0]
		if !truth(fields, "goexit") {
			l := link{expr: expr, recovered: truth(fields, "recovered"), repanicked: truth(fields, "repanicked")}
			arg, err := ask.Eval(ctx, ps.srv, at, expr+".arg", messageLoad)
			if err != nil {
				return links, err
			}
			l.arg = *arg
			links = append(links, l)
		}
		expr += ".link"
	}
	return links, nil
}

// messageLoad reads long messages whole.
var messageLoad = api.LoadConfig{FollowPointers: true, MaxVariableRecurse: 2, MaxStringLen: maxMessage, MaxArrayValues: convert.ArrayLoad, MaxStructFields: -1}

func truth(v *api.Variable, field string) bool {
	for i := range v.Children {
		if v.Children[i].Name == field {
			return v.Children[i].Value == "true"
		}
	}
	return false
}

// sameValue reports whether two panics have the very same value, as the runtime
// compares them: by type and data word.
func sameValue(a, b *api.Variable) bool {
	if len(a.Children) == 0 || len(b.Children) == 0 {
		return convert.IsNil(a) && convert.IsNil(b)
	}
	x, y := &a.Children[0], &b.Children[0]
	if x.Type != y.Type {
		return false
	}
	if x.Kind == reflect.Pointer && len(x.Children) > 0 && len(y.Children) > 0 {
		return x.Children[0].Addr == y.Children[0].Addr
	}
	return x.Addr == y.Addr
}

// crash reads the panics of a goroutine that stopped at runtime.fatalpanic,
// oldest first; the last is the one that kills the process.
func (ps *panics) crash(ctx context.Context, g debugger.GoroutineID) ([]debugger.Panic, error) {
	links, err := ps.links(ctx, debugger.FrameRef{Goroutine: g})
	values := ps.captured[g]
	delete(ps.captured, g)
	var panics []debugger.Panic
	for i, l := range links {
		if i+1 < len(links) && links[i+1].repanicked {
			// The older entry is printed for both, "[recovered, repanicked]".
			continue
		}
		p := debugger.Panic{Message: ps.message(ctx, debugger.FrameRef{Goroutine: g}, l), Recovered: l.recovered, Repanicked: l.recovered && l.repanicked, Culprit: -1}
		if i < len(values) && len(values) == len(links) {
			p.Value = values[i]
		} else {
			p.Value = typed(&l.arg)
		}
		p.Class = ps.classify(ctx, p, &l.arg)
		ps.carry(&p)
		panics = append([]debugger.Panic{p}, panics...)
	}
	return panics, err
}

// carry takes the stack of the first place out of the message.
func (ps *panics) carry(p *debugger.Panic) {
	crash.Carry(p, func(f debugger.Frame) bool { return source.IsUsers(ps.sources, f.File) })
}

// classify names the class; whether the value is an error matters only where
// the text says nothing.
func (ps *panics) classify(ctx context.Context, p debugger.Panic, arg *api.Variable) debugger.Class {
	class := debugger.Classify(p.Message, false, false)
	turned := len(arg.Children) > 0 && arg.Children[0].Type == "string" && p.Value.Type != "string"
	if class == debugger.Custom && turned && ps.hasErrorMethod(ctx, p.Value.Type) {
		return debugger.Classify(p.Message, false, true)
	}
	return class
}

// hasErrorMethod reports whether a type has a method Error. The runtime prefers
// it to String, so that a value whose type has one is an error.
func (ps *panics) hasErrorMethod(ctx context.Context, typ string) bool {
	pkg, name, ok := cutLast(strings.TrimPrefix(typ, "*"), ".")
	if !ok {
		return false
	}
	if i := strings.Index(name, "["); i >= 0 {
		name = name[:i]
	}
	filter := `(^|/)` + quoteMeta(pkg) + `\.(\(\*)?` + quoteMeta(name) + `(\[.*\])?\)?\.Error$`
	out, err := rpc.Call[rpc2.ListFunctionsOut](ctx, ps.srv.Client, "ListFunctions", rpc2.ListFunctionsIn{Filter: filter})
	return err == nil && len(out.Funcs) > 0
}
