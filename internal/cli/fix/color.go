package fix

import (
	"bytes"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// inColor reports whether the report is written in colors.
func (p *Printer) inColor() bool {
	out, ok := p.Out.(term.File)
	return ok && !p.noColor && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(out.Fd())
}

// colored writes a report for people in the terminal's own colors. Signs say the
// same without them.
type colored struct {
	to    io.Writer
	rest  []byte // of a line that is not whole yet
	lines int
}

func newColored(to io.Writer) *colored { return &colored{to: to} }

// Write colors whole lines; a report ends with one.
func (c *colored) Write(p []byte) (int, error) {
	c.rest = append(c.rest, p...)
	for {
		line, rest, whole := bytes.Cut(c.rest, []byte("\n"))
		if !whole {
			return len(p), nil
		}
		if _, err := io.WriteString(c.to, c.line(string(line))+"\n"); err != nil {
			return 0, err
		}
		c.rest = rest
	}
}

// line colors a line by what it begins with and the signs in it.
func (c *colored) line(s string) string {
	c.lines++
	red, green, dim := ansi.NewStyle().ForegroundColor(ansi.Red), ansi.NewStyle().ForegroundColor(ansi.Green), ansi.NewStyle().Faint()
	switch {
	case c.lines == 1 && strings.Contains(s, ": "):
		head, rest, _ := strings.Cut(s, ": ")
		return red.Bold().Styled(head+":") + " " + ansi.NewStyle().Bold().Styled(rest)
	case strings.HasPrefix(s, "--- "), strings.HasPrefix(s, "+++ "):
		return ansi.NewStyle().Bold().Styled(s)
	case strings.HasPrefix(s, "@@ "):
		return ansi.NewStyle().ForegroundColor(ansi.Cyan).Styled(s)
	case strings.HasPrefix(s, "+"):
		return green.Styled(s)
	case strings.HasPrefix(s, "-"):
		return red.Styled(s)
	case strings.HasPrefix(s, "log: "), strings.HasPrefix(s, "  at "):
		return dim.Styled(s)
	}
	return strings.NewReplacer("✓", green.Styled("✓"), "✗", red.Styled("✗"), "⚠", ansi.NewStyle().ForegroundColor(ansi.Yellow).Styled("⚠")).Replace(s)
}
