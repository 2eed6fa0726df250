package ui

import (
	"context"
	"errors"

	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/source/navigate"
)

// fakeSources answers from what it was given.
type fakeSources struct {
	index      *navigate.Index
	definition navigate.Answer
	callers    navigate.Answer
	about      map[string]live.About // by path
	loading    bool
}

func (f fakeSources) Index(_ context.Context, after int) (*navigate.Index, error) {
	if f.index != nil && f.index.Version > after {
		return f.index, nil
	}
	return nil, errors.New("there is nothing newer") // the stage waits for whatever is begun
}

func (f fakeSources) Definition(context.Context, navigate.At) (navigate.Answer, error) {
	if len(f.definition.Hits) == 0 {
		return f.definition, errors.New("nothing is known of it")
	}
	return f.definition, nil
}

func (f fakeSources) Callers(context.Context, navigate.At) (navigate.Answer, error) {
	return f.callers, nil
}

func (f fakeSources) Loaded() bool { return !f.loading }

func (f fakeSources) About(_ context.Context, file string) live.About { return f.about[file] }
