package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/fix"
)

// The exit codes of docs/reference/exit-codes.md that are not an outcome's.
const (
	exitFailure     = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// codeError ends the program with a code; without Err it says nothing more.
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

func usageError(err error) error { return &codeError{code: exitUsage, err: err} }

// isUsage recognizes what cobra itself says of a wrong command line.
func isUsage(err error) bool {
	text := err.Error()
	return strings.HasPrefix(text, "unknown command") || strings.HasPrefix(text, "unknown flag") ||
		strings.Contains(text, "arg(s)") || strings.HasPrefix(text, "invalid argument")
}

// exitCode is the table of docs/reference/exit-codes.md.
func exitCode(outcome string) int {
	switch outcome {
	case fix.Clean, fix.Fixed:
		return 0
	case fix.Verified, fix.AppliedOut:
		return 3
	case fix.Masking, fix.Unverified:
		return 4
	case fix.Exited:
		return 5
	}
	return exitFailure
}

// exitCodeOf is the exit code of a command that returns err.
func exitCodeOf(err error) int {
	var coded *codeError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &coded):
		return coded.code
	case isUsage(err):
		return exitUsage
	}
	return exitFailure
}
