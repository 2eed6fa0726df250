// Mapped maps a file and panics.
package main

import (
	"os"
	"syscall"
	"unsafe"
)

type page struct {
	ID   uint64
	Next *page
}

type db struct {
	data []byte
	page *page
	name string
	own  [4]byte
}

func main() {
	file, err := os.CreateTemp(".", "mapped")
	if err != nil {
		panic(err)
	}
	if _, err := file.Write(make([]byte, 8192)); err != nil {
		panic(err)
	}
	data, err := syscall.Mmap(int(file.Fd()), 0, 8192, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	d := &db{data: data, page: (*page)(unsafe.Pointer(&data[4096])), name: unsafe.String(&data[0], 8), own: [4]byte{1, 2, 3, 4}}
	read(d)
}

//go:noinline
func read(d *db) {
	if d.page.ID == 0 {
		panic("an empty page")
	}
}
