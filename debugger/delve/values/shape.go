package values

import (
	"context"
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/memory"
)

// shape is how a value lies in memory, learnt from one that Delve has loaded: a
// number, a text, or a struct of such. Other fields are left out.
type shape struct {
	name, typ string
	kind      reflect.Kind
	offset    uint64
	fields    []shape
}

// textBytes is how much of a text is looked at.
const textBytes = 4096

// words are the sizes of what is read at once.
var words = map[reflect.Kind]uint64{
	reflect.Bool: 1, reflect.Int8: 1, reflect.Uint8: 1, reflect.Int16: 2, reflect.Uint16: 2, reflect.Int32: 4, reflect.Uint32: 4,
	reflect.Float32: 4, reflect.Int64: 8, reflect.Uint64: 8, reflect.Float64: 8, reflect.Int: 8, reflect.Uint: 8, reflect.String: 16,
}

// shapeOf learns the shape of a value; nil where it holds nothing that can be
// read so.
func shapeOf(v *debugger.Variable, base uint64) *shape {
	s := shape{name: v.Name, typ: v.Type, kind: v.Kind, offset: v.Addr - base}
	if v.Addr < base || v.Unreadable != "" {
		return nil
	}
	if words[v.Kind] > 0 {
		return &s
	}
	if v.Kind != reflect.Struct {
		return nil
	}
	for i := range v.Children {
		if f := shapeOf(&v.Children[i], base); f != nil {
			s.fields = append(s.fields, *f)
		}
	}
	if len(s.fields) == 0 {
		return nil
	}
	return &s
}

// size is how many bytes have to be read.
func (s *shape) size() uint64 {
	end := s.offset + words[s.kind]
	for i := range s.fields {
		end = max(end, s.fields[i].size())
	}
	return end
}

// variable makes an empty variable of the shape, to be filled.
func (s *shape) variable() debugger.Variable {
	v := debugger.Variable{Name: s.name, Type: s.typ, Kind: s.kind}
	for i := range s.fields {
		v.Children = append(v.Children, s.fields[i].variable())
	}
	return v
}

// fill puts the values of an element into its variable.
func (s *shape) fill(v *debugger.Variable, data []byte, texts map[extent]string) {
	for i := range s.fields {
		s.fields[i].fill(&v.Children[i], data, texts)
	}
	n := words[s.kind]
	if n == 0 {
		return
	}
	if uint64(len(data)) < s.offset+n {
		v.Unreadable, v.Value = "not in memory", ""
		return
	}
	v.Unreadable = ""
	data = data[s.offset:]
	switch s.kind {
	case reflect.Bool:
		v.Value = strconv.FormatBool(data[0] != 0)
	case reflect.Float32:
		v.Value = convert.ShortNumber(strconv.FormatFloat(float64(math.Float32frombits(binary.LittleEndian.Uint32(data))), 'f', -1, 32))
	case reflect.Float64:
		v.Value = convert.ShortNumber(strconv.FormatFloat(math.Float64frombits(binary.LittleEndian.Uint64(data)), 'f', -1, 64))
	case reflect.String:
		v.Len = int64(binary.LittleEndian.Uint64(data[8:]))
		v.Value = texts[textAt(data)]
	default:
		v.Value = integer(s.kind, data)
	}
}

func integer(kind reflect.Kind, data []byte) string {
	switch kind {
	case reflect.Int8:
		return strconv.Itoa(int(int8(data[0])))
	case reflect.Uint8:
		return strconv.Itoa(int(data[0]))
	case reflect.Int16:
		return strconv.Itoa(int(int16(binary.LittleEndian.Uint16(data))))
	case reflect.Uint16:
		return strconv.Itoa(int(binary.LittleEndian.Uint16(data)))
	case reflect.Int32:
		return strconv.Itoa(int(int32(binary.LittleEndian.Uint32(data))))
	case reflect.Uint32:
		return strconv.FormatUint(uint64(binary.LittleEndian.Uint32(data)), 10)
	case reflect.Uint, reflect.Uint64:
		return strconv.FormatUint(binary.LittleEndian.Uint64(data), 10)
	}
	return strconv.FormatInt(int64(binary.LittleEndian.Uint64(data)), 10)
}

// extent is where a string's bytes are, and how many of them are looked at.
type extent struct {
	addr uint64
	n    uint64
}

func textAt(data []byte) extent {
	return extent{binary.LittleEndian.Uint64(data), min(binary.LittleEndian.Uint64(data[8:]), textBytes)}
}

// texts reads the bytes of all strings of some elements.
func (vs *Inspector) texts(ctx context.Context, s *scan, keys, elems [][]byte) (map[extent]string, error) {
	var want []extent
	for _, part := range []struct {
		shape *shape
		data  [][]byte
	}{{s.key, keys}, {s.elem, elems}} {
		if part.shape == nil {
			continue
		}
		for _, data := range part.data {
			want = part.shape.strings(want, data)
		}
	}
	if len(want) == 0 {
		return nil, nil
	}
	stretches := make([]stretch, len(want))
	for i, w := range want {
		stretches[i] = stretch(w)
	}
	read, err := vs.gatherAll(ctx, stretches)
	if err != nil {
		return nil, err
	}
	out := make(map[extent]string, len(want))
	for i, w := range want {
		out[w] = string(read[i])
	}
	return out, nil
}

// strings adds where the strings of an element are.
func (s *shape) strings(want []extent, data []byte) []extent {
	for i := range s.fields {
		want = s.fields[i].strings(want, data)
	}
	if s.kind == reflect.String && uint64(len(data)) >= s.offset+words[reflect.String] {
		if at := textAt(data[s.offset:]); at.addr != 0 && at.n > 0 {
			want = append(want, at)
		}
	}
	return want
}

// stretch is a part of memory.
type stretch extent

// gapBytes is what is read between two parts rather than reading twice.
const gapBytes = 2048

// gather reads as many bytes at each address.
func (vs *Inspector) gather(ctx context.Context, addrs []uint64, size uint64) ([][]byte, error) {
	stretches := make([]stretch, len(addrs))
	for i, a := range addrs {
		stretches[i] = stretch{a, size}
	}
	return vs.gatherAll(ctx, stretches)
}

// gatherAll reads parts of memory, those that lie close together at once. What
// cannot be read is empty.
func (vs *Inspector) gatherAll(ctx context.Context, stretches []stretch) ([][]byte, error) {
	order := make([]int, len(stretches))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case stretches[a].addr < stretches[b].addr:
			return -1
		case stretches[a].addr > stretches[b].addr:
			return 1
		}
		return 0
	})
	out := make([][]byte, len(stretches))
	for len(order) > 0 {
		start := stretches[order[0]].addr
		end, n := start+stretches[order[0]].n, 1
		for n < len(order) {
			next := stretches[order[n]]
			if next.addr > end+gapBytes || next.addr+next.n > start+memory.Once {
				break
			}
			end, n = max(end, next.addr+next.n), n+1
		}
		if err := vs.fetch(ctx, stretches, order[:n], start, end, out); err != nil {
			return nil, err
		}
		order = order[n:]
	}
	return out, nil
}

// fetch reads one region; where that fails, its parts one by one.
func (vs *Inspector) fetch(ctx context.Context, stretches []stretch, group []int, start, end uint64, out [][]byte) error {
	data, err := memory.Read(ctx, vs.memory, start, int(min(end-start, memory.Once)))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, i := range group {
		s := stretches[i]
		if err == nil {
			out[i] = data[s.addr-start : min(s.addr-start+s.n, uint64(len(data)))]
			continue
		}
		if len(group) > 1 {
			out[i], _ = memory.Read(ctx, vs.memory, s.addr, int(min(s.n, memory.Once))) // unreadable: stays empty
		}
	}
	return ctx.Err()
}
