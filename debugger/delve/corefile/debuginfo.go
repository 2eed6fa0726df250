package corefile

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// maxDebugInfo bounds the debug information of a program that comes with a core
// dump, in bytes once it is inflated. The kubelet's is 100 MB.
const maxDebugInfo = 1 << 30

// ServerMemory bounds what the server of a core dump may hold, in bytes: debug
// information that is small can still say the same thing many times over.
const ServerMemory = 4 << 30

// checkDebugInfo refuses a program whose debug information would fill the
// memory: a core dump and its program may come from elsewhere.
func checkDebugInfo(path string, exe *elf.File) error {
	var sum uint64
	for _, s := range exe.Sections {
		if strings.HasPrefix(s.Name, ".debug_") || strings.HasPrefix(s.Name, ".zdebug_") {
			sum += min(inflated(s), maxDebugInfo+1) // so that no sum wraps around
		}
	}
	if sum > maxDebugInfo {
		return fmt.Errorf("open %q: its debug information takes more than %d MB once it is inflated", path, maxDebugInfo>>20)
	}
	return nil
}

// inflated is the size that a section declares. Its readers make room for that
// much, and read no more.
func inflated(s *elf.Section) uint64 {
	if !strings.HasPrefix(s.Name, ".zdebug_") {
		return s.Size // of the contents, also where they are compressed
	}
	var head [12]byte // "ZLIB" and the size (binutils' older form)
	if _, err := io.ReadFull(s.Open(), head[:]); err != nil || string(head[:4]) != "ZLIB" {
		return s.Size
	}
	return binary.BigEndian.Uint64(head[4:])
}
