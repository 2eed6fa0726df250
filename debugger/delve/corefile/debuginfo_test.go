package corefile

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// program writes an ELF file whose one debug section says that it inflates to
// that many bytes.
func program(t *testing.T, name string, flags elf.SectionFlag, contents any) string {
	t.Helper()
	names := "\x00.shstrtab\x00" + name + "\x00"
	var body, file bytes.Buffer
	put := func(b *bytes.Buffer, v any) {
		if err := binary.Write(b, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	put(&body, contents)
	const headers = 64 + 3*64
	head := elf.Header64{Type: uint16(elf.ET_EXEC), Machine: uint16(elf.EM_X86_64), Version: 1, Shoff: 64, Ehsize: 64, Shentsize: 64, Shnum: 3, Shstrndx: 1}
	copy(head.Ident[:], elf.ELFMAG+"\x02\x01\x01")
	put(&file, head)
	put(&file, elf.Section64{})
	put(&file, elf.Section64{Name: 1, Type: uint32(elf.SHT_STRTAB), Off: headers, Size: uint64(len(names))})
	put(&file, elf.Section64{Name: 11, Type: uint32(elf.SHT_PROGBITS), Flags: uint64(flags), Off: headers + uint64(len(names)), Size: uint64(body.Len())})
	file.WriteString(names)
	file.Write(body.Bytes())
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, file.Bytes(), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDebugInformationThatFillsTheMemoryIsRefused(t *testing.T) {
	older := [12]byte{'Z', 'L', 'I', 'B'}
	binary.BigEndian.PutUint64(older[4:], 1<<63)
	for name, c := range map[string]struct {
		path    string
		refused bool
	}{
		"4 GB":           {program(t, ".debug_line", elf.SHF_COMPRESSED, elf.Chdr64{Type: uint32(elf.COMPRESS_ZLIB), Size: 4 << 30, Addralign: 1}), true},
		"the older form": {program(t, ".zdebug_line", 0, older), true},
		"another word":   {program(t, ".other", elf.SHF_COMPRESSED, elf.Chdr64{Type: uint32(elf.COMPRESS_ZLIB), Size: 4 << 30, Addralign: 1}), false},
		"100 MB":         {program(t, ".debug_line", elf.SHF_COMPRESSED, elf.Chdr64{Type: uint32(elf.COMPRESS_ZLIB), Size: 100 << 20, Addralign: 1}), false},
	} {
		core := filepath.Join(t.TempDir(), "core")
		if err := os.WriteFile(core, []byte("none"), 0o600); err != nil {
			t.Fatal(err)
		}
		err := Check(t.Context(), c.path, core)
		if refused := err != nil && strings.Contains(err.Error(), "debug information takes more than"); refused != c.refused {
			t.Errorf("%s: %v", name, err)
		}
	}
}
