package dap

import (
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

// span is a part of the log: after one number, up to another, which is 0 while it
// is not known.
type span struct{ after, to uint64 }

func (sp span) holds(seq uint64) bool {
	return sp.after != 0 && seq > sp.after && (sp.to == 0 || seq <= sp.to)
}

// commandOf is the line of the command line that an input of the console means:
// what begins with a colon, a call or an assignment. All else is an expression.
func commandOf(input string) (line string, ok bool) {
	if line, ok = strings.CutPrefix(input, ":"); ok {
		return strings.TrimSpace(line), true
	}
	if name, value, ok := console.Assignment(input); ok {
		return "set " + name + " = " + value, true
	}
	return input, false
}

// evaluate reads an expression. In the console, an input may also be a line of the
// command line, which only a driver gives.
func (s *server) evaluate(m *dap.EvaluateRequest) error {
	input := strings.TrimSpace(m.Arguments.Expression)
	repl := m.Arguments.Context == "repl"
	if line, command := commandOf(input); repl && command {
		return s.command(m, line)
	}
	at, err := s.frameFor(m.Arguments.FrameId)
	if err != nil {
		return err
	}
	var v debugger.Variable
	if call, ok := strings.CutPrefix(input, "call "); ok && repl {
		v, err = s.call(at, strings.TrimSpace(call))
	} else {
		v, err = s.seat.Inspector().Evaluate(s.underway.ctx, at, input)
	}
	if errors.Is(err, debugger.ErrNeedsCall) {
		switch {
		case repl:
			err = advice.Add(errors.New("this calls a function of the program"), "call "+input)
		case s.opts.Calls && points{s}.mayNot() == nil:
			v, err = s.call(at, input)
		default:
			err = advice.Add(errors.New("this calls a function of the program"), "the driver may, with calls = true under [editors] in config.toml")
		}
	}
	if err != nil {
		return s.notThere(input, err, repl)
	}
	one := looking{s}.variable(at, v)
	if m.Arguments.Context == "clipboard" {
		one.Value = s.whole(at, v, one.Value)
	}
	a := &dap.EvaluateResponse{Response: response(m.GetRequest())}
	a.Body.Result, a.Body.Type, a.Body.VariablesReference, a.Body.IndexedVariables = one.Value, one.Type, one.VariablesReference, one.IndexedVariables
	a.Body.MemoryReference = one.MemoryReference
	s.send(a)
	return nil
}

// maxCopied bounds a text that is copied, in bytes.
const maxCopied = 1 << 20

// whole is a value for the clipboard: a text that was read in part is read whole.
func (s *server) whole(at debugger.FrameRef, v debugger.Variable, short string) string {
	reader, ok := s.seat.Inspector().(debugger.MemoryReader)
	if v.Kind != reflect.String || int64(len(v.Value)) >= v.Len || !ok {
		return short
	}
	text, err := reader.String(s.underway.ctx, at, v, debugger.Page{Count: maxCopied})
	if err != nil {
		return short
	}
	return session.Clean(strconv.Quote(text))
}

// notThere adds, to the error of what is no expression, that a command is called that.
func (s *server) notThere(input string, err error, repl bool) error {
	if _, _, command := console.NewTable().Split(input); repl && command && advice.Of(err) == "" {
		return advice.Add(err, "a command begins with a colon: :"+input)
	}
	return err
}

// frameFor is the frame of a number, or else the one that the stop shows.
func (s *server) frameFor(number int) (at debugger.FrameRef, err error) {
	stop, err := s.held()
	if err != nil {
		return at, err
	}
	if number != 0 {
		return s.refs.frameOf(number)
	}
	at.Goroutine = stop.Stop.Goroutine
	if f, ok := stop.Stop.SelectedFrame(); ok {
		at.Frame = f.Index
	}
	return at, nil
}

// converse has options.Session.Console speak in the editor's console; s.mu is held.
func (s *server) converse() {
	if s.opts.Console == nil {
		return
	}
	in, lines := io.Pipe()
	s.lines = lines
	seat := s.seat
	s.work.Go(func() {
		defer in.Close()
		s.opts.Console(s.ctx, seat, in, consoleWriter{s})
	})
}

// consoleWriter writes to the editor's console.
type consoleWriter struct{ s *server }

// Write implements io.Writer.
func (w consoleWriter) Write(b []byte) (int, error) {
	w.s.print("console", string(b))
	return len(b), nil
}

// command carries out a line of the command line in the console.
func (s *server) command(m *dap.EvaluateRequest, line string) error {
	if s.lines != nil && s.opts.Knows(line) {
		if _, err := io.WriteString(s.lines, line+"\n"); err != nil {
			return err
		}
		s.send(&dap.EvaluateResponse{Response: response(m.GetRequest())})
		return nil
	}
	at, err := s.frameFor(m.Arguments.FrameId)
	if err != nil && !s.targetless() {
		return err
	}
	answer, err := s.line(at, line)
	if err != nil {
		return err
	}
	a := &dap.EvaluateResponse{Response: response(m.GetRequest())}
	a.Body.Result = strings.TrimRight(answer.Answer(), "\n")
	s.send(a)
	return nil
}

// targetless reports whether the program has ended, or could not be built.
func (s *server) targetless() bool {
	p := s.now().Phase
	return p == session.PhaseExited || p == session.PhaseBroken
}

// line carries out a line of the command line and waits for its answer.
func (s *server) line(at debugger.FrameRef, input string) (answer session.Evaluated, err error) {
	before := s.now().Seq
	if err := s.seat.Try(intent.Evaluate{At: at, Input: input}); err != nil {
		return answer, err
	}
	err = s.until(before, func(e session.Event) (bool, error) {
		switch b := e.Body.(type) {
		case *session.Evaluated:
			if e.Actor == s.seat.Name {
				answer = *b
				return true, nil
			}
		case *session.Resumed:
			return b.Motion != debugger.CallFunction, nil // which is over before its line is
		case *session.BuildStarted, *session.Launched: // a command that moves the program has no other answer
			return true, nil
		}
		return false, nil
	})
	if err == nil && answer.Err != "" {
		err = errors.New(answer.Err)
	}
	return answer, err
}

// call calls a function of the program and waits for what it returns.
func (s *server) call(at debugger.FrameRef, expr string) (v debugger.Variable, err error) {
	returned, err := s.quietly(at, "call "+expr)
	if err != nil {
		return v, err
	}
	s.invalidated("variables")
	return results(expr, returned), nil
}

// quietly carries out a line that may let the program run for a moment, and waits for its
// end. Meanwhile the editor does not hear that the program runs: it is to stay where it is.
func (s *server) quietly(at debugger.FrameRef, input string) (returned []debugger.Variable, err error) {
	before := s.now().Seq
	s.hush(span{after: before})
	s.calling.Store(true)
	defer s.calling.Store(false)
	if err := s.seat.Try(intent.Evaluate{At: at, Input: input}); err != nil {
		s.hush(span{})
		return nil, err
	}
	err = s.until(before, func(e session.Event) (bool, error) {
		switch b := e.Body.(type) {
		case *session.Stopped:
			returned = b.Stop.Returned
		case *session.Evaluated:
			if e.Actor != s.seat.Name {
				return false, nil
			}
			s.hush(span{before, e.Seq})
			if b.Err != "" {
				return true, advice.Add(errors.New(b.Err), b.Hint)
			}
			return true, nil
		}
		return false, nil
	})
	return returned, err
}

// invalidated has the editor read again what it shows.
func (s *server) invalidated(area dap.InvalidatedAreas) {
	if s.client.SupportsInvalidatedEvent {
		m := &dap.InvalidatedEvent{Event: event("invalidated")}
		m.Body.Areas = []dap.InvalidatedAreas{area}
		s.send(m)
	}
}

func (s *server) hush(sp span) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quiet = sp
}

// results are what a call has returned, as one value.
func results(expr string, list []debugger.Variable) debugger.Variable {
	if len(list) == 1 {
		return list[0]
	}
	all := debugger.Variable{Name: expr, Children: list}
	var texts []string
	for _, v := range list {
		texts = append(texts, words(v))
	}
	all.Value = strings.Join(texts, ", ")
	return all
}
