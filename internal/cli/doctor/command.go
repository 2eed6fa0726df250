package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/llm/ollama"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/layout"
)

// options are the options of doctor.
type options struct {
	*cli.System
	cli.Streams

	cli.JSONFlag
}

// New makes the command.
func New(sys *cli.System, runF func(context.Context, *options) error) *cobra.Command {
	o := &options{System: sys}
	c := &cobra.Command{
		Use: "doctor", Short: "Check what works on this machine, and why other things do not", Args: cobra.NoArgs,
		Long: "doctor checks what pausetui needs: Go, tracing, the sandbox tier and why\nit is not stronger, rr, models, the configuration, the directories it writes to, and what the terminal can do:\ncolors, clipboard, notifications. It changes nothing.",
	}
	o.RegisterJSON(c.Flags())
	if runF == nil {
		runF = run
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		o.Streams = cli.StreamsOf(c)
		return runF(c.Context(), o)
	}
	return c
}

func run(ctx context.Context, o *options) error {
	found := Examine(ctx, machine{o.System}.checkups())
	if err := ctx.Err(); err != nil {
		return cli.ErrInterrupted
	}
	if err := printFindings(o.Out, found, o.AsJSON); err != nil {
		return err
	}
	if Worst(found) == Bad {
		return cli.Exit(cli.ExitFailure, nil)
	}
	return nil
}

// machine is what is looked at: this machine, as commands see it.
type machine struct{ *cli.System }

func (m machine) checkups() []Check {
	return []Check{
		{Name: "go", Look: Go(delve.GoVersions())}, {Name: "tracing", Look: Tracing}, {Name: "sandbox", Look: Sandbox},
		{Name: "rr", Look: Record}, {Name: "ollama", Look: lookAtOllama}, {Name: "config", Look: m.lookAtConfig},
		{Name: "state", Look: lookAtState}, {Name: "logs", Look: m.lookAtLogs}, {Name: "terminal", Look: m.lookAtTerminal}, {Name: "colors", Look: m.lookAtColors},
		{Name: "clipboard", Look: Clipboard(os.Getenv)}, {Name: "notices", Look: m.lookAtNotices},
		{Name: "editor", Look: lookAtEditor}, {Name: "git", Look: Git}, {Name: "curl", Look: lookAtCurl},
	}
}

// Examined is what `doctor --json` prints.
type Examined struct {
	Version  int       `json:"version"` // 1
	Findings []Finding `json:"findings"`
}

func printFindings(w io.Writer, found []Finding, asJSON bool) error {
	if asJSON {
		return cli.PrintJSON(w, Examined{1, found})
	}
	w = printable.NewWriter(w) // what a repository's files hold is said in errors
	signs := map[Level]string{OK: "✓", Warn: "⚠", Bad: "✗"}
	for _, f := range found {
		printable.Fprintf(w, "%s %-10s %s\n", signs[f.Level], f.Name, f.Found)
		for _, why := range f.Why {
			printable.Fprintf(w, "            because %s\n", why)
		}
		if f.Hint != "" {
			printable.Fprintf(w, "            hint: %s\n", f.Hint)
		}
	}
	return nil
}

// ollamaPatience is how long Ollama may take to list its models.
const ollamaPatience = 3 * time.Second

func lookAtOllama(ctx context.Context) Finding {
	provider, err := ollama.New(ollama.Options{})
	if err != nil {
		return Finding{Level: Warn, Found: err.Error(), Hint: advice.Of(err)}
	}
	ctx, cancel := context.WithTimeout(ctx, ollamaPatience)
	defer cancel()
	models, err := provider.Models(ctx)
	switch {
	case err != nil:
		return Finding{Level: Warn, Found: "not reached; the built-in fixer needs none", Why: []string{err.Error()}, Hint: advice.Of(err)}
	case len(models) == 0:
		return Finding{Level: Warn, Found: "runs, and has no model", Hint: "ollama pull qwen3-coder:30b, or a smaller one"}
	}
	var names []string
	for _, m := range models {
		names = append(names, session.Clean(m.Name))
	}
	return Finding{Level: OK, Found: strings.Join(names, ", ")}
}

func (m machine) lookAtConfig(context.Context) Finding {
	root, err := m.ModuleRoot()
	if err != nil {
		return Finding{Level: Bad, Found: err.Error()}
	}
	settings, err := m.Config(root)
	if err != nil {
		return Finding{Level: Bad, Found: err.Error(), Hint: advice.Of(err)}
	}
	var there []string
	for _, path := range config.Files(root) {
		if _, err := os.Stat(path); err == nil {
			there = append(there, filepath.Clean(path))
		}
	}
	if len(there) == 0 {
		return Finding{Level: OK, Found: "no file; the defaults apply"}
	}
	f := Finding{Level: OK, Found: strings.Join(there, ", ")}
	for _, n := range cli.IgnoredNotice(settings) {
		f.Level, f.Why, f.Hint = Warn, []string{n.Text}, n.Hint
	}
	return f
}

func (m machine) lookAtTerminal(context.Context) Finding {
	switch err := m.NoScreen(); {
	case errors.Is(err, cli.ErrNoTerminal):
		return Finding{Level: OK, Found: "none here; fix needs none"}
	case err != nil:
		return Finding{Level: Warn, Found: err.Error(), Hint: "--plain works in lines"}
	}
	w, h, err := term.GetSize(m.Stdout.Fd())
	if err != nil {
		return Finding{Level: Warn, Found: "its size is unknown: " + err.Error()}
	}
	f := Finding{Level: OK, Found: fmt.Sprintf("%s, %d×%d", os.Getenv("TERM"), w, h)}
	switch {
	case w < layout.MinWidth || h < layout.MinHeight:
		f.Level, f.Hint = Bad, fmt.Sprintf("the screen needs %d×%d; --plain works in lines instead", layout.MinWidth, layout.MinHeight)
	case w < 80 || h < 24:
		f.Level, f.Hint = Warn, "80×24 or more shows everything; --plain works in lines"
	}
	return f
}

func lookAtCurl(context.Context) Finding {
	path, err := exec.LookPath("curl")
	if err != nil {
		return Finding{Level: OK, Found: "none; --repro can run any other command"}
	}
	return Finding{Level: OK, Found: path}
}
