package exeinfo

import (
	"bytes"
	"context"
	"debug/elf"
	"debug/gosym"
	"encoding/binary"
	"errors"
	"os"
	"testing"
	"time"
)

// hostile is what a line table is made of.
type hostile struct {
	functions, files int
	listed           int    // how many functions the table does list; 0 for all
	names            []byte // all functions begin with it, each a byte after the one before if shifted
	shifted          bool
	steps            []byte // to the places of all functions
	paths            []byte
}

// table is the line table of Go 1.20 and later.
func (h hostile) table() []byte {
	const head = 8 + 8*8
	order, listed := binary.LittleEndian, h.listed
	if listed == 0 {
		listed = h.functions
	}
	data := append([]byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}, make([]byte, head-8)...)
	put := func(word int, part []byte) {
		order.PutUint64(data[8+8*word:], uint64(len(data)))
		data = append(data, part...)
	}
	order.PutUint64(data[8:], uint64(h.functions))
	order.PutUint64(data[16:], uint64(h.files))
	put(3, append(h.names, 0))
	put(4, make([]byte, 8))
	put(5, append(h.paths, 0))
	put(6, append(append([]byte{0}, h.steps...), make([]byte, 4)...))
	var funcs, fields []byte
	for i := range listed {
		funcs = order.AppendUint32(order.AppendUint32(funcs, uint32(i)), uint32(8*listed+4+len(fields)))
		at := 0
		if h.shifted {
			at = i
		}
		entry := make([]byte, 36)
		order.PutUint32(entry[4:], uint32(at))
		order.PutUint32(entry[20:], 1)
		order.PutUint32(entry[24:], 1)
		fields = append(fields, entry...)
	}
	put(7, append(order.AppendUint32(funcs, uint32(listed)), fields...))
	return data
}

func (h hostile) read() (*lineTable, error) {
	data := h.table()
	return newTable(bytes.NewReader(data), uint64(len(data)), 0)
}

func TestTablesThatFillTheMemoryAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		table hostile
		want  error
	}{
		"functions": {hostile{functions: 33_000_000, listed: 1}, errFunctions},
		"files":     {hostile{functions: 1, files: 1 << 30}, errFiles},
		"cut off":   {hostile{functions: 1000, listed: 10}, errDamaged},
		"few":       {hostile{functions: 10, files: 1}, nil},
	} {
		if _, err := c.table.read(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := newTable(bytes.NewReader(nil), 1<<40, 0); !errors.Is(err, errLarge) {
		t.Errorf("a terabyte: %v", err)
	}
	if _, err := newTable(nil, 100, 0); !errors.Is(err, errCompressed) {
		t.Errorf("compressed: %v", err)
	}
}

func TestNamesThatFillTheMemoryAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		table hostile
		want  error
	}{
		"parts of one text": {hostile{functions: 1000, shifted: true, names: bytes.Repeat([]byte("a"), maxName)}, errNames},
		"without an end":    {hostile{functions: 1, names: bytes.Repeat([]byte("a"), 2*maxName)}, errDamaged},
		"paths":             {hostile{files: 1, paths: bytes.Repeat([]byte("a"), 2*maxPath)}, errDamaged},
		"few":               {hostile{functions: 100, files: 1, shifted: true, names: bytes.Repeat([]byte("a"), 1000), paths: []byte("/a.go")}, nil},
	} {
		table, err := c.table.read()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, _, err := table.list(t.Context()); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestStepsThatLeadNowhere: all functions share places that never come to an
// instruction.
func TestStepsThatLeadNowhere(t *testing.T) {
	table, err := hostile{functions: 10_000, steps: bytes.Repeat([]byte{2, 0}, 16<<20)}.read()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if list, _, err := table.list(t.Context()); err != nil || len(list) != 10_000 || list[0].File != "" {
		t.Errorf("%d functions, %v", len(list), err)
	}
	info := Info{lines: table}
	for range 100 {
		if file, _ := info.Line(5); file != "" {
			t.Errorf("an instruction is in %q", file)
		}
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := table.list(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("when the context has ended: %v", err)
	}
}

func TestLinesAreThoseOfPackageGosym(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f, err := elf.Open(self)
	if err != nil {
		t.Skip("not an ELF file")
	}
	defer f.Close()
	section := f.Section(".gopclntab")
	if section == nil {
		section = f.Section(".data.rel.ro.gopclntab")
	}
	data, err := section.Data()
	if err != nil {
		t.Fatal(err)
	}
	want, err := gosym.NewTable(nil, gosym.NewLineTable(data, f.Section(".text").Addr))
	if err != nil {
		t.Fatal(err)
	}
	list, files, err := Functions(t.Context(), self)
	if err != nil || len(list) != len(want.Funcs) || len(files) != len(want.Files) {
		t.Fatalf("%d functions, want %d; %d files, want %d; %v", len(list), len(want.Funcs), len(files), len(want.Files), err)
	}
	table, err := readTable(self)
	if err != nil {
		t.Fatal(err)
	}
	info := Info{lines: table}
	for i := range want.Funcs {
		fn := &want.Funcs[i]
		if file, line, _ := want.PCToLine(fn.Entry); list[i].Name != fn.Name || list[i].File != file || file != "" && list[i].Line != line {
			t.Errorf("%v, want %s in %s:%d", list[i], fn.Name, file, line)
		}
		for pc := fn.Entry; pc < fn.End; pc += 7 {
			file, line := info.Line(pc)
			if f, l, _ := want.PCToLine(pc); f != file || f != "" && l != line {
				t.Fatalf("%#x of %s is in %s:%d, want %s:%d", pc, fn.Name, file, line, f, l)
			}
		}
	}
}
