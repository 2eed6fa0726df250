package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/session"
)

// looked is how often a journal that grows is looked at.
const looked = 250 * time.Millisecond

// maxLine bounds a line of a journal that is followed, in bytes. A longer one is
// left out.
const maxLine = 16 << 20

// events sends the events of a session as they come, until it has ended or the
// request has.
func (s *server) events(w http.ResponseWriter, r *http.Request) {
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		http.Error(w, "too many sessions are followed", http.StatusServiceUnavailable)
		return
	}
	e, err := s.find(r.PathValue("name"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	file, err := regular.OpenFile(e.Journal, os.O_RDONLY|syscall.O_NOFOLLOW)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer file.Close()
	after, _ := strconv.ParseUint(r.URL.Query().Get("after"), 10, 64)    // 0 for what is no number
	again, _ := strconv.ParseUint(r.Header.Get("Last-Event-ID"), 10, 64) // of a browser that lost the connection
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(kind string, v eventView) error {
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if kind != "" {
			fmt.Fprintf(&b, "event: %s\n", kind)
		}
		fmt.Fprintf(&b, "id: %d\ndata: %s\n\n", v.Seq, text)
		within(w)
		if _, err := printable.NewWriter(w).Write(b.Bytes()); err != nil {
			return err
		}
		return http.NewResponseController(w).Flush()
	}
	if _, err := io.WriteString(w, ": following\n\n"); err != nil || http.NewResponseController(w).Flush() != nil {
		return
	}
	last, err := follow(r.Context(), file, max(after, again), func(v eventView) error { return send("", v) })
	if err == nil {
		_ = send("end", eventView{Seq: last}) // to a browser that may be gone
	}
}

// follow calls send for the events of a journal after a number, until nothing
// writes it any more. It returns the number of the last one.
func follow(ctx context.Context, file *os.File, after uint64, send func(eventView) error) (last uint64, err error) {
	tick := time.NewTicker(looked)
	defer tick.Stop()
	last = after
	lines := &tail{file: file}
	for {
		alive := session.Written(file) // before the last look
		for ctx.Err() == nil {
			text, err := lines.next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return last, err
			}
			events, _ := session.Read(bytes.NewReader(text)) // nothing of a damaged line
			for _, e := range events {
				if e.Seq <= last {
					continue
				}
				last = e.Seq
				if v := viewEvent(e); v.Words != "" || v.Changes {
					if err := send(v); err != nil {
						return last, err
					}
				}
			}
		}
		if !alive {
			return last, nil
		}
		select {
		case <-ctx.Done():
			return last, ctx.Err()
		case <-tick.C:
		}
	}
}

// tail reads the whole lines of a file that grows.
type tail struct {
	file    *os.File
	have    []byte
	skipped bool // the line that is being read is too long
}

// next returns the next whole line; io.EOF while there is none.
func (t *tail) next() ([]byte, error) {
	for {
		if i := bytes.IndexByte(t.have, '\n'); i >= 0 {
			text, skipped := t.have[:i+1], t.skipped
			t.have, t.skipped = t.have[i+1:], false
			if skipped {
				continue
			}
			return text, nil
		}
		if len(t.have) > maxLine {
			t.have, t.skipped = nil, true
		}
		part := make([]byte, 64<<10)
		n, err := t.file.Read(part)
		t.have = append(t.have, part[:n]...)
		if n == 0 {
			return nil, errors.Join(err, io.EOF)
		}
	}
}
