package git

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Head returns what a file is in the last commit, as a checkout would write it.
// It fails with ErrUntracked, ErrNoCommit or ErrNoRepository where it is in none.
func Head(ctx context.Context, file string) (string, error) {
	r := &repository{top: filepath.Dir(file), env: environment()}
	text, err := r.run(ctx, nil, "cat-file", "--filters", "HEAD:./"+filepath.Base(file))
	var failed *commandError
	if !errors.As(err, &failed) {
		return text, err
	}
	switch {
	case strings.Contains(failed.text, "not a git repository"):
		return "", fmt.Errorf("%q %w", file, ErrNoRepository)
	case strings.Contains(failed.text, "invalid object name 'HEAD'"):
		return "", ErrNoCommit
	case failed.code == 128:
		return "", fmt.Errorf("%q %w", file, ErrUntracked)
	}
	return "", err
}
