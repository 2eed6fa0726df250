package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/build"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/proof"
	"github.com/pausetui/pausetui/verify/probe"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// orDeclined takes the check of a run that has not come past the site, and makes
// a warning of it where that is because the candidate declines the input: the
// run went through a statement it adds that returns an error or ends the
// program, and ended with an exit code of its own. Whether the input deserves it
// is for the reader to say.
func (a *attempt) orDeclined(ctx context.Context, r sandbox.Result, c proof.Check) (proof.Check, error) {
	if c.Status == proof.Pass || c.Status == proof.Warn || !byItself(r) || a.v.subject.Build.Test {
		return c, nil
	}
	at, err := a.declined(ctx, r)
	switch {
	case ctx.Err() != nil:
		return c, ctx.Err()
	case err != nil || at == "":
		return c, nil //nolint:nilerr // then the run is judged without
	}
	return warn("it declines the input: it %s at %s, which the candidate adds%s", ending(r), at, said(r)), nil
}

// byItself tells whether a run ended with an exit code of its own that is not 0.
func byItself(r sandbox.Result) bool {
	return r.ExitCode > 0 && !r.Alive() && r.Signal == "" && r.Limit == "" && len(r.Blocked) == 0
}

// declined runs the candidate with its exits marked and returns the place of the
// last it came to; empty when it ended otherwise.
func (a *attempt) declined(ctx context.Context, r sandbox.Result) (string, error) {
	overlay, files, err := a.markedExits()
	if err != nil || len(files) == 0 {
		return "", err
	}
	dir := filepath.Join(a.dir, "exits")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("look for exits: %w", err)
	}
	built, err := build.Build(ctx, a.v.spec(filepath.Join(dir, "program"), a.overlay, overlay), nil)
	if err != nil {
		return "", err
	}
	counters, err := probeMemory(filepath.Join(dir, "counters"))
	if err != nil {
		return "", err
	}
	defer counters.Close()
	again, err := a.v.execute(ctx, built.Binary, a.v.wall(), counters)
	line, file := word(counters, probe.ExitLine), word(counters, probe.ExitFile)
	if err != nil || again.ExitCode != r.ExitCode || line == 0 || file >= uint64(len(files)) {
		return "", err
	}
	return files[file] + ":" + itoa(int(line)), nil
}

// errUnmarked is returned where marks would not be built.
var errUnmarked = errors.New("files that are named one by one cannot be joined by another")

// markedExits returns the candidate's files with marks, and what goes beside
// them. A file's number is its index in files.
func (a *attempt) markedExits() (overlay map[string]string, files []string, err error) {
	if strings.HasSuffix(a.v.subject.Build.Package, ".go") {
		return nil, nil, errUnmarked
	}
	overlay = map[string]string{}
	for _, e := range a.candidate.Edits {
		if !strings.HasSuffix(e.File, ".go") || strings.HasSuffix(e.File, "_test.go") {
			continue
		}
		added := addedLines(e)
		text, marked, err := probe.Exits(e.After, len(files), func(line int) bool { return added[line] })
		if err != nil {
			return nil, nil, err
		}
		if marked == 0 {
			continue
		}
		path := filepath.Clean(a.v.subject.Workspace.Abs(e.File))
		beside, counter, err := probe.ExitCounter(e.After, path)
		if err != nil {
			return nil, nil, err
		}
		overlay[path], overlay[beside] = text, counter
		files = append(files, e.File)
	}
	return overlay, files, nil
}

// addedLines are the numbers of the lines that an edit adds.
func addedLines(e patch.Edit) map[int]bool {
	added := map[int]bool{}
	for _, h := range patch.Hunks(e) {
		for _, l := range h.Lines {
			if l.Op == patch.Add {
				added[l.New] = true
			}
		}
	}
	return added
}
