package session

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"go.yaml.in/yaml/v3"
)

// ErrNoFrontMatter is returned for a file that does not begin as a log does.
var ErrNoFrontMatter = errors.New("there is no front matter")

// maxFrontMatter bounds the head of a log, in bytes.
const maxFrontMatter = 64 << 10

// ReadFrontMatter reads the head of a log for people, as Markdown writes it.
// It reads no more than that.
func ReadFrontMatter(r io.Reader) (FrontMatter, error) {
	lines := bufio.NewReader(io.LimitReader(r, maxFrontMatter))
	first, err := lines.ReadBytes('\n')
	if string(first) != "---\n" {
		return FrontMatter{}, errors.Join(ErrNoFrontMatter, notEOF(err))
	}
	var head bytes.Buffer
	for {
		line, err := lines.ReadBytes('\n')
		switch {
		case err != nil:
			return FrontMatter{}, errors.Join(fmt.Errorf("%w: it does not end", ErrNoFrontMatter), notEOF(err))
		case string(line) == "---\n":
			var f FrontMatter
			if err := yaml.Unmarshal(head.Bytes(), &f); err != nil {
				return FrontMatter{}, fmt.Errorf("read the front matter: %w", err)
			}
			return f, nil
		}
		head.Write(line)
	}
}

func notEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// Summary is what the log of a session says in its head. One that has no log
// for people, because it was killed too early, or whose log does not say how each fix was
// judged, is read from its journal; that ends with ctx.
func (e Entry) Summary(ctx context.Context) (FrontMatter, error) {
	file, err := openJournal(e.Markdown(), os.O_RDONLY)
	if err == nil {
		defer file.Close()
		if f, err := ReadFrontMatter(file); err == nil {
			if len(f.Judged) == len(f.Applied) {
				return f, nil
			}
			return e.recalled(ctx, f) // an earlier version's, which gives one judgement to all
		}
	}
	return e.recalled(ctx, FrontMatter{})
}

// recalled is what a session's journal says; the head of its log, if it has one, where
// that cannot be read.
func (e Entry) recalled(ctx context.Context, head FrontMatter) (FrontMatter, error) {
	s, err := e.recall(ctx)
	switch {
	case err == nil:
		return Summarize(s), nil
	case head.Session != "" && ctx.Err() == nil:
		return head, nil
	}
	return FrontMatter{}, err
}

func (e Entry) recall(ctx context.Context) (State, error) {
	if info, err := os.Lstat(e.Journal); err == nil && info.Size() > MaxListed {
		return State{}, fmt.Errorf("it is larger than %d MB", MaxListed>>20)
	}
	s, _, err := Recall(ctx, e.Journal)
	return s, err
}

// Life is whether a session goes on, has ended, or was killed.
type Life string

// The lives.
const (
	Running Life = "running"
	Over    Life = "ended"
	Killed  Life = "killed"
)

// Life looks at the lock and the last line of the journal.
func (e Entry) Life() Life {
	if Alive(e.Journal) {
		return Running
	}
	file, err := openJournal(e.Journal, os.O_RDONLY)
	if err != nil {
		return Killed
	}
	defer file.Close()
	const tail = 128 << 10 // an end, and what may come after it
	if size, err := file.Seek(0, io.SeekEnd); err == nil {
		_, _ = file.Seek(max(size-tail, 0), io.SeekStart)
	}
	data, _ := io.ReadAll(io.LimitReader(file, tail))
	lines := bytes.Split(data, []byte{'\n'})
	for _, line := range slices.Backward(lines) {
		event, _ := decode(line)
		switch event.Body.(type) {
		case *Ended:
			return Over
		case nil, *Applying, *Applied, *Undone, *ApplyFailed, *Committed, *CommitFailed, *Notice: // without a target
		default:
			return Killed
		}
	}
	return Killed
}
