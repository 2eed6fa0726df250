package control

import (
	"net"
	"sync"
)

// WatchedConn tells once when its reader has come to the end.
type WatchedConn struct {
	net.Conn
	once  sync.Once
	Ended func()
}

// Read reads, and tells when that fails.
func (c *WatchedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil {
		c.once.Do(c.Ended)
	}
	return n, err
}

// Close closes the connection, which may have no reader any more.
func (c *WatchedConn) Close() error {
	err := c.Conn.Close()
	c.once.Do(c.Ended)
	return err
}
