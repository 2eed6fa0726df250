package git

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/scratch"
)

// entry is a file in a tree or an index.
type entry struct {
	mode string // "100644"; "0" takes it out
	blob string
	path string // from the top, with slashes
}

// indexInfo writes entries for git update-index -z --index-info.
func indexInfo(list []entry) []byte {
	var b bytes.Buffer
	for _, e := range list {
		fmt.Fprintf(&b, "%s %s\t%s\x00", e.mode, e.blob, e.path)
	}
	return b.Bytes()
}

// entries says what a changed file becomes in the new commit, and in the index.
func (r *repository) entries(ctx context.Context, c Change) (head, index entry, err error) {
	path, err := r.path(ctx, c.Path)
	if err != nil {
		return entry{}, entry{}, err
	}
	old, err := r.inHead(ctx, path)
	if err != nil {
		return entry{}, entry{}, err
	}
	staged, err := r.inIndex(ctx, path)
	if err != nil {
		return entry{}, entry{}, err
	}
	if err := r.tracked(ctx, c, path, old, staged); err != nil {
		return entry{}, entry{}, err
	}
	if c.Remove {
		out := entry{"0", strings.Repeat("0", len(old.blob)), path}
		return out, out, nil
	}
	if head, err = r.changed(ctx, c, path, old); err != nil {
		return entry{}, entry{}, err
	}
	if staged == old {
		return head, head, nil
	}
	index, err = r.changed(ctx, c, path, staged)
	return head, index, err
}

// path names a file from the top of the work tree.
func (r *repository) path(ctx context.Context, file string) (string, error) {
	dir := filepath.Dir(file)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	inside := &repository{top: dir, env: r.env}
	top, err := inside.run(ctx, nil, "rev-parse", "--show-toplevel")
	if err != nil || strings.TrimRight(top, "\n") != r.top {
		return "", advice.Add(fmt.Errorf("%w: %q is not in %q", ErrSeveral, file, r.top), "commit them by hand")
	}
	real, err := filepath.EvalSymlinks(r.top)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(real, filepath.Join(dir, filepath.Base(file)))
	return filepath.ToSlash(rel), err
}

// inHead returns a file of the last commit; the zero entry when it has none.
func (r *repository) inHead(ctx context.Context, path string) (entry, error) {
	out, err := r.run(ctx, nil, "ls-tree", "-z", "--full-tree", "HEAD", "--", path)
	if err != nil || out == "" {
		return entry{}, err
	}
	// "100644 blob HASH\tpath\0"
	fields := strings.Fields(out)
	if len(fields) < 3 || fields[1] != "blob" {
		return entry{}, fmt.Errorf("git ls-tree: %q is not a file in the last commit", path)
	}
	return entry{fields[0], fields[2], path}, nil
}

// inIndex returns a staged file; the zero entry when there is none.
func (r *repository) inIndex(ctx context.Context, path string) (entry, error) {
	out, err := r.run(ctx, nil, "ls-files", "-z", "--stage", "--", ":(top,literal)"+path)
	if err != nil || out == "" {
		return entry{}, err
	}
	// "100644 HASH STAGE\tpath\0"
	fields := strings.Fields(out)
	if len(fields) < 3 || fields[2] != "0" {
		return entry{}, advice.Add(fmt.Errorf("%q has conflicts in git: %w", path, ErrMixed), "commit it by hand")
	}
	return entry{fields[0], fields[1], path}, nil
}

// tracked refuses files that git does not know, or ignores.
func (r *repository) tracked(ctx context.Context, c Change, path string, old, staged entry) error {
	known := old != entry{}
	if known && c.Create || !known && c.Create && staged != (entry{}) {
		return advice.Add(fmt.Errorf("%q is in git already: %w", path, ErrMixed), "commit it by hand")
	}
	if !known {
		_, err := r.run(ctx, nil, "check-ignore", "--quiet", "--", "./"+path)
		if err == nil {
			return advice.Add(fmt.Errorf("%q %w", path, ErrIgnored), "git add -f adds it all the same")
		}
		if exitCode(err) != 1 {
			return err
		}
	}
	switch {
	case c.Create:
		return nil
	case !known:
		return advice.Add(fmt.Errorf("%q %w", path, ErrUntracked), "git add it, and commit")
	case staged == entry{}:
		return advice.Add(fmt.Errorf("%q is staged to be removed: %w", path, ErrMixed), "commit it by hand")
	}
	return nil
}

// changed stores what a version of the file becomes by the change: the new
// content where the version is the old one, else the two changes merged.
func (r *repository) changed(ctx context.Context, c Change, path string, version entry) (entry, error) {
	mode, content := "100644", c.After
	if !c.Create {
		mode = version.mode
		have, err := r.run(ctx, nil, "cat-file", "--filters", "--path="+path, version.blob)
		if err != nil {
			return entry{}, err
		}
		if have != c.Before {
			if content, err = r.merge(ctx, path, have, c.Before, c.After); err != nil {
				return entry{}, err
			}
		}
	}
	blob, err := r.run(ctx, []byte(content), "hash-object", "-w", "--stdin", "--path="+path)
	return entry{mode, strings.TrimSpace(blob), path}, err
}

// merge carries the change from before to after over to another version.
func (r *repository) merge(ctx context.Context, path, version, before, after string) (string, error) {
	dir, err := os.MkdirTemp("", scratch.Pattern("git"))
	if err != nil {
		return "", fmt.Errorf("make a temporary directory: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	args := []string{"merge-file", "--stdout", "--quiet"}
	for i, text := range []string{version, before, after} {
		name := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return "", err
		}
		args = append(args, name)
	}
	merged, err := r.run(ctx, nil, args...)
	switch code := exitCode(err); {
	case err == nil:
		return merged, nil
	case code > 0 && code < 128: // so many conflicts
		return "", advice.Add(fmt.Errorf("%q: %w", path, ErrMixed), "commit it by hand: git add -p "+path)
	}
	return "", err
}
