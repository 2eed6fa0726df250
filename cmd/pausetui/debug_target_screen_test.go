package main

import (
	"testing"
)

// drawProgram draws its size and the last key in the middle of the alternate
// screen, without a library: q ends it, p panics.
const drawProgram = `package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"unsafe"
)

func ioctl(request uintptr, arg unsafe.Pointer) {
	if _, _, err := syscall.Syscall(syscall.SYS_IOCTL, 0, request, uintptr(arg)); err != 0 {
		panic(err)
	}
}

func draw(key byte) {
	var size struct{ rows, cols, x, y uint16 }
	ioctl(syscall.TIOCGWINSZ, unsafe.Pointer(&size))
	fmt.Printf("\x1b[2J\x1b[3;5H%d×%d cells\x1b[5;5Hkey %d.", size.cols, size.rows, key)
}

func main() {
	var modes syscall.Termios
	ioctl(syscall.TCGETS, unsafe.Pointer(&modes))
	modes.Lflag &^= syscall.ICANON | syscall.ECHO | syscall.ISIG
	ioctl(syscall.TCSETS, unsafe.Pointer(&modes))
	fmt.Print("before the screen\n\x1b[?1049h\x1b]0;a title\a")
	sizes := make(chan os.Signal, 1)
	signal.Notify(sizes, syscall.SIGWINCH)
	keys := make(chan byte)
	go func() {
		b := make([]byte, 1)
		for {
			if n, _ := os.Stdin.Read(b); n == 1 {
				keys <- b[0]
			}
		}
	}()
	var counts map[byte]int
	draw(0)
	for {
		select {
		case <-sizes:
			draw(1)
		case k := <-keys:
			if k == 'q' {
				fmt.Print("\x1b[?1049lafter the screen\n")
				return
			}
			if k == 'p' {
				counts[k]++
			}
			draw(k)
		}
	}
}
`

// A target with a screen of its own is shown as it draws, takes the terminal over,
// and gets keys and sizes.
func TestDebugShowsTheScreenOfTheTarget(t *testing.T) {
	t.Parallel()
	x := offline(t, program(t, drawProgram))
	x.wait("the program's screen, 136×")
	x.wait("136×") // the size of the pane, and not that of a new terminal
	x.keys("i")
	x.wait("140×39 cells")
	x.wait("leaves the program's screen")
	x.keys("\x1b") // goes to the target
	x.wait("key 27.")
	x.resize(100, 30)
	x.wait("100×29 cells")
	x.keys("\x1d")
	x.wait("● running")
	x.wait("96×")
	x.keys("i")
	x.wait("100×29 cells")
	x.keys("p")
	x.wait("nil-map-write")
	x.leave()
}
