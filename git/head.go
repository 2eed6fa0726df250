package git

import (
	"context"
	"errors"
	"path/filepath"
)

// Head returns what a file is in the last commit, as a checkout would write it;
// false when it is in none, or in no repository.
func Head(ctx context.Context, file string) (text string, ok bool, err error) {
	r := &repository{top: filepath.Dir(file), env: environment()}
	text, err = r.run(ctx, nil, "cat-file", "--filters", "HEAD:./"+filepath.Base(file))
	var failed *commandError
	if errors.As(err, &failed) {
		return "", false, nil
	}
	return text, err == nil, err
}
