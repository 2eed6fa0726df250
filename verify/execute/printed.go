package execute

import (
	"bytes"
	"strings"

	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/verify/finding"
)

// MostPrinted bounds what is kept of what a candidate's run printed, in bytes.
const MostPrinted = 400

// durations differ from run to run.
var durations = lazyregexp.New(`\b\d+(\.\d+)?(ns|µs|ms|s)\b`)

// Digest keeps, of what a candidate's run printed, the lines that the unpatched
// program did not print before it stopped: the first and the last of them. Of a
// program that draws a screen it keeps nothing.
func Digest(c Control, out []byte) string {
	if output.Draws(out) {
		return ""
	}
	out = Normal(out)
	same, n := 0, 0
	for line := range bytes.Lines(c.Before) {
		end := bytes.IndexByte(out[same:], '\n') + 1
		if end == 0 || !bytes.Equal(out[same:same+end], line) && (n >= len(c.varies) || !c.varies[n]) {
			break
		}
		same, n = same+end, n+1
	}
	text := strings.TrimSpace(durations.ReplaceAllString(finding.Clean(string(bounded(out[same:]))), "…"))
	if len(text) <= MostPrinted {
		return text
	}
	head, tail := text[:MostPrinted/2], text[len(text)-MostPrinted/2:]
	if i := strings.LastIndexByte(head, '\n'); i > 0 {
		head = head[:i]
	}
	if i := strings.IndexByte(tail, '\n'); i >= 0 {
		tail = tail[i+1:]
	}
	return strings.ToValidUTF8(head, "") + "\n…\n" + strings.ToValidUTF8(tail, "")
}

// bounded leaves out the middle of a long text, as clean would its end.
func bounded(text []byte) []byte {
	if len(text) <= finding.MaxDetail {
		return text
	}
	return append(append(bytes.Clone(text[:finding.MaxDetail/2]), "\n…\n"...), text[len(text)-finding.MaxDetail/2+8:]...)
}
