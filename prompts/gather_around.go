package prompts

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/git"
)

const (
	maxCallers     = 3  // user frames described
	maxCallerLines = 60 // of a caller shown whole; longer ones are shown around the call
)

// callers shows the user's frames above the culprit, with their values.
func (g *gathering) callers() draft {
	if g.c.Stop.Test != nil {
		return g.tested()
	}
	d := draft{Section: Section{Key: "callers", Title: "Who called it"}}
	if g.at < 0 {
		return d
	}
	var b strings.Builder
	count, more := 0, 0
	for _, f := range g.c.Stop.Frames[g.at+1:] {
		if !f.User {
			continue
		}
		if count == maxCallers {
			more++
			continue
		}
		count++
		b.WriteString(g.caller(g.load(f)))
	}
	if more > 0 {
		fmt.Fprintf(&b, "[… %d callers left out]\n", more)
	}
	d.Text = b.String()
	return d
}

func (g *gathering) caller(f debugger.Frame) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (frame %d), at %s", funcName(f.Function), f.Index, g.place(f.File, f.Line))
	fn, ok := g.sources.funcAt(f.File, f.Line)
	if ok {
		fmt.Fprintf(&b, ":\n%s\n", fenced("go", fn.src.lineText(f.Line)))
		b.WriteString(g.showAround(fn, f.Line))
	} else {
		b.WriteString("\n")
	}
	if vars := g.shower(f.Index).list(f.Variables(), callerDepth); vars != "" {
		b.WriteString(data(vars) + "\n")
	}
	return b.String()
}

const (
	maxGoroutines = 500 // read
	maxGroups     = 20  // described
)

// goroutines groups the others by what they wait for, where that is the point.
func (g *gathering) goroutines() draft {
	d := draft{Section: Section{Key: "goroutines", Title: goroutinesTitle}}
	class := g.c.Stop.Panic.Class
	if g.c.Inspect == nil {
		d.Text = g.o.Goroutines
	}
	if g.c.Inspect == nil || class != debugger.Deadlock && class != debugger.ConcurrentMap {
		return d
	}
	ctx, cancel := context.WithTimeout(g.ctx, g.o.Read)
	defer cancel()
	list, more, err := g.c.Inspect.Goroutines(ctx, debugger.Page{Count: maxGoroutines})
	if err != nil {
		d.Text = "They could not be read: " + oneLine(err.Error())
		return d
	}
	counts, at := map[string]int{}, map[string][]debugger.Frame{}
	var order []string
	for _, r := range list {
		if r.System || r.ID == g.c.Stop.Goroutine {
			continue
		}
		g.waits = append(g.waits, r.User)
		what := r.State
		if r.WaitReason != "" {
			what += " (" + r.WaitReason + ")"
		}
		key := fmt.Sprintf("%s in %s at %s", what, funcName(r.User.Function), g.place(r.User.File, r.User.Line))
		if filepath.IsAbs(r.GoAt.File) { // not the runtime's own start of main
			key += ", started at " + g.place(r.GoAt.File, r.GoAt.Line)
		}
		if counts[key]++; counts[key] == 1 {
			order = append(order, key)
			at[key] = []debugger.Frame{r.User, r.GoAt}
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return counts[b] - counts[a] })
	var b strings.Builder
	for i, key := range order {
		if i == maxGroups {
			fmt.Fprintf(&b, "[… %d groups left out]\n", len(order)-i)
			break
		}
		fmt.Fprintf(&b, "%d × %s\n", counts[key], key)
	}
	if more {
		fmt.Fprintf(&b, "[… only the first %d goroutines were read]\n", maxGoroutines)
	}
	if b.Len() > 0 {
		d.Text = data(b.String()) + "\n" + g.waiting(order, at)
	}
	return d
}

// maxWaiting bounds how many functions of other goroutines are shown.
const maxWaiting = 4

// waiting shows the user's functions that the goroutines are in, then those
// that have started them.
func (g *gathering) waiting(order []string, at map[string][]debugger.Frame) string {
	var b strings.Builder
	count := 0
	for i := range 2 {
		for _, key := range order {
			f := at[key][i]
			fn, ok := g.sources.funcAt(f.File, f.Line)
			if !ok || !g.c.Workspace.Owns(f.File) || count == maxWaiting || fn.last-fn.first > maxCallerLines {
				continue
			}
			if text := g.show(fn); strings.Contains(text, "```") {
				count++
				b.WriteString(text)
			}
		}
	}
	return b.String()
}

// maxGit bounds the changes of a file, in bytes.
const maxGit = 256 << 10

// changes shows the uncommitted changes to the functions shown; nothing where
// there is no git.
func (g *gathering) changes() draft {
	d := draft{Section: Section{Key: "changes", Title: "Uncommitted changes to these functions"}}
	if g.o.Git < 0 || g.ctx.Err() != nil {
		return d
	}
	files := map[string][]function{}
	var order []string
	for _, f := range g.shown {
		if g.c.Workspace.Owns(f.src.file) {
			if files[f.src.file] == nil {
				order = append(order, f.src.file)
			}
			files[f.src.file] = append(files[f.src.file], f)
		}
	}
	ctx, cancel := context.WithTimeout(g.ctx, g.o.Git)
	defer cancel()
	var b strings.Builder
	for _, file := range order {
		if hunks := touching(g.sources.gitDiff(ctx, file), files[file]); hunks != "" {
			b.WriteString(g.rel(file) + "\n" + fenced("diff", hunks) + "\n")
		}
	}
	d.Text = b.String()
	return d
}

// gitDiff returns the uncommitted changes of a file; empty when git says nothing.
func (s *sources) gitDiff(ctx context.Context, file string) string {
	before, err := git.Head(ctx, file)
	if err != nil {
		return "" // no git, no repository, no commit yet, or no time: not worth a word
	}
	after, ok := s.read(file)
	if !ok || before == after {
		return ""
	}
	diff := patch.Unified(patch.Edit{File: filepath.Base(file), Before: before, After: after})
	return manyLines(diff[:min(len(diff), maxGit)])
}

var hunkHead = lazyregexp.New(`^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@`)

// touching keeps the hunks of a unified diff that reach into the functions.
func touching(diff string, functions []function) string {
	var out []string
	keep := false
	for line := range strings.SplitSeq(diff, "\n") {
		if m := hunkHead.FindStringSubmatch(line); m != nil {
			start, _ := strconv.Atoi(m[1])
			count := 1
			if m[2] != "" {
				count, _ = strconv.Atoi(m[2])
			}
			keep = slices.ContainsFunc(functions, func(f function) bool {
				return start <= f.last && f.first <= start+count
			})
		}
		if keep && line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
