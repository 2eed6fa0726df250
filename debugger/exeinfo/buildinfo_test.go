package exeinfo

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// withBuildInfo writes an ELF file whose build information lists that many bytes
// of dependencies.
func withBuildInfo(t *testing.T, size int) string {
	t.Helper()
	framed := strings.Repeat("0", 16) + "path\texample.com/m\n" + strings.Repeat("dep\ta\tb\n", size/8) + strings.Repeat("0", 16)
	info := append([]byte(header), 8, 2)
	info = append(info, make([]byte, headerSize-len(info))...)
	for _, text := range []string{"go1.26.0", framed} {
		info = append(binary.AppendUvarint(info, uint64(len(text))), text...)
	}
	const headers, addr = 64 + 56, 0x1000
	var file bytes.Buffer
	head := elf.Header64{Type: uint16(elf.ET_EXEC), Machine: uint16(elf.EM_X86_64), Version: 1, Phoff: 64, Ehsize: 64, Phentsize: 56, Phnum: 1}
	copy(head.Ident[:], elf.ELFMAG+"\x02\x01\x01")
	segment := elf.Prog64{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R | elf.PF_W), Off: headers, Vaddr: addr, Filesz: uint64(len(info)), Memsz: uint64(len(info))}
	for _, part := range []any{head, segment, info} {
		if err := binary.Write(&file, binary.LittleEndian, part); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, file.Bytes(), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBuildInformationThatFillsTheMemoryIsRefused(t *testing.T) {
	if info, err := Read(withBuildInfo(t, 64<<10)); err != nil || len(info.Build.Deps) != 8<<10 {
		t.Errorf("64 kB: %v", err)
	}
	if _, err := Read(withBuildInfo(t, 2<<20)); !errors.Is(err, ErrBuildInfo) {
		t.Errorf("2 MB: %v", err)
	}
}
