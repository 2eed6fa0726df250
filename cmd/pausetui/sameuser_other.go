//go:build !linux

package main

import "net"

// sameUser reports whether the other end of a connection of this machine belongs to
// this user, as that of a socket in a file does that only this user can open.
func sameUser(c net.Conn) bool {
	_, tcp := c.RemoteAddr().(*net.TCPAddr)
	return !tcp
}
