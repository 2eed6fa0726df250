package session

import (
	"context"
	"errors"
	"io"
	"os"
)

// Recall reads the journal at path and folds it. It ends with ctx, and its error:
// a journal may be large. Of a torn journal it returns what is whole, as ReadFile does.
func Recall(ctx context.Context, path string) (State, []Event, error) {
	file, err := openWhole(path, os.O_RDONLY)
	if err != nil {
		return NewState(), nil, err
	}
	defer file.Close()
	events, err := Read(&until{ctx, file})
	if ctx.Err() != nil {
		return NewState(), nil, ctx.Err()
	}
	if err != nil && !errors.Is(err, ErrTorn) {
		return NewState(), events, err
	}
	s, folded := fold(ctx, NewState(), events)
	if folded != nil {
		return NewState(), nil, folded
	}
	return s, events, err
}

// until reads until ctx ends.
type until struct {
	ctx  context.Context
	from io.Reader
}

// Read implements io.Reader.
func (u *until) Read(b []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.from.Read(b)
}
