package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// The exit codes of docs/reference/exit-codes.md that are not an outcome's.
const (
	ExitFailure     = 1
	ExitUsage       = 2
	ExitInterrupted = 130
)

// ErrInterrupted is returned when the person has interrupted a command.
var ErrInterrupted = Exit(ExitInterrupted, nil)

// Exit is the error that ends the program with a code; without err nothing is printed.
func Exit(code int, err error) error { return &codeError{code: code, err: err} }

// codeError is an error with the exit code of the program; without err nothing is printed.
type codeError struct {
	code int
	err  error
}

// Error returns what happened.
func (e *codeError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

// Unwrap returns the error that ends the program with the code.
func (e *codeError) Unwrap() error { return e.err }

// UsageError is a mistake in the command line.
func UsageError(err error) error { return Exit(ExitUsage, err) }

// Silent reports whether nothing is to be printed about err: it only has an exit code.
func Silent(err error) bool {
	var coded *codeError
	return errors.As(err, &coded) && coded.err == nil
}

// isUsage recognizes what cobra itself says of a wrong command line.
func isUsage(err error) bool {
	text := err.Error()
	return strings.HasPrefix(text, "unknown command") || strings.HasPrefix(text, "unknown flag") ||
		strings.Contains(text, "arg(s)") || strings.HasPrefix(text, "invalid argument")
}

// ExitCode is the exit code of a command that returns err.
func ExitCode(err error) int {
	var coded *codeError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &coded):
		return coded.code
	case isUsage(err):
		return ExitUsage
	}
	return ExitFailure
}

// LeftInOrder drops the ends that are none of the session's failures.
func LeftInOrder(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) || errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}
