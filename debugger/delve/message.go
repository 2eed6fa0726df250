package delve

import (
	"context"
	"encoding/binary"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/memory"
)

// maxMessage bounds a message in bytes.
const maxMessage = 8 << 10

// message writes a panic's value as the runtime prints it after "panic: ".
// Errors and Stringers are text already; for the rest this follows
// runtime.printpanicval (runtime/error.go of Go 1.26).
func (ps *panics) message(ctx context.Context, at debugger.FrameRef, l link) string {
	if convert.IsNil(&l.arg) || len(l.arg.Children) == 0 {
		return "nil"
	}
	data := &l.arg.Children[0]
	if data.Type == "string" {
		return strings.TrimSpace(data.Value)
	}
	plain, ok := ps.printed(data)
	if ok && isPredeclared(data.Type) {
		return plain
	}
	typ, word, err := ps.runtimeType(ctx, at, l.arg.Addr)
	if err != nil {
		typ = api.ShortenType(data.Type)
	}
	switch {
	case ok && data.Kind == reflect.String:
		return strings.TrimSpace(typ + `("` + plain + `")`)
	case ok && (data.Kind == reflect.Complex64 || data.Kind == reflect.Complex128):
		return typ + plain
	case ok:
		return typ + "(" + plain + ")"
	}
	return fmt.Sprintf("(%s) %#x", typ, word)
}

// printed writes a value of a basic kind as the print statement does.
func (ps *panics) printed(v *api.Variable) (string, bool) {
	switch v.Kind {
	case reflect.String:
		return v.Value, true
	case reflect.Bool:
		return v.Value, true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8,
		reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return convert.BareNumber(v.Value), true
	case reflect.Float32:
		return ps.float(v.Value, 32), true
	case reflect.Float64:
		return ps.float(v.Value, 64), true
	case reflect.Complex64, reflect.Complex128:
		bits := 64
		if v.Kind == reflect.Complex64 {
			bits = 32
		}
		if len(v.Children) < 2 {
			return "", false
		}
		imaginary := ps.float(v.Children[1].Value, bits)
		if !strings.HasPrefix(imaginary, "-") && !strings.HasPrefix(imaginary, "+") {
			imaginary = "+" + imaginary
		}
		return "(" + ps.float(v.Children[0].Value, bits) + imaginary + "i)", true
	}
	return "", false
}

// float writes a number as the target's Go version prints it.
func (ps *panics) float(value string, bits int) string {
	f, err := strconv.ParseFloat(value, bits)
	if err != nil {
		return value
	}
	if ps.oldFloats() {
		text := strconv.FormatFloat(f, 'e', 6, 64) // one digit, six more, an exponent of three
		if mantissa, exponent, ok := strings.Cut(text, "e"); ok {
			text = mantissa + "e" + exponent[:1] + fmt.Sprintf("%03s", exponent[1:])
		}
		if !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "+") && text != "NaN" {
			text = "+" + text
		}
		return text
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

func isPredeclared(typ string) bool {
	switch typ {
	case "bool", "string", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64",
		"uintptr", "float32", "float64", "complex64", "complex128":
		return true
	}
	return false
}

// runtimeType reads the name the runtime has for the dynamic type of an empty
// interface, which has the package's name and not its path, and the
// interface's data word.
func (ps *panics) runtimeType(ctx context.Context, at debugger.FrameRef, eface uint64) (name string, word uint64, err error) {
	words, err := memory.Read(ctx, ps.memory, eface, 16)
	if err != nil {
		return "", 0, err
	}
	typ, word := binary.LittleEndian.Uint64(words), binary.LittleEndian.Uint64(words[8:])
	name, err = ps.typeName(ctx, at, typ)
	return name, word, err
}

// typeName reads the runtime's name of the type described at an address.
func (ps *panics) typeName(ctx context.Context, at debugger.FrameRef, typ uint64) (string, error) {
	// internal/abi.Type, unchanged from Go 1.20 to 1.27, on 64-bit systems.
	const (
		tflagOffset, strOffset, typeSize = 20, 40, 48
		extraStar                        = 1 << 1
	)
	head, err := memory.Read(ctx, ps.memory, typ, typeSize)
	if err != nil {
		return "", err
	}
	types, err := ask.Eval(ctx, ps.srv, at, "runtime.firstmoduledata.types", convert.FrameLoad)
	if err != nil {
		return "", err
	}
	base, err := strconv.ParseUint(types.Value, 10, 64)
	if err != nil {
		return "", err
	}
	place := base + uint64(binary.LittleEndian.Uint32(head[strOffset:]))
	// A byte of flags, the length as a varint, the name.
	size, err := memory.Read(ctx, ps.memory, place, 1+binary.MaxVarintLen16)
	if err != nil {
		return "", err
	}
	length, n := binary.Uvarint(size[1:])
	if n <= 0 || length > 4096 {
		return "", fmt.Errorf("name of %d bytes", length)
	}
	text, err := memory.Read(ctx, ps.memory, place+1+uint64(n), int(length))
	if err != nil {
		return "", err
	}
	name := string(text)
	if head[tflagOffset]&extraStar != 0 {
		name = strings.TrimPrefix(name, "*")
	}
	return name, nil
}

func quoteMeta(s string) string { return regexp.QuoteMeta(s) }

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
