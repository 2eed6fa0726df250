package exeinfo

import (
	"context"
	"debug/elf"
	"debug/macho"
	"debug/pe"
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
// table, for one that would fill the memory, and with the context's error when
// that ends.
func Functions(ctx context.Context, file string) (list []Function, files []string, err error) {
	table, err := readTable(file)
	if err == nil {
		list, files, err = table.list(ctx)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read the line table of %q: %w", file, err)
	}
	return list, files, nil
}

func (t *lineTable) list(ctx context.Context) (list []Function, files []string, err error) {
	defer damaged(&err)
	known, sum := t.sources(), 0
	files = slices.Sorted(maps.Keys(known))
	for i := range t.functions {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		f := Function{Name: t.name(i)}
		sum += len(f.Name)
		path, line := t.place(i, t.entry(i), entrySteps)
		file, ok := known[string(path)]
		if !ok {
			file = string(path)
			known[file] = file
			sum += len(file)
		}
		if sum > maxNames {
			return nil, nil, errNames
		}
		f.File, f.Line = file, line
		list = append(list, f)
	}
	return list, files, nil
}

// Files reads the source files of a program, as Functions does.
func Files(file string) (files []string, err error) {
	defer damaged(&err)
	table, err := readTable(file)
	if err != nil {
		return nil, fmt.Errorf("read the line table of %q: %w", file, err)
	}
	return slices.Sorted(maps.Keys(table.sources())), nil
}

// readTable reads the line table, which no stripping takes away, of a program for
// any system.
func readTable(file string) (*lineTable, error) {
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
		return newTable(table, table.Size, code.Addr)
	}
	f, err := pe.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return peTable(f)
}

func elfTable(f *elf.File) (*lineTable, error) {
	code, table := f.Section(".text"), f.Section(".gopclntab")
	if table == nil {
		table = f.Section(".data.rel.ro.gopclntab") // position independent
	}
	if table == nil || code == nil {
		return nil, errNoTable
	}
	return newTable(table.ReaderAt, table.Size, code.Addr)
}

// peTable finds the table by its symbols: it has no section of its own.
func peTable(f *pe.File) (*lineTable, error) {
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
	section, size := f.Sections[from.SectionNumber-1], to.Value-from.Value
	return newTable(io.NewSectionReader(section, int64(from.Value), int64(size)), uint64(size), uint64(code.VirtualAddress))
}
