package pty

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/reexec"
)

const guardName = "terminal"

// A guard must be there before the terminal is changed.
func init() { reexec.RegisterEarly(guardName, guardMain) }

// Guard has a process of its own restore the terminal if this one ends without
// having called release: killed, or by a signal that is not handled. Call it
// before the terminal's modes are changed. Where no guard can be had, release
// does nothing.
func Guard(tty *os.File) (release func()) {
	modes, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
	if err != nil {
		return func() {}
	}
	r, w, err := os.Pipe()
	if err != nil {
		return func() {}
	}
	defer r.Close()
	var encoded bytes.Buffer
	_ = binary.Write(&encoded, binary.NativeEndian, modes) // into memory, of fixed size
	path, err := reexec.Self()
	cmd := &exec.Cmd{Path: path, Args: reexec.Argv(guardName, hex.EncodeToString(encoded.Bytes())), Err: err}
	cmd.ExtraFiles = []*os.File{r, tty}
	// A session of its own: what is sent to our group, or hangs up, spares it, and
	// it may write to the terminal whichever process has its foreground.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		_ = w.Close()
		return func() {}
	}
	return func() {
		_, _ = w.Write([]byte{0})
		_ = w.Close()
		_ = cmd.Wait()
	}
}

// The descriptors that a guard inherits.
const (
	guardPipe = 3 // closed by the end of the guarded process; a byte before says that all is well
	guardTTY  = 4
)

func guardMain(args []string) int {
	signal.Ignore(unix.SIGINT, unix.SIGTERM, unix.SIGQUIT, unix.SIGHUP, unix.SIGTTOU, unix.SIGPIPE)
	var modes unix.Termios
	data, err := hex.DecodeString(strings.Join(args, ""))
	if err != nil || binary.Read(bytes.NewReader(data), binary.NativeEndian, &modes) != nil {
		return 1
	}
	if n, err := os.NewFile(guardPipe, "guarded").Read(make([]byte, 1)); n > 0 || err == nil {
		return 0
	}
	time.AfterFunc(5*time.Second, func() { os.Exit(1) }) // the terminal takes nothing
	tty := os.NewFile(guardTTY, "terminal")
	fmt.Fprint(tty, restored)
	// A shell that has set modes of its own by now keeps them.
	if now, err := unix.IoctlGetTermios(guardTTY, unix.TCGETS); err == nil && isRaw(now, modes) {
		_ = unix.IoctlSetTermios(guardTTY, unix.TCSETS, &modes)
	}
	return 0
}

// isRaw reports whether the modes are those that a screen makes of the former ones.
func isRaw(now *unix.Termios, before unix.Termios) bool {
	before.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	before.Oflag &^= unix.OPOST
	before.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
	return now.Iflag == before.Iflag && now.Oflag == before.Oflag && now.Lflag == before.Lflag
}
