package mcp

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"net"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ErrNoAgent is returned by Greeted for a connection that speaks another protocol.
var ErrNoAgent = errors.New("that is not the protocol of agents")

// maxGreeting bounds the first message of an agent, in bytes.
const maxGreeting = 64 << 10

// Greeted waits for the first message of a connection and returns it, with that still to
// be read, and what the client calls itself.
func Greeted(conn net.Conn, patience time.Duration) (net.Conn, string, error) {
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return nil, "", err
	}
	in := bufio.NewReaderSize(conn, maxGreeting)
	line, err := peekLine(in)
	if err != nil {
		return nil, "", err
	}
	var first struct {
		Method string
		Params struct {
			ClientInfo mcp.Implementation
			Meta       map[string]json.RawMessage `json:"_meta"`
		}
	}
	if err := json.Unmarshal(line, &first); err != nil || first.Method == "" {
		return nil, "", ErrNoAgent
	}
	var info mcp.Implementation
	_ = json.Unmarshal(first.Params.Meta[mcp.MetaKeyClientInfo], &info) // absent in older versions
	return &greeted{conn, in}, cmp.Or(first.Params.ClientInfo.Name, info.Name, "agent"), conn.SetReadDeadline(time.Time{})
}

// peekLine is the first line, which stays to be read.
func peekLine(in *bufio.Reader) ([]byte, error) {
	for n := 1; n <= maxGreeting; n = in.Buffered() + 1 {
		if _, err := in.Peek(n); err != nil {
			return nil, err
		}
		line, _ := in.Peek(in.Buffered())
		for i, b := range line {
			if b == '\n' {
				return line[:i], nil
			}
		}
	}
	return nil, ErrNoAgent
}

// greeted is a connection of which the first message was looked at.
type greeted struct {
	net.Conn
	in *bufio.Reader
}

// Read implements io.Reader.
func (g *greeted) Read(b []byte) (int, error) { return g.in.Read(b) }
