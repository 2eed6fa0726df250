package ssh

import (
	"bytes"
	"context"
	"io"
	"sync/atomic"

	"golang.org/x/crypto/ssh"
)

// input is what a guest types. While they wait to be admitted ctrl+c leaves,
// and all else is dropped.
type input struct {
	ctx    context.Context // ends with ctrl+c while they wait, and when they are gone
	in     atomic.Bool
	pieces chan []byte // closed at the end
	rest   []byte
}

func newInput(ctx context.Context, channel ssh.Channel) *input {
	i := &input{pieces: make(chan []byte)}
	outer := ctx
	var cancel context.CancelFunc
	i.ctx, cancel = context.WithCancel(ctx)
	go func() { // ends with the channel
		defer close(i.pieces)
		defer cancel()
		buf := make([]byte, 4096)
		for {
			n, err := channel.Read(buf)
			switch {
			case n == 0:
			case i.in.Load():
				select {
				case i.pieces <- bytes.Clone(buf[:n]):
				case <-outer.Done():
					return
				}
			case bytes.IndexByte(buf[:n], 3) >= 0:
				cancel()
			}
			if err != nil {
				return
			}
		}
	}()
	return i
}

// admitted has what is typed from now on be read.
func (i *input) admitted() { i.in.Store(true) }

// Read implements io.Reader.
func (i *input) Read(b []byte) (int, error) {
	if len(i.rest) == 0 {
		piece, ok := <-i.pieces
		if !ok {
			return 0, io.EOF
		}
		i.rest = piece
	}
	n := copy(b, i.rest)
	i.rest = i.rest[n:]
	return n, nil
}
