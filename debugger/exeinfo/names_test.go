package exeinfo

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// lineTable is a line table of n functions whose names are parts of one text of
// that many bytes, each a byte shorter than the one before.
func lineTable(n, size int) []byte {
	const header = 8 + 8*8
	order := binary.LittleEndian
	names := append(bytes.Repeat([]byte("a"), size), 0)
	data := append([]byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}, make([]byte, header-8)...)
	order.PutUint64(data[8:], uint64(n))
	order.PutUint64(data[8+8*3:], header)
	order.PutUint64(data[8+8*7:], uint64(header+len(names)))
	data = append(data, names...)
	for i := range n {
		data = order.AppendUint32(order.AppendUint32(data, uint32(i)), uint32(8*n+8*i))
	}
	for i := range n {
		data = order.AppendUint32(order.AppendUint32(data, uint32(i)), uint32(i))
	}
	return data
}

func TestNamesThatFillTheMemoryAreRefused(t *testing.T) {
	if !namesFit(lineTable(100, 1000)) {
		t.Error("few names do not fit")
	}
	if namesFit(lineTable(1000, 1<<20)) {
		t.Error("names of a gigabyte fit")
	}
	if namesFit(lineTable(100, 1000)[:200]) {
		t.Error("a table that is cut off fits")
	}
}
