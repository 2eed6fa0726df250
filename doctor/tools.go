package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/pausetui/pausetui/supervise"
)

// Go says which Go command there is.
func Go(ctx context.Context) Finding {
	version, err := firstLine(ctx, "go", "version")
	if err != nil {
		return Finding{Level: Bad, Found: "the go command does not run: " + err.Error(), Hint: "install Go (go.dev/dl), and have it in PATH"}
	}
	return Finding{Level: OK, Found: strings.TrimPrefix(version, "go version ")}
}

// Git says whether there is git; only --commit and the gutter need it.
func Git(ctx context.Context) Finding {
	version, err := firstLine(ctx, "git", "--version")
	if err != nil {
		return Finding{Level: OK, Found: "none; --commit needs it, nothing else does"}
	}
	return Finding{Level: OK, Found: strings.TrimPrefix(version, "git version ")}
}

// Editor says what e opens.
func Editor(context.Context) Finding {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		value := os.Getenv(name)
		if value == "" {
			continue
		}
		command := strings.Fields(value)[0]
		if _, err := exec.LookPath(command); err != nil {
			return Finding{Level: Warn, Found: fmt.Sprintf("$%s is %q, which cannot be run", name, value), Hint: "set it to an editor that is installed"}
		}
		return Finding{Level: OK, Found: fmt.Sprintf("%s ($%s)", value, name)}
	}
	return Finding{Level: OK, Found: "neither $VISUAL nor $EDITOR is set: vi, nano or the like is looked for"}
}

// firstLine runs a command and returns what it says first.
func firstLine(ctx context.Context, name string, args ...string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	out, err := supervise.Command(ctx, path, args...).Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line, nil
}
