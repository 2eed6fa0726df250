package main

import (
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
)

// sameUser reports whether the other end of a connection of this machine belongs to
// this user. A socket in a file that only this user can open needs no look.
func sameUser(c net.Conn) bool {
	peer, ok := c.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return true
	}
	file, ip := "/proc/net/tcp6", peer.IP.To16()
	if four := peer.IP.To4(); four != nil {
		file, ip = "/proc/net/tcp", four
	}
	table, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	address := ""
	for ; len(ip) >= 4; ip = ip[4:] {
		address += fmt.Sprintf("%08X", binary.NativeEndian.Uint32(ip))
	}
	address += fmt.Sprintf(":%04X", peer.Port)
	for line := range strings.Lines(string(table)) {
		if f := strings.Fields(line); len(f) > 7 && f[1] == address {
			return f[7] == strconv.Itoa(os.Getuid())
		}
	}
	return false
}
