//go:build !linux

package share

import "net"

// SameUser reports whether the other end of a connection of this machine belongs to
// this user, as that of a socket in a file does that only this user can open.
func SameUser(c net.Conn) bool {
	_, tcp := c.RemoteAddr().(*net.TCPAddr)
	return !tcp
}
