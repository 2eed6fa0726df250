package dap

import (
	"bufio"
	"errors"
	"net"
	"os"
	"strings"
	"time"
)

// ErrNoEditor is returned by Greeted for a connection that speaks another protocol.
var ErrNoEditor = errors.New("that is not the protocol of editors")

// greeting is what the first message of an editor begins with: its header.
const greeting = "Content-"

// Greeted waits for the first bytes of a connection and returns it, with these
// still to be read. It fails with ErrNoEditor for what no editor says, as a browser
// does that was led to the port: the host is not to be asked about it. An editor
// that says nothing for a while may come in all the same.
func Greeted(conn net.Conn, patience time.Duration) (net.Conn, error) {
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	in := bufio.NewReader(conn)
	first, err := in.Peek(len(greeting))
	if !strings.EqualFold(string(first), greeting[:len(first)]) {
		return nil, ErrNoEditor
	}
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, err
	}
	return &greeted{conn, in}, conn.SetReadDeadline(time.Time{})
}

// greeted is a connection of which the first bytes were looked at.
type greeted struct {
	net.Conn
	in *bufio.Reader
}

// Read implements io.Reader.
func (g *greeted) Read(b []byte) (int, error) { return g.in.Read(b) }
