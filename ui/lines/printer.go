package lines

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/internal/printable"
)

// printer writes what is said, and the target's output, to one writer.
type printer struct {
	out  *bufio.Writer
	echo echo // of the target's output
}

// say prints a sentence in one line, whatever the words from outside that it
// quotes hold.
func (p *printer) say(format string, args ...any) {
	p.echo.close(p.out)
	said := printable.Quote(fmt.Sprintf(format, args...))
	fmt.Fprintln(p.out, strings.ReplaceAll(said, "\n"+printable.Mark, " "))
}

// print prints text of several lines, each indented: none is a sentence of ours.
func (p *printer) print(text string) {
	p.echo.close(p.out)
	_, _ = p.out.WriteString(printable.Block(text))
}

// diff prints a diff as it is.
func (p *printer) diff(text string) {
	p.echo.close(p.out)
	_, _ = p.out.WriteString(printable.Diff(text))
}

func (p *printer) hint(text string) {
	if text = spoken(text); text != "" {
		p.say("hint: %s", line(text))
	}
}
