package bench

import (
	"bytes"
	"regexp"
	"strings"
)

var goroutineHeader = regexp.MustCompile(`^goroutine \d+ .*\[.*\]:$`)

// culprit returns the innermost function of the module in the first goroutine
// of a crash report, below the last panic: without its package. It is empty
// when there is none.
func culprit(report, module string) string {
	best := ""
	for _, function := range firstGoroutine(report) {
		switch {
		case function == "panic":
			best = "" // what is above is a deferred function's
		case best == "" && ofModule(function, module):
			best = function
		}
	}
	return FunctionName(best)
}

func ofModule(function, module string) bool {
	rest, ok := strings.CutPrefix(function, module)
	return ok && strings.IndexAny(rest, "./") == 0 || strings.HasPrefix(function, "main.")
}

// firstGoroutine lists the functions of the goroutine that a crash report
// shows first, the innermost first.
func firstGoroutine(report string) []string {
	var functions []string
	inside := false
	for line := range strings.Lines(report) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case goroutineHeader.MatchString(line):
			inside = true
		case inside && line == "":
			return functions
		case inside && !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "created by "):
			if i := strings.LastIndexByte(line, '('); i > 0 {
				functions = append(functions, line[:i])
			}
		}
	}
	return functions
}

var typeArguments = regexp.MustCompile(`\[[^\[\]]*\]`)

// FunctionName is a function's name as the settings of a case have it: without
// its package and its type arguments.
func FunctionName(function string) string {
	for typeArguments.MatchString(function) {
		function = typeArguments.ReplaceAllString(function, "")
	}
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
