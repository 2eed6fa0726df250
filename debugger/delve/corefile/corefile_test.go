package corefile

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// withNotes writes an ELF file with segments that all hold the same notes, of that
// many bytes; they take no room on the disk.
func withNotes(t *testing.T, kind elf.Type, segments, size int) string {
	t.Helper()
	head := elf.Header64{Type: uint16(kind), Machine: uint16(elf.EM_X86_64), Version: 1, Phoff: 64, Ehsize: 64, Phentsize: 56, Phnum: uint16(segments)}
	copy(head.Ident[:], elf.ELFMAG+"\x02\x01\x01")
	notes := elf.Prog64{Type: uint32(elf.PT_NOTE), Off: uint64(64 + 56*segments), Filesz: uint64(size)}
	parts := []any{head}
	for range segments {
		parts = append(parts, notes)
	}
	var file bytes.Buffer
	for _, part := range parts {
		if err := binary.Write(&file, binary.LittleEndian, part); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, file.Bytes(), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, int64(file.Len()+size)); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestNotesThatAreReadForeverAreRefused(t *testing.T) {
	program := withNotes(t, elf.ET_DYN, 60_000, 4)
	for name, c := range map[string]struct {
		segments, size int
		refused        bool
	}{
		"the same 8 MB": {20_000, 8 << 20, true},
		"one of 1 GB":   {1, 1 << 30, true},
		"100 MB":        {1, 100 << 20, false},
		"many small":    {60_000, 12, false},
	} {
		began := time.Now()
		err := Check(t.Context(), program, withNotes(t, elf.ET_CORE, c.segments, c.size))
		if refused := err != nil && strings.Contains(err.Error(), "its notes take more than"); refused != c.refused {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s: it took %v", name, took)
		}
	}
}

func TestACoreIsNotCheckedAfterASignal(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Check(ended, withNotes(t, elf.ET_DYN, 1, 4), withNotes(t, elf.ET_CORE, 1, 4)); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}
