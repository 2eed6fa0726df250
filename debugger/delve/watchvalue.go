package delve

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

// What a watchpoint has seen. Delve watches up to eight bytes at an address; what
// they hold is read from there at each hit, since the expression may mean
// something else by then. Of an interface it watches the second word, which is
// meaningless without the first, the dynamic type. The compiler stores the type
// first, so that both are new when the write of the second word stops the program.

// sight is a watched value as it was at one time.
type sight struct {
	text string // in one line; empty: it could not be read
	key  string // the whole value, with the addresses of what it refers to
	cut  bool   // key does not tell all
	at   uint64 // what a single reference refers to
	raw  []byte // the memory
}

// partsLoad reads all of a small value, but not what it refers to.
var partsLoad = api.LoadConfig{MaxVariableRecurse: 4, MaxStringLen: convert.StringLoad, MaxArrayValues: 8, MaxStructFields: -1}

// look remembers the value of a watchpoint that was just set.
func (bs *breakpoints) look(ctx context.Context, mark *setBreak, at *api.Breakpoint) {
	v, err := ask.Eval(ctx, bs.srv, refOf(ask.Inner(mark.At)), mark.Watch, api.LoadConfig{})
	if err != nil || v.Unreadable != "" {
		return
	}
	mark.wtype, mark.dynamic = v.Type, v.Kind == reflect.Interface
	if !mark.dynamic {
		if typ, ok := bs.asserted(ctx, mark, at); ok {
			mark.wtype, mark.dynamic = typ, true
		}
	}
	mark.watched = bs.see(ctx, mark, at)
}

// asserted is the type of the interface that a watched word belongs to: x.(*T) is
// the second word of x itself, which holds another type once x does.
func (bs *breakpoints) asserted(ctx context.Context, mark *setBreak, at *api.Breakpoint) (typ string, ok bool) {
	expr, err := parser.ParseExpr(mark.Watch)
	if err != nil {
		return "", false
	}
	ast.Inspect(expr, func(n ast.Node) bool {
		assertion, is := n.(*ast.TypeAssertExpr)
		if !is || ok {
			return !ok
		}
		of := mark.Watch[assertion.X.Pos()-1 : assertion.X.End()-1]
		x, err := ask.Eval(ctx, bs.srv, refOf(ask.Inner(mark.At)), of, api.LoadConfig{})
		if err == nil && x.Kind == reflect.Interface && x.Addr != 0 && x.Addr+watchSize(at) == watchAddr(at) {
			typ, ok = x.Type, true
		}
		return true
	})
	return typ, ok
}

// watchSize is how many bytes are watched.
func watchSize(at *api.Breakpoint) uint64 { return uint64(at.WatchType >> 4) }

// watchAddr is where: the stack may have moved.
func watchAddr(at *api.Breakpoint) uint64 {
	if len(at.Addrs) > 0 {
		return at.Addrs[0]
	}
	return at.Addr
}

// see reads what a watchpoint watches.
func (bs *breakpoints) see(ctx context.Context, mark *setBreak, at *api.Breakpoint) (s sight) {
	addr, size := watchAddr(at), watchSize(at)
	load := convert.ChildLoad
	if mark.dynamic {
		addr, size, load = addr-size, 2*size, convert.FrameLoad
	}
	if mark.wtype == "" || size == 0 {
		return s
	}
	here, expr := debugger.FrameRef{Goroutine: -1}, fmt.Sprintf("*(*%q)(%#x)", mark.wtype, addr)
	whole, err := ask.Eval(ctx, bs.srv, here, expr, partsLoad)
	if err != nil || whole.Unreadable != "" {
		return s
	}
	v, err := ask.Eval(ctx, bs.srv, here, expr, load)
	if err != nil || v.Unreadable != "" {
		return s
	}
	memory, err := rpc.Call[rpc2.ExaminedMemoryOut](ctx, bs.srv.Client, "ExamineMemory", rpc2.ExamineMemoryIn{Address: addr, Length: int(size)})
	if err != nil || len(memory.Mem) != int(size) {
		return s
	}
	s.raw, s.at = memory.Mem, refersTo(v)
	s.key, s.cut = parts(whole)
	if s.at == 0 && s.cut && (mark.dynamic || v.Kind == reflect.Func) {
		s.at = wordOf(s.raw[size-watchSize(at):], memory.IsLittleEndian)
	}
	if s.text = oneValue(v); v.Kind == reflect.Array {
		s.text = s.key
	}
	return s
}

// watchedNow says what a watchpoint that was just hit has seen.
func (bs *breakpoints) watchedNow(ctx context.Context, at *api.Breakpoint) *debugger.Watched {
	mark := bs.breaks[at.ID]
	if mark == nil {
		return &debugger.Watched{Expr: at.WatchExpr}
	}
	w := &debugger.Watched{Expr: mark.Watch, Written: mark.WatchKind == "" || mark.WatchKind == debugger.WatchWrite}
	was, now := mark.watched, bs.see(ctx, mark, at)
	mark.watched = now
	switch w.Was, w.Now = was.text, now.text; {
	case mark.Cond != "" || mark.HitCond != "":
		w.Was = "" // what it was at the last stop: it may have changed since
	case was.text == "" || now.text == "":
	case !now.differs(was):
		w.Was = now.text // what it refers to may have changed, it has not
	case was.text == now.text:
		w.Was, w.Now = was.apart(now)
	}
	return w
}

// differs reports whether a value is another one than before. The dynamic values of
// interfaces are compared, not their addresses, and bytes of padding are not.
func (s sight) differs(was sight) bool {
	if bytes.Equal(s.raw, was.raw) {
		return false
	}
	return s.key != was.key || s.cut || was.cut
}

// apart writes two values that look the same so that their difference shows.
func (s sight) apart(now sight) (was, is string) {
	switch {
	case s.at != now.at:
		return fmt.Sprintf("%s at %#x", s.text, s.at), fmt.Sprintf("%s at %#x", now.text, now.at)
	case s.key != now.key:
		return s.key, now.key
	}
	return fmt.Sprintf("%s (bytes % x)", s.text, s.raw), fmt.Sprintf("%s (bytes % x)", now.text, now.raw)
}

// wordOf is an address in memory.
func wordOf(memory []byte, littleEndian bool) (word uint64) {
	memory = slices.Clone(memory)
	if littleEndian {
		slices.Reverse(memory)
	}
	for _, b := range memory {
		word = word<<8 | uint64(b)
	}
	return word
}

// refersTo is the address that a reference holds, also one in an interface; 0 for
// what is none, and for functions, which Delve knows by their code.
func refersTo(v *api.Variable) uint64 {
	switch {
	case v.Kind == reflect.Map, v.Kind == reflect.Chan:
		return v.Base
	case v.Kind == reflect.Pointer && len(v.Children) == 1:
		return v.Children[0].Addr
	case v.Kind == reflect.Interface && len(v.Children) == 1:
		return refersTo(&v.Children[0])
	}
	return 0
}

// parts writes a value with all that it consists of. Of what it refers to it has
// the address: that may change without it.
func parts(v *api.Variable) (text string, cut bool) {
	typ := convert.ShortType(v.Type)
	if strings.HasPrefix(typ, "struct {") {
		typ = "struct"
	}
	switch {
	case v.Unreadable != "":
		return "(unreadable)", true
	case convert.IsNil(v):
		return "nil", false
	}
	switch v.Kind {
	case reflect.Map, reflect.Chan, reflect.Pointer:
		return fmt.Sprintf("%s %#x", typ, refersTo(v)), refersTo(v) == 0
	case reflect.Func:
		return convert.Value(v, 1), true
	case reflect.Slice:
		return fmt.Sprintf("%s %#x len %d cap %d", typ, v.Base, v.Len, v.Cap), false
	case reflect.String:
		return strconv.Quote(v.Value), int64(len(v.Value)) < v.Len
	case reflect.Interface:
		if len(v.Children) != 1 {
			return typ, true
		}
		inner, cut := parts(&v.Children[0])
		if full := debugger.Unescaped(v.Children[0].Type); !strings.HasPrefix(inner, full) { // the short one may be another package's too
			inner = full + "(" + inner + ")"
		}
		return inner, cut
	case reflect.Struct, reflect.Array:
		var list []string
		cut := int64(len(v.Children)) < v.Len
		for i := range v.Children {
			inner, cutInside := parts(&v.Children[i])
			if v.Kind == reflect.Struct {
				inner = v.Children[i].Name + ": " + inner
			}
			list, cut = append(list, inner), cut || cutInside
		}
		return typ + "{" + strings.Join(list, ", ") + "}", cut
	}
	return convert.Value(v, 1), v.Value == "NaN" // of which there are many
}

// oneValue is a small value in one line.
func oneValue(v *api.Variable) string {
	if convert.IsNil(v) {
		return "nil"
	}
	return convert.Value(v, 0)
}
