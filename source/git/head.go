package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/internal/supervise"
)

// maxHead bounds a file of the last commit, in bytes.
const maxHead = 16 << 20

// Head returns what a file is in the last commit, with the ends of lines that the
// file has now. It fails with ErrUntracked, ErrNoCommit or ErrNoRepository where
// it is in none, and with regular.ErrTooLarge.
//
// It may be asked of an untrusted repository, whose configuration names
// commands: no filter, hook, monitor or transport of it runs. So a file that git
// keeps by a filter (git-crypt, LFS) is as git keeps it.
func Head(ctx context.Context, file string) (string, error) {
	text, err := show(ctx, filepath.Dir(file), "HEAD:./"+filepath.Base(file))
	var failed *commandError
	switch {
	case err == nil:
		return withEnds(text, file), nil
	case !errors.As(err, &failed):
		return "", err
	case strings.Contains(failed.text, "not a git repository"):
		return "", fmt.Errorf("%q %w", file, ErrNoRepository)
	case strings.Contains(failed.text, "invalid object name 'HEAD'"):
		return "", ErrNoCommit
	case failed.code == 128:
		return "", fmt.Errorf("%q %w", file, ErrUntracked)
	}
	return "", err
}

// show reads an object as git keeps it. cat-file looks at neither index nor work
// tree, so that only a missing object could lead to a command: one that fetches it.
func show(ctx context.Context, dir, object string) (string, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return "", err
	}
	cmd := supervise.Command(ctx, "git", "--no-pager", "--no-replace-objects", "-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false",
		"-c", "core.hooksPath="+os.DevNull, "cat-file", "blob", object)
	cmd.Dir, cmd.Env = dir, append(untrusting(os.Environ()), "GIT_ALLOW_PROTOCOL=", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	stdout, stderr := &limited{left: maxHead}, &limited{left: 64 << 10}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err := cmd.Run()
	switch {
	case stdout.full:
		return "", fmt.Errorf("git cat-file: %w", regular.ErrTooLarge)
	case err == nil:
		return stdout.kept.String(), nil
	case ctx.Err() != nil:
		return "", fmt.Errorf("git cat-file: %w", ctx.Err())
	case cmd.ProcessState == nil:
		return "", fmt.Errorf("git cat-file: %w", err)
	}
	return "", &commandError{verb: "cat-file", code: cmd.ProcessState.ExitCode(), text: lastLines(strings.TrimSpace(stderr.kept.String()), 12)}
}

// untrusting is an environment in which git finds the repository of a directory,
// with what the person says of git's own configuration and nothing more.
func untrusting(environ []string) []string {
	keep := []string{"GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_GLOBAL", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_EXEC_PATH"}
	var env []string
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		kept := !strings.HasPrefix(name, "GIT_")
		for _, k := range keep {
			kept = kept || name == k
		}
		if kept && name != "LC_ALL" && name != "LANGUAGE" {
			env = append(env, kv)
		}
	}
	return env
}

// limited keeps what a command prints up to a bound, and ends it there.
type limited struct {
	kept bytes.Buffer // not embedded: its ReadFrom would go past Write
	left int
	full bool
}

// Write implements io.Writer.
func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		l.full = true
		return 0, regular.ErrTooLarge
	}
	return l.kept.Write(p)
}

// withEnds gives a text the ends of lines that a file has on the disk, which git
// may keep otherwise.
func withEnds(text, file string) string {
	if strings.Contains(text, "\r\n") {
		return text
	}
	if now, err := regular.ReadUpTo(file, maxHead); err != nil || !bytes.Contains(now, []byte("\r\n")) {
		return text
	}
	return strings.ReplaceAll(text, "\n", "\r\n")
}
