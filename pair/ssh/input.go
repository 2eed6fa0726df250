package ssh

import (
	"bytes"
	"context"
	"io"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
)

// input is what a guest types. While they wait to be admitted ctrl+c leaves,
// and all else is dropped.
type input struct {
	ctx    context.Context // ends with ctrl+c while they wait, and when they are gone
	in     atomic.Bool
	pieces chan []byte // closed at the end
	rest   []byte
	last   time.Time // when there was something to read
	burst  int       // bytes since the last pause
	total  int       // bytes
}

// The reader of keys buffers an escape sequence until it ends or no input comes for a
// while, and a paste until it ends. So long input is read with pauses, and only so much
// of it in all.
const (
	burstMost  = 16 << 10
	burstPause = 150 * time.Millisecond
	typedMost  = 32 << 20
)

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
		if i.total += len(piece); !ok || i.total > typedMost {
			return 0, io.EOF
		}
		i.rest = piece
		i.pace(len(piece))
	}
	n := copy(b, i.rest)
	i.rest = i.rest[n:]
	return n, nil
}

// pace pauses before a piece of input that goes on without a pause of its own.
func (i *input) pace(size int) {
	if time.Since(i.last) >= burstPause {
		i.burst = 0
	}
	if i.burst += size; i.burst > burstMost {
		select {
		case <-time.After(burstPause):
		case <-i.ctx.Done():
		}
		i.burst = size
	}
	i.last = time.Now()
}
