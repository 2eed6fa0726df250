package console

import (
	"fmt"
	"os"

	"github.com/pausetui/pausetui/session"
)

// transcript is the file that answers are appended to.
type transcript struct {
	file *os.File
	only bool
}

func (c *Call) transcript() error {
	g, err := c.options(true)
	if err != nil {
		return err
	}
	if g.has("-off") {
		if len(g.rest) > 0 {
			return fmt.Errorf("%w: -off takes no file", ErrUsage)
		}
		return c.setTranscript(nil)
	}
	if len(g.rest) != 1 {
		return fmt.Errorf("%w: which file?", ErrUsage)
	}
	flags := os.O_APPEND | os.O_WRONLY | os.O_CREATE
	if g.has("-t") {
		flags |= os.O_TRUNC
	}
	file, err := os.OpenFile(c.path(g.rest[0]), flags, 0o600)
	if err != nil {
		return err
	}
	return c.setTranscript(&transcript{file: file, only: g.has("-x")})
}

// setTranscript closes the file before.
func (s *Shell) setTranscript(t *transcript) error {
	s.mu.Lock()
	old := s.script
	s.script = t
	s.mu.Unlock()
	if old == nil {
		return nil
	}
	return old.file.Close()
}

// transcribe writes an answer to the transcript.
func (s *Shell) transcribe(a session.Evaluated) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.script != nil {
		_, _ = fmt.Fprintf(s.script.file, "> %s\n%s", a.Input, a.Answer()) // a full disk must not end the session
	}
}

// Close ends the transcript.
func (s *Shell) Close() error { return s.setTranscript(nil) }
