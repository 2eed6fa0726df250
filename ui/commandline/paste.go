package commandline

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/text"
)

// maxPasted is how many lines of a paste are carried out.
const maxPasted = 200

// newlines are the ends of lines that terminals send.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// PasteCommand types a paste into the command line: each of its lines that ends is carried
// out as a typed one is, until one asks something or closes the command line.
func (cl *CommandLine) PasteCommand(s string) tea.Cmd {
	lines := strings.Split(newlines.Replace(s), "\n")
	_, _, searching := cl.Searching()
	if len(lines) == 1 || searching || cl.Panel.Filtering() != nil {
		cl.Insert(s)
		return nil
	}
	var cmds []tea.Cmd
	run := 0
	for i, line := range lines {
		cl.Insert(strings.TrimSpace(line))
		switch {
		case i == len(lines)-1: // it may be gone on with
			return tea.Batch(cmds...)
		case strings.TrimSpace(cl.Text()) == "":
			continue
		}
		cmds = append(cmds, cl.enterCommand())
		run++
		if run == maxPasted || cl.Dialog != nil || !cl.Commanding {
			cl.sayLeft(lines[i+1:])
			break
		}
	}
	return tea.Batch(cmds...)
}

// sayLeft says how many lines of a paste are not carried out.
func (cl *CommandLine) sayLeft(lines []string) {
	n := 0
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	if n > 0 {
		cl.Say("warn", text.Plural(int64(n), "pasted line")+" after this one not carried out")
	}
}
