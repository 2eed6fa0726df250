package corefile

import (
	"cmp"
	"context"
	"debug/elf"
	"encoding/binary"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// noteFiles is the note of a core dump that lists the mapped files (NT_FILE, elf.h).
const noteFiles = 0x46494c45

// AbsentOf reads from a core dump which mapped files' memory it lacks. Those of the
// executable are read from there. A file of another format lists none.
func AbsentOf(ctx context.Context, program, core string) Absent {
	dump, err := elf.Open(core)
	if err != nil || dump.Class != elf.ELFCLASS64 {
		return nil
	}
	defer dump.Close()
	var mapped []mapping
	entry := uint64(0)
	for _, p := range notesOf(dump) {
		notes := make([]byte, p.Filesz)
		if _, err := io.ReadFull(p.Open(), notes); err != nil || ctx.Err() != nil {
			return nil
		}
		if begins, ok := entryOf(notes, dump.ByteOrder); ok {
			entry = begins
		}
		for kind, files := range eachNote(notes, dump.ByteOrder) {
			if kind == noteFiles {
				mapped = append(mapped, mappedFiles(files, dump.ByteOrder)...)
			}
		}
	}
	at := slices.IndexFunc(mapped, func(m mapping) bool { return m.start <= entry && entry < m.end })
	if at < 0 { // it is not said where the program began
		at = slices.IndexFunc(mapped, func(m mapping) bool { return filepath.Base(m.file) == filepath.Base(program) })
	}
	if at >= 0 {
		name := mapped[at].file
		mapped = slices.DeleteFunc(mapped, func(m mapping) bool { return m.file == name })
	}
	for _, p := range dump.Progs {
		if p.Type == elf.PT_LOAD && p.Filesz > 0 {
			mapped = without(mapped, p.Vaddr, p.Vaddr+p.Filesz)
		}
	}
	slices.SortFunc(mapped, func(a, b mapping) int { return cmp.Compare(a.start, b.start) })
	return mapped
}

// mappedFiles reads the note of the mapped files: their number, the size of a page, where
// each begins and ends in memory and begins in its file, and then their names.
func mappedFiles(note []byte, order binary.ByteOrder) (mapped []mapping) {
	const head, each = 16, 24
	if len(note) < head {
		return nil
	}
	count := order.Uint64(note)
	if count > uint64(len(note)-head)/each {
		return nil
	}
	names := strings.Split(string(note[head+each*count:]), "\x00")
	for i := range min(count, uint64(len(names))) {
		at := note[head+each*i:]
		if m := (mapping{order.Uint64(at), order.Uint64(at[8:]), names[i]}); m.start < m.end {
			mapped = append(mapped, m)
		}
	}
	return mapped
}

// without takes memory out of mappings.
func without(mapped []mapping, start, end uint64) (left []mapping) {
	for _, m := range mapped {
		if end <= m.start || m.end <= start {
			left = append(left, m)
			continue
		}
		if m.start < start {
			left = append(left, mapping{m.start, start, m.file})
		}
		if end < m.end {
			left = append(left, mapping{end, m.end, m.file})
		}
	}
	return left
}
