package corefile

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"

	"github.com/pausetui/pausetui/internal/advice"
)

// Hint says which core dumps can be opened.
const Hint = "pausetui core BIN CORE: the program first, then its core dump"

// maxNotes bounds the notes of a core dump together, in bytes: each thread has some
// 10 kB there, and the headers of many segments may name the same ones. The program's
// own notes are few.
const (
	maxNotes = 256 << 20
	ownNotes = 64
)

// Check refuses a core dump that the program has not made, as far as that
// can be known: values read with another program's map of them would be nonsense.
// It fails with the context's error when that ends.
func Check(ctx context.Context, program, core string) error {
	for _, path := range []string{program, core} {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return advice.Add(fmt.Errorf("open %q: %w", path, fs.ErrNotExist), Hint)
		case err != nil:
			return fmt.Errorf("open %q: %w", path, err)
		case info.IsDir():
			return advice.Add(fmt.Errorf("open %q: it is a directory", path), Hint)
		case !info.Mode().IsRegular(): // a device never ends, and a FIFO may never begin
			return advice.Add(fmt.Errorf("open %q: not a regular file", path), Hint)
		}
	}
	exe, err := elf.Open(program)
	if err != nil {
		return nil // of another system: Delve knows more formats
	}
	defer exe.Close()
	if exe.Type == elf.ET_CORE {
		return advice.Add(fmt.Errorf("open %q: it is a core dump, not the program", program), Hint)
	}
	if err := checkDebugInfo(program, exe); err != nil {
		return err
	}
	dump, err := elf.Open(core)
	if err != nil {
		return nil
	}
	defer dump.Close()
	if dump.Type != elf.ET_CORE {
		return advice.Add(fmt.Errorf("open %q: it is a program, not a core dump", core), Hint)
	}
	if dump.Machine != exe.Machine {
		return fmt.Errorf("open %q: it was made on another kind of machine (%v) than %q is for (%v)", core, dump.Machine, program, exe.Machine)
	}
	var sum uint64
	for _, p := range notesOf(dump) {
		sum += min(p.Filesz, maxNotes+1) // so that no sum wraps around
	}
	if sum > maxNotes {
		return fmt.Errorf("open %q: its notes take more than %d MB", core, maxNotes>>20)
	}
	other, err := Differ(ctx, exe, dump)
	if err != nil {
		return err
	}
	if other {
		return advice.Add(fmt.Errorf("open %q: %q is not the program that made it: their build ids differ", core, program),
			"name the very binary that crashed; one built again differs")
	}
	return nil
}

// Differ reports whether the notes of the program, which hold its build id, are
// other ones in the dumped memory. What was not dumped proves nothing.
func Differ(ctx context.Context, exe, dump *elf.File) (bool, error) {
	base, err := loadedAt(ctx, exe, dump)
	if err != nil {
		return false, err
	}
	own := notesOf(exe)
	for _, note := range own[:min(len(own), ownNotes)] {
		if note.Filesz > 1<<16 {
			continue
		}
		ours := make([]byte, note.Filesz)
		if _, err := io.ReadFull(note.Open(), ours); err != nil {
			continue
		}
		theirs, ok := dumpedAt(dump, note.Vaddr+base, note.Filesz)
		if ok && !bytes.Equal(ours, theirs) {
			return true, nil
		}
	}
	return false, nil
}

// notesOf are the segments that hold notes.
func notesOf(f *elf.File) []*elf.Prog {
	return slices.DeleteFunc(slices.Clone(f.Progs), func(p *elf.Prog) bool { return p.Type != elf.PT_NOTE || p.Filesz == 0 })
}

// dumpedAt reads what was dumped at an address.
func dumpedAt(dump *elf.File, addr, size uint64) ([]byte, bool) {
	for _, p := range dump.Progs {
		if p.Type != elf.PT_LOAD || addr < p.Vaddr || addr+size > p.Vaddr+p.Filesz {
			continue
		}
		data := make([]byte, size)
		_, err := p.ReadAt(data, int64(addr-p.Vaddr))
		return data, err == nil
	}
	return nil, false
}

// The auxiliary vector in a core dump's notes, and its entry for where the
// program was entered (elf.h).
const (
	noteAuxv  = 6
	auxvEntry = 9
)

// loadedAt is how far from its own addresses a position independent program
// was loaded.
func loadedAt(ctx context.Context, exe, dump *elf.File) (uint64, error) {
	if exe.Type != elf.ET_DYN || exe.Class != elf.ELFCLASS64 {
		return 0, nil
	}
	for _, p := range notesOf(dump) {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		data := make([]byte, p.Filesz)
		if _, err := io.ReadFull(p.Open(), data); err != nil {
			continue
		}
		if entry, ok := entryOf(data, dump.ByteOrder); ok {
			return entry - exe.Entry, nil
		}
	}
	return 0, nil
}

// eachNote goes through the notes of a core dump: their kinds, and what they say.
func eachNote(notes []byte, order binary.ByteOrder) iter.Seq2[uint32, []byte] {
	return func(yield func(uint32, []byte) bool) {
		for len(notes) >= 12 {
			name, size, kind := uint64(order.Uint32(notes)), uint64(order.Uint32(notes[4:])), order.Uint32(notes[8:])
			start := 12 + (name+3)&^3
			end := start + (size+3)&^3
			if start+size > uint64(len(notes)) || !yield(kind, notes[start:start+size]) {
				return
			}
			notes = notes[min(end, uint64(len(notes))):]
		}
	}
}

// entryOf finds the entry point among the notes of a core dump.
func entryOf(notes []byte, order binary.ByteOrder) (uint64, bool) {
	for kind, v := range eachNote(notes, order) {
		for ; kind == noteAuxv && len(v) >= 16; v = v[16:] {
			if order.Uint64(v) == auxvEntry {
				return order.Uint64(v[8:]), true
			}
		}
	}
	return 0, false
}
