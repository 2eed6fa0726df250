package printable

import (
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Mark begins each further line of words that are not ours: no line of theirs can
// be taken for one of ours.
const Mark = "    | "

// Quote is Text for the middle of a line of ours: its further lines begin with Mark.
func Quote(s string) string {
	return strings.ReplaceAll(strings.TrimRight(noCommand(Text(s)), "\n"), "\n", "\n"+Mark)
}

// noCommand takes apart what a CI's runner takes for the beginning of a command wherever it
// stands in a line: ##[ of GitHub (actions/runner, ActionCommand.TryParse), ##vso[ of Azure
// Pipelines (azure-pipelines-agent, Command.TryParse), ##teamcity[, and others of that form. A
// section of GitLab needs control characters, which Text drops.
func noCommand(s string) string { return command.ReplaceAllString(s, "## $1[") }

var command = lazyregexp.New(`##([A-Za-z]*)\[`)

// obeyed reports whether this runs where a runner obeys commands in what is printed.
func obeyed() bool {
	return os.Getenv("GITHUB_ACTIONS")+os.Getenv("TF_BUILD")+os.Getenv("TEAMCITY_VERSION") != ""
}

// Block is Text on lines of its own, each indented; it ends with a newline, unless
// it is empty. A line that a CI's runner, which trims it, would take for a command is marked.
func Block(s string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(noCommand(Text(s)), "\n")) {
		indent := "  "
		if strings.HasPrefix(strings.TrimSpace(line), "::") {
			indent = "  | "
		}
		b.WriteString(indent + line)
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// Diff is Text of a diff. What does not begin as a line of one does is a Block. A CI's
// runner is given no command: there nobody applies what is printed.
func Diff(s string) string {
	s = Text(s)
	if obeyed() {
		s = noCommand(s)
	}
	var b strings.Builder
	for line := range strings.Lines(s) {
		if line == "\n" || strings.ContainsRune(` +-@\`, rune(line[0])) || strings.HasPrefix(line, "diff --git ") || line == "new file mode 100644\n" {
			b.WriteString(line)
		} else {
			b.WriteString(Block(line))
		}
	}
	return b.String()
}

// Fprintf is fmt.Fprintf for what a person reads. The arguments may hold the words
// of a program, a model or a repository: each passes Quote as it is formatted.
func Fprintf(w io.Writer, format string, args ...any) {
	for i, a := range args {
		args[i] = quoted(a)
	}
	fmt.Fprintf(w, format, args...)
}

// Fprintln is fmt.Fprintln as Fprintf is fmt.Fprintf.
func Fprintln(w io.Writer, args ...any) {
	for i, a := range args {
		args[i] = quoted(a)
	}
	fmt.Fprintln(w, args...)
}

// Row prints a row of a table (text/tabwriter), each cell in one line.
func Row(w io.Writer, cells ...string) {
	lines := make([]string, len(cells))
	for i, c := range cells {
		lines[i] = noCommand(Line(c))
	}
	fmt.Fprintln(w, strings.Join(lines, "\t"))
}

// quoted is an argument whose text passes Quote. Numbers have none, and may be the
// width of another.
func quoted(a any) any {
	if k := reflect.ValueOf(a).Kind(); reflect.Bool < k && k < reflect.Array && reflect.TypeOf(a).NumMethod() == 0 {
		return a
	}
	return foreign{a}
}

type foreign struct{ value any }

// Format formats the value, and quotes it.
func (f foreign) Format(s fmt.State, verb rune) {
	_, _ = io.WriteString(s, Quote(fmt.Sprintf(fmt.FormatString(s, verb), f.value)))
}
