package sandbox

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// keep is how much of the head, and of the tail, of the output is kept.
const keep = 512 << 10

// capture keeps the head and the tail of what is written to it.
type capture struct {
	mu    sync.Mutex
	head  []byte
	tail  []byte // a ring once full
	at    int    // where the ring goes on
	total int64
	limit int64
	full  func() // called once when limit is passed
}

// Write never fails: a program must not die of a full pipe.
func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(p)
	before := c.total
	c.total += int64(n)
	if before <= c.limit && c.total > c.limit && c.full != nil {
		c.full()
	}
	if room := keep - len(c.head); room > 0 {
		take := min(room, len(p))
		c.head = append(c.head, p[:take]...)
		p = p[take:]
	}
	if len(p) > keep {
		p = p[len(p)-keep:]
	}
	if room := keep - len(c.tail); room > 0 {
		take := min(room, len(p))
		c.tail = append(c.tail, p[:take]...)
		p = p[take:]
	}
	for len(p) > 0 {
		copied := copy(c.tail[c.at:], p)
		p = p[copied:]
		c.at = (c.at + copied) % keep
	}
	return n, nil
}

// text returns what was kept and how many bytes are missing in the middle.
func (c *capture) text() (text []byte, dropped int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	text = append(text, c.head...)
	dropped = c.total - int64(len(c.head)+len(c.tail))
	if dropped > 0 {
		text = fmt.Appendf(text, "\n… %d bytes left out …\n", dropped)
	}
	text = append(text, c.tail[c.at:]...)
	return append(text, c.tail[:c.at]...), dropped
}

// unfailing hides a writer's errors: who watches must not end the capture.
type unfailing struct{ io.Writer }

func (u unfailing) Write(p []byte) (int, error) {
	_, _ = u.Writer.Write(p)
	return len(p), nil
}

// cutStacks takes what a Go program prints at a SIGQUIT off its output.
func cutStacks(output []byte) (printed, stacks []byte) {
	at := bytes.LastIndex(output, []byte("SIGQUIT: quit"))
	if at < 0 {
		return output, nil
	}
	return output[:at], output[at:]
}
