package effect

import (
	"fmt"
	"maps"

	"github.com/pausetui/pausetui/verify/quits"
	"github.com/pausetui/pausetui/verify/syntax"
)

// Package is code that the edit leaves as it is: that of a changed file's own
// package, or of one that it imports.
type Package = quits.Package

// quits looks for what ends the program where no point has a mark: before main
// begins, in a goroutine or under another name. A program that comes to its end
// that way proves nothing.
func (c *comparison) quits(files []*fileComparison, packages []Package) {
	own := map[string]bool{}
	for _, f := range files {
		maps.Copy(own, f.after.enders())
	}
	delete(own, "main")
	delete(own, "init")
	there := quits.Exits(packages)
	var before, after []*syntax.File
	for _, f := range files {
		before, after = append(before, f.before.File), append(after, f.after.File)
	}
	was, now := quits.AliasesIn(before, there), quits.AliasesIn(after, there)
	for _, f := range files {
		left := map[quits.Place]int{} // how often, whatever the line
		for _, q := range quits.Find(f.before.File, own, there, was) {
			left[quits.Place{Name: q.Name, Status: q.Status}]++
		}
		for _, q := range quits.Find(f.after.File, own, there, now) {
			if c.marked(f.File, q.Line) {
				continue
			}
			what := quits.Place{Name: q.Name, Status: q.Status}
			if left[what]--; left[what] < 0 && c.report.Hides == "" {
				c.report.Hides = fmt.Sprintf("can end the program, or change what it is given or what is counted, unseen: %s (%s:%d)", q.Name, f.File, q.Line)
			}
		}
	}
}

// marked reports whether there is a point on the line.
func (c *comparison) marked(file string, line int) bool {
	for _, p := range c.report.Points {
		if p.File == file && p.Line == line {
			return true
		}
	}
	return false
}
