package terminal

import (
	"os"
	"syscall"
	"unsafe"
)

// getMap is GIO_UNIMAP of linux/kd.h: what characters the console's font has.
const getMap = 0x4B66

type (
	glyph    struct{ char, _ uint16 } // a character, and where it is in the font
	glyphMap struct {
		n    uint16
		list *glyph
	}
)

// lacking reports of a character whether the font of the console f lacks it. It is nil where
// f is no console: where TERM alone says that it is.
func lacking(f *os.File) func(rune) bool {
	list := make([]glyph, 1<<13)
	m := glyphMap{uint16(len(list)), &list[0]}
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), getMap, uintptr(unsafe.Pointer(&m))); errno != 0 {
		return nil
	}
	has := map[rune]bool{}
	for _, g := range list[:m.n] {
		has[rune(g.char)] = true
	}
	return func(r rune) bool { return !has[r] }
}
