package loop

import (
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"strings"
	"time"
)

// ErrInternal is a fault of ours, met in code that nobody here has seen. Its text
// goes on to say which.
var ErrInternal = errors.New("an internal error of pausetui: please report it")

// Contain analyzes a person's code, or values of their program. A panic of ours in it
// ends the analysis, not the session.
func Contain(analyze func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%w: %v, %s", ErrInternal, v, panickedAt())
		}
	}()
	return analyze()
}

// analysisTime bounds an analysis of code that nobody here has seen, and analysisGrace how long
// one that was canceled may take to end.
const analysisTime, analysisGrace = 2 * time.Minute, 2 * time.Second

// InTime is contained with a limit: an analysis that does not end in time is left alone.
func InTime[T any](ctx context.Context, analyze func() (T, error)) (T, error) {
	type outcome struct {
		found T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		o.err = Contain(func() (err error) {
			o.found, err = analyze()
			return err
		})
		done <- o
	}()
	ctx, cancel := context.WithTimeout(ctx, analysisTime)
	defer cancel()
	select {
	case o := <-done:
		return o.found, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done:
		return o.found, o.err
	case <-time.After(analysisGrace):
		var none T
		return none, fmt.Errorf("%w: an analysis of the code does not end", ErrInternal)
	}
}

// panickedAt is the innermost frames of ours below a panic, in a deferred function.
func panickedAt() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	var at []string
	for more := true; more && len(at) < 4; {
		var f runtime.Frame
		f, more = frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") {
			at = append(at, fmt.Sprintf("%s:%d", path.Base(f.File), f.Line))
		}
	}
	return strings.Join(at, " < ")
}
