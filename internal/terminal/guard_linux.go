package terminal

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/internal/reexec"
)

const guardName = "terminal"

// A guard must be there before the terminal is changed.
func init() { reexec.RegisterEarly(guardName, guardMain) }

// Guard has a process of its own restore the terminal if this one ends without
// having called release: killed, by a signal that is not handled, or by a panic,
// which it then shows, and keeps in a file. Call it before the terminal's modes are
// changed. Where no guard can be had, release does nothing.
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
	_ = debug.SetCrashOutput(w, debug.CrashOptions{}) // without it the trace is lost with the screen
	ended := make(chan struct{})
	go func() { // if somebody kills it, it must not stay a zombie
		defer close(ended)
		_ = cmd.Wait()
	}()
	return func() {
		_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
		_, _ = w.Write([]byte{0})
		_ = w.Close()
		<-ended
	}
}

// The descriptors that a guard inherits.
const (
	guardPipe = 3 // closed by the end of the guarded process; a zero before says that all is well, a text how it crashed
	guardTTY  = 4
)

func guardMain(args []string) int {
	signal.Ignore(unix.SIGINT, unix.SIGTERM, unix.SIGQUIT, unix.SIGHUP, unix.SIGTTOU, unix.SIGPIPE)
	var modes unix.Termios
	data, err := hex.DecodeString(strings.Join(args, ""))
	if err != nil || binary.Read(bytes.NewReader(data), binary.NativeEndian, &modes) != nil {
		return 1
	}
	crash, err := io.ReadAll(io.LimitReader(os.NewFile(guardPipe, "guarded"), maxCrash))
	if err != nil || bytes.HasPrefix(crash, []byte{0}) {
		return 0
	}
	time.AfterFunc(5*time.Second, func() { os.Exit(1) }) // the terminal takes nothing
	tty := os.NewFile(guardTTY, "terminal")
	fmt.Fprint(tty, restored)
	if len(crash) > 0 {
		fmt.Fprint(tty, strings.ReplaceAll(crashed(crash), "\n", "\r\n"))
	}
	// A shell that has set modes of its own by now keeps them.
	if now, err := unix.IoctlGetTermios(guardTTY, unix.TCGETS); err == nil && isRaw(now, modes) {
		_ = unix.IoctlSetTermios(guardTTY, unix.TCSETS, &modes)
	}
	return 0
}

// maxCrash bounds the trace of a crash, in bytes.
const maxCrash = 4 << 20

// crashed keeps the trace of a crash in a file, and says so.
func crashed(trace []byte) string {
	first, _, _ := strings.Cut(string(trace), "\n\n")
	kept := "could not be kept"
	if f, err := os.CreateTemp("", "pausetui-crash-*.txt"); err == nil {
		_, err = f.Write(trace)
		if errors.Join(err, f.Close()) == nil {
			kept = "is in " + f.Name()
		}
	}
	return fmt.Sprintf("\npausetui has crashed. This is a fault of its own, not of your program:\n\n%s\nThe trace %s: please report it.\n"+
		"The session is in its log: pausetui sessions shows it.\n", printable.Block(first), kept)
}

// isRaw reports whether the modes are those that a screen makes of the former ones.
func isRaw(now *unix.Termios, before unix.Termios) bool {
	before.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	before.Oflag &^= unix.OPOST
	before.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
	return now.Iflag == before.Iflag && now.Oflag == before.Oflag && now.Lflag == before.Lflag
}
