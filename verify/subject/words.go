package subject

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/verdict"
)

// List shows messages with their places, relative to the module.
func (v *Target) List(diagnostics []build.Diagnostic, otherwise string) string {
	var lines []string
	for _, d := range diagnostics {
		if d.File == "" {
			lines = append(lines, d.Message)
			continue
		}
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s", v.Subject.Workspace.Rel(d.File), d.Line, d.Column, d.Message))
	}
	if len(lines) == 0 {
		return otherwise
	}
	return finding.Some(lines)
}

// scratchPath matches a file in one of our temporary directories.
var scratchPath = lazyregexp.New(`[^\s:"]*/pausetui-[^\s:"]*`)

// Reason is an error for a check: places in the source are named relative to the
// module, and no other path of this machine is.
func (v *Target) Reason(err error) string {
	var refusal *build.Error
	if errors.As(err, &refusal) {
		return "it does not build: " + v.List(refusal.Diagnostics, refusal.Output)
	}
	root := strings.TrimSuffix(v.Subject.Workspace.Root, string(filepath.Separator)) + string(filepath.Separator)
	return scratchPath.ReplaceAllString(strings.ReplaceAll(err.Error(), root, ""), "…")
}

// Unmade is a check that could not be made: that decides nothing.
func (v *Target) Unmade(ctx context.Context, err error) (verdict.Check, error) {
	if ctx.Err() != nil {
		return verdict.Check{}, ctx.Err()
	}
	return finding.Inconclusive("%s", v.Reason(err)), nil
}

// Message makes one line of what a test printed: the crash, or the first thing
// it said.
func (v *Target) Message(output string) string {
	if c, ok := crash.Parse([]byte(output)); ok && !c.Recovered {
		return v.Describe(c)
	}
	return firstWords(finding.Clean(output))
}

// firstWords joins lines that announce what the next one says.
func firstWords(text string) string {
	const most = 200
	var words []string
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		words = append(words, fields...)
		last := words[len(words)-1]
		if !strings.HasSuffix(last, ":") && !strings.HasPrefix(words[0], "got:") {
			break
		}
	}
	joined := strings.Join(words, " ")
	if len(joined) > most {
		joined = strings.ToValidUTF8(joined[:most], "") + "…"
	}
	return joined
}
