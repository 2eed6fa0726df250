package exeinfo

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sort"
)

// Bounds of a line table. A file may come with a core dump from elsewhere, and a
// small one can say much: the kubelet has less than 200,000 functions, and the
// tables of the largest programs take some 100 MB.
const (
	maxTable     = 256 << 20 // bytes
	maxFunctions = 1 << 20
	maxFiles     = 1 << 20
	maxNames     = 256 << 20 // bytes of all names together, which may be parts of one long text
	maxName      = 1 << 20   // bytes
	maxPath      = 4096      // bytes
	maxSteps     = 1 << 18   // through the places of one function
	entrySteps   = 16        // to the place of its first instruction, which the first one reaches
)

var (
	errNoTable    = errors.New("it has none")
	errDamaged    = errors.New("it is damaged, or of a form that is not known")
	errCompressed = errors.New("it is compressed, which no linker does")
	errLarge      = fmt.Errorf("it takes more than %d MB", maxTable>>20)
	errFunctions  = fmt.Errorf("it names more than %d functions", maxFunctions)
	errFiles      = fmt.Errorf("it names more than %d files", maxFiles)
	errNames      = fmt.Errorf("its names take more than %d MB", maxNames>>20)
)

// lineTable is the table that the runtime prints stacks with, in the layout of Go
// 1.18 and later (runtime/symtab.go, pcHeader and _func). Unlike package
// debug/gosym it makes nothing of an entry before it is asked for. Its methods
// panic where an offset leads out of the table.
type lineTable struct {
	order            binary.ByteOrder
	text, quantum    uint64 // where the code begins, and the unit of its instructions
	functions, files int

	names, units, paths, steps, funcs []byte
}

// newTable reads a line table of that many bytes.
func newTable(r io.ReaderAt, size, text uint64) (t *lineTable, err error) {
	if r == nil { // as package debug/elf has it
		return nil, errCompressed
	}
	if size > maxTable {
		return nil, errLarge
	}
	defer damaged(&err)
	data := make([]byte, size)
	if _, err := r.ReadAt(data, 0); err != nil {
		return nil, err
	}
	t = &lineTable{order: binary.LittleEndian, text: text, quantum: uint64(data[6])}
	if data[0] == 0xff {
		t.order = binary.BigEndian
	}
	if magic := t.order.Uint32(data); magic != 0xfffffff0 && magic != 0xfffffff1 {
		return nil, errDamaged
	}
	word := func(n int) uint64 { // of the header, after its first eight bytes
		if data[7] == 4 {
			return uint64(t.order.Uint32(data[8+4*n:]))
		}
		return t.order.Uint64(data[8+8*n:])
	}
	if word(0) > maxFunctions {
		return nil, errFunctions
	}
	if word(1) > maxFiles {
		return nil, errFiles
	}
	t.functions, t.files = int(word(0)), int(word(1))
	t.names, t.units, t.paths, t.steps, t.funcs = data[word(3):], data[word(4):], data[word(5):], data[word(6):], data[word(7):]
	t.entry(t.functions) // panics where the list is cut off
	return t, nil
}

// damaged turns a panic into an error.
func damaged(err *error) {
	if recover() != nil {
		*err = errDamaged
	}
}

// entry is where a function begins, and where the one before it ends.
func (t *lineTable) entry(i int) uint64 { return t.text + uint64(t.order.Uint32(t.funcs[8*i:])) }

// field is one of the 32-bit fields of a function.
func (t *lineTable) field(i, n int) uint32 {
	return t.order.Uint32(t.funcs[uint64(t.order.Uint32(t.funcs[8*i+4:]))+4*uint64(n):])
}

func (t *lineTable) name(i int) string { return string(cut(t.names[t.field(i, 1):], maxName)) }

// cut is a text up to its end.
func cut(b []byte, most int) []byte {
	b = b[:min(len(b), most+1)]
	return b[:bytes.IndexByte(b, 0)] // panics where there is no end
}

// named finds a function by its name.
func (t *lineTable) named(name string) (int, bool) {
	ended := []byte(name + "\x00")
	for i := range t.functions {
		if bytes.HasPrefix(t.names[t.field(i, 1):], ended) {
			return i, true
		}
	}
	return 0, false
}

// at finds the function that an instruction is in.
func (t *lineTable) at(pc uint64) (int, bool) {
	if pc < t.entry(0) || pc >= t.entry(t.functions) {
		return 0, false
	}
	return sort.Search(t.functions, func(i int) bool { return t.entry(i) > pc }) - 1, true
}

// place is where an instruction of a function is in the source, as far as it is
// found in that many steps: not where this part of the table is damaged.
func (t *lineTable) place(i int, pc uint64, steps int) (path []byte, line int) {
	defer func() {
		if recover() != nil {
			path, line = nil, -1
		}
	}()
	file, line := t.value(t.field(i, 5), i, pc, steps), int(t.value(t.field(i, 6), i, pc, steps))
	if file < 0 {
		return nil, line
	}
	at := t.order.Uint32(t.units[4*(uint64(t.field(i, 8))+uint64(file)):])
	if at == ^uint32(0) {
		return nil, line
	}
	return cut(t.paths[at:], maxPath), line
}

// value walks through a function's list of changes of a value up to an
// instruction; -1 where that leads nowhere.
func (t *lineTable) value(list uint32, i int, pc uint64, steps int) int32 {
	if list == 0 { // there is none
		return -1
	}
	p, start, value := t.steps[list:], t.entry(i), int32(-1)
	for here := start; steps > 0; steps-- {
		change, n := binary.Uvarint(p)
		if n <= 0 || change == 0 && here != start {
			return -1
		}
		ahead, m := binary.Uvarint(p[n:])
		if m <= 0 {
			return -1
		}
		p = p[n+m:]
		value += int32(change>>1) ^ -int32(change&1)
		if here += ahead * t.quantum; pc < here {
			return value
		}
	}
	return -1
}

// sources are the paths of all source files.
func (t *lineTable) sources() map[string]string {
	all, rest := map[string]string{}, t.paths
	for range t.files {
		path := cut(rest, maxPath)
		rest = rest[len(path)+1:]
		name := string(path)
		all[name] = name
	}
	return all
}
