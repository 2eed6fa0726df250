package verify

import (
	"os"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/quits"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// A program reads its files anew in every run. A candidate that writes over them gives
// itself another input, and loses what was in them when it is applied. A program that
// stopped may have had to write to some of its files later: what counts is that the
// candidate adds a call that changes files, and that one which was there is changed.

// givenDirs are the directories whose files a run of the candidate is compared with; none
// where it adds no call that changes files.
func givenDirs(v *target, c patch.Candidate) []string {
	adds := slices.ContainsFunc(c.Edits, func(e patch.Edit) bool {
		return strings.HasSuffix(e.File, ".go") && quits.ChangesFiles(e.Before, e.After)
	})
	if !adds {
		return nil
	}
	dirs := []string{v.subject.Workspace.Root}
	if dir := v.subject.Run.Dir; dir != "" && dir != dirs[0] {
		dirs = append(dirs, dir)
	}
	return dirs
}

// overwritten names a file that a run has changed which began then; empty without one.
// One that is changed outside of the sandbox, too, such as a log, is not its.
func overwritten(v *target, r sandbox.Result, begun time.Time) string {
	for _, file := range r.Changed {
		if info, err := os.Lstat(file); err == nil && info.ModTime().Before(begun) {
			return v.subject.Workspace.Rel(file)
		}
	}
	return ""
}
