package rpc

import (
	"errors"
	"net/rpc"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// Delve's errors come over its connection as texts. This file alone knows them:
// everything else asks errors.Is for one of the kinds below.

// Error is an error of the server's.
type Error struct{ Text string }

// Error is Delve's text.
func (e Error) Error() string { return e.Text }

// Is reports whether the text is of that kind.
func (e Error) Is(kind error) bool {
	if kind == debugger.ErrGone {
		return errExited.of(e.Text) || ErrNoProcess.of(e.Text)
	}
	if kind == debugger.ErrNeedsCall {
		return errNeedsCall.of(e.Text)
	}
	if kind == debugger.ErrNoKey {
		return errNoKey.of(e.Text)
	}
	k, ok := kind.(*errorKind)
	return ok && k.of(e.Text)
}

// errorKind is a kind of Delve's errors.
type errorKind struct {
	what  string
	texts []string // one of them is part of the error's text, whatever the case
}

// kindOf makes a kind of errors that hold one of the texts.
func kindOf(what string, texts ...string) *errorKind { return &errorKind{what, texts} }

// Error says what the kind is.
func (k *errorKind) Error() string { return k.what }

func (k *errorKind) of(text string) bool {
	text = strings.ToLower(text)
	for _, part := range k.texts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// What becomes of the target.
var (
	errExited    = kindOf("the program has exited", "has exited with status")
	ErrNoProcess = kindOf("the process is gone", "no such process")
)

// Locations and breakpoints.
var (
	ErrNoStatement  = kindOf("no statement on the line", "could not find statement")
	ErrNoCodeAt     = kindOf("no code at the address", "no code at")
	ErrNoFile       = kindOf("no such file in the program", "could not find file")
	ErrNoFunction   = kindOf("no such function in the program", "could not find function")
	ErrNoLocation   = kindOf("nothing of this name in the program", "not found")
	ErrNoScope      = kindOf("it is looked up once the program runs", "scope is nil")
	ErrAmbiguous    = kindOf("the location is ambiguous", "ambiguous: ")
	ErrMalformed    = kindOf("not a location", "malformed breakpoint location")
	ErrBreakExists  = kindOf("there is a breakpoint already", "breakpoint exists at")
	ErrNameExists   = kindOf("there is a breakpoint of this name already", "breakpoint name already exists")
	ErrHitCondition = kindOf("the hit condition cannot be read", "unable to parse breakpoint hit condition")
	ErrStripped     = kindOf("the program was stripped", "stripped")
	// ErrCondition: the target is held at a breakpoint whose condition failed.
	ErrCondition     = kindOf("a condition cannot be evaluated", evaluating, "multiple errors evaluating conditions", "condition expression not boolean", "no type entry found")
	errConditions    = kindOf("several conditions cannot be evaluated", "multiple errors evaluating conditions")
	errConditionType = kindOf("a condition is not boolean", "condition expression not boolean")
)

// Values.
var (
	errNeedsCall  = kindOf("only a call of the program can make the value", "can not be allocated", "function calls not allowed")
	ErrNoSymbol   = kindOf("there is no such variable in the frame", "could not find symbol ")
	ErrNoType     = kindOf("the program has no such type", "no type entry found")
	errNoKey      = kindOf("the map has no such key", "key not found")
	ErrWatchFull  = kindOf("all debug registers are in use", "no space left on device", "exhausted", "too many")
	ErrWatchSize  = kindOf("the value is too large to be watched", WatchType)
	ErrWatchStack = kindOf("reads on the stack cannot be watched", "can not watch stack allocated variable for reads")
	ErrWatchPlace = kindOf("the value has no address", "can not watch")
	// The third text is ptrace's, where a container or a virtual machine hides the registers.
	ErrWatchSystem = kindOf("there are no watchpoints here", "hardware breakpoints not supported", "not implemented", "input/output error")
)

// Moves.
var (
	ErrEscapes   = kindOf("an argument on the stack may escape", "stack object passed to escaping pointer")
	ErrUnsafe    = kindOf("no function can be called here", "not at safe point", "call from unknown function", "call from within the go runtime")
	ErrOutermost = kindOf("there is no caller", "nothing to stepout to")
)

// Launching, attaching, opening.
var (
	ErrPermission = kindOf("tracing is not permitted", "operation not permitted")
	ErrYama       = kindOf("the kernel does not permit tracing", "kernel security setting", "operation not permitted")
	ErrOwner      = kindOf("the process is another user's", "does not own")
	ErrNoDebug    = kindOf("the program has no debug information", "could not open debug info")
	ErrRecorder   = kindOf("rr has failed", "rr ", "perfcounters", "perf_event")
	ErrGoTooOld   = kindOf("the program's version of Go is not supported", "too old for")
	ErrFormat     = kindOf("not a program for this system", "exec format error", "not an executable")
	ErrCoreFormat = kindOf("not a core dump of a known format", "unrecognized core format", "eof")
)

const (
	evaluating = "error evaluating expression: "
	// WatchType precedes the type in the text of ErrWatchSize.
	WatchType = "can not watch variable of type "
)

// delveText makes an error of what a call of the server's returned.
func delveText(err error) error {
	var server rpc.ServerError
	if errors.As(err, &server) {
		return Error{string(server)}
	}
	return err
}

// Detail is what the text of an error says after its fixed part; empty where it
// does not have that.
func Detail(err error, fixed string) string {
	_, rest, _ := strings.Cut(err.Error(), fixed)
	return rest
}

// Unanswered says in plain words why a condition could not be evaluated.
func Unanswered(err error) string {
	reason := Detail(err, evaluating)
	switch {
	case errors.Is(err, errConditions):
		return "the conditions of several breakpoints cannot be evaluated here"
	case errors.Is(err, errConditionType):
		return "its condition is neither true nor false: it is not a bool"
	case errors.Is(err, ErrNoType):
		return "its condition cannot be evaluated: the program has no such type"
	case reason == "":
		return err.Error()
	}
	if name, ok := strings.CutPrefix(reason, "could not find symbol value for "); ok {
		return "its condition cannot be evaluated: there is no " + name + " here"
	}
	return "its condition cannot be evaluated: " + reason
}

// WithoutPrefix is the text of an error without how Delve begins it.
func WithoutPrefix(err error, prefix string) string { return strings.TrimPrefix(err.Error(), prefix) }
