package value

import (
	"context"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/verify/behavior/replay"
)

// Recorded are values that a run has recorded as a debugger would show them, for a Reader
// with RecordedOnly as its Inspector. Parts that pointers share have one address.
func Recorded(nodes []replay.Node) []debugger.Variable {
	list := make([]debugger.Variable, len(nodes))
	for i, n := range nodes {
		list[i] = shown("", n)
	}
	return list
}

// RecordedOnly stands for a target of which nothing is known but what was recorded.
type RecordedOnly struct{ debugger.Inspector }

// recorded reports whether all that is known was recorded.
func (r *Reader) recorded() bool {
	_, only := r.Inspect.(RecordedOnly)
	return only
}

var errRecorded = errors.New("was not recorded")

// Evaluate knows the standard files, and that channels were recorded open.
func (RecordedOnly) Evaluate(_ context.Context, _ debugger.FrameRef, expr string) (debugger.Variable, error) {
	if addr, ok := recordedFiles[strings.TrimPrefix(expr, "os.")]; ok {
		return debugger.Variable{Kind: reflect.Pointer, Addr: 1, Children: []debugger.Variable{{Kind: reflect.Struct, Addr: addr}}}, nil
	}
	if strings.HasSuffix(expr, ").closed") {
		return debugger.Variable{Kind: reflect.Uint32, Value: "0"}, nil
	}
	return debugger.Variable{}, errRecorded
}

// recordedFiles are the addresses of the standard files; those of other values are small.
var recordedFiles = map[string]uint64{"Stdin": 1 << 60, "Stdout": 1<<60 + 1, "Stderr": 1<<60 + 2}

// firstAddr is the address of the value with the number 1.
const firstAddr = 0x1000

// kinds of what a node with a Text stands for.
var recordedKinds = map[replay.Kind]reflect.Kind{replay.Bool: reflect.Bool, replay.Int: reflect.Int, replay.Uint: reflect.Uint,
	replay.Float: reflect.Float64, replay.Complex: reflect.Complex128, replay.String: reflect.String, replay.Func: reflect.Func}

// shown is one value, or a part of one.
func shown(name string, n replay.Node) debugger.Variable {
	v := debugger.Variable{Name: name, Type: replay.ShortType(n.Type, ""), FullType: n.Type, Value: n.Text, Kind: recordedKinds[n.Kind]}
	switch n.Kind {
	case replay.Nil:
		v.Kind, v.Nil = reflect.Pointer, true
	case replay.String, replay.Bytes:
		v.Value, _ = strconv.Unquote(n.Text) // as it was quoted
		v.Len = int64(len(v.Value))
		if n.Kind == replay.Bytes {
			v.Kind = reflect.Slice
		}
	case replay.Slice, replay.Array:
		v.Kind = map[replay.Kind]reflect.Kind{replay.Slice: reflect.Slice, replay.Array: reflect.Array}[n.Kind]
		for i, c := range n.Nodes {
			v.Children = append(v.Children, shown("["+strconv.Itoa(i)+"]", c))
		}
		v.Len = int64(len(n.Nodes))
	case replay.Map:
		v.Kind, v.Len = reflect.Map, int64(len(n.Nodes)/2)
		for i := 0; i+1 < len(n.Nodes); i += 2 {
			key := shown("", n.Nodes[i])
			entry := shown("["+n.Nodes[i].Text+"]", n.Nodes[i+1])
			entry.Key = &key
			v.Children = append(v.Children, entry)
		}
	case replay.Struct:
		v.Kind, v.Addr = reflect.Struct, address(n.ID)
		for i, c := range n.Nodes {
			v.Children = append(v.Children, shown(n.Names[i], c))
		}
	case replay.Pointer, replay.Same:
		target := debugger.Variable{FullType: strings.TrimPrefix(n.Type, "*")}
		if len(n.Nodes) > 0 {
			target = shown("", n.Nodes[0])
		}
		target.Addr = address(n.ID)
		v.Kind, v.Children = reflect.Pointer, []debugger.Variable{target}
	case replay.Interface:
		v.Kind, v.Children = reflect.Interface, []debugger.Variable{held(n)}
	case replay.Chan:
		v.Kind = reflect.Chan
		v.Cap, _ = strconv.ParseInt(n.Text, 10, 64)
	default:
		special(n, &v)
	}
	return v
}

func address(id int) uint64 {
	if id == 0 {
		return 0
	}
	return firstAddr + uint64(id)
}

// held is what an interface holds: the value, or an error of the same text.
func held(n replay.Node) debugger.Variable {
	if len(n.Nodes) > 0 {
		in := shown("", n.Nodes[0])
		in.FullType = n.Type
		return in
	}
	says, _ := strconv.Unquote(n.Text)
	text := debugger.Variable{Name: "s", Kind: reflect.String, Value: says, Len: int64(len(says))}
	return debugger.Variable{Kind: reflect.Pointer, FullType: "*errors.errorString", Children: []debugger.Variable{{Kind: reflect.Struct, FullType: "errors.errorString", Children: []debugger.Variable{text}}}}
}

// special are values of types that stand for more than their fields.
func special(n replay.Node, v *debugger.Variable) {
	switch n.Kind {
	case replay.Context:
		v.Kind, v.FullType = reflect.Interface, "context.Context"
		v.Children = []debugger.Variable{{Kind: reflect.Struct, FullType: "context.backgroundCtx"}}
	case replay.File:
		v.Kind = reflect.Pointer
		v.Children = []debugger.Variable{{Kind: reflect.Struct, FullType: "os.File", Addr: recordedFiles[n.Text]}}
	case replay.Time:
		v.Kind = reflect.Struct
		at, err := time.Parse(time.RFC3339Nano, n.Text)
		if v.Children = moments(at); err != nil {
			v.Unreadable = errRecorded.Error()
		}
	default:
		if v.Kind == reflect.Invalid {
			v.Unreadable = errRecorded.Error()
		}
	}
}

// moments are the fields of a time.Time.
func moments(at time.Time) []debugger.Variable {
	number := func(name string, n int64) debugger.Variable {
		return debugger.Variable{Name: name, Kind: reflect.Int64, Value: strconv.FormatInt(n, 10)}
	}
	loc := debugger.Variable{Name: "loc", Kind: reflect.Pointer, Nil: true}
	if name, offset := at.Zone(); offset != 0 {
		zones := debugger.Variable{Name: "zone", Kind: reflect.Slice, Len: 1, Children: []debugger.Variable{{Kind: reflect.Struct, Children: []debugger.Variable{number("offset", int64(offset))}}}}
		loc.Nil, loc.Children = false, []debugger.Variable{{Kind: reflect.Struct, Addr: firstAddr, Children: []debugger.Variable{{Name: "name", Kind: reflect.String, Value: name, Len: int64(len(name))}, zones}}}
	}
	return []debugger.Variable{number("wall", int64(at.Nanosecond())), number("ext", at.Unix()+unixToInternal), loc}
}
