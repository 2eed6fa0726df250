package rpc

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// Order is the first thing said on the connection, by us: what to launch,
// attach to or open.
type Order struct {
	Argv           []string // for a core dump: the program that it is of
	Attach         int      // the process to attach to; 0: none
	Core           string   // the core dump to open; empty: none
	Env            []string // nil: the server's own
	Dir            string
	Stdin          string
	Stdout         string
	TTY            string
	CheckGoVersion bool
	Record         bool // with rr, and debug the recording
}

// Answer is the server's reply; the JSON-RPC protocol follows a good one.
type Answer struct {
	Error string
}

// maxHello bounds either message: an environment and arguments fit with room
// to spare.
const maxHello = 16 << 20

// Send writes one message with its length before it, so that the reader takes
// nothing of what follows.
func Send(w io.Writer, message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	frame := binary.BigEndian.AppendUint32(nil, uint32(len(text)))
	_, err = w.Write(append(frame, text...))
	return err
}

// Receive reads one message written by send.
func Receive(r io.Reader, message any) error {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return err
	}
	n := binary.BigEndian.Uint32(size[:])
	if n > maxHello {
		return fmt.Errorf("message of %d bytes", n)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return err
	}
	return json.Unmarshal(text, message)
}

// PartTime bounds the detaching from a target, at the end.
const PartTime = 20 * time.Second
