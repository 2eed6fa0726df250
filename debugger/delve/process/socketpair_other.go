//go:build !unix

package process

import (
	"errors"
	"net"
	"os"
	"syscall"
)

// SocketPair is not possible here.
func SocketPair() (net.Conn, *os.File, error) {
	return nil, nil, errors.ErrUnsupported
}

// OwnSession: there are no sessions here.
func OwnSession() *syscall.SysProcAttr { return nil }

// Killed is not known here.
func Killed(*os.ProcessState) bool { return false }
