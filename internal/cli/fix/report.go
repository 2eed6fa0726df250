package fix

import (
	"errors"
	"io"
	"os"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/fix"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/ui/text"
)

// Printer prints the report of fix in the formats that flags name.
type Printer struct {
	Out     io.Writer
	noColor bool
	AsJSON  bool
	format  []string
}

// Register adds the flags.
func (p *Printer) Register(s *pflag.FlagSet) {
	s.BoolVar(&p.noColor, "no-color", false, "use no colors (also NO_COLOR)")
	s.BoolVar(&p.AsJSON, "json", false, "print the report as JSON: --format json")
	s.StringArrayVar(&p.format, "format", nil, "print the report as `FORMAT`: text, json, markdown, patch (for git apply), sarif or github (annotations); FORMAT=FILE writes it to a file; repeatable")
}

// ProgressTo rewrites one line, if w is a terminal. What does not fit is cut: a
// line that wraps would stay.
func ProgressTo(w *os.File) func(string) {
	if !term.IsTerminal(w.Fd()) {
		return nil
	}
	return func(line string) {
		if width := cli.TerminalWidth(w); width > 0 {
			line = text.Cut(line, width-1)
		}
		printable.Fprintf(w, "\r\x1b[K%s", line)
	}
}

// Print prints the report and returns the outcome's exit code as error.
func (p *Printer) Print(r fix.Report, progress func(string), interrupted error) error {
	if progress != nil {
		progress("") // clear the line
	}
	if err := p.writeReport(r); err != nil {
		return err
	}
	code := ExitCode(r.Outcome)
	if interrupted != nil {
		return cli.ErrInterrupted
	}
	if r.Outcome == fix.Failed && r.Error != nil && p.printsText() {
		return cli.Exit(code, advice.Add(errors.New(r.Error.Message), r.Error.Hint))
	}
	if code == 0 {
		return nil
	}
	return cli.Exit(code, nil)
}

// ExitCode is the table of docs/reference/exit-codes.md.
func ExitCode(outcome string) int {
	switch outcome {
	case fix.Clean, fix.Fixed:
		return 0
	case fix.Verified, fix.AppliedOut:
		return 3
	case fix.Masking, fix.Unverified:
		return 4
	case fix.Exited:
		return 5
	}
	return cli.ExitFailure
}
