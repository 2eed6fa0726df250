package build

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// maxDiagnostics bounds how many messages are kept.
const maxDiagnostics = 200

// place matches "file:line:column: message" and "file:line: message".
var place = lazyregexp.New(`^(?:vet: )?(\S[^:]*?\.[A-Za-z]+):(\d+)(?::(\d+))?: (.*)$`)

// progress is what the go command says while it goes on.
var progress = lazyregexp.New(`^go: (downloading|finding|extracting) `)

// ParseOutput reads the messages of compiler, linker, cgo and go command out
// of what they printed, without those of progress. File names become absolute, relative to dir.
func ParseOutput(text, dir string) []Diagnostic {
	var list []Diagnostic
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case len(list) >= maxDiagnostics:
			return list
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"), progress.MatchString(line):
		case continues(line) && len(list) > 0:
			last := &list[len(list)-1]
			last.Message += "\n" + strings.TrimRight(line, " ")
		default:
			list = append(list, diagnose(line, dir))
		}
	}
	return list
}

// continues reports whether the line belongs to the message before it: the
// compiler and gcc indent what follows.
func continues(line string) bool { return line[0] == ' ' || line[0] == '\t' }

func diagnose(line, dir string) Diagnostic {
	m := place.FindStringSubmatch(line)
	if m == nil {
		return Diagnostic{Message: strings.TrimPrefix(strings.TrimSpace(line), "go: ")}
	}
	file := m[1]
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	at, _ := strconv.Atoi(m[2]) // digits by the pattern; too large becomes the largest
	column, _ := strconv.Atoi(m[3])
	return Diagnostic{File: file, Line: at, Column: column, Message: m[4]}
}
