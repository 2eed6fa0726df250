package bench

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/lazyregexp"
)

var goroutineHeader = lazyregexp.New(`^goroutine \d+ .*\[.*\]:$`)

// traced is a frame of a crash report.
type traced struct {
	function string // with its package
	file     string // as the report has it
	line     int
}

// culprit returns the innermost frame of the module in the first goroutine of a
// crash report, below the last panic: its function without the package. It is
// zero when there is none.
func culprit(report, module string) traced {
	best := traced{}
	for _, f := range firstGoroutine(report) {
		switch {
		case f.function == "panic":
			best = traced{} // what is above is a deferred function's
		case best.function == "" && ofModule(f.function, module):
			best = f
		}
	}
	best.function = FunctionName(best.function)
	return best
}

func ofModule(function, module string) bool {
	rest, ok := strings.CutPrefix(function, module)
	return ok && strings.IndexAny(rest, "./") == 0 || strings.HasPrefix(function, "main.")
}

var tracedLine = lazyregexp.New(`^\t(.+):(\d+)(?: |$)`)

// firstGoroutine lists the frames of the goroutine that a crash report shows
// first, the innermost first.
func firstGoroutine(report string) []traced {
	var frames []traced
	inside := false
	for line := range strings.Lines(report) {
		line = strings.TrimRight(line, "\r\n")
		at := tracedLine.FindStringSubmatch(line)
		switch {
		case goroutineHeader.MatchString(line):
			inside = true
		case inside && line == "":
			return frames
		case inside && at != nil && len(frames) > 0 && frames[len(frames)-1].file == "":
			last := &frames[len(frames)-1]
			last.file = at[1]
			last.line, _ = strconv.Atoi(at[2]) // digits
		case inside && at == nil && !strings.HasPrefix(line, "created by "):
			if i := strings.LastIndexByte(line, '('); i > 0 {
				frames = append(frames, traced{function: line[:i]})
			}
		}
	}
	return frames
}

// FunctionName is a function's name as the settings of a case have it: without
// its package and its type arguments.
func FunctionName(function string) string {
	function = debugger.WithoutTypeArguments(function)
	function = function[strings.LastIndexByte(function, '/')+1:]
	_, name, _ := strings.Cut(function, ".")
	return name
}

// modulePath reads the module's path from its go.mod.
func (c *Case) modulePath() string {
	for _, f := range c.module {
		if f.Name != "go.mod" {
			continue
		}
		for line := range bytes.Lines(f.Data) {
			if p, ok := bytes.CutPrefix(line, []byte("module ")); ok {
				return string(bytes.TrimSpace(p))
			}
		}
	}
	return ""
}
