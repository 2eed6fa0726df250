//go:build unix

package delve

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// signalName is "SIGKILL" for 9.
func signalName(number int) string {
	if name := unix.SignalName(syscall.Signal(number)); name != "" {
		return name
	}
	return fmt.Sprintf("signal %d", number)
}
