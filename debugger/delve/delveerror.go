package delve

import (
	"errors"
	"net/rpc"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// Delve's errors come over its connection as texts. This file alone knows them:
// everything else asks errors.Is for one of the kinds below.

// delveError is an error of the server's.
type delveError struct{ text string }

// Error is Delve's text.
func (e delveError) Error() string { return e.text }

// Is reports whether the text is of that kind.
func (e delveError) Is(kind error) bool {
	if kind == debugger.ErrGone {
		return errExited.of(e.text) || errNoProcess.of(e.text)
	}
	if kind == debugger.ErrNeedsCall {
		return errNeedsCall.of(e.text)
	}
	if kind == debugger.ErrNoKey {
		return errNoKey.of(e.text)
	}
	k, ok := kind.(*errorKind)
	return ok && k.of(e.text)
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
	errNoProcess = kindOf("the process is gone", "no such process")
)

// Locations and breakpoints.
var (
	errNoStatement  = kindOf("no statement on the line", "could not find statement")
	errNoCodeAt     = kindOf("no code at the address", "no code at")
	errNoFile       = kindOf("no such file in the program", "could not find file")
	errNoFunction   = kindOf("no such function in the program", "could not find function")
	errNoLocation   = kindOf("nothing of this name in the program", "not found")
	errNoScope      = kindOf("it is looked up once the program runs", "scope is nil")
	errAmbiguous    = kindOf("the location is ambiguous", "ambiguous: ")
	errMalformed    = kindOf("not a location", "malformed breakpoint location")
	errBreakExists  = kindOf("there is a breakpoint already", "breakpoint exists at")
	errNameExists   = kindOf("there is a breakpoint of this name already", "breakpoint name already exists")
	errHitCondition = kindOf("the hit condition cannot be read", "unable to parse breakpoint hit condition")
	errStripped     = kindOf("the program was stripped", "stripped")
	// errCondition: the target is held at a breakpoint whose condition failed.
	errCondition     = kindOf("a condition cannot be evaluated", evaluating, "multiple errors evaluating conditions", "condition expression not boolean", "no type entry found")
	errConditions    = kindOf("several conditions cannot be evaluated", "multiple errors evaluating conditions")
	errConditionType = kindOf("a condition is not boolean", "condition expression not boolean")
)

// Values.
var (
	errNeedsCall  = kindOf("only a call of the program can make the value", "can not be allocated", "function calls not allowed")
	errNoSymbol   = kindOf("there is no such variable in the frame", "could not find symbol ")
	errNoType     = kindOf("the program has no such type", "no type entry found")
	errNoKey      = kindOf("the map has no such key", "key not found")
	errWatchFull  = kindOf("all debug registers are in use", "no space left on device", "exhausted", "too many")
	errWatchSize  = kindOf("the value is too large to be watched", watchType)
	errWatchStack = kindOf("reads on the stack cannot be watched", "can not watch stack allocated variable for reads")
	errWatchPlace = kindOf("the value has no address", "can not watch")
	// The third text is ptrace's, where a container or a virtual machine hides the registers.
	errWatchSystem = kindOf("there are no watchpoints here", "hardware breakpoints not supported", "not implemented", "input/output error")
)

// Moves.
var (
	errEscapes   = kindOf("an argument on the stack may escape", "stack object passed to escaping pointer")
	errUnsafe    = kindOf("no function can be called here", "not at safe point", "call from unknown function", "call from within the go runtime")
	errOutermost = kindOf("there is no caller", "nothing to stepout to")
)

// Launching, attaching, opening.
var (
	errPermission = kindOf("tracing is not permitted", "operation not permitted")
	errYama       = kindOf("the kernel does not permit tracing", "kernel security setting", "operation not permitted")
	errOwner      = kindOf("the process is another user's", "does not own")
	errNoDebug    = kindOf("the program has no debug information", "could not open debug info")
	errRecorder   = kindOf("rr has failed", "rr ", "perfcounters", "perf_event")
	errGoTooOld   = kindOf("the program's version of Go is not supported", "too old for")
	errFormat     = kindOf("not a program for this system", "exec format error", "not an executable")
	errCoreFormat = kindOf("not a core dump of a known format", "unrecognized core format", "eof")
)

const (
	evaluating = "error evaluating expression: "
	watchType  = "can not watch variable of type "
)

// delveText makes an error of what a call of the server's returned.
func delveText(err error) error {
	var server rpc.ServerError
	if errors.As(err, &server) {
		return delveError{string(server)}
	}
	return err
}

// detail is what the text of an error says after its fixed part; empty where it
// does not have that.
func detail(err error, fixed string) string {
	_, rest, _ := strings.Cut(err.Error(), fixed)
	return rest
}

// unanswered says in plain words why a condition could not be evaluated.
func unanswered(err error) string {
	reason := detail(err, evaluating)
	switch {
	case errors.Is(err, errConditions):
		return "the conditions of several breakpoints cannot be evaluated here"
	case errors.Is(err, errConditionType):
		return "its condition is neither true nor false: it is not a bool"
	case errors.Is(err, errNoType):
		return "its condition cannot be evaluated: the program has no such type"
	case reason == "":
		return err.Error()
	}
	if name, ok := strings.CutPrefix(reason, "could not find symbol value for "); ok {
		return "its condition cannot be evaluated: there is no " + name + " here"
	}
	return "its condition cannot be evaluated: " + reason
}

// withoutPrefix is the text of an error without how Delve begins it.
func withoutPrefix(err error, prefix string) string { return strings.TrimPrefix(err.Error(), prefix) }
