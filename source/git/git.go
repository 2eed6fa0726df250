// Package git commits exactly the changes it is given, whatever else is staged or dirty.
// Other files, and other changes of the same files, stay as they are in the index and in
// the work tree.
//
// It changes no file of the work tree. Hooks and filters run as they do for any
// commit, which the user has asked for; Head runs nothing of a repository's.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/supervise"
)

// Why no commit is made. They come with hints.
var (
	// ErrNoGit is returned when there is no git command.
	ErrNoGit = errors.New("there is no git command")
	// ErrNoRepository is returned for files outside of a work tree of git.
	ErrNoRepository = errors.New("is not in a git work tree")
	// ErrSeveral is returned for files of more than one repository.
	ErrSeveral = errors.New("the files belong to several repositories")
	// ErrNoCommit is returned for a branch without any commit.
	ErrNoCommit = errors.New("the branch has no commit yet")
	// ErrInProgress is returned while a merge, rebase, cherry-pick or revert is
	// not finished.
	ErrInProgress = errors.New("is in progress")
	// ErrIgnored is returned for a file that git ignores.
	ErrIgnored = errors.New("is ignored by git")
	// ErrUntracked is returned for a changed file that is in no commit.
	ErrUntracked = errors.New("is not tracked by git")
	// ErrMixed is returned when the change is on top of changes that are not
	// committed, and cannot be separated from them.
	ErrMixed = errors.New("the change touches uncommitted changes")
	// ErrNoIdentity is returned when git does not know who commits.
	ErrNoIdentity = errors.New("git does not know who you are")
	// ErrRefused is returned when git commit fails, for instance in a hook.
	ErrRefused = errors.New("git commit failed")
)

// repository is a work tree of git.
type repository struct {
	top string // its root, without symbolic links
	dir string // of git's own files for this work tree
	env []string
}

// open finds the repository of a directory.
func open(ctx context.Context, dir string) (*repository, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, advice.Add(ErrNoGit, "install git, or leave --commit out")
	}
	r := &repository{top: dir, env: environment()}
	out, err := r.run(ctx, nil, "rev-parse", "--show-toplevel", "--absolute-git-dir")
	if err != nil {
		if errors.Is(err, errOutside) {
			return nil, advice.Add(fmt.Errorf("%q %w", dir, ErrNoRepository), "git init makes one")
		}
		return nil, err
	}
	top, gitDir, _ := strings.Cut(strings.TrimRight(out, "\n"), "\n")
	r.top, r.dir = top, gitDir
	return r, nil
}

// environment is ours, without what would lead git elsewhere or make it ask.
func environment() []string {
	drop := []string{"GIT_INDEX_FILE=", "GIT_PREFIX=", "GIT_LITERAL_PATHSPECS=", "GIT_GLOB_PATHSPECS=", "GIT_NOGLOB_PATHSPECS=", "GIT_ICASE_PATHSPECS=",
		"GPG_TTY=", "LC_ALL=", "LANGUAGE=", "GIT_EDITOR=", "GIT_TERMINAL_PROMPT=", "GIT_ASKPASS=", "SSH_ASKPASS="}
	var env []string
	for _, kv := range os.Environ() {
		keep := true
		for _, d := range drop {
			keep = keep && !strings.HasPrefix(kv, d)
		}
		if keep {
			env = append(env, kv)
		}
	}
	return append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true", "SSH_ASKPASS=true", "GIT_EDITOR=true")
}

// commandError is what a git command said when it failed.
type commandError struct {
	verb string
	code int
	text string
}

// Error returns the command and its last words.
func (e *commandError) Error() string { return fmt.Sprintf("git %s: %s", e.verb, e.text) }

// What git says only in words; it is run with LC_ALL=C.
var (
	errOutside  = errors.New("not in a work tree")
	errLocked   = errors.New("another git holds the index")
	errNoAuthor = errors.New("no author is configured")
)

// Is reports whether git's words are those of an error.
func (e *commandError) Is(target error) bool {
	var phrases []string
	switch target {
	case errOutside:
		phrases = []string{"not a git repository", "must be run in a work tree"}
	case errLocked:
		phrases = []string{"index.lock"}
	case errNoAuthor:
		phrases = []string{"lease tell me who you are", "empty ident"}
	}
	return slices.ContainsFunc(phrases, func(phrase string) bool { return strings.Contains(e.text, phrase) })
}

// run runs git in the work tree and returns what it printed.
func (r *repository) run(ctx context.Context, stdin []byte, args ...string) (string, error) {
	return r.runWith(ctx, nil, stdin, args...)
}

func (r *repository) runWith(ctx context.Context, env []string, stdin []byte, args ...string) (string, error) {
	// No background work that outlives the command, or that it would wait for.
	cmd := supervise.Command(ctx, "git", append([]string{"-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false"}, args...)...)
	cmd.Dir, cmd.Env = r.top, append(r.env[:len(r.env):len(r.env)], env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &stdout, &stderr
	err := cmd.Run()
	switch {
	case err == nil:
		return stdout.String(), nil
	case ctx.Err() != nil:
		return "", fmt.Errorf("git %s: %w", args[0], ctx.Err())
	}
	text := strings.TrimSpace(stderr.String() + "\n" + strings.TrimSpace(stdout.String()))
	if text == "" {
		text = err.Error()
	}
	return stdout.String(), &commandError{verb: args[0], code: cmd.ProcessState.ExitCode(), text: lastLines(text, 12)}
}

// lastLines keeps the end of a long complaint.
func lastLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	return strings.Join(lines, "\n")
}

// exitCode is that of a failed command; -1 for any other error.
func exitCode(err error) int {
	var failed *commandError
	if errors.As(err, &failed) {
		return failed.code
	}
	return -1
}
