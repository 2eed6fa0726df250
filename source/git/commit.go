package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/scratch"
)

// Change is what a commit does to one file.
type Change struct {
	Path string // absolute; the file in the work tree has the new content already
	// Before and After are whole contents, as in the work tree.
	Before, After  string
	Create, Remove bool
}

// Made is a commit that was made.
type Made struct {
	Hash     string
	Warnings []string // what a person should know about it
}

// Commit makes one commit of the changes, and of nothing else. The message is
// subject, body and trailers. The index afterwards has the changes too, next to
// whatever was staged.
func Commit(ctx context.Context, message string, changes []Change) (Made, error) {
	if len(changes) == 0 {
		return Made{}, errors.New("commit: no changes")
	}
	r, err := open(ctx, filepath.Dir(changes[0].Path))
	if err != nil {
		return Made{}, err
	}
	if err := r.ready(ctx); err != nil {
		return Made{}, err
	}
	var head, index []entry
	for _, c := range changes {
		h, i, err := r.entries(ctx, c)
		if err != nil {
			return Made{}, err
		}
		head, index = append(head, h), append(index, i)
	}
	return r.commit(ctx, message, head, index)
}

// underWay are git's own files that tell of something unfinished.
var underWay = []struct{ file, what, hint string }{
	{"MERGE_HEAD", "a merge", "git merge --continue, or --abort"},
	{"rebase-merge", "a rebase", "git rebase --continue, or --abort"},
	{"rebase-apply", "a rebase", "git rebase --continue, or --abort"},
	{"CHERRY_PICK_HEAD", "a cherry-pick", "git cherry-pick --continue, or --abort"},
	{"REVERT_HEAD", "a revert", "git revert --continue, or --abort"},
}

// ready reports whether a commit can be made here now.
func (r *repository) ready(ctx context.Context) error {
	for _, u := range underWay {
		if _, err := os.Stat(filepath.Join(r.dir, u.file)); err == nil {
			return advice.Add(fmt.Errorf("%s %w in %q", u.what, ErrInProgress, r.top), u.hint)
		}
	}
	if _, err := r.run(ctx, nil, "rev-parse", "--quiet", "--verify", "HEAD^{commit}"); exitCode(err) > 0 {
		return advice.Add(ErrNoCommit, "commit the module once by hand")
	} else if err != nil {
		return err
	}
	if _, err := r.run(ctx, nil, "var", "GIT_COMMITTER_IDENT"); exitCode(err) > 0 {
		return advice.Add(ErrNoIdentity, "git config user.name NAME, and user.email")
	} else if err != nil {
		return err
	}
	return nil
}

// commit makes the commit from an index of its own, then brings the real one up
// to date.
func (r *repository) commit(ctx context.Context, message string, head, index []entry) (Made, error) {
	dir, err := os.MkdirTemp("", scratch.Pattern("git"))
	if err != nil {
		return Made{}, fmt.Errorf("make a temporary directory: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	own := []string{"GIT_INDEX_FILE=" + filepath.Join(dir, "index")}
	if _, err := r.runWith(ctx, own, nil, "read-tree", "HEAD"); err != nil {
		return Made{}, err
	}
	if _, err := r.runWith(ctx, own, indexInfo(head), "update-index", "-z", "--index-info"); err != nil {
		return Made{}, err
	}
	if _, err := r.runWith(ctx, own, []byte(message), "commit", "--quiet", "--cleanup=whitespace", "--file=-"); err != nil {
		return Made{}, refused(err)
	}
	hash, err := r.run(ctx, nil, "rev-parse", "HEAD")
	if err != nil {
		return Made{}, err
	}
	made := Made{Hash: strings.TrimSpace(hash)}
	if _, err := r.run(ctx, nil, "symbolic-ref", "--quiet", "HEAD"); err != nil {
		made.Warnings = append(made.Warnings, "HEAD is detached: the commit "+made.Hash[:min(len(made.Hash), 12)]+" is on no branch")
	}
	if err := r.updateIndex(ctx, index); err != nil {
		made.Warnings = append(made.Warnings, fmt.Sprintf("the commit is made, but not in the index (%v): git reset fixes that", err))
	}
	return made, nil
}

func refused(err error) error {
	var failed *commandError
	if !errors.As(err, &failed) {
		return err
	}
	if errors.Is(err, errNoAuthor) {
		return advice.Add(ErrNoIdentity, "git config user.name NAME, and user.email")
	}
	return advice.Add(fmt.Errorf("%w: %s", ErrRefused, failed.text), "the change stays in the source: commit it by hand")
}

// updateIndex waits a moment for another git that holds the index.
func (r *repository) updateIndex(ctx context.Context, index []entry) error {
	for try := 0; ; try++ {
		_, err := r.run(ctx, indexInfo(index), "update-index", "-z", "--index-info")
		if err == nil || try == 20 || !errors.Is(err, errLocked) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}
