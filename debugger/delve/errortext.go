package delve

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/memory"
)

// errorDepth bounds how far errors in errors are written out.
const errorDepth = 8

// errorText writes a panic's value that is still a value, as message does for
// what the runtime has turned into text. No code of the target runs for it:
// errors of the runtime and of the standard library are written as their Error
// methods do, of others type and fields are shown.
func (ps *panics) errorText(ctx context.Context, at debugger.FrameRef, l link) string {
	if convert.IsNil(&l.arg) || len(l.arg.Children) == 0 {
		return "nil"
	}
	data := &l.arg.Children[0]
	if text, ok := ps.runtimeError(ctx, at, data); ok {
		return text
	}
	if text, ok := standardError(data, errorDepth); ok {
		return text
	}
	if v := convert.Variable(data, "", ""); len(v.Children) > 0 && ps.hasErrorMethod(ctx, data.Type) {
		return v.Value
	}
	return ps.message(ctx, at, l)
}

// runtimeError writes an error of the runtime (runtime/error.go of Go 1.26).
func (ps *panics) runtimeError(ctx context.Context, at debugger.FrameRef, v *api.Variable) (string, bool) {
	switch v.Type {
	case "runtime.errorString":
		return "runtime error: " + v.Value, true
	case "runtime.plainError":
		return v.Value, true
	case "runtime.errorAddressString":
		return "runtime error: " + convert.Field(v, "msg").Value, true
	case "*runtime.PanicNilError":
		return "panic called with nil argument", true
	case "runtime.boundsError":
		return ps.boundsError(ctx, at, v), true
	case "*runtime.TypeAssertionError":
		text, err := ps.assertionError(ctx, at, v)
		return text, err == nil
	}
	return "", false
}

// boundsError takes the texts from the runtime's own tables.
func (ps *panics) boundsError(ctx context.Context, at debugger.FrameRef, v *api.Variable) string {
	x, y := convert.BareNumber(convert.Field(v, "x").Value), convert.BareNumber(convert.Field(v, "y").Value)
	table := "boundsErrorFmts"
	if signed := convert.Field(v, "signed").Value == "true"; signed && strings.HasPrefix(x, "-") {
		table = "boundsNegErrorFmts"
	} else if n, err := strconv.ParseInt(x, 10, 64); err == nil && !signed {
		x = strconv.FormatUint(uint64(n), 10)
	}
	format, err := ask.Eval(ctx, ps.srv, at, "runtime."+table+"["+convert.BareNumber(convert.Field(v, "code").Value)+"]", messageLoad)
	if err != nil {
		return fmt.Sprintf("runtime error: index out of range [%s] with length %s", x, y)
	}
	return "runtime error: " + strings.NewReplacer("%x", x, "%y", y).Replace(format.Value)
}

// assertionError names the types, which the value points at.
func (ps *panics) assertionError(ctx context.Context, at debugger.FrameRef, v *api.Variable) (string, error) {
	if len(v.Children) == 0 {
		return "", errors.New("it points nowhere")
	}
	// The layout of runtime.TypeAssertionError: three pointers and a string.
	words, err := memory.Read(ctx, ps.memory, v.Children[0].Addr, 24)
	if err != nil {
		return "", err
	}
	names := [3]string{"interface", "", ""}
	for i := range names {
		address := binary.LittleEndian.Uint64(words[8*i:])
		if address == 0 {
			continue
		}
		if names[i], err = ps.typeName(ctx, at, address); err != nil {
			return "", err
		}
	}
	inter, concrete, asserted := names[0], names[1], names[2]
	missing := convert.Field(&v.Children[0], "missingMethod").Value
	switch {
	case concrete == "":
		return "interface conversion: " + inter + " is nil, not " + asserted, nil
	case missing != "":
		return "interface conversion: " + concrete + " is not " + asserted + ": missing method " + missing, nil
	case concrete == asserted:
		return "interface conversion: " + inter + " is " + concrete + ", not " + asserted + " (types from different packages or scopes)", nil
	}
	return "interface conversion: " + inter + " is " + concrete + ", not " + asserted, nil
}

// standardError writes the errors that most others are made of.
func standardError(v *api.Variable, depth int) (string, bool) {
	if depth == 0 {
		return "…", true
	}
	if v.Kind.String() == "interface" {
		if convert.IsNil(v) || len(v.Children) == 0 {
			return "<nil>", false
		}
		return standardError(&v.Children[0], depth)
	}
	inner := func(name string) string {
		child := convert.Field(v, name)
		if text, ok := standardError(&child, depth-1); ok {
			return text
		}
		return convert.Variable(&child, "", "").Value
	}
	switch v.Type {
	case "*errors.errorString":
		return convert.Field(v, "s").Value, true
	case "*fmt.wrapError", "*fmt.wrapErrors":
		return convert.Field(v, "msg").Value, true
	case "*io/fs.PathError":
		return convert.Field(v, "Op").Value + " " + convert.Field(v, "Path").Value + ": " + inner("Err"), true
	case "*strconv.NumError":
		return "strconv." + convert.Field(v, "Func").Value + ": parsing " + strconv.Quote(convert.Field(v, "Num").Value) + ": " + inner("Err"), true
	case "syscall.Errno":
		n, err := strconv.ParseUint(convert.BareNumber(v.Value), 10, 64)
		return syscall.Errno(n).Error(), err == nil
	}
	return "", false
}
