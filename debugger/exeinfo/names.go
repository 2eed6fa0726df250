package exeinfo

import (
	"bytes"
	"encoding/binary"
)

// maxNames bounds the function names of a line table together, in bytes. Package
// gosym copies each, and many may be parts of one long text.
const maxNames = 256 << 20

// namesFit reports whether the names of a line table take no more than that. The
// layout is that of Go 1.18 and later (runtime/symtab.go, pcHeader); of an older one nothing is known,
// and it does not fit.
func namesFit(data []byte) (fit bool) {
	defer func() {
		if recover() != nil { // an offset that leads out of the table
			fit = false
		}
	}()
	var order binary.ByteOrder = binary.LittleEndian
	if data[0] == 0xff {
		order = binary.BigEndian
	}
	if magic := order.Uint32(data); magic != 0xfffffff0 && magic != 0xfffffff1 {
		return false
	}
	word := func(n int) uint64 { // of the header, after its first eight bytes
		if data[7] == 4 {
			return uint64(order.Uint32(data[8+4*n:]))
		}
		return order.Uint64(data[8+8*n:])
	}
	functions, names, table := word(0), data[word(3):], data[word(7):]
	sum := 0
	for i := range functions {
		at := order.Uint32(table[8*i+4:])
		name := names[order.Uint32(table[at+4:]):]
		sum += bytes.IndexByte(name[:min(len(name), maxNames)], 0) + 1
		if sum > maxNames {
			return false
		}
	}
	return true
}
