package share

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// SameUser reports whether the other end of a connection of this machine belongs to
// this user.
func SameUser(c net.Conn) bool {
	if p, ok := c.(*patientConn); ok {
		c = p.Conn
	}
	uid := -1
	switch c := c.(type) {
	case *net.UnixConn:
		uid = peerOf(c)
	case *net.TCPConn:
		for _, file := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
			table, err := os.ReadFile(file)
			if err == nil && uid < 0 {
				uid = ownerIn(string(table), addrPort(c.RemoteAddr()), addrPort(c.LocalAddr()))
			}
		}
	}
	return uid == os.Getuid()
}

// peerOf is the user who has connected to a socket in a file; -1 where that is not known.
// The file has the mode of the umask for a moment.
func peerOf(c *net.UnixConn) int {
	raw, err := c.SyscallConn()
	if err != nil {
		return -1
	}
	var cred *unix.Ucred
	var errCred error
	err = raw.Control(func(fd uintptr) { cred, errCred = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if errors.Join(err, errCred) != nil {
		return -1
	}
	return int(cred.Uid)
}

func addrPort(a net.Addr) netip.AddrPort {
	at, _ := netip.ParseAddrPort(a.String()) // one that is none is in no table
	return netip.AddrPortFrom(at.Addr().Unmap().WithZone(""), at.Port())
}

// established is the state of a connection with a process at this end. In others it may
// have none any more, and the table says that it is root's.
const established = "01"

// ownerIn is the user of the end of a connection that is at from, and connected to to, in
// one of the kernel's tables; -1 where it is not there. Both ends are compared: several
// connections of different users may have one port at this end.
func ownerIn(table string, from, to netip.AddrPort) int {
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) < 8 || f[3] != established || len(f[1]) != len(f[2]) {
			continue
		}
		if v6 := len(f[1]) > len("00000000:0000"); f[1] != inTable(from, v6) || f[2] != inTable(to, v6) {
			continue
		}
		if uid, err := strconv.Atoi(f[7]); err == nil {
			return uid
		}
	}
	return -1
}

// inTable writes an address as the kernel's tables do; those of IPv6 have addresses of
// IPv4, too.
func inTable(at netip.AddrPort, v6 bool) string {
	if !at.IsValid() || !v6 && !at.Addr().Is4() {
		return ""
	}
	bytes := at.Addr().AsSlice()
	if v6 {
		all := at.Addr().As16()
		bytes = all[:]
	}
	text := ""
	for ; len(bytes) >= 4; bytes = bytes[4:] {
		text += fmt.Sprintf("%08X", binary.NativeEndian.Uint32(bytes))
	}
	return text + fmt.Sprintf(":%04X", at.Port())
}
