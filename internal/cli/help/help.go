// Package help prints the help of all commands in the width of the terminal, and the
// manual page.
package help

import (
	"cmp"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/internal/cli/arguments"
)

// widestHelp is how wide the help is at most, as fang draws it.
const widestHelp = 120

// Width is how wide the help can be.
func Width(out *os.File) int {
	if w, _, err := term.GetSize(out.Fd()); err == nil && w > 0 {
		return min(w, widestHelp)
	}
	return widestHelp
}

// Wanted reports whether the arguments ask for help, or name a command that has only
// commands below it, which shows its help.
func Wanted(root *cobra.Command, args []string) bool {
	ours, _, _ := arguments.CutAtDashes(args)
	if len(ours) == 0 || ours[0] == "help" || slices.Contains(ours, "--help") || slices.Contains(ours, "-h") {
		return true
	}
	c, rest, err := root.Find(ours)
	return err == nil && c.HasAvailableSubCommands() && len(rest) == 0
}

// Lay prepares all commands for the help, which fang draws as they are: it wraps
// descriptions and examples between words, and names the placeholders of flags. Flags
// are looked up by the names that they were registered with all the same.
func Lay(root *cobra.Command, width int) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	layCommand(root, width)
}

func layCommand(root *cobra.Command, width int) {
	root.Long = flowing(cmp.Or(root.Long, root.Short))
	root.Example = wrapExamples(root.Example, width-Margin)
	root.InitDefaultHelpFlag()
	sets := []*pflag.FlagSet{root.PersistentFlags(), root.LocalNonPersistentFlags()}
	longest := 0
	for _, set := range sets {
		set.VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(f.Name, " ") {
				placeholder, usage := pflag.UnquoteUsage(f)
				f.Usage = strings.Join(strings.Fields(usage), " ")
				if placeholder != "" {
					f.Name += " " + placeholder
				}
			}
			longest = max(longest, len("-h --")+len(f.Name))
		})
	}
	for _, c := range root.Commands() {
		if !ofCobra(c) {
			c.InitDefaultHelpFlag()
		}
		longest = max(longest, len(Label(c)))
	}
	for _, set := range sets {
		set.VisitAll(func(f *pflag.Flag) { f.Usage = wrapUsage(f, width-longest-Margin) })
	}
	for _, c := range root.Commands() {
		short := ansi.Wordwrap(c.Short, max(width-longest-Margin, 20), "")
		if !ofCobra(c) {
			layCommand(c, width)
		}
		c.Short = short // its own help has it in one piece
	}
}

// ofCobra reports whether a command is one that cobra adds.
func ofCobra(c *cobra.Command) bool { return c.Name() == "help" || c.Name() == "completion" }

// Label is a command in the list of its parent's, as fang writes it.
func Label(c *cobra.Command) string {
	label := c.Use
	for _, word := range []string{"[args]", "[flags]", "[--flags]", "[command]"} {
		label = strings.ReplaceAll(label, word, "")
	}
	if label = strings.TrimSpace(label); c.HasAvailableSubCommands() || strings.Contains(c.Use, "[command]") {
		label += " [command]"
	}
	if c.HasFlags() || c.HasPersistentFlags() {
		label += " [--flags]"
	}
	return label
}

// flowing joins the lines of each paragraph, which the help wraps by its own width.
// What is indented, or ends before the lines around it do, keeps its lines.
func flowing(text string) string {
	var b strings.Builder
	before := ""
	for i, line := range strings.Split(text, "\n") {
		switch {
		case i == 0:
		case len(before) > leastFlowing && line != "" && !strings.HasPrefix(line, " "):
			b.WriteByte(' ')
		default:
			b.WriteByte('\n')
		}
		b.WriteString(line)
		before = line
	}
	return b.String()
}

// leastFlowing is how long a line is, in bytes, that goes on in the next.
const leastFlowing = 70

// wrapExamples breaks commands that are too wide as a shell reads them.
func wrapExamples(text string, width int) string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if len(line) <= width || strings.HasPrefix(line, "#") {
			out = append(out, line)
			continue
		}
		room, row := width-len(" \\"), ""
		for _, word := range ShellWords(line) {
			if row != "" && len(row)+1+len(word) > room {
				out = append(out, row+" \\")
				row, room = "", width-len("   \\") // fang indents what follows
			}
			row = strings.TrimPrefix(row+" "+word, " ")
		}
		out = append(out, row)
	}
	return strings.Join(out, "\n")
}

// ShellWords splits a command at its blanks, but not within single quotes.
func ShellWords(line string) []string {
	quoted := false
	return strings.FieldsFunc(line, func(r rune) bool {
		if r == '\'' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
}

// Unpadded returns a writer that drops the blanks at the ends of lines: fang fills its
// lines up, which is seen in files and pipes.
func Unpadded(w io.Writer) io.Writer { return &unpadded{w: w} }

type unpadded struct {
	w    io.Writer
	held int // blanks not written yet
}

// Write implements io.Writer.
func (u *unpadded) Write(p []byte) (int, error) {
	out := make([]byte, 0, len(p)+u.held)
	for _, c := range p {
		switch c {
		case ' ':
			u.held++
			continue
		case '\n':
		default:
			out = append(out, strings.Repeat(" ", u.held)...)
		}
		u.held = 0
		out = append(out, c)
	}
	if _, err := u.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Margin is the room that fang leaves around a flag's name.
const Margin = 8

// wrapUsage wraps a description so that the default that fang adds fits, too.
func wrapUsage(f *pflag.Flag, width int) string {
	added := ""
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "[]" {
		added = " (" + f.DefValue + ")"
	}
	text := ansi.Wordwrap(f.Usage+added, max(width, 20), "")
	return strings.TrimSuffix(strings.TrimSuffix(text, strings.TrimSpace(added)), " ") // it may be on a line of its own
}
