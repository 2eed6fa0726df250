package doctor

import (
	"context"
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/internal/supervise"
)

// Go says which Go command there is, and whether the debugger knows the programs
// that it builds: those of some versions, "go1.25" to "go1.27".
func Go(oldest, newest string) func(context.Context) Finding {
	return func(ctx context.Context) Finding {
		words, err := firstLine(ctx, []string{"GOPROXY=off"}, "go", "version") // downloads no toolchain that a go.mod names
		if err != nil {
			if words, err := firstLine(ctx, []string{"GOTOOLCHAIN=local"}, "go", "version"); err == nil {
				return Finding{Level: Warn, Found: strings.TrimPrefix(words, "go version "), Why: []string{"go.mod, or GOTOOLCHAIN, asks for another toolchain, which is not on this machine"},
					Hint: "the first build downloads it, unless GOTOOLCHAIN=local forbids that"}
			}
			return Finding{Level: Bad, Found: "the go command does not run: " + err.Error(), Hint: "install Go (go.dev/dl), and have it in PATH"}
		}
		f := Finding{Level: OK, Found: strings.TrimPrefix(words, "go version ")}
		built, _, _ := strings.Cut(f.Found, " ")
		if language := version.Lang(built); language != "" && (version.Compare(language, oldest) < 0 || version.Compare(language, newest) > 0) {
			f.Level, f.Hint = Warn, "a toolchain line in go.mod, or GOTOOLCHAIN, chooses another"
			f.Why = []string{"this debugger knows programs built by " + oldest + " to " + newest}
		}
		return f
	}
}

// Record says whether a run can be recorded, to be stepped through backwards.
func Record(ctx context.Context) Finding {
	words, err := firstLine(ctx, nil, "rr", "--version")
	if err != nil {
		return Finding{Level: OK, Found: "none; only reverse execution and checkpoints need it"}
	}
	f := Finding{Level: OK, Found: words}
	paranoid, err := os.ReadFile("/proc/sys/kernel/perf_event_paranoid")
	if level := strings.TrimSpace(string(paranoid)); err == nil && level != "1" && level != "0" && level != "-1" {
		f.Level, f.Why = Warn, []string{"kernel.perf_event_paranoid is " + level + ": rr cannot count"}
		f.Hint = "sysctl kernel.perf_event_paranoid=1"
	}
	return f
}

// Clipboard says whether what is copied reaches the clipboard: by the terminal
// (OSC 52), which cannot be asked whether it allows that.
func Clipboard(env func(string) string) func(context.Context) Finding {
	return func(context.Context) Finding {
		f := Finding{Level: OK, Found: "through the terminal (OSC 52), where it allows that"}
		switch {
		case env("TMUX") != "":
			f.Hint = "tmux passes it on with: set -g set-clipboard on"
		case strings.HasPrefix(env("TERM"), "screen"):
			f.Level, f.Why = Warn, []string{"screen does not pass it on"}
		case env("TERM_PROGRAM") == "Apple_Terminal":
			f.Level, f.Why = Warn, []string{"Terminal.app does not support it"}
		case env("VTE_VERSION") != "":
			f.Level, f.Why = Warn, []string{"terminals made with VTE, such as GNOME's, do not support it"}
		case env("TERM") == "linux":
			f.Level, f.Why = Warn, []string{"the console of Linux has no clipboard"}
		}
		return f
	}
}

// Directory says whether files can be written to a directory, which is made when
// it is needed; without says what does not work otherwise.
func Directory(dir, without string) Finding {
	at := dir
	info, err := os.Stat(at)
	for errors.Is(err, fs.ErrNotExist) && filepath.Dir(at) != at {
		at = filepath.Dir(at)
		info, err = os.Stat(at)
	}
	switch {
	case err == nil && !info.IsDir():
		err = fmt.Errorf("%s is not a directory", at)
	case err == nil:
		err = writable(at)
	}
	if err != nil {
		return Finding{Level: Warn, Found: dir, Why: []string{err.Error()}, Hint: without}
	}
	return Finding{Level: OK, Found: dir}
}

// Git says whether there is git; only --commit and the gutter need it.
func Git(ctx context.Context) Finding {
	words, err := firstLine(ctx, nil, "git", "--version")
	if err != nil {
		return Finding{Level: OK, Found: "none; --commit needs it, nothing else does"}
	}
	return Finding{Level: OK, Found: strings.TrimPrefix(words, "git version ")}
}

// Editor says whether the person's editor can be run. The command has arguments,
// and is empty where there is none; from says where it is set.
func Editor(command, from string, lookPath func(string) (string, error)) Finding {
	words := strings.Fields(command)
	if len(words) == 0 {
		return Finding{Level: Warn, Found: "none: $EDITOR, $VISUAL and git's core.editor are not set, and there is no vi", Hint: "set $EDITOR"}
	}
	if _, err := lookPath(words[0]); err != nil {
		return Finding{Level: Warn, Found: fmt.Sprintf("%s is %q, which cannot be run", from, command), Hint: "set it to an editor that is installed"}
	}
	if from == "" {
		return Finding{Level: OK, Found: command + " ($EDITOR and $VISUAL are not set)"}
	}
	return Finding{Level: OK, Found: fmt.Sprintf("%s (%s)", command, from)}
}

// firstLine runs a command and returns what it says first.
func firstLine(ctx context.Context, env []string, name string, args ...string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	cmd := supervise.Command(ctx, path, args...)
	cmd.Env = append(cmd.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line, nil
}
