package delve

import (
	"net"
	"sync"
)

// watchedConn tells once when its reader has come to the end.
type watchedConn struct {
	net.Conn
	once  sync.Once
	ended func()
}

// Read reads, and tells when that fails.
func (c *watchedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil {
		c.once.Do(c.ended)
	}
	return n, err
}

// Close closes the connection, which may have no reader any more.
func (c *watchedConn) Close() error {
	err := c.Conn.Close()
	c.once.Do(c.ended)
	return err
}
