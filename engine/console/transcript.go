package console

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// transcript is the file that answers are appended to.
type transcript struct {
	file *os.File
	only bool
}

func (c sessionCall) transcript() error {
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
	c.Out.Say("answers are appended to %s; transcript -off ends that", file.Name())
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

// transcribe writes an answer to the transcript, and returns what is left to
// be shown.
func (s *Shell) transcribe(a session.Evaluated) session.Evaluated {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.script == nil || strings.HasPrefix(a.Input, "transcript") {
		return a
	}
	if _, err := fmt.Fprintf(s.script.file, "> %s\n%s", a.Input, a.Answer()); err != nil {
		a.Err = errors.Join(errors.New(a.Err), fmt.Errorf("transcript: %w", err)).Error()
		return a
	}
	if s.script.only && a.Err == "" {
		a.Lines, a.Whole, a.Left, a.Values, a.Result = []session.Line{{Text: "in the transcript", Style: session.StyleDim}}, nil, 0, nil, debugger.Variable{}
	}
	return a
}

// Close ends the transcript.
func (s *Shell) Close() error { return s.setTranscript(nil) }
