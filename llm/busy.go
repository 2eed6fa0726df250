package llm

import (
	"fmt"
	"time"
)

// BusyError is returned when a provider asks to come back later; it is ErrBusy.
type BusyError struct {
	After time.Duration // when to come back, as the provider says; 0 when it does not
	Err   error         // the provider's words
}

// Error says so, in the provider's words.
func (e *BusyError) Error() string {
	if e.After > 0 {
		return fmt.Sprintf("%v: %v; it says to wait %s", ErrBusy, e.Err, e.After)
	}
	return fmt.Sprintf("%v: %v", ErrBusy, e.Err)
}

// Unwrap returns the provider's words.
func (e *BusyError) Unwrap() error { return e.Err }

// Is tells that it is ErrBusy.
func (e *BusyError) Is(target error) bool { return target == ErrBusy }
