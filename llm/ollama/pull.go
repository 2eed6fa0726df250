package ollama

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ollama/ollama/api"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/wire"
)

// maxLayers bounds the parts of a model whose progress is kept, and maxLayer the
// bytes that one is said to have: they are added up, and multiplied.
const (
	maxLayers = 1000
	maxLayer  = 1 << 45
)

// Pull implements llm.Puller: the server fetches the model, and keeps what it
// has when the pull is canceled or cut off.
func (p *Provider) Pull(ctx context.Context, name string, onProgress func(llm.Progress)) error {
	const noLimit = 1 << 62 // ns: a large model takes hours on a slow line
	watched, watch, stop := wire.NewWatch(ctx, p.options.PullStall, noLimit)
	defer stop()
	in := pulling{layers: map[string]llm.Progress{}}
	stream := true
	err := p.client.Pull(watched, &api.PullRequest{Model: name, Stream: &stream}, func(r api.ProgressResponse) error {
		watch.Fed(p.options.PullStall)
		if err := in.take(r); err != nil {
			return err
		}
		if onProgress != nil {
			onProgress(in.progress(r.Status))
		}
		return nil
	})
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case watched.Err() != nil && !in.done:
		err = context.Cause(watched)
	case err != nil:
		err = p.pullFailed(ctx, err, in)
	case !in.done:
		err = fmt.Errorf("%w: the stream ended before the server said that it was done", llm.ErrCut)
	}
	if err != nil {
		return fmt.Errorf("pull %q: %w", wire.Clean(name), err)
	}
	return nil
}

// pullFailed explains why a pull ended.
func (p *Provider) pullFailed(ctx context.Context, err error, in pulling) error {
	words := err.Error()
	switch {
	case in.begun && wire.IsTransport(err):
		return advice.Add(fmt.Errorf("%w: the connection was closed in the middle", llm.ErrCut), "pull again: it continues where it stopped")
	case errors.Is(err, llm.ErrTooLong):
		return err
	case strings.Contains(words, "file does not exist"), strings.Contains(words, "not found"):
		return advice.Add(fmt.Errorf("%w: %s", llm.ErrUnknownModel, wire.Clean(words)), "names and tags are listed at https://ollama.com/library")
	}
	return p.explain(ctx, err)
}

// pulling adds up what a pull reports part by part.
type pulling struct {
	layers      map[string]llm.Progress // by digest
	begun, done bool
}

func (in *pulling) take(r api.ProgressResponse) error {
	in.begun = true
	if r.Status == "success" {
		in.done = true
	}
	if r.Digest == "" || r.Total <= 0 {
		return nil
	}
	if len(in.layers) == maxLayers {
		return fmt.Errorf("%w: a model of over %d parts", llm.ErrTooLong, maxLayers)
	}
	total := min(r.Total, maxLayer)
	in.layers[r.Digest] = llm.Progress{Done: min(max(r.Completed, 0), total), Total: total}
	return nil
}

func (in *pulling) progress(status string) llm.Progress {
	sum := llm.Progress{Status: wire.Clean(status)}
	for _, l := range in.layers {
		sum.Done += l.Done
		sum.Total += l.Total
	}
	return sum
}

var _ llm.Puller = (*Provider)(nil)
