package values

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/memory"
)

// MapIndexFrom is the entry from which a map is read by an index of its slots.
// Delve walks a map from its beginning for every page: the last page of a
// million entries takes it more than a second, and all pages an hour.
const MapIndexFrom = 2048

// mapIndex knows where the entries of a map of Go 1.24 and later are, in the
// order in which Delve walks them (internal/runtime/maps). It holds until the
// target goes on.
type mapIndex struct {
	group    string // type of a group of slots
	keyByPtr bool   // keys are so large that the slots point to them
	valByPtr bool
	size     uint64   // bytes of a group
	first    uint64   // where the first slot is in it
	stride   uint64   // from slot to slot
	slots    []uint64 // address of the group plus the number of the slot in it
	tables   []uint64 // not walked yet
	layout   tableLayout
}

// tableLayout is where a table says what its groups are.
type tableLayout struct{ data, mask uint64 }

const (
	groupSlots = 8    // abi.MapGroupSlots
	emptySlot  = 0x80 // the bit of a control byte that says that its slot holds nothing
)

var errNoIndex = errors.New("the map is not built as expected")

// indexed returns a page of a map's entries through its index.
func (vs *Inspector) indexed(ctx context.Context, at debugger.FrameRef, v debugger.Variable, page debugger.Page) ([]debugger.Variable, error) {
	index, err := vs.mapIndexOf(ctx, at, v)
	if err != nil {
		return nil, err
	}
	if index == nil {
		return nil, errNoIndex
	}
	if err := vs.extend(ctx, index, page.Start+page.Count); err != nil {
		return nil, err
	}
	flat := api.Variable{Kind: reflect.Map}
	slots := index.slots[min(page.Start, len(index.slots)):min(page.Start+page.Count, len(index.slots))]
	for len(slots) > 0 {
		group, same := slots[0]&^(groupSlots-1), 1
		for same < len(slots) && slots[same]&^(groupSlots-1) == group {
			same++
		}
		if err := vs.entriesOf(ctx, at, index, slots[:same], &flat); err != nil {
			return nil, err
		}
		slots = slots[same:]
	}
	return convert.Entries(&flat, v.Expr), nil
}

// mapIndexOf returns the index of a map; nil where there can be none, which is
// remembered, too.
func (vs *Inspector) mapIndexOf(ctx context.Context, at debugger.FrameRef, v debugger.Variable) (*mapIndex, error) {
	if index, known := vs.maps[v.Base]; known {
		return index, nil
	}
	index, err := vs.newMapIndex(ctx, at, v)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		index = nil
	}
	if vs.maps == nil {
		vs.maps = map[uint64]*mapIndex{}
	}
	vs.maps[v.Base] = index
	return index, nil
}

// slotAt is the address of a slot.
func (x *mapIndex) slotAt(slot uint64) uint64 {
	return slot&^(groupSlots-1) + x.first + (slot&(groupSlots-1))*x.stride
}

// entriesOf reads some slots of one group.
func (vs *Inspector) entriesOf(ctx context.Context, at debugger.FrameRef, index *mapIndex, slots []uint64, flat *api.Variable) error {
	load := convert.ChildLoad
	load.MaxVariableRecurse += 2 // the group, its slots
	group, err := ask.Eval(ctx, vs.srv, at, cast(index.group, slots[0]&^(groupSlots-1)), load)
	if err != nil {
		return err
	}
	all := convert.Field(group, "slots")
	for _, slot := range slots {
		n := int(slot & (groupSlots - 1))
		if n >= len(all.Children) {
			return errNoIndex
		}
		key, elem := convert.Field(&all.Children[n], "key"), convert.Field(&all.Children[n], "elem")
		flat.Children = append(flat.Children, slotValue(key, index.keyByPtr), slotValue(elem, index.valByPtr))
	}
	return nil
}

// slotValue is what a slot holds, or points to.
func slotValue(v api.Variable, pointer bool) api.Variable {
	if pointer && len(v.Children) == 1 {
		return v.Children[0]
	}
	return v
}

// cast is an expression for a value of a type at an address.
func cast(typ string, addr uint64) string { return fmt.Sprintf("*(*%q)(%#x)", typ, addr) }

func (vs *Inspector) newMapIndex(ctx context.Context, at debugger.FrameRef, v debugger.Variable) (*mapIndex, error) {
	one := convert.ChildLoad
	one.MaxArrayValues = 1
	sample, err := ask.Eval(ctx, vs.srv, at, v.Expr, one)
	if err != nil || len(sample.Children) != 2 {
		return nil, errors.Join(errNoIndex, err)
	}
	head, err := ask.Eval(ctx, vs.srv, at, cast("internal/runtime/maps.Map", v.Base), convert.ChildLoad)
	if err != nil {
		return nil, err
	}
	dir, length := pointerValue(convert.Field(head, "dirPtr")), number(convert.Field(head, "dirLen"))
	if dir == 0 || length <= 0 || length > 1<<32 {
		return nil, errNoIndex // small ones are never read this way
	}
	_, args, _ := strings.Cut(sample.RealType, "map")
	index := &mapIndex{group: "noalg.map.group" + args}
	if index.tables, err = vs.tablesOf(ctx, dir, int(length)); err != nil {
		return nil, err
	}
	first, err := ask.Eval(ctx, vs.srv, at, cast("internal/runtime/maps.table", index.tables[0]), convert.ChildLoad)
	if err != nil {
		return nil, err
	}
	groups := convert.Field(first, "groups")
	data, mask := convert.Field(&groups, "data"), convert.Field(&groups, "lengthMask")
	if data.Addr <= first.Addr || mask.Addr <= first.Addr {
		return nil, errNoIndex
	}
	index.layout = tableLayout{data.Addr - first.Addr, mask.Addr - first.Addr}
	return index, vs.groupShape(ctx, at, index, sample, pointerValue(data))
}

// groupShape finds out how large groups are and whether slots hold pointers.
func (vs *Inspector) groupShape(ctx context.Context, at debugger.FrameRef, index *mapIndex, sample *api.Variable, addr uint64) error {
	load := convert.ChildLoad
	load.MaxVariableRecurse += 2
	group, err := ask.Eval(ctx, vs.srv, at, cast(index.group, addr), load)
	if err != nil {
		return err
	}
	slots := convert.Field(group, "slots")
	if len(slots.Children) != groupSlots || slots.Addr <= group.Addr {
		return errNoIndex
	}
	key, elem := convert.Field(&slots.Children[0], "key"), convert.Field(&slots.Children[0], "elem")
	index.keyByPtr = key.Kind == reflect.Pointer && sample.Children[0].Kind != reflect.Pointer
	index.valByPtr = elem.Kind == reflect.Pointer && sample.Children[1].Kind != reflect.Pointer
	index.first, index.stride = slots.Addr-group.Addr, slots.Children[1].Addr-slots.Children[0].Addr
	index.size = index.first + groupSlots*index.stride
	if index.size%8 != 0 || index.size > memory.Once {
		return errNoIndex
	}
	return nil
}

// tablesOf reads a map's directory; several entries may lead to the same table.
func (vs *Inspector) tablesOf(ctx context.Context, dir uint64, length int) ([]uint64, error) {
	var tables []uint64
	for from := 0; from < length; from += memory.Once / 8 {
		data, err := memory.Read(ctx, vs.memory, dir+uint64(from)*8, min(length-from, memory.Once/8)*8)
		if err != nil {
			return nil, err
		}
		for ; len(data) >= 8; data = data[8:] {
			addr := binary.LittleEndian.Uint64(data)
			if addr != 0 && (len(tables) == 0 || tables[len(tables)-1] != addr) {
				tables = append(tables, addr)
			}
		}
	}
	if len(tables) == 0 {
		return nil, errNoIndex
	}
	return tables, nil
}

// extend walks tables until so many entries are known, or all.
func (vs *Inspector) extend(ctx context.Context, index *mapIndex, count int) error {
	for len(index.slots) < count && len(index.tables) > 0 {
		table := index.tables[0]
		head, err := memory.Read(ctx, vs.memory, table, int(max(index.layout.data, index.layout.mask))+8)
		if err != nil {
			return err
		}
		data := binary.LittleEndian.Uint64(head[index.layout.data:])
		groups := binary.LittleEndian.Uint64(head[index.layout.mask:]) + 1
		if groups == 0 || groups > 1<<24 {
			return errNoIndex
		}
		found, err := vs.walkGroups(ctx, data, groups, index.size)
		if err != nil {
			return err
		}
		index.slots = append(index.slots, found...)
		index.tables = index.tables[1:]
	}
	return nil
}

// walkGroups finds the slots in use of one table.
func (vs *Inspector) walkGroups(ctx context.Context, data, groups, size uint64) ([]uint64, error) {
	var slots []uint64
	once := memory.Once / size
	for from := uint64(0); from < groups; from += once {
		n := min(groups-from, once)
		addr := data + from*size
		part, err := memory.Read(ctx, vs.memory, addr, int(n*size))
		if err != nil {
			return nil, err
		}
		for g := range n {
			for s, control := range part[g*size : g*size+groupSlots] {
				if control&emptySlot == 0 {
					slots = append(slots, addr+g*size+uint64(s))
				}
			}
		}
	}
	return slots, nil
}

func number(v api.Variable) int64 {
	var n int64
	if _, err := fmt.Sscan(convert.BareNumber(v.Value), &n); err != nil {
		return 0
	}
	return n
}

// pointerValue is the address that a pointer holds.
func pointerValue(v api.Variable) uint64 {
	if len(v.Children) == 0 {
		return 0
	}
	return v.Children[0].Addr
}
