package corefile

import (
	"encoding/binary"
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger/delve/convert"
)

func TestTheNoteOfMappedFiles(t *testing.T) {
	var note []byte
	for _, word := range []uint64{2, 4096, 0x1000, 0x3000, 0, 0x5000, 0x6000, 1} {
		note = binary.LittleEndian.AppendUint64(note, word)
	}
	note = append(note, "/a/db\x00/bin/prog\x00"...)
	mapped := mappedFiles(note, binary.LittleEndian)
	if want := []mapping{{0x1000, 0x3000, "/a/db"}, {0x5000, 0x6000, "/bin/prog"}}; !reflect.DeepEqual(mapped, want) {
		t.Errorf("mapped: %v", mapped)
	}
	left := Absent(without(mapped, 0x1800, 0x2000))
	for addr, want := range map[uint64]string{0xfff: "", 0x1000: "/a/db", 0x17ff: "/a/db", 0x1800: "", 0x2000: "/a/db", 0x3000: "", 0x5000: "/bin/prog", 0x6000: ""} {
		if got := strings.TrimPrefix(left.At(addr, 1), convert.AbsentPrefix); got != want {
			t.Errorf("%#x: %q, want %q", addr, got, want)
		}
	}
	if left.At(0xff0, 32) == "" {
		t.Error("memory that ends there is taken for known")
	}
	note[0] = 200
	if got := mappedFiles(note, binary.LittleEndian); got != nil {
		t.Errorf("a broken note: %v", got)
	}
}
