package debugger

import (
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

var (
	labeled  = lazyregexp.New(`^\t?(Error Trace|Error|Test|Messages):\s+(.*)$`) // what is said is indented further
	indented = lazyregexp.New(`^\t? *\t`)
)

// Assertion is what an assertion library (github.com/stretchr/testify) says has
// failed, without what it says of where: its labeled text becomes the message
// that the test gave, if any, and the error. Other texts stay as they are.
func Assertion(text string) string {
	if !strings.HasPrefix(strings.TrimSpace(text), "Error Trace:") {
		return text
	}
	sections := map[string][]string{}
	label := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		if m := labeled.FindStringSubmatch(line); m != nil {
			label, line = m[1], m[2]
		}
		sections[label] = append(sections[label], indented.ReplaceAllString(line, ""))
	}
	said := strings.TrimSpace(strings.Join(append(sections["Messages"], sections["Error"]...), "\n"))
	if said == "" {
		return text
	}
	return said
}
