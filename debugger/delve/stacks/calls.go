package stacks

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"sort"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/internal/regular"
)

// Calls lists the calls that a frame's line has still to make, in the order
// that they are made, without those that the compiler added.
func (st *Unwinder) Calls(ctx context.Context, at debugger.FrameRef) (list []debugger.Call, err error) {
	err = st.srv.Do(ctx, func(ctx context.Context) error {
		out, err := rpc.Call[rpc2.StacktraceOut](ctx, st.srv.Client, "Stacktrace", rpc2.StacktraceIn{Id: ask.Inner(at).GoroutineID, Depth: at.Frame + 1})
		if err != nil {
			return fmt.Errorf("read the stack: %w", err)
		}
		if at.Frame >= len(out.Locations) {
			return ask.NoFrame(at)
		}
		frame := out.Locations[at.Frame]
		code, err := ask.Disassemble(ctx, st.srv, frame.PC)
		if err != nil {
			return fmt.Errorf("read the code of %s: %w", frame.Function.Name(), err)
		}
		list = calls(code, frame.File, frame.Line, frame.PC)
		write(list)
		return nil
	})
	return list, err
}

// calls lists the call instructions of a line from an address on.
func calls(code api.AsmInstructions, file string, line int, from uint64) []debugger.Call {
	var list []debugger.Call
	for _, in := range code {
		if in.Loc.File != file || in.Loc.Line != line || in.Loc.PC < from || !isCall(in) {
			continue
		}
		c := debugger.Call{PC: in.Loc.PC, SiteFile: file, SiteLine: line}
		if in.DestLoc != nil && in.DestLoc.Function != nil {
			c.Function, c.File, c.Line = debugger.Unescaped(in.DestLoc.Function.Name()), in.DestLoc.File, in.DestLoc.Line
			if hidden(c.Function) {
				continue
			}
		} else if in.DestLoc != nil {
			continue // into the middle of something: the compiler's
		}
		list = append(list, c)
	}
	return list
}

func isCall(in api.AsmInstruction) bool {
	name, _, _ := strings.Cut(in.Text, " ")
	return strings.EqualFold(name, "call") || strings.EqualFold(name, "bl")
}

// hidden tells what no source calls by that name: Delve does not step into it
// either.
func hidden(function string) bool {
	name, ok := strings.CutPrefix(function, "runtime.")
	if !ok {
		return strings.HasPrefix(function, "internal/runtime/") || strings.HasPrefix(function, "type:.")
	}
	return name == "" || name[0] < 'A' || name[0] > 'Z'
}

// write adds to each call how the source writes it. Arguments are called
// before what takes them, so that the ends of calls are in the order of the
// instructions, as far as the compiler keeps to it.
func write(list []debugger.Call) {
	if len(list) == 0 {
		return
	}
	source, err := regular.Read(list[0].SiteFile)
	if err != nil {
		return
	}
	written := writtenCalls(source, list[0].SiteLine)
	used := make([]bool, len(written))
	take := func(c *debugger.Call, fits func(writtenCall) bool) {
		for i, w := range written {
			if !used[i] && fits(w) {
				used[i], c.Text, c.Column = true, w.text, w.column
				return
			}
		}
	}
	for i := range list {
		if name := list[i].Function; name != "" {
			take(&list[i], func(w writtenCall) bool { return w.name == baseName(name) })
		}
	}
	for i := range list { // of what a variable or an interface leads to, and of closures
		if list[i].Text == "" {
			take(&list[i], func(w writtenCall) bool { return !builtins[w.name] })
		}
	}
}

// writtenCall is a call in the source.
type writtenCall struct {
	name   string // the last part of what is called; empty for a function literal
	text   string
	column int
	end    token.Pos
}

func writtenCalls(source []byte, line int) []writtenCall {
	files := token.NewFileSet()
	file, _ := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
	if file == nil {
		return nil
	}
	var list []writtenCall
	ast.Inspect(file, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name, at := called(c.Fun)
		if files.Position(at).Line != line && files.Position(c.Rparen).Line != line {
			return true
		}
		start, end := files.Position(c.Pos()).Offset, files.Position(c.End()).Offset
		list = append(list, writtenCall{name: name, text: strings.Join(strings.Fields(string(source[start:end])), " "),
			column: files.Position(at).Column, end: c.End()})
		return true
	})
	sort.SliceStable(list, func(i, j int) bool { return list[i].end < list[j].end })
	return list
}

// called names what an expression calls.
func called(fun ast.Expr) (string, token.Pos) {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return fun.Name, fun.Pos()
	case *ast.SelectorExpr:
		return fun.Sel.Name, fun.Sel.Pos()
	case *ast.IndexExpr:
		return called(fun.X)
	case *ast.IndexListExpr:
		return called(fun.X)
	}
	return "", fun.Pos()
}

// baseName is the last part of a function's name, without type arguments:
// "parse" of "example.com/a.(*T[go.shape.int]).parse".
func baseName(function string) string {
	function = debugger.WithoutTypeArguments(function)
	return function[strings.LastIndex(function, ".")+1:]
}

// builtins look like calls and are none.
var builtins = map[string]bool{
	"append": true, "cap": true, "clear": true, "close": true, "complex": true, "copy": true, "delete": true, "imag": true, "len": true,
	"make": true, "max": true, "min": true, "new": true, "panic": true, "print": true, "println": true, "real": true, "recover": true,
	"string": true, "int": true, "byte": true, "rune": true, "int64": true, "uint64": true, "float64": true, "error": true,
}
