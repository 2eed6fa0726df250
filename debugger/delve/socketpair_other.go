//go:build !unix

package delve

import (
	"errors"
	"net"
	"os"
	"syscall"
)

func socketPair() (net.Conn, *os.File, error) {
	return nil, nil, errors.ErrUnsupported
}

func ownSession() *syscall.SysProcAttr { return nil }

func killed(*os.ProcessState) bool { return false }
