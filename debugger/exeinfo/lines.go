package exeinfo

import (
	"context"
	"debug/elf"
	"debug/gosym"
	"debug/macho"
	"debug/pe"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Function is a function of a program, with where it begins.
type Function struct {
	Name string // "example.org/app/store.(*Stack).Push"
	File string
	Line int
}

// Functions reads the functions and the source files of a program from its line
// table. Unlike the debugger it can be asked while the target runs; functions
// that were inlined everywhere are not in it. It fails for a file without such a
// table, and with the context's error when that ends.
func Functions(ctx context.Context, file string) (list []Function, files []string, err error) {
	defer func() { // debug/gosym trusts the table it reads
		if r := recover(); r != nil {
			list, files, err = nil, nil, fmt.Errorf("read the line table of %q: %v", file, r)
		}
	}()
	table, err := readTable(file)
	if err != nil {
		return nil, nil, fmt.Errorf("read the line table of %q: %w", file, err)
	}
	files = slices.Sorted(maps.Keys(table.Files))
	for i := range table.Funcs {
		if i%1000 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		f := &table.Funcs[i]
		source, line, _ := table.PCToLine(f.Entry)
		list = append(list, Function{f.Name, source, line})
	}
	return list, files, nil
}

// Files reads the source files of a program, as Functions does.
func Files(file string) (files []string, err error) {
	defer func() { // debug/gosym trusts the table it reads
		if r := recover(); r != nil {
			files, err = nil, fmt.Errorf("read the line table of %q: %v", file, r)
		}
	}()
	table, err := readTable(file)
	if err != nil {
		return nil, fmt.Errorf("read the line table of %q: %w", file, err)
	}
	return slices.Sorted(maps.Keys(table.Files)), nil
}

// maxLines bounds the line table: that of the largest programs is some 100 MB.
const maxLines = 256 << 20

var (
	errNoTable = errors.New("it has none")
	errDamaged = errors.New("damaged line table")
)

// readTable reads the table that the runtime itself prints stacks with, which
// no stripping takes away, of a program for any system.
func readTable(file string) (*gosym.Table, error) {
	if f, err := elf.Open(file); err == nil {
		defer f.Close()
		return elfTable(f)
	}
	if f, err := macho.Open(file); err == nil {
		defer f.Close()
		table, code := f.Section("__gopclntab"), f.Section("__text")
		if table == nil || code == nil {
			return nil, errNoTable
		}
		return newTable(table.Open(), code.Addr)
	}
	f, err := pe.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return peTable(f)
}

func elfTable(f *elf.File) (*gosym.Table, error) {
	code, table := f.Section(".text"), f.Section(".gopclntab")
	if table == nil {
		table = f.Section(".data.rel.ro.gopclntab") // position independent
	}
	if table == nil || code == nil {
		return nil, errNoTable
	}
	return newTable(table.Open(), code.Addr)
}

// peTable finds the table by its symbols: it has no section of its own.
func peTable(f *pe.File) (*gosym.Table, error) {
	var from, to *pe.Symbol
	for _, s := range f.Symbols {
		switch s.Name {
		case "runtime.pclntab":
			from = s
		case "runtime.epclntab":
			to = s
		}
	}
	code := f.Section(".text")
	if from == nil || to == nil || code == nil || from.SectionNumber != to.SectionNumber || int(from.SectionNumber) > len(f.Sections) || from.SectionNumber < 1 || from.Value > to.Value {
		return nil, errNoTable
	}
	section := f.Sections[from.SectionNumber-1]
	return newTable(io.NewSectionReader(section, int64(from.Value), int64(to.Value-from.Value)), uint64(code.VirtualAddress))
}

// newTable reads a line table; a damaged one makes package gosym panic.
func newTable(r io.Reader, text uint64) (table *gosym.Table, err error) {
	defer func() {
		if recover() != nil {
			err = errDamaged
		}
	}()
	data, err := io.ReadAll(io.LimitReader(r, maxLines))
	if err != nil {
		return nil, err
	}
	if !namesFit(data) {
		return nil, errDamaged
	}
	return gosym.NewTable(nil, gosym.NewLineTable(data, text))
}
