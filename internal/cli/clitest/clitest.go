// Package clitest has helpers for tests of commands: a system in an empty module, and the
// options that a command line gives. Only tests import it.
package clitest

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/config/userstate"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/session/sessiontest"
)

// System is a system in an empty module, with state of its own.
func System(t *testing.T, settings config.Config) *cli.System {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.org/m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return &cli.System{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, State: userstate.Open(t.TempDir()),
		Getwd: func() (string, error) { return dir, nil }, Config: func(string) (config.Config, error) { return settings, nil }}
}

// OwnState gives a test a state directory of its own.
func OwnState(t *testing.T) {
	t.Helper()
	t.Cleanup(xdg.Reload)
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	xdg.Reload()
}

// Parse gives a command its arguments, and returns the options that it would run
// with.
func Parse[O any](t *testing.T, make func(*cli.System, func(context.Context, *O) error) *cobra.Command, args ...string) (*O, error) {
	t.Helper()
	var got *O
	c := make(System(t, config.Config{}), func(_ context.Context, o *O) error { got = o; return nil })
	c.SetArgs(append([]string{}, args...)) // nil would be the arguments of the test
	c.SilenceErrors, c.SilenceUsage = true, true
	return got, c.Execute()
}

// WantUsage reports an error of what is named that is not the wanted mistake in the usage.
func WantUsage(t *testing.T, name string, err error, want string) {
	t.Helper()
	if cli.ExitCode(err) != cli.ExitUsage || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v, want the usage error %q", name, err, want)
	}
}

// Words of others that are not to do anything when a command prints them.
const (
	hostile = "a\x1b]52;c;eA==\a\x1b[6n\u009b6n\u202e"
	forged  = "x\nPRETEND: ✓ verified\r\n\nPRETEND: fixed"
)

// Harmless has print write words that would steer a terminal, and words that pretend to
// be lines of ours. The latter must be there, at least some times.
func Harmless(t *testing.T, times int, print func(w io.Writer, words string)) {
	t.Helper()
	var out bytes.Buffer
	print(&out, hostile)
	if text := out.String(); text == "" || strings.ContainsAny(text, "\x1b\a\u009b\u202e") {
		t.Errorf("%q", text)
	}
	out.Reset()
	print(&out, forged)
	if text := out.String(); sessiontest.Pretends(text) || strings.Count(text, "PRETEND") < times {
		t.Errorf("%s", text)
	}
}
