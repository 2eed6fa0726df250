package pause

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// PanicError is the panic of a block as an error. If the panic's value is an error,
// it is wrapped: errors.Is and errors.As find it.
type PanicError struct {
	ID     string // of the block
	Intent string
	Value  any    // the argument of panic
	Stack  []byte // of the goroutine, as runtime/debug.Stack prints it
}

// Error is one line, without the stack.
func (e *PanicError) Error() string {
	return fmt.Sprintf("block %q (%s): panic: %v", e.ID, e.Intent, e.Value)
}

// Unwrap returns the panic's value if it is an error, and nil otherwise.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

func newPanicError(b *block, value any) *PanicError {
	return &PanicError{ID: b.id, Intent: b.intent, Value: value, Stack: debug.Stack()}
}

// settle is the error of a block whose panic was caught: the handler's, or the
// panic itself. ended is why no more attempts were made, or nil.
func (b *block) settle(caught *PanicError, ended error) (err error) {
	if b.handler == nil {
		return join(ended, caught)
	}
	returned := false
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil {
			err = fmt.Errorf("the handler of block %q panicked: %w", b.id, errors.Join(newPanicError(b, value), caught))
		}
	}()
	err = b.handler(caught)
	returned = true
	return err
}

func join(ended error, caught *PanicError) error {
	if ended == nil {
		return caught
	}
	return errors.Join(ended, caught)
}
