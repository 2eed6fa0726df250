// Package advice attaches to an error what the person can do about it. What happened and
// what to do stay apart, so that each frontend shows both in its own way. It must not
// know kinds of errors: the code that returns one adds the advice.
package advice

import "errors"

// Error is an error with advice.
type Error struct {
	Err  error
	Text string // one line, an imperative: "install gcc, or build with CGO_ENABLED=0"
}

// Error returns what happened, without the advice.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the error that the advice belongs to.
func (e *Error) Unwrap() error { return e.Err }

// Add adds advice to an error; nil stays nil.
func Add(err error, text string) error {
	if err == nil {
		return nil
	}
	return &Error{Err: err, Text: text}
}

// Of returns the outermost advice in err's chain; empty without one.
func Of(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Text
	}
	return ""
}
